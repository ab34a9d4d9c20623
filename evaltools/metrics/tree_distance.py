"""Tree distance: scores of the canonical T-mapping.

A T-mapping pairs nodes of the gold tree with nodes of the test tree and keeps left-to-right order and ancestry; words
are nodes too, and never equal a category. D, I, S, M are the deleted, inserted, swapped (mapped, other label) and
matched nodes; the cheapest mapping by D + I + S gives

    T Dice     1 − (D + I + S) / ((G − W) + (T − W))
    T Jaccard  1 − (D + I + S) / (D + S + M + I − W)

The canonical mapping has, among the cheapest, the most matches, and among those the most pairs with equal spans.

References
----------
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008.

Notes
-----
Differences from the paper: T Jaccard depends on which of the cheapest mappings is taken, which the paper leaves open;
the canonical one fixes it. Moves, the paper's future work, are counted beside the cost and never change it. A missing
parse is the empty tree, to which every gold node is deleted, words included; its scores lie below 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.base import Counts, Metric, Symbols, columns_of, ratio
from evaltools.normalize import Pair, Status

__all__ = ["COLUMNS", "ENGINES", "METRICS", "NO_FREE", "TreeDistance"]

COLUMNS = (
    "t_gold",
    "t_test",
    "t_words_gold",
    "t_words_test",
    "t_deleted",
    "t_inserted",
    "t_swapped",
    "t_matched",
    "t_moves",
    "t_cost_moves",
)
"""Count columns, in the kernel's order."""

ENGINES = {
    "banded": "the program's own: canonical mapping",
    "apted": "the reference library: same cost, a mapping of its own choice; slow",
}
"""What can compute the alignment."""

_FIRST_BAND = 4

NO_FREE = np.zeros((0, 0), dtype=np.uint8)
"""No two labels whose swap costs nothing."""


def _cost(counts: Counts) -> NDArray[np.float64]:
    return counts["t_deleted"] + counts["t_inserted"] + counts["t_swapped"]


def _dice(counts: Counts) -> NDArray[np.float64]:
    nodes = counts["t_gold"] - counts["t_words_gold"] + counts["t_test"] - counts["t_words_test"]
    return 1 - ratio(_cost(counts), nodes)


def _jaccard(counts: Counts) -> NDArray[np.float64]:
    return 1 - ratio(_cost(counts), _cost(counts) + counts["t_matched"] - counts["t_words_gold"])


_COUNTS = ("t_gold", "t_test", "t_words_gold", "t_words_test", "t_deleted", "t_inserted", "t_swapped", "t_matched")

_WHERE_WORDS_DIFFER = "as it is: words are nodes, and other words are swapped, deleted or inserted"

METRICS: tuple[Metric, ...] = (
    Metric(
        id="t_dice",
        title="T Dice",
        family="t",
        formula="1 − (D + I + S) / ((G − W) + (T − W))",
        columns=_COUNTS,
        score=_dice,
        where_words_differ=_WHERE_WORDS_DIFFER,
        scored_on=(Status.OK, Status.WORDS_DIFFER),
    ),
    Metric(
        id="t_jaccard",
        title="T Jaccard",
        family="t",
        formula="1 − (D + I + S) / (D + S + M + I − W)",
        columns=_COUNTS,
        score=_jaccard,
        where_words_differ=_WHERE_WORDS_DIFFER,
        scored_on=(Status.OK, Status.WORDS_DIFFER),
    ),
)


class TreeDistance:
    """The T pass over a pair of treebanks.

    Parameters
    ----------
    pair : Pair
        The normalised treebanks.
    symbols : Symbols
        Classes of the labels.
    engine : {"banded", "apted"}
        What computes the alignment.

    Attributes
    ----------
    counts : ndarray of int32, shape (sentences, 10)
        As :data:`COLUMNS` names them. A missing parse has every gold node deleted.
    partner_gold, partner_test, moved_gold, moved_test : ndarray of int32, shape (nodes,)
        Partner and move of each node by position in its sentence, or -1.
    too_large : ndarray of bool, shape (sentences,)
        Pairs that are too large to be aligned; they have no T score.
    """

    def __init__(self, pair: Pair, symbols: Symbols, engine: str = "banded") -> None:
        if engine not in ENGINES:
            raise ParameterError.unknown("engine", engine, ENGINES)
        gold, test = pair.gold.treebank, pair.test.treebank
        self._engine = engine
        self._gold, self._test = columns_of(gold, symbols.gold), columns_of(test, symbols.test)
        self._scored = ((pair.status != Status.MISSING) & (gold.n_words > 0)).astype(np.uint8)
        self.counts = np.zeros((len(gold), len(COLUMNS)), dtype=np.int32)
        self.partner_gold = np.full(len(gold.label), -1, dtype=np.int32)
        self.partner_test = np.full(len(test.label), -1, dtype=np.int32)
        self.moved_gold = np.full(len(gold.label), -1, dtype=np.int32)
        self.moved_test = np.full(len(test.label), -1, dtype=np.int32)

    @property
    def too_large(self) -> NDArray[np.bool_]:
        """Pairs that were not aligned because of their size."""
        result: NDArray[np.bool_] = self.counts[:, 0] < 0
        return result

    def run(self, first: int, last: int) -> None:
        """Align the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.moves import find_moves
        from evaltools.kernels.tree_distance import align_trees

        partners = (self.partner_gold, self.partner_test)
        if self._engine == "apted":
            from evaltools.metrics.tree_distance_apted import align_with_apted

            align_with_apted(self._gold, self._test, self._scored, self.counts, *partners, first, last)
        else:
            options = self._scored, _FIRST_BAND, NO_FREE
            align_trees(*self._gold, *self._test, *options, self.counts, *partners, first, last)
        moved = (self.moved_gold, self.moved_test)
        find_moves(*self._gold, *self._test, *partners, self.counts, *moved, first, last)
