"""Tree distance: scores of the canonical T-mapping.

A T-mapping pairs nodes of the gold tree with nodes of the test tree and keeps left-to-right order and ancestry; words
are nodes too, and never equal a category. G and T are the nodes of the two trees, words included; D, I, S, M are the
deleted, inserted, swapped (mapped, other label) and matched nodes; the cheapest mapping by D + I + S gives

    T Dice     1 − (D + I + S) / ((G − W) + (T − W))
    T Jaccard  1 − (D + I + S) / (D + S + M + I − W)

W is the number of words that are the same in both trees: all words where the words are equal; else the pairs of equal
words in the word alignment, which keeps their order; none where there is no parse. Every other word is a node like any
node of its tree.

The canonical mapping has, among the cheapest, the most matches, and among those the most pairs with equal spans.

Every score lies in [0, 1]. The W pairs of equal words are a T-mapping by themselves: words are leaves, and their
alignment keeps order. That mapping costs (G − W) + (T − W). The cheapest one costs no more, so T Dice is at least 0.
The denominator of T Jaccard is the cost plus M − W, the matched nodes beside the W words. The cheapest mapping may
match fewer than W nodes, where it swaps many nodes in order not to delete them. Then no node beside the words is
matched: M − W counts as 0, and T Jaccard is 0.

References
----------
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008.

Notes
-----
Differences from the paper: T Jaccard depends on which of the cheapest mappings is taken, which the paper leaves open;
the canonical one fixes it. M − W is never less than 0. Moves, the paper's future work, are counted beside the cost and
never change it. The paper's parsers parse every sentence and keep its words; here a missing parse is the empty tree, to
which every gold node is deleted, words included, and scores 0; and W leaves out words that only one tree has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.base import Counts, Metric, Symbols, columns_of, not_negative, ratio
from evaltools.normalize import Pair, Status
from evaltools.normalize.word_alignment import EXACT, word_offsets
from evaltools.treebank import Kind

__all__ = ["COLUMNS", "ENGINES", "METRICS", "NO_FREE", "TreeDistance", "same_words"]

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
"""Count columns, in the kernel's order; ``t_words_gold`` and ``t_words_test`` are both W."""

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
    return 1 - ratio(_cost(counts), _cost(counts) + not_negative(counts["t_matched"] - counts["t_words_gold"]))


_COUNTS = ("t_gold", "t_test", "t_words_gold", "t_words_test", "t_deleted", "t_inserted", "t_swapped", "t_matched")

_WHERE_WORDS_DIFFER = "all nodes: a word that is not the same in both trees is a node like any other"

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


def same_words(pair: Pair, symbols: Symbols) -> NDArray[np.int32]:
    """Count the words that are the same in both trees: the W of the formulas.

    Parameters
    ----------
    pair : Pair
        The normalised treebanks.
    symbols : Symbols
        Numbers of the words, equal where words count as equal.

    Returns
    -------
    ndarray of int32, shape (sentences,)
        All words where they are equal; pairs of equal words in the alignment where they differ; 0 without a parse.
    """
    gold, test = pair.gold.treebank, pair.test.treebank
    same = np.where(pair.status == Status.OK, gold.n_words, 0).astype(np.int32)
    if pair.alignment is not None:
        sentence = np.repeat(np.arange(len(gold)), gold.n_words)
        equal = pair.alignment.aligned[sentence] & (pair.alignment.partner >= 0) & (pair.alignment.match == EXACT)
        return same + np.bincount(sentence[equal], minlength=len(gold)).astype(np.int32)
    from evaltools.kernels.word_alignment import align_symbols

    words = [numbers[side.kind == Kind.WORD] for numbers, side in ((symbols.gold, gold), (symbols.test, test))]
    offsets = word_offsets(gold), word_offsets(test)
    for index in np.flatnonzero(pair.status == Status.WORDS_DIFFER).tolist():  # under a preset that follows evalb
        gold_words, test_words = (side[at[index] : at[index + 1]] for side, at in zip(words, offsets, strict=True))
        partner = np.empty(len(gold_words), dtype=np.int32)
        align_symbols(gold_words, test_words, gold_words, test_words, True, partner)
        same[index] = np.count_nonzero(partner >= 0)
    return same


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
        As :data:`COLUMNS` names them. A missing parse has every gold node deleted, and no words in common.
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
        self._same_words = same_words(pair, symbols)
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
        self.counts[first:last, 2:4] = self._same_words[first:last, np.newaxis]
        moved = (self.moved_gold, self.moved_test)
        find_moves(*self._gold, *self._test, *partners, self.counts, *moved, first, last)
