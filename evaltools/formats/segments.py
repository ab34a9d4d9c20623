"""A text cut into the graphs it holds, before any of them is read: a broken graph does not affect the others.

An item is what stands after one name; where items have no names it is a line, a block between blank lines, or what
stands between two lines that begin with a bracket. Which of these it is follows from the file: the layout in which
most items are one graph.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from evaltools.text import excerpt

_LINE_OF_ACE = re.compile(r"(?P<keyword>SENT|SKIP|NOTE|WARNING|ERROR):(?P<content>[^\n]*)")
LINE_OF_ACE = r"(?P<ace>^(?:SENT|SKIP|NOTE|WARNING|ERROR):[^\n]*)"
"""Pattern of a line that ACE prints between graphs."""


class Remark(NamedTuple):
    """A flaw of a graph or of a text."""

    kind: str
    found: str
    expected: str
    line: int = 0  # Of a text from 1; of a graph counted from its first, from 0, negative in the comments before it


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
    flaws: list[Remark] = field(default_factory=list)  # Text that is in no graph
    covered: int = 0  # End of the text that is in a graph or listed as a flaw
    _line_starts: list[int] = field(default_factory=list)

    def line(self, offset: int) -> int:
        """Return the number of the line, from 1, of a character of the text."""
        if not self._line_starts:
            self._line_starts += [0, *(match.end() for match in re.finditer("\n", self.text))]
        return bisect_right(self._line_starts, offset)

    def add_stray(self, start: int, end: int, expected: str) -> None:
        """Add a flaw if there is any text but white space between two offsets."""
        between = self.text[start:end]
        if value := between.strip():
            line = self.line(start + len(between) - len(between.lstrip()))
            found = f"text outside any graph: {excerpt(value.split(chr(10))[0])!r}"
            self.flaws.append(Remark("stray_text", found, expected, line))

    def graphs_of(
        self, units: Iterable[Unit], expected: str, *, with_blank: bool
    ) -> Iterator[tuple[int, str, tuple[str, int] | None]]:
        """Yield line and text of items, and why they are no graphs; of blank ones, where these are items, the line."""
        for unit in units:
            self.add_stray(self.covered, unit.start, expected)
            self.covered = unit.end
            line = self.line(unit.start)
            if unit.graph is None:
                if with_blank:
                    yield line, "", None
                self.add_stray(unit.start, unit.end, expected)
            elif unit.stray is not None:
                stray = self.text[unit.stray : unit.end].lstrip()
                found = f"text outside its brackets: {excerpt(stray.split(chr(10))[0].rstrip())!r}"
                yield line, self.text[unit.start : unit.end], (found, self.line(unit.end - len(stray)) - line)
            else:
                start, end = unit.graph
                self.add_stray(unit.start, start, expected)
                self.add_stray(end, unit.end, expected)
                yield self.line(start), self.text[start:end].rstrip(), None


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
    has_ids = "id" in tokens.groupindex
    for match in tokens.finditer(text):
        kind, start = match.lastgroup, match.start()
        if kind is None:
            continue
        if kind in ("ace", "name", "comment"):
            comments.append(match.span())
        if kind == "ace" and (line := _LINE_OF_ACE.match(match[0])):
            is_sentence = line["keyword"] in ("SENT", "SKIP")
            marks.append(_Mark(start, None, line["content"].removeprefix(" ").rstrip() if is_sentence else None))
        elif kind == "name":
            marks.append(_Mark(start, match["name"]))
        elif kind in ("head", "named", "open", "close"):
            if has_ids and match["id"] is not None:
                marks.append(_Mark(start, match["id"]))
            brackets.append(Bracket(start, match.end(), kind != "close", kind == "head"))
    result = SegmentedText(blanked(text, comments))
    one_each = bool(marks) and all(mark.name is not None for mark in marks)
    regions = lay_out(result.text, text, brackets, [mark.start for mark in marks], one_each=one_each)
    result.segments += _named(result, marks, regions, expected)
    return result


def _named(
    result: SegmentedText, marks: Sequence[_Mark], regions: Sequence[Sequence[Unit]], expected: str
) -> Iterator[Segment]:
    """Yield the graphs with the names and sentences before them, and the sentences that no graph follows."""
    sentence: tuple[str, int | None] = ("", None)
    n_sentences = 0
    waiting: list[Segment] = []  # A sentence that no graph has followed yet
    last_name: str | None = None
    for mark, units in zip([None, *marks], regions, strict=True):
        name = None if mark is None else mark.name
        if mark is not None and mark.sentence is not None:
            yield from waiting
            n_sentences += 1
            sentence = mark.sentence, n_sentences
            waiting = [Segment(result.line(mark.start), "", None, *sentence)]
        graphs = list(result.graphs_of(units, expected, with_blank=not marks))
        if mark is not None and name is not None and not graphs:
            graphs = [(result.line(mark.start), "", None)]
        for line, body, error in graphs:
            if not waiting and name != last_name:
                sentence = "", None  # it belongs to the graph before
            yield Segment(line, body, name, *sentence, error=error)
            waiting, last_name, name = [], name, None
    result.add_stray(result.covered, len(result.text), expected)
    yield from waiting


# ------------------------------------------------------------------------------------------ layout of bracketed graphs

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

    def is_whole(self, text: str) -> bool:
        """Whether it is one graph, and no line follows it in the item, which may stand for another one."""
        if self.graph is None or not self.is_closed or self.stray is not None:
            return False
        return text.find("\n", self.graph[1], self.end) < 0


class _Line(NamedTuple):
    """A line that is not blank, or a part of it that begins with a mark or a head."""

    start: int
    end: int
    first: int  # Index of its first bracket
    region: int  # Number of marks up to its start
    n_blank: int  # Blank lines before it
    begins: bool  # Whether it begins with a head, or with an opening bracket that is the first character of its line
    is_indented: bool  # Whether it does not begin its line, or only closes brackets


_LAYOUTS: dict[str, Callable[[_Line], bool]] = {
    "mark": lambda line: False,
    "line": lambda line: True,
    "block": lambda line: line.n_blank > 0,
    "unindented": lambda line: line.begins or not line.is_indented,
}
"""Layouts: whether a line begins an item that does not begin after a mark, where one begins in any case."""


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
    text: str, written: str, brackets: Sequence[Bracket], marks: Sequence[int], *, one_each: bool
) -> list[list[Unit]]:
    """Return the items before the first mark, and after each.

    Parameters
    ----------
    text : str
        The text, with spaces for comments.
    written : str
        The text with its comments, whose lines are not blank.
    brackets : sequence of Bracket
        Its brackets, in order.
    marks : sequence of int
        Where items begin in any case, such as their names.
    one_each : bool
        Whether there is one graph after each mark, if that is so for half of them.

    Returns
    -------
    list of list of Unit
        The items.
    """
    regions = _whole_regions(text, brackets, marks)
    if regions is not None:
        return regions
    lines = _lines_of(text, written, brackets, marks)
    chosen, layout, n_whole, best = list[Unit](), "", 0, (-1, 0)
    for name in _LAYOUTS:
        units = _units(text, lines, brackets, name)
        n = sum(unit.is_whole(text) for unit in units)
        if (n, n - len(units)) > best:
            best, chosen, layout, n_whole = (n, n - len(units)), units, name, n
        if n == len(units) or (name == "mark" and one_each and 2 * n >= len(units)):
            break
    if not n_whole:
        layout = "line" if 2 * sum(line.begins for line in lines) >= len(lines) else "block"
        chosen = _units(text, lines, brackets, layout)
    if layout == "mark":
        chosen = [part for unit in chosen for part in _whole_blocks(text, unit, lines, brackets)]
    if layout == "line" and not marks:
        chosen = [*_with_blank_lines(chosen, lines)]
    regions = [[] for _ in range(len(marks) + 1)]
    for unit in chosen:
        regions[bisect_right(marks, unit.start)].append(unit)
    return regions


def _whole_regions(text: str, brackets: Sequence[Bracket], marks: Sequence[int]) -> list[list[Unit]] | None:
    """Return the items if there is one whole graph or nothing after each mark, and before the first; else None."""
    needs_head = any(item.is_head for item in brackets)
    regions: list[list[Unit]] = []
    first = 0
    for start, end in pairwise([0, *marks, len(text)]):
        part = text[start:end]
        limit = bisect_left(brackets, end, first, key=lambda bracket: bracket.start)
        regions.append([])
        if part.strip():
            begin, stop = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
            unit = _unit(text, begin, stop, brackets[first:limit], needs_head=needs_head)
            if not unit.is_whole(text):
                return None
            regions[-1].append(unit)
        first = limit
    return regions


def _lines_of(text: str, written: str, brackets: Sequence[Bracket], marks: Sequence[int]) -> list[_Line]:
    """Cut a text into lines, and these where an item begins in any case; without lines of markup and blank ones."""
    spans = [(item.start, item.end) for item in brackets if "\n" in text[item.start : item.end]]
    text = blanked(text, spans, r"\n")
    heads = {item.start for item in brackets if item.is_head}
    starts = [item.start for item in brackets]
    # before the first head of a line there may be a bracket too many
    inner_heads = {head for head in heads if _WORD.search(text, text.rfind("\n", 0, head) + 1, head)}
    cuts = sorted({*marks, *inner_heads})
    lines = []
    start = n_blank = 0
    for whole_line in text.split("\n"):
        end = start + len(whole_line)
        if not whole_line.strip():
            n_blank += not written[start:end].strip()  # a comment is no blank line
        for begin, stop in pairwise((start, *cuts[bisect_right(cuts, start) : bisect_left(cuts, end)], end)):
            part = text[begin:stop]
            if not (stripped := part.lstrip()):
                continue
            inner = stop - len(stripped)
            first = bisect_left(starts, inner)
            inside = brackets[first : bisect_left(starts, stop)]
            if not inside and _MARKUP.match(stripped):
                continue
            at_bracket = bool(inside) and inside[0].start == inner
            begins = at_bracket and inside[0].is_open and (inner in heads or inner == start)
            is_indented = inner > start or (at_bracket and not any(item.is_open for item in inside))
            last = begin + len(part.rstrip())
            lines.append(_Line(inner, last, first, bisect_right(marks, begin), n_blank, begins, is_indented))
            n_blank = 0
        start = end + 1
    return lines


def _units(text: str, lines: Sequence[_Line], brackets: Sequence[Bracket], layout: str) -> list[Unit]:
    """Return the items of a layout."""
    begins = _LAYOUTS[layout]
    firsts = [n for n, line in enumerate(lines) if n == 0 or line.region != lines[n - 1].region or begins(line)]
    needs_head = any(item.is_head for item in brackets)
    units = []
    for first, end in pairwise([*firsts, len(lines)]):
        limit = lines[end].first if end < len(lines) else len(brackets)
        inside = brackets[lines[first].first : limit]
        units.append(_unit(text, lines[first].start, lines[end - 1].end, inside, needs_head=needs_head))
    return units


def _whole_blocks(text: str, unit: Unit, lines: Sequence[_Line], brackets: Sequence[Bracket]) -> list[Unit]:
    """Return the blocks of an item if each is a whole graph, as where a name is missing; else the item."""
    if unit.is_whole(text):
        return [unit]
    first, end = (bisect_left(lines, offset, key=lambda line: line.start) for offset in (unit.start, unit.end))
    limit = lines[end].first if end < len(lines) else len(brackets)
    blocks = _units(text, lines[first:end], brackets[:limit], "block")
    return blocks if all(block.is_whole(text) for block in blocks) else [unit]


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


def _with_blank_lines(units: Sequence[Unit], lines: Sequence[_Line]) -> Iterator[Unit]:
    """Yield lines, and the blank lines between them as missing graphs if most lines follow each other directly."""
    gaps = [line.n_blank for line in lines[1:]]
    n_apart = sum(map(bool, gaps))
    is_item = len(gaps) - n_apart >= n_apart > 0
    for unit, line in zip(units, lines, strict=True):
        if is_item or line is lines[0]:
            yield from [Unit(unit.start, unit.start)] * line.n_blank
        yield unit
