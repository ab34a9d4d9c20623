"""Discontinuous constituents: the words of a node are a set of positions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from evaltools import InputError, Tree, Treebank
from evaltools.corpus import Kind
from tests.slow.discontinuous import random_discontinuous, slow_yields
from tests.slow.trees import randoms

TEXT = "(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John) (? 3=?))"
TREE = Tree.from_string(TEXT, "discbracket")


def test_the_parts_of_a_discontinuous_tree():
    assert TREE.words == ("is", "John", "rich", "?")
    assert TREE.positions == (0, 2, 1, 3)
    assert not TREE.is_continuous
    assert [TREE.tag(word) for word in range(4)] == ["VB", "NP", "JJ", "?"]
    assert [TREE.labels[node] for node in TREE.word_nodes] == list(TREE.words)
    assert {TREE.labels[node]: set(TREE.yield_(node)) for node in range(len(TREE)) if TREE.kinds[node] == 0} == {
        "VP": {0, 2},
        "S": {0, 1, 2, 3},
    }
    assert str(TREE) == TREE.to_string("discbracket") == TEXT


def test_siblings_stand_in_the_order_of_their_first_words():
    other = Tree.from_string("(S (? 3=?) (NP 1=John) (VP (JJ 2=rich) (VB 0=is)))", "discbracket")
    assert other == TREE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(S (A 0=a) (B 0=b))", "position 0 a second time, at 'b'"),
        ("(S (A 0=a) (B 2=b))", "position 2, at 'b'"),
        ("(S (A 0=a) (B b))", "the word 'b'"),
        ("(S (A 0=a) (B 01=b))", "the word '01=b'"),
        ("(S (A 0=))", "the word '0='"),
        ("(S (A 0=a) (B 99999999999999999999=b))", "the word '99999999999999999999=b'"),
    ],
)
def test_positions_are_those_from_0_on_each_once(text: str, found: str):
    with pytest.raises(InputError) as error:
        Tree.from_string(text, "discbracket")
    assert error.value.problem.found == found


def test_brackets_and_blanks_are_escaped():
    names, parents, kinds = ["(", "$(", "a b", "X", "S"], [1, 4, 3, 4, -1], [2, 1, 2, 1, 0]
    tree = Tree.from_nodes(names, [0, -1, 1, -1, -1], parents, [Kind(kind) for kind in kinds])
    assert tree.to_string("discbracket") == "(S ($#LRB# 0=#LRB#) (X 1=a\u00a0b))"
    assert tree.to_string() == "(S ($-LRB- -LRB-) (X a\u00a0b))"
    again = Tree.from_string(tree.to_string("discbracket"), "discbracket")
    assert again.words == ("(", "a\u00a0b")
    assert again.tag(0) == "$("
    assert Tree.from_string("[S [ a ] ]", "sampson").to_string("sampson") == "[S [a] ]"


@given(randoms)
def test_yields_are_what_was_put_in(random: Random):
    tree, nodes = random_discontinuous(random)
    assert sorted((tree.labels[i], sorted(tree.yield_(i))) for i in range(len(tree)) if tree.kinds[i] == 0) == nodes
    assert slow_yields(tree) == [tree.yield_(node) for node in range(len(tree))]
    assert Tree.from_string(tree.to_string("discbracket"), "discbracket") == tree
    gaps = [y for y in slow_yields(tree) if max(y) - min(y) + 1 != len(y)]
    assert tree.is_continuous == (not gaps)


@given(st.lists(randoms, min_size=1, max_size=4), st.integers(0, 6))
def test_columns_and_back(sources: list[Random], count: int):
    trees = [random_discontinuous(random, functions=True)[0] for random in sources]
    treebank = Treebank.from_trees(trees)
    assert (treebank.position is None) == all(tree.is_continuous for tree in trees)
    assert (treebank.function is None) == (not any(tree.functions for tree in trees))
    assert [treebank.tree(i) for i in range(len(trees))] == trees
    resized = treebank.resized(count)
    assert [resized.tree(i) for i in range(min(count, len(trees)))] == trees[:count]


def test_a_treebank_of_which_only_a_part_is_discontinuous():
    plain = Tree.from_string("(S (VP (VB is) (NP John)) (JJ rich))")
    with pytest.raises(InputError, match="discontinuous constituents; expected continuous ones") as error:
        Treebank.from_trees([plain, TREE]).require_continuous()
    assert (error.value.problem.line, error.value.problem.sentence) == (2, 2)
    Treebank.from_trees([plain, TREE]).resized(1).require_continuous()
