"""A text cut into the graphs it holds, before any of them is read: a broken graph does not affect the others.

An item is what stands after one name; where items have no names it is a line, a block between blank lines, or what
stands between two lines that begin with a bracket. Which of these it is follows from the file: the layout in which
most items are one graph. Only a text that has no such layout, as several graphs on one line, is cut where its brackets
balance.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any, NamedTuple

from evaltools.text import excerpt

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
    covered: int = 0  # End of the text that is in a graph or listed as a flaw
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

    def graphs_of(
        self, units: Iterable[Unit], expected: str, *, with_blank: bool
    ) -> Iterator[tuple[int, str, tuple[str, int] | None]]:
        """Yield line and text of items, and why they are no graphs; of blank ones, where these are items, the line."""
        for unit in units:
            self.add_stray(self.covered, unit.start, expected)
            self.covered = unit.end
            if unit.graph is not None:
                yield self.body_of(unit, expected)
                continue
            if with_blank:
                yield self.line(unit.start), "", None
            self.add_stray(unit.start, unit.end, expected)

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
            for line, body, error in self.result.graphs_of(units, self.expected, with_blank=not self.has_marks):
                self._add(line, body, name, error)
                name = None
        self.result.add_stray(self.result.covered, len(self.result.text), self.expected)
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


# ------------------------------------------------------------------------------------------ layout of bracketed graphs

_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"\w")
_MARKUP = re.compile(r"#|```|~~~|<[^<>]*>\s*$|[-=*]{3,}\s*$")
"""Lines without brackets that are no item: comments, fences, tags and rules."""
_PART_OF_A_GRAPH = re.compile(r"\s/\s|:\S")
"""What the text before a bracket has if it is the beginning of a graph whose first bracket is missing."""


class Bracket(NamedTuple):
    """A bracket, with the name or keyword before it."""

    start: int
    end: int
    is_open: bool
    is_head: bool = False  # Whether it begins a graph wherever it stands, as no other bracket does


@dataclass(frozen=True, slots=True)
class Unit:
    """The text of one item; empty for a blank line that stands for a missing graph."""

    start: int
    end: int
    graph: tuple[int, int] | None = None  # From its first opening bracket to where that is closed, or to the end
    is_closed: bool = False
    stray: int | None = None  # Where text begins that belongs to a graph and is not in it

    @property
    def is_whole(self) -> bool:
        """Whether it is one graph, perhaps with text around it that belongs to none."""
        return self.graph is not None and self.is_closed and self.stray is None

    def has_tail(self, text: str) -> bool:
        """Whether a line without a bracket follows the graph, which may stand for another one."""
        return self.graph is not None and text.find("\n", self.graph[1], self.end) >= 0


class _Piece(NamedTuple):
    """A line that is not blank, or a part of it that begins with a mark or a head."""

    start: int
    end: int
    first: int  # Index of its first bracket
    region: int  # Number of marks up to its start
    n_blank: int  # Blank lines before it
    begins: bool  # Whether it begins with a head, or with an opening bracket that is the first character of its line
    is_indented: bool  # Whether it does not begin its line, or only closes brackets


def blanked(text: str, spans: Iterable[tuple[int, int]], pattern: str = r"[^\n]") -> str:
    r"""Return a text with spaces for some characters in some spans, by default for all but ends of lines.

    >>> blanked("a # b\nc", [(2, 6)])
    'a    \nc'
    """
    parts, covered = [], 0
    for start, end in spans:
        parts += [text[covered:start], re.sub(pattern, " ", text[start:end])]
        covered = end
    return "".join([*parts, text[covered:]])


def lay_out(
    text: str,
    brackets: Sequence[Bracket],
    marks: Sequence[int],
    comments: Sequence[tuple[int, int]],
    *,
    one_each: bool,
) -> list[list[Unit]]:
    """Return the items before the first mark, and after each.

    Parameters
    ----------
    text : str
        The text, with spaces for comments.
    brackets : sequence of Bracket
        Its brackets, in order.
    marks : sequence of int
        Where items begin in any case, such as their names.
    comments : sequence of (int, int)
        The comments, whose lines are not blank.
    one_each : bool
        Whether there is one graph after each mark, if that is so for half of them.

    Returns
    -------
    list of list of Unit
        The items.
    """
    heads = [(item.start, item.end) for item in brackets if "\n" in text[item.start : item.end]]
    pieces = list(_pieces(blanked(text, heads, r"\n"), brackets, marks, comments))
    chosen: list[Unit] = []
    best: tuple[int, int] | None = None
    is_by_line = False
    needs_head = any(item.is_head for item in brackets)
    for is_first in (_begins_region, _begins_line, _begins_block, _begins_unindented, _begins_graph):
        units = _units(text, pieces, brackets, is_first, needs_head=needs_head)
        n_whole = sum(unit.is_whole and not unit.has_tail(text) for unit in units)
        score = n_whole, n_whole - len(units)
        if best is None or score > best:
            best, chosen, is_by_line = score, units, is_first is _begins_line
        if n_whole == len(units) or (is_first is _begins_region and one_each and 2 * n_whole >= len(units)):
            break
    n_whole = best[0] if best is not None else 0
    if 2 * n_whole <= len(chosen):
        balanced = _balanced(text, brackets, marks)
        if balanced is not None and len(balanced) > n_whole:
            chosen, is_by_line = balanced, False
        elif not n_whole:
            is_by_line = 2 * sum(piece.begins for piece in pieces) >= len(pieces)
            is_first = _begins_line if is_by_line else _begins_block
            chosen = _units(text, pieces, brackets, is_first, needs_head=needs_head)
    if is_by_line and not marks:
        chosen = [*_with_blank_lines(chosen, pieces)]
    regions: list[list[Unit]] = [[] for _ in range(len(marks) + 1)]
    number = 0
    for unit in chosen:
        while number < len(marks) and marks[number] <= unit.start:
            number += 1
        regions[number].append(unit)
    return regions


def _pieces(
    text: str, brackets: Sequence[Bracket], marks: Sequence[int], comments: Sequence[tuple[int, int]]
) -> Iterator[_Piece]:
    """Cut a text into lines, and these where an item begins in any case; without lines of markup and blank ones."""
    heads = {item.start for item in brackets if item.is_head}
    starts = [item.start for item in brackets]
    # before the first head of a line there may be a bracket too many
    inner_heads = {head for head in heads if _WORD.search(text, text.rfind("\n", 0, head) + 1, head)}
    cuts = sorted({*marks, *inner_heads})
    commented = [start for start, _ in comments]
    number = region = first = n_blank = last_end = 0
    for line in _LINE.finditer(text):
        n_blank += line.start() - last_end - bool(last_end)
        last_end = line.end()
        start = line.start()
        if not line[0].strip():
            at = bisect_left(commented, start)
            n_blank += not (at < len(commented) and commented[at] < last_end)
            continue
        while start < line.end():
            while number < len(cuts) and cuts[number] <= start:
                number += 1
            end = min(cuts[number], line.end()) if number < len(cuts) else line.end()
            while region < len(marks) and marks[region] <= start:
                region += 1
            value = text[start:end]
            stripped = value.lstrip()
            if stripped:
                inner = start + len(value) - len(stripped)
                first = bisect_left(starts, inner, first)
                has_bracket = first < len(brackets) and starts[first] < end
                if has_bracket or not _MARKUP.match(stripped):
                    opens = has_bracket and brackets[first].is_open and starts[first] == inner
                    begins = opens and (inner in heads or inner == line.start())
                    is_closing = has_bracket and starts[first] == inner and not brackets[first].is_open
                    is_indented = inner > line.start() or (is_closing and not _has_opening(brackets, first, end))
                    yield _Piece(inner, start + len(value.rstrip()), first, region, n_blank, begins, is_indented)
                    n_blank = 0
            start = end


def _has_opening(brackets: Sequence[Bracket], first: int, end: int) -> bool:
    return any(item.is_open for item in takewhile(lambda item: item.start < end, islice(brackets, first, None)))


def _begins_region(piece: _Piece, before: _Piece) -> bool:
    return piece.region != before.region


def _begins_line(piece: _Piece, before: _Piece) -> bool:
    return True


def _begins_block(piece: _Piece, before: _Piece) -> bool:
    return piece.region != before.region or piece.n_blank > 0


def _begins_unindented(piece: _Piece, before: _Piece) -> bool:
    return piece.region != before.region or piece.begins or not piece.is_indented


def _begins_graph(piece: _Piece, before: _Piece) -> bool:
    return piece.region != before.region or piece.begins


def _units(
    text: str,
    pieces: Sequence[_Piece],
    brackets: Sequence[Bracket],
    is_first: Callable[[_Piece, _Piece], bool],
    *,
    needs_head: bool,
) -> list[Unit]:
    firsts = [n for n, piece in enumerate(pieces) if n == 0 or is_first(piece, pieces[n - 1])]
    units = []
    for first, end in zip(firsts, [*firsts[1:], len(pieces)], strict=False):
        limit = pieces[end].first if end < len(pieces) else len(brackets)
        inside = brackets[pieces[first].first : limit]
        units.append(_unit(text, pieces[first].start, pieces[end - 1].end, inside, needs_head=needs_head))
    return units


def _unit(text: str, start: int, end: int, brackets: Sequence[Bracket], *, needs_head: bool) -> Unit:
    """Return an item with its graph."""
    depth, graph_start, graph_end = 0, -1, -1
    stray: int | None = None
    for bracket in brackets:
        if bracket.is_open:
            if depth == 0:
                if graph_start < 0:
                    graph_start = bracket.start
                else:
                    stray = graph_end
                    break
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0 and graph_end < 0:
                graph_end = bracket.end
        elif graph_start < 0 or text[start:graph_start].strip():
            stray = start
            break
    if graph_start < 0:
        return Unit(start, end)
    if needs_head and not any(bracket.is_head and bracket.start == graph_start for bracket in brackets):
        stray = start
    line = text.rfind("\n", start, graph_start) + 1
    if _PART_OF_A_GRAPH.search(text, max(start, line), graph_start):
        stray = start
    return Unit(start, end, (graph_start, graph_end if graph_end >= 0 else end), graph_end >= 0, stray)


def _balanced(text: str, brackets: Sequence[Bracket], marks: Sequence[int]) -> list[Unit] | None:
    """Return the graphs of a text in which all brackets balance and nothing stands between graphs; else None."""
    units: list[Unit] = []
    covered = depth = start = 0
    for bracket in brackets:
        if not depth:
            if not bracket.is_open or text[covered : bracket.start].strip():
                return None
            start = bracket.start
        depth += 1 if bracket.is_open else -1
        if not depth:
            covered = bracket.end
            units.append(Unit(start, covered, (start, covered), is_closed=True))
    if depth or text[covered:].strip() or any(unit.start < mark < unit.end for unit, mark in _around(units, marks)):
        return None
    return units


def _around(units: Sequence[Unit], marks: Sequence[int]) -> Iterator[tuple[Unit, int]]:
    """Yield each mark with the last unit that begins before it."""
    starts = [unit.start for unit in units]
    for mark in marks:
        if index := bisect_left(starts, mark):
            yield units[index - 1], mark


def _with_blank_lines(units: Sequence[Unit], pieces: Sequence[_Piece]) -> Iterator[Unit]:
    """Yield lines, and the blank lines between them as missing graphs if most lines follow each other directly."""
    gaps = [piece.n_blank for piece in pieces[1:]]
    n_apart = sum(map(bool, gaps))
    is_item = len(gaps) - n_apart >= n_apart > 0
    for unit, piece in zip(units, pieces, strict=True):
        if is_item or piece is pieces[0]:
            yield from [Unit(unit.start, unit.start)] * piece.n_blank
        yield unit
