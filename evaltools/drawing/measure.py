"""Width of texts, estimated well enough to keep labels apart, and the form in which labels from data are drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from evaltools.text import with_direction_codes

CORNER = 7.0
"""Radius of the corners of arcs, in pixels."""

_NARROW = frozenset("iljI.,:;'|!`·’‘")
_SLIM = frozenset('ftr()[]{}/\\-"*“” ')
_BROAD = frozenset("mwMW@%—…&≠»«")
_EMPTY = "∅"
_STEPS = 16  # from the middle of an arc to its ends, for its label


@lru_cache(maxsize=4096)
def _advance(char: str) -> float:
    """Return the advance width of a character in em, rather too large than too small."""
    if char in _NARROW:
        return 0.3
    if char in _SLIM:
        return 0.4
    if char in _BROAD:
        return 0.93
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in ("W", "F"):
        return 1.02
    if ord(char) >= 0x1F000:
        return 1.3
    if category == "Lu":
        return 0.69
    if category == "So":
        return 1.0
    return 0.58 if ord(char) < 0x250 else 0.64


def text_width(text: str, size: float) -> float:
    r"""Estimate the width of a text set in a common sans-serif face.

    Parameters
    ----------
    text : str
        One line. Wide characters count as one em, combining marks as nothing.
    size : float
        Font size in pixels.

    Returns
    -------
    float
        Pixels.

    Examples
    --------
    >>> text_width("漢字", 10) > text_width("kanji", 10) * 0.7
    True
    >>> text_width("e\u0301", 10) == text_width("e", 10)
    True
    """
    return size * _advances(text)


@lru_cache(maxsize=65_536)
def _advances(text: str) -> float:
    return sum(map(_advance, text))


def cells(text: str) -> int:
    """Return the number of terminal cells of a text."""
    wide = sum(unicodedata.east_asian_width(char) in ("W", "F") for char in text)
    return len(text) + wide - sum(unicodedata.category(char) in ("Mn", "Me", "Cf") for char in text)


@lru_cache(maxsize=4096)
def _visible_char(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0 or 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE or char in "\u2028\u2029":
        return "\ufffd"
    return with_direction_codes(char)


def visible(text: str) -> str:
    r"""Return a text without invisible characters: control characters as their pictures, an empty label as ``∅``.

    Characters that XML cannot hold become U+FFFD, and those that change the direction of the text are spelled out.

    Examples
    --------
    >>> visible("a\x00b"), visible(""), visible("-LRB-")
    ('a␀b', '∅', '-LRB-')
    """
    if text.isascii() and text.isprintable():
        return text or _EMPTY
    return "".join(map(_visible_char, text)) or _EMPTY


def is_right_to_left(words: Iterable[str]) -> bool:
    """Return whether most letters of the words belong to a script written from right to left.

    Examples
    --------
    >>> is_right_to_left(["كتاب", "NLP", "الطالب"]), is_right_to_left(["a", "b"])
    (True, False)
    """
    right = left = 0
    for word in words:
        for char in word:
            direction = unicodedata.bidirectional(char)
            right += direction in ("R", "AL")
            left += direction == "L"
    return right > left


def clear_position(first: float, last: float, width: float, crossing: Sequence[float]) -> float:
    """Return a position for a label on the level part of an arc, as near to its middle as the lines across it allow.

    Examples
    --------
    >>> clear_position(0, 100, 20, []), clear_position(0, 100, 20, [52.0])
    (50.0, 39.6875)
    """
    middle, half = (first + last) / 2, width / 2
    room = max((last - first) / 2 - CORNER - half, 0.0)
    positions = (middle + sign * step * room / _STEPS for step in range(_STEPS + 1) for sign in (1, -1))
    return next((x for x in positions if all(abs(x - line) > half + 1 for line in crossing)), middle)


def widen(widths: list[float], needs: Iterable[tuple[int, int, float]]) -> None:
    """Widen columns, given the first and the last one of each text over them and the width that it needs.

    Examples
    --------
    >>> widths = [1.0, 3.0]
    >>> widen(widths, [(0, 1, 6.0)])
    >>> widths
    [2.0, 4.0]
    """
    for first, last, need in needs:
        short = need - sum(widths[first : last + 1])
        if short > 0:
            for column in range(first, last + 1):
                widths[column] += short / (last - first + 1)
