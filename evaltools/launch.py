"""Starting the server of the app."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import urllib.request
import webbrowser
from pathlib import Path

from evaltools.errors import ParameterError
from evaltools.runs.sample import app_folder
from evaltools.runs.writer import META, is_run

__all__ = ["launch"]

_ADDRESS = "127.0.0.1"


def launch(runs: list[Path], port: int, *, browser: bool = True) -> int:
    """Start the app and wait until it ends.

    Parameters
    ----------
    runs : list of Path
        Folders of the runs to open; the sample if empty.
    port : int
        Port on this machine; the server listens on 127.0.0.1 only.
    browser : bool
        Whether to open a browser, if there is a screen and a terminal.

    Returns
    -------
    int
        Exit status of the server.

    Raises
    ------
    ParameterError
        If a folder is no run, or the port is taken.
    """
    for run in runs:
        if not is_run(run):
            raise ParameterError(f"{run} is no run of evaltools: it holds no {META}")
    if not 1 <= port <= 65535:
        raise ParameterError(f"a port lies between 1 and 65535, not {port}")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_ADDRESS, port))
        except OSError:
            raise ParameterError(f"port {port} is taken; choose another with --port") from None
    folder = app_folder()
    command = [sys.executable, "-m", "evaltools.ui.server", "run", str(folder / "app.py")]
    command += [f"--server.port={port}", f"--server.address={_ADDRESS}", "--", *(str(run.resolve()) for run in runs)]
    # Streamlit reads its configuration from the working folder
    server = subprocess.Popen(command, cwd=folder)
    if browser and _has_screen():
        threading.Thread(target=_open_when_ready, args=(port, server), daemon=True).start()
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        return server.wait()


def _has_screen() -> bool:
    graphical = sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return graphical and sys.stdout.isatty() and not os.environ.get("CI")


def _open_when_ready(port: int, server: subprocess.Popen[bytes]) -> None:
    url = f"http://{_ADDRESS}:{port}"
    pause = threading.Event()
    while server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                webbrowser.open(url)
                return
        except OSError:
            pause.wait(0.2)
