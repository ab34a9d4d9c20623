"""Repairs: the number of steps from the parse to the gold tree, as a score.

A step changes the label of a wrong bracket, adds a missing bracket, removes a spurious one, or moves neighboring
children of a node, with all brackets that this makes right (see :mod:`evaltools.frameworks.constituency.repair`). It is
what one counts as one error. With S steps and M brackets that gold tree and parse share (those of the E-mapping of all
brackets, also where E counts only those of several words):

    Errors             S, per sentence or per 100 words
    Repair similarity  1 − S / (S + M)

The similarity of equal trees is 1, also where they have no bracket.

References
----------
J. K. Kummerfeld, D. Hall, J. R. Curran and D. Klein (2012). Parser showdown at the Wall Street Corral: an empirical
investigation of error types in parser output. EMNLP-CoNLL 2012.
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008.

Notes
-----
Differences from the papers: Kummerfeld et al. count steps by type and give no score; Emms names moves as future work.
The search is greedy, so S is an upper bound of the lowest number of steps. Where the words of the two trees differ,
there is no repair, and the sentence has no score. In figures over all sentences a sentence without a parse or with
other words, or whose repair takes too long, has G + W errors: G gold brackets and W words to add. A parse never counts
as more errors than that. A step moves neighbors and adds a bracket over neighbors. Where a constituent is
discontinuous, the words stand in another order, in which all constituents of both trees are continuous
(:mod:`evaltools.frameworks.constituency.repair`); that is ours, not the papers'. Where the words are the
same and there is no such order, there is no repair: the sentence has no number of errors, in no figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.constituency.aligned_trees import Edits, Operation
from evaltools.frameworks.constituency.normalization import TreeComparison
from evaltools.frameworks.constituency.repair import PairColumns, RepairStep
from evaltools.frameworks.metric import Count, Counts, Metric, Shown, or_perfect, ratio
from evaltools.frameworks.passes import Pass
from evaltools.text import phrase

if TYPE_CHECKING:
    from evaltools.frameworks.constituency.aligned_trees import Alignment

STEPS_OVER_ALL = "r_steps_all"
"""The column of errors in figures over all sentences, which has a number where there is no repair."""

_REPAIRED = ("r_steps", "r_brackets", "r_moves", "r_relabels", "r_adds", "r_removes")
"""Count columns of a repair; they are missing in sentences without one."""

COLUMNS = (STEPS_OVER_ALL, *_REPAIRED, "r_matched", "r_words", "r_equal")
"""Count columns; from the second to the last but two in the kernel's order."""

COUNTS: dict[str, Count] = {
    "r_steps": Count("repairs, each of one error", "S", cost="repairs"),
    "r_matched": Count("brackets that gold tree and parse share", "M"),
    "r_words": Count("scored words", "W"),
    "r_equal": Count("sentences without an error"),
    "r_brackets": Count("wrong brackets that the repair corrects: missing and spurious"),
    "r_moves": Count("steps that move nodes"),
    "r_relabels": Count("steps that change a label"),
    "r_adds": Count("steps that add a bracket"),
    "r_removes": Count("steps that remove a bracket"),
    STEPS_OVER_ALL: Count("errors over all sentences: without a repair one for each gold bracket and word", "S"),
}
"""What the columns count."""


def _similarity(counts: Counts) -> NDArray[np.float64]:
    scores = 1 - ratio(counts["r_steps"], counts["r_steps"] + counts["r_matched"])
    result: NDArray[np.float64] = or_perfect(scores, counts["r_equal"], counts["sentences"])
    return result


_STEPS = (
    ("r_moves", "move", "moves"),
    ("r_relabels", "new label", "new labels"),
    ("r_adds", "bracket to add", "brackets to add"),
    ("r_removes", "bracket to remove", "brackets to remove"),
)


def _faults(alignment: Alignment) -> str:
    return phrase([(int(alignment.counts[name]), one, many) for name, one, many in _STEPS], "nothing to repair")


_metric = partial(
    Metric,
    family="r",
    over_all={"r_steps": STEPS_OVER_ALL},
    where_words_differ="not scored: there is no repair",
    words="equal",
    approach="R-mapping: repairs",
    chapter="r",
)

_PER_ERROR = (
    "the fewest steps found that turn the parse into the gold tree; a step relabels, adds or removes a bracket, or "
    "moves neighboring nodes with all brackets that this makes right"
)

METRICS: tuple[Metric, ...] = (
    _metric(
        id="errors",
        title="Errors per sentence",
        formula="S / sentences",
        columns=("sentences", "r_steps"),
        score=lambda counts: ratio(counts["r_steps"], counts["sentences"]),
        better="low",
        unit="per sentence",
        heading="Errors",
        help=f"Errors per sentence: {_PER_ERROR}.",
        shown=Shown(overview=True, reports=True, lab=True),
        numbers="{r_steps} / {sentences}",
        faults=_faults,
    ),
    _metric(
        id="errors_per_100_words",
        title="Errors per 100 words",
        formula="100 S / W",
        columns=("r_words", "r_steps"),
        score=lambda counts: ratio(100 * counts["r_steps"], counts["r_words"]),
        better="low",
        unit="per 100 words",
        heading="Errors / 100 w.",
        help=f"Errors per 100 scored words, which leave out punctuation if the preset deletes it: {_PER_ERROR}.",
        variant_of="errors",
        numbers="100 × {r_steps} / {r_words}",
    ),
    _metric(
        id="repair_similarity",
        title="Repair similarity",
        formula="1 − S / (S + M)",
        columns=("sentences", "r_steps", "r_matched", "r_equal"),
        score=_similarity,
        help="R-mapping: 1 − errors as a share of the errors and the brackets that gold tree and parse share, in %.",
        shown=Shown(reports=True, lab=True),
        numbers="1 − {r_steps} / ({r_steps} + {r_matched})",
    ),
)


TOO_LARGE = -1
"""The number of steps where a repair takes more work than the limit."""
_OPERATIONS = (Operation.MOVE, Operation.RELABEL, Operation.ADD, Operation.REMOVE)


class RepairCounts(Pass[TreeComparison]):
    """The R pass over a pair of treebanks."""

    family = "r"
    columns = COLUMNS
    counted = COUNTS
    metrics = METRICS

    def __init__(self, comparison: TreeComparison) -> None:
        pair = comparison.pair
        gold, test = pair.gold.treebank, pair.test.treebank
        self._columns = PairColumns.of(pair, comparison.preset)
        self.edits: dict[int, Edits] = {}  # The steps of the sentences with errors
        # By sentence, the steps that are known and are not searched; None where there is no repair
        self.known: dict[int, Edits | None] = {}
        same_length = (gold.n_words == test.n_words) & (gold.n_words > 0)
        self._is_refused = self._columns.ordered.refused
        self._compared = (pair.status == SentenceStatus.OK) & same_length
        self._n_words = gold.n_words.astype(np.int64)
        self._most = np.diff(self._columns.gold_offsets).astype(np.int32) + self._n_words
        self._counts = np.zeros((len(gold), len(COLUMNS) - 3), dtype=np.int32)

    @classmethod
    def prepare(cls, comparison: TreeComparison) -> Self:
        """Prepare the columns, and allocate the results."""
        return cls(comparison)

    @property
    def is_repaired(self) -> NDArray[np.bool_]:
        """The sentences with a repair."""
        result: NDArray[np.bool_] = self._compared & ~self._is_refused & ~self.too_large
        return result

    @property
    def unordered(self) -> NDArray[np.bool_]:
        """The sentences without a repair because the words have no order that it needs."""
        result: NDArray[np.bool_] = self._compared & self._is_refused
        return result

    @property
    def too_large(self) -> NDArray[np.bool_]:
        """The sentences whose repair was given up."""
        result: NDArray[np.bool_] = self._counts[:, 0] < 0
        return result

    @property
    def counts(self) -> NDArray[np.int32]:
        """The counts, in the order of :data:`COLUMNS`."""
        repaired = self.is_repaired
        steps = np.where(repaired, np.minimum(self._counts[:, 0], self._most), self._most)
        counts = np.where(repaired[:, np.newaxis], self._counts, 0)
        equal = repaired & (counts[:, 0] == 0)
        return np.column_stack((steps, counts, self._n_words, equal)).astype(np.int32)

    def undefined(self, column: str) -> NDArray[np.bool_] | None:
        """Return the sentences without a repair, for the counts of repairs."""
        if column == STEPS_OVER_ALL:
            return self._is_refused if self._is_refused.any() else None
        return ~self.is_repaired if column in _REPAIRED else None

    def run(self, first: int, last: int) -> None:
        """Repair the sentences ``first:last``; ranges may run in parallel threads."""
        pair = self._columns
        compared = self._compared[first:last] & ~self._is_refused[first:last]
        for sentence in (np.flatnonzero(compared) + first).tolist():
            row = self._counts[sentence]
            edits = self.known[sentence] if sentence in self.known else pair.search(sentence)
            if edits is None:
                row[0] = TOO_LARGE
                continue
            if edits:
                self.edits[sentence] = edits
            operations = [edit.operation for edit in edits]
            row[0], row[1] = len(edits), sum(edit.repaired for edit in edits)
            row[2:6] = [operations.count(operation) for operation in _OPERATIONS]
            # of G gold and T test brackets with M matches, G + T − 2M are repaired
            row[6] = (pair.n_brackets(sentence) - row[1]) // 2

    def of_sentence(self, sentence: int) -> Edits | None:
        """Return the steps of a sentence, counted from 0; None without a repair."""
        return self.edits.get(sentence, ()) if self.is_repaired[sentence] else None

    def steps(self) -> Iterator[tuple[int, list[RepairStep]]]:
        """Yield the sentences with errors, counted from 0, and the steps of each."""
        for sentence, edits in sorted(self.edits.items()):
            yield sentence, self._columns.steps(sentence, edits)
