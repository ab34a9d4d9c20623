"""The leaf-ancestor kernel against the definition of lineages and plain edit distance."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from evaltools import CostTable, Tree, align, lineage
from tests.slow import lineages
from tests.slow.trees import pairs

ANY = {"bare": True, "empties": True, "forest": True, "most_words": 7, "labels": ("A", "AB", "B", "BA", "[")}
TABLE = CostTable({("A", "B"): 0.75, ("AB", "A"): 1.5, ("B", "["): 0.1})


@given(pairs(**ANY), st.booleans())
def test_similarities(pair: tuple[Tree, Tree], preterminals: bool):
    gold, test = pair
    a = align(gold, test, la_preterminals=preterminals, la_table=TABLE)
    sums = dict.fromkeys(("la_exact", "la", "la_costs"), 0.0)
    schemes = {"la_exact": lineages.strict, "la": lineages.partial, "la_costs": TABLE.cost}
    for word in a.words:
        one, other = (lineages.lineage(tree, word.position, preterminals=preterminals) for tree in pair)
        assert word.gold == tuple(symbol for _, symbol in one)
        assert word.test == tuple(symbol for _, symbol in other)
        for scheme, costs in schemes.items():
            expected = lineages.similarity(one, other, costs)
            assert word.scores[scheme] == pytest.approx(expected, abs=1e-12)
            assert 0 <= expected <= 1
            sums[scheme] += expected
    for scheme, total in sums.items():
        assert a.scores[scheme] == pytest.approx(total / len(gold.words), abs=1e-12)


def test_a_label_spelled_like_a_marker_is_no_marker():
    a = align("(X ([ (A a) (A b)) (A c))", "(X (B (A a) (A b)) (A c))", la_table=TABLE)
    assert a.words[1].gold == ("[", "]", "X")
    assert a.words[1].scores["la_costs"] == pytest.approx(1 - 0.1 / 6)


def test_two_words_without_ancestors_are_alike():
    a = align("(NN dog)", "(NN dog)")
    assert a.words[0].gold == a.words[0].test == ()
    assert a.scores["la_exact"] == a.scores["la"] == 1.0


def test_the_tag_is_in_the_lineage_on_request():
    tree = Tree.from_string("(S (NP (DT the) (NN dog)) (VP (V barks)))")
    assert lineage(tree, 1) == ("NP", "]", "S")
    assert lineage(tree, 1, preterminals=True) == ("[", "NN", "NP", "]", "S")
    assert lineage(tree, 0, preterminals=True) == ("DT", "]", "NP", "[", "S")
    assert lineage(tree, 2) == ("[", "VP", "S", "]")
