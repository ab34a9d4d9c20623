"""The pairs that the metric lab begins with."""

from __future__ import annotations

import re

import pytest

from evaltools import Tree, align
from evaltools.classroom.examples import ERRORS, PAPERS, lab_pairs
from evaltools.frameworks.constituency.aligned_trees import Alignment


def aligned(name: str) -> Alignment:
    pair = lab_pairs()[name]
    return align(*(Tree.from_string(text, "sampson" if text[0] == "[" else "ptb") for text in (pair.gold, pair.test)))


@pytest.mark.parametrize("name", lab_pairs())
def test_every_pair_is_two_different_trees_over_the_same_words(name: str):
    pair, a = lab_pairs()[name], aligned(name)
    assert re.fullmatch("[a-z0-9-]+", name)
    assert pair.group in (ERRORS, PAPERS)
    assert pair.note.endswith(".")
    assert a.gold != a.test
    assert len(a.gold.roots) == len(a.test.roots) == 1
    assert (a.status == "ok") == (name != "one-word-or-two")


def test_the_examples_of_the_papers_are_there():
    assert sum(name.startswith("sampson-") for name in lab_pairs()) == 11
    assert aligned("sampson-2").scores["la"] == pytest.approx(0.952, abs=5e-4)
    assert aligned("emms-attachment").scores["ted"] == pytest.approx(0.75)


def test_the_errors_are_what_they_say():
    assert aligned("pp-low").scores["recall"] == 1
    assert aligned("pp-high").scores["precision"] == 1
    far = aligned("pp-far")
    assert far.counts["e_crossing_brackets"] == 3
    assert far.scores["la"] > 0.9 > far.scores["ted"] > far.scores["f1"]
    assert aligned("coordination-scope").scores["crossing"] == 1
    assert aligned("coordination-verbs").scores["crossing"] == 1
    assert aligned("missing-unary").scores["crossing"] == 0
    root, leaf = aligned("label-root"), aligned("label-leaf")
    for metric in ("f1", "ted"):
        assert root.scores[metric] == leaf.scores[metric]
    assert sum(word.scores["la"] < 1 for word in root.words) == 7
    assert sum(word.scores["la"] < 1 for word in leaf.words) == 1
    ancestry = aligned("ancestry")
    assert ancestry.scores["f1"] == 1 > ancestry.scores["ted"]
    assert aligned("flat").scores["precision"] == 1
    assert aligned("chunky").scores["recall"] == 1
    assert aligned("functions").scores["f1"] < 1
