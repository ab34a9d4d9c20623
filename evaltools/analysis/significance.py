"""Significance of the difference of two parsers: paired permutation test and bootstrap.

Shuffling (approximate randomization) estimates how often a difference as large as the observed one occurs by chance:
each sentence's counts are swapped between the parsers with probability 1/2, and the figures are computed again from the
sums. With h of n shuffles at least as far apart, in either direction, p = (h + 1) / (n + 1). Resampling gives the
interval of the difference. A sentence is swapped in the same shuffles for all pairs, so a pair has the same p-value
alone and among others. Whether a sentence is swapped is one bit, so all shuffles together are a matrix of bits times
the differences of the counts; all columns and all pairs of parsers share it.

A p-value shrinks as the sample grows; the effect size does not. There are two, both on the scores of single sentences:
Cohen's d_z, the mean of the differences over their standard deviation, which belongs to a paired comparison; and, since
scores of sentences lie between 0 and 1, many of them at 1 and many pairs equal, the shares of sentences on which the
first parser is better, both are equal, and the second is better.

References
----------
P. Cohen (1995). Empirical methods for artificial intelligence. MIT Press.
A. Yeh (2000). More accurate tests for the statistical significance of result differences. COLING 2000.
S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65-70.
J. Cohen (1988). Statistical power analysis for the behavioral sciences, 2nd edition. Erlbaum. Section 2.3.5.
D. Lakens (2013). Calculating and reporting effect sizes to facilitate cumulative science. Frontiers in Psychology 4.
R. J. Grissom and J. J. Kim (2012). Effect sizes for research, 2nd edition. Routledge. Chapter 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import SEED, Columns, interval, resampled_sums
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.runs.metadata import plural_of
from evaltools.runs.sums import figure_from_sums

__all__ = ["ITERATIONS", "SIGNIFICANT", "Comparison", "corrected", "holm"]

ITERATIONS = 10_000
"""Number of shuffles, as in the paper on TedEval, and of resamples."""
EQUAL = 1e-9
"""Scores closer than this are equal: sums of similarities differ in their last bits with the order of addition."""
_MAX_SWAPS = 2_000_000
"""Maximum number of entries of the matrix of swaps that are held at a time."""
SIGNIFICANT = 0.05
"""A difference is significant if its p-value, after the correction, is below this and its interval excludes 0."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two parsers under one metric.

    Parameters
    ----------
    parser_a, parser_b : str
        The parsers.
    metric : str
        The metric's id.
    figure : {"pooled", "mean"}
        Counts summed, then divided; or the mean of the sentence scores.
    value, value_b : float
        Their figures; NaN where undefined.
    low, high : float
        Interval of the difference by paired resampling; NaN where undefined.
    p : float
        Of the shuffling test, two-sided; NaN where the difference is undefined.
    p_adjusted : float
        The same after Holm's correction over all pairs that were compared together.
    n_sentences : int
        Sentences that went into it.
    n_different : int or None
        Sentences on which the parsers differ; with few of them no test has power. None where only sums are known.
    iterations : int
        Number of shuffles for p, and of resamples for the interval.
    n_units : int
        Number of units that are swapped and drawn as a whole, such as documents; 0 if these are the sentences.
    cluster : str
        Column of the metadata whose values are the units; empty if it is none.
    """

    parser_a: str
    parser_b: str
    metric: str
    figure: str
    value: float
    value_b: float
    low: float
    high: float
    p: float
    p_adjusted: float
    n_sentences: int
    n_different: int | None
    iterations: int = ITERATIONS
    n_units: int = 0
    cluster: str = ""

    @property
    def units(self) -> str:
        """What is swapped and drawn as a whole, in words."""
        if not self.n_units:
            return "the sentences"
        return (
            f"{self.n_units:,} {plural_of(self.cluster)}" if self.cluster else f"{self.n_units:,} groups of sentences"
        )

    @property
    def significant(self) -> bool:
        """Whether the corrected p is below :data:`SIGNIFICANT` and the interval excludes 0."""
        return self.p_adjusted < SIGNIFICANT and (self.low > 0 or self.high < 0)

    @property
    def ahead(self) -> str | None:
        """The parser that is significantly better than the other; None if neither is."""
        if not self.difference or not self.significant:
            return None
        return self.parser_a if (self.difference > 0) == METRICS[self.metric].higher_is_better else self.parser_b

    @property
    def difference(self) -> float:
        """The figure of `parser_a` minus that of `parser_b`."""
        return self.value - self.value_b

    def turned(self) -> Comparison:
        """Return the comparison with the parsers exchanged."""
        return replace(
            self,
            parser_a=self.parser_b,
            parser_b=self.parser_a,
            value=self.value_b,
            value_b=self.value,
            low=-self.high,
            high=-self.low,
        )


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return comparisons with Holm's correction over all of them.

    Parameters
    ----------
    comparisons : sequence of Comparison
        All comparisons that belong together.

    Returns
    -------
    list of Comparison
        The same, with corrected p-values.
    """
    adjusted = holm([item.p for item in comparisons])
    return [replace(item, p_adjusted=p) for item, p in zip(comparisons, adjusted, strict=True)]


def holm(values: Sequence[float]) -> list[float]:
    """Correct p-values for the number of tests, by Holm's step-down procedure.

    Parameters
    ----------
    values : sequence of float
        The p-values; NaN where undefined.

    Returns
    -------
    list of float
        The corrected p-values, in the same order.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [float("nan")] * len(values)
    ordered = sorted((p, index) for index, p in enumerate(values) if not np.isnan(p))
    largest = 0.0
    for rank, (p, index) in enumerate(ordered):
        largest = max(largest, min(1.0, (len(ordered) - rank) * p))
        adjusted[index] = largest
    return adjusted


@dataclass(frozen=True, slots=True)
class EffectSize:
    """The effect size of the difference of two parsers, on sentence scores."""

    n: int  # Sentences on which both have a score
    mean_difference: float  # Mean of the first score minus the second; NaN without sentences
    standard_deviation: float  # Of these differences, over n − 1; NaN below two sentences
    better: int  # Number of sentences on which the first parser is better, equal, worse
    equal: int
    worse: int

    @property
    def d_z(self) -> float:
        """Mean over deviation; NaN where the deviation is 0 or unknown."""
        return self.mean_difference / self.standard_deviation if self.standard_deviation > EQUAL else float("nan")

    def explain_sign(self, difference: float, figure: str = "pooled") -> str:
        """Explain why d_z has the other sign than the difference of the parsers' figures; empty if it has not.

        Examples
        --------
        >>> EffectSize(2, 0.1, 0.2, 1, 0, 1).explain_sign(-0.3)
        'd_z has the other sign than the difference: it weighs all sentences alike, the micro figure by their counts'
        """
        if not self.d_z * difference < 0:
            return ""
        text = "d_z has the other sign than the difference"
        return (
            f"{text}: it weighs all sentences alike, the micro figure by their counts" if figure == "pooled" else text
        )

    @property
    def superiority(self) -> float:
        """Probability that the first parser is better on a random sentence; a tie counts one half."""
        return (self.better + self.equal / 2) / self.n if self.n else float("nan")


def effect_size(
    scores_a: NDArray[np.float64], scores_b: NDArray[np.float64], *, higher_is_better: bool = True
) -> EffectSize:
    """Compute the effect size of the difference of two parsers.

    Examples
    --------
    >>> effect = effect_size(np.array([1.0, 0.8, 0.9, 1.0]), np.array([1.0, 0.6, 0.5, 1.0]))
    >>> effect.better, effect.equal, effect.worse, round(effect.d_z, 2), effect.superiority
    (2, 2, 0, 0.78, 0.75)
    """
    differences = scores_a - scores_b
    differences = differences[~np.isnan(differences)]
    n = len(differences)
    above, below = (int(np.count_nonzero(side > EQUAL)) for side in (differences, -differences))
    better, worse = (above, below) if higher_is_better else (below, above)
    return EffectSize(
        n=n,
        mean_difference=float(differences.mean()) if n else float("nan"),
        standard_deviation=float(differences.std(ddof=1)) if n > 1 else float("nan"),
        better=better,
        equal=n - better - worse,
        worse=worse,
    )


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


@dataclass(frozen=True, slots=True)
class Pair:
    """Two parsers, and what their figures sum up: a row a sentence, or a unit such as a document."""

    parser_a: str
    parser_b: str
    metric: Metric
    figure: str  # ``pooled`` or ``mean``
    counts_a: NDArray[np.float64]  # The metric's counts, or scores and their number; 0 in rows that do not count
    counts_b: NDArray[np.float64]
    members: NDArray[np.float64]  # Number of sentences in each row
    n_different: int | None  # Number of sentences on which the parsers differ; None if unknown
    has_units: bool = False  # Whether the rows are units
    cluster: str = ""  # Column of the metadata whose values are the units

    def values(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the figure of sums of the columns, a row each."""
        return figure_from_sums(self.figure, self.metric, sums)

    def tested(
        self, moved: NDArray[np.float64] | None, drawn: NDArray[np.float64] | None, iterations: int
    ) -> Comparison:
        """Return the comparison, given the sums that each shuffle moves and those of each resample of both parsers."""
        totals = self.counts_a.sum(axis=0), self.counts_b.sum(axis=0)
        value, value_b = (float(self.values(total[np.newaxis])[0]) for total in totals)
        p = low = high = float("nan")
        if moved is not None and drawn is not None:
            shuffled = self.values(totals[0] - moved) - self.values(totals[1] + moved)
            # differences that are equal up to rounding count as equal; an undefined one does not reject chance
            hits = np.count_nonzero(~(np.abs(shuffled) < abs(value - value_b) - 1e-12))
            p = float((hits + 1) / (iterations + 1))
            width = self.counts_a.shape[1]
            differences = self.values(drawn[:, :width]) - self.values(drawn[:, width:])
            if np.count_nonzero(self.members) > 1:  # resamples of one sentence are all the same
                low, high = (float(end[0]) for end in interval(differences[:, np.newaxis]))
        return Comparison(
            parser_a=self.parser_a,
            parser_b=self.parser_b,
            metric=self.metric.id,
            figure=self.figure,
            value=value,
            value_b=value_b,
            low=low,
            high=high,
            p=p,
            p_adjusted=p,
            n_sentences=int(self.members.sum()),
            n_different=self.n_different,
            iterations=iterations,
            n_units=int(np.count_nonzero(self.members)) if self.has_units else 0,
            cluster=self.cluster,
        )

    @property
    def is_defined(self) -> bool:
        """Whether there is a difference."""
        sides = (self.values(side.sum(axis=0, keepdims=True)) for side in (self.counts_a, self.counts_b))
        return not any(np.isnan(value[0]) for value in sides)


def shuffle_and_resample(pairs: Sequence[Pair], iterations: int = ITERATIONS, seed: int = SEED) -> list[Comparison]:
    """Compare the parsers of all pairs; `p_adjusted` is `p`."""
    defined = {index: pair for index, pair in enumerate(pairs) if pair.is_defined}
    columns = Columns()
    sides = {
        index: [[columns.add(column) for column in side.T] for side in (pair.counts_a, pair.counts_b)]
        for index, pair in defined.items()
    }
    if not defined:
        return [pair.tested(None, None, iterations) for pair in pairs]
    moved = moved_sums(np.column_stack(columns.values), iterations, seed)  # one product for all parsers and metrics
    drawn: dict[int, NDArray[np.float64]] = {}
    alike: dict[bytes, list[int]] = {}
    for index, pair in defined.items():
        alike.setdefault((pair.members > 0).tobytes(), []).append(index)
    for indices in alike.values():  # pairs over the same sentences see the same resamples
        needed = sorted({column for index in indices for side in sides[index] for column in side})
        at = {column: number for number, column in enumerate(needed)}
        stacked = np.column_stack([columns.values[column] for column in needed])
        sums = resampled_sums(stacked[defined[indices[0]].members > 0], iterations, seed)
        drawn |= {index: sums[:, [at[column] for side in sides[index] for column in side]] for index in indices}
    shuffles = {index: moved[:, first] - moved[:, second] for index, (first, second) in sides.items()}
    return [pair.tested(shuffles.get(index), drawn.get(index), iterations) for index, pair in enumerate(pairs)]
