"""A metric's formula as SQL: called with these in the place of numbers, it writes down what it would compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Expression", "Symbol", "formula_as_sql"]


class Symbol:
    """What a formula may be called with in the place of numbers: it divides in its own way."""

    __slots__ = ()

    def ratio(self, denominator: Any) -> Any:
        """Divide by another symbol."""
        raise NotImplementedError

    def not_negative(self) -> Any:
        """Take 0 where this is below 0."""
        raise NotImplementedError

    def or_perfect(self, equal: Any, sentences: Any) -> Any:
        """Take 1 where this is undefined and all sentences are equal."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Expression(Symbol):
    """What a formula makes of columns, as SQL.

    Parameters
    ----------
    sql : str
        An expression over columns of double precision.

    Examples
    --------
    >>> (2 * Expression("m") + Expression("g") - 1).sql
    '((2 * m) + g) - 1'
    """

    sql: str

    def _with(self, operator: str, other: object, *, first: bool = True) -> Expression:
        one, two = _operand(self), _operand(other)
        return Expression(f"{one} {operator} {two}" if first else f"{two} {operator} {one}")

    def __add__(self, other: object) -> Expression:
        return self._with("+", other)

    def __radd__(self, other: object) -> Expression:
        return self._with("+", other, first=False)

    def __sub__(self, other: object) -> Expression:
        return self._with("-", other)

    def __rsub__(self, other: object) -> Expression:
        return self._with("-", other, first=False)

    def __mul__(self, other: object) -> Expression:
        return self._with("*", other)

    def __rmul__(self, other: object) -> Expression:
        return self._with("*", other, first=False)

    def ratio(self, denominator: object) -> Expression:
        """Divide; null where the denominator is 0."""
        return Expression(f"{_operand(self)} / nullif({_operand(denominator)}, 0)")

    def not_negative(self) -> Expression:
        """Take 0 where this is below 0."""
        return Expression(f"greatest({self.sql}, 0)")

    def or_perfect(self, equal: Expression, sentences: Expression) -> Expression:
        """Take 1 where this is null, and as many sentences are equal as there are."""
        every = f"{sentences.sql} > 0 and {equal.sql} = {sentences.sql}"
        return Expression(f"coalesce({self.sql}, case when {every} then 1.0 end)")


def _operand(value: object) -> str:
    if not isinstance(value, Expression):
        return f"{value}"
    return f"({value.sql})" if " " in value.sql else value.sql


def formula_as_sql(
    score: Callable[[Any], Any], columns: tuple[str, ...], instead: Mapping[str, str] | None = None
) -> str:
    """Return the SQL of a metric's formula.

    Parameters
    ----------
    score : callable
        The formula, as :attr:`evaltools.metrics.base.Metric.score`.
    columns : tuple of str
        The count columns it is made of.
    instead : mapping of str to str, optional
        Columns that others take the place of.

    Returns
    -------
    str
        An expression over these columns, null where the score is undefined.
    """
    other = instead or {}
    written: Expression = score({name: Expression(f"{other.get(name, name)}::double") for name in columns})
    return written.sql
