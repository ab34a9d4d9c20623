"""A text cut into the graphs it holds, before any of them is read: a broken graph does not affect the others."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaltools.errors import excerpt

__all__ = ["Flaw", "Notation", "Segment", "SegmentedText", "SemanticFormat", "cut_nested"]

_LINE_OF_ACE = re.compile(r"(?P<keyword>SENT|SKIP|NOTE|WARNING|ERROR):(?P<content>[^\n]*)")


@dataclass(frozen=True, slots=True)
class Flaw:
    """A mistake in a text."""

    kind: str  # A short stable name
    line: int  # From 1
    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class Segment:
    """The text of one graph."""

    line: int  # The first line, from 1
    body: str  # The text; empty for a sentence without any graph
    id: str | None = None  # The name of its item
    text: str = ""  # The sentence, if it is known from outside the graph
    sentence: int | None = None  # The number of the ``SENT:`` line before it
    content: Any = None  # What was read with the body: its value, if it is JSON; the comments before it, in PENMAN
    metadata: Mapping[str, str] = field(default_factory=dict)  # What is said of the sentence, by key


@dataclass(slots=True)
class SegmentedText:
    """A text and its graphs."""

    text: str  # Its lines end in LF
    segments: list[Segment] = field(default_factory=list)  # The graphs, and sentences without a graph
    flaws: list[Flaw] = field(default_factory=list)  # Text that is in no graph
    _line_starts: list[int] = field(default_factory=list)

    def line(self, offset: int) -> int:
        """Return the number of the line, from 1, of a character of the text."""
        if not self._line_starts:
            self._line_starts.append(0)
            self._line_starts.extend(match.end() for match in re.finditer("\n", self.text))
        return bisect_right(self._line_starts, offset)

    def add_stray(self, start: int, end: int, expected: str) -> None:
        """Add a flaw if there is any text but white space between two offsets."""
        between = self.text[start:end]
        if value := between.strip():
            line = self.line(start + len(between) - len(between.lstrip()))
            found = f"text outside any graph: {excerpt(value.split(chr(10))[0])!r}"
            self.flaws.append(Flaw("stray_text", line, found, expected))


@dataclass(frozen=True, slots=True)
class SemanticFormat:
    """A format of semantic graphs; the names of its fields are those in the modules of :mod:`evaltools.formats`."""

    NAME: str
    TITLE: str


@dataclass(frozen=True, slots=True)
class Notation(SemanticFormat):
    """A format of text files."""

    looks_like: Callable[[str], object]  # Whether a text begins like this format
    cut: Callable[[str], SegmentedText]
    decode: Callable[[Segment], Any]
    """Return PyDelphin's structure of a segment, or the graph (None if it has no node) with the flaws in it."""
    has_lists: bool = True  # Whether graphs of one name are results of one item


def cut_nested(text: str, tokens: re.Pattern[str], expected: str) -> SegmentedText:
    """Cut a text into graphs that begin and end with a bracket; ACE's lines may stand between them."""
    result = SegmentedText(text)
    covered = 0  # end of the text that is in a segment or listed as a flaw
    head: tuple[int, str | None] | None = None  # start and name of the graph that is open
    depth = n_sentences = 0
    pending: tuple[int, str] | None = None  # line and text of a sentence that no graph has followed yet
    sentence: tuple[str, int | None] = ("", None)
    previous_id: str | None = None

    def end_graph(offset: int) -> None:
        nonlocal head, depth, covered, pending, sentence, previous_id
        if head is None:
            return
        start, name = head
        if pending is None and name != previous_id:
            sentence = "", None  # it belongs to the graph before
        result.segments.append(Segment(result.line(start), text[start:offset], name, *sentence))
        head, depth, covered, pending, previous_id = None, 0, offset, None, name

    def add_sentence_without_graph() -> None:
        if pending is not None:
            result.segments.append(Segment(pending[0], "", None, pending[1], n_sentences))

    for match, is_line_of_ace in _tokens(text, tokens):
        start = match.start()
        if is_line_of_ace:
            end_graph(start)
            result.add_stray(covered, start, expected)
            if match["keyword"] in ("SENT", "SKIP"):
                add_sentence_without_graph()
                n_sentences += 1
                pending = result.line(start), match["content"].removeprefix(" ").rstrip()
                sentence = pending[1], n_sentences
            covered = match.end()
        elif match.lastgroup == "head" or (match.lastgroup == "open" and head is None):
            end_graph(start)
            result.add_stray(covered, start, expected)
            head, depth = (start + len(match[0]) - len(match[0].lstrip()), match.groupdict().get("id")), 1
        elif match.lastgroup == "comment":
            if head is None:
                result.add_stray(covered, start, expected)
                covered = match.end()
        elif match.lastgroup == "open":
            depth += 1
        elif match.lastgroup == "close" and head is not None:
            depth -= 1
            if not depth:
                end_graph(match.end())
    end_graph(len(text))
    result.add_stray(covered, len(text), expected)
    add_sentence_without_graph()
    return result


def _tokens(text: str, tokens: re.Pattern[str]) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the matches of the text, and whether each is a line that ACE prints between graphs."""
    offset = 0
    while match := tokens.search(text, offset):
        start = match.start()
        if match.lastgroup == "ace":
            line = _LINE_OF_ACE.match(text, start)
            assert line is not None
            yield line, True
            offset = line.end()
        else:
            yield match, False
            offset = max(match.end(), start + 1)
