"""Mappings of nodes and their bound, against all mappings."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evaltools.kernels.graph_matching import match_nodes
from tests.slow.trees import randoms


def value(own: np.ndarray, links: np.ndarray, partner: tuple[int, ...]) -> int:
    total = sum(int(own[a, c]) for a, c in enumerate(partner) if c >= 0)
    return total + sum(int(n) for a, c, b, d, n in links.tolist() if partner[a] == c and partner[b] == d)


def optimum(own: np.ndarray, links: np.ndarray) -> int:
    n, m = own.shape
    return max(value(own, links, partner) for partner in permutations([*range(m), *[-1] * n], n))


@given(randoms, st.integers(1, 4), st.integers(1, 4), st.integers(0, 14), st.sampled_from([1, 2, 300]))
@pytest.mark.parametrize("weights", [(0, 1), (0, 0, 5)])
def test_the_mapping_is_worth_what_is_said_and_none_is_worth_more_than_the_bound(
    weights, random, n, m, n_links, max_rounds
):
    own = np.array([[float(random.choice(weights)) for _ in range(m)] for _ in range(n)])
    drawn = [
        (random.randrange(n), random.randrange(m), random.randrange(n), random.randrange(m)) for _ in range(n_links)
    ]
    drawn = [(*link, random.randint(1, 2)) for link in drawn if link[0] != link[2] and link[1] != link[3]]
    links = np.array(drawn, dtype=np.int64).reshape(-1, 5)
    partner, result = np.full(n, 99, np.int64), np.zeros(2, np.int64)
    match_nodes(own, links, max_rounds, partner, result)
    mapped = [c for c in partner.tolist() if c >= 0]
    assert len(mapped) == len(set(mapped))
    assert all(-1 <= c < m for c in partner.tolist())
    assert result[0] == value(own, links, tuple(partner.tolist()))
    assert result[0] <= optimum(own, links) <= result[1]


def test_relations_and_concepts_can_be_at_odds():
    own = np.array([[1.0, 0.0], [0.0, 1.0]])  # the concepts say straight, three relations say crossed
    links = np.array([[0, 1, 1, 0, 3]])
    partner, result = np.empty(2, np.int64), np.empty(2, np.int64)
    match_nodes(own, links, 100, partner, result)
    assert (partner.tolist(), result.tolist()) == ([1, 0], [3, 3])
