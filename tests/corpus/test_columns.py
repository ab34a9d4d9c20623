"""Parts of a treebank, concatenated, have the trees of the parts; selected sentences are those selected."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import given, strategies as st

from evaltools import Tree, Treebank, read_treebank
from evaltools.corpus import Vocabulary
from evaltools.corpus.columns import concatenate

TREES = (
    "(S (NP (N a)) (V b))",
    "(S (N c))",
    "(X (N d) (N e) (Y (N f)))",
    "(VP (VP (PP 0=da 1=um) 3=k) 2=a)",  # not continuous
    "",
)


def treebank(texts: list[str], vocabulary: Vocabulary) -> Treebank:
    trees = [Tree.from_string(text, "discbracket" if "=" in text else "ptb") for text in texts]
    return Treebank.from_trees(trees, vocabulary)


def trees(treebank: Treebank) -> list[Tree]:
    return [treebank.tree(sentence) for sentence in range(len(treebank))]


@given(st.lists(st.lists(st.sampled_from(TREES), max_size=4), min_size=1, max_size=3), st.data())
def test_selected_trees(parts: list[list[str]], data: st.DataObject):
    vocabulary = Vocabulary()
    corpus = concatenate([treebank(part, vocabulary) for part in parts])
    expected = trees(treebank([text for part in parts for text in part], vocabulary))
    assert trees(corpus) == expected
    indices = data.draw(st.lists(st.integers(-1, len(expected) - 1), max_size=8))
    selection = corpus.select(np.array(indices, np.int64))
    empty = Tree.from_string("")
    assert trees(selection) == [empty if index < 0 else expected[index] for index in indices]
    assert selection.line.tolist() == [0 if index < 0 else corpus.line[index] for index in indices]


def test_texts_stay_with_their_trees():
    vocabulary = Vocabulary()
    files = b"(S (N a))\n(S (N b))\n", b"(S (N c)\n", b"\n(S (N d))\n"
    corpus = concatenate([read_treebank(io.BytesIO(file), "ptb", vocabulary) for file in files])
    assert [corpus.source(i) for i in range(len(corpus))] == ["(S (N a))", "(S (N b))", "(S (N c)", "", "(S (N d))"]
    assert [problem.kind for problem in corpus.problems] == ["unbalanced"]
    selection = corpus.select(np.array([4, -1, 1]))
    assert [selection.source(i) for i in range(3)] == ["(S (N d))", "", "(S (N b))"]
