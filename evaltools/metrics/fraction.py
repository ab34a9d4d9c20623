"""A metric's formula as a fraction of sums: called with these in the place of numbers, it says what is divided by what.

Every score here is one weighted sum of counts over another one. What divides says how much a sentence weighs in a
pooled figure, and a difference of two figures can be taken apart by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics.expression import Symbol

__all__ = ["Fraction", "WeightedSum", "formula_as_fraction"]


@dataclass(frozen=True, slots=True)
class WeightedSum(Symbol):
    """A sum of columns, each times a number.

    Parameters
    ----------
    weights : mapping of str to float
        The number for each column.

    Examples
    --------
    >>> (2 * WeightedSum({"m": 1.0}) - WeightedSum({"g": 1.0})).weights
    {'m': 2.0, 'g': -1.0}
    """

    weights: Mapping[str, float]

    def __add__(self, other: WeightedSum) -> WeightedSum:
        names = dict.fromkeys((*self.weights, *other.weights))
        return WeightedSum({name: self.weights.get(name, 0.0) + other.weights.get(name, 0.0) for name in names})

    def __sub__(self, other: WeightedSum) -> WeightedSum:
        return self + other * -1.0

    def __mul__(self, factor: float) -> WeightedSum:
        return WeightedSum({name: factor * weight for name, weight in self.weights.items()})

    __rmul__ = __mul__

    def ratio(self, denominator: WeightedSum) -> Fraction:
        """Divide by another sum."""
        return Fraction(self, denominator)

    def not_negative(self) -> WeightedSum:
        """Return the sum itself: of what is never below 0 in a corpus, shares add up as they are."""
        return self

    def of(self, counts: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum for columns of counts.

        Parameters
        ----------
        counts : dict of str to ndarray
            The columns, all of one shape.
        """
        terms = [weight * np.asarray(counts[name], dtype=np.float64) for name, weight in self.weights.items()]
        total: NDArray[np.float64] = np.sum(terms, axis=0)
        return total


@dataclass(frozen=True, slots=True)
class Fraction(Symbol):
    """One weighted sum of counts over another.

    Parameters
    ----------
    numerator, denominator : WeightedSum
        The two. The score is undefined, or 1 if the metric says so, where the denominator is 0.
    """

    numerator: WeightedSum
    denominator: WeightedSum

    def __rsub__(self, number: float) -> Fraction:
        return Fraction(self.denominator * number - self.numerator, self.denominator)

    def __mul__(self, factor: float) -> Fraction:
        return Fraction(self.numerator * factor, self.denominator)

    __rmul__ = __mul__

    def or_perfect(self, equal: object, sentences: object) -> Fraction:
        """Return the fraction itself, which says nothing of denominators of 0."""
        return self


def formula_as_fraction(score: Callable[[Any], Any], columns: tuple[str, ...]) -> Fraction:
    """Return what a metric's formula divides by what.

    Parameters
    ----------
    score : callable
        The formula, as :attr:`evaltools.metrics.base.Metric.score`.
    columns : tuple of str
        The count columns it is made of.

    Examples
    --------
    >>> from evaltools.metrics import METRICS
    >>> METRICS["e_dice_roof"].fraction.numerator.weights
    {'e_matched_roof': 2.0}
    """
    written: Fraction = score({name: WeightedSum({name: 1.0}) for name in columns})
    return written
