"""What is selected on a page is not carried to another page."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from evaltools.app.session import library, state


class Query(dict[str, str]):
    """The query of the URL; each time it is written is a step of the browser's history."""

    steps = 0

    def to_dict(self) -> dict[str, str]:
        return dict(self)

    def from_dict(self, query: dict[str, str]) -> None:
        self.steps += 1
        self.clear()
        self.update(query)


@pytest.fixture
def query(monkeypatch: pytest.MonkeyPatch) -> Query:
    """Give the query, and an empty session."""
    query = Query(parser="mine", sentence="3", box="0~1~0~1", cell="1~2", group="NP", part="x", lab_gold="(S a)")
    monkeypatch.setattr(st, "query_params", query)
    monkeypatch.setattr(st, "session_state", {})
    return query


def test_a_link_leaves_selections_behind(query: Query):
    assert state.link(sentence=4) == {"parser": "mine", "sentence": "4"}
    assert state.link(group="VP") == {"parser": "mine", "sentence": "3", "group": "VP"}


def test_the_navigation_leaves_selections_behind(query: Query):
    state.carry("disagreement")
    query.clear()
    state.carry("worst_parses")
    assert query == {"parser": "mine", "sentence": "3"}


def test_a_page_that_is_opened_by_a_link_keeps_its_selection(query: Query):
    state.carry("worst_parses")
    query.from_dict({"group": "NP"})
    state.carry("hotspots")
    assert query == {"group": "NP"}


def test_what_is_selected_can_be_removed(query: Query):
    state.put(**state.DESELECTED)
    assert query == {"parser": "mine", "sentence": "3", "lab_gold": "(S a)"}


def test_a_widget_that_also_removes_the_selection_is_one_step_of_the_history(query: Query):
    arguments = state.bind("other", "", "", also={**state.DESELECTED, "sentence": None})
    st.session_state["url_other"] = "theirs"
    arguments["on_change"]()
    assert query == {"parser": "mine", "lab_gold": "(S a)", "other": "theirs"}
    assert query.steps == 1


def test_another_run_takes_away_what_it_does_not_have(query: Query, monkeypatch: pytest.MonkeyPatch):
    framework = SimpleNamespace(questions=lambda: SimpleNamespace(hotspots={"labels": None}))
    monkeypatch.setattr(library, "open_run", lambda _: SimpleNamespace(metrics=["f1"], framework=framework))
    known = library.Known("other", Path("other.run"), "given")
    for view, kept in (("errors", {}), ("labels", {"view": "labels"})):
        query.from_dict({"metric": "f1", "metric2": "edm", "view": view, "group": "NP", "listed": "hotspots~a~1~1~1"})
        library.show(known)
        assert query == {"run": "other", "metric": "f1"} | kept
