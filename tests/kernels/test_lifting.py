"""Projectivization by lifting, against its definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, strategies as st

from evaltools.kernels import lifting
from tests.slow.functions import random_heads
from tests.slow.projectivization import dominates, is_projective, lifted
from tests.slow.trees import randoms


def lifted_by_kernel(*sentences: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[int]]:
    head = np.array([head for heads in sentences for head in heads], dtype=np.int32)
    offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    lifts = np.full(len(sentences), 99, dtype=np.int32)
    lifting.lift_arcs(head, offsets, lifts)
    return [tuple(head[a:b].tolist()) for a, b in pairwise(offsets)], lifts.tolist()


@given(st.lists(st.tuples(randoms, st.integers(0, 12), st.integers(1, 3)), min_size=1, max_size=4))
def test_the_kernel_lifts_as_the_definition_says(drawn):
    sentences = [random_heads(random, n, roots=roots) for random, n, roots in drawn]
    expected = [lifted(heads) for heads in sentences]
    assert lifted_by_kernel(*sentences) == ([heads for heads, _ in expected], [count for _, count in expected])


@given(randoms, st.integers(1, 14), st.integers(1, 3))
def test_lifted_trees_are_projective_and_arcs_go_up_only(random, n, roots):
    heads = random_heads(random, n, roots=roots)
    ((after,), (count,)) = lifted_by_kernel(heads)
    assert is_projective(after)
    assert all(after[word] == -1 or dominates(heads, after[word], word) for word in range(n))
    assert (count == 0) == (after == heads) == is_projective(heads)


@given(randoms, st.integers(1, 14))
def test_projective_trees_stay_as_they_are(random, n):
    heads = random_heads(random, n, projective=True)
    assert lifted_by_kernel(heads) == ([heads], [0])


def test_one_arc_is_lifted_to_the_head_of_its_head():
    """Z nich je jen jedna na kvalitu: in Nivre and Nilsson's Figure 1 the arc from jedna to Z spans the root je."""
    # Z(0) nich(1) je(2) jen(3) jedna(4) na(5) kvalitu(6)
    assert lifted_by_kernel((4, 0, -1, 4, 2, 2, 5)) == ([(2, 0, -1, 4, 2, 2, 5)], [1])


def test_the_shortest_arc_is_lifted_first():
    # 3→0 and 0→2 span the root 1. First 0→2, the shorter, becomes 3→2; then 3→0 becomes 1→0. Were 3→0 lifted first,
    # 2 would end up below 1.
    assert lifted_by_kernel((3, -1, 0, 1)) == ([(1, -1, 3, 1)], [2])


def test_of_arcs_of_one_length_the_leftmost_is_lifted_first():
    # 0→3 and 4→1 span the root 2. 0→3 becomes 1→3, which still spans it, then 4→3; then 4→1 becomes 2→1.
    assert lifted_by_kernel((1, 4, -1, 0, 2)) == ([(1, 2, -1, 4, 2)], [3])


def test_sentences_too_long_for_an_edit_distance_stay_as_they_are():
    n = lifting.MAX_WORDS + 1
    crossed = (2, 3, -1, 2, *[2] * (n - 4))
    assert lifted_by_kernel(crossed, (2, 3, -1, 2)) == ([crossed, (2, 2, -1, 2)], [-1, 1])
