"""The laws of subsumption, unification and generalization."""

from __future__ import annotations

import pytest
from hypothesis import given

from evaltools import (
    MultiFunctionTree,
    ParameterError,
    UnificationError,
    generalize,
    multi_function_tree,
    sorted_function_tree,
    subsumes,
    tl_unify,
    unify,
)
from evaltools.corpus.function_trees import character_tree, crossing
from tests.slow import functions
from tests.slow.functions import function_sets

Trees = list[MultiFunctionTree]


@given(function_sets(3))
def test_generalization_is_what_its_definition_says(trees: Trees):
    gen = generalize(*trees)
    assert gen == functions.common(trees)
    assert all(subsumes(gen, tree) for tree in trees)


@given(function_sets(3, laminar=True))
def test_unification_is_the_dual_of_generalization(trees: Trees):
    one, two, third = trees
    if next(crossing(one, two), None):
        with pytest.raises(UnificationError):
            unify(one, two)
        return
    union = unify(one, two)
    assert union == unify(two, one)
    assert unify(one, one) == one
    assert subsumes(one, union)
    assert subsumes(two, union)
    if subsumes(one, third) and subsumes(two, third):
        assert subsumes(union, third)
    assert generalize(one, union) == one  # absorption, both ways
    assert unify(one, generalize(one, two)) == one


@given(function_sets(2, laminar=True))
def test_unification_fails_exactly_on_crossing(trees: Trees):
    one, two = trees
    cross = any(a & b and a - b and b - a for a in one.labels for b in two.labels)
    if cross:
        with pytest.raises(UnificationError) as error:
            unify(one, two)
        a, b = error.value.crossing
        assert a & b
        assert a - b
        assert b - a
        assert "cross" in str(error.value)
    else:
        assert unify(one, two).is_tree


@given(function_sets(3))
def test_subsumption_is_an_order(trees: Trees):
    one, two, three = trees
    assert subsumes(one, one)
    if subsumes(one, two) and subsumes(two, one):
        assert one == two
    if subsumes(one, two) and subsumes(two, three):
        assert subsumes(one, three)


@given(function_sets(2))
def test_tl_unification_keeps_the_nodes_of_the_first(trees: Trees):
    structure, labels = trees
    made = tl_unify(structure, labels)
    assert made.yields == structure.yields
    for words in made.labels:
        assert made.labels[words] == structure.labels[words] | labels.labels.get(words, frozenset())
    assert tl_unify(structure, structure) == structure


@given(function_sets(1, laminar=True))
def test_sorted_function_trees(trees: Trees):
    (tree,) = trees
    spread = sorted_function_tree(tree)
    assert len(spread.nodes) == len(tree.pairs)
    assert {(node.label, node.words) for node in spread.nodes} == tree.pairs
    for node in spread.nodes:
        if node.parent >= 0:
            above = spread.nodes[node.parent]
            assert node.words <= above.words
            assert node.words < above.words or (above.label or "") < (node.label or "")
    again = multi_function_tree(spread)
    assert again.labels == {words: labels for words, labels in tree.labels.items() if labels}
    assert {node.words for node in sorted_function_tree(tree, labeled=False).nodes} == tree.yields


def test_trees_that_cross_cannot_be_spread_out_but_can_be_shown():
    tree = MultiFunctionTree(("a", "b", "c"), {frozenset({0, 1}): frozenset("x"), frozenset({1, 2}): frozenset()})
    assert not tree.is_tree
    assert str(tree) == "{x} a b, ∅ b c"
    with pytest.raises(UnificationError):
        sorted_function_tree(tree)


def test_words_that_do_not_stand_together_are_shown():
    tree = MultiFunctionTree(
        ("who", "did", "see"), {frozenset({0, 1, 2}): frozenset({"root"}), frozenset({0, 2}): frozenset({"vg"})}
    )
    assert str(tree) == "{root}[{vg}[who, see], did]"


def test_characters():
    tree = MultiFunctionTree(("a b", "c"), {frozenset({0}): frozenset("x"), frozenset({0, 1}): frozenset("y")})
    assert character_tree(tree) == MultiFunctionTree(
        ("a", "b", "c"), {frozenset({0, 1}): frozenset("x"), frozenset({0, 1, 2}): frozenset("y")}
    )


def test_what_makes_no_sense_is_refused():
    one = MultiFunctionTree(("a",), {})
    with pytest.raises(ParameterError, match="1, 2 words"):
        generalize(one, MultiFunctionTree(("a", "b"), {}))
    with pytest.raises(ParameterError, match="no tree"):
        unify()
    with pytest.raises(ParameterError, match="0 to 0"):
        MultiFunctionTree(("a",), {frozenset({1}): frozenset()})


def test_trees_are_values():
    one, two = (MultiFunctionTree(("a",), {frozenset({0}): frozenset("x")}) for _ in range(2))
    assert len({one, two}) == 1
    assert one != "a"
