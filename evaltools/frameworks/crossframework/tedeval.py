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

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.

Notes
-----
Differences from the paper: the words of a node are a set and need not be contiguous, so nothing has to be
projectivized; for projective trees the figures are the paper's. Where the words differ but the characters of the text
do not (joint segmentation, the paper's future work), nodes are sets of members: of characters outside multiword tokens;
inside them of words, which are aligned by form as in the CoNLL 2018 evaluation, and a word without a partner is a
member that the other side lacks. The paper's figure is ``pooled``; ``mean`` is given beside it. Two trees that are
equal score 1, also where there is nothing to count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionComparison
from evaltools.frameworks.crossframework.memberships import Memberships, Segmentation, check_own, compare_words
from evaltools.frameworks.metric import Choices, Count, Counts, ErrorCount, Metric, or_perfect, ratio
from evaltools.frameworks.passes import Pass

__all__ = [
    "COLUMNS",
    "COUNTS",
    "ERRORS",
    "LABELS",
    "METRICS",
    "FunctionPass",
    "Overlaps",
    "TedEval",
    "metric_of",
    "statuses",
    "tedeval_metric",
]

LABELS = ("unlabelled", "labelled")

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
    f"tedeval_{what}_{labels}": Count(description, SYMBOLS[what.split("_")[-1]])
    for labels, unit in (("unlabelled", "nodes"), ("labelled", "functions"))
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

_SINGLE = {"generalized": "gold", "multiple_error": "single_error", "multiple_equal": "single_equal"}
"""The columns over all golds that repeat those over the own gold if it is the only one."""


def tedeval_metric(delta: str, parse: str, gen: str, equal: str, **more: Any) -> Metric:
    """Return a metric with the formula of TedEval over some count columns."""

    def score(counts: Counts) -> NDArray[np.float64]:
        scores = 1 - ratio(counts[delta], counts[parse] + counts[gen])
        result: NDArray[np.float64] = or_perfect(scores, counts[equal], counts["sentences"])
        return result

    return Metric(
        columns=("sentences", delta, parse, gen, equal),
        score=score,
        approach="TedEval: function trees across frameworks",
        chapter="frameworks",
        reported=True,
        nullable=True,
        numbers=f"1 − {{{delta}}} / ({{{parse}}} + {{{gen}}})",
        **more,
    )


def _metric(golds: str, labels: str) -> Metric:
    against = "own gold" if golds == "single" else "all golds"
    spelled = labels.replace("labelled", "labeled")
    gold_trees = (
        "the parser’s own gold tree" if golds == "single" else "what the gold trees of all theories have in common"
    )
    unit = "functions and their words" if labels == "labelled" else "sets of words"
    return tedeval_metric(
        f"tedeval_{golds}_error_{labels}",
        f"tedeval_parse_{labels}",
        f"tedeval_{'gold' if golds == 'single' else 'generalized'}_{labels}",
        f"tedeval_{golds}_equal_{labels}",
        id=f"tedeval_{golds}_{labels}",
        title=f"TedEval, {against}, {spelled}",
        family="tedeval",
        formula="1 − δ / (|parse| + |gold|)" if golds == "single" else "1 − δ / (|parse| + |gen|)",
        where_words_differ="where the text is the same, nodes are sets of characters, inside multiword tokens of "
        "aligned words; else not scored",
        short=f"{against}, {'lab.' if labels == 'labelled' else 'unlab.'}",
        help=f"1 − edit operations from the parse to {gold_trees}, as a share of the nodes of both ({unit}), in %.",
        headline=True,
        choices=Choices(spelled, "", against),
    )


METRICS: tuple[Metric, ...] = tuple(_metric(golds, labels) for golds in ("single", "multiple") for labels in LABELS)

ERRORS = ErrorCount(
    Metric(
        id="tedeval_errors",
        title="Edit operations",
        family="tedeval",
        formula="δ against all golds, unlabeled",
        columns=("sentences", "tedeval_multiple_error_unlabelled"),
        score=lambda counts: counts["tedeval_multiple_error_unlabelled"],
        better="low",
        unit="per sentence",
        help="Edit operations from the parse to what the gold trees of all theories have in common, labels ignored.",
        nullable=True,
    ),
    "edit operation",
    "edit operations",
)
"""The number of edit operations of a parse that count."""


def metric_of(golds: str, *, labelled: bool) -> Metric:
    """Return the metric against the own gold (``single``) or all golds (``multiple``)."""
    name = f"tedeval_{golds}_{'labelled' if labelled else 'unlabelled'}"
    return next(metric for metric in METRICS if metric.id == name)


class FunctionPass(Pass[FunctionComparison]):
    """A pass over function trees whose labeled counts are undefined if the parser's trees carry no functions."""

    def __init__(self, golds: Sequence[FunctionColumns], own: int, *, labelled: bool) -> None:
        check_own(own, len(golds))
        self._labelled = labelled
        self._counts = np.zeros((len(golds[own]), len(self.columns)))

    @property
    def counts(self) -> NDArray[np.float64]:
        """The counts, shape (sentences, columns)."""
        return self._counts

    def undefined(self, column: str) -> NDArray[np.bool_]:
        """Return the sentences in which a count is undefined."""
        return np.full(len(self._counts), column.endswith("_labelled") and not self._labelled)


class TedEval(FunctionPass):
    """The TedEval pass: a parser's trees against its own gold, and against what all golds have in common."""

    family = "tedeval"
    columns = COLUMNS
    counted = COUNTS
    metrics = METRICS

    def __init__(
        self,
        parse: FunctionColumns,
        golds: Sequence[FunctionColumns],
        own: int = 0,
        *,
        count_root: bool = True,
        labelled: bool = True,
    ) -> None:
        super().__init__(golds, own, labelled=labelled)
        self.status = self._fill("single", "gold", parse, [golds[own]], 0, count_root)
        if len(golds) == 1:
            for labels in LABELS:
                for multiple, single in _SINGLE.items():
                    self._column(f"tedeval_{multiple}_{labels}")[:] = self._column(f"tedeval_{single}_{labels}")
        else:
            self._fill("multiple", "generalized", parse, golds, own, count_root)
        self._column("sentences")[:] = self.status != Segmentation.NO_GOLD

    @classmethod
    def prepare(cls, comparison: FunctionComparison) -> Self:
        """Score a parser's trees."""
        return cls(
            comparison.parse,
            comparison.golds,
            comparison.own,
            count_root=comparison.count_root,
            labelled=comparison.labelled,
        )

    def _column(self, name: str) -> NDArray[np.float64]:
        return self._counts[:, COLUMNS.index(name)]

    def _fill(
        self,
        which: str,
        gen_name: str,
        parse: FunctionColumns,
        golds: Sequence[FunctionColumns],
        own: int,
        count_root: bool,
    ) -> NDArray[np.uint8]:
        """Enter the counts of one variant; return the status of every sentence."""
        n = len(golds[0])
        status = statuses(parse, golds)
        memberships = Memberships([parse, *golds], status, own)
        comparable = status <= Segmentation.CHARACTERS
        scored = status != Segmentation.NO_GOLD
        in_parse, in_own, all_golds = 1, 2 << own, 2 * ((1 << len(golds)) - 1)
        equal = comparable
        for labels in LABELS:
            mask, sentence = memberships.rows(labels == "labelled", count_root=count_root)
            parsed, gold = (mask & in_parse) != 0, (mask & in_own) != 0
            gen = (mask & all_golds) == all_golds
            n_parse, n_gen, n_changed, n_discarded = (
                np.bincount(sentence[rows], minlength=n) for rows in (parsed, gen, parsed ^ gen, parsed & gold & ~gen)
            )
            # if they cannot be compared, all of the parse is deleted and all of gen is added
            error = np.where(comparable, n_changed - n_discarded, n_parse + n_gen)
            equal = equal & memberships.equal_trees(in_parse, all_golds, in_own, labelled=labels == "labelled")
            for name, values in ((f"{which}_error", error), ("parse", n_parse), (gen_name, n_gen)):
                self._column(f"tedeval_{name}_{labels}")[:] = np.where(scored, values, 0)
            self._column(f"tedeval_{which}_equal_{labels}")[:] = equal
        return status


def statuses(parse: FunctionColumns, golds: Sequence[FunctionColumns]) -> NDArray[np.uint8]:
    """Return the Segmentation of each sentence."""
    status = compare_words([parse, *golds])
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
            memberships = Memberships(corpora, status)
            comparable = status <= Segmentation.CHARACTERS
            for labels, (different, sizes) in counts.items():
                mask, sentence = memberships.rows(labels == "labelled", count_root=self._count_root)
                mask = mask[comparable[sentence]]
                in_both = int(np.count_nonzero(mask == 3))
                counts[labels] = different + len(mask) - in_both, sizes + len(mask) + in_both

    def shares(self) -> dict[str, dict[str, float | None]]:
        """Return the overlap by pair of theories and by whether labels count; None where there is nothing to count."""
        return {
            f"{theory_a}+{theory_b}": {
                labels: 1 - different / sizes if sizes else None for labels, (different, sizes) in counts.items()
            }
            for (theory_a, theory_b), counts in self._counts.items()
        }
