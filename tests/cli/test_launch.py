"""Who reaches the app: only this computer, unless it is told otherwise, and then it says so."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import pytest

from evaltools.cli import launch
from evaltools.errors import ParameterError
from evaltools.hosts import ALLOWED_HOSTS
from tests.conftest import AppServer, free_port

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Give the commands that would have been run."""
    commands: list[list[str]] = []

    class Server:
        def __init__(self, command: list[str], env: dict[str, str], **options: Any) -> None:
            hosts = env.get(ALLOWED_HOSTS)
            commands.append(command if hosts is None else [*command, f"hosts={hosts}"])

        def wait(self) -> int:
            return 0

    monkeypatch.setattr(launch.subprocess, "Popen", Server)
    monkeypatch.setattr(launch, "lan_address", lambda: "192.168.1.5")
    return commands


def test_only_this_computer_unless_asked(started: list[list[str]]):
    said: list[str] = []
    assert launch.launch([], free_port(), browser=False, show=said.append) == 0
    assert "--server.address=127.0.0.1" in started[0]
    assert not [one for one in started[0] if "serverAddress" in one]
    assert said == []


def test_everybody_if_asked_and_it_says_so(started: list[list[str]]):
    said: list[str] = []
    port = free_port()
    assert launch.launch([], port, browser=False, address="0.0.0.0", show=said.append) == 0
    assert "--server.address=0.0.0.0" in started[0]
    assert "--browser.serverAddress=192.168.1.5" in started[0]
    assert len(said) == 1
    assert f"Everyone in the network can open this app at http://192.168.1.5:{port}\n" in said[0]
    assert "There is no password." in said[0]


def test_a_computer_in_no_network_does_not_ask_one(started: list[list[str]], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(launch, "lan_address", lambda: None)
    said: list[str] = []
    port = free_port()
    launch.launch([], port, browser=False, address="0.0.0.0", show=said.append)
    assert "--browser.serverAddress=localhost" in started[0]
    assert f"Everyone in the network can open this app, on port {port} of this computer\n" in said[0]


@pytest.mark.parametrize("address", ["", "everybody", "300.1.1.1", "192.0.2.77"])
def test_addresses_of_others_are_refused(started: list[list[str]], address: str):
    with pytest.raises(ParameterError, match=r"expected 127\.0\.0\.1 \(only this computer\)"):
        launch.launch([], free_port(), browser=False, address=address)
    assert started == []


def test_further_hosts_are_passed_on_and_malformed_ones_refused(started: list[list[str]]):
    launch.launch([], free_port(), browser=False, allowed_hosts=["class.example", "[fd00::2]:8443"])
    assert started[0][-1] == "hosts=class.example,[fd00::2]:8443"
    for host in ("", "https://class.example", "a b", "class.example:x", "class.example:70000", "fd00::2", "*"):
        with pytest.raises(ParameterError, match="expected a name or an IP address, with :PORT or without"):
            launch.launch([], free_port(), browser=False, allowed_hosts=[host])
    assert len(started) == 1


def test_ctrl_c_ends_the_app_without_an_error(app_server: Callable[..., AppServer]):
    """Sent to the command and the server at once, as a terminal does."""
    app = app_server(command=[sys.executable, "-m", "evaltools.cli", "app", "--no-browser", "--port", "{port}"])
    begun = app.output()
    os.killpg(app.process.pid, signal.SIGINT)
    assert app.process.wait(60) == 0, app.output()
    assert app.output().removeprefix(begun).strip() == ""
