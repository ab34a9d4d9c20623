"""Who reaches the app: only this computer, unless it is told otherwise, and then it says so."""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltools.cli import launch
from evaltools.errors import ParameterError
from evaltools.hosts import ALLOWED_HOSTS, CLASS_FILE, PHONES_URL, TEACHER
from evaltools.runs import locations
from tests.conftest import AppServer, free_port

Started = list[list[str]]
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    commands: list[list[str]] = []

    class Server:
        def __init__(self, command: list[str], env: dict[str, str] | None = None, **options: Any) -> None:
            self.stdin = io.BytesIO() if options.get("stdin") else None
            given = {name: value for name, value in (env or {}).items() if name.startswith(("EVALTOOLS_", "HOME"))}
            known = {name: value for name, value in given.items() if os.environ.get(name) != value}
            commands.append([*command, *(f"{name}={value}" for name, value in known.items())])

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(launch.subprocess, "Popen", Server)
    monkeypatch.setattr(launch, "lan_address", lambda: "192.168.1.5")
    return commands


def test_only_this_computer_unless_asked(started: Started, capsys: Captured):
    port = free_port()
    assert launch.launch([], port, browser=False) == 0
    assert "--server.address=127.0.0.1" in started[0]
    assert not [argument for argument in started[0] if "serverAddress" in argument]
    assert capsys.readouterr().err == f"Only this computer can open the app: http://127.0.0.1:{port}\n"


@pytest.mark.parametrize(
    ("lan", "server", "shown"), [("192.168.1.5", "192.168.1.5", "192.168.1.5"), (None, "localhost", "desk")]
)
def test_everybody_if_asked_and_it_says_so(
    started: Started, capsys: Captured, monkeypatch: pytest.MonkeyPatch, lan: str | None, server: str, shown: str
):
    """Streamlit does not look up an address in the network, also where there is none."""
    monkeypatch.setattr(launch, "lan_address", lambda: lan)
    monkeypatch.setattr(launch.socket, "gethostname", lambda: "desk")
    port = free_port()
    assert launch.launch([], port, browser=False, address="0.0.0.0") == 0
    assert {"--server.address=0.0.0.0", f"--browser.serverAddress={server}"} <= set(started[0])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"Everyone in the network can open the app, without a password: http://{shown}:{port} (")


def test_a_class_opens_its_ballots_and_not_the_app(started: Started, capsys: Captured):
    port, phones_port = free_port(), free_port()
    assert launch.launch_class([], port, phones_port, browser=False) == 0
    phones, app = started
    assert phones[2] == "evaltools.classroom.server"
    assert phones[4:6] == ["--address=0.0.0.0", f"--port={phones_port}"]
    assert "--server.address=127.0.0.1" in app
    variables = dict(argument.split("=", 1) for argument in app if argument.startswith("EVALTOOLS_"))
    assert variables[CLASS_FILE] == phones[3]
    assert not Path(phones[3]).parent.exists(), "it is gone with the class"
    url, secret = f"http://192.168.1.5:{phones_port}", variables[TEACHER]
    assert (variables[PHONES_URL], len(secret) >= 24, secret in " ".join(phones)) == (url, True, False)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":", 1)[0] for line in lines[:2]] == [
        "Teacher (only this computer)",
        "Students (everyone in this network, ballots only)",
    ]
    assert [line.split()[-1] for line in lines[:2]] == [f"http://127.0.0.1:{port}/lessons?teacher={secret}", url]
    assert lines[2:] == ["Ctrl-C ends the class."]


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("class.example", "http://class.example:{port}"),
        ("class.example:80", "http://class.example:80"),
        ("[fd00::2]:9", "http://[fd00::2]:9"),
    ],
)
def test_phones_may_use_another_name(started: Started, host: str, url: str):
    port = free_port()
    launch.launch_class([], free_port(), port, browser=False, phones_host=host)
    assert f"--host={host}" in started[0]
    assert f"{PHONES_URL}={url.format(port=port)}" in started[1]


def test_a_class_that_cannot_be_served_does_not_begin(started: Started):
    port = free_port()
    with pytest.raises(ParameterError, match="is given twice"):
        launch.launch_class([], port, port, browser=False)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ParameterError, match="choose another with --phones-port"):
            launch.launch_class([], port, taken.getsockname()[1], phones_address="127.0.0.1", browser=False)
    with pytest.raises(ParameterError, match="is not a host"):
        launch.launch_class([], port, free_port(), phones_host="http://x/", browser=False)
    with pytest.raises(ParameterError, match="is not a run"):
        launch.launch_class([Path("nothing.run")], port, free_port(), browser=False)
    assert started == []


@pytest.mark.parametrize("address", ["", "everybody", "300.1.1.1", "192.0.2.77"])
def test_addresses_of_others_are_refused(started: Started, address: str):
    with pytest.raises(ParameterError, match=r"expected 127\.0\.0\.1 \(only this computer\)"):
        launch.launch([], free_port(), browser=False, address=address)
    assert started == []


def test_further_hosts_are_passed_on_and_malformed_ones_refused(started: Started):
    launch.launch([], free_port(), browser=False, allowed_hosts=["class.example", "[fd00::2]:8443"])
    assert started[0][-2] == f"{ALLOWED_HOSTS}=class.example,[fd00::2]:8443"
    for host in ("", "https://class.example", "a b", "class.example:x", "class.example:70000", "fd00::2", "*"):
        with pytest.raises(ParameterError, match="expected a name or an IP address, with :PORT or without"):
            launch.launch([], free_port(), browser=False, allowed_hosts=[host])
    assert len(started) == 1


@pytest.mark.slow
def no_home(name: str) -> str:
    raise RuntimeError("could not determine the home directory")


def test_a_user_without_a_home_gets_one_that_streamlit_can_use(started: Started, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # no variable and no entry, as in containers
    monkeypatch.setattr(locations.platformdirs, "user_data_dir", no_home)
    assert launch.launch([], free_port(), browser=False) == 0
    (home,) = (item.partition("=")[2] for item in started[0] if item.startswith("HOME="))
    assert Path(home).is_absolute()
    assert Path(home).is_dir()


def test_ctrl_c_ends_the_app_without_an_error(app_server: Callable[..., AppServer]):
    """Sent to the command and the server at once, as a terminal does."""
    app = app_server(command=[sys.executable, "-m", "evaltools.cli", "app", "--no-browser", "--port", "{port}"])
    begun = app.output()
    os.killpg(app.process.pid, signal.SIGINT)
    assert app.process.wait(60) == 0, app.output()
    assert app.output().removeprefix(begun).strip() == ""


def test_without_the_extra_the_app_is_one_line_with_the_command_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(launch.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ParameterError, match=r"the app needs streamlit, .*: pip install 'parser-evaltools\[app\]'"):
        launch.launch([], free_port(), browser=False)
