"""A metric's formula as SQL: called with these in the place of numbers, it writes down what it would compute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Expression", "formula_as_sql"]


@dataclass(frozen=True, slots=True)
class Expression:
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
