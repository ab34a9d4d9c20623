"""Laws of the bracketing scores that need three trees or a count of brackets."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, strategies as st

from evaltools import Tree, align
from tests.slow import mappings
from tests.slow.trees import pairs, perturbed, random_forest, text_of


def cost(gold: Tree, test: Tree, part: str) -> float:
    """Return how many brackets are only in one of the trees."""
    counts = align(gold, test).counts
    return counts[f"e_gold_{part}"] + counts[f"e_test_{part}"] - 2 * counts[f"e_matched_{part}"]


@given(pairs(most_words=7), st.integers(0, 99))
def test_the_cost_of_brackets_is_a_distance(pair: tuple[Tree, Tree], seed: int):
    one, two = pair
    random = Random(seed)
    forest = random_forest(random, list(two.words))
    three = Tree.from_string(text_of(perturbed(random, forest, 2)))
    for part in ("roof", "whole"):
        assert cost(one, one, part) == 0
        assert cost(one, two, part) == cost(two, one, part)
        assert cost(one, three, part) <= cost(one, two, part) + cost(two, three, part)


@given(pairs(most_words=7))
def test_exact_is_to_have_the_same_brackets(pair: tuple[Tree, Tree]):
    golds, tests = (Counter(mappings.brackets(tree, whole=False)) for tree in pair)
    scores = align(*pair).scores
    assert (cost(*pair, "roof") == 0) == (golds == tests) == (scores["exact"] == 1)
    assert ((golds - tests) + (tests - golds)).total() == cost(*pair, "roof")
