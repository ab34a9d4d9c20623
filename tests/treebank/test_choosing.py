"""Some sentences of a treebank, and parts of one put together, give the trees that were chosen."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaltools import Tree, Treebank, read_treebank
from evaltools.treebank import Vocabulary
from evaltools.treebank.choosing import joined, taken

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
def test_chosen_trees(parts: list[list[str]], data: st.DataObject):
    vocabulary = Vocabulary()
    whole = joined([treebank(part, vocabulary) for part in parts])
    expected = trees(treebank([text for part in parts for text in part], vocabulary))
    assert trees(whole) == expected
    chosen = data.draw(st.lists(st.integers(-1, len(expected) - 1), max_size=8))
    found = taken(whole, np.array(chosen, np.int64))
    empty = Tree.from_string("")
    assert trees(found) == [empty if place < 0 else expected[place] for place in chosen]
    assert found.line.tolist() == [0 if place < 0 else whole.line[place] for place in chosen]


def test_texts_stay_with_their_trees():
    vocabulary = Vocabulary()
    files = b"(S (N a))\n(S (N b))\n", b"(S (N c)\n", b"\n(S (N d))\n"
    whole = joined([read_treebank(io.BytesIO(file), "ptb", vocabulary) for file in files])
    assert [whole.source(i) for i in range(len(whole))] == ["(S (N a))", "(S (N b))", "(S (N c)", "", "(S (N d))"]
    assert [problem.kind for problem in whole.problems] == ["unbalanced"]
    found = taken(whole, np.array([4, -1, 1]))
    assert [found.source(i) for i in range(3)] == ["(S (N d))", "", "(S (N b))"]
