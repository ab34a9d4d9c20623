"""What of a text is no part of a tree: spaces at edges, lines between trees.

No-break spaces, zero-width spaces, ideographic spaces and byte order marks are removed from the edges of words, labels
and lines. Inside a word they stay, and so does a word that is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.formats.source import ProblemLog

EdgePattern = re.Pattern[bytes]
_SPACES = tuple(character.encode() for character in "\u00a0\u200b\u3000\ufeff")
_RUN = rb"(?:%b)+" % b"|".join(_SPACES)


def _has_spaces(text: bytes) -> bool:
    if text.isascii():
        return False
    octets = np.frombuffer(text, dtype=np.uint8)
    beyond_ascii = octets[octets > 127].tobytes()  # a short text, which takes less time to search
    return any(space in beyond_ascii for space in _SPACES)


def _edges(separators: bytes, word: bytes) -> EdgePattern:
    """Return a pattern of spaces beside separators; `word`, in which RUN is a whole word, is the group that is kept."""
    kept = rb"(?P<word>%b)" % word.replace(b"RUN", _RUN)
    edge = rb"(?:\A|(?<=[\n%b]))%b|%b(?=[\n%b]|\Z)" % (separators, _RUN, _RUN, separators)
    return re.compile(kept + b"|" + edge)


IN_BRACKETS = _edges(
    rb" \t\r\v\f()\[\]", rb"[(\[][^\s()\[\]]+[ \t]+RUN\s*[)\]]|(?:\A|(?<=\n))[ \t]*RUN[ \t\r]*(?=\n|\Z)"
)
"""Edges of labels and words in brackets; ``(PU 　)`` has a word. A line of nothing else is skipped, as comments are."""
AT_TABS = _edges(rb"\t\r", rb"\tRUN(?=\t)")
"""Edges of columns between tabs."""
IN_COLUMNS = _edges(rb" \t\r", rb"(?:\A|(?<=\n))RUN(?=[ \t])")
"""Edges of columns between blanks, of which the first is a word."""
IN_QUOTES = _edges(rb"\r\"'<>", rb"\"RUN\"|'RUN'")
"""Edges of attributes."""
OF_LINES = _edges(rb"\r", rb"(?!)")
"""Edges of lines."""


def without_edges(blocks: Iterable[bytes], edges: EdgePattern, name: str, log: ProblemLog) -> Iterator[bytes]:
    """Yield the text of a file, in whole lines, without spaces at edges; they are counted in its log."""
    rest = text = b""
    line = 1
    for block in blocks:
        line += text.count(b"\n")  # no line is counted of a text in one block
        whole, end, rest = (rest + block).rpartition(b"\n")
        text = whole + end
        if text:
            yield _cleaned(text, edges, name, line, log)
    if rest:
        yield _cleaned(rest, edges, name, line + text.count(b"\n"), log)


def _cleaned(text: bytes, edges: EdgePattern, name: str, first_line: int, log: ProblemLog) -> bytes:
    if not _has_spaces(text):
        return text
    removed = [match for match in edges.finditer(text) if match.lastgroup is None]
    if not removed:
        return text
    first = removed[0]
    character = first[0].decode("utf-8")[0]
    found = f"U+{ord(character):04X} or the like at the edges of words, labels or lines ({{n}} times)"
    line = first_line + text.count(b"\n", 0, first.start())
    log.count(Problem("spaces", name, line, None, found, "ordinary spaces; these are removed"), len(removed))
    return edges.sub(lambda match: match["word"] or b"", text)


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


def without_line_edges(data: bytes) -> bytes:
    """Return a text without the spaces at the edges of its lines that are no blanks, which no format needs."""
    return OF_LINES.sub(b"", data) if _has_spaces(data) else data
