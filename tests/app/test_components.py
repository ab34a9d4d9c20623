"""The one class of all browser components: what it registers, what it sends, and whom it tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from evaltools import Tree
from evaltools.app import components
from evaltools.app.components import Component
from evaltools.drawing import draw

NAMES = ("alignment_viewer", "blocks", "keyboard")


@pytest.fixture(autouse=True)
def nothing_registered() -> Iterator[None]:
    components._registered.cache_clear()
    yield
    components._registered.cache_clear()


class Browser:
    """Stands for the browser: what was registered and mounted, and the values of each component by its key."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.registered: dict[str, dict[str, str]] = {}
        self.mounted: list[dict[str, Any]] = []
        self.session: dict[str, dict[str, Any]] = {}
        monkeypatch.setattr(components.st.components.v2, "component", self.register)
        monkeypatch.setattr(components.st, "session_state", self.session)

    def register(self, name: str, **files: str) -> Callable[..., Any]:
        assert name not in self.registered, "registered twice"
        self.registered[name] = files
        return self.mount

    def mount(self, **arguments: Any) -> str:
        self.mounted.append(arguments)
        return "result"


@pytest.mark.parametrize("name", NAMES)
def test_script_and_style_of_the_folder_are_registered_once(monkeypatch: pytest.MonkeyPatch, name: str):
    browser = Browser(monkeypatch)
    for key in ("one", "two"):
        assert Component(name).mount({"figure": 3}, key=key, listeners={}) == "result"
    (files,) = browser.registered.values()
    assert list(browser.registered) == [f"evaltools_{name}"]
    assert "export default" in files["js"]
    assert files["css"]
    assert [mounted["key"] for mounted in browser.mounted] == ["one", "two"]
    assert browser.mounted[0]["data"] == {"figure": 3}


def test_the_style_of_drawings_is_sent_once(monkeypatch: pytest.MonkeyPatch):
    browser = Browser(monkeypatch)
    drawn, other = draw(Tree.from_string("(S (N dogs))"), theme="auto"), "<svg><style>.a &gt; .b{}</style><g/></svg>"
    data = {"pictures": {1: [(300, drawn), (400, drawn)]}, "legend": [other], "text": "<style> is a tag", "n": 3}
    Component("blocks").mount(data, key="one", listeners={})
    (sent,) = (mounted["data"] for mounted in browser.mounted)
    bare = re.sub("<style>.*</style>", "", drawn, flags=re.DOTALL)
    assert "<style" in drawn
    assert sent["pictures"] == {1: [[300, bare], [400, bare]]}
    assert sent["legend"] == ["<svg><g/></svg>"]
    assert (sent["text"], sent["n"]) == ("<style> is a tag", 3)
    assert sent["styles"].endswith("\n.a > .b{}")
    assert sent["styles"].count(".evaltools.auto .paper{") == 1


@pytest.mark.parametrize("name", ["alignment_viewer", "blocks", "marked_sentence"])
def test_components_with_drawings_use_their_style(monkeypatch: pytest.MonkeyPatch, name: str):
    browser = Browser(monkeypatch)
    Component(name).mount({}, key="one", listeners={})
    Component("tree_editor", "classroom/web/editor").mount({}, key="one", listeners={})
    for files in browser.registered.values():
        assert "styleDrawings(component);" in files["js"]


def test_files_that_others_use_as_well_come_from_their_package(monkeypatch: pytest.MonkeyPatch):
    browser = Browser(monkeypatch)
    assert Component("tree_editor", "classroom/web/editor").mount({}, key="one", listeners={}) == "result"
    files = browser.registered["evaltools_tree_editor"]
    assert "class Editor" in files["js"]
    assert "function adopt(" in files["js"]
    assert ".editor" in files["css"]


def test_who_waits_for_a_value_is_told_what_the_browser_sent(monkeypatch: pytest.MonkeyPatch):
    browser, told = Browser(monkeypatch), []
    Component("blocks").mount({}, key="k", listeners={"step": told.append, "word": None}, height="content")
    mounted = browser.mounted[0]
    assert mounted.keys() == {"key", "data", "height", "on_step_change", "on_word_change"}
    browser.session["k"] = {"step": 4, "word": 5}
    mounted["on_step_change"]()
    mounted["on_word_change"]()
    browser.session["k"] = {}
    mounted["on_step_change"]()
    assert told == [4, None]


def test_a_message_that_comes_when_another_page_is_open_tells_nobody(monkeypatch: pytest.MonkeyPatch):
    browser, told = Browser(monkeypatch), []
    Component("blocks").mount({}, key="k", listeners={"step": told.append})
    browser.mounted[0]["on_step_change"]()
    assert told == []
