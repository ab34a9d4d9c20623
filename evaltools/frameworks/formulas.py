"""A metric's formula as a fraction.

A formula is called with symbols in place of numbers, and they record it. Every score here is one weighted sum of counts
over another one. The denominator is the weight of a sentence in a pooled figure, by which a difference of two figures
can be taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_UNIT = "1.8446744073709552e19"
"""2 ** 64, as the SQL of a double."""


def exact_sum(value: str, condition: str = "") -> str:
    """Return the SQL of a sum over rows that is the same in any order of them; null if there are none."""
    # Several threads add the rows in another order each time. Integers can be added in any order; these are multiples
    # of 2 ** -64, as are all numbers from 2 ** -11 on.
    chosen = f" filter ({condition})" if condition else ""
    return f"((sum(try_cast(({value})::double * {_UNIT} as hugeint)){chosen})::double / {_UNIT})"


class Symbol:
    """A stand-in for a number in a formula."""

    __slots__ = ()

    def ratio(self, denominator: Any) -> Any:
        """Divide by another symbol."""
        raise NotImplementedError

    def not_negative(self) -> Any:
        """Replace values below 0 by 0."""
        raise NotImplementedError

    def or_perfect(self, equal: Any, sentences: Any) -> Any:
        """Replace undefined values by 1 where all sentences are equal."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class WeightedSum(Symbol):
    """A sum of columns, each times a number.

    Examples
    --------
    >>> (2 * WeightedSum({"m": 1.0}) - WeightedSum({"g": 1.0})).weights
    {'m': 2.0, 'g': -1.0}
    """

    weights: Mapping[str, float]  # The number for each column

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
        """Return the sum itself: it is never below 0 in a corpus."""
        return self

    def of(self, counts: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum for columns of counts."""
        terms = [weight * np.asarray(counts[name], dtype=np.float64) for name, weight in self.weights.items()]
        total: NDArray[np.float64] = np.sum(terms, axis=0)
        return total


@dataclass(frozen=True, slots=True)
class Fraction(Symbol):
    """One weighted sum of counts over another."""

    numerator: WeightedSum
    denominator: WeightedSum  # Where it is 0, the score is undefined, or 1 for some metrics

    def __rsub__(self, number: float) -> Fraction:
        return Fraction(self.denominator * number - self.numerator, self.denominator)

    def __mul__(self, factor: float) -> Fraction:
        return Fraction(self.numerator * factor, self.denominator)

    __rmul__ = __mul__

    def or_perfect(self, equal: object, sentences: object) -> Fraction:
        """Return the fraction itself: it does not define scores for a denominator of 0."""
        return self


def formula_as_fraction(score: Callable[[Any], Any], columns: tuple[str, ...]) -> Fraction:
    """Return numerator and denominator of a metric's formula.

    Examples
    --------
    >>> from evaltools import METRICS
    >>> formula_as_fraction(METRICS["f1"].score, METRICS["f1"].columns).numerator.weights
    {'e_matched_roof': 2.0}
    """
    result: Fraction = score({name: WeightedSum({name: 1.0}) for name in columns})
    return result
