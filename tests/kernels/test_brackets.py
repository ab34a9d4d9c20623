"""The bracket matching kernel against multisets and double loops."""

from __future__ import annotations

import pytest
from hypothesis import given

from evaltools import Tree, align
from tests.slow import mappings
from tests.slow.trees import pairs

ANY = {"bare": True, "empties": True, "forest": True, "most_words": 7, "labels": ("A", "B", "BB")}


@given(pairs(**ANY))
def test_counts_are_those_of_multisets(pair: tuple[Tree, Tree]):
    gold, test = pair
    a = align(gold, test)
    for part, whole in (("roof", False), ("whole", True)):
        golds, tests = (mappings.brackets(tree, whole=whole) for tree in pair)
        assert a.counts[f"e_gold_{part}"] == golds.total()
        assert a.counts[f"e_test_{part}"] == tests.total()
        assert a.counts[f"e_matched_{part}"] == (golds & tests).total()
        golds, tests = (mappings.brackets(tree, whole=whole, labeled=False) for tree in pair)
        assert a.counts[f"e_matched_{part}_unlabeled"] == (golds & tests).total()


@given(pairs(**ANY))
def test_crossing_brackets(pair: tuple[Tree, Tree]):
    assert align(*pair).counts["e_crossing_brackets"] == mappings.crossing(*pair)


@given(pairs(**ANY))
def test_exact_match_and_tags(pair: tuple[Tree, Tree]):
    gold, test = pair
    counts = align(gold, test).counts
    roofs = [mappings.brackets(tree, whole=False) for tree in pair]
    assert counts["e_exact_match"] == (roofs[0] == roofs[1])
    tags = [(gold.tag(w), test.tag(w)) for w in range(len(gold.words))]
    assert counts["e_tags"] == sum(one is not None for one, _ in tags)
    assert counts["e_tags_correct"] == sum(one is not None and one == other for one, other in tags)


@given(pairs(**ANY))
def test_the_e_mapping(pair: tuple[Tree, Tree]):
    gold, test = pair
    a = align(gold, test)
    assert len({i for i, _ in a.e.pairs}) == len({j for _, j in a.e.pairs}) == len(a.e.pairs)
    for i, j in a.e.pairs:
        assert gold.labels[i] == test.labels[j]
        assert gold.span(i) == test.span(j)
        assert (gold.kinds[i] == 2) == (test.kinds[j] == 2)
    brackets = [(i, j) for i, j in a.e.pairs if gold.kinds[i] != 2]
    assert len(brackets) == a.counts["e_matched_whole"]
    assert len(a.e.pairs) - len(brackets) == len(gold.words)


@given(pairs(**ANY))
def test_the_e_mapping_of_the_whole_tree_holds_that_of_the_roof(pair: tuple[Tree, Tree]):
    """A phrase goes to a phrase as long as there is one, so that one picture shows both counts."""
    gold, test = pair
    a = align(gold, test)
    roof = [(i, j) for i, j in a.e.pairs if gold.kinds[i] == test.kinds[j] == 0]
    assert len(roof) == a.counts["e_matched_roof"]


def test_a_phrase_is_not_matched_with_a_tag_where_there_is_a_phrase():
    a = align("(S (NP (NP dog)))", "(S (X (NP (NP dog))))")
    kinds = [(a.gold.kinds[i], a.test.kinds[j]) for i, j in a.e.pairs]
    assert kinds.count((0, 0)) == a.counts["e_matched_roof"] == 2
    assert kinds.count((1, 1)) == 1


@pytest.mark.parametrize("preset", ["standard", "collins", "new", "none"])
@pytest.mark.parametrize("tree", ["(S (A a) (E))", "(S (E) (A a) (B (E) (E)))", "(S (B (E) (E)) (B (E)) (A a) (N b))"])
def test_a_tree_against_itself_is_right_also_where_a_phrase_has_no_word(tree: str, preset: str):
    counts = align(tree, tree, preset).counts
    assert counts["e_gold_roof"] == counts["e_matched_roof"] == counts["e_test_roof"] > 0
    assert (counts["e_exact_match"], counts["e_crossing_brackets"]) == (1, 0)


@pytest.mark.parametrize(("gold", "matched"), [("(S (E) (A a))", 1), ("(S (A a) (E))", 2), ("(S (A a) (F))", 1)])
def test_brackets_without_words_match_at_one_place_with_one_label(gold: str, matched: int):
    assert align(gold, "(S (A a) (E))", "none").counts["e_matched_roof"] == matched
