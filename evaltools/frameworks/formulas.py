"""Formulas of metrics: in symbols, with numbers put in, and as fractions.

All follow from the function that computes a score: it is called with columns in place of numbers, and they record the
formula. Every score here is a weighted sum of counts, one such sum over another, or 1 minus that. The denominator is
the weight of a sentence in a pooled figure, by which a difference of two figures can be taken apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.blocks import Column, Format
from evaltools.frameworks.metric import Count, Metric
from evaltools.text import number

_UNIT = "1.8446744073709552e19"
"""2 ** 64, as the SQL of a double."""


def exact_sum(value: str, condition: str = "") -> str:
    """Return the SQL of a sum over rows that is the same in any order of them; null if there are none."""
    # Several threads add the rows in another order each time. Integers can be added in any order; these are multiples
    # of 2 ** -64, as are all numbers from 2 ** -11 on.
    chosen = f" filter ({condition})" if condition else ""
    return f"((sum(try_cast(({value})::double * {_UNIT} as hugeint)){chosen})::double / {_UNIT})"


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """A sum of columns, each times a number.

    Examples
    --------
    >>> (2 * WeightedSum({"m": 1.0}) - WeightedSum({"g": 1.0})).weights
    {'m': 2.0, 'g': -1.0}
    """

    weights: Mapping[str, float]  # The number for each column
    limits: Mapping[str, str] = field(default_factory=dict)  # For a column one that it does not exceed in the sum

    def __add__(self, other: WeightedSum) -> WeightedSum:
        names = dict.fromkeys((*self.weights, *other.weights))
        weights = {name: self.weights.get(name, 0.0) + other.weights.get(name, 0.0) for name in names}
        return WeightedSum(weights, {**self.limits, **other.limits})

    def __sub__(self, other: WeightedSum) -> WeightedSum:
        return self + other * -1.0

    def __mul__(self, factor: float) -> WeightedSum:
        return WeightedSum({name: factor * weight for name, weight in self.weights.items()}, self.limits)

    __rmul__ = __mul__

    def at_most(self, limit: WeightedSum) -> WeightedSum:
        """Return the column itself: in a corpus it is never above the limit, in a sentence it may be."""
        return WeightedSum(self.weights, dict(zip(self.weights, limit.weights, strict=True)))

    def ratio(self, denominator: WeightedSum) -> Fraction:
        """Divide by another sum."""
        return Fraction(self, denominator)

    def of(self, counts: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum for columns of counts."""
        terms = [weight * np.asarray(counts[name], dtype=np.float64) for name, weight in self.weights.items()]
        total: NDArray[np.float64] = np.sum(terms, axis=0)
        return total


@dataclass(frozen=True, slots=True)
class Fraction:
    """One weighted sum of counts over another, or 1 minus that."""

    above: WeightedSum
    denominator: WeightedSum  # Where it is 0, the score is undefined, or 1 for some metrics
    is_rest: bool = False  # Whether it is subtracted from 1

    def __rsub__(self, number: float) -> Fraction:
        return Fraction(self.above, self.denominator, is_rest=True)

    @property
    def numerator(self) -> WeightedSum:
        """What is divided by the denominator."""
        return self.denominator - self.above if self.is_rest else self.above


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide; NaN where the denominator is 0."""
    column: Any = numerator
    if isinstance(column, WeightedSum):  # the formula is written as a fraction
        return column.ratio(denominator)  # type: ignore[arg-type,return-value]
    denominator = np.asarray(denominator, dtype=np.float64)
    result: NDArray[np.float64] = np.full(np.shape(denominator), np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def at_most(counts: Any, limit: Any) -> Any:
    """Return counts, with the limit in place of those above it."""
    return counts.at_most(limit) if isinstance(counts, WeightedSum) else np.minimum(counts, limit)


def or_perfect(scores: Any, equal: Any, sentences: Any) -> Any:
    """Replace undefined scores by 1 where all trees are equal."""
    if isinstance(scores, Fraction):
        return scores
    sentences = np.asarray(sentences, dtype=np.float64)
    return np.where(np.isnan(scores) & (sentences > 0) & (equal == sentences), 1.0, scores)


@cache
def formula_as_fraction(metric: Metric) -> Fraction:
    """Return numerator and denominator of a metric's formula.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> formula_as_fraction(METRICS["f1"]).numerator.weights
    {'e_matched_roof': 2.0}
    """
    recorded: Any = metric.score(_columns(metric))
    return recorded if isinstance(recorded, Fraction) else Fraction(recorded, WeightedSum({}))


def _columns(metric: Metric) -> Any:
    return {name: WeightedSum({name: 1.0}) for name in metric.columns}


def formula(metric: Metric) -> str:
    """Return the formula of a metric in the symbols of its counts.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> formula(METRICS["f1"]), formula(METRICS["ted"]), formula(METRICS["crossing"])
    ('2M / (G + T)', '1 − (D + I + S) / (G + T − 2W)', 'test brackets that cross a gold bracket / sentences')
    """
    return _written(metric, None)


def formula_with(metric: Metric, counts: Mapping[str, float]) -> str:
    """Return the formula of a metric with numbers put in.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> formula_with(METRICS["f1"], {"e_matched_roof": 1, "e_gold_roof": 3, "e_test_roof": 3})
    '2 × 1 / (3 + 3)'
    """
    return _written(metric, counts)


def _written(metric: Metric, counts: Mapping[str, float] | None) -> str:
    fraction = formula_as_fraction(metric)
    above, below = (_terms(metric, part, counts) for part in (fraction.above, fraction.denominator))
    if not below:
        return " ".join(above)
    parts = [" ".join(terms) if len(terms) == 1 else f"({' '.join(terms)})" for terms in (above, below)]
    return f"{'1 − ' if fraction.is_rest else ''}{' / '.join(parts)}"


def _terms(metric: Metric, total: WeightedSum, counts: Mapping[str, float] | None) -> list[str]:
    """Return the terms of a sum, one for each symbol, all but the first with a sign."""
    weights: dict[str, float] = {}
    numbers: dict[str, float] = {}
    for name, weight in total.weights.items():
        count = metric.family.counts.get(name, Count(name))
        symbol = count.symbol or count.name
        weights[symbol] = weights.get(symbol, 0.0) + weight if count.repeats else weight
        if counts is not None and not count.repeats:
            number_of = min(counts[item] for item in (name, total.limits.get(name, name)))
            numbers[symbol] = numbers.get(symbol, 0.0) + number_of
    terms: list[str] = []
    for symbol, weight in weights.items():
        sign = ("− " if weight < 0 else "+ ") if terms else ""
        factor = "" if abs(weight) == 1 else f"{number(abs(weight))}{'' if counts is None else ' × '}"
        terms.append(f"{sign}{factor}{symbol if counts is None else number(numbers[symbol])}")
    return terms


def hint(metric: Metric) -> str:
    """Return the hint at the head of a metric's column: the title if the head is shorter, its help and formula."""
    title = f"{metric.title}. " if metric.short != metric.title else ""
    return f"{title}{metric.help} Formula: {formula(metric)}"


def figure_column(metric: Metric, name: str = "", title: str = "", *, whole: bool = False) -> Column:
    """Return a column of figures of a metric, by default under its id and its usual head.

    `whole`: numbers are written without decimals if they are whole, as counts of one sentence are.
    """
    form: Format = "points" if metric.is_share else "amount" if whole else "figure"
    return Column(name or metric.id, title or metric.short, form, hint(metric))
