"""Scores and counts as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["SCALE", "capitalized", "count_of", "listing", "number", "percent", "phrase", "three", "two", "with_minus"]

SCALE = "from 0 to 1"
"""The scale of scores of sentences, which have three decimals; figures of parsers are percentages."""


def three(value: float | None) -> str:
    """Return a score to three decimals; “–” where undefined.

    Examples
    --------
    >>> three(2 / 3), three(None), three(float("nan"))
    ('0.667', '–', '–')
    """
    return _decimals(value, 3)


def two(value: float | None) -> str:
    """Return a figure to two decimals; “–” where undefined."""
    return _decimals(value, 2)


def percent(value: float | None) -> str:
    """Return a share as a percentage to two decimals; “–” where undefined.

    Examples
    --------
    >>> percent(2 / 3), percent(-0.015), percent(-0.0), percent(None)
    ('66.67', '−1.50', '0.00', '–')
    """
    return two(None if value is None else 100 * value)


def _decimals(value: float | None, decimals: int) -> str:
    return "–" if value is None or value != value else with_minus(f"{value:z.{decimals}f}")


def with_minus(text: str) -> str:
    """Return a number as readers see it, with the minus sign instead of a hyphen.

    Examples
    --------
    >>> with_minus("-3 to +1")
    '−3 to +1'
    """
    return text.replace("-", "−")


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case.

    Examples
    --------
    >>> capitalized("no sentence of NASA"), capitalized("")
    ('No sentence of NASA', '')
    """
    return text[:1].upper() + text[1:]


def number(value: float) -> str:
    """Write a count: whole where it is, with commas between thousands.

    Examples
    --------
    >>> number(21438.0), number(0.25)
    ('21,438', '0.250')
    """
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3f}"


def count_of(value: float, noun: str) -> str:
    """Return a count with a noun in the singular or the plural; two decimals where it is not whole.

    Examples
    --------
    >>> count_of(1, "word"), count_of(2000, "word"), count_of(2.5, "triple")
    ('1 word', '2,000 words', '2.50 triples')
    """
    text = f"{value:,.0f}" if value % 1 == 0 else f"{value:,.2f}"
    return f"{text} {noun}{'' if value == 1 else 's'}"


def phrase(rows: Iterable[tuple[int, str, str]], nothing: str) -> str:
    """Join counts with their nouns, in the singular or the plural.

    Examples
    --------
    >>> phrase([(1, "bracket", "brackets"), (0, "tag", "tags"), (2, "word", "words")], "nothing")
    '1 bracket, 2 words'
    """
    parts = [f"{number} {singular if number == 1 else plural}" for number, singular, plural in rows if number]
    return ", ".join(parts) or nothing


def listing(names: Sequence[str], max_names: int = 3) -> str:
    """Join names as in a sentence.

    Examples
    --------
    >>> listing(["a"]), listing(["a", "b"]), listing(["a", "b", "c"]), listing(["a", "b", "c", "d", "e"])
    ('a', 'a and b', 'a, b and c', 'a, b and 3 others')
    """
    if len(names) > max_names:
        kept = list(names[: max_names - 1])
        return f"{', '.join(kept)} and {len(names) - len(kept)} others"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
