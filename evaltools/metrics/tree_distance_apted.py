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

__all__ = ["align_with_apted"]


@dataclass(slots=True, eq=False)
class _Node:
    place: int
    symbol: int
    children: list[_Node] = field(default_factory=list)


class _UnitCosts(Config):  # type: ignore[misc]  # apted has no type information
    def rename(self, node1: _Node, node2: _Node) -> int:
        return int(node1.symbol != node2.symbol)

    def children(self, node: _Node) -> list[_Node]:
        return node.children


def _tree(columns: Columns, sentence: int) -> _Node:
    """Build the objects that apted takes, under a common root that equals only its like."""
    symbol, parent, *_, offsets = columns
    nodes = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
    root = _Node(-1, -1)
    made = [_Node(place, number) for place, number in enumerate(symbol[nodes].tolist())]
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
        words = int(np.count_nonzero(test[5][t] == 2))
        deleted, inserted, swapped = n - len(mapped), m - len(mapped), len(mapped) - matched
        cost = deleted + inserted + swapped
        counts[sentence, [1, 3, 4, 5, 6, 7, 8, 9]] = m, words, deleted, inserted, swapped, matched, 0, cost
