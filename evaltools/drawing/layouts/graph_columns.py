"""The columns of a drawing of semantic graphs: nodes stacked over the words that they stand for.

A node that stands for several words gets a column of its own between them, unless it binds a node that stands for one
of them: then it goes under that one. What binds stands under what is bound, an argument under its predicate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from evaltools.drawing.layouts.graph_content import DrawnNode, DrawnRole, GraphContent
from evaltools.drawing.measure import join_words, text_width

__all__ = [
    "LEADING",
    "LINE_SIZES",
    "MARK_ROOM",
    "PART",
    "ROLE_SIZE",
    "WORD_SIZE",
    "Column",
    "Extent",
    "box_extents",
    "columns_of",
    "label_width",
    "parts_of",
    "parts_width",
    "place_columns",
    "stack_boxes",
]

WORD_SIZE, ROLE_SIZE = 14.0, 10.5
"""Font sizes in pixels."""

LINE_SIZES = {"predicate": 12.0, "constant": 11.0, "property": 10.0, "span": 10.0, "top": 10.0}
"""Font sizes of the lines in a box, by what they are about."""

LEADING = 1.32
"""Height of a line, in font sizes."""

MARK_ROOM = 11.0
"""Room for a mark before a text, in pixels."""

PART = 4.0
"""Room between the parts of a text, in pixels."""

_PAD_X, _PAD_Y = 7.0, 3.5


def parts_of(status: str, text: str, other: str, before: str = "") -> list[tuple[str, str]]:
    """Return a text as mark and part after part: marks are names of statuses, empty where there is none.

    Examples
    --------
    >>> parts_of("swapped", "past", "pres", "TENSE ")
    [('', 'TENSE '), ('deleted', 'past'), ('inserted', 'pres')]
    """
    parts = [("", before)] if before and other else []
    mark = "deleted" if other else "" if status == "matched" else status
    parts.append((mark, text if parts else before + text))
    return [*parts, ("inserted", other)] if other else parts


def parts_width(parts: Sequence[tuple[str, str]], size: float) -> float:
    """Return the width of parts beside one another."""
    return sum(text_width(text, size) + (MARK_ROOM if mark else 0.0) for mark, text in parts) + PART * (len(parts) - 1)


def label_width(role: DrawnRole) -> float:
    """Return the room that a role's name takes with its marks."""
    return parts_width(parts_of(role.status, role.label, role.other), ROLE_SIZE) + 6


def box_size(node: DrawnNode) -> tuple[float, float]:
    """Return width and height of a node's box."""
    width = max(
        parts_width(parts_of(line.status, line.text, line.other, line.before), LINE_SIZES[line.kind])
        for line in node.lines
    )
    height = sum(LINE_SIZES[line.kind] * LEADING for line in node.lines)
    ring = 4.0 if node.status == "inserted" else 0.0
    return max(width + 2 * _PAD_X + ring, 24.0), height + 2 * _PAD_Y + ring


@dataclass(frozen=True, slots=True)
class Cell:
    """One piece of the text, or several that are folded together."""

    first: int
    last: int
    text: str
    full: str
    joined: bool = False
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle of a column that others keep away from; heights grow upwards from the words."""

    low: float
    high: float
    left: float
    right: float
    kind: str


@dataclass(slots=True)
class Column:
    """Nodes over one another."""

    cell: Cell | None
    stack: list[DrawnNode] = field(default_factory=list)
    base: float = 0.0
    low: dict[int, float] = field(default_factory=dict)
    high: dict[int, float] = field(default_factory=dict)
    half: dict[int, float] = field(default_factory=dict)
    extents: list[Extent] = field(default_factory=list)
    x: float = 0.0

    @property
    def top(self) -> float:
        """Height of the uppermost box."""
        return self.high[self.stack[-1].number] if self.stack else 0.0

    def above(self, number: int) -> float:
        """Return half the width of the widest box above a node; 0 where there is none."""
        place = next(place for place, node in enumerate(self.stack) if node.number == number)
        return max((self.half[node.number] for node in self.stack[place + 1 :]), default=0.0)


def _cells(content: GraphContent) -> list[Cell]:
    closed = {first: last for first, last, is_open in content.folds if not is_open}
    opened = {first for first, _, is_open in content.folds if is_open}
    cells = []
    place = 0
    while place < len(content.pieces):
        piece = content.pieces[place]
        if place in closed:
            last = closed[place]
            words = "".join(
                ("" if one.joined or not at else " ") + one.full
                for at, one in enumerate(content.pieces[place : last + 1])
            )
            cells.append(Cell(place, last, join_words(words.split(" ")), words))
            place = last + 1
            continue
        cells.append(Cell(place, place, piece.text, piece.full, piece.joined, place in opened))
        place += 1
    return cells


def columns_of(content: GraphContent) -> list[Column]:
    """Put nodes and words into columns, in the order of the text."""
    cells = _cells(content)
    at = {piece: place for place, cell in enumerate(cells) for piece in range(cell.first, cell.last + 1)}
    nodes = [node for node in content.nodes if node.number in content.shown]
    reach: dict[int, tuple[int, int] | None] = {
        node.number: None if node.first is None or node.last is None else (at[node.first], at[node.last])
        for node in nodes
    }
    targets: dict[int, list[int]] = defaultdict(list)
    for role in content.roles:
        if role.source in reach and role.target in reach and role.source != role.target:
            targets[role.source].append(role.target)
    home: dict[int, tuple[float, int, int]] = {}
    for node in nodes:
        span = reach[node.number]
        if span is not None and span[0] == span[1]:
            home[node.number] = (float(span[0]), 0, 0)
    for node in nodes:
        if node.number in home or not node.quantifier:
            continue
        span = reach[node.number]
        bound = [home[one] for one in targets[node.number] if one in home]
        if span is not None and bound and span[0] <= bound[0][0] <= span[1]:
            home[node.number] = bound[0]
    for node in sorted(nodes, key=lambda one: one.quantifier):
        if node.number not in home:
            home[node.number] = _between(node, reach, targets[node.number], home, len(cells))
    keys = sorted({*home.values(), *((float(place), 0, 0) for place in range(len(cells)))})
    columns = {key: Column(cells[int(key[0])] if key[0].is_integer() else None) for key in keys}
    by_home: dict[tuple[float, int, int], list[DrawnNode]] = defaultdict(list)
    for node in nodes:
        by_home[home[node.number]].append(node)
    for key, listed in by_home.items():
        columns[key].stack = _stacked(listed, content.roles)
    return [columns[key] for key in keys]


def _between(
    node: DrawnNode,
    reach: dict[int, tuple[int, int] | None],
    targets: Sequence[int],
    home: dict[int, tuple[float, int, int]],
    cells: int,
) -> tuple[float, int, int]:
    """Return the place of a column between two words; of one that is there already for what has its place with it."""
    span = reach[node.number]
    bound = [home[one] for one in targets if one in home]
    if bound:
        between = not bound[0][0].is_integer()
        if node.quantifier and (between or span is None):
            return bound[0]
        if between and span is not None and reach[targets[0]] == span:
            return bound[0]
    if span is None:
        middle = sum(place for place, _, _ in bound) / len(bound) if bound else cells
        return int(middle) + 0.5, node.number, node.number
    inside = [place for place, _, _ in bound if span[0] <= place <= span[1]]
    middle = sum(inside) / len(inside) if inside else sum(span) / 2
    return min(int(middle), span[1] - 1) + 0.5, span[0], span[1]


def _stacked(nodes: Sequence[DrawnNode], roles: Iterable[DrawnRole]) -> list[DrawnNode]:
    """Order the nodes of a column from the lowest to the highest."""
    inside = {node.number: node for node in nodes}
    below: dict[int, set[int]] = {number: set() for number in inside}
    for role in roles:
        if role.source in inside and role.target in inside and role.source != role.target:
            lower, upper = role.target, role.source
            if inside[role.source].quantifier:
                lower, upper = upper, lower
            below[upper].add(lower)
    order: list[DrawnNode] = []
    left = dict(inside)
    while left:
        number = min(left, key=lambda one: (len(below[one] & left.keys()), not left[one].quantifier, one))
        order.append(left.pop(number))
    return order


_TIGHT, _LINKED = 7.0, 24.0  # between the boxes of a stack: without and with a role between them
_RAISED = 8.0  # of a column without a word, above its neighbours
_GAPS = {("box", "box"): 10.0, ("leg", "leg"): 8.0}
_GAP = 6.0


def stack_boxes(columns: Sequence[Column], linked: set[tuple[int, int]]) -> None:
    """Give the boxes of every column their heights."""
    for words in (True, False):
        for place, column in enumerate(columns):
            if (column.cell is not None) is not words:
                continue
            if not words:
                beside = [one for one in columns[max(place - 1, 0) : place + 2] if one.cell is not None]
                column.base = max((one.top + _RAISED for one in beside if one.stack), default=0.0)
            height = column.base
            for before, node in zip([None, *column.stack], column.stack, strict=False):
                if before is not None:
                    height += _LINKED if (before.number, node.number) in linked else _TIGHT
                width, tall = box_size(node)
                column.low[node.number], column.high[node.number] = height, height + tall
                column.half[node.number] = width / 2
                height += tall


def box_extents(column: Column) -> list[Extent]:
    """Return the rectangles of a column's boxes and word."""
    extents = [
        Extent(
            column.low[one.number], column.high[one.number], -column.half[one.number], column.half[one.number], "box"
        )
        for one in column.stack
    ]
    if column.cell is not None:
        half = text_width(column.cell.text, WORD_SIZE) / 2 + (6.0 if column.cell.last > column.cell.first else 0.0)
        extents.append(Extent(-inf, -1.0, -half, half, "word"))
    return extents


def place_columns(columns: Sequence[Column], apart: dict[int, list[tuple[int, float]]], margin: float) -> None:
    """Place the columns from left to right, as close as boxes, words and names of roles allow."""
    widest = max((extent.right for column in columns for extent in column.extents), default=0.0)
    farthest: list[float] = []  # of the columns up to each one
    for place, column in enumerate(columns):
        least = max((-extent.left for extent in column.extents), default=0.0)
        x = margin + least
        for before in range(place - 1, -1, -1):
            if farthest[before] + widest + least + max(_GAPS.values()) < x:
                break  # nor does any before that one come near
            other = columns[before]
            x = max(x, other.x + 1, *(other.x + need for need in _needs(other, column)))
        column.x = max([x, *(columns[other].x + need for other, need in apart.get(place, ()))])
        farthest.append(max([column.x, *farthest[-1:]]))


def _needs(one: Column, other: Column) -> list[float]:
    """Return how far two columns must be apart for each pair of things at one height."""
    needs = [0.0]
    for a in one.extents:
        for b in other.extents:
            if a.low < b.high and b.low < a.high:
                first, second = sorted((a.kind, b.kind))
                gap = _GAPS.get((first, second), _GAP)
                if first == second == "word" and other.cell is not None and other.cell.joined:
                    gap = 2.0
                needs.append(a.right - b.left + gap)
    return needs
