"""TedEval across frameworks: edit scripts between multi-function trees.

Every parse and gold tree is a set of pairs (function, words). With unit costs for adding and deleting one of them, the
only cheapest script from one tree to another deletes what the second does not have and adds what the first does not:

    ES(π1 → π2)  = {delete x : x ∈ π1 ∖ π2} ∪ {add x : x ∈ π2 ∖ π1}
    δ            = |ES(parse → gen)| − |ES(parse → gen) ∩ ES(gold → gen)|
    score        = 1 − δ / (|parse| + |gen|)

*Single*: gen is the parser's own gold. *Multiple*: gen is what all golds have in common, and what a parser has to undo
only because its own gold says more than that is not counted against it. *Labelled* scores count pairs of a function
and its words, *unlabelled* ones count nodes.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.

Notes
-----
Differences from the paper: the words of a node are a set and need not be contiguous, so nothing has to be
projectivised; for projective trees the figures are the paper's. Where the words differ but the characters of the text
do not (joint segmentation, the paper's future work), nodes are sets of members: of characters outside multiword tokens;
inside them of words, which are aligned by form as in the CoNLL 2018 evaluation, and a word without a partner is a
member that the other side lacks. The paper's figure is ``pooled``; ``mean`` is given beside it. Two trees that are
equal score 1, also where there is nothing to count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.base import Counts, Metric, or_perfect, ratio
from evaltools.metrics.function_columns import FunctionColumns
from evaltools.metrics.memberships import Memberships, Segmentation, compare_words

__all__ = ["COLUMNS", "METRICS", "TedEval", "overlap", "overlap_counts"]

COLUMNS = (
    "sentences",
    *(
        f"tedeval_{what}_{labels}"
        for labels in ("unlabelled", "labelled")
        for what in ("parse", "gold", "generalized", "single_error", "multiple_error", "single_equal", "multiple_equal")
    ),
)
"""Count columns: |parse|, |gold|, |gen|, δ against the own gold and against all, and whether the trees are equal."""


def _metric(golds: str, labels: str) -> Metric:
    delta, parse = f"tedeval_{golds}_error_{labels}", f"tedeval_parse_{labels}"
    gen = f"tedeval_{'gold' if golds == 'single' else 'generalized'}_{labels}"
    equal = f"tedeval_{golds}_equal_{labels}"

    def score(counts: Counts) -> NDArray[np.float64]:
        scores = 1 - ratio(counts[delta], counts[parse] + counts[gen])
        result: NDArray[np.float64] = or_perfect(scores, counts[equal], counts["sentences"])
        return result

    against = "own gold" if golds == "single" else "all golds"
    return Metric(
        id=f"tedeval_{golds}_{labels}",
        title=f"TedEval, {against}, {labels}",
        family="tedeval",
        formula="1 − δ / (|parse| + |gold|)" if golds == "single" else "1 − δ / (|parse| + |gen|)",
        columns=("sentences", delta, parse, gen, equal),
        score=score,
        where_words_differ="where the text is the same, nodes are sets of characters, inside multiword tokens of "
        "aligned words; else not scored",
    )


METRICS: tuple[Metric, ...] = tuple(
    _metric(golds, labels) for golds in ("single", "multiple") for labels in ("unlabelled", "labelled")
)


class TedEval:
    """The TedEval pass: a parser's trees against its own gold, and against what all golds have in common.

    Parameters
    ----------
    parse : FunctionColumns
        The parser's trees.
    golds : sequence of FunctionColumns
        Gold trees of the same sentences, one or more; with one, *multiple* is *single*.
    own : int
        Which of them is of the parser's theory.
    count_root : bool
        Whether the node over the whole sentence counts.

    Attributes
    ----------
    counts : ndarray of int64, shape (sentences, 15)
        As :data:`COLUMNS` names them. Where the parse is missing or its characters differ, nothing is matched.
    status_single, status_multiple : ndarray of uint8, shape (sentences,)
        A :class:`~evaltools.metrics.memberships.Segmentation` for each sentence, against the own gold and against all.
    """

    def __init__(
        self, parse: FunctionColumns, golds: Sequence[FunctionColumns], own: int = 0, *, count_root: bool = True
    ) -> None:
        if not 0 <= own < len(golds):
            raise ParameterError(f"gold {own} of {len(golds)}; expected a number from 0 to {len(golds) - 1}")
        n = len(golds[own])
        self.counts = np.zeros((n, len(COLUMNS)), dtype=np.int64)
        self._place = {name: number for number, name in enumerate(COLUMNS)}
        self.status_single = self._fill("single", "gold", parse, [golds[own]], 0, count_root)
        if len(golds) == 1:
            for labels in ("unlabelled", "labelled"):
                for multiple, single in (("generalized", "gold"), ("multiple_error", "single_error")):
                    self._column(f"tedeval_{multiple}_{labels}")[:] = self._column(f"tedeval_{single}_{labels}")
                self._column(f"tedeval_multiple_equal_{labels}")[:] = self._column(f"tedeval_single_equal_{labels}")
            self.status_multiple = self.status_single.copy()
        else:
            self.status_multiple = self._fill("multiple", "generalized", parse, golds, own, count_root)
        self._column("sentences")[:] = self.status_single != Segmentation.NO_GOLD

    def _column(self, name: str) -> NDArray[np.int64]:
        return self.counts[:, self._place[name]]

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
        found = Memberships([parse, *golds], status, own)
        usable = status <= Segmentation.CHARACTERS
        known = status != Segmentation.NO_GOLD
        in_parse, in_own, all_golds = 1, 2 << own, 2 * ((1 << len(golds)) - 1)
        equal = usable
        for labels in ("unlabelled", "labelled"):
            mask, sentence = found.rows(labels == "labelled", count_root=count_root)
            parsed, gold = (mask & in_parse) != 0, (mask & in_own) != 0
            gen = (mask & all_golds) == all_golds
            n_parse, n_gen, n_changed, n_discarded = (
                np.bincount(sentence[rows], minlength=n) for rows in (parsed, gen, parsed ^ gen, parsed & gold & ~gen)
            )
            # a parse that cannot be compared would have to go, and all of gen to be added
            error = np.where(usable, n_changed - n_discarded, n_parse + n_gen)
            equal = equal & found.equal_trees(in_parse, all_golds, in_own, labelled=labels == "labelled")
            for name, values in ((f"{which}_error", error), ("parse", n_parse), (gen_name, n_gen)):
                self._column(f"tedeval_{name}_{labels}")[:] = np.where(known, values, 0)
            self._column(f"tedeval_{which}_equal_{labels}")[:] = equal
        return status


def statuses(parse: FunctionColumns, golds: Sequence[FunctionColumns]) -> NDArray[np.uint8]:
    status = compare_words([parse, *golds])
    status[parse.n_words == 0] = Segmentation.MISSING
    status[compare_words(golds) == Segmentation.DIFFERENT] = Segmentation.NO_GOLD
    for gold in golds:
        status[gold.n_words == 0] = Segmentation.NO_GOLD
    return status


def overlap(one: FunctionColumns, other: FunctionColumns, *, count_root: bool = True) -> dict[str, float]:
    """Return how much two gold standards of the same sentences have in common.

    Parameters
    ----------
    one, other : FunctionColumns
        Their trees. Sentences that one of them does not have, or whose characters differ, are left out.
    count_root : bool
        Whether the node over the whole sentence counts.

    Returns
    -------
    dict of str to float
        ``unlabelled`` and ``labelled``: 1 − |A △ B| / (|A| + |B|), pooled over the sentences; NaN if there is nothing
        to count.
    """
    counts = overlap_counts(one, other, count_root=count_root)
    return {
        labels: float(1 - ratio(np.array([different]), np.array([sizes]))[0])
        for labels, (different, sizes) in counts.items()
    }


def overlap_counts(
    one: FunctionColumns, other: FunctionColumns, *, count_root: bool = True
) -> dict[str, tuple[int, int]]:
    """Return what :func:`overlap` divides, to be summed over parts of a corpus.

    Parameters
    ----------
    one, other, count_root
        As for :func:`overlap`.

    Returns
    -------
    dict of str to (int, int)
        ``unlabelled`` and ``labelled``: |A △ B| and |A| + |B|.
    """
    status = statuses(one, [other])
    found = Memberships([one, other], status)
    usable = status <= Segmentation.CHARACTERS
    result = {}
    for labels in ("unlabelled", "labelled"):
        mask, sentence = found.rows(labels == "labelled", count_root=count_root)
        mask = mask[usable[sentence]]
        sizes = np.count_nonzero(mask & 1) + np.count_nonzero(mask & 2)
        result[labels] = int(np.count_nonzero(mask != 3)), int(sizes)
    return result
