"""How sure it is that one parser is better than another: paired shuffling, and paired resampling.

Shuffling (approximate randomisation) asks how often a difference as large as the one found comes about when the two
parsers have nothing to do with it: for each sentence a coin decides whether their counts change places, and the figures
are computed anew from the summed counts. With h of n shuffles at least as far apart, in either direction,
p = (h + 1) / (n + 1). Resampling gives the interval in which the difference lies. The coins of a sentence are the same
whichever pairs are compared, so that a pair has one p-value, alone or among others.

References
----------
P. Cohen (1995). Empirical methods for artificial intelligence. MIT Press.
A. Yeh (2000). More accurate tests for the statistical significance of result differences. COLING 2000.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import SEED
from evaltools.analysis.corrections import holm
from evaltools.analysis.pairs import Pair, shuffle_and_resample
from evaltools.analysis.shuffling import ITERATIONS
from evaltools.errors import ParameterError
from evaltools.metrics import METRICS, Metric
from evaltools.metrics.base import Counts

__all__ = [
    "FIGURES",
    "ITERATIONS",
    "SIGNIFICANT",
    "Comparison",
    "compare_pairs",
    "compare_two",
    "compared",
    "corrected",
]

FIGURES = ("pooled", "mean")
SIGNIFICANT = 0.05
"""A difference is significant if its p-value, after the correction, is below this and its interval excludes 0."""


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
    n_different : int or None
        Sentences on which the parsers differ; if there are few, no test can find much. None where only sums are known.
    iterations, resamples : int
        How many shuffles made p, and how many resamples the interval.
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
    n_different: int | None
    iterations: int = ITERATIONS
    resamples: int = ITERATIONS

    @property
    def significant(self) -> bool:
        """Whether the order is sure: a corrected p below :data:`SIGNIFICANT`, and an interval without 0."""
        return self.p_adjusted < SIGNIFICANT and (self.low > 0 or self.high < 0)

    @property
    def ahead(self) -> str | None:
        """The parser that is significantly better than the other; None if the order is not sure."""
        if not self.significant:
            return None
        return self.one if (self.difference > 0) == METRICS[self.metric].higher_is_better else self.other

    @property
    def difference(self) -> float:
        """The figure of the one minus that of the other."""
        return self.value - self.other_value

    def turned(self) -> Comparison:
        """Return the same with the other parser first."""
        return replace(
            self,
            one=self.other,
            other=self.one,
            value=self.other_value,
            other_value=self.value,
            low=-self.high,
            high=-self.low,
        )


def _check(figure: str, iterations: int, resamples: int, level: float) -> None:
    if figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    if iterations < 1 or resamples < 1 or not 0 < level < 1:
        raise ParameterError(
            f"{iterations} iterations, {resamples} resamples, level {level:g}; expected at least 1, at least 1, and a "
            "level between 0 and 1"
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
    groups: int = 0,
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
    iterations : int
        How many shuffles.
    resamples : int, optional
        How many resamples for the interval; as many as shuffles if not given.
    level : float
        Share of the resamples inside the interval.
    seed : int
        For both.
    groups : int
        Of a long corpus groups of sentences are swapped and drawn instead of sentences: so many; 0 for sentences.

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
    counts = {0: one, 1: other}
    found = _compared(
        metric,
        [(names, (0, 1))],
        counts,
        None if masks is None else dict(enumerate(masks)),
        figure=figure,
        iterations=iterations,
        resamples=resamples,
        level=level,
        seed=seed,
        groups=groups,
    )
    return found[0]


def _compared(
    metric: Metric,
    pairs: Sequence[tuple[tuple[str, str], tuple[Any, Any]]],
    counts: Mapping[Any, Counts],
    masks: Mapping[Any, NDArray[np.bool_]] | None,
    *,
    figure: str,
    iterations: int,
    resamples: int | None,
    level: float,
    seed: int,
    groups: int,
    scores: Mapping[Any, NDArray[np.float64]] | None = None,
) -> list[Comparison]:
    """Compare pairs of what `counts` holds, each with the names of the two."""
    resamples = iterations if resamples is None else resamples
    _check(figure, iterations, resamples, level)
    made = []
    for _, keys in pairs:
        sides = counts[keys[0]], counts[keys[1]]
        sizes = [len(side[metric.columns[0]]) for side in sides]
        if sizes[0] != sizes[1]:
            raise ParameterError(f"{sizes[0]} and {sizes[1]} sentences; expected the same sentences for both parsers")
        mask = np.ones(sizes[0], dtype=np.bool_) if masks is None else masks[keys[0]] & masks[keys[1]]
        known = None if scores is None else (scores[keys[0]], scores[keys[1]])
        made.append(Pair.of_sentences(metric, figure, sides, mask, groups, known))
    shuffle_and_resample(made, iterations, resamples, level, seed)
    return compared(metric, figure, [names for names, _ in pairs], made, iterations, resamples)


def compared(
    metric: Metric,
    figure: str,
    names: Sequence[tuple[str, str]],
    pairs: Sequence[Pair],
    iterations: int,
    resamples: int,
) -> list[Comparison]:
    """Return what was found out about pairs; `p_adjusted` is `p`.

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
        What was found out, pair by pair.
    """
    return [
        Comparison(
            one=one,
            other=other,
            metric=metric.id,
            figure=figure,
            value=pair.values[0],
            other_value=pair.values[1],
            low=pair.low,
            high=pair.high,
            p=pair.p,
            p_adjusted=pair.p,
            n_sentences=pair.n_sentences,
            n_different=pair.n_different,
            iterations=iterations,
            resamples=resamples,
        )
        for (one, other), pair in zip(names, pairs, strict=True)
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
    groups: int = 0,
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
        Which to compare; every two if not given.
    figure : {"pooled", "mean"}
        What to compare.
    masks : dict of str to ndarray of bool, optional
        For each parser the sentences that have a score; all if not given.
    iterations, resamples, level, seed, groups
        As for :func:`compare_two`.
    scores : dict of str to ndarray of float64, optional
        The sentence scores of each parser, for means over all sentences; what the counts make if not given.

    Returns
    -------
    list of Comparison
        In the order of the pairs.
    """
    chosen = list(combinations(counts, 2)) if pairs is None else list(pairs)
    for name in (name for pair in chosen for name in pair):
        if name not in counts:
            raise ParameterError.unknown("parser", name, counts)
    found = _compared(
        metric,
        [(pair, pair) for pair in chosen],
        counts,
        masks,
        figure=figure,
        iterations=iterations,
        resamples=resamples,
        level=level,
        seed=seed,
        groups=groups,
        scores=scores,
    )
    return corrected(found)


def corrected(found: Sequence[Comparison]) -> list[Comparison]:
    """Return comparisons with Holm's correction over all of them.

    Parameters
    ----------
    found : sequence of Comparison
        All comparisons that belong together.

    Returns
    -------
    list of Comparison
        The same, with corrected p-values.
    """
    adjusted = holm([one.p for one in found])
    return [replace(one, p_adjusted=p) for one, p in zip(found, adjusted, strict=True)]
