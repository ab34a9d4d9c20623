"""How sure it is that one parser is better than another: paired shuffling, and paired resampling.

Shuffling (approximate randomisation) asks how often a difference as large as the one found comes about when the two
parsers have nothing to do with it: for each sentence a coin decides whether their counts change places, and the figures
are computed anew from the summed counts. With h of n shuffles at least as far apart, in either direction,
p = (h + 1) / (n + 1). Whether a sentence is swapped is one bit, so all shuffles together are a matrix of bits times the
differences of the counts. Resampling gives the interval in which the difference lies.

References
----------
P. Cohen (1995). Empirical methods for artificial intelligence. MIT Press.
A. Yeh (2000). More accurate tests for the statistical significance of result differences. COLING 2000.
S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import RESAMPLES, SEED, interval, resampled_sums
from evaltools.errors import ParameterError
from evaltools.metrics import Metric
from evaltools.metrics.base import Counts, ratio

__all__ = ["ITERATIONS", "Comparison", "compare_pairs", "compare_two", "holm", "shuffled_sums"]

ITERATIONS = 10_000
"""Shuffles, as in the paper on TedEval."""

FIGURES = ("pooled", "mean")

_BLOCK = 2_000_000
"""Most entries of the matrix of swaps that are held at once."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two parsers under one metric.

    Parameters
    ----------
    one, other : str
        The parsers.
    metric : str
        The metric's id.
    figure : {"pooled", "mean"}
        Counts summed, then divided; or the mean of the sentence scores.
    value, other_value : float
        Their figures; NaN where undefined.
    low, high : float
        Interval of the difference by paired resampling; NaN where undefined.
    p : float
        Of the shuffling test, two-sided; NaN where the difference is undefined.
    p_adjusted : float
        The same after Holm's correction over all pairs that were compared together.
    n_sentences : int
        Sentences that went into it.
    n_different : int
        Sentences on which the parsers differ; if there are few, no test can find much.
    """

    one: str
    other: str
    metric: str
    figure: str
    value: float
    other_value: float
    low: float
    high: float
    p: float
    p_adjusted: float
    n_sentences: int
    n_different: int

    @property
    def difference(self) -> float:
        """The figure of the one minus that of the other."""
        return self.value - self.other_value


def _swaps(n: int, iterations: int, seed: int, block: int) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield blocks of the matrix of swaps, 0 or 1; where it is cut does not change it."""
    generator = np.random.default_rng(seed)
    n_words = (n + 63) // 64
    step = max(1, block // max(n, 1))
    for first in range(0, iterations, step):
        rows = min(step, iterations - first)
        drawn = generator.integers(0, 1 << 64, size=(rows, n_words), dtype=np.uint64).astype("<u8")  # any machine's
        bits = np.unpackbits(drawn.view(np.uint8), axis=1, count=n)
        yield slice(first, first + rows), bits.astype(np.float64)


def shuffled_sums(
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    iterations: int = ITERATIONS,
    seed: int = SEED,
    *,
    block: int = _BLOCK,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum the counts of two parsers after swapping those of random sentences.

    Parameters
    ----------
    one, other : ndarray of float64, shape (sentences, columns)
        Their counts of the same sentences.
    iterations : int
        How many shuffles.
    seed : int
        The same seed and number of sentences give the same swaps.
    block : int
        Most entries of the matrix of swaps to hold at once; has no influence on the result.

    Returns
    -------
    one, other : ndarray of float64, shape (iterations, columns)
    """
    difference = one - other
    moved = np.zeros((iterations, one.shape[1]))
    touched = np.flatnonzero(difference.any(axis=1))  # a swap of equal counts changes nothing
    if len(touched):
        for rows, bits in _swaps(len(touched), iterations, seed, block):
            moved[rows] = bits @ difference[touched]
    return one.sum(axis=0) - moved, other.sum(axis=0) + moved


def _columns(
    metric: Metric, figure: str, counts: Counts, mask: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], Callable[[NDArray[np.float64]], NDArray[np.float64]]]:
    """Return the columns to sum, and the figure as a function of their sums."""
    if figure == "pooled":
        columns = np.column_stack([np.where(mask, np.nan_to_num(counts[name]), 0.0) for name in metric.columns])

        def pooled(sums: NDArray[np.float64]) -> NDArray[np.float64]:
            by_name = {name: sums[:, place] for place, name in enumerate(metric.columns)}
            return np.asarray(metric.score(by_name), dtype=np.float64)

        return columns, pooled
    scores = np.asarray(metric.score({name: counts[name] for name in metric.columns}), dtype=np.float64)
    known = mask & ~np.isnan(scores)
    columns = np.column_stack([np.where(known, scores, 0.0), known.astype(np.float64)])
    return columns, lambda sums: ratio(sums[:, 0], sums[:, 1])


def compare_two(
    metric: Metric,
    one: Counts,
    other: Counts,
    names: tuple[str, str] = ("one", "other"),
    *,
    figure: str = "pooled",
    masks: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None,
    iterations: int = ITERATIONS,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = SEED,
) -> Comparison:
    """Compare two parsers on the same sentences.

    Parameters
    ----------
    metric : Metric
        Any metric.
    one, other : dict of str to ndarray
        The metric's count columns, a value a sentence, of each parser.
    names : (str, str)
        What to call the parsers.
    figure : {"pooled", "mean"}
        What to compare.
    masks : (ndarray of bool, ndarray of bool), optional
        For each parser the sentences that have a score. The parsers are compared on those that both have one for; all
        if not given.
    iterations, resamples : int
        How many shuffles, and how many resamples for the interval.
    level : float
        Share of the resamples inside the interval.
    seed : int
        For both.

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
    >>> from evaltools.metrics import METRICS
    >>> right = np.array([5.0, 4.0, 6.0, 5.0, 4.0, 6.0, 5.0, 4.0])
    >>> one = {"e_tags_correct": right, "e_tags": right + 1}
    >>> other = {"e_tags_correct": right - 2, "e_tags": right + 1}
    >>> found = compare_two(METRICS["e_tagging"], one, other)
    >>> round(found.difference, 3), found.p < 0.02, found.n_different
    (0.34, True, 8)
    """
    if figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    if iterations < 1 or resamples < 1 or not 0 < level < 1:
        raise ParameterError(
            f"{iterations} iterations, {resamples} resamples, level {level:g}; expected at least 1, at least 1, and a "
            "level between 0 and 1"
        )
    sizes = [len(counts[metric.columns[0]]) for counts in (one, other)]
    if sizes[0] != sizes[1]:
        raise ParameterError(f"{sizes[0]} and {sizes[1]} sentences; expected the same sentences for both parsers")
    mask = np.ones(sizes[0], dtype=bool) if masks is None else masks[0] & masks[1]
    ours, value_of = _columns(metric, figure, one, mask)
    theirs, other_value_of = _columns(metric, figure, other, mask)
    value, other_value = (
        float(formula(columns.sum(axis=0, keepdims=True))[0])
        for formula, columns in ((value_of, ours), (other_value_of, theirs))
    )
    p, low, high = np.nan, np.nan, np.nan
    if not np.isnan(value - other_value):
        shuffled = shuffled_sums(ours, theirs, iterations, seed)
        differences = np.abs(value_of(shuffled[0]) - other_value_of(shuffled[1]))
        # equal but for rounding is equal; an undefined difference says nothing against chance
        hits = np.count_nonzero(~(differences < abs(value - other_value) - 1e-12))
        p = (hits + 1) / (iterations + 1)
        sums = resampled_sums(np.column_stack((ours, theirs))[mask], resamples, seed)
        width = ours.shape[1]
        drawn = value_of(sums[:, :width]) - other_value_of(sums[:, width:])
        (low,), (high,) = interval(drawn[:, None], level)
    return Comparison(
        one=names[0],
        other=names[1],
        metric=metric.id,
        figure=figure,
        value=value,
        other_value=other_value,
        low=float(low),
        high=float(high),
        p=float(p),
        p_adjusted=float(p),
        n_sentences=int(np.count_nonzero(mask)),
        n_different=int(np.count_nonzero((ours != theirs).any(axis=1))),
    )


def holm(values: Sequence[float]) -> list[float]:
    """Adjust p-values for having tested several pairs, by Holm's step-down procedure.

    Parameters
    ----------
    values : sequence of float
        The p-values; NaN for pairs that could not be tested, which count for nothing.

    Returns
    -------
    list of float
        In the same order; NaN where there was none.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [float("nan")] * len(values)
    known = sorted((p, place) for place, p in enumerate(values) if not np.isnan(p))
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = largest
    return adjusted


def compare_pairs(
    metric: Metric,
    counts: Mapping[str, Counts],
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
    figure: str = "pooled",
    masks: Mapping[str, NDArray[np.bool_]] | None = None,
    iterations: int = ITERATIONS,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = SEED,
) -> list[Comparison]:
    """Compare several parsers, two at a time, with Holm's correction for the number of pairs.

    Parameters
    ----------
    metric : Metric
        Any metric.
    counts : dict of str to dict
        The metric's count columns of each parser, of the same sentences.
    pairs : sequence of (str, str), optional
        Which to compare; every two if not given.
    figure : {"pooled", "mean"}
        What to compare.
    masks : dict of str to ndarray of bool, optional
        For each parser the sentences that have a score; all if not given.
    iterations, resamples, level, seed
        As for :func:`compare_two`.

    Returns
    -------
    list of Comparison
        In the order of the pairs.
    """
    chosen = list(combinations(counts, 2)) if pairs is None else list(pairs)
    for name in (name for pair in chosen for name in pair):
        if name not in counts:
            raise ParameterError.unknown("parser", name, counts)
    found = [
        compare_two(
            metric,
            counts[one],
            counts[other],
            (one, other),
            figure=figure,
            masks=None if masks is None else (masks[one], masks[other]),
            iterations=iterations,
            resamples=resamples,
            level=level,
            seed=seed,
        )
        for one, other in chosen
    ]
    adjusted = holm([one.p for one in found])
    return [replace(one, p_adjusted=p) for one, p in zip(found, adjusted, strict=True)]
