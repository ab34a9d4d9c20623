"""Yields of nodes, and trees from spans, against their definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from evaltools import Tree
from evaltools.corpus import DependencyTree
from evaltools.kernels.spans import build_span_trees, find_yields
from tests.slow.functions import dependency_trees
from tests.slow.trees import pairs


def offsets(sizes: list[int]) -> np.ndarray:
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


@given(dependency_trees(3, most_words=12))
def test_yields_are_all_words_below(trees: list[DependencyTree]):
    heads = np.array([head for tree in trees for head in tree.heads], dtype=np.int32)
    positions = np.array([word for tree in trees for word in range(len(tree))], dtype=np.int32)
    first, end, size, broken = find_yields(heads, positions, offsets([len(tree) for tree in trees]))
    assert not broken.any()
    yields = [tree.yield_(word) for tree in trees for word in range(len(tree))]
    assert first.tolist() == [min(words) for words in yields]
    assert end.tolist() == [max(words) + 1 for words in yields]
    assert size.tolist() == [len(words) for words in yields]


def test_parents_in_a_circle_are_found():
    parent, position = np.array([-1, 2, 1], dtype=np.int32), np.array([0, 1, 2], dtype=np.int32)
    assert find_yields(parent, position, offsets([3]))[-1].tolist() == [1]


@given(pairs(most_words=7))
def test_trees_are_built_from_their_spans(pair: tuple[Tree, Tree]):
    start, end = (
        np.array([one for tree in pair for one in getattr(tree, name)], dtype=np.int32) for name in ("starts", "ends")
    )
    parent, leftmost = (np.full(len(start), 7, dtype=np.int32) for _ in range(2))
    crossing = np.zeros(2, dtype=np.uint8)
    build_span_trees(start, end, offsets([len(tree) for tree in pair]), parent, leftmost, crossing)
    assert parent.tolist() == [one for tree in pair for one in tree.parents]
    assert leftmost.tolist() == [one for tree in pair for one in tree.leftmost]
    assert not crossing.any()


def test_spans_that_cross_are_found():
    start, end = np.array([0, 1, 0, 2, 1], dtype=np.int32), np.array([1, 2, 2, 3, 3], dtype=np.int32)
    parent, leftmost = (np.zeros(5, dtype=np.int32) for _ in range(2))
    crossing = np.zeros(1, dtype=np.uint8)
    build_span_trees(start, end, offsets([5]), parent, leftmost, crossing)
    assert crossing.tolist() == [1]
