"""Numbers, counts, plurals, quotations, shortened texts and listings: the only formatter of figures.

Undefined numbers are “–”, negative ones have the minus sign, and thousands are separated by commas. Figures of a metric
are written by :meth:`evaltools.frameworks.metric.Metric.text`, which uses this module.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_MAX_REPR = 120
UNDEFINED = "–"
"""What stands for a number that is undefined."""

# -------------------------------------------------------------------------------------------------------------- numbers


def decimals(value: float | None, places: int = 2, *, signed: bool = False) -> str:
    """Return a number to some decimal places, with its sign if it is a difference.

    Examples
    --------
    >>> decimals(2 / 3, 3), decimals(-1234.5), decimals(-0.001), decimals(None)
    ('0.667', '−1,234.50', '0.00', '–')
    >>> decimals(0.25, signed=True)
    '+0.25'
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    return with_minus(f"{value:{'+' if signed else ''}z,.{places}f}")


def number(value: float | None, places: int = 2, *, signed: bool = False) -> str:
    """Return a count, amount or cost: with decimals only where it is not whole.

    Examples
    --------
    >>> number(21438.0), number(0.25), number(-2, signed=True)
    ('21,438', '0.25', '−2')
    """
    is_whole = value is not None and float(value).is_integer()
    return decimals(value, 0 if is_whole else places, signed=signed and bool(value))


def percent(value: float | None, places: int = 2, *, signed: bool = False) -> str:
    """Return a share as a percentage, without the percent sign, as tables have it.

    Examples
    --------
    >>> percent(2 / 3), percent(-0.015), percent(-0.0), percent(None)
    ('66.67', '−1.50', '0.00', '–')
    """
    return decimals(None if value is None else 100 * value, places, signed=signed)


def percentage(value: float | None, places: int = 1) -> str:
    """Return a share as a percentage with the percent sign; shares of errors have one decimal.

    Examples
    --------
    >>> percentage(0.1304), percentage(0.5, 0), percentage(None)
    ('13.0 %', '50 %', '–')
    """
    text = percent(value, places)
    return text if text == UNDEFINED else f"{text} %"


def column_format(places: int = 2, *, signed: bool = False, sign: str = "") -> str:
    """Return the format of the numbers of a column that a browser writes.

    Examples
    --------
    >>> column_format(), column_format(0, signed=True), column_format(1, sign="%")
    ('%.2f', '%+d', '%.1f %%')
    """
    return f"%{'+' if signed else ''}{f'.{places}f' if places else 'd'}{f' {sign}{sign}' if sign else ''}"


P_VALUES = "%.2g"
"""The format of p-values in a column that a browser writes."""


def interval_text(low: float, high: float, places: int = 2, *, signed: bool = False) -> str:
    """Return an interval.

    Examples
    --------
    >>> interval_text(81.5, 84.25), interval_text(-1.5, 0.25, 1, signed=True), interval_text(float("nan"), float("nan"))
    ('81.50 to 84.25', '−1.5 to +0.2', '–')
    """
    if math.isnan(low):
        return UNDEFINED
    return f"{decimals(low, places, signed=signed)} to {decimals(high, places, signed=signed)}"


def p_value(p: float) -> str:
    """Return a p-value with two significant digits.

    Examples
    --------
    >>> p_value(0.00009999), p_value(0.20898), p_value(1.0), p_value(float("nan"))
    ('0.0001', '0.21', '1', '–')
    """
    return significant(p, 2)


def significant(value: float | None, digits: int = 6) -> str:
    """Return a number with some significant digits, no more than it needs.

    Examples
    --------
    >>> significant(0.5), significant(2.0), significant(1 / 3, 2)
    ('0.5', '2', '0.33')
    """
    return UNDEFINED if value is None or math.isnan(value) else with_minus(f"{value:.{digits}g}")


def ordinal(number: int) -> str:
    """Return an ordinal number.

    Examples
    --------
    >>> ordinal(1), ordinal(12), ordinal(1188), ordinal(1203)
    ('1st', '12th', '1,188th', '1,203rd')
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def rank_in_words(rank: float) -> str:
    """Return a rank; the mean of tied ranks may lie between two.

    Examples
    --------
    >>> rank_in_words(149.0), rank_in_words(2.5)
    ('149th', 'rank 2.5')
    """
    return ordinal(int(rank)) if float(rank).is_integer() else f"rank {number(rank, 1)}"


def with_minus(text: str) -> str:
    """Return a number with the minus sign instead of a hyphen.

    Examples
    --------
    >>> with_minus("-3 to +1")
    '−3 to +1'
    """
    return text.replace("-", "−")


# ---------------------------------------------------------------------------------------- counts, plurals and listings


def count_of(value: float, noun: str, plural: str = "") -> str:
    """Return a count with its noun in the singular or the plural.

    Examples
    --------
    >>> count_of(1, "word"), count_of(2000, "word"), count_of(2.5, "triple"), count_of(0, "reply", "replies")
    ('1 word', '2,000 words', '2.50 triples', '0 replies')
    """
    return f"{number(value)} {noun_of(value, noun, plural)}"


def noun_of(value: float, noun: str, plural: str = "") -> str:
    """Return a noun in the singular or the plural, for a number that does not stand before it.

    Examples
    --------
    >>> noun_of(1, "word"), noun_of(0, "word"), noun_of(2, "is", "are")
    ('word', 'words', 'are')
    """
    return noun if value == 1 else plural or f"{noun}s"


def phrase(rows: Iterable[tuple[int, str, str]], nothing: str) -> str:
    """Join counts with their nouns, in the singular or the plural.

    Examples
    --------
    >>> phrase([(1, "bracket", "brackets"), (0, "tag", "tags"), (2, "word", "words")], "nothing")
    '1 bracket, 2 words'
    """
    parts = [count_of(count, singular, plural) for count, singular, plural in rows if count]
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


def and_more(n: int) -> str:
    """Return the last line of a list that is cut: the number of lines left out.

    Examples
    --------
    >>> and_more(1200)
    '… and 1,200 more'
    """
    return f"… and {n:,} more"


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case.

    Examples
    --------
    >>> capitalized("no sentence of NASA"), capitalized("")
    ('No sentence of NASA', '')
    """
    return text[:1].upper() + text[1:]


# ----------------------------------------------------------------------------------------------------- shortened texts


def excerpt(text: str, max_length: int = 60) -> str:
    """Shorten a long text for a message by leaving out its middle.

    Parameters
    ----------
    text : str
        Any text.
    max_length : int
        Maximum length in characters.

    Returns
    -------
    str
        The text, or its beginning and its end.

    Examples
    --------
    >>> excerpt("incomprehensibilities", 11)
    'incom…ities'
    """
    if len(text) <= max_length:
        return text
    return f"{text[: max_length // 2]}…{text[len(text) - (max_length - 1 - max_length // 2) :]}"


def first_line(error: object) -> str:
    r"""Return what an error says first, such as one of DuckDB, which prints the SQL below.

    Examples
    --------
    >>> first_line(ValueError("no column x\nselect x"))
    'no column x'
    """
    return next(iter(str(error).splitlines()), "")


def beginning(text: str, max_length: int) -> str:
    """Return a text, of a long one its beginning.

    Examples
    --------
    >>> beginning("incomprehensibilities", 8)
    'incompr…'
    """
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"


def some_words(words: Sequence[str], first: int, last: int = 0, space: str = " ") -> str:
    """Join words; where there are more than the first and the last ones that fit, with … for the others.

    Examples
    --------
    >>> some_words(["it", "is", "not", "enough"], 2, 1), some_words(["it", "is", "so"], 2, 1), some_words("abc", 2)
    ('it is … enough', 'it is so', 'a b …')
    """
    if len(words) <= first + last:
        return space.join(words)
    return space.join((*words[:first], "…", *words[len(words) - last :]))


def join_words(words: Sequence[str], limit: int = 26) -> str:
    """Join words, leaving out the middle ones if the text becomes too long.

    Examples
    --------
    >>> join_words(["the", "many", "rather", "unhappy", "investors"])
    'the … investors'
    """
    joined = " ".join(words)
    if len(joined) <= limit:
        return joined
    if len(words) < 3:
        return " ".join(excerpt(word, limit // 2) for word in words)
    return f"{excerpt(words[0], limit // 2)} … {excerpt(words[-1], limit // 2)}"


# ---------------------------------------------------------------------------------------------------------- quotations


def printable(text: str) -> str:
    r"""Return a text as one printable line of a terminal.

    Control characters are replaced by their Unicode pictures. Control characters without one, lone surrogates, and
    characters that change the text direction are written as escapes.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text on one line.

    Examples
    --------
    >>> printable("NP\x1b[31m\n"), printable("\u202e")
    ('NP␛[31m␊', '\\u202e')
    """

    def escaped(match: re.Match[str]) -> str:
        code = ord(match.group())
        if code < 0x20:
            return chr(0x2400 + code)
        return "␡" if code == 0x7F else f"\\u{code:04x}"

    return _UNPRINTABLE.sub(escaped, text)


def with_direction_codes(text: str) -> str:
    r"""Return a text in which the characters that change the direction of the text are written as escapes.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text; lines and all other characters are kept.

    Examples
    --------
    >>> with_direction_codes("a\u202eb")
    'a\\u202eb'
    """
    return _DIRECTION.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def told_apart(found: str, expected: str) -> tuple[str, str]:
    r"""Return two strings in quotes for a message, with the code points of those that look alike.

    Parameters
    ----------
    found, expected : str
        Two different strings.

    Returns
    -------
    tuple of str
        Both, each in quotes.

    Examples
    --------
    >>> told_apart("cat", "dog")
    ("'cat'", "'dog'")
    >>> told_apart("a\u200b", "a")
    ("'a\\u200b' (U+200B)", "'a' (without it)")
    """
    texts = [f"{excerpt(text)!r}" for text in (found, expected)]
    if found != expected and _appearance(found) == _appearance(expected):
        first = _n_shared(found, expected)
        last = _n_shared(found[:first:-1], expected[:first:-1])
        points = [" ".join(f"U+{ord(c):04X}" for c in text[first : len(text) - last]) for text in (found, expected)]
        texts = [f"{text} ({code or 'without it'})" for text, code in zip(texts, points, strict=True)]
    return texts[0], texts[1]


def _n_shared(first: str, second: str) -> int:
    """Return with how many equal characters two strings begin."""
    differences = (index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    return next(differences, min(len(first), len(second)))


def _appearance(text: str) -> str:
    """Return how a text looks: without characters that have no width, letters by their names without the script."""
    looks = []
    for character in unicodedata.normalize("NFKC", text):
        category = unicodedata.category(character)
        if category in ("Cf", "Cc"):
            continue
        name = unicodedata.name(character, character)
        _, _, rest = name.partition(" ")  # LATIN SMALL LETTER A, CYRILLIC SMALL LETTER A
        if category[0] == "Z":
            name = " "
        elif category == "Pd":
            name = "-"
        elif category[0] == "L" and rest:
            name = rest
        looks.append(name)
    return "\n".join(looks)


def short_repr(subject: object, text: str) -> str:
    """Return ``<Class text>`` as one printable line that a console shows without a break."""
    line = "".join(letter if letter.isprintable() else "·" for letter in f"<{type(subject).__name__} {text}>")
    return line if len(line) <= _MAX_REPR else f"{line[: _MAX_REPR - 2]}…>"


def scores_in_line(scores: Mapping[str, float | None]) -> str:
    """Return scores by metric in one line; those that are undefined as a dash."""
    return ", ".join(f"{name} {decimals(value, 3)}" for name, value in scores.items())
