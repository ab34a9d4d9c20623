"""How the server's process ends."""

from __future__ import annotations

import subprocess
import sys

THREAD_THAT_FREEZES_LATE = """
import atexit, gc, threading
atexit.register(lambda: print(gc.get_freeze_count()))  # the last one called
import streamlit.web.cli
from evaltools.ui.frame import server

def freeze():
    threading.main_thread().join()
    gc.freeze()

def serve(*_, **__):
    threading.Thread(target=freeze).start()
    server._end()

streamlit.web.cli.main = serve
server.main([])
"""


def test_what_a_thread_freezes_at_the_end_is_freed_too():
    """What is never freed DuckDB reports as leaked, on the terminal of the reader who pressed Ctrl+C."""
    command = [sys.executable, "-c", THREAD_THAT_FREEZES_LATE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert (done.stdout, done.stderr) == ("0\n", "")
