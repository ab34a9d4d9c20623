"""Tree distance: scores of the canonical T-mapping.

A T-mapping pairs nodes of the gold tree with nodes of the test tree and keeps left-to-right order and ancestry; words
are nodes too, and never equal a category. G and T are the nodes of the two trees, words included; D, I, S, M are the
deleted, inserted, swapped (mapped, other label) and matched nodes; the cheapest mapping by D + I + S gives

    Dice     1 − (D + I + S) / ((G − W) + (T − W))
    Jaccard  1 − (D + I + S) / (D + S + M + I − W)

W is the number of words that are the same in both trees: all words where the words are equal; else the pairs of equal
words in the word alignment, which keeps their order; none where there is no parse. Every other word is a node like any
node of its tree. Where a constituent is discontinuous, children stand in the order of their first words, and the words
in the order of each tree; W is then the largest number of them that stand in the same order in both.

The canonical mapping has, among the cheapest, the most matches, among those the most pairs of a tag with a tag or a
phrase with a phrase, and among those the most pairs with equal spans.

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
Differences from the paper: T Jaccard depends on which of the cheapest mappings is chosen, which the paper leaves open;
the canonical one settles it. M − W is never less than 0. Moves, the paper's future work, are counted beside the cost
and never change it. The paper's parsers parse every sentence and keep its words; here a missing parse is the empty
tree: every gold node is deleted, words included, and the score is 0; and W leaves out words that only one tree has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind
from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import NO_FREE, SentenceStatus, columns_of
from evaltools.frameworks.constituency.normalization import CHARACTERS, TreeComparison, word_offsets
from evaltools.frameworks.constituency.options import ENGINES
from evaltools.frameworks.metric import Count, Counts, Family, Metric, Place, at_most, ratio
from evaltools.frameworks.passes import Pass

if TYPE_CHECKING:
    from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.marks import Status

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

COUNTS: dict[str, Count] = {
    "t_gold": Count("gold nodes, words included", "G"),
    "t_test": Count("parse nodes, words included", "T"),
    "t_words_gold": Count("words that are the same in both trees", "W"),
    "t_words_test": Count("words that are the same in both trees, subtracted from T", "W", repeats="t_words_gold"),
    "t_deleted": Count("nodes missing from the parse (deletions)", "D", cost="nodes"),
    "t_inserted": Count("spurious nodes (insertions)", "I", cost="nodes"),
    "t_swapped": Count("relabeled nodes", "S", cost="nodes"),
    "t_matched": Count("matched nodes, words included", "M"),
}
"""What the columns of the formulas count."""

EDITS = {"t_deleted": Status.MISSING, "t_inserted": Status.SPURIOUS, "t_swapped": Status.RELABELED}
"""Columns of the edits that cost, D, I and S of Emms (2008), and the status of the nodes that they count."""

_FIRST_BAND = 4


def _cost(counts: Counts) -> NDArray[np.float64]:
    return counts["t_deleted"] + counts["t_inserted"] + counts["t_swapped"]


def edit_cost(alignment: Alignment) -> int:
    """Return the cost of the T-mapping of one sentence: nodes to delete, to insert and to relabel."""
    return sum(int(alignment.counts[column]) for column in EDITS)


def _dice(counts: Counts) -> NDArray[np.float64]:
    words = counts["t_words_gold"] + counts["t_words_test"]
    return 1 - ratio(_cost(counts), counts["t_gold"] + counts["t_test"] - words)


def _jaccard(counts: Counts) -> NDArray[np.float64]:
    words = at_most(counts["t_words_gold"], counts["t_matched"])
    return 1 - ratio(_cost(counts), _cost(counts) + (counts["t_matched"] - words))


FAMILY = Family(
    "t",
    "T-mapping: tree-edit alignment",
    "t",
    COUNTS,
    words="any",
    words_differ="all nodes: a word that is not the same in both trees is a node like any other",
    papers=("emms-2008",),
)

METRICS: tuple[Metric, ...] = (
    Metric(
        id="ted",
        title="Tree-edit similarity (Dice)",
        family=FAMILY,
        columns=tuple(COUNTS),
        score=_dice,
        help="T-mapping, Dice: 1 − cost of the cheapest edit script between gold tree and parse, as a share of the "
        "nodes of both trees without their words, in %.",
        short="Tree edit",
        place=Place(overview=True, reports=True, lists=True, mapping="Tree edit", norm="Dice"),
    ),
    Metric(
        id="ted_jaccard",
        title="Tree-edit similarity (Jaccard)",
        family=FAMILY,
        columns=tuple(COUNTS),
        score=_jaccard,
        help="T-mapping, Jaccard: 1 − cost of the cheapest edit script between gold tree and parse, as a share of the "
        "nodes that are edited or matched, words aside, in %.",
        short="Tree edit (Jacc.)",
        place=Place(reports=True, mapping="Tree edit", norm="Jaccard"),
    ),
)


def _words_in_both(comparison: TreeComparison) -> NDArray[np.int32]:
    """Count the words that are the same in both trees: the W of the formulas."""
    pair, symbols = comparison.pair, comparison.symbols
    gold, test = pair.gold.treebank, pair.test.treebank
    same = np.where(pair.status == SentenceStatus.OK, gold.n_words, 0).astype(np.int32)
    sentence = np.repeat(np.arange(len(gold)), gold.n_words)
    if pair.alignment is not None:
        equal = pair.alignment.aligned[sentence] & (pair.alignment.partner >= 0) & (pair.alignment.match != CHARACTERS)
        same += np.bincount(sentence[equal], minlength=len(gold)).astype(np.int32)
    else:
        sides = [
            (numbers[side.kind == Kind.WORD], word_offsets(side))
            for numbers, side in ((symbols.gold, gold), (symbols.test, test))
        ]
        for index in np.flatnonzero(
            pair.status == SentenceStatus.WORDS_DIFFER
        ).tolist():  # under a preset that follows evalb
            same[index] = _longest_common(*(words[offsets[index] : offsets[index + 1]] for words, offsets in sides))
    if pair.sets is None:
        return same
    # in a discontinuous tree words stand in another order: those that stand in the same order in both trees
    partner, gold_first, test_first = pair.partner, word_offsets(gold), word_offsets(test)
    assert partner is not None
    if pair.alignment is not None:
        partner = np.where(
            (pair.status == SentenceStatus.OK)[sentence] | (pair.alignment.match != CHARACTERS), partner, np.int32(-1)
        )
    in_trees = partner if gold.position is None else partner[gold.word_indices]
    position = np.arange(int(test_first[-1])) if test.position is None else test.word_indices
    for index in np.flatnonzero(pair.sets.chosen).tolist():
        own = in_trees[gold_first[index] : gold_first[index + 1]]
        others = position[test_first[index] : test_first[index + 1]] - test_first[index]
        same[index] = _longest_common(own[own >= 0], others.astype(np.int32))
    return same


def _longest_common(gold: NDArray[np.int32], test: NDArray[np.int32]) -> int:
    """Return the length of the longest common subsequence."""
    from evaltools.kernels.word_alignment import align_symbols

    gold, test = np.ascontiguousarray(gold), np.ascontiguousarray(test)
    partner = np.empty(len(gold), dtype=np.int32)
    align_symbols(gold, test, gold, test, True, partner)
    return int(np.count_nonzero(partner >= 0))


class TreeDistance(Pass[TreeComparison]):
    """The T pass over a pair of treebanks."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(self, comparison: TreeComparison) -> None:
        pair, symbols, self._engine = comparison.pair, comparison.symbols, comparison.options.engine
        if self._engine not in ENGINES:
            raise ParameterError.unknown("engine", self._engine, ENGINES)
        gold, test = pair.gold.treebank, pair.test.treebank
        spans = ((gold.start, gold.end), (test.start, test.end)) if pair.alignment is not None else pair.spans
        self._gold, self._test = columns_of(gold, symbols.gold, spans[0]), columns_of(test, symbols.test, spans[1])
        self._words_in_both = _words_in_both(comparison)
        self._scored = ((pair.status != SentenceStatus.MISSING) & (gold.n_words > 0)).astype(np.uint8)
        self._counts = np.zeros((len(gold), len(COLUMNS)), dtype=np.int32)
        self.partner_gold, self.moved_gold = (np.full(len(gold.label), -1, dtype=np.int32) for _ in range(2))
        self.partner_test, self.moved_test = (np.full(len(test.label), -1, dtype=np.int32) for _ in range(2))

    @property
    def counts(self) -> NDArray[np.int32]:
        """The counts, in the order of :data:`COLUMNS`."""
        return self._counts

    def undefined(self, column: str) -> NDArray[np.bool_]:
        """Return the sentences that are too large."""
        return self.too_large

    @property
    def too_large(self) -> NDArray[np.bool_]:
        """Pairs that were not aligned because of their size."""
        result: NDArray[np.bool_] = self.counts[:, 0] < 0
        return result

    def run(self, first: int, last: int) -> None:
        """Align the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.tree_distance import align_trees, find_moves

        partners = (self.partner_gold, self.partner_test)
        if self._engine == "apted":
            from evaltools.frameworks.constituency.apted_engine import align_with_apted

            align_with_apted(self._gold, self._test, self._scored, self._counts, *partners, first, last)
        else:
            options = self._scored, _FIRST_BAND, NO_FREE
            align_trees(*self._gold, *self._test, *options, self._counts, *partners, first, last)
        self._counts[first:last, 2:4] = self._words_in_both[first:last, np.newaxis]
        moved = (self.moved_gold, self.moved_test)
        find_moves(*self._gold, *self._test, *partners, self._counts, *moved, first, last)
