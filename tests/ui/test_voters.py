"""Devices that vote: one random name each, which says nothing of anybody."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from evaltools.ui import components
from evaltools.ui.components import voters
from evaltools.ui.lessons.class_panel import ballot_link, base_address

NAME = "0123456789abcdef" * 2


class Browser:
    """Stands for the browser's side: the cookies it has sent, and what the component is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cookies: dict[str, str]) -> None:
        self.session: dict[str, Any] = {}
        self.mounted: list[dict[str, Any]] = []
        monkeypatch.setattr(voters.st, "session_state", self.session)
        monkeypatch.setattr(voters.st, "context", SimpleNamespace(cookies=cookies))
        monkeypatch.setattr(components, "_registered", lambda _: self.mount)

    def mount(self, **arguments: Any) -> None:
        self.mounted.append(arguments)

    def tell(self, known: object) -> None:
        """Have the component say which name the browser keeps."""
        self.session[self.mounted[-1]["key"]] = {"known": known}
        self.mounted[-1]["on_known_change"]()


def test_a_browser_is_known_by_its_cookie(monkeypatch: pytest.MonkeyPatch):
    assert voters.device.__doc__
    browser = Browser(monkeypatch, {voters.COOKIE: NAME})
    assert voters.device() == voters.device() == NAME
    assert browser.mounted[0]["data"]["value"] == NAME


@pytest.mark.parametrize("sent", ["", "x", NAME.upper(), NAME + "0", f"{NAME}\n", "<script>"])
def test_other_cookies_are_no_names(monkeypatch: pytest.MonkeyPatch, sent: str):
    browser = Browser(monkeypatch, {voters.COOKIE: sent})
    name = voters.device()
    assert re.fullmatch("[0-9a-f]{32}", name)
    assert name != sent
    assert voters.device() == name
    assert browser.mounted[-1]["data"] == {"name": voters.COOKIE, "value": name, "seconds": 2_592_000}


def test_the_page_that_came_first_names_the_device(monkeypatch: pytest.MonkeyPatch):
    browser = Browser(monkeypatch, {})
    mine = voters.device()
    for nonsense in (None, 3, "x", ["a"]):
        browser.tell(nonsense)
        assert voters.device() == mine
    browser.tell(NAME)
    assert voters.device() == NAME


def test_two_browsers_have_two_names(monkeypatch: pytest.MonkeyPatch):
    names = set()
    for _ in range(2):
        Browser(monkeypatch, {})
        names.add(voters.device())
    assert len(names) == 2


def test_what_is_written_down_does_not_tell_the_cookie():
    written = {voters.voter(NAME, lesson) for lesson in ("vote", "attachment")}
    assert len(written) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", one) and one not in NAME for one in written)


@pytest.mark.parametrize(
    ("url", "listens", "told", "base"),
    [
        ("http://localhost:8501", "127.0.0.1", "localhost", None),
        ("http://127.0.0.1:8501", "::1", "localhost", None),
        (None, "localhost", "localhost", None),
        ("http://localhost:8501", "0.0.0.0", "192.168.1.5", "http://192.168.1.5:8501"),
        ("http://localhost:8501", "192.168.1.7", "localhost", "http://192.168.1.7:8501"),
        ("http://127.0.0.1:8501", "0.0.0.0", "fd00::2", "http://[fd00::2]:8501"),
        ("http://0.0.0.0:8501", "0.0.0.0", "192.168.1.5", "http://192.168.1.5:8501"),
        ("http://192.168.1.5:9000/lessons", "0.0.0.0", "localhost", "http://192.168.1.5:9000"),
        ("https://class.example/parsing/", "127.0.0.1", "localhost", "https://class.example/parsing"),
    ],
)
def test_phones_get_an_address_that_they_reach(
    monkeypatch: pytest.MonkeyPatch, url: str | None, listens: str, told: str, base: str | None
):
    options = {"server.address": listens, "browser.serverAddress": told, "server.port": 8501, "server.baseUrlPath": ""}
    monkeypatch.setattr(st, "get_option", options.__getitem__)
    monkeypatch.setattr(st, "context", SimpleNamespace(url=url))
    assert base_address() == base


def test_an_unknown_address_in_the_network_is_found_or_none_is_told(monkeypatch: pytest.MonkeyPatch):
    options = {"server.address": "0.0.0.0", "browser.serverAddress": "", "server.port": 80, "server.baseUrlPath": "/a/"}
    monkeypatch.setattr(st, "get_option", options.__getitem__)
    monkeypatch.setattr(st, "context", SimpleNamespace(url=None))
    monkeypatch.setattr("evaltools.ui.lessons.class_panel.lan_address", lambda: "10.0.0.9")
    assert base_address() == "http://10.0.0.9:80/a"
    monkeypatch.setattr("evaltools.ui.lessons.class_panel.lan_address", lambda: None)
    assert base_address() is None


def test_the_link_names_the_lesson():
    assert ballot_link("http://a", "own-0123456789ab") == "http://a/lessons?ballot=own-0123456789ab"
