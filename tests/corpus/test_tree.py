"""Trees for people, and corpora as columns."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, strategies as st

from evaltools import InputError, Tree, Treebank
from evaltools.corpus import Kind, Span, Vocabulary
from evaltools.corpus.vocabulary import StringTable
from tests.slow.trees import Nested, forests, nested_of, text_of

TREE = Tree.from_string("(S (NP (DT the) (NN dog)) (VP (VBZ barks) loudly))")


def test_the_parts_of_a_tree():
    assert TREE.words == ("the", "dog", "barks", "loudly")
    assert TREE.labels == ("the", "DT", "dog", "NN", "NP", "barks", "VBZ", "loudly", "VP", "S")
    assert TREE.parents == (1, 4, 3, 4, 9, 6, 8, 8, 9, -1)
    assert [TREE.tag(word) for word in range(4)] == ["DT", "NN", "VBZ", None]
    assert TREE.span(4) == Span(0, 2)
    assert TREE.children(9) == (4, 8)
    assert TREE.word_nodes == (0, 2, 5, 7)
    assert TREE.roots == (9,)
    assert list(TREE.ancestors(2)) == [3, 4, 9]
    assert TREE.leftmost == (0, 0, 2, 2, 0, 5, 5, 7, 5, 0)
    assert TREE.kinds[1] is Kind.PRETERMINAL
    assert TREE.kinds[8] is Kind.PHRASE


def test_there_are_no_preterminals_in_square_brackets():
    tree = Tree.from_string("[S [NP dog ] barks ]", notation="sampson")
    assert set(tree.kinds) == {Kind.PHRASE, Kind.WORD}
    assert tree.tag(0) is None
    assert str(tree) == "(S (NP dog) barks)"
    assert tree.to_string("sampson") == "[S [NP dog ] barks ]"


@given(forests(empties=True))
def test_text_and_back(forest: list[Nested]):
    for notation, brackets in (("ptb", "()"), ("sampson", "[]")):
        tree = Tree.from_string(text_of(forest, brackets), notation)
        assert nested_of(tree) == forest
        assert Tree.from_string(tree.to_string(notation), notation) == tree


def test_white_space_between_brackets_does_not_matter_and_no_break_space_is_no_white_space():
    spread = "\n (S\n\t(NP (DT the)\r\n (NN dog ) )( VP (VBZ barks)loudly ))  "
    assert Tree.from_string(spread) == TREE
    assert Tree.from_string("(S (CD 1\u00a0000) (N \u3000))").words == ("1\u00a0000", "\u3000")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("(S (N a)", 1, 1), ("(S\n (N a", 2, 2), ("(S (N a)))", 1, 10), ("dog", 1, 1), ("(S a) b", 1, 7)],
)
def test_what_does_not_balance_says_where(text: str, line: int, column: int):
    with pytest.raises(InputError) as error:
        Tree.from_string(text)
    assert (error.value.problem.line, error.value.problem.column) == (line, column)


def test_an_unknown_notation():
    with pytest.raises(InputError, match="ptb or sampson"):
        Tree.from_string("(S a)", notation="xml")


def test_depth_is_no_limit():
    depth = 20_000
    tree = Tree.from_string("(X " * depth + "(N a)" + ")" * depth)
    assert len(tree) == depth + 2
    assert len(str(tree)) == 4 * depth + 5


@given(st.lists(forests(), min_size=1, max_size=5), st.integers(0, 8))
def test_resizing(corpus: list[list[Nested]], count: int):
    trees = [Tree.from_string(text_of(forest)) for forest in corpus]
    treebank = Treebank.from_trees(trees).resized(count)
    assert len(treebank) == count
    assert [treebank.tree(i) for i in range(min(count, len(trees)))] == trees[:count]
    assert all(len(treebank.tree(i)) == 0 for i in range(len(trees), count))
    assert treebank.source(count - 1) == "" if count else True


def test_blank_lines_at_the_end_are_not_filled():
    from evaltools import read_treebank
    from evaltools.formats import Source

    for text, filled in (
        (b"(S a)\n\n(S b)\n\n  \n\n", 3),
        (b"(S a)\r\n\r\n\r\n", 1),
        (b"(S a)\n(())\n\n", 2),
        (b"(S a)\nno tree\n\n", 2),
    ):
        assert read_treebank(Source.from_bytes(text, "x")).n_filled == filled


def test_words_and_labels_are_numbered_apart():
    vocabulary = Vocabulary()
    Treebank.from_trees([Tree.from_string("(NP (NP NP))")], vocabulary)
    assert list(vocabulary.labels.strings()) == list(vocabulary.words.strings()) == ["NP"]


def test_strings_are_numbered_once_from_many_threads():
    table = StringTable(["a"])
    results: list[list[int]] = []

    def add() -> None:
        results.append(table.add_all(str(i % 500) for i in range(5000)).tolist())

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(table) == 501
    assert all(result == results[0] for result in results)
    assert [table[number] for number in results[0][:500]] == [str(i) for i in range(500)]
    assert (table.find("a"), table.find("b"), "7" in table, "b" in table) == (0, -1, True, False)
