"""All pages on a run of bilexical graphs, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.analysis.disagreement import compared_metrics
from evaltools.analysis.rankings import variants_of
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.semantics.questions import QUESTIONS
from evaltools.outputs.html_report import html_report
from tests.formats.test_sdp import SDP_2015
from tests.pages.shown import said
from tests.runs.semantic_files import data

Open = Callable[..., AppTest]
ROOT = Path(__file__).resolve().parents[2]


def score_graphs(folder: Path) -> evaltools.Run:
    """Score graphs of the SDP tasks: one parser with a wrong role, lemma and tag, and one that is right."""
    wrong = SDP_2015.replace("ARG2", "ARG3").replace("plays\tplay\tVBZ", "plays\tplays\tNNS")
    files = {"parser": data(wrong), "perfect": data(SDP_2015)}
    return evaltools.score(data(SDP_2015), files, out=folder / "sdp.run")


@pytest.fixture
def run(scored: Any, tmp_path: Path) -> evaltools.Run:
    """Give a run of bilexical graphs."""
    made: evaltools.Run = scored(score_graphs)
    return made


@pytest.fixture
def open_graphs(open_app: Open, run: evaltools.Run, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Give a function that opens a page on a run of bilexical graphs."""
    monkeypatch.setattr("sys.argv", ["app.py", str(run.path)])
    return open_app


@pytest.mark.parametrize("page", sorted(path.stem for path in (ROOT / "pages").glob("*.py")))
def test_every_page_opens(open_graphs: Open, page: str):
    app = open_graphs(page)
    assert not app.exception
    assert not app.error


def test_the_main_figure_is_labeled_f1(open_graphs: Open, run: evaltools.Run):
    assert run.main_metric == "sdp"
    assert run.metrics[0] == "sdp"
    assert repr(run).splitlines()[1].startswith("parser   SDP, F1 ")
    assert run.headline_metrics[:3] == ["sdp", "sdp_unlabeled", "edm"]
    assert said(open_graphs("overview"), "answer")[0].startswith("100.00 % SDP, F1: perfect has the highest")
    assert said(open_graphs("semantics"), "answer")[0].startswith("100.00 % SDP, F1")
    assert next(iter(run.framework.questions().hotspots)) == "role"
    assert variants_of(FRAMEWORKS["mrs"])[0].title == "SDP, F1, micro"
    assert compared_metrics(run, run.parsers[0])[:3] == ["sdp", "sdp_unlabeled", "edm"]


def test_a_sentence_leads_with_its_labeled_f1(open_graphs: Open):
    app = open_graphs("sentence", parser="parser", sentence="1")
    assert said(app, "answer")[0].startswith(
        "Sentence 1, parser compared with gold: LF 75.00, UF 100.00, EDM 78.57 (%);"
    )


def test_edm_is_the_main_figure_where_only_that_is_computed(tmp_path: Path):
    run = evaltools.score(data(SDP_2015), {"p": data(SDP_2015)}, metrics=["edm"])
    assert run.main_metric == "edm"


@pytest.mark.parametrize("view", QUESTIONS)
def test_every_question_of_hotspots(open_graphs: Open, view: str):
    app = open_graphs("hotspots", parser="parser", view=view)
    assert not app.exception
    assert not app.error


@pytest.mark.slow
def test_the_html_report(run: evaltools.Run):
    text = html_report(run)
    assert "SDP, F1 of every parser, with 95 % intervals" in text
    assert "<h4>Role</h4>" in text
    assert "<h4>Predicate</h4>" not in text
