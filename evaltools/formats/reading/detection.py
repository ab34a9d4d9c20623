"""The format of a text: by preference, such as the format of the gold file or the suffix, and by the first items.

An item may begin after a blank line, and at a line that begins with a bracket or a number sign. Several of them are
compared with every format, so that a line of a log, an empty bracket or one damaged tree decides nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import PurePath

from evaltools.formats.reading.spaces import OF_LINES

__all__ = ["LooksLike", "detect", "first_items", "formats_of_suffix", "has_no_items", "without_line_edges"]

LooksLike = Callable[[bytes], object]
"""Whether a text begins like a format."""

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


def detect(items: Iterable[bytes], formats: Mapping[str, LooksLike], preferred: Iterable[str] = ()) -> str | None:
    """Return the format of a text.

    Parameters
    ----------
    items : iterable of bytes
        The text from each of its first items on.
    formats : mapping of str to callable
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
    >>> formats = {"eds": lambda text: text.startswith(b"{"), "ptb": lambda text: text.startswith(b"(")}
    >>> items = [b"Parsed:", b"(S (N a))", b"{", b"(S (N b))"]
    >>> detect(items, formats), detect(items, formats, ["eds"]), detect([b"Parsed:"], formats)
    ('ptb', 'eds', None)
    """
    wanted = [name for name in preferred if name in formats]
    votes: Counter[str] = Counter()
    n_items = 0
    for item in items:
        likes = [name for name, looks_like in formats.items() if looks_like(item)]
        votes.update(likes)
        n_items += bool(likes)
        if n_items == _MAX_ITEMS or (wanted and wanted[0] in likes):
            break
    chosen = next((name for name in wanted if votes[name]), None)
    chosen = chosen or next((name for name in formats if 2 * votes[name] > n_items), None)
    return chosen or max(votes, key=votes.__getitem__, default=None)
