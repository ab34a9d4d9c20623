"""Starting the server of the app."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import subprocess
import sys
import threading
import urllib.request
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

from evaltools.errors import ParameterError
from evaltools.hosts import ALLOWED_HOSTS, is_local, lan_address, parse_allowed
from evaltools.runs.engine.writer import META, is_run
from evaltools.runs.sample import app_folder

__all__ = ["LOCAL", "launch", "reachable"]

LOCAL = "127.0.0.1"
"""The address that only this computer can reach."""


def reachable(address: str, port: int) -> str:
    """Return a warning that the network can open the app; empty if only this computer can.

    Examples
    --------
    >>> reachable("127.0.0.1", 8501)
    ''
    >>> print(reachable("192.168.1.5", 8501).splitlines()[0])
    Everyone in the network can open this app at http://192.168.1.5:8501
    """
    if is_local(address):
        return ""
    host = lan_address() if _is_any(address) else address
    url = f" at http://{_in_url(host)}:{port}" if host else f", on port {port} of this computer"
    return (
        f"Everyone in the network can open this app{url}\n"
        "and do what you can do: see the runs, score files, write notes, vote. There is no password.\n"
        "Stop it with Ctrl-C when the lesson is over."
    )


def _is_any(address: str) -> bool:
    return ipaddress.ip_address(address).is_unspecified


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _check_address(address: str, port: int) -> None:
    """Raise ParameterError if the server cannot listen on an address and port."""
    valid = f"expected {LOCAL} (only this computer), 0.0.0.0 (the whole network), or an IP address of this computer"
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    except ValueError:
        raise ParameterError(f"{address!r} is not an IP address; {valid}") from None
    if not 1 <= port <= 65535:
        raise ParameterError(f"port {port} is out of range; expected 1 to 65535")
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise ParameterError(f"this computer does not have the address {address}; {valid}") from None
            raise ParameterError(f"port {port} is taken; choose another with --port") from None


def launch(
    runs: list[Path],
    port: int,
    *,
    browser: bool = True,
    address: str = LOCAL,
    allowed_hosts: Sequence[str] = (),
    show: Callable[[str], None] = print,
) -> int:
    """Start the app and wait until it ends."""
    for run in runs:
        if not is_run(run):
            raise ParameterError(f"{run} is not a run of evaltools: it has no {META}")
    _check_address(address, port)
    parse_allowed(allowed_hosts)
    if text := reachable(address, port):
        show(text)
    folder = app_folder()
    command = [sys.executable, "-m", "evaltools.ui.frame.server", "run", str(folder / "app.py")]
    command += [f"--server.port={port}", f"--server.address={address}"]
    if not is_local(address):  # otherwise streamlit looks up the computer's public address on the internet
        host = (lan_address() or "localhost") if _is_any(address) else address
        command.append(f"--browser.serverAddress={host}")
    command += ["--", *(str(run.resolve()) for run in runs)]
    # Streamlit reads its configuration from the working folder
    hosts = {ALLOWED_HOSTS: ",".join(allowed_hosts)} if allowed_hosts else {}
    server = subprocess.Popen(command, cwd=folder, env={**os.environ, **hosts})
    if browser and _has_screen():
        host = LOCAL if _is_any(address) else address
        threading.Thread(target=_open_when_ready, args=(host, port, server), daemon=True).start()
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 0  # Ctrl-C is the way to end the app; the signal may reach the server twice


def _has_screen() -> bool:
    graphical = sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return graphical and sys.stdout.isatty() and not os.environ.get("CI")


def _open_when_ready(host: str, port: int, server: subprocess.Popen[bytes]) -> None:
    url = f"http://{_in_url(host)}:{port}"
    pause = threading.Event()
    while server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                webbrowser.open(url)
                return
        except OSError:
            pause.wait(0.2)
