"""The columns of a drawing of semantic graphs: nodes stacked over the words of their spans.

A node over several words has a column of its own between them, unless it binds a node over one of them: then it is in
that column. In a column, quantifiers are below what they bind, and arguments below their predicates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from evaltools.drawing.layouts.graph_parts.content import DrawnNode, DrawnRole, GraphContent
from evaltools.drawing.measure import text_width
from evaltools.drawing.scene import Box
from evaltools.marks import Status
from evaltools.text import join_words

WORD_SIZE, ROLE_SIZE = 14.0, 11.0
"""Font sizes in pixels."""

LINE_SIZES = {"predicate": 12.0, "constant": 11.0, "property": 11.0, "span": 11.0, "top": 11.0}
"""Font sizes of the lines in a box, by kind."""

LEADING = 1.32
"""Height of a line, in font sizes."""

MARK_ROOM = 11.0
"""Room for a mark before a text, in pixels."""

PART = 4.0
"""Room between the parts of a text, in pixels."""

_PAD_X, _PAD_Y = 7.0, 3.5


def parts_of(status: Status, text: str, test_text: str, before: str = "") -> list[tuple[Status | None, str]]:
    """Return a text as parts with their marks: the statuses of what differs, None for the rest.

    Examples
    --------
    >>> [(mark and str(mark), text) for mark, text in parts_of(Status.RELABELED, "past", "pres", "TENSE ")]
    [(None, 'TENSE '), ('missing', 'past'), ('spurious', 'pres')]
    """
    if not test_text:
        return [(None if status is Status.RIGHT else status, before + text)]
    parts: list[tuple[Status | None, str]] = [(None, before)] if before else []
    return [*parts, (Status.MISSING, text), (Status.SPURIOUS, test_text)]


def parts_width(parts: Sequence[tuple[Status | None, str]], size: float) -> float:
    """Return the width of parts beside one another."""
    return sum(text_width(text, size) + (MARK_ROOM if mark else 0.0) for mark, text in parts) + PART * (len(parts) - 1)


def label_width(role: DrawnRole) -> float:
    """Return the width of a role's name with its marks."""
    return parts_width(parts_of(role.status, role.label, role.test_text), ROLE_SIZE) + 6


def box_size(node: DrawnNode) -> tuple[float, float]:
    """Return width and height of a node's box."""
    width = max(
        parts_width(parts_of(line.status, line.text, line.test_text, line.before), LINE_SIZES[line.kind])
        for line in node.lines
    )
    height = sum(LINE_SIZES[line.kind] * LEADING for line in node.lines)
    ring = 4.0 if node.status == "spurious" else 0.0
    return max(width + 2 * _PAD_X + ring, 24.0), height + 2 * _PAD_Y + ring


@dataclass(frozen=True, slots=True)
class Cell:
    """One piece of the text, or several that are folded together."""

    first: int  # The first and the last piece
    last: int
    text: str  # Shortened
    full: str
    joined: bool = False  # Whether no white space comes before it
    opens: bool = False  # Whether it begins a folded part that was opened and can be folded again

    @property
    def folded(self) -> bool:
        """Whether several pieces are folded into it."""
        return self.last > self.first

    @property
    def width(self) -> float:
        """Width of its field."""
        return text_width(self.text, WORD_SIZE) + (10.0 if self.folded else 2.0)


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle of a column that nothing else may overlap; heights grow upwards from the words."""

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
    base: float = 0.0  # Height of the lowest box's lower side
    # Lower side, upper side and half the width of the boxes, by the nodes' numbers
    low: dict[int, float] = field(default_factory=dict)
    high: dict[int, float] = field(default_factory=dict)
    half: dict[int, float] = field(default_factory=dict)
    extents: list[Extent] = field(default_factory=list)
    x: float = 0.0  # Its middle

    @property
    def top(self) -> float:
        """Height of the uppermost box."""
        return self.high[self.stack[-1].number] if self.stack else 0.0

    def box(self, number: int) -> Box:
        """Return the box of a node."""
        low, high = self.low[number], self.high[number]
        return Box(self.x, (low + high) / 2, 2 * self.half[number], high - low)

    def above(self, number: int) -> float:
        """Return half the width of the widest box above a node, 0 if there is none."""
        index = next(index for index, node in enumerate(self.stack) if node.number == number)
        return max((self.half[node.number] for node in self.stack[index + 1 :]), default=0.0)


def _cells(content: GraphContent) -> list[Cell]:
    closed = {first: last for first, last, is_open in content.folds if not is_open}
    opened = {first for first, _, is_open in content.folds if is_open}
    cells = []
    index = 0
    while index < len(content.pieces):
        piece, last = content.pieces[index], closed.get(index, index)
        if last > index:
            folded = content.pieces[index + 1 : last + 1]
            words = piece.full + "".join(f"{'' if item.joined else ' '}{item.full}" for item in folded)
            cells.append(Cell(index, last, join_words(words.split(" ")), words))
        else:
            cells.append(Cell(index, index, piece.text, piece.full, piece.joined, index in opened))
        index = last + 1
    return cells


def columns_of(content: GraphContent) -> list[Column]:
    """Put nodes and words into columns, in the order of the text."""
    cells = _cells(content)
    cell_of = {piece: index for index, cell in enumerate(cells) for piece in range(cell.first, cell.last + 1)}
    nodes = [node for node in content.nodes if node.number in content.drawn]
    reach: dict[int, tuple[int, int] | None] = {
        node.number: None if node.first is None or node.last is None else (cell_of[node.first], cell_of[node.last])
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
        bound = [home[target] for target in targets[node.number] if target in home]
        if span is not None and bound and span[0] <= bound[0][0] <= span[1]:
            home[node.number] = bound[0]
    for node in sorted(nodes, key=lambda node: node.quantifier):
        if node.number not in home:
            home[node.number] = _between(node, reach, targets[node.number], home, len(cells))
    keys = sorted({*home.values(), *((float(index), 0, 0) for index in range(len(cells)))})
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
    """Return the key of a column between two words, or of the column of what a node binds."""
    span = reach[node.number]
    bound = [home[item] for item in targets if item in home]
    if bound:
        between = not bound[0][0].is_integer()
        if node.quantifier and (between or span is None):
            return bound[0]
        if between and span is not None and reach[targets[0]] == span:
            return bound[0]
    if span is None:
        middle = sum(index for index, _, _ in bound) / len(bound) if bound else cells
        return int(middle) + 0.5, node.number, node.number
    inside = [index for index, _, _ in bound if span[0] <= index <= span[1]]
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
        number = min(left, key=lambda node: (len(below[node] & left.keys()), not left[node].quantifier, node))
        order.append(left.pop(number))
    return order


_TIGHT, _LINKED = 7.0, 24.0  # between the boxes of a stack: without and with a role between them
_RAISED = 8.0  # of a column without a word, above its neighbours
_GAPS = {("box", "box"): 10.0, ("leg", "leg"): 8.0}
_GAP = 6.0


def stack_boxes(columns: Sequence[Column], linked: set[tuple[int, int]]) -> None:
    """Give the boxes of every column their heights."""
    for words in (True, False):
        for index, column in enumerate(columns):
            if (column.cell is not None) is not words:
                continue
            if not words:
                beside = [item for item in columns[max(index - 1, 0) : index + 2] if item.cell is not None]
                column.base = max((item.top + _RAISED for item in beside if item.stack), default=0.0)
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
        Extent(column.low[number], column.high[number], -column.half[number], column.half[number], "box")
        for number in (node.number for node in column.stack)
    ]
    if column.cell is not None:
        half = text_width(column.cell.text, WORD_SIZE) / 2 + (6.0 if column.cell.folded else 0.0)
        extents.append(Extent(-inf, -1.0, -half, half, "word"))
    return extents


def place_columns(columns: Sequence[Column], distances: dict[int, list[tuple[int, float]]], margin: float) -> None:
    """Place the columns from left to right, as close as boxes, words and names of roles allow."""
    widest = max((extent.right for column in columns for extent in column.extents), default=0.0)
    farthest: list[float] = []  # of the columns up to each one
    for index, column in enumerate(columns):
        minimum = max((-extent.left for extent in column.extents), default=0.0)
        x = margin + minimum
        for before in range(index - 1, -1, -1):
            if farthest[before] + widest + minimum + max(_GAPS.values()) < x:
                break  # nor does any before that one come near
            left = columns[before]
            x = max(x, left.x + 1, *(left.x + distance for distance in _distances(left, column)))
        column.x = max([x, *(columns[before].x + distance for before, distance in distances.get(index, ()))])
        farthest.append(max([column.x, *farthest[-1:]]))


def _distances(left: Column, right: Column) -> list[float]:
    """Return the distances that two columns need for each pair of extents at one height."""
    distances = [0.0]
    for a in left.extents:
        for b in right.extents:
            if a.low < b.high and b.low < a.high:
                first, second = sorted((a.kind, b.kind))
                gap = _GAPS.get((first, second), _GAP)
                if first == second == "word" and right.cell is not None and right.cell.joined:
                    gap = 2.0
                distances.append(a.right - b.left + gap)
    return distances
