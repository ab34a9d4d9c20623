"""The guard of the app's server: which hosts it answers in a network, behind TLS and over IPv6."""

from __future__ import annotations

import socket
from typing import Any

import pytest
import streamlit as st

from evaltools import guard
from evaltools.app.guard import guarded, own_names, security_headers
from evaltools.guard import Guard
from evaltools.hosts import ALLOWED_HOSTS, Host, parse_host
from tests.coroutines import complete


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"ALLOWALL")]})
    await send({"type": "http.response.body", "body": b"a page"})


def status(
    host: str, local: str, *, scheme: str = "http", origin: str | None = None, allowed: tuple[Host, ...] = ()
) -> int:
    """Return the status of a request that has reached port 8501 of a local address."""
    headers = [(b"host", host.encode())] + ([] if origin is None else [(b"origin", origin.encode())])
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "scheme": scheme,
        "server": (local, 8501),
        "headers": headers,
    }
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    complete(Guard(_answer, own_names, security_headers, allowed)(scope, receive, send))
    assert [value for name, value in sent[0]["headers"] if name == b"x-frame-options"] == [b"DENY"]
    return int(sent[0]["status"])


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a function that sets the address the server was started on."""

    def set_address(address: str | None) -> None:
        options = {"server.address": address, "browser.serverAddress": "localhost"}
        monkeypatch.setattr(st, "get_option", lambda name: options[name])

    return set_address


@pytest.mark.parametrize("local", ["192.168.1.5", "fd00::2", "::ffff:192.168.1.5", "fe80::1%eth0"])
def test_the_address_that_was_reached_is_answered_and_no_other(local: str, listening: Any):
    listening("0.0.0.0")
    plain = local.removeprefix("::ffff:").partition("%")[0]
    shown = f"[{plain}]" if ":" in plain else plain
    assert status(f"{shown}:8501", local) == 200
    assert status(f"{shown}:8501", local, origin=f"http://{shown}:8501") == 200
    assert status("192.168.1.6:8501", local) == 403
    assert status("[fd00::3]:8501", local) == 403
    assert status(f"{shown}:8501", local, origin="http://192.168.1.6:8501") == 403


def test_the_host_name_counts_only_where_the_app_is_open_to_the_network(
    listening: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(socket, "gethostname", lambda: "Lectern.uni.example")
    for address, expected in (("127.0.0.1", 403), ("::1", 403), ("0.0.0.0", 200), ("192.168.1.5", 200), (None, 200)):
        listening(address)
        for host in ("lectern:8501", "lectern.local:8501", "LECTERN.uni.example.:8501"):
            assert status(host, "192.168.1.5") == expected, (address, host)
        assert status("uni.example:8501", "192.168.1.5") == 403


def test_a_host_without_a_port_is_the_port_of_the_scheme(listening: Any):
    listening("127.0.0.1")
    assert status("localhost", "127.0.0.1") == 403
    allowed = (Host("class.example", 443),)
    assert status("class.example", "127.0.0.1", scheme="https", allowed=allowed) == 200
    assert status("class.example", "127.0.0.1", scheme="http", allowed=allowed) == 403


@pytest.mark.parametrize("text", ["", ".", "a b", "a/b", "a@b", "a:b", "a:0", "a:65536", "[::1", "[a]", "::1", "a,b"])
def test_malformed_hosts_are_none(text: str):
    assert parse_host(text) is None


def test_a_malformed_setting_ends_the_server_with_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(ALLOWED_HOSTS, "class.example, https://x")
    with pytest.raises(SystemExit, match="' https://x' is not a host; expected a name"):
        guarded()


def test_the_policy_names_the_websocket_of_the_host_and_the_scripts_of_the_page():
    policy = dict(security_headers("class.example"))["Content-Security-Policy"]
    assert "connect-src 'self' ws://class.example wss://class.example;" in policy
    assert "'sha256-" in policy, "Streamlit's own page holds a script"


def test_the_first_refusal_is_one_line_in_the_terminal(listening: Any, capsys: pytest.CaptureFixture[str]):
    listening("127.0.0.1")
    guard._print_refusal.cache_clear()
    assert status("localhost:8501", "127.0.0.1") == 200
    assert capsys.readouterr().err == ""
    assert [status("parsing.example.edu", "127.0.0.1") for _ in range(3)] == [403] * 3
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert "--allow-host" in line
    assert "proxy_set_header Host $http_host;" in line
    assert "parsing.example.edu" not in line  # it comes from anyone
