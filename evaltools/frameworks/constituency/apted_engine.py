"""Tree distance by the apted library: the reference for the program's own engine.

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

from evaltools.corpus import Kind
from evaltools.frameworks.common.columns import NO_FREE, Columns


@dataclass(slots=True, eq=False)
class _Node:
    index: int
    symbol: int
    span: tuple[int, int] = (-1, -1)
    kind: int = Kind.PHRASE
    children: list[_Node] = field(default_factory=list)


class _UnitCosts(Config):  # type: ignore[misc]  # apted has no type information
    def rename(self, node1: _Node, node2: _Node) -> int:
        return int(node1.symbol != node2.symbol)

    def children(self, node: _Node) -> list[_Node]:
        return node.children


class _WithoutPair(_UnitCosts):
    """Costs by which mapping one pair of nodes costs more than deleting and inserting it."""

    def __init__(self, pair: tuple[int, int]) -> None:
        self.pair = pair

    def rename(self, node1: _Node, node2: _Node) -> int:
        return 3 if (node1.index, node2.index) == self.pair else super().rename(node1, node2)


class _FewestCosts(_UnitCosts):
    """Costs that prefer, of the cheapest mappings, one with the fewest matches, pairs of one kind or equal spans."""

    # At one cost the more nodes are swapped, the fewer are matched.

    def __init__(self, minimized: str, nodes: int) -> None:
        self.weight = nodes + 1
        self.minimized = minimized

    def delete(self, node: _Node) -> int:
        return self.weight**2

    def insert(self, node: _Node) -> int:
        return self.weight**2

    def rename(self, node1: _Node, node2: _Node) -> int:
        equal = node1.symbol == node2.symbol
        if self.minimized == "matches":
            return 1 if equal else self.weight**2
        swap = 0 if equal else self.weight + self.weight**2
        if self.minimized == "kinds":
            return swap + int(node1.kind == node2.kind != Kind.WORD)
        return swap + int(node1.span == node2.span)


def _tree(columns: Columns, sentence: int) -> _Node:
    """Return the root of a tree of nodes as apted takes them; the root is added, and equal to the other root only."""
    symbol, parent, _, start, end, kind, offsets = columns
    sentence_nodes = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
    values = (column[sentence_nodes].tolist() for column in (symbol, start, end, kind))
    nodes = [
        _Node(index, number, (first, last), of_kind)
        for index, (number, first, last, of_kind) in enumerate(zip(*values, strict=True))
    ]
    root = _Node(-1, -1)
    for node, above in zip(nodes, parent[sentence_nodes].tolist(), strict=True):
        (nodes[above] if above >= 0 else root).children.append(node)
    return root


def _pairs(gold: Columns, test: Columns, costs: _UnitCosts, sentence: int = 0) -> list[tuple[int, int]]:
    """Return a cheapest mapping of the trees of a sentence."""
    mapping: list[tuple[Any, Any]] = APTED(_tree(gold, sentence), _tree(test, sentence), costs).compute_edit_mapping()
    pairs = ((first.index, second.index) for first, second in mapping if first is not None and second is not None)
    return sorted((i, j) for i, j in pairs if i >= 0 and j >= 0)


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
    align_trees(*gold, *test, np.zeros_like(scored), 4, NO_FREE, counts, partner_gold, partner_test, first, last)
    for sentence in range(first, last):
        if not scored[sentence]:
            continue
        g = slice(int(gold[6][sentence]), int(gold[6][sentence + 1]))
        t = slice(int(test[6][sentence]), int(test[6][sentence + 1]))
        for i, j in _pairs(gold, test, _UnitCosts(), sentence):
            partner_gold[g][i], partner_test[t][j] = j, i
        mapped = np.flatnonzero(partner_gold[g] >= 0)
        matched = int(np.count_nonzero(gold[0][g][mapped] == test[0][t][partner_gold[g][mapped]]))
        n, m = g.stop - g.start, t.stop - t.start
        deleted, inserted, swapped = n - len(mapped), m - len(mapped), len(mapped) - matched
        cost = deleted + inserted + swapped
        counts[sentence, [1, 4, 5, 6, 7, 8, 9]] = m, deleted, inserted, swapped, matched, 0, cost


def cheapest_without(gold: Columns, test: Columns, pair: tuple[int, int]) -> list[tuple[int, int]]:
    """Return a mapping of two trees that is the cheapest of those without a pair of nodes."""
    return _pairs(gold, test, _WithoutPair(pair))


def cheapest_with_fewest(gold: Columns, test: Columns, minimized: str) -> list[tuple[int, int]]:
    """Return a cheapest mapping of two trees with the fewest ``"matches"``, equal ``"kinds"`` or equal ``"spans"``."""
    return _pairs(gold, test, _FewestCosts(minimized, len(gold[0]) + len(test[0])))
