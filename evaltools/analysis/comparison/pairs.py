"""Pairs of parsers under one figure, with all their shuffles and resamples computed together.

Whether a sentence is swapped is one bit, so all shuffles together are a matrix of bits times the differences of the
counts. All columns and all pairs of parsers share the bits, and so one matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.comparison.bootstrap import SEED, Columns, interval, resampled_sums
from evaltools.frameworks.metric import Counts, Metric, ratio

__all__ = [
    "ITERATIONS",
    "Formula",
    "Pair",
    "figure_columns",
    "figure_of_sums",
    "grouped",
    "moved_sums",
    "scores_of",
    "shuffle_and_resample",
]

ITERATIONS = 10_000
"""Number of shuffles, as in the paper on TedEval."""

_MAX_SWAPS = 2_000_000
"""Maximum number of entries of the matrix of swaps that are held at a time."""

Formula = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""A function from sums of columns, a row for each figure, to figures."""


def figure_of_sums(metric: Metric, figure: str) -> Formula:
    """Return a figure as a function of the sums of its columns: the metric's counts, or scores and their number."""
    if figure == "mean":
        return lambda sums: ratio(sums[:, 0], sums[:, 1])

    def pooled(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        by_name = {name: sums[:, index] for index, name in enumerate(metric.columns)}
        return np.asarray(metric.score(by_name), dtype=np.float64)

    return pooled


def scores_of(metric: Metric, counts: Counts) -> NDArray[np.float64]:
    """Return the sentence scores that count columns make, NaN where undefined."""
    return np.asarray(metric.score({name: counts[name] for name in metric.columns}), dtype=np.float64)


def figure_columns(
    metric: Metric, figure: str, counts: Counts, mask: NDArray[np.bool_], scores: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the columns that a figure sums up."""
    if figure == "pooled":
        return np.column_stack([np.where(mask, np.nan_to_num(counts[name]), 0.0) for name in metric.columns])
    scores = scores_of(metric, counts) if scores is None else scores
    has_score = mask & ~np.isnan(scores)
    return np.column_stack([np.where(has_score, scores, 0.0), has_score.astype(np.float64)])


def grouped(columns: NDArray[np.float64], units: NDArray[np.int64] | None) -> NDArray[np.float64]:
    """Add up the rows of each unit, such as a document; without units, each row is its own.

    Examples
    --------
    >>> grouped(np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])).tolist()
    [[4.0], [2.0]]
    """
    if units is None:
        return columns
    n = int(units.max(initial=-1)) + 1
    return np.column_stack([np.bincount(units, column, n) for column in columns.T])


def _swaps(n: int, iterations: int, seed: int, block: int) -> Iterator[tuple[slice, NDArray[np.uint8]]]:
    """Yield blocks of the matrix of swaps, 0 or 1; the size of blocks does not change it."""
    generator = np.random.default_rng(seed)
    n_words = (n + 63) // 64
    step = max(1, block // max(n, 1))
    for first in range(0, iterations, step):
        rows = min(step, iterations - first)
        drawn = generator.integers(0, 1 << 64, size=(rows, n_words), dtype=np.uint64).astype("<u8")  # any machine's
        yield slice(first, first + rows), np.unpackbits(drawn.view(np.uint8), axis=1, count=n)


def moved_sums(
    differences: NDArray[np.float64], iterations: int = ITERATIONS, seed: int = SEED, *, block: int = _MAX_SWAPS
) -> NDArray[np.float64]:
    """Sum differences of counts over random halves of the sentences."""
    moved = np.zeros((iterations, differences.shape[1]))
    touched = np.flatnonzero(differences.any(axis=1))  # a swap of equal counts changes nothing
    if len(touched):
        few = len(touched) < len(differences) / 2
        chosen = np.ascontiguousarray(differences[touched]) if few else differences
        for rows, bits in _swaps(len(differences), iterations, seed, block):
            moved[rows] = (bits[:, touched] if few else bits).astype(np.float64) @ chosen
    return moved


class Pair:
    """Two parsers' columns, their figures, and the p-value and interval of the difference."""

    def __init__(
        self,
        formula: Formula,
        counts_a: NDArray[np.float64],
        counts_b: NDArray[np.float64],
        members: NDArray[np.float64],
        n_different: int | None,
        *,
        has_units: bool = False,
    ) -> None:
        self.formula, self.counts_a, self.counts_b, self.mask = formula, counts_a, counts_b, members > 0
        self.values = [float(formula(side.sum(axis=0, keepdims=True))[0]) for side in (counts_a, counts_b)]
        self.n_sentences, self.n_different = int(members.sum()), n_different
        self.n_units = int(np.count_nonzero(self.mask)) if has_units else 0
        self.p = self.low = self.high = float("nan")

    @classmethod
    def of_sentences(
        cls,
        metric: Metric,
        figure: str,
        sides: tuple[Counts, Counts],
        mask: NDArray[np.bool_],
        units: NDArray[np.int64] | None,
        scores: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    ) -> Pair:
        """Return the pair of two parsers' counts."""
        if figure == "mean":
            scores = scores or (scores_of(metric, sides[0]), scores_of(metric, sides[1]))
            mask = mask & ~np.isnan(scores[0]) & ~np.isnan(scores[1])
        first, second = (
            figure_columns(metric, figure, counts, mask, None if scores is None else scores[at])
            for at, counts in enumerate(sides)
        )
        differ = int(np.count_nonzero((first != second).any(axis=1)))
        members = grouped(mask[:, None].astype(np.float64), units)[:, 0]
        sums = grouped(first, units), grouped(second, units)
        return cls(figure_of_sums(metric, figure), *sums, members, differ, has_units=units is not None)

    @property
    def is_defined(self) -> bool:
        """Whether there is a difference."""
        return not np.isnan(self.values[0] - self.values[1])

    def shuffled(self, moved: NDArray[np.float64]) -> None:
        """Compute the p-value from the sums that each shuffle moves from one parser to the other."""
        first, second = self.formula(self.counts_a.sum(axis=0) - moved), self.formula(self.counts_b.sum(axis=0) + moved)
        # differences that are equal up to rounding count as equal; an undefined one does not reject chance
        hits = np.count_nonzero(~(np.abs(first - second) < abs(self.values[0] - self.values[1]) - 1e-12))
        self.p = float((hits + 1) / (len(moved) + 1))

    def resampled(self, sums: NDArray[np.float64], level: float) -> None:
        """Compute the interval from the sums of each resample, those of the first parser before those of the second."""
        width = self.counts_a.shape[1]
        (low,), (high,) = interval((self.formula(sums[:, :width]) - self.formula(sums[:, width:]))[:, None], level)
        self.low, self.high = float(low), float(high)


def shuffle_and_resample(pairs: Sequence[Pair], iterations: int, resamples: int, level: float, seed: int) -> None:
    """Compute p and interval of all pairs."""
    defined = [pair for pair in pairs if pair.is_defined]
    if not defined:
        return
    columns = Columns()
    sides = [
        [[columns.add(column) for column in side.T] for side in (pair.counts_a, pair.counts_b)] for pair in defined
    ]
    moved = moved_sums(np.column_stack(columns.values), iterations, seed)  # one product for all parsers and metrics
    for pair, (first, second) in zip(defined, sides, strict=True):
        pair.shuffled(moved[:, first] - moved[:, second])
    alike: dict[bytes, list[int]] = {}
    for at, pair in enumerate(defined):
        alike.setdefault(pair.mask.tobytes(), []).append(at)
    for members in alike.values():  # pairs over the same sentences see the same resamples
        needed = sorted({column for at in members for side in sides[at] for column in side})
        index = {column: number for number, column in enumerate(needed)}
        stacked = np.column_stack([columns.values[column] for column in needed])
        sums = resampled_sums(stacked[defined[members[0]].mask], resamples, seed)
        for at in members:
            defined[at].resampled(sums[:, [index[column] for side in sides[at] for column in side]], level)
