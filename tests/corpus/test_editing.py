"""Trees changed by hand: whatever is done, the words stay and keep their order."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from evaltools import ParameterError, Tree
from evaltools.corpus.editing import (
    Edit,
    delete_node,
    edits_as_text,
    insert_node,
    movable_node,
    move_node,
    move_targets,
    read_edits,
    relabel_node,
)
from tests.slow.trees import pairs, randoms

SAW = Tree.from_string("(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS hats))))))")
SQUARE = Tree.from_string("[A [B v [C w [D y x ] ] ] ]", "sampson")


def at(tree: Tree, label: str, words: str) -> int:
    """Return the highest node with a label over some words."""
    return max(
        node
        for node in range(len(tree))
        if tree.labels[node] == label and " ".join(tree.words[slice(*tree.span(node))]) == words
    )


def test_a_phrase_is_attached_higher_and_lower_again():
    phrase, high = at(SAW, "PP", "with hats"), at(SAW, "VP", "saw a man with hats")
    moved = move_node(SAW, phrase, high)
    assert str(moved) == "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS hats)))))"
    below = move_node(moved, at(moved, "PP", "with hats"), at(moved, "NP", "a man"))
    assert str(below) == "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man) (PP (IN with) (NP (NNS hats))))))"


def test_one_word_moves_to_another_level_where_words_have_no_tags():
    moved = move_node(SQUARE, at(SQUARE, "x", "x"), at(SQUARE, "A", "v w y x"), "sampson")
    assert moved.to_string("sampson") == "[A [B v [C w [D y ] ] ] x ]"


def test_a_word_takes_its_tag_along_and_phrases_without_words_go():
    moved = move_node(SAW, SAW.word_nodes[5], at(SAW, "VP", "saw a man with hats"))
    assert str(moved) == "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with))) (NNS hats)))"


@pytest.mark.parametrize(
    ("text", "edit", "result", "says"),
    [
        (
            "(VP (V saw) (NP (NP (N men)) (PP (P with) (N hats))))",
            "9,11",
            "(VP (V saw) (NP (N men)) (PP (P with) (N hats)))",
            "; NP over NP alone was made one NP",
        ),
        ("(VP (V saw) (NP (NX (N men)) (PP (P with))))", "7,9", "(VP (V saw) (NP (NX (N men))) (PP (P with)))", ""),
        ("(S (S (N a)) (N b))", "4,2", "(S (N a) (N b))", "; S over S alone was made one S"),
        ("(X (S (S (N a)) (Y (N b))) (N c))", "4,9", "(X (S (N a)) (N b) (N c))", "; Y, left empty, was removed"),
        ("(S (N a) (S (S (N b)) (N c)))", "6,8", "(S (N a) (S (N b)) (N c))", "; S over S alone was made one S"),
    ],
)
def test_a_bracket_that_is_left_over_its_own_label_alone_is_removed_with_the_move(
    text: str, edit: str, result: str, says: str
):
    tree = Tree.from_string(text)
    attach = Edit.from_text(f"a{edit}")
    assert str(attach.apply(tree)) == result
    assert says in attach.describe(tree)


@pytest.mark.parametrize(
    ("text", "edit", "result", "removed"),
    [
        ("(S (NP (N he)) (VP (V ran) (NP (N home))))", "a6,8", "(S (NP (N he)) (VP (V ran) (N home)))", "NP"),
        ("(S (X (NP (N he))) (VP (V ran)))", "a2,6", "(S (VP (NP (N he)) (V ran)))", "X"),
        ("(S (X (Y (NP (N he)))) (VP (V ran)))", "a2,7", "(S (VP (NP (N he)) (V ran)))", "Y and X"),
        ("(S (X (Y (NP (N he)))) (VP (V ran)))", "a2,4", "(S (X (NP (N he))) (VP (V ran)))", "Y"),
        ("(S (NP (D a) (N he)) (VP (V ran)))", "a3,7", "(S (NP (D a)) (VP (N he) (V ran)))", ""),
    ],
)
def test_a_bracket_that_loses_its_only_daughter_is_removed_and_said_to_be(
    text: str, edit: str, result: str, removed: str
):
    tree, made = Tree.from_string(text), Edit.from_text(edit)
    assert str(made.apply(tree)) == result
    told = made.describe(tree)
    assert told.endswith(f"; {removed}, left empty, {'were' if ' and ' in removed else 'was'} removed") == bool(removed)
    assert ("left empty" in told) == bool(removed)


@pytest.mark.parametrize(
    ("node", "parent", "says"),
    [
        (("S", "I saw a man with hats"), ("NP", "I"), "root"),
        (("VP", "saw a man with hats"), ("PP", "with hats"), "its own descendant"),
        (("NP", "I"), ("S", "I saw a man with hats"), "already"),
        (("NP", "I"), ("PP", "with hats"), "would change their order"),
        (("NP", "a man"), ("VBD", "saw"), "not a phrase"),
    ],
)
def test_a_move_that_cannot_be_is_refused_with_the_reason(node: tuple[str, str], parent: tuple[str, str], says: str):
    with pytest.raises(ParameterError, match=says):
        move_node(SAW, at(SAW, *node), at(SAW, *parent))


def test_a_node_in_the_middle_cannot_leave_its_phrase():
    tree = Tree.from_string("(S (NP (D a) (A red) (N hat)) (V fits))")
    with pytest.raises(ParameterError, match="would change their order"):
        move_node(tree, at(tree, "A", "red"), at(tree, "S", "a red hat fits"))


def test_labels_are_words_and_words_stay():
    with pytest.raises(ParameterError, match="words cannot be"):
        relabel_node(SAW, SAW.word_nodes[0], "you")
    with pytest.raises(ParameterError, match="words cannot be"):
        delete_node(SAW, SAW.word_nodes[0])
    for label in ("", "N P", "N(P", "N)", "N\u00a0P"):
        with pytest.raises(ParameterError, match="one word"):
            relabel_node(SAW, 2, label)
    with pytest.raises(ParameterError, match="already"):
        relabel_node(SAW, 2, "NP")
    assert relabel_node(SAW, 2, "N[P]").labels[2] == "N[P]"


def test_the_root_goes_only_where_one_tree_is_left():
    with pytest.raises(ParameterError, match="holds the tree together"):
        delete_node(SAW, len(SAW) - 1)
    assert str(delete_node(Tree.from_string("(TOP (S (N dogs) (V bark)))"), 5)) == "(S (N dogs) (V bark))"
    with pytest.raises(ParameterError, match="holds the tree together"):
        delete_node(Tree.from_string("(N dogs)"), 1)


def test_a_bracket_without_a_label_never_swallows_a_word():
    tree = Tree.from_string("( (N dogs))")
    with pytest.raises(ParameterError, match="needs a label"):
        delete_node(tree, 1)


def test_a_node_goes_over_neighbours_only():
    assert insert_node(SAW, 4, 4, "X").labels[5] == "X"
    with pytest.raises(ParameterError, match="not children of one node"):
        insert_node(SAW, 2, 4, "X")
    assert str(insert_node(Tree.from_string("(S (N dogs))"), 2, 2, "TOP")) == "(TOP (S (N dogs)))"


def test_nodes_that_are_not_there_and_discontinuous_trees():
    with pytest.raises(ParameterError, match="no node 99"):
        delete_node(SAW, 99)
    with pytest.raises(ParameterError, match="discontinuous"):
        delete_node(Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket"), 1)
    with pytest.raises(ParameterError, match="valid: ptb, sampson"):
        relabel_node(SAW, 2, "X", "export")


def random_edit(random: Random, tree: Tree) -> Edit:
    node = random.randrange(len(tree))
    kind = random.choice(("attach", "relabel", "delete", "insert"))
    if kind == "attach":
        return Edit(kind, node, random.randrange(len(tree)))
    if kind == "insert":
        siblings = tree.children(tree.parents[node]) if tree.parents[node] >= 0 else tree.roots
        return Edit(kind, node, random.choice(siblings), "NEW")
    return Edit(kind, node, label="NEW" if kind == "relabel" else "")


@given(pairs(forest=False), randoms)
def test_any_edit_gives_a_tree_over_the_same_words_or_is_refused(pair: tuple[Tree, Tree], random: Random):
    tree = pair[1]
    edit = random_edit(random, tree)
    assert Edit.from_text(str(edit)) == edit
    try:
        made = edit.apply(tree)
    except ParameterError:
        return
    assert made.words == tree.words
    assert Tree.from_string(str(made)) == made
    assert len(made.roots) == 1
    labels = Counter(made.labels) - Counter(tree.labels), Counter(tree.labels) - Counter(made.labels)
    assert labels[0].total() == (edit.kind in ("relabel", "insert"))
    if edit.kind != "attach":  # a phrase may lose its last word
        assert labels[1].total() == (edit.kind in ("relabel", "delete"))
    assert edit.describe(tree).startswith("move" if edit.kind == "attach" else edit.kind)


@given(pairs(forest=False))
def test_targets_are_the_phrases_to_which_a_move_succeeds(pair: tuple[Tree, Tree]):
    tree = pair[1]
    for node in range(len(tree)):
        possible = []
        for parent in range(len(tree)):
            try:
                moved = move_node(tree, node, parent)
            except ParameterError:
                continue
            possible.append(parent)
            subtree = tree.labels[tree.leftmost[movable_node(tree, node)] : movable_node(tree, node) + 1]
            assert any(moved.labels[end - len(subtree) : end] == subtree for end in range(1, len(moved) + 1))
        assert move_targets(tree, node) == tuple(possible)


@given(pairs(forest=False), randoms)
def test_a_node_that_was_inserted_can_be_deleted_again(pair: tuple[Tree, Tree], random: Random):
    tree = pair[1]
    node = random.randrange(len(tree))
    made = insert_node(tree, node, node, "NEW")
    assert delete_node(made, made.labels.index("NEW")) == tree


def test_edits_are_written_on_a_line():
    edits = (Edit("attach", 5, 3), Edit("relabel", 4, label="N,P"), Edit("delete", 6), Edit("insert", 2, 4, "NP-SBJ"))
    assert edits_as_text(edits) == "a5,3 r4,N,P d6 i2,4,NP-SBJ"
    assert read_edits(edits_as_text(edits)) == edits
    for wrong in ("a5", "m5,3", "x3", "d-1", "r4,", "a5,3,2", "d99999999"):
        with pytest.raises(ParameterError, match="not an edit"):
            read_edits(wrong)
