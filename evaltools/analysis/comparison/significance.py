"""Significance of the difference of two parsers: paired shuffling and paired resampling.

Shuffling (approximate randomization) estimates how often a difference as large as the observed one occurs by chance:
each sentence's counts are swapped between the parsers with probability 1/2, and the figures are computed again from the
sums. With h of n shuffles at least as far apart, in either direction, p = (h + 1) / (n + 1). Resampling gives the
interval of the difference. A sentence is swapped in the same shuffles for all pairs, so a pair has the same p-value
alone and among others.

References
----------
P. Cohen (1995). Empirical methods for artificial intelligence. MIT Press.
A. Yeh (2000). More accurate tests for the statistical significance of result differences. COLING 2000.
S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.comparison.bootstrap import SEED
from evaltools.analysis.comparison.pairs import ITERATIONS, Pair, shuffle_and_resample
from evaltools.errors import ParameterError
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
        if not self.significant:
            return None
        is_ahead = METRICS[self.metric].is_ahead(self.difference)
        return None if is_ahead is None else self.parser_a if is_ahead else self.parser_b

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
    >>> comparison = compare_two(METRICS["e_tagging"], one, other)
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
