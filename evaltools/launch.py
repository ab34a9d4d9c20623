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
from evaltools.hosts import ALLOWED_HOSTS, is_local, parse_allowed
from evaltools.runs.sample import app_folder
from evaltools.runs.writer import META, is_run

__all__ = ["LOCAL", "lan_address", "launch", "reachable"]

LOCAL = "127.0.0.1"
"""The address that only this computer reaches."""


def lan_address() -> str | None:
    """Return the IP address of this computer in the network that it is in; None if it is in none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of documentation, which no computer has
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if is_local(found) else found


def reachable(address: str, port: int) -> str:
    """Say who reaches the app; nothing if that is only this computer.

    Parameters
    ----------
    address : str
        The IP address that the server listens on.
    port : int
        Its port.

    Examples
    --------
    >>> reachable("127.0.0.1", 8501)
    ''
    >>> print(reachable("192.168.1.5", 8501).splitlines()[0])
    Everybody in the network reaches this app at http://192.168.1.5:8501
    """
    if is_local(address):
        return ""
    host = lan_address() if _is_any(address) else address
    place = f" at http://{_in_url(host)}:{port}" if host else f", on port {port} of this computer"
    return (
        f"Everybody in the network reaches this app{place}\n"
        "and can do there all that you can: see the runs, score files, write notes, vote. There is no password.\n"
        "Stop it with Ctrl-C when the lesson is over."
    )


def _is_any(address: str) -> bool:
    return ipaddress.ip_address(address).is_unspecified


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _check_address(address: str, port: int) -> None:
    """Refuse what cannot be listened on."""
    valid = f"expected {LOCAL} (only this computer), 0.0.0.0 (everybody in the network), or an IP address of its own"
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    except ValueError:
        raise ParameterError(f"no IP address {address!r}; {valid}") from None
    if not 1 <= port <= 65535:
        raise ParameterError(f"a port lies between 1 and 65535, not {port}")
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
    say: Callable[[str], None] = print,
) -> int:
    """Start the app and wait until it ends.

    Parameters
    ----------
    runs : list of Path
        Folders of the runs to open; the sample if empty.
    port : int
        Port on this machine.
    browser : bool
        Whether to open a browser, if there is a screen and a terminal.
    address : str
        The IP address that the server listens on: by default only this computer reaches it.
    allowed_hosts : sequence of str
        Further names, each with ``:PORT`` or without, under which the app answers, e.g. that of a proxy in front of it.
    say : callable
        Gets what there is to say of who reaches the app, if others do.

    Returns
    -------
    int
        Exit status of the server; 0 if Ctrl-C ended it.

    Raises
    ------
    ParameterError
        If a folder is no run, the port is taken, the address is none of this computer's, or a host is malformed.
    """
    for run in runs:
        if not is_run(run):
            raise ParameterError(f"{run} is no run of evaltools: it holds no {META}")
    _check_address(address, port)
    parse_allowed(allowed_hosts)
    if told := reachable(address, port):
        say(told)
    folder = app_folder()
    command = [sys.executable, "-m", "evaltools.ui.server", "run", str(folder / "app.py")]
    command += [f"--server.port={port}", f"--server.address={address}"]
    if not is_local(address):  # else streamlit asks a site on the internet for the address of this computer
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
        return 0  # Ctrl-C is how the app is ended; its signal may reach the server twice


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
