"""TedEval of 2011: tree edit distance between function trees with one label a node.

Operations delete, insert and relabel nodes of ordered trees, at unit cost; to relabel from or to the wildcard ``*``, or
between two labels of a user's list, is free. With ES the script of the canonical mapping,

    δ = |ES(parse → gen)| − |ES(parse → gen) ∩ ES(gold → gen)|,   score = 1 − δ / (|parse| + |gen|)

The generalization of several golds has the spans that are in all of them. A label survives if it is the same in all,
and becomes ``*`` if the labels agree with one another (one is ``*``, or the pair is free); else the span is dropped, in
unlabelled mode kept. Unlabelled, every relabelling is free.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP 2011.

Notes
-----
Ordered trees have contiguous yields. The paper made its non-projective gold trees projective (Nivre and Nilsson 2005)
before it trained and parsed; here :func:`evaltools.metrics.projectivization.projectivize` does so with gold trees and
parses when they are scored, which can be turned off. Discontinuous constituents are not changed: the sentence has no
score, as with two functions over the same words, and over all sentences it counts as one of which nothing is matched.

Differences from the paper, and what it leaves open: words are nodes of the ordered trees, as in Emms's tree distance,
and never relabelled; sizes do not count them. The script is that of the canonical mapping (cheapest, then most matches,
then most equal spans). In its example (6) the paper lets the more specific label survive once where one is ``*``; here
``*`` always does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.base import Columns, Counts, Metric, or_perfect, ratio
from evaltools.metrics.function_columns import FunctionColumns
from evaltools.metrics.memberships import Memberships, Segmentation
from evaltools.metrics.tedeval import statuses
from evaltools.metrics.tree_distance import NO_FREE
from evaltools.treebank.function_trees import WILDCARD

__all__ = ["COLUMNS", "METRICS", "OVER_ALL", "REFUSALS", "Refusal", "TedEval2011"]

LABELS = ("unlabelled", "labelled")

COLUMNS = (
    "sentences",
    *(f"tedeval2011_{what}_{labels}" for labels in LABELS for what in ("parse", "generalized", "error", "equal")),
)
"""Count columns: |parse|, |gen|, δ, and whether the parse equals its own gold."""


class Refusal(IntEnum):
    """Why a sentence has no score in this mode."""

    NONE = 0
    NOT_PROJECTIVE = 1
    TWO_LABELS = 2
    TOO_LARGE = 3


_TAKES = "TedEval of 2012 (tedeval_single, tedeval_multiple) takes"

REFUSALS = {
    Refusal.NOT_PROJECTIVE: f"a tree that is not projective; {_TAKES} it",
    Refusal.TWO_LABELS: f"two functions over the same words; {_TAKES} them",
    Refusal.TOO_LARGE: f"trees that are too large for an edit distance; {_TAKES} them",
}
"""What to say about it."""

OVER_ALL = {f"tedeval2011_error_{labels}": f"tedeval2011_error_all_{labels}" for labels in LABELS}
"""δ is null in refused sentences; what takes its place over all sentences is |parse| + |gen| there: nothing matched."""


def _metric(labels: str) -> Metric:
    delta, parse, gen, equal = (f"tedeval2011_{what}_{labels}" for what in ("error", "parse", "generalized", "equal"))

    def score(counts: Counts) -> NDArray[np.float64]:
        scores = 1 - ratio(counts[delta], counts[parse] + counts[gen])
        result: NDArray[np.float64] = or_perfect(scores, counts[equal], counts["sentences"])
        return result

    return Metric(
        id=f"tedeval2011_{labels}",
        title=f"TedEval 2011, {labels}",
        family="tedeval2011",
        formula="1 − δ / (|parse| + |gen|)",
        columns=("sentences", delta, parse, gen, equal),
        score=score,
        over_all={delta: OVER_ALL[delta]},
        where_words_differ="not scored: its trees are over the words",
        scored_aligned=False,
    )


METRICS: tuple[Metric, ...] = tuple(_metric(labels) for labels in LABELS)

Spans = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Sentence, span and label of every node, each span once."""


class TedEval2011:
    """The pass of TedEval of 2011.

    Parameters
    ----------
    parse : FunctionColumns
        The parser's trees; dependencies with ``*`` as the label of heads.
    golds : sequence of FunctionColumns
        Gold trees of the same sentences, one or more.
    own : int
        Which of them is of the parser's theory.
    free : iterable of (str, str)
        Pairs of labels that agree, in either order.
    count_root : bool
        Whether the node over the whole sentence counts.

    Attributes
    ----------
    counts : ndarray of int64, shape (sentences, 9)
        As :data:`COLUMNS` names them. Where the sentence is refused, the parse is missing, or its words differ, nothing
        is matched.
    status : ndarray of uint8, shape (sentences,)
        A :class:`~evaltools.metrics.memberships.Segmentation`; sentences whose words differ are not compared over
        characters here.
    refused : ndarray of uint8, shape (sentences,)
        A :class:`Refusal` for each sentence: the first of its trees', or of the sentence as a whole.
    refused_trees : ndarray of uint8, shape (1 + golds, sentences)
        A :class:`Refusal` for each tree, the parse's first; a pair that is too large is the parse's.
    operations : dict of str to ndarray of int64, shape (operations, 7)
        For ``"unlabelled"`` and ``"labelled"``, the script from the parse to the generalization: sentence; 0 for a
        deletion, 1 for an insertion, 2 for a relabelling; span and symbol; span and symbol after relabelling, else -1;
        and 1 if it is discarded. Symbols from the number of labels on are words.
    """

    def __init__(
        self,
        parse: FunctionColumns,
        golds: Sequence[FunctionColumns],
        own: int = 0,
        *,
        free: Iterable[tuple[str, str]] = (),
        count_root: bool = False,
    ) -> None:
        if not 0 <= own < len(golds):
            raise ParameterError(f"gold {own} of {len(golds)}; expected a number from 0 to {len(golds) - 1}")
        n = len(golds[own])
        self.status = statuses(parse, golds)
        self.refused = np.zeros(n, dtype=np.uint8)
        self.refused_trees = np.zeros((1 + len(golds), n), dtype=np.uint8)
        self.counts = np.zeros((n, len(COLUMNS)), dtype=np.int64)
        self.operations: dict[str, NDArray[np.int64]] = {}
        compared = [self._single(corpus, place) for place, corpus in enumerate((parse, *golds))]
        agree, wildcard = _agreement(parse, free)
        gens = {
            labels: _generalization(compared[1:], agree, wildcard, keep=labels == "unlabelled") for labels in LABELS
        }
        usable = self.status == Segmentation.WORDS
        known = self.status != Segmentation.NO_GOLD
        found = Memberships([parse, *golds], np.full(n, Segmentation.WORDS, dtype=np.uint8))
        for place, labels in enumerate(LABELS):
            labelled = labels == "labelled"
            sides = (compared[0], compared[1 + own], gens[labels])
            trees = [
                self._trees(side, whose, golds[own].n_words, agree, labelled, count_root, usable)
                for side, whose in zip(sides, (0, 1 + own, 1 + own), strict=True)
            ]
            script = self._script(trees[0], trees[2], agree if labelled else NO_FREE, usable)
            native = self._script(trees[1], trees[2], agree if labelled else NO_FREE, usable)
            shared = _in_both(script, native)
            self.operations[labels] = np.column_stack((script, shared))
            sizes = [_sizes(side, golds[own].n_words, labelled, count_root) for side in (compared[0], gens[labels])]
            error = np.bincount(script[~shared, 0], minlength=n)
            error = np.where(usable, error, sizes[0] + sizes[1])
            own_bit = 2 << own
            equal = found.equal_trees(1, own_bit, own_bit, labelled=False)
            if labelled:
                equal &= found.equal_trees(1, own_bit, own_bit, labelled=True)
            self.counts[:, 1 + 4 * place : 5 + 4 * place] = np.column_stack((*sizes, error, equal & usable))
        refused = self.refused != Refusal.NONE
        for parse_size in (1, 5):  # of which nothing is matched
            self.counts[refused, parse_size + 2] = self.counts[refused, parse_size : parse_size + 2].sum(axis=1)
            self.counts[refused, parse_size + 3] = 0
        self.counts[:, 0] = 1
        self.counts[~known] = 0

    def _single(self, corpus: FunctionColumns, whose: int) -> Spans:
        """Return every span once, with its label; mark the trees that have two, or a span that is not contiguous."""
        order = np.lexsort((corpus.label, corpus.span, corpus.sentence))
        sentence, span, label = corpus.sentence[order], corpus.span[order], corpus.label[order]
        same = (sentence[1:] == sentence[:-1]) & (span[1:] == span[:-1])
        two = same & (label[:-1] >= 0) & (label[:-1] != label[1:])
        self._refuse(sentence[1:][two], whose, Refusal.TWO_LABELS)
        self._refuse(sentence[span < 0], whose, Refusal.NOT_PROJECTIVE)
        last = np.concatenate((~same, [True])) if len(sentence) else np.zeros(0, dtype=bool)
        return sentence[last].astype(np.int64), span[last], label[last].astype(np.int64)

    def _refuse(self, sentences: NDArray[np.int32] | NDArray[np.intp], whose: int, why: Refusal) -> None:
        for refused in (self.refused, self.refused_trees[whose]):
            refused[sentences[refused[sentences] == Refusal.NONE]] = why

    def _trees(
        self,
        side: Spans,
        whose: int,
        n_words: NDArray[np.int64],
        agree: NDArray[np.uint8],
        labelled: bool,
        count_root: bool,
        usable: NDArray[np.bool_],
    ) -> Columns:
        """Return ordered trees as the kernel takes them; sentences that are not compared have none."""
        from evaltools.kernels.span_trees import build_span_trees

        usable = usable & (self.refused == Refusal.NONE)
        n_words = np.where(usable, n_words, 0)
        sentence, span, label = side
        chosen = usable[sentence] & _counted(side, n_words, labelled, count_root)
        n_labels = len(agree) if labelled else 1
        word_sentence = np.repeat(np.arange(len(n_words)), n_words)
        word = np.arange(len(word_sentence)) - np.repeat(np.cumsum(n_words) - n_words, n_words)
        sentence = np.concatenate((sentence[chosen], word_sentence))
        start = np.concatenate((span[chosen] >> 32, word)).astype(np.int32)
        end = np.concatenate((span[chosen] & 0xFFFFFFFF, word + 1)).astype(np.int32)
        symbol = np.concatenate((label[chosen] if labelled else np.zeros_like(label[chosen]), n_labels + word))
        kind = np.repeat(np.array([0, 2], dtype=np.uint8), [int(chosen.sum()), len(word)])
        order = np.lexsort((kind != 2, -start, end, sentence))
        offsets = np.concatenate(([0], np.cumsum(np.bincount(sentence, minlength=len(n_words))))).astype(np.int64)
        start, end = start[order], end[order]
        parent, leftmost = np.zeros(len(start), dtype=np.int32), np.zeros(len(start), dtype=np.int32)
        crossing = np.zeros(len(n_words), dtype=np.uint8)
        build_span_trees(start, end, offsets, parent, leftmost, crossing)
        self._refuse(np.flatnonzero(crossing), whose, Refusal.NOT_PROJECTIVE)
        return symbol[order].astype(np.int32), parent, leftmost, start, end, kind[order], offsets

    def _script(
        self, start: Columns, goal: Columns, free: NDArray[np.uint8], usable: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Return the script of the canonical mapping: sentence, kind, span, symbol, and both after relabelling."""
        from evaltools.kernels.tree_distance import align_trees

        n = len(usable)
        scored = (usable & (self.refused == Refusal.NONE)).astype(np.uint8)
        counts = np.zeros((n, 10), dtype=np.int32)
        partners = [np.full(len(side[0]), -1, dtype=np.int32) for side in (start, goal)]
        align_trees(*start, *goal, scored, 4, free, counts, *partners, 0, n)
        self._refuse(np.flatnonzero(counts[:, 0] < 0), 0, Refusal.TOO_LARGE)
        rows = []
        for kind, side, partner in ((0, start, partners[0]), (1, goal, partners[1])):
            sentence = np.repeat(np.arange(n), np.diff(side[6]))
            alone = np.flatnonzero((partner < 0) & (scored[sentence] > 0))
            nothing = np.full(len(alone), -1, dtype=np.int64)
            rows.append(np.column_stack((sentence[alone], nothing + 1 + kind, *_nodes(side, alone), nothing, nothing)))
        sentence = np.repeat(np.arange(n), np.diff(start[6]))
        mapped = np.flatnonzero(partners[0] >= 0)
        other = goal[6][sentence[mapped]] + partners[0][mapped]
        one_symbol, other_symbol = start[0][mapped], goal[0][other]
        costs = one_symbol != other_symbol
        inside = costs & (one_symbol < len(free)) & (other_symbol < len(free))
        costs[inside] = free[one_symbol[inside], other_symbol[inside]] == 0
        mapped, other = mapped[costs], other[costs]
        twos = np.full(len(mapped), 2, dtype=np.int64)
        rows.append(np.column_stack((sentence[mapped], twos, *_nodes(start, mapped), *_nodes(goal, other))))
        return np.concatenate(rows)


def _nodes(side: Columns, chosen: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the spans and symbols of some nodes."""
    return side[3][chosen].astype(np.int64) << 32 | side[4][chosen], side[0][chosen].astype(np.int64)


def _counted(side: Spans, n_words: NDArray[np.int64], labelled: bool, count_root: bool) -> NDArray[np.bool_]:
    """Tell which nodes count."""
    sentence, span, label = side
    counted = label >= 0 if labelled else np.ones(len(label), dtype=bool)
    return counted if count_root else counted & (span != n_words[sentence])


def _sizes(side: Spans, n_words: NDArray[np.int64], labelled: bool, count_root: bool) -> NDArray[np.int64]:
    return np.bincount(side[0][_counted(side, n_words, labelled, count_root)], minlength=len(n_words))


def _agreement(corpus: FunctionColumns, free: Iterable[tuple[str, str]]) -> tuple[NDArray[np.uint8], int]:
    """Return a matrix with 1 for every two labels that agree without being the same, and the wildcard's number."""
    labels = corpus.vocabulary.labels
    wildcard = labels.add(WILDCARD)
    agree = np.zeros((len(labels), len(labels)), dtype=np.uint8)
    for one, other in ((labels.find(one), labels.find(other)) for one, other in free):
        if one >= 0 and other >= 0:
            agree[one, other] = agree[other, one] = 1
    agree[wildcard, :] = agree[:, wildcard] = 1
    return agree, wildcard


def _generalization(golds: Sequence[Spans], agree: NDArray[np.uint8], wildcard: int, *, keep: bool) -> Spans:
    """Return what all golds have in common; with `keep`, spans whose labels do not agree stay, without a label."""
    if len(golds) == 1:
        return golds[0]
    sentence, span, label = (np.concatenate([gold[column] for gold in golds]) for column in range(3))
    order = np.lexsort((span, sentence))
    sentence, span, label = sentence[order], span[order], label[order]
    many = len(golds)
    first = np.flatnonzero((sentence[many - 1 :] == sentence[: 1 - many]) & (span[many - 1 :] == span[: 1 - many]))
    labels = label[first[:, None] + np.arange(many)]
    common = labels[:, 0].copy()
    different = (labels != common[:, None]).any(axis=1)
    fits = (labels >= 0).all(axis=1)
    for one in range(many):
        for other in range(one):
            fits &= (labels[:, one] == labels[:, other]) | (agree[labels[:, one], labels[:, other]] == 1)
    common[different] = np.where(fits[different], wildcard, -1)
    kept = slice(None) if keep else common >= 0
    return sentence[first][kept], span[first][kept], common[kept]


def _in_both(script: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which operations of a script are in another one, too."""
    together = np.concatenate((script, other))
    order = np.lexsort(together.T)
    ordered = together[order]
    twin = (ordered[1:] == ordered[:-1]).all(axis=1)
    found = np.zeros(len(together), dtype=bool)
    found[order[1:][twin]] = found[order[:-1][twin]] = True
    return found[: len(script)]
