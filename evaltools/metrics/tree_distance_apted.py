"""Tree distance by the apted library: the reference that the program's own engine is held against.

References
----------
M. Pawlik and N. Augsten (2016). Tree edit distance: robust and memory-efficient. Information Systems 56, 157-173.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from apted import APTED, Config
from numpy.typing import NDArray

from evaltools.metrics.base import Columns

__all__ = ["align_with_apted", "cheapest_with_fewest", "cheapest_without"]


@dataclass(slots=True, eq=False)
class _Node:
    place: int
    symbol: int
    span: tuple[int, int] = (-1, -1)
    children: list[_Node] = field(default_factory=list)


class _UnitCosts(Config):  # type: ignore[misc]  # apted has no type information
    def rename(self, node1: _Node, node2: _Node) -> int:
        return int(node1.symbol != node2.symbol)

    def children(self, node: _Node) -> list[_Node]:
        return node.children


class _WithoutPair(_UnitCosts):
    """Costs under which one pair of nodes is dearer to map than to delete and insert."""

    def __init__(self, pair: tuple[int, int]) -> None:
        self.pair = pair

    def rename(self, node1: _Node, node2: _Node) -> int:
        return 3 if (node1.place, node2.place) == self.pair else super().rename(node1, node2)


class _FewestCosts(_UnitCosts):
    """Costs under which the cheapest mapping with the fewest matches comes first, or with the fewest equal spans.

    At one cost the more nodes are swapped, the fewer are matched.
    """

    def __init__(self, least: str, nodes: int) -> None:
        self.weight = nodes + 1
        self.spans = least == "spans"

    def delete(self, node: _Node) -> int:
        return self.weight**2

    def insert(self, node: _Node) -> int:
        return self.weight**2

    def rename(self, node1: _Node, node2: _Node) -> int:
        equal = node1.symbol == node2.symbol
        if self.spans:
            return int(node1.span == node2.span) + (0 if equal else self.weight + self.weight**2)
        return 1 if equal else self.weight**2


def _tree(columns: Columns, sentence: int) -> _Node:
    """Build the objects that apted takes, under a common root that equals only its like."""
    symbol, parent, _, start, end, _, offsets = columns
    nodes = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
    root = _Node(-1, -1)
    spans = zip(start[nodes].tolist(), end[nodes].tolist(), strict=True)
    made = [
        _Node(place, number, span)
        for place, (number, span) in enumerate(zip(symbol[nodes].tolist(), spans, strict=True))
    ]
    for node, above in zip(made, parent[nodes].tolist(), strict=True):
        (made[above] if above >= 0 else root).children.append(node)
    return root


def align_with_apted(
    gold: Columns,
    test: Columns,
    scored: NDArray[np.uint8],
    counts: NDArray[np.int32],
    partner_gold: NDArray[np.int32],
    partner_test: NDArray[np.int32],
    first: int,
    last: int,
) -> None:
    """Align a range of sentences, with the arguments and results of the ``align_trees`` kernel."""
    from evaltools.kernels.tree_distance import align_trees

    # sizes, and missing parses
    no_free = np.zeros((0, 0), dtype=np.uint8)
    align_trees(*gold, *test, np.zeros_like(scored), 4, no_free, counts, partner_gold, partner_test, first, last)
    for sentence in range(first, last):
        if not scored[sentence]:
            continue
        g = slice(int(gold[6][sentence]), int(gold[6][sentence + 1]))
        t = slice(int(test[6][sentence]), int(test[6][sentence + 1]))
        mapping: list[tuple[Any, Any]] = APTED(
            _tree(gold, sentence), _tree(test, sentence), _UnitCosts()
        ).compute_edit_mapping()
        for one, other in mapping:
            if one is not None and other is not None and one.place >= 0 and other.place >= 0:
                partner_gold[g][one.place] = other.place
                partner_test[t][other.place] = one.place
        mapped = np.flatnonzero(partner_gold[g] >= 0)
        matched = int(np.count_nonzero(gold[0][g][mapped] == test[0][t][partner_gold[g][mapped]]))
        n, m = g.stop - g.start, t.stop - t.start
        deleted, inserted, swapped = n - len(mapped), m - len(mapped), len(mapped) - matched
        cost = deleted + inserted + swapped
        counts[sentence, [1, 4, 5, 6, 7, 8, 9]] = m, deleted, inserted, swapped, matched, 0, cost


def cheapest_without(gold: Columns, test: Columns, pair: tuple[int, int]) -> list[tuple[int, int]]:
    """Return a mapping of two trees that is the cheapest of those in which a pair of nodes is not mapped.

    Parameters
    ----------
    gold, test : Columns
        The trees, one sentence each.
    pair : (int, int)
        A node of each.

    Returns
    -------
    list of (int, int)
        The mapped nodes, ordered by gold node.
    """
    return _pairs(gold, test, _WithoutPair(pair))


def cheapest_with_fewest(gold: Columns, test: Columns, least: str) -> list[tuple[int, int]]:
    """Return, of the cheapest mappings of two trees, one that is the opposite of the canonical one.

    Parameters
    ----------
    gold, test : Columns
        The trees, one sentence each.
    least : {"matches", "spans"}
        It has the fewest matches; or, with as many as can be, the fewest pairs of equal spans.

    Returns
    -------
    list of (int, int)
        The mapped nodes, ordered by gold node.
    """
    return _pairs(gold, test, _FewestCosts(least, len(gold[0]) + len(test[0])))


def _pairs(gold: Columns, test: Columns, costs: _UnitCosts) -> list[tuple[int, int]]:
    mapping: list[tuple[Any, Any]] = APTED(_tree(gold, 0), _tree(test, 0), costs).compute_edit_mapping()
    found = ((one.place, other.place) for one, other in mapping if one is not None and other is not None)
    return sorted((i, j) for i, j in found if i >= 0 and j >= 0)
