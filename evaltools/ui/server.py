"""The server of the app: streamlit's, which loads what pages need while the browser still starts.

``python -m evaltools.ui.server`` takes the same arguments as ``streamlit``.
"""

from __future__ import annotations

import gc
import importlib
import signal
import sys
import threading

from evaltools.runs.warm import warm_kernels

__all__ = ["main"]

_PARTS = ("runs.store", "metrics", "analysis", "charts", "drawing")
"""What takes longest to load; nothing of it asks for streamlit, which is loading too."""


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _end(*_: object) -> None:
    """End the process; a second signal must not interrupt that."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(0)


def _load() -> None:
    for name in _PARTS:
        importlib.import_module(f"evaltools.{name}")
    warm_kernels()
    gc.freeze()  # streamlit collects garbage after each run of a page, and would look through all this every time


def main(arguments: list[str]) -> None:
    """Start the server; does not return while it runs.

    Parameters
    ----------
    arguments : list of str
        What ``streamlit`` is told.
    """
    from streamlit.web.cli import main as streamlit

    for number in _SIGNALS:  # while the server runs it has its own handlers, and raises the signal again in the end
        signal.signal(number, _end)
    threading.Thread(target=_load, name="evaltools-load", daemon=True).start()
    streamlit(arguments, prog_name="streamlit")


if __name__ == "__main__":
    main(sys.argv[1:])
