"""TedEval across frameworks: edit scripts between multi-function trees.

Every parse and gold tree is a set of pairs (function, words). With unit costs for additions and deletions, the
only cheapest script from one tree to another deletes the pairs that only the first has and adds those that only the
second has:

    ES(π1 → π2)  = {delete x : x ∈ π1 ∖ π2} ∪ {add x : x ∈ π2 ∖ π1}
    δ            = |ES(parse → gen)| − |ES(parse → gen) ∩ ES(gold → gen)|
    score        = 1 − δ / (|parse| + |gen|)

*Single*: gen is the parser's own gold. *Multiple*: gen is what all golds have in common; an operation that the parser's
own gold needs, too, is no error. *Labeled* scores count pairs of a function and
its words, *unlabeled* ones count nodes.

TedEval of 2011 is the tree edit distance between function trees with one label a node. Operations delete, insert and
relabel nodes of ordered trees, at unit cost; to relabel from or to the wildcard ``*``, or between two labels of a
user's list, is free. With ES the script of the canonical mapping,

    δ = |ES(parse → gen)| − |ES(parse → gen) ∩ ES(gold → gen)|,   score = 1 − δ / (|parse| + |gen|)

The generalization of several golds has the spans that are in all of them. A label survives if it is the same in all,
and becomes ``*`` if any two labels agree (either is ``*``, or the pair is free); else the span is dropped, in
unlabeled mode kept. Unlabeled, every relabeling is free.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.
R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP 2011.

Notes
-----
Differences from the paper: the words of a node are a set and need not be contiguous, so nothing has to be
projectivized; for projective trees the figures are the paper's. Where the words differ but the characters of the text
do not (joint segmentation, the paper's future work), nodes are sets of members: of characters outside multiword tokens;
inside them of words, which are aligned by form as in the CoNLL 2018 evaluation, and a word without a partner is a
member that the other side lacks. The paper's figure is ``pooled``; ``mean`` is given beside it. Two trees that are
equal score 1, also where there is nothing to count.

Ordered trees have contiguous yields. The paper made its non-projective gold trees projective (Nivre and Nilsson 2005)
before it trained and parsed; here gold trees and parses are made projective when they are scored, which can be turned
off (:func:`evaltools.frameworks.crossframework.function_columns.projectivize`). Discontinuous constituents are not
changed: the sentence has no score, as with two functions over the same words, and over all sentences it counts as one
of which nothing is matched. Of such functions, the alphabetically last is then the node's.

Differences from the paper, and what it leaves open: words are nodes of the ordered trees, as in Emms's tree distance,
and never relabeled; sizes do not count them. The script is that of the canonical mapping (cheapest, then most matches,
then most equal spans). In its example (6) the paper lets the more specific label survive once where one is ``*``; here
``*`` always does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind
from evaltools.corpus.folding import compared_label
from evaltools.corpus.function_trees import WILDCARD
from evaltools.frameworks.common.columns import NO_FREE, Columns
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionComparison
from evaltools.frameworks.crossframework.memberships import Memberships, Segmentation, check_own, compare_words
from evaltools.frameworks.metric import Count, Counts, ErrorCount, Family, Metric, Place, or_perfect, ratio
from evaltools.frameworks.passes import Pass

LABELS = ("unlabeled", "labeled")

COLUMNS = (
    "sentences",
    *(
        f"tedeval_{what}_{labels}"
        for labels in LABELS
        for what in ("parse", "gold", "generalized", "single_error", "multiple_error", "single_equal", "multiple_equal")
    ),
)
"""Count columns: |parse|, |gold|, |gen|, δ against the own gold and against all, and whether the trees are equal."""

SYMBOLS = {"parse": "|parse|", "gold": "|gold|", "generalized": "|gen|", "error": "δ", "equal": ""}
COUNTS: dict[str, Count] = {
    f"tedeval_{what}_{labels}": Count(
        description, SYMBOLS[what.split("_")[-1]], cost="operations" if what.endswith("error") else ""
    )
    for labels, unit in (("unlabeled", "nodes"), ("labeled", "functions"))
    for what, description in {
        "parse": f"{unit} of the parses",
        "gold": f"{unit} of the own gold",
        "generalized": f"{unit} that all golds have",
        "single_error": "operations that count, against the own gold",
        "multiple_error": "operations that count, against all golds",
        "single_equal": "sentences with equal trees, own gold",
        "multiple_equal": "sentences with equal trees, all golds",
    }.items()
}
"""What the columns count."""

_SINGLE, _MULTIPLE = ("single", "gold"), ("multiple", "generalized")
"""In the names of columns the golds that count, and |gen|."""


_TITLE = "TedEval: function trees across frameworks"

FAMILY = Family(
    "tedeval",
    _TITLE,
    "frameworks",
    COUNTS,
    words_differ="where the text is the same, nodes are sets of characters, inside multiword tokens of aligned words; "
    "else not scored",
    papers=("tsarfaty-2012",),
)


def tedeval_metric(delta: str, parse: str, gen: str, equal: str, **more: Any) -> Metric:
    """Return a metric with the formula of TedEval over some count columns."""

    def score(counts: Counts) -> NDArray[np.float64]:
        scores = 1 - ratio(counts[delta], counts[parse] + counts[gen])
        result: NDArray[np.float64] = or_perfect(scores, counts[equal], counts["sentences"])
        return result

    return Metric(columns=("sentences", delta, parse, gen, equal), score=score, **more)


def _metric(golds: str, labels: str) -> Metric:
    against = "own gold" if golds == "single" else "all golds"
    gold_trees = (
        "the parser’s own gold tree" if golds == "single" else "what the gold trees of all theories have in common"
    )
    unit = "functions and their words" if labels == "labeled" else "sets of words"
    return tedeval_metric(
        f"tedeval_{golds}_error_{labels}",
        f"tedeval_parse_{labels}",
        f"tedeval_{'gold' if golds == 'single' else 'generalized'}_{labels}",
        f"tedeval_{golds}_equal_{labels}",
        id=f"tedeval_{golds}_{labels}",
        title=f"TedEval, {against}, {labels}",
        family=FAMILY,
        help=f"1 − edit operations from the parse to {gold_trees}, as a share of the nodes of both ({unit}), in %.",
        short=f"{against}, {'lab.' if labels == 'labeled' else 'unlab.'}",
        place=Place(overview=True, reports=True, mapping=labels, norm=against),
    )


METRICS: tuple[Metric, ...] = tuple(_metric(golds, labels) for golds in ("single", "multiple") for labels in LABELS)

ERRORS = ErrorCount(
    Metric(
        id="tedeval_errors",
        title="Edit operations",
        family=FAMILY,
        columns=("sentences", "tedeval_multiple_error_unlabeled"),
        score=lambda counts: counts["tedeval_multiple_error_unlabeled"],
        help="Edit operations from the parse to what the gold trees of all theories have in common, labels ignored.",
        unit="per sentence",
        higher_is_better=False,
    ),
    "edit operation",
    "edit operations",
)
"""The number of edit operations of a parse that count."""


def metric_of(golds: str, *, labeled: bool) -> Metric:
    """Return the metric against the own gold (``single``) or all golds (``multiple``)."""
    name = f"tedeval_{golds}_{'labeled' if labeled else 'unlabeled'}"
    return next(metric for metric in METRICS if metric.id == name)


class FunctionPass(Pass[FunctionComparison]):
    """A pass over function trees whose labeled counts are undefined if the parser's trees carry no functions."""

    def __init__(self, golds: Sequence[FunctionColumns], own: int, *, labeled: bool) -> None:
        check_own(own, len(golds))
        self._labeled = labeled
        self._counts = np.zeros((len(golds[own]), len(self.columns)))

    @property
    def counts(self) -> NDArray[np.float64]:
        """The counts, shape (sentences, columns)."""
        return self._counts

    def undefined(self, column: str) -> NDArray[np.bool_]:
        """Return the sentences in which a count is undefined."""
        return np.full(len(self._counts), column.endswith("_labeled") and not self._labeled)


class TedEval(FunctionPass):
    """The TedEval pass: a parser's trees against its own gold, and against what all golds have in common."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(
        self,
        parse: FunctionColumns,
        golds: Sequence[FunctionColumns],
        own: int = 0,
        *,
        count_root: bool = True,
        labeled: bool = True,
    ) -> None:
        super().__init__(golds, own, labeled=labeled)
        compared = [compare_words([parse, gold]) for gold in golds]
        names = [_SINGLE] if len(golds) > 1 else [_SINGLE, _MULTIPLE]  # the only gold is all golds
        self.status = self._fill(names, parse, [golds[own]], 0, [compared[own]], count_root)
        if len(golds) > 1:
            self._fill([_MULTIPLE], parse, golds, own, compared, count_root)
        self._column("sentences")[:] = self.status != Segmentation.NO_GOLD

    @classmethod
    def prepare(cls, comparison: FunctionComparison) -> Self:
        """Score a parser's trees."""
        return cls(
            comparison.parse,
            comparison.golds,
            comparison.own,
            count_root=comparison.count_root,
            labeled=comparison.labeled,
        )

    def _column(self, name: str) -> NDArray[np.float64]:
        return self._counts[:, COLUMNS.index(name)]

    def _fill(
        self,
        names: Sequence[tuple[str, str]],
        parse: FunctionColumns,
        golds: Sequence[FunctionColumns],
        own: int,
        compared: Sequence[NDArray[np.uint8]],
        count_root: bool,
    ) -> NDArray[np.uint8]:
        """Enter the counts against some golds; return the status of every sentence."""
        status = statuses(parse, golds, compared)
        memberships = Memberships([parse, *golds], status, own)
        comparable, scored = status <= Segmentation.CHARACTERS, status != Segmentation.NO_GOLD
        in_own, in_golds = 2 << own, (2 << len(golds)) - 2
        equal = comparable
        for labels in LABELS:
            nodes = memberships.nodes(labeled=labels == "labeled", count_root=count_root)
            equal = equal & ~np.logical_and.reduce([nodes.differing(wanted) for wanted in {in_own, in_golds}])
            parsed, gen = (nodes.counted & 1) != 0, (nodes.counted & in_golds) == in_golds
            is_error = np.where(parsed, (nodes.counted & in_own) == 0, gen)
            n_parse, n_gen, error = (nodes.count(chosen) for chosen in (parsed, gen, is_error))
            # if they cannot be compared, all of the parse is deleted and all of gen is added; else its own gold, which
            # has all of gen, only needs some of the deletions
            error = np.where(comparable, error, n_parse + n_gen)
            for which, gen_name in names:
                columns = {f"{which}_error": error, "parse": n_parse, gen_name: n_gen, f"{which}_equal": equal}
                for name, values in columns.items():
                    self._column(f"tedeval_{name}_{labels}")[:] = values * scored
        return status


def statuses(
    parse: FunctionColumns, golds: Sequence[FunctionColumns], compared: Sequence[NDArray[np.uint8]] = ()
) -> NDArray[np.uint8]:
    """Return the Segmentation of each sentence; `compared` has that of the parse and each gold where it is known."""
    status: NDArray[np.uint8] = np.maximum.reduce(compared or [compare_words([parse, *golds])])
    status[parse.n_words == 0] = Segmentation.MISSING
    status[compare_words(golds) == Segmentation.DIFFERENT] = Segmentation.NO_GOLD
    for gold in golds:
        status[gold.n_words == 0] = Segmentation.NO_GOLD
    return status


class Overlaps:
    """How much gold standards of the same sentences have in common, added up over parts of a corpus."""

    def __init__(self, theories: Iterable[str], *, count_root: bool) -> None:
        self._count_root = count_root
        self._counts = {pair: dict.fromkeys(LABELS, (0, 0)) for pair in combinations(theories, 2)}

    def add(self, golds: Mapping[str, FunctionColumns]) -> None:
        """Add the gold trees of some sentences."""
        for (theory_a, theory_b), counts in self._counts.items():
            corpora = [golds[theory_a], golds[theory_b]]
            status = statuses(corpora[0], corpora[1:])
            comparable = status <= Segmentation.CHARACTERS
            memberships = Memberships(corpora, status)
            for labels, (different, sizes) in counts.items():
                nodes = memberships.nodes(labeled=labels == "labeled", count_root=self._count_root)
                in_one, in_both = (np.isin(nodes.counted, which) for which in ([1, 2], [3]))
                n_different, n_both = (int(nodes.count(which)[comparable].sum()) for which in (in_one, in_both))
                counts[labels] = different + n_different, sizes + n_different + 2 * n_both

    def shares(self) -> dict[str, dict[str, float | None]]:
        """Return the overlap by pair of theories and by whether labels count; None where there is nothing to count."""
        return {
            f"{theory_a}+{theory_b}": {
                labels: 1 - different / sizes if sizes else None for labels, (different, sizes) in counts.items()
            }
            for (theory_a, theory_b), counts in self._counts.items()
        }


# ----------------------------------------------------------------------------------------------------- TedEval of 2011

COLUMNS_2011 = (
    "sentences",
    *(f"tedeval2011_{what}_{labels}" for labels in LABELS for what in ("parse", "generalized", "error", "equal")),
)
"""Count columns: |parse|, |gen|, δ, and whether the parse equals its own gold.

δ is null in refused sentences; figures over all sentences use |parse| + |gen| there, as nothing is matched.
"""

COUNTS_2011: dict[str, Count] = {
    f"tedeval2011_{what}_{labels}": Count(
        description,
        SYMBOLS[what],
        cost="operations" if what == "error" else "",
        over_all=f"tedeval2011_error_all_{labels}" if what == "error" else "",
    )
    for labels, unit in (("unlabeled", "nodes"), ("labeled", "functions"))
    for what, description in {
        "parse": f"{unit} of the parses, 2011",
        "generalized": f"{unit} that all golds have, 2011",
        "error": "operations that count, 2011",
        "equal": "sentences with equal trees, 2011",
    }.items()
}
"""What the columns count."""


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
"""The reasons in words."""

FAMILY_2011 = Family(
    "tedeval2011",
    _TITLE,
    "frameworks",
    COUNTS_2011,
    words="equal",
    words_differ="not scored: its trees are over the words",
    papers=("tsarfaty-2011",),
)


def _metric_2011(labels: str) -> Metric:
    return tedeval_metric(
        *(f"tedeval2011_{what}_{labels}" for what in ("error", "parse", "generalized", "equal")),
        id=f"tedeval2011_{labels}",
        title=f"TedEval 2011, {labels}",
        family=FAMILY_2011,
        help="1 − edit operations from the parse to the generalized gold tree as published in 2011, for projective "
        f"trees, {labels}, in %.",
        short=f"2011, {'lab.' if labels == 'labeled' else 'unlab.'}",
        place=Place(mapping=labels, norm="2011"),
    )


METRICS_2011: tuple[Metric, ...] = tuple(_metric_2011(labels) for labels in LABELS)


Spans = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Sentence, span and label of every node, each span once."""


class TedEval2011(FunctionPass):
    """The pass of TedEval of 2011."""

    family = FAMILY_2011
    columns = COLUMNS_2011
    metrics = METRICS_2011

    def __init__(
        self,
        parse: FunctionColumns,
        golds: Sequence[FunctionColumns],
        own: int = 0,
        *,
        free: Iterable[tuple[str, str]] = (),
        labeled: bool = True,
    ) -> None:
        super().__init__(golds, own, labeled=labeled)
        n = len(golds[own])
        self.status = statuses(parse, golds)
        self.refused = np.zeros(n, dtype=np.uint8)
        self.refused_trees = np.zeros((1 + len(golds), n), dtype=np.uint8)
        self.operations: dict[str, NDArray[np.int64]] = {}
        compared = [self._single(corpus, index) for index, corpus in enumerate((parse, *golds))]
        agree, wildcard = _agreement(parse, free)
        gens = {labels: _generalization(compared[1:], agree, wildcard, keep=labels == "unlabeled") for labels in LABELS}
        comparable = self.status == Segmentation.WORDS
        with_own = Memberships([parse, golds[own]], np.full(n, Segmentation.WORDS, dtype=np.uint8))
        equal = np.ones(n, dtype=np.bool_)
        for index, labels in enumerate(LABELS):
            labeled = labels == "labeled"
            sides = (compared[0], compared[1 + own], gens[labels])
            trees = [
                self._trees(side, corpus, golds[own].n_words, agree, labeled, comparable)
                for side, corpus in zip(sides[: min(len(golds) + 1, 3)], (0, 1 + own, 1 + own), strict=False)
            ]
            trees += trees[1:] if len(trees) < 3 else []  # what one gold treebank has in common with itself
            script = self._script(trees[0], trees[2], agree if labeled else NO_FREE, comparable)
            native = self._script(trees[1], trees[2], agree if labeled else NO_FREE, comparable)
            shared = _in_both(script, native)
            self.operations[labels] = np.column_stack((script, shared))
            sizes = [_sizes(side, golds[own].n_words, labeled) for side in (compared[0], gens[labels])]
            error = np.bincount(script[~shared, 0], minlength=n)
            error = np.where(comparable, error, sizes[0] + sizes[1])
            equal &= ~with_own.nodes(labeled=labeled, count_root=True).differing(2)
            self._counts[:, 1 + 4 * index : 5 + 4 * index] = np.column_stack((*sizes, error, equal & comparable))
        refused = self.refused != Refusal.NONE
        for parse_size in (1, 5):  # of which nothing is matched
            self._counts[refused, parse_size + 2] = self._counts[refused, parse_size : parse_size + 2].sum(axis=1)
            self._counts[refused, parse_size + 3] = 0
        self._counts[:, 0] = 1
        self._counts[self.status == Segmentation.NO_GOLD] = 0

    @classmethod
    def prepare(cls, comparison: FunctionComparison) -> Self:
        """Score a parser's trees."""
        return cls(
            comparison.star,
            comparison.stars,
            comparison.own,
            free=comparison.free_labels,
            labeled=comparison.labeled,
        )

    def undefined(self, column: str) -> NDArray[np.bool_]:
        """Return the sentences in which a count is undefined: δ also where trees are refused or words differ."""
        undefined = super().undefined(column)
        if column in COUNTS_2011 and COUNTS_2011[column].over_all:
            undefined |= (self.refused != Refusal.NONE) | (self.status == Segmentation.CHARACTERS)
        return undefined

    def _single(self, columns: FunctionColumns, corpus: int) -> Spans:
        """Return every span once, with its label; mark the trees that have two, or a span that is not contiguous."""
        labels = columns.vocabulary.labels.strings()
        rank = np.full(len(labels) + 1, -1)  # no label, -1, comes first
        rank[sorted(range(len(labels)), key=labels.__getitem__)] = np.arange(len(labels))
        order = np.lexsort((rank[columns.label], columns.span, columns.sentence))
        sentence, span, label = columns.sentence[order], columns.span[order], columns.label[order]
        same = (sentence[1:] == sentence[:-1]) & (span[1:] == span[:-1])
        two = same & (label[:-1] >= 0) & (label[:-1] != label[1:])
        self._refuse(sentence[1:][two], corpus, Refusal.TWO_LABELS)
        self._refuse(sentence[span < 0], corpus, Refusal.NOT_PROJECTIVE)
        last = np.concatenate((~same, [True])) if len(sentence) else np.zeros(0, dtype=bool)
        return sentence[last].astype(np.int64), span[last], label[last].astype(np.int64)

    def _refuse(self, sentences: NDArray[np.int32] | NDArray[np.intp], corpus: int, reason: Refusal) -> None:
        for refused in (self.refused, self.refused_trees[corpus]):
            refused[sentences[refused[sentences] == Refusal.NONE]] = reason

    def _trees(
        self,
        side: Spans,
        corpus: int,
        n_words: NDArray[np.int64],
        agree: NDArray[np.uint8],
        labeled: bool,
        comparable: NDArray[np.bool_],
    ) -> Columns:
        """Return ordered trees as the kernel takes them; sentences that are not compared have none."""
        from evaltools.kernels.spans import build_span_trees

        comparable = comparable & (self.refused == Refusal.NONE)
        n_words = np.where(comparable, n_words, 0)
        sentence, span, label = side
        chosen = comparable[sentence] & _counted(side, n_words, labeled)
        n_labels = len(agree) if labeled else 1
        word_sentence = np.repeat(np.arange(len(n_words)), n_words)
        word = np.arange(len(word_sentence)) - np.repeat(np.cumsum(n_words) - n_words, n_words)
        sentence = np.concatenate((sentence[chosen], word_sentence))
        start = np.concatenate((span[chosen] >> 32, word)).astype(np.int32)
        end = np.concatenate((span[chosen] & 0xFFFFFFFF, word + 1)).astype(np.int32)
        symbol = np.concatenate((label[chosen] if labeled else np.zeros_like(label[chosen]), n_labels + word))
        kind = np.repeat(np.array([0, 2], dtype=np.uint8), [int(chosen.sum()), len(word)])
        order = np.lexsort((kind != 2, -start, end, sentence))
        offsets = np.concatenate(([0], np.cumsum(np.bincount(sentence, minlength=len(n_words))))).astype(np.int64)
        start, end = start[order], end[order]
        parent, leftmost = np.zeros(len(start), dtype=np.int32), np.zeros(len(start), dtype=np.int32)
        crossing = np.zeros(len(n_words), dtype=np.uint8)
        build_span_trees(start, end, offsets, parent, leftmost, crossing)
        self._refuse(np.flatnonzero(crossing), corpus, Refusal.NOT_PROJECTIVE)
        return symbol[order].astype(np.int32), parent, leftmost, start, end, kind[order], offsets

    def _script(
        self, start: Columns, goal: Columns, free: NDArray[np.uint8], comparable: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Return the script of the canonical mapping: sentence, kind, span, symbol, and both after relabeling."""
        from evaltools.kernels.tree_distance import align_trees

        n = len(comparable)
        scored = (comparable & (self.refused == Refusal.NONE)).astype(np.uint8)
        counts = np.zeros((n, 10), dtype=np.int32)
        partners = [np.full(len(side[0]), -1, dtype=np.int32) for side in (start, goal)]
        unlike = (np.full_like(side[5], Kind.WORD) for side in (start, goal))  # no preference for pairs of one kind
        sides = [(*side[:5], kinds, side[6]) for side, kinds in zip((start, goal), unlike, strict=True)]
        align_trees(*sides[0], *sides[1], scored, 4, free, counts, *partners, 0, n)
        self._refuse(np.flatnonzero(counts[:, 0] < 0), 0, Refusal.TOO_LARGE)
        rows = []
        for kind, side, partner in ((0, start, partners[0]), (1, goal, partners[1])):
            sentence = np.repeat(np.arange(n), np.diff(side[6]))
            alone = np.flatnonzero((partner < 0) & (scored[sentence] > 0))
            nothing = np.full(len(alone), -1, dtype=np.int64)
            rows.append(np.column_stack((sentence[alone], nothing + 1 + kind, *_nodes(side, alone), nothing, nothing)))
        sentence = np.repeat(np.arange(n), np.diff(start[6]))
        mapped = np.flatnonzero(partners[0] >= 0)
        image = goal[6][sentence[mapped]] + partners[0][mapped]
        symbol, image_symbol = start[0][mapped], goal[0][image]
        costs = symbol != image_symbol
        labels = costs & (symbol < len(free)) & (image_symbol < len(free))
        costs[labels] = free[symbol[labels], image_symbol[labels]] == 0
        mapped, image = mapped[costs], image[costs]
        twos = np.full(len(mapped), 2, dtype=np.int64)
        rows.append(np.column_stack((sentence[mapped], twos, *_nodes(start, mapped), *_nodes(goal, image))))
        return np.concatenate(rows)


def _nodes(side: Columns, chosen: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the spans and symbols of some nodes."""
    return side[3][chosen].astype(np.int64) << 32 | side[4][chosen], side[0][chosen].astype(np.int64)


def _counted(side: Spans, n_words: NDArray[np.int64], labeled: bool) -> NDArray[np.bool_]:
    """Return which nodes count; the root never does."""
    sentence, span, label = side
    counted: NDArray[np.bool_] = span != n_words[sentence]
    return counted & (label >= 0) if labeled else counted


def _sizes(side: Spans, n_words: NDArray[np.int64], labeled: bool) -> NDArray[np.int64]:
    return np.bincount(side[0][_counted(side, n_words, labeled)], minlength=len(n_words))


def _agreement(columns: FunctionColumns, free: Iterable[tuple[str, str]]) -> tuple[NDArray[np.uint8], int]:
    """Return a matrix with 1 for every two labels that agree without being the same, and the wildcard's number."""
    labels = columns.vocabulary.labels
    wildcard = labels.add(WILDCARD)
    agree = np.zeros((len(labels), len(labels)), dtype=np.uint8)
    for first, second in ([labels.find(compared_label(name)) for name in pair] for pair in free):
        if first >= 0 and second >= 0:
            agree[first, second] = agree[second, first] = 1
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
    compatible = (labels >= 0).all(axis=1)
    for a, b in combinations(labels.T, 2):
        compatible &= (a == b) | (agree[a, b] == 1)
    common[different] = np.where(compatible[different], wildcard, -1)
    kept = slice(None) if keep else common >= 0
    return sentence[first][kept], span[first][kept], common[kept]


def _in_both(script: NDArray[np.int64], native: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which operations of a script are also in the script of the own gold."""
    together = np.concatenate((script, native))
    order = np.lexsort(together.T)
    ordered = together[order]
    twin = (ordered[1:] == ordered[:-1]).all(axis=1)
    shared = np.zeros(len(together), dtype=bool)
    shared[order[1:][twin]] = shared[order[:-1][twin]] = True
    return shared[: len(script)]


# -------------------------------------------------------------------------------------------------------------- passes

PASSES: dict[str, type[Pass[Any]]] = {kind.family.id: kind for kind in (TedEval, TedEval2011)}
"""The passes by family, in the order of reports: the table that a new metric is added to."""
