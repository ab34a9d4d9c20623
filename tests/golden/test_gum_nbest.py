"""N-best lists of real parsers: the figures that were measured when they were made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import evaltools
from evaltools.analysis.nbest_trees import best_ranks_of, tree_lists

GUM = Path(os.environ.get("EVALTOOLS_SHARED", "")) / "data" / "gum"
pytestmark = pytest.mark.skipif(
    "EVALTOOLS_SHARED" not in os.environ or not GUM.is_dir(), reason="EVALTOOLS_SHARED names no folder with GUM"
)


def test_a_beam_of_dependency_trees():
    lists = {"beam": GUM / "nbest" / "spacy-cnn-beam.tsv"}
    (found,) = tree_lists(evaltools.oracle(GUM / "gold.conllu", lists, metric="uas"))
    assert (found.lists, found.paired, found.most) == (198, "id", 10)
    assert round(100 * found.curve["pooled"].iloc[0], 1) == 81.7
    assert round(100 * found.curve["pooled"].iloc[-1], 1) == 84.5


def test_the_best_trees_of_a_chart():
    lists = {"pcfg": GUM / "nbest" / "pcfg-parent-markov.tsv"}
    run = evaltools.oracle(GUM / "gold.ptb", lists)
    (found,) = tree_lists(run)
    assert (found.lists, found.paired, found.most) == (200, "position", 10)
    assert found.curve["parses"].iloc[[0, 3, 9]].tolist() == [200, 197, 196]
    whole = evaltools.score(GUM / "gold.ptb", {"pcfg": GUM / "const" / "pcfg-parent-markov.ptb"})
    first = whole.sentences("pcfg").head(200)
    assert run.sentences("pcfg")["e_dice_roof"].tolist() == pytest.approx(first["e_dice_roof"].tolist(), nan_ok=True)
    assert found.curve["pooled"].is_monotonic_increasing
    assert int((best_ranks_of(run, "pcfg") == 1).sum()) == found.curve["best"].iloc[0]
