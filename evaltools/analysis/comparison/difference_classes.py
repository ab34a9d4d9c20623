"""Contributions of classes of sentences to the difference of two figures.

A figure is one sum over another, F = N / D, of all sentences. Let the sums of B turn into those of A at one pace, from
t = 0 to t = 1. What a class c adds to F on the way is its contribution (Aumann and Shapley's value of c):

    contribution of c = ∫ (N_c / D(t) − N(t) · D_c / D(t)²) dt = N_c · I₁ − D_c · I₂

where N_c and D_c are the sums of A minus those of B inside the class, and the two integrals, of the sums of all
sentences, have closed forms. Contributions have these properties:

- those of classes that share no sentence and leave none out add up to the difference, exactly;
- a class in which both parsers have the same sums contributes 0;
- the contribution of two classes together is the sum of theirs, however the other sentences are put into classes;
- where both parsers have the same D, as in recall, LA or attachment over the same words, it is simply N_c / D.

To swap the counts of one class alone, and see what that changes, comes close, but those changes do not add up.

References
----------
R. J. Aumann and L. S. Shapley (1974). Values of non-atomic games. Princeton University Press.
L. J. Billera and D. C. Heath (1982). Allocation of shared costs. Mathematics of Operations Research 7, 32-39.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.comparison.bootstrap import RESAMPLES, SEED, interval, resampled_sums
from evaltools.analysis.comparison.effect_size import EQUAL
from evaltools.analysis.comparison.pairs import grouped
from evaltools.analysis.comparison.sentence_classes import ClassFamily
from evaltools.frameworks.metric import Metric, ratio
from evaltools.runs.sentences import SentenceCounts

__all__ = ["COLUMNS", "contributions", "difference_by_class"]

COLUMNS = (
    *("family", "place", "name", "overlap", "sentences", "value", "other_value"),
    *("difference", "contribution", "low", "high", "share", "weight"),
)
"""Columns of :func:`difference_by_class`."""

Array = NDArray[np.float64]

_SMALL = 1e-2


def _second_integral(x: Array) -> Array:
    """Return ∫ t / (1 + xt)² dt from 0 to 1; of small x by its series, where the closed form loses its digits."""
    series = np.zeros_like(x)
    for power in range(11, -1, -1):
        series = (power + 1) / (power + 2) * (-1) ** power + x * series
    small = np.abs(x) < _SMALL
    safe = np.where(small, 1.0, x)
    closed: Array = (np.log1p(safe) - safe / (1 + safe)) / safe**2
    return np.where(small, series, closed)


def contributions(
    side_a: tuple[Array, Array], side_b: tuple[Array, Array], totals: tuple[Array, Array, Array, Array]
) -> Array:
    """Return what classes contribute to a difference of two figures.

    Examples
    --------
    >>> side_a = np.array([9.0, 3.0]), np.array([10.0, 6.0])
    >>> side_b = np.array([8.0, 3.0]), np.array([10.0, 5.0])
    >>> totals = tuple(values.sum() for values in (*side_a, *side_b))
    >>> parts = contributions(side_a, side_b, totals)
    >>> parts.round(4).tolist()
    [0.0645, -0.0479]
    >>> bool(np.isclose(parts.sum(), 12 / 16 - 11 / 15))
    True
    """
    n_a, d_a, n_b, d_b = (np.asarray(total, dtype=np.float64) for total in totals)
    possible = (d_a > 0) & (d_b > 0)
    d_a, d_b = np.where(possible, d_a, 1.0), np.where(possible, d_b, 1.0)
    x = (d_a - d_b) / d_b
    first = np.where(x == 0, 1.0, np.log1p(x) / np.where(x == 0, 1.0, x)) / d_b
    second = n_b / (d_a * d_b) + (n_a - n_b) * _second_integral(x) / d_b**2
    shares: Array = (side_a[0] - side_b[0]) * first - (side_a[1] - side_b[1]) * second
    return np.where(possible, shares, np.nan)


def _fraction_columns(metric: Metric, figure: str, side: SentenceCounts, mask: NDArray[np.bool_]) -> Array:
    """Return what a figure divides by what, shape (sentences, 2)."""
    if figure == "mean":
        has_score = mask & ~np.isnan(side.score)
        return np.column_stack([np.where(has_score, side.score, 0.0), has_score.astype(np.float64)])
    fraction = metric.fraction
    return np.column_stack(
        [np.where(mask, part.of(side.counts), 0.0) for part in (fraction.numerator, fraction.denominator)]
    )


def difference_by_class(
    metric: Metric,
    sides: tuple[SentenceCounts, SentenceCounts],
    families: Sequence[ClassFamily],
    *,
    figure: str = "pooled",
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = SEED,
    units: NDArray[np.int64] | None = None,
) -> pd.DataFrame:
    """Take the difference of two parsers apart by classes of sentences.

    The share of a class that works against the difference, or contributes more than all of it, is NaN.
    """
    mask = sides[0].mask & sides[1].mask
    columns = np.column_stack([_fraction_columns(metric, figure, side, mask) for side in sides])
    rows, by_group = [], [grouped(columns, units)]
    group = np.arange(len(mask)) if units is None else units
    for family in families:
        for index, name in enumerate(family.names):
            inside = np.flatnonzero(family.mask(index))
            if not len(inside):
                continue
            own, into = columns[inside].T, group[inside]
            by_group.append(np.column_stack([np.bincount(into, column, len(by_group[0])) for column in own]))
            rows.append((family.id, index, name, family.overlap, len(inside), *own.sum(axis=1)))
    names = (*COLUMNS[:5], "n_a", "d_a", "n_b", "d_b")
    table = pd.DataFrame(rows, columns=names)
    totals = columns.sum(axis=0)
    sums = table[list(names[5:])].to_numpy(dtype=np.float64).T
    difference = float(ratio(totals[0], totals[1]) - ratio(totals[2], totals[3]))
    table["value"], table["other_value"] = ratio(sums[0], sums[1]), ratio(sums[2], sums[3])
    table["difference"] = table["value"] - table["other_value"]
    table["contribution"] = contributions((sums[0], sums[1]), (sums[2], sums[3]), tuple(totals))
    counted = grouped(mask[:, None].astype(np.float64), units)[:, 0] > 0
    drawn = resampled_sums(np.column_stack(by_group)[counted], resamples, seed)
    cube = drawn.reshape(resamples, len(by_group), 4).transpose(2, 0, 1)
    parts = contributions((cube[0, :, 1:], cube[1, :, 1:]), (cube[2, :, 1:], cube[3, :, 1:]), tuple(cube[:, :, :1]))
    table["low"], table["high"] = interval(parts, level)
    share = table["contribution"] / (difference if abs(difference) > EQUAL else np.nan)
    # what works against the difference, or is more than all of it because others do, is no share of it
    table["share"] = share.where(share.between(-EQUAL, 1 + EQUAL)).clip(0.0, 1.0)
    table["weight"] = ratio(sums[1] + sums[3], np.full(len(table), totals[1] + totals[3]))
    return table[list(COLUMNS)]
