"""N-best lists of real parsers: the figures that were measured when they were made."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaltools
from evaltools.analysis.nbest import best_ranks_of, tree_lists


@pytest.fixture
def gum(shared_data: Path) -> Path:
    return shared_data / "data" / "gum"


def test_a_beam_of_dependency_trees(gum: Path):
    lists = {"beam": gum / "nbest" / "spacy-cnn-beam.tsv"}
    (found,) = tree_lists(evaltools.oracle(gum / "gold.conllu", lists, metric="uas"))
    assert (found.lists, found.paired, found.longest) == (198, "id", 10)
    assert round(100 * found.curve["pooled"].iloc[0], 1) == 81.7
    assert round(100 * found.curve["pooled"].iloc[-1], 1) == 84.5


@pytest.mark.slow
def test_the_best_trees_of_a_chart(gum: Path):
    lists = {"pcfg": gum / "nbest" / "pcfg-parent-markov.tsv"}
    run = evaltools.oracle(gum / "gold.ptb", lists)
    (found,) = tree_lists(run)
    assert (found.lists, found.paired, found.longest) == (200, "position", 10)
    assert found.curve["parses"].iloc[[0, 3, 9]].tolist() == [200, 197, 196]
    whole = evaltools.score(gum / "gold.ptb", {"pcfg": gum / "const" / "pcfg-parent-markov.ptb"})
    first = whole.sentences("pcfg").head(200)
    assert run.sentences("pcfg")["f1"].tolist() == pytest.approx(first["f1"].tolist(), nan_ok=True)
    assert found.curve["pooled"].is_monotonic_increasing
    assert int((best_ranks_of(run, "pcfg") == 1).sum()) == found.curve["best"].iloc[0]
