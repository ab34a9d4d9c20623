"""Commands ``app`` and ``class``: starting the server of the app, and that of the phones of a class."""

from __future__ import annotations

import errno
import importlib.util
import ipaddress
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import typer

from evaltools.cli.console import Interruption
from evaltools.cli.options import Browser, Runs, option
from evaltools.errors import ParameterError
from evaltools.hosts import (
    ALLOWED_HOSTS,
    CLASS_FILE,
    LAUNCHED,
    PHONES_URL,
    TEACHER,
    is_local,
    lan_address,
    parse_allowed,
)
from evaltools.runs.folder import META, is_run
from evaltools.runs.locations import app_folder, user_data

_PACKAGES = ("streamlit", "starlette", "uvicorn", "altair", "vl_convert", "segno", "markdown_it")
"""Packages that only the app needs."""

LOCAL = "127.0.0.1"
"""The address that only this computer can reach."""


def reachable(address: str, port: int) -> str:
    """Return the line that says who can open the app.

    Examples
    --------
    >>> reachable("127.0.0.1", 8501)
    'Only this computer can open the app: http://127.0.0.1:8501'
    >>> reachable("192.168.1.5", 8501)[:66]
    'Everyone in the network can open the app, without a password: http'
    """
    if is_local(address):
        return f"Only this computer can open the app: http://{_in_url(address)}:{port}"
    return (
        f"Everyone in the network can open the app, without a password: {_base(address, port)} (they see the runs, "
        "score files and write notes; evaltools class lets phones vote without that)"
    )


def phones_reachable(address: str, url: str, app_url: str) -> str:
    """Return the lines that say who can open the app and the ballots of a class, and how it ends.

    Examples
    --------
    >>> print(phones_reachable("127.0.0.1", "http://127.0.0.1:8502", "http://127.0.0.1:8501"))
    Teacher (only this computer):                        http://127.0.0.1:8501
    Students (only this computer, ballots only):         http://127.0.0.1:8502
    Ctrl-C ends the class.
    """
    who = "only this computer" if is_local(address) else "everyone in this network"
    rows = (("Teacher (only this computer):", app_url), (f"Students ({who}, ballots only):", url))
    return "\n".join([*(f"{title:<52} {link}" for title, link in rows), "Ctrl-C ends the class."])


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _base(address: str, port: int) -> str:
    """Return the address that other computers open for a server that listens on an address."""
    host = (lan_address() or socket.gethostname()) if _is_any(address) else address
    return f"http://{_in_url(host)}:{port}"


def _is_any(address: str) -> bool:
    return ipaddress.ip_address(address).is_unspecified


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _check_address(address: str, port: int, option: str = "--port") -> None:
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
            raise ParameterError(f"port {port} is taken; choose another with {option}") from None


def launch(
    runs: list[Path],
    port: int,
    *,
    browser: bool = True,
    address: str = LOCAL,
    allowed_hosts: Sequence[str] = (),
) -> int:
    """Start the app and wait until it ends."""
    _check(runs)
    _check_address(address, port)
    parse_allowed(allowed_hosts)
    _say(reachable(address, port))
    hosts = {ALLOWED_HOSTS: ",".join(allowed_hosts)} if allowed_hosts else {}
    host = LOCAL if _is_any(address) else address
    return _serve(_command(runs, port, address), hosts, f"http://{_in_url(host)}:{port}", browser=browser)


def launch_class(
    runs: list[Path],
    port: int,
    phones_port: int,
    *,
    browser: bool = True,
    phones_address: str = "0.0.0.0",
    phones_host: str | None = None,
) -> int:
    """Start the app for this computer and the server of the phones, and wait until the app ends."""
    _check(runs)
    if port == phones_port:
        raise ParameterError(f"port {port} is given twice; expected one for the app and another for the phones")
    _check_address(LOCAL, port)
    _check_address(phones_address, phones_port, "--phones-port")
    url = _base(phones_address, phones_port)
    for host in parse_allowed([phones_host] if phones_host else []):
        url = f"http://{_in_url(host.name)}:{host.port or phones_port}"
    with tempfile.TemporaryDirectory(prefix="evaltools-class-", ignore_cleanup_errors=True) as folder:
        file, secret = Path(folder) / "class.sqlite", secrets.token_urlsafe(24)
        app_url = f"http://{LOCAL}:{port}"
        first = f"/lessons?teacher={secret}"
        _say(phones_reachable(phones_address, url, app_url + first))
        phones = _start_phones(file, phones_address, phones_port, phones_host)
        threading.Thread(target=_report_end, args=(phones,), daemon=True).start()
        try:
            variables = {CLASS_FILE: str(file), PHONES_URL: url, TEACHER: secret}
            return _serve(_command(runs, port, LOCAL), variables, app_url, first, browser=browser)
        finally:
            if phones.stdin is not None:
                phones.stdin.close()  # this ends it
            phones.wait()


def _start_phones(file: Path, address: str, port: int, host: str | None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "evaltools.classroom.server", str(file), f"--address={address}", f"--port={port}"]
    command += [f"--key={user_data() / 'lessons' / 'phones.key'}"]
    command += [f"--host={host}"] if host else []
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def _report_end(phones: subprocess.Popen[bytes]) -> None:
    """Say so if the server of the phones ends before the class."""
    status = phones.wait()
    if status:
        _say(f"The server of the phones has ended with status {status}: phones cannot vote. Start the class again.")


def _check(runs: list[Path]) -> None:
    """Raise ParameterError if a folder is no run, or a package that only the app needs is not installed."""
    missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise ParameterError(f"the app needs {', '.join(missing)}: pip install 'parser-evaltools[app]'")
    for run in runs:
        if not is_run(run):
            raise ParameterError(f"{run} is not a run of evaltools: it has no {META}")


def _command(runs: list[Path], port: int, address: str) -> list[str]:
    """Return the command of the app's server."""
    command = [sys.executable, "-m", "streamlit", "run", str(app_folder() / "app.py")]
    command += [f"--server.port={port}", f"--server.address={address}"]
    if not is_local(address):  # otherwise streamlit looks up the computer's public address on the internet
        host = (lan_address() or "localhost") if _is_any(address) else address
        command.append(f"--browser.serverAddress={host}")
    return [*command, "--", *(str(run.resolve()) for run in runs)]


def _serve(command: list[str], variables: dict[str, str], url: str, first: str = "", *, browser: bool) -> int:
    """Run the app's server until it ends; open its first page in a browser."""
    # Streamlit reads its configuration from the working folder, and prints an address without the first page
    output = subprocess.DEVNULL if first else None
    variables = {**os.environ, **variables, LAUNCHED: "1"}
    if not os.path.isabs(os.path.expanduser("~")):
        variables["HOME"] = str(user_data())  # a temporary folder: Streamlit does not start without a home
    server = subprocess.Popen(command, cwd=app_folder(), env=variables, stdin=subprocess.PIPE, stdout=output)
    if browser and _has_screen():
        threading.Thread(target=_open_when_ready, args=(url, first, server), daemon=True).start()
    try:
        return server.wait()
    except (Interruption, KeyboardInterrupt):
        server.terminate()
        server.wait()
        return 0  # Ctrl-C is the way to end the app; the signal may reach the server twice


def _has_screen() -> bool:
    is_graphical = sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return is_graphical and sys.stdout.isatty() and not os.environ.get("CI")


def _open_when_ready(url: str, first: str, server: subprocess.Popen[bytes]) -> None:
    from urllib.request import urlopen  # loads what encrypts, which no other command needs

    pause = threading.Event()
    while server.poll() is None:
        try:
            with urlopen(f"{url}/_stcore/health", timeout=1):
                webbrowser.open(url + first)
                return
        except OSError:
            pause.wait(0.2)


def open_app(
    runs: Runs = None,
    port: int = option("Port of the server.", 8501, metavar="N"),
    browser: Browser = True,
    address: str = option(
        "Address to listen on; 0.0.0.0 opens the whole app to the network, without a password.",
        "127.0.0.1",
        metavar="IP",
    ),
    allow_host: list[str] | None = option(
        "Also answer under this host name, such as that of a proxy; NAME:PORT for one port. Repeatable.", metavar="NAME"
    ),
) -> None:
    """Open the app with runs or the sample."""
    status = launch(runs or [], port, browser=browser, address=address, allowed_hosts=allow_host or [])
    raise typer.Exit(status)


def open_class(
    runs: Runs = None,
    port: int = option("Port of the app, which only this computer can open.", 8501, metavar="N"),
    phones_port: int = option("Port of the ballots.", 8502, metavar="N"),
    phones_address: str = option(
        "Address on which the ballots are served; 0.0.0.0 is the whole network.", "0.0.0.0", metavar="IP"
    ),
    phones_host: str | None = option(
        "Name or address that phones use, such as that of a proxy, with :PORT if it has another port; by default "
        "the address of this computer in its network.",
        metavar="NAME",
    ),
    browser: Browser = True,
) -> None:
    """Open the app for the teacher, and ballots for the phones of a class."""
    status = launch_class(
        runs or [], port, phones_port, browser=browser, phones_address=phones_address, phones_host=phones_host
    )
    raise typer.Exit(status)
