"""No-break spaces, zero-width spaces, ideographic spaces and byte order marks at the edges of words, labels and lines.

They are removed before a text is read. Inside a word they stay, and so does a word that is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import ModuleType

from evaltools.errors import Problem
from evaltools.formats.reading.problem_log import ProblemLog

__all__ = ["AT_TABS", "IN_BRACKETS", "IN_COLUMNS", "IN_QUOTES", "OF_LINES", "EdgePattern", "edges_of", "without_edges"]

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


def edges_of(module: ModuleType) -> EdgePattern:
    """Return the edges in files of a format."""
    edges: EdgePattern = getattr(module, "EDGES", OF_LINES)
    return edges


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
