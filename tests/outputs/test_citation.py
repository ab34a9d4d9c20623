"""What a paper should say: the methods of a run, and BibTeX of all that they cite."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evaltools
from evaltools.app.about_chapters import text
from evaltools.frameworks.presets.preset import PRESETS
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.citation import bibtex, methods_sentence, papers

GOLD = ["(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V sleep)))", "(S (NP (N we)) (VP (V eat)))"]
PARSES = {
    "first": GOLD,
    "second": ["(())", *GOLD[1:]],
    "third": [GOLD[0], "(S (N cats) (VP (V sleep)))", "(())"],
}
CITATION = Path(__file__).parents[2] / "CITATION.cff"


@pytest.fixture(scope="module")
def run() -> evaltools.Run:
    return evaltools.score(GOLD, PARSES, metrics=["f1", "ted"])


def test_the_methods_name_metric_base_preset_test_and_version(run: evaltools.Run):
    program = f"computed by evaltools {evaltools.__version__} (The evaltools authors)"
    sentence = methods_sentence(run)
    assert sentence.startswith(
        f"We report bracketing F1 (Black et al., 1991), micro-averaged over all 3 sentences, {program}. "
        f"Settings: preset standard ({PRESETS['standard']}). In a sentence without a parse nothing is matched. "
        "Other figures: tree-edit similarity (Dice) (Emms, 2008). "
    )
    assert "10,000 shuffles (Noreen, 1989) after Holm’s correction over 3 pairs (Holm, 1979)" in sentence


def test_one_parser_has_no_test_and_evalb_is_cited_for_its_rules():
    run = evaltools.score(GOLD, {"first": GOLD}, metrics="f1", preset="collins")
    sentence = methods_sentence(run)
    assert "micro-averaged over the parsed sentences of 3" in sentence
    assert (
        "preset collins (exactly the rules of COLLINS.prm, as evalb applies them) (Sekine and Collins, 1997)"
        in sentence
    )
    assert "permutation" not in sentence
    assert "noreen" not in bibtex(run)


def test_bibtex_has_what_the_latex_cites_and_nothing_else(run: evaltools.Run):
    latex = methods_sentence(run, latex=True)
    cited = {key for keys in re.findall(r"\\cite\{(.*?)\}", latex) for key in keys.split(",")}
    assert cited == {"black-1991", "efron-1979", "emms-2008", "evaltools", "holm-1979", "noreen-1989"}
    assert set(re.findall(r"^@\w+\{(.*),$", bibtex(run), re.MULTILINE)) == cited
    assert r"(95 \%)" in latex
    assert "$<$" in latex


@pytest.mark.parametrize("family", sorted({metric.family.id for metric in METRICS.values()}))
def test_every_family_of_metrics_names_its_papers(family: str):
    keys = {key for metric in METRICS.values() if metric.family.id == family for key in metric.family.papers}
    assert keys
    assert keys <= set(papers())


def test_the_papers_are_those_of_the_reading_list_and_of_the_citation_file():
    known = {str(paper["title"]) for paper in papers().values()}
    listed = text("references").lower()
    assert all(title.lower() in listed for title in known - {"evaltools"})
    assert set(re.findall(r'^    title: "(.*)"$', CITATION.read_text("utf-8"), re.MULTILINE)) <= known
