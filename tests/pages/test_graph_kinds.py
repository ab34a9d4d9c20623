"""All pages on runs of bilexical graphs and of AMRs, without a browser."""

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
from evaltools.frameworks.semantics import smatch, views
from evaltools.frameworks.semantics.smatch_matching import Matching
from evaltools.outputs.html_report import html_report
from tests.formats.test_sdp import SDP_2015
from tests.pages.shown import said
from tests.runs.semantic_files import data

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_data" / "amr"


def score_bilexical(folder: Path) -> evaltools.Run:
    """Score graphs of the SDP tasks: one parser with a wrong role, lemma and tag, and one that is right."""
    wrong = SDP_2015.replace("ARG2", "ARG3").replace("plays\tplay\tVBZ", "plays\tplays\tNNS")
    files = {"parser": data(wrong), "perfect": data(SDP_2015)}
    return evaltools.score(data(SDP_2015), files, out=folder / "sdp.run")


def score_amrs(folder: Path) -> evaltools.Run:
    """Score the sample's AMRs, and the gold file as those of another parser."""
    files = {"parser": SAMPLE / "parser.amr", "perfect": SAMPLE / "gold.amr"}
    return evaltools.score(SAMPLE / "gold.amr", files, out=folder / "amr.run")


KINDS = {"sdp": score_bilexical, "amr": score_amrs}
QUESTIONS = [(kind, view) for kind in KINDS for view in FRAMEWORKS[kind].questions().hotspots]


@pytest.fixture
def open_graphs(open_on: Any) -> Callable[..., AppTest]:
    return lambda kind, page, **query: open_on(KINDS[kind])(page, **query)


@pytest.mark.parametrize(
    ("kind", "page", "query", "answer"),
    [
        ("sdp", "overview", {}, "100.00 % SDP, F1: perfect has the highest"),
        ("sdp", "semantics", {}, "100.00 % SDP, F1"),
        ("sdp", "sentence", {}, "Sentence 1, parser compared with gold: LF 75.00, UF 100.00, EDM 78.57 (%);"),
        ("amr", "overview", {}, "100.00 % Smatch (F1): perfect is best"),
        ("amr", "sentence", {"sentence": "3"}, "Sentence 3, parser compared with gold: Smatch "),
        ("amr", "sentence", {"sentence": "4"}, "Sentence 4, parser compared with gold: all triples that count are"),
        ("amr", "sentence", {"sentence": "8"}, "Sentence 8, parser compared with gold: there is nothing to compare"),
        ("amr", "sentence", {"sentence": "3", "other": "perfect"}, "Sentence 3, parser compared with perfect: Smatch "),
    ],
)
def test_what_a_page_says_first(open_graphs: Any, kind: str, page: str, query: dict[str, str], answer: str):
    assert said(open_graphs(kind, page, **{"parser": "parser"} | query), "answer")[0].startswith(answer)


@pytest.mark.parametrize(("kind", "view"), QUESTIONS)
@pytest.mark.parametrize("other", ["", "perfect"])
@pytest.mark.slow
def test_every_question_of_hotspots(open_graphs: Any, kind: str, view: str, other: str):
    app = open_graphs(kind, "hotspots", parser="parser", view=view, **({"other": other} if other else {}))
    assert said(app, "answer")[0].startswith("parser ")


def test_the_main_figure_of_bilexical_graphs_is_labeled_f1(scored: Any):
    run = scored(score_bilexical)
    assert run.main_metric == run.metrics[0] == "sdp"
    assert repr(run).splitlines()[1].startswith("parser   SDP, F1 ")
    assert run.headline_metrics[:3] == ["sdp", "sdp_unlabeled", "edm"]
    assert next(iter(run.framework.questions().hotspots)) == "role"
    assert variants_of(FRAMEWORKS["mrs"])[0].title == "SDP, F1, micro"
    assert compared_metrics(run, run.parsers[0])[:3] == ["sdp", "sdp_unlabeled", "edm"]
    assert evaltools.score(data(SDP_2015), {"p": data(SDP_2015)}, metrics=["edm"]).main_metric == "edm"


def test_a_pair_that_is_not_proven_says_so(monkeypatch: pytest.MonkeyPatch, scored: Any, tmp_path: Path):
    graphs = scored(score_amrs).graphs(3, "parser")
    assert "not proven" not in views.graph_summary(graphs, 3, "gold", "parser")
    find = smatch.best_mapping

    def unproven(*sides: Any, **options: Any) -> Matching:
        found = find(*sides, **options)
        return Matching(found.mapping, found.matched, found.bound + 2)

    monkeypatch.setattr(smatch, "best_mapping", unproven)
    summary = views.graph_summary(score_amrs(tmp_path).graphs(3, "parser"), 3, "gold", "parser")
    assert summary.endswith("The mapping is not proven to be the best: another might match up to 2 more triples.")


@pytest.mark.parametrize(
    ("kind", "there", "absent"),
    [
        ("sdp", ["SDP, F1 of every parser, with 95 % intervals", "<h4>Role</h4>"], "<h4>Predicate</h4>"),
        ("amr", ["Smatch", "<h4>Construction</h4>"], "EDM_N"),
    ],
)
@pytest.mark.slow
def test_the_html_report(scored: Any, kind: str, there: list[str], absent: str):
    text = html_report(scored(KINDS[kind]))
    assert all(part in text for part in there)
    assert absent not in text
