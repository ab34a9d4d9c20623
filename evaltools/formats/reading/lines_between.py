"""Lines between trees that are neither trees nor stand for one: comments, markup, headings."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

__all__ = ["after_comments", "is_between", "lines_between"]

_BLANK = np.zeros(256, dtype=np.bool_)
_BLANK[list(b" \t\n\r\v\f")] = True
_NEWLINE = ord("\n")
_SKIPPED = re.compile(
    rb"""[ \t\r\v\f]*+(?:
        \#|%|;|//                                        # comments
        | </?[a-z][^<>\n]*>(?:[^\n]*>)?[ \t\r\v\f]*$     # <S ID=1>, </S>, <DOCNO> 1 </DOCNO>
        | <[!?]
        | ```|~~~                                        # fences
        | [-=*_]{3,}[ \t\r\v\f]*$                        # rules
        | \*x\*                                          # the banner of files of the Penn Treebank
        | \*\*[^\n]*\*\*[ \t\r\v\f]*$                    # headings
        | [^()\[\]\n]*:[*_]*[ \t\r\v\f]*$
        | (?:(?:\xc2\xa0|\xe2\x80\x8b|\xe3\x80\x80|\xef\xbb\xbf)[ \t\r\v\f]*)+$  # spaces that are no blanks
    )""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def is_between(data: bytes, start: int) -> bool:
    """Return whether the line that begins at a position is a comment, markup or a heading."""
    return _SKIPPED.match(data, start) is not None


def after_comments(data: bytes) -> bytes:
    r"""Return a text without the blank lines, comments, markup and headings at its beginning.

    Examples
    --------
    >>> after_comments(b"\n# 1\n(S (N dogs))\n")
    b'(S (N dogs))\n'
    """
    text = data.lstrip()
    while text and is_between(text, 0):
        text = text.partition(b"\n")[2].lstrip()
    return text


def lines_between(data: bytes, opening: str) -> NDArray[np.bool_]:
    """Return which lines of a text are comments, markup or headings, or blank lines beside them.

    A blank line beside a comment separates; every other one stands for a missing parse.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(text == _NEWLINE) + 1))
    if starts[-1] == len(text):
        starts = starts[:-1]
    between = np.zeros(len(starts), dtype=np.bool_)
    initial = text[starts]
    odd = initial != ord(opening)
    for line in np.flatnonzero(odd & (initial != _NEWLINE)).tolist():
        between[line] = is_between(data, int(starts[line]))
    if between.any():
        beside = np.zeros(len(starts), dtype=np.bool_)
        beside[1:] |= between[:-1]
        beside[:-1] |= between[1:]
        for line in np.flatnonzero(beside & _BLANK[initial]).tolist():
            end = starts[line + 1] if line + 1 < len(starts) else len(data)
            between[line] |= not data[starts[line] : end].strip()
    return between
