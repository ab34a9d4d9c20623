"""What the server computes before the first page is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.ui.frame import first_page
from evaltools.ui.frame.first_page import compute_first_page
from evaltools.ui.hotspots import agreed
from evaltools.ui.overview import charts, lead
from evaltools.ui.session import ahead, data, library
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.significance import pairs
from tests.pages.conftest import calls_of, wait_for_what_is_computed_ahead
from tests.pages.shown import said

if TYPE_CHECKING:
    from pathlib import Path

Open = Callable[..., AppTest]


@pytest.fixture
def computed(
    monkeypatch: pytest.MonkeyPatch, computing_ahead: None, nothing_cached: None, tiny_run: evaltools.Run
) -> list[str]:
    """Give the names of what is computed of a run, in a list that fills."""
    return calls_of(
        [
            (data, "sum_sentences"),
            (data, "standings_of"),
            (charts.analysis, "leaderboard"),
            (charts.analysis, "figures_by_variant"),
            (pairs, "matrix_rows"),
            (lead, "costliest_rows"),
            (lead, "most_different"),
            (agreed, "part_of"),
        ],
        monkeypatch,
    )


def test_the_page_finds_what_it_shows_and_computes_it_once(
    open_app: Open, computed: list[str], tiny_run: evaltools.Run, monkeypatch: pytest.MonkeyPatch
):
    compute_first_page([str(tiny_run.path)])
    wait_for_what_is_computed_ahead()
    before = list(computed)
    assert {"standings_of", "leaderboard", "figures_by_variant", "costliest_rows", "most_different"} <= set(before)
    assert before.count("leaderboard") == 1
    computed.clear()
    monkeypatch.setattr(ahead._Queue, "add", lambda *_, **__: False)  # nothing of the next clicks
    app = open_app("overview")
    assert not app.exception
    assert said(app, "answer")
    assert [name for name in computed if name != "matrix_rows"] == []  # the picture is drawn anew, of known figures


def test_runs_that_cannot_be_opened_and_long_ones_are_left_to_the_page(
    computed: list[str], tiny_run: evaltools.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tmp_path.joinpath("meta.json").write_text("{", encoding="utf-8")
    compute_first_page([str(tmp_path)])
    wait_for_what_is_computed_ahead()
    library.remember_given.clear()
    monkeypatch.setattr(first_page, "MAX_SENTENCES", 1)
    compute_first_page([str(tiny_run.path)])
    wait_for_what_is_computed_ahead()
    assert computed == []


def test_a_default_that_is_left_out_is_no_other_result(open_app: Open, tiny_run: evaltools.Run):
    calls: list[tuple[str, int]] = []

    @cached_by_run(4)
    def figure(run: evaltools.Run, name: str = "a", *, size: int = 1) -> tuple[str, int]:
        calls.append((name, size))
        return name, size

    assert figure(tiny_run) == figure(tiny_run, "a") == figure(tiny_run, name="a", size=1) == ("a", 1)
    assert figure(tiny_run, size=2) == ("a", 2)
    assert calls == [("a", 1), ("a", 2)]
