"""Which format a text has, and what of it is no part of a tree: lines between trees, spaces at edges.

The format is decided by preference, such as the format of the gold file or the suffix, and by the first items. An item
may begin after a blank line, and at a line that begins with a bracket or a number sign. Several of them are compared
with every format, so that a line of a log, an empty bracket or one damaged tree decides nothing.

No-break spaces, zero-width spaces, ideographic spaces and byte order marks are removed from the edges of words, labels
and lines. Inside a word they stay, and so does a word that is nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.formats.source import ProblemLog

if TYPE_CHECKING:
    from evaltools.formats.format import Format

EdgePattern = re.Pattern[bytes]
_SPACES = tuple(character.encode() for character in "\u00a0\u200b\u3000\ufeff")
_RUN = rb"(?:%b)+" % b"|".join(_SPACES)


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
    rest = b""
    line = 1
    for block in blocks:
        whole, end, rest = (rest + block).rpartition(b"\n")
        if end:
            yield _cleaned(whole + end, edges, name, line, log)
            line += whole.count(b"\n") + 1
    if rest:
        yield _cleaned(rest, edges, name, line, log)


def _cleaned(text: bytes, edges: EdgePattern, name: str, first_line: int, log: ProblemLog) -> bytes:
    if not any(space in text for space in _SPACES):
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


_MAX_STARTS = 50
_MAX_ITEMS = 10
_ITEM_BYTES = 1 << 16
_START = re.compile(rb"(?:\A|\n[ \t\r]*\n)\s*(?=\S)|\n(?=[(\[{<#])")
_COMPRESSED = (".gz", ".zst")
_SUFFIXES = {
    ".mrg": "ptb",
    ".dbr": "discbracket",
    ".negra": "export",
    ".amr": "penman",
    ".mrs": "simplemrs",
    ".dmrs": "simpledmrs",
}
"""Suffixes of formats, besides their names."""


def formats_of_suffix(name: str, formats: Collection[str]) -> tuple[str, ...]:
    """Return the format that the suffix of a file name determines; nothing if it determines none.

    Examples
    --------
    >>> formats_of_suffix("gold.dbr.gz", ["ptb", "discbracket"]), formats_of_suffix("gold.txt", ["ptb"])
    (('discbracket',), ())
    """
    path = PurePath(name)
    suffix = (path.with_suffix("") if path.suffix.lower() in _COMPRESSED and path.stem else path).suffix.lower()
    format_name = _SUFFIXES.get(suffix, suffix.removeprefix("."))
    return (format_name,) if format_name in formats else ()


def has_no_items(data: bytes) -> bool:
    """Return whether a file is nothing but white space and brackets, which stand for missing parses."""
    return not data.strip(b"()[] \t\n\r\v\f")


def first_items(data: bytes) -> Iterator[bytes]:
    r"""Yield the text from each of the first items on.

    Examples
    --------
    >>> list(first_items(b"Parsed\n(S (N a))\n (N b)"))
    [b'Parsed\n(S (N a))\n (N b)', b'(S (N a))\n (N b)']
    """
    data = without_line_edges(data)
    for match in islice(_START.finditer(data), _MAX_STARTS):
        yield data[match.end() : match.end() + _ITEM_BYTES]


def without_line_edges(data: bytes) -> bytes:
    """Return a text without the spaces at the edges of its lines that are no blanks, which no format needs."""
    return data if data.isascii() else OF_LINES.sub(b"", data)


def detect(items: Iterable[bytes], formats: Mapping[str, Format], preferred: Iterable[str] = ()) -> str | None:
    """Return the format of a text.

    Parameters
    ----------
    items : iterable of bytes
        The text from each of its first items on.
    formats : mapping of str to Format
        The formats by name, particular ones first.
    preferred : iterable of str
        Formats that need only one item that looks like them, in this order.

    Returns
    -------
    str or None
        The first preferred format that an item looks like; else the first format that more than half of the items look
        like that look like any, or else most of them. None if no item looks like any format.

    Examples
    --------
    >>> from evaltools.formats import FORMATS
    >>> items = [b"Parsed:", b"(S (N a))", b"{e2: e2:_rain_v_1{}[]}", b"(S (N b))"]
    >>> detect(items, FORMATS), detect(items, FORMATS, ["eds"]), detect([b"Parsed:"], FORMATS)
    ('ptb', 'eds', None)
    """
    wanted = [name for name in preferred if name in formats]
    votes: Counter[str] = Counter()
    n_items = 0
    for item in items:
        likes = [name for name, kind in formats.items() if kind.looks_like(item)]
        votes.update(likes)
        n_items += bool(likes)
        if n_items == _MAX_ITEMS or (wanted and wanted[0] in likes):
            break
    chosen = next((name for name in wanted if votes[name]), None)
    chosen = chosen or next((name for name in formats if 2 * votes[name] > n_items), None)
    return chosen or max(votes, key=votes.__getitem__, default=None)
