"""Counts as arrays: those of the sentences table, where they count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import evaltools
from evaltools import METRICS, ParameterError
from evaltools.analysis.contributions import label_bits
from evaltools.frameworks.figures import Sentences
from evaltools.runs.sentences import OVER, sentence_counts, with_label
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    return score_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("metric", ["f1", "ted_jaccard", "la_exact", "crossing"])
def test_they_are_those_of_the_table(run: evaltools.Run, metric: str, over: str):
    one = METRICS[metric]
    for parser in run.parsers:
        frame = run.counts(parser)
        found = sentence_counts(run, parser, metric, over)
        every = over == "all"
        mask = Sentences(frame).members(one, every=every)
        assert np.array_equal(found.mask, mask)
        for name, values in Sentences(frame).counts(one, every=every).items():
            assert np.array_equal(found.counts[name], np.where(mask, np.nan_to_num(values), 0))
        assert np.allclose(found.score, Sentences(frame).scores(one, every=every), equal_nan=True)
        assert np.array_equal(found.words, frame["words"])
        assert np.array_equal(found.missing, frame["status"] == "missing")
        assert np.array_equal(found.lost >= 0, frame["status"] == "words_differ")
        assert len(found) == run.n_sentences


def test_words_of_the_gold_tree_that_a_parse_does_not_have(run: evaltools.Run, tmp_path: Path):
    gold = "(S (A a) (B b) (C c))\n(S (A a) (B b))\n"
    (tmp_path / "gold").write_text(gold)
    (tmp_path / "test").write_text("(S (A a) (X xx) (C c))\n(S (A a) (B b))\n")
    other = evaltools.score(tmp_path / "gold", {"p": tmp_path / "test"}, out=tmp_path / "run")
    frame = other.counts("p")
    lost = int(frame["words_scored"].iloc[0] - frame["words_aligned"].iloc[0])
    assert sentence_counts(other, "p", "f1").lost.tolist() == [lost, -1]


def test_a_bit_for_each_label(run: evaltools.Run):
    labels, bits = label_bits(run, ("better", HOSTILE_PARSER))
    assert "NP" in labels
    assert "<script>" in labels
    assert "$x$" not in labels  # of a parser only
    for place, label in enumerate(labels):
        # the better parser's trees are the gold trees
        assert np.array_equal((bits >> place) & 1 == 1, with_label(run, "better", label))


def test_what_is_unknown_is_said(run: evaltools.Run):
    for arguments in (("nobody", "ted"), ("better", "las"), ("better", "ted", "some")):
        with pytest.raises(ParameterError, match="unknown"):
            sentence_counts(run, *arguments)
