"""All pages on a run of AMRs, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.frameworks.semantics.questions import MAPPED_QUESTIONS
from evaltools.outputs.html_report import html_report
from tests.pages.shown import said

Open = Callable[..., AppTest]
ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_data" / "amr"


def score_amrs(folder: Path) -> evaltools.Run:
    """Score the sample's AMRs, and the gold file as those of another parser."""
    files = {"parser": SAMPLE / "parser.amr", "perfect": SAMPLE / "gold.amr"}
    return evaltools.score(SAMPLE / "gold.amr", files, out=folder / "amr.run")


@pytest.fixture
def run(scored: Any, tmp_path: Path) -> evaltools.Run:
    """Give a run of AMRs."""
    made: evaltools.Run = scored(score_amrs)
    return made


@pytest.fixture
def open_amrs(open_app: Open, run: evaltools.Run, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Give a function that opens a page on a run of AMRs."""
    monkeypatch.setattr("sys.argv", ["app.py", str(run.path)])
    return open_app


@pytest.mark.parametrize("page", sorted(path.stem for path in (ROOT / "pages").glob("*.py")))
def test_every_page_opens(open_amrs: Open, page: str):
    app = open_amrs(page)
    assert not app.exception
    assert not app.error


def test_overview_leads_with_smatch(open_amrs: Open):
    app = open_amrs("overview")
    assert said(app, "answer")[0].startswith("100.00 % Smatch (F1): perfect is best")


@pytest.mark.parametrize("sentence", range(1, 9))
def test_every_sentence_is_shown(open_amrs: Open, sentence: int):
    app = open_amrs("sentence", parser="parser", sentence=str(sentence))
    assert not app.exception
    assert not app.error
    (line,) = said(app, "answer")
    expected = {4: "all triples that count are in both graphs", 8: "there is nothing to compare"}
    assert line.startswith(f"Sentence {sentence}, parser compared with gold: {expected.get(sentence, 'Smatch ')}")


def test_two_parsers_are_compared(open_amrs: Open):
    app = open_amrs("sentence", parser="parser", other="perfect", sentence="3")
    assert not app.exception
    assert said(app, "answer")[0].startswith("Sentence 3, parser compared with perfect: Smatch ")


@pytest.mark.parametrize("view", MAPPED_QUESTIONS)
@pytest.mark.parametrize("other", ["", "perfect"])
@pytest.mark.slow
def test_every_question_of_hotspots(open_amrs: Open, view: str, other: str):
    app = open_amrs("hotspots", parser="parser", view=view, **({"other": other} if other else {}))
    assert not app.exception
    assert not app.error
    assert said(app, "answer")[0].startswith("parser ")


def test_a_pair_that_is_not_proven_says_so(monkeypatch: pytest.MonkeyPatch, run: evaltools.Run, tmp_path: Path):
    from evaltools.frameworks.semantics import smatch, views
    from evaltools.frameworks.semantics.smatch_matching import Matching

    graphs = run.graphs(3, "parser")
    assert "not proven" not in views.graph_summary(graphs, 3, "gold", "parser")
    find = smatch.best_mapping

    def unproven(*sides: Any, **options: Any) -> Matching:
        found = find(*sides, **options)
        return Matching(found.mapping, found.matched, found.bound + 2)

    monkeypatch.setattr(smatch, "best_mapping", unproven)
    summary = views.graph_summary(score_amrs(tmp_path).graphs(3, "parser"), 3, "gold", "parser")
    assert summary.endswith("The mapping is not proven to be the best: another might match up to 2 more triples.")


@pytest.mark.slow
def test_the_html_report(run: evaltools.Run):
    text = html_report(run)
    assert "Smatch" in text
    assert "<h4>Construction</h4>" in text
    assert "EDM_N" not in text
