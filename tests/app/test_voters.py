"""Devices that vote: one random name each, which says nothing of anybody."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from evaltools.app import components
from evaltools.app.components import voters
from evaltools.classroom.server import voter_of

NAME = "0123456789abcdef" * 2


class Browser:
    """Stands for the browser's side: the cookies it has sent, and what the component is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cookies: dict[str, str]) -> None:
        self.session: dict[str, Any] = {}
        self.mounted: list[dict[str, Any]] = []
        monkeypatch.setattr(voters.st, "session_state", self.session)
        monkeypatch.setattr(voters.st, "context", SimpleNamespace(cookies=cookies))
        monkeypatch.setattr(components, "_registered", lambda *_: self.mount)

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
    written = {voter_of(NAME, lesson) for lesson in ("vote", "attachment")}
    assert len(written) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", one) and one not in NAME for one in written)
