"""A new metric is one new file and one entry in the passes of its framework."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.analysis.leaderboard import leaderboard
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.html_report import html_report
from evaltools.outputs.selection import Selection
from evaltools.runs.subset import subset
from evaltools.runs.sums import sum_sentences
from tests.extension.toy_metric import Size
from tests.pages.shown import blocks
from tests.pages.tiny import HOSTILE_PARSER, score_tiny, write_files

Open = Callable[..., AppTest]


@pytest.fixture
def metric(monkeypatch: pytest.MonkeyPatch) -> str:
    """Enter the metric into the table, and give its id."""
    monkeypatch.setitem(PASSES, Size.family.id, Size)
    return "size_dice"


@pytest.fixture
def tiny_run(metric: str, tmp_path: Path) -> evaltools.Run:
    return score_tiny(tmp_path)


def test_it_is_scored_and_stored(tiny_run: evaltools.Run, metric: str):
    rows = tiny_run.sentences(HOSTILE_PARSER)
    assert rows["size_gold"].tolist()[:2] == [9, 11]
    share = 2 * rows["size_common"] / (rows["size_gold"] + rows["size_test"])
    scored = rows[metric].notna()
    assert scored.sum() == 5
    assert np.allclose(rows[metric][scored], share[scored])
    summary = tiny_run.summary().set_index(["parser", "metric"])
    assert summary.loc[("better", metric), "pooled"] == 1
    assert 0 < summary.loc[(HOSTILE_PARSER, metric), "mean"] < 1
    ranked = leaderboard(sum_sentences(tiny_run, [metric]), tiny_run.parsers, [metric])
    assert ranked["pooled"].tolist()[0] == 1
    assert evaltools.verify(tiny_run).equal
    assert subset(tiny_run, [1, 4]).metrics == tiny_run.metrics


def test_one_sentence_has_its_score(metric: str):
    alignment = evaltools.align("(S (NP (N dogs)) (VP (V bark)))", "(S (N dogs) (VP (V bark)))")
    assert alignment.counts["size_gold"] == 7
    assert alignment.scores[metric] == 12 / 13


def test_reports_have_it(tiny_run: evaltools.Run, metric: str):
    assert "Sizes" in REPORTS["text"](tiny_run, Selection())
    figures = json.loads(REPORTS["json"](tiny_run, Selection("all")))["parsers"]["better"]["metrics"]
    assert figures[metric]["pooled"] == 1
    rows = list(csv.DictReader(io.StringIO(REPORTS["csv"](tiny_run, Selection("sentences")))))
    assert float(rows[0][metric]) == 1
    assert "Similarity of sizes" in html_report(tiny_run, worst=1, metric=metric)


def test_commands_know_it(call: Callable[..., str], metric: str, tmp_path: Path):
    files, out = write_files(tmp_path), tmp_path / "run"
    for name in ("size", metric):
        call("score", files["gold"], f"worse={files['worse']}", "--metrics", name, "-o", out, "--force")
        assert evaltools.Run(out).metrics == [metric]
    assert "Sizes" in call("report", out)
    assert metric in json.loads(call("report", out, "--format", "json", "--all"))["parsers"]["worse"]["metrics"]


@pytest.mark.parametrize("page", ["overview", "worst_parses", "sentence", "disagreement"])
def test_pages_show_it(open_app: Open, metric: str, page: str):
    app = open_app(page, metric=metric, metric2=metric, parser=HOSTILE_PARSER, sentence="1", other="better")
    assert not app.exception
    assert not app.error
    if page == "sentence":
        assert "Similarity of sizes" in json.dumps(blocks(app, "formulas"))
    elif page == "overview":
        assert any(item.label.startswith("Similarity of sizes of ") for item in app.expander)
    else:
        assert app.selectbox(key="url_metric").value == metric
    if page == "worst_parses":
        assert app.main.dataframe[-1].value[metric].dropna().is_monotonic_increasing
