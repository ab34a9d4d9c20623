"""A text cut into the graphs it holds, before any of them is read: a broken graph does not affect the others."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaltools.formats.semantics.layout import Bracket, Unit, blanked, lay_out
from evaltools.formats.semantics.pydelphin import Remark
from evaltools.text import excerpt

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
    error: tuple[str, int] | None = None  # Why the text is no graph, and in which line, counted from the first


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

    def body_of(self, unit: Unit, expected: str) -> tuple[int, str, tuple[str, int] | None]:
        """Return the line and text of an item's graph, and why it is none; add flaws for text around it."""
        assert unit.graph is not None
        if unit.stray is not None:
            line = self.line(unit.start)
            stray = self.text[unit.stray : unit.end].lstrip()
            found = f"text outside its brackets: {excerpt(stray.split(chr(10))[0].rstrip())!r}"
            error = found, self.line(unit.end - len(stray)) - line
            return line, self.text[unit.start : unit.end], error
        start, end = unit.graph
        self.add_stray(unit.start, start, expected)
        self.add_stray(end, unit.end, expected)
        return self.line(start), self.text[start:end].rstrip(), None


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
    repeated: Callable[[str], list[str]] = lambda _: []  # Roles and properties that one node has twice, not both read
    unread: Callable[[Segment], list[Remark]] = lambda _: []  # What else of a well-formed graph is not read


@dataclass(frozen=True, slots=True)
class _Mark:
    """A name, or a line that ACE prints."""

    start: int
    name: str | None = None
    sentence: str | None = None


def cut_nested(text: str, tokens: re.Pattern[str], expected: str) -> SegmentedText:
    """Cut a text into graphs that begin and end with a bracket; ACE's lines may stand between them."""
    marks: list[_Mark] = []
    brackets: list[Bracket] = []
    comments: list[tuple[int, int]] = []
    for match, is_line_of_ace in _tokens(text, tokens):
        kind, start = match.lastgroup, match.start() + len(match[0]) - len(match[0].lstrip())
        if is_line_of_ace:
            is_sentence = match["keyword"] in ("SENT", "SKIP")
            sentence = match["content"].removeprefix(" ").rstrip() if is_sentence else None
            marks.append(_Mark(start, sentence=sentence))
            comments.append(match.span())
        elif kind == "name":
            marks.append(_Mark(start, match["name"]))
            comments.append(match.span())
        elif kind == "comment":
            comments.append(match.span())
        elif kind in ("head", "named", "open", "close"):
            name = match.groupdict().get("id")
            if name is not None:
                marks.append(_Mark(start, name))
            brackets.append(Bracket(start, match.end(), kind != "close", kind == "head"))
    result = SegmentedText(blanked(text, comments))
    one_each = bool(marks) and all(mark.name is not None for mark in marks)
    regions = lay_out(result.text, brackets, [mark.start for mark in marks], comments, one_each=one_each)
    _Emission(result, expected, has_marks=bool(marks)).add(marks, regions)
    return result


@dataclass(slots=True)
class _Emission:
    """Makes segments of the items of a text, with their names and sentences."""

    result: SegmentedText
    expected: str
    has_marks: bool
    covered: int = 0  # End of the text that is in a segment or listed as a flaw
    pending: tuple[int, str] | None = None  # Line and text of a sentence that no graph has followed yet
    sentence: tuple[str, int | None] = ("", None)
    n_sentences: int = 0
    previous_name: str | None = None

    def add(self, marks: Sequence[_Mark], regions: Sequence[Sequence[Unit]]) -> None:
        """Add the segments of what stands before the first mark, and after each."""
        for mark, units in zip([None, *marks], regions, strict=True):
            name = None if mark is None else mark.name
            if mark is not None and mark.sentence is not None:
                self._add_sentence_without_graph()
                self.n_sentences += 1
                self.pending = self.result.line(mark.start), mark.sentence
                self.sentence = mark.sentence, self.n_sentences
            if mark is not None and name is not None and not any(unit.graph for unit in units):
                self._add(self.result.line(mark.start), "", name)
                name = None
            for unit in units:
                self.result.add_stray(self.covered, unit.start, self.expected)
                self.covered = unit.end
                if unit.graph is not None:
                    line, body, error = self.result.body_of(unit, self.expected)
                    self._add(line, body, name, error)
                    name = None
                else:
                    if not self.has_marks:
                        self._add(self.result.line(unit.start), "", None)
                    self.result.add_stray(unit.start, unit.end, self.expected)
        self.result.add_stray(self.covered, len(self.result.text), self.expected)
        self._add_sentence_without_graph()

    def _add(self, line: int, body: str, name: str | None, error: tuple[str, int] | None = None) -> None:
        if self.pending is None and name != self.previous_name:
            self.sentence = "", None  # it belongs to the graph before
        self.result.segments.append(Segment(line, body, name, *self.sentence, error=error))
        self.pending, self.previous_name = None, name

    def _add_sentence_without_graph(self) -> None:
        if self.pending is not None:
            self.result.segments.append(Segment(self.pending[0], "", None, self.pending[1], self.n_sentences))
            self.pending = None


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
