"""Significance of the difference of two parsers: paired shuffling and paired resampling.

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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import SEED, Columns, interval, resampled_sums
from evaltools.errors import ParameterError
from evaltools.frameworks.formulas import ratio
from evaltools.frameworks.metric import Counts, Metric
from evaltools.frameworks.registry import METRICS
from evaltools.runs.metadata import plural_of
from evaltools.text import significant

__all__ = [
    "FIGURES",
    "ITERATIONS",
    "SIGNIFICANT",
    "Comparison",
    "compare_pairs",
    "compare_two",
    "compared",
    "corrected",
    "holm",
]

FIGURES = ("pooled", "mean")
ITERATIONS = 10_000
"""Number of shuffles, as in the paper on TedEval."""
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
    iterations, resamples : int
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
    resamples: int = ITERATIONS
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


def _check(figure: str, iterations: int, resamples: int, level: float) -> None:
    if figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    if iterations < 1 or resamples < 1 or not 0 < level < 1:
        raise ParameterError(
            f"{iterations} iterations, {resamples} resamples, level {significant(level)}; "
            "expected at least 1, at least 1, and a level between 0 and 1"
        )


def compare_two(
    metric: Metric,
    one: Counts,
    other: Counts,
    names: tuple[str, str] = ("one", "other"),
    *,
    figure: str = "pooled",
    masks: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None,
    iterations: int = ITERATIONS,
    resamples: int | None = None,
    level: float = 0.95,
    seed: int = SEED,
    units: NDArray[np.int64] | None = None,
) -> Comparison:
    """Compare two parsers on the same sentences.

    Parameters
    ----------
    metric : Metric
        Any metric.
    one, other : dict of str to ndarray
        The metric's count columns, a value a sentence, of each parser.
    names : (str, str)
        Names of the parsers; they must differ.
    figure : {"pooled", "mean"}
        What to compare.
    masks : (ndarray of bool, ndarray of bool), optional
        For each parser the sentences that have a score. The parsers are compared on those that both have one for; all
        if not given.
    iterations : int
        Number of shuffles.
    resamples : int, optional
        Number of resamples for the interval; as many as shuffles if not given.
    level : float
        Share of the resamples inside the interval.
    seed : int
        For both.
    units : ndarray of int64, optional
        The unit of each sentence, from 0, such as its document: units are swapped and drawn as a whole. By default
        each sentence is its own.

    Returns
    -------
    Comparison
        Its `p_adjusted` is `p`.

    Raises
    ------
    ParameterError
        If the figure is unknown, the numbers make no sense, or the parsers have different numbers of sentences.

    Examples
    --------
    >>> from evaltools.frameworks.registry import METRICS
    >>> right = np.array([5.0, 4.0, 6.0, 5.0, 4.0, 6.0, 5.0, 4.0])
    >>> one = {"e_tags_correct": right, "e_tags": right + 1}
    >>> other = {"e_tags_correct": right - 2, "e_tags": right + 1}
    >>> comparison = compare_two(METRICS["tagging"], one, other)
    >>> round(comparison.difference, 3), comparison.p < 0.02, comparison.n_different
    (0.34, True, 8)
    """
    (comparison,) = compare_pairs(
        metric,
        dict(zip(names, (one, other), strict=True)),
        figure=figure,
        masks=None if masks is None else dict(zip(names, masks, strict=True)),
        iterations=iterations,
        resamples=resamples,
        level=level,
        seed=seed,
        units=units,
    )
    return comparison


def compared(
    metric: Metric,
    figure: str,
    names: Sequence[tuple[str, str]],
    pairs: Sequence[Pair],
    iterations: int,
    resamples: int,
) -> list[Comparison]:
    """Return the comparisons of some pairs; `p_adjusted` is `p`.

    Parameters
    ----------
    metric : Metric
        The metric.
    figure : {"pooled", "mean"}
        The figure.
    names : sequence of (str, str)
        The parsers of each pair.
    pairs : sequence of Pair
        The pairs, shuffled and resampled.
    iterations, resamples : int
        How often.

    Returns
    -------
    list of Comparison
        One for each pair.
    """
    return [
        Comparison(
            parser_a=first,
            parser_b=second,
            metric=metric.id,
            figure=figure,
            value=pair.values[0],
            value_b=pair.values[1],
            low=pair.low,
            high=pair.high,
            p=pair.p,
            p_adjusted=pair.p,
            n_sentences=pair.n_sentences,
            n_different=pair.n_different,
            iterations=iterations,
            resamples=resamples,
            n_units=pair.n_units,
        )
        for (first, second), pair in zip(names, pairs, strict=True)
    ]


def compare_pairs(
    metric: Metric,
    counts: Mapping[str, Counts],
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
    figure: str = "pooled",
    masks: Mapping[str, NDArray[np.bool_]] | None = None,
    iterations: int = ITERATIONS,
    resamples: int | None = None,
    level: float = 0.95,
    seed: int = SEED,
    units: NDArray[np.int64] | None = None,
    scores: Mapping[str, NDArray[np.float64]] | None = None,
) -> list[Comparison]:
    """Compare several parsers, two at a time, with Holm's correction for the number of pairs.

    Parameters
    ----------
    metric : Metric
        Any metric.
    counts : dict of str to dict
        The metric's count columns of each parser, of the same sentences.
    pairs : sequence of (str, str), optional
        Pairs to compare; all if not given.
    figure : {"pooled", "mean"}
        What to compare.
    masks : dict of str to ndarray of bool, optional
        For each parser the sentences that have a score; all if not given.
    iterations, resamples, level, seed, units
        As for :func:`compare_two`.
    scores : dict of str to ndarray of float64, optional
        The sentence scores of each parser, for means over all sentences; what the counts make if not given.

    Returns
    -------
    list of Comparison
        In the order of the pairs.
    """
    resamples = iterations if resamples is None else resamples
    _check(figure, iterations, resamples, level)
    names = list(combinations(counts, 2)) if pairs is None else list(pairs)
    made = []
    for pair in names:
        for name in pair:
            if name not in counts:
                raise ParameterError.unknown("parser", name, counts)
        n_a, n_b = (len(counts[name][metric.columns[0]]) for name in pair)
        if n_a != n_b:
            raise ParameterError(f"{n_a} and {n_b} sentences; expected the same sentences for both parsers")
        mask = np.ones(n_a, dtype=np.bool_) if masks is None else masks[pair[0]] & masks[pair[1]]
        own_scores = None if scores is None else (scores[pair[0]], scores[pair[1]])
        made.append(Pair.of_sentences(metric, figure, (counts[pair[0]], counts[pair[1]]), mask, units, own_scores))
    shuffle_and_resample(made, iterations, resamples, level, seed)
    return corrected(compared(metric, figure, names, made, iterations, resamples))


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
    deviation: float  # Standard deviation of these differences, over n − 1; NaN below two sentences
    better: int  # Number of sentences on which the first parser is better, equal, worse
    equal: int
    worse: int

    @property
    def d_z(self) -> float:
        """Mean over deviation; NaN where the deviation is 0 or unknown."""
        return self.mean_difference / self.deviation if self.deviation > EQUAL else float("nan")

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
        deviation=float(differences.std(ddof=1)) if n > 1 else float("nan"),
        better=better,
        equal=n - better - worse,
        worse=worse,
    )


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
