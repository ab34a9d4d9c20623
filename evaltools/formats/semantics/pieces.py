"""A text cut into the graphs it holds, before any of them is read: one that is broken does not touch the others."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from evaltools.errors import excerpt

__all__ = ["Flaw", "Piece", "Pieces", "cut_nested"]

_LINE_OF_ACE = re.compile(r"(?P<what>SENT|SKIP|NOTE|WARNING|ERROR):(?P<said>[^\n]*)")


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong in a text.

    Parameters
    ----------
    kind : str
        A short stable name.
    line : int
        Where, from 1.
    found, expected : str
        What stands there and what should.
    """

    kind: str
    line: int
    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one graph.

    Parameters
    ----------
    line : int
        Where it begins, from 1.
    body : str
        The text; empty for a sentence without any graph.
    id : str or None
        The name of its item.
    text : str
        The sentence, where it is known from outside the graph.
    sentence : int or None
        The number of the ``SENT:`` line that it follows.
    content : object
        What JSON has there, where it is JSON that can be read.
    """

    line: int
    body: str
    id: str | None = None
    text: str = ""
    sentence: int | None = None
    content: Any = None


@dataclass(slots=True)
class Pieces:
    """The graphs of a text.

    Parameters
    ----------
    text : str
        The text, its lines ending in LF.
    found : list of Piece
        The graphs, and sentences without one.
    flaws : list of Flaw
        Text that is in no graph.
    """

    text: str
    found: list[Piece] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)

    def line(self, at: int) -> int:
        """Return the number of the line, from 1, that has a place of the text."""
        if not self._starts:
            self._starts.append(0)
            self._starts.extend(match.end() for match in re.finditer("\n", self.text))
        return bisect_right(self._starts, at)

    def flaw(self, kind: str, at: int, found: str, expected: str) -> None:
        """Note something wrong at a place of the text."""
        self.flaws.append(Flaw(kind, self.line(at), found, expected))

    def stray(self, start: int, end: int, expected: str) -> None:
        """Note text that is in no graph, if there is any between two places but white space."""
        between = self.text[start:end]
        if said := between.strip():
            at = start + len(between) - len(between.lstrip())
            self.flaw("stray_text", at, f"text outside any graph: {excerpt(said.split(chr(10))[0])!r}", expected)


def cut_nested(text: str, tokens: re.Pattern[str], expected: str) -> Pieces:
    """Cut a text into graphs that begin and end with a bracket.

    Parameters
    ----------
    text : str
        The text, its lines ending in LF.
    tokens : compiled pattern
        With the groups ``head`` (what begins a graph and nothing else: another graph that is open there ends),
        ``id`` inside it if the format has names, ``open`` and ``close``; what matches without these is passed over.
    expected : str
        What to call a graph.

    Returns
    -------
    Pieces
        The graphs; each piece has the sentence of the ``SENT:`` line before it.
    """
    pieces = Pieces(text)
    last = 0  # where what has been accounted for ends
    begun: tuple[int, str | None] | None = None
    depth = sentences = 0
    said: tuple[int, str] | None = None  # a sentence that no graph has followed yet
    spoken: tuple[str, int | None] = ("", None)
    named: str | None = None  # the graph before

    def end(at: int) -> None:
        nonlocal begun, depth, last, said, spoken, named
        if begun is None:
            return
        start, name = begun
        if said is None and name != named:
            spoken = "", None  # the sentence was that of the graph before
        pieces.found.append(Piece(pieces.line(start), text[start:at], name, *spoken))
        begun, depth, last, said, named = None, 0, at, None, name

    def silent() -> None:
        if said is not None:
            pieces.found.append(Piece(said[0], "", None, said[1], sentences))

    for match, line_of_ace in _tokens(text, tokens):
        at = match.start()
        if line_of_ace:
            end(at)
            pieces.stray(last, at, expected)
            if match["what"] in ("SENT", "SKIP"):
                silent()
                sentences += 1
                said = pieces.line(at), match["said"].removeprefix(" ").rstrip()
                spoken = said[1], sentences
            last = match.end()
        elif match.lastgroup == "head" or (match.lastgroup == "open" and begun is None):
            end(at)
            pieces.stray(last, at, expected)
            begun, depth = (at + len(match[0]) - len(match[0].lstrip()), match.groupdict().get("id")), 1
        elif match.lastgroup == "comment":
            if begun is None:
                pieces.stray(last, at, expected)
                last = match.end()
        elif match.lastgroup == "open":
            depth += 1
        elif match.lastgroup == "close" and begun is not None:
            depth -= 1
            if not depth:
                end(match.end())
    end(len(text))
    pieces.stray(last, len(text), expected)
    silent()
    return pieces


def _tokens(text: str, tokens: re.Pattern[str]) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the matches of the text, and whether each is a line that ACE prints between graphs."""
    at = 0
    while match := tokens.search(text, at):
        start = match.start()
        if match.lastgroup == "ace":
            line = _LINE_OF_ACE.match(text, start)
            assert line is not None
            yield line, True
            at = line.end()
        else:
            yield match, False
            at = max(match.end(), start + 1)
