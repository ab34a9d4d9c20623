"""What the app computes of the other pages while one is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from evaltools.drawing.blocks import Drawing
from evaltools.ui.frame import navigation, next_pages
from evaltools.ui.session import ahead
from tests.pages.conftest import calls_of, wait_for_what_is_computed_ahead
from tests.pages.shown import said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

    import evaltools

Open = Callable[..., "AppTest"]

#: What each page shows first that takes longest: the picture of a sentence, or the rows of a table.
FIRST = {"worst_parses": "draw", "disagreement": "draw", "hotspots": "rows"}


@pytest.fixture
def computed(
    monkeypatch: pytest.MonkeyPatch, computing_ahead: None, nothing_cached: None, tiny_run: evaltools.Run
) -> list[str]:
    """Give the names of what is drawn and searched, in a list that fills."""
    view = type(next(iter(tiny_run.framework.groups.values())))
    return calls_of([(Drawing, "draw"), (view, "rows")], monkeypatch)


def opened_after_overview(open_app: Open, page: str, computed: list[str], monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Open *Overview*, wait for what it computes ahead, and go to a page, which computes nothing ahead."""
    app = open_app("overview")
    wait_for_what_is_computed_ahead()
    computed.clear()
    monkeypatch.setattr(ahead._Queue, "add", lambda *_, **__: False)
    app = app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert said(app, "answer")
    return app


@pytest.mark.parametrize(("page", "first"), FIRST.items())
@pytest.mark.slow
def test_a_page_finds_what_it_shows_first(
    page: str, first: str, open_app: Open, computed: list[str], monkeypatch: pytest.MonkeyPatch
):
    opened_after_overview(open_app, page, computed, monkeypatch)
    assert first not in computed


@pytest.mark.slow
def test_else_it_computes_that(open_app: Open, computed: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(navigation, "compute_pages", lambda *_: None)
    opened_after_overview(open_app, "worst_parses", computed, monkeypatch)
    assert FIRST["worst_parses"] in computed


@pytest.mark.slow
def test_of_a_long_run_only_the_modules_are_loaded(
    open_app: Open, computed: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(next_pages, "MAX_SENTENCES", 1)
    opened_after_overview(open_app, "hotspots", computed, monkeypatch)
    assert "rows" in computed
