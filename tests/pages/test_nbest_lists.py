"""Pages on a run of n-best lists: what the best choice would reach, and where the best analyses stand."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from tests.pages.shown import blocks, panels, said
from tests.pages.tiny import HOSTILE_PARSER
from tests.runs.test_nbest_trees import GOLD, LISTS

Open = Callable[..., AppTest]


def score_lists(folder: Path) -> evaltools.Run:
    (folder / "gold.ptb").write_text(GOLD)
    (folder / "list.tsv").write_text(LISTS)
    return evaltools.oracle(folder / "gold.ptb", {HOSTILE_PARSER: folder / "list.tsv"}, out=folder / "run")


@pytest.fixture
def tiny_run(scored: Callable[..., evaltools.Run], tmp_path: Path) -> evaltools.Run:
    return scored(score_lists)


def test_overview_has_the_figures_and_a_chart(open_app: Open):
    app = open_app("overview", open="lists")
    assert any(text.startswith(f"{HOSTILE_PARSER}: the first analyses reach") for text in said(app, "note"))
    (table,) = [one.value for one in app.main.dataframe if "own_pooled" in one.value.columns]
    assert table["rank"].tolist() == [1, 2, 3]
    assert table["best"].tolist() == [2, 0, 1]
    assert table["pooled"].is_monotonic_increasing
    described = [chart.proto.alt for chart in app.get("arrow_vega_lite_chart") + app.get("vega_lite_chart")]
    assert any("of the analyses of each rank" in text for text in described)


@pytest.mark.parametrize("parser", [HOSTILE_PARSER, f"best of 3: {HOSTILE_PARSER}"])
def test_worst_parses_has_the_rank_of_the_best_analysis(open_app: Open, parser: str):
    app = open_app("worst_parses", parser=parser, order="file")
    table = app.main.dataframe[-1].value
    assert table["best_rank"].tolist() == [1, 1, 3]
    assert table["original"].tolist() == [1, 2, 3]


def test_the_best_analysis_is_compared_and_its_differences_are_told(open_app: Open):
    best = f"best of 3: {HOSTILE_PARSER}"
    app = open_app("sentence", parser=HOSTILE_PARSER, sentence="3", other=best)
    drawn = [panel["svg"] for panel in panels(app) if panel["kind"] == "t"]
    assert any(escape(best, quote=False) in svg for svg in drawn)
    (story,) = blocks(app, "story")
    assert story["rows"]
