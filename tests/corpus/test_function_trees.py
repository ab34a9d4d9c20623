"""Function trees of every framework."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from evaltools import (
    MultiFunctionTree,
    ParameterError,
    Tree,
    bare_function_tree,
    constituency_function_tree,
    dependency_function_tree,
    labeled_function_tree,
    multi_function_tree,
    realizational_function_tree,
    sorted_function_tree,
)
from evaltools.corpus import DependencyTree
from evaltools.corpus.function_trees import functions_of
from tests.slow.functions import dependency_trees, function_sets
from tests.slow.trees import forests, text_of


def test_the_head_has_a_node_of_its_own_where_it_has_dependents():
    words, heads, relations = ["a", "b", "c"], [1, 2, -1], ["x", "y", "root"]
    assert str(dependency_function_tree(words, heads, relations)) == "(root (y (x a) (hd b)) (hd c))"
    assert str(dependency_function_tree(words, heads, relations, head_label="*")) == "(root (y (x a) (* b)) (* c))"
    assert str(dependency_function_tree(["a"], [-1], ["root"])) == "(root a)"


def test_labels_are_mapped_but_not_the_head():
    tree = dependency_function_tree(["a", "b"], [1, -1], ["nsubj", "root"], label_map={"nsubj": "SBJ", "hd": "no"})
    assert str(tree) == "(root (SBJ a) (hd b))"


def test_several_roots_are_several_trees():
    assert str(dependency_function_tree(["a", "b"], [-1, -1], ["root", "x"])) == "(root a) (x b)"


@pytest.mark.parametrize(
    ("heads", "relations", "found"),
    [
        ([1, 0], ["x", "y"], "cycle"),
        ([2, -1], ["x", "y"], "out of range"),
        ([-3, -1], ["x", "y"], "out of range"),
        ([-1], ["x", "y"], "1 heads"),
        ([0, -1], ["x", "y"], "cycle"),
    ],
)
def test_what_is_no_tree_is_refused(heads: list[int], relations: list[str], found: str):
    with pytest.raises(ParameterError, match=found):
        dependency_function_tree(["a", "b"], heads, relations)


@given(dependency_trees())
def test_every_word_covers_itself_and_all_that_depends_on_it(trees: list[DependencyTree]):
    (tree,) = trees
    nodes = multi_function_tree(dependency_function_tree(tree.forms, tree.heads, tree.relations)).labels
    for word in range(len(tree)):
        assert tree.relations[word] in nodes[tree.yield_(word)]
        if tree.children(word):
            assert "hd" in nodes[frozenset({word})]
    assert sum(len(labels) for labels in nodes.values()) <= 2 * len(tree)


@given(dependency_trees(projective=True))
def test_projective_trees_can_be_written_as_brackets(trees: list[DependencyTree]):
    (tree,) = trees
    function_tree = dependency_function_tree(tree.forms, tree.heads, tree.relations)
    assert "0=" not in str(function_tree)
    again = Tree.from_string(str(function_tree))
    assert again.words == tree.forms
    assert sorted(zip(again.labels, again.starts, again.ends, strict=True)) == sorted(
        [(node.label or "", min(node.words), max(node.words) + 1) for node in function_tree.nodes]
        + [(word, place, place + 1) for place, word in enumerate(tree.forms)]
    )


def test_functions_of_labels():
    assert functions_of("NP-SBJ") == ("SBJ",)
    assert functions_of("NP-SBJ-12=3") == ("SBJ",)
    assert functions_of("S-TPC-TPC") == ("TPC",)
    assert functions_of("PRP$") == functions_of("-NONE-") == functions_of("-LRB-") == functions_of("") == ()


def test_empty_elements_are_no_words():
    tree = Tree.from_string("(S (NP-SBJ-1 (NN John)) (VP (V left) (S-CLR (NP-SBJ (-NONE- *-1)))) (. .))")
    assert str(constituency_function_tree(tree)) == "({} (SBJ ({} John)) ({} ({} left)) ({} .))"


def test_a_node_with_two_functions_is_two_nodes():
    tree = constituency_function_tree(Tree.from_string("(PP-LOC-CLR (IN at) (NP home))"), label_map={"LOC": "adv"})
    assert str(tree) == "(adv (CLR ({} at) ({} home)))"


def test_realizational_trees_keep_their_functions_only():
    tree = Tree.from_string("(S ({sbj,prd} (sbj (NP (D the) (NN dog))) (prd (V barks))))")
    assert str(realizational_function_tree(tree)) == "(root (sbj the dog) (prd barks))"
    assert str(realizational_function_tree(tree, root_label=None)) == "({} (sbj the dog) (prd barks))"
    mapped = realizational_function_tree(tree, label_map={"sbj": "SB"})
    assert str(mapped) == "(root (SB the dog) (prd barks))"


@given(forests(most_words=6, forest=False))
def test_bare_trees_keep_their_spans_only(forest: list[object]):
    tree = Tree.from_string(text_of(forest))
    nodes = multi_function_tree(bare_function_tree(tree)).labels
    assert set(nodes) == {frozenset(range(*tree.span(n))) for n in range(len(tree)) if tree.kinds[n] != 2}
    assert not any(nodes.values())


def test_a_chain_of_a_thousand_nodes_can_be_shown():
    text = "(X " * 3000 + "a" + ")" * 3000
    assert str(bare_function_tree(Tree.from_string(text))).count("{}") == 3000


def test_discontinuous_constituents_are_sets_of_words():
    tree = Tree.from_string("(S-root (VP-vc (V 3=see) (WP-obj 0=what)) (V-hd 1=did) (NP-sbj 2=you))", "discbracket")
    found = constituency_function_tree(tree)
    assert str(found) == "(root (vc (obj 0=what) ({} 3=see)) (hd 1=did) (sbj 2=you))"
    assert frozenset({0, 3}) in multi_function_tree(found).labels


def test_functions_apart_from_the_labels():
    tree = Tree.from_string("(S (NP-LOC a) (VP b))", "functions")
    apart = replace(tree, functions=tuple({"NP-LOC": "SB", "VP": "LOC"}.get(label, "") for label in tree.labels))
    assert str(constituency_function_tree(apart, label_map={"SB": "sbj"})) == "({} (LOC (sbj a)) (LOC b))"


@given(function_sets(1, laminar=True))
def test_function_trees_are_read_from_what_they_are_shown_as(trees: list[MultiFunctionTree]):
    every = frozenset(range(len(trees[0].words)))
    tree = MultiFunctionTree(trees[0].words, {every: frozenset(), **trees[0].labels})
    tree = MultiFunctionTree(tree.words, tree.labels | {every: tree.labels[every] | {"top"}})
    shown = sorted_function_tree(tree)
    again = multi_function_tree(labeled_function_tree(Tree.from_string(str(shown), "functions")))
    assert {labels for labels in again.labels.items() if labels[1]} == {one for one in tree.labels.items() if one[1]}
