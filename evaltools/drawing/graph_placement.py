"""Positions in pictures of graphs and of trees over a line of words: columns, and arcs that run above them.

Nodes of a graph are stacked over the words of their spans. A node over several words has a column of its own between
them, unless it binds a node over one of them: then it is in that column. In a column, quantifiers are below what they
bind, and arguments below their predicates. In an arc diagram the words themselves are the nodes, the arcs of a second
tree are mirrored below them.

An arc rises from its head, runs level above everything that it passes, and comes down on its dependent. An arc to a
node with others above it passes beside those. Arcs between neighbors in one stack are short upright lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, inf

import numpy as np

from evaltools.drawing.graph_content import Cell, DrawnArc, DrawnNode, GraphContent, Part
from evaltools.drawing.measure import CORNER, clear_position, is_right_to_left, text_width
from evaltools.drawing.scene import Box, Point

WORD_SIZE, TAG_SIZE, LABEL_SIZE = 14.0, 11.0, 11.0
"""Font sizes in pixels."""

LINE_SIZES = {"predicate": 12.0, "constant": 11.0, "property": 11.0, "span": 11.0, "top": 11.0}
"""Font sizes of the lines in a box, by kind."""

LEADING = 1.32
"""Height of a line, in font sizes."""

MARK_ROOM = 11.0
"""Room for a mark before a text, in pixels."""

PART = 4.0
"""Room between the parts of a text, in pixels."""

ROW = 34.0
"""Height of a word with its tag."""

ROWS_APART = 8.0
"""Room between the two rows of words, where they differ."""

_PAD_X, _PAD_Y = 7.0, 3.5
_WORD_ROW = 26.0  # height of words without tags


def parts_width(parts: Sequence[Part], size: float) -> float:
    """Return the width of parts beside one another."""
    return sum(text_width(text, size) + (MARK_ROOM if mark else 0.0) for mark, text in parts) + PART * (len(parts) - 1)


def label_width(arc: DrawnArc) -> float:
    """Return the width of an arc's label with its marks."""
    return parts_width(arc.parts, LABEL_SIZE) + 6


def cell_width(cell: Cell) -> float:
    """Return the width of the field of a word."""
    widths = [text_width(text, WORD_SIZE) for text in cell.texts] + [text_width(tag, TAG_SIZE) for tag in cell.tags]
    return max(widths) + (10.0 if cell.folded or cell.is_added else 2.0)


def box_size(node: DrawnNode) -> tuple[float, float]:
    """Return width and height of a node's box."""
    width = max(parts_width(line.parts, LINE_SIZES[line.kind]) for line in node.lines)
    height = sum(LINE_SIZES[line.kind] * LEADING for line in node.lines)
    ring = 4.0 if node.status == "spurious" else 0.0
    return max(width + 2 * _PAD_X + ring, 24.0), height + 2 * _PAD_Y + ring


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

    def point(self, x: float, y: float) -> Point:
        """Return a point given from the middle of the column."""
        return self.x + x, y

    def are_neighbors(self, numbers: Collection[int]) -> bool:
        """Return whether two nodes are next to one another in the stack."""
        return any({before.number, node.number} == numbers for before, node in pairwise(self.stack))

    def above(self, number: int) -> float:
        """Return half the width of the widest box above a node, 0 if there is none."""
        index = next(index for index, node in enumerate(self.stack) if node.number == number)
        return max((self.half[node.number] for node in self.stack[index + 1 :]), default=0.0)


def _columns_of(content: GraphContent) -> list[Column]:
    """Put nodes and words into columns, in the order of the text."""
    cells = content.cells
    cell_of = {segment: index for index, cell in enumerate(cells) for segment in range(cell.first, cell.last + 1)}
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


def _stacked(nodes: Sequence[DrawnNode], roles: Iterable[DrawnArc]) -> list[DrawnNode]:
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
_RAISED = 8.0  # of a column without a word, above its neighbors
_GAPS = {("box", "box"): 10.0, ("leg", "leg"): 8.0, ("word", "word"): 8.0}
_GAP = 6.0


def _stack_boxes(columns: Sequence[Column], linked: set[tuple[int, int]]) -> None:
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


def _place_columns(columns: Sequence[Column], distances: dict[int, list[tuple[int, float]]], margin: float) -> None:
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
            x = max(x, left.x + 1, *(left.x + distance for distance in _apart(left, column)))
        column.x = max([x, *(columns[before].x + distance for before, distance in distances.get(index, ()))])
        farthest.append(max([column.x, *farthest[-1:]]))


def _apart(left: Column, right: Column) -> list[float]:
    """Return the distances that two columns need for each pair of extents at one height."""
    distances = [0.0]
    for a in left.extents:
        for b in right.extents:
            if a.low < b.high and b.low < a.high:
                first, second = sorted((a.kind, b.kind))
                gap = _GAPS.get((first, second), _GAP)
                if first == second == "word" and right.cell is not None and right.cell.joined:
                    gap = 0.0
                distances.append(a.right - b.left + gap)
    return distances


@dataclass(frozen=True, slots=True)
class PlacedArc:
    """An arc with its line and the position of its label."""

    arc: DrawnArc
    points: tuple[Point, ...]  # The arrow points at the last one
    box: Box
    halo: bool = True  # Whether it interrupts the lines that it crosses

    def moved(self, to: Callable[[float, float], Point]) -> PlacedArc:
        """Return it with each of its points where it belongs."""
        x, y = to(self.box.x, self.box.y)
        return replace(self, points=tuple(to(*point) for point in self.points), box=replace(self.box, x=x, y=y))


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """Positions of all parts of a drawing; the origin is at the upper left."""

    width: float  # Size in pixels
    height: float
    words: tuple[tuple[Cell, Box], ...]
    nodes: tuple[tuple[DrawnNode, Box], ...]
    arcs: tuple[PlacedArc, ...]  # Higher ones first
    middle: float  # Height of the words


_STEP = 21.0  # from arc to arc
_FIRST = 20.0  # from a box or word to the first arc over it
_GRID = 7.0
_SLOT = 8.0  # between the ends of two arcs at one box
_FOOT = 3.0  # from a word to the end of an arc
_LANE = 8.0  # between two arcs that pass a stack
_MARGIN = 12.0
_OVER_WORDS = 8.0  # from boxes to the words under them


@dataclass(slots=True)
class _End:
    """The end of an arc at a box or word."""

    number: int  # The node
    column: int
    x: float = 0.0  # From the column's middle
    foot: float = _FOOT  # Height at which it turns or ends
    side: float | None = None  # Where it meets the box's side, from the column's middle


@dataclass(slots=True)
class _Arc:
    """An arc that runs above the boxes or words."""

    arc: DrawnArc
    source: _End | None  # None for the arc of a root, which comes from above
    target: _End
    height: float = 0.0

    @property
    def ends(self) -> tuple[_End, ...]:
        """Its ends, the target last."""
        return (self.target,) if self.source is None else (self.source, self.target)

    @property
    def is_upright(self) -> bool:
        """Whether it has no level part between two columns: that of a root, and that of a word on itself."""
        return self.source is None or self.source.column == self.target.column

    def interval(self, columns: Sequence[Column]) -> tuple[float, float]:
        """Return the ends of its level part, of an upright arc's the ends of its label."""
        xs = [columns[end.column].x + end.x for end in self.ends]
        half = label_width(self.arc) / 2 if self.is_upright else 0.0
        return min(xs) - half, max(xs) + half


def _spread_ends(columns: Sequence[Column], arcs: Sequence[_Arc]) -> None:
    """Spread the ends of the arcs of one side along the boxes and words where they meet, longer arcs in the middle."""
    ends: dict[tuple[int, int], list[tuple[tuple[int, int], _End]]] = defaultdict(list)
    for arc in arcs:
        if arc.source is None:
            ends[arc.target.column, arc.target.number].append(((0, 0), arc.target))
            continue
        reach = abs(arc.source.column - arc.target.column)
        for first, second in ((arc.source, arc.target), (arc.target, arc.source)):
            key = (-1, reach) if second.column < first.column else (1, -reach)
            ends[first.column, first.number].append((key, first))
    for index, column in enumerate(columns):
        if not column.stack and (met := ends.get((index, index))):
            _beside_one_another(met, _SLOT)
            half = _SLOT * len(met) / 2
            column.extents.append(Extent(0.0, inf, -half, half, "leg"))
        lanes = {-1: 0.0, 1: 0.0}
        for node in reversed(column.stack):
            met = ends.get((index, node.number), [])
            over = column.above(node.number)
            top, half = column.high[node.number], column.half[node.number]
            if not over:
                _beside_one_another(met, min(_SLOT, (2 * half - 12) / max(len(met) - 1, 1)))
                for _, end in met:
                    end.foot = top
                    column.extents.append(Extent(top, inf, end.x, end.x, "leg"))
                continue
            middle = (column.low[node.number] + top) / 2
            names = max(
                (first.right for first in column.extents if first.kind == "name" and first.low >= top), default=0.0
            )
            for sign in (-1, 1):
                listed = sorted((each for each in met if each[0][0] == sign), key=lambda each: each[0])
                for rank, (_, end) in enumerate(listed[::sign]):
                    beside = over if sign < 0 else max(over, names)
                    x = max(lanes[sign] + _LANE, beside + 7.0)
                    if x < half - 4:
                        end.foot = top
                    else:  # not along the edge of the box itself
                        x = max(x, half + 5.0)
                        end.side, end.foot = sign * half, middle + max(5.0 - 5.0 * rank, -7.0)
                    end.x = sign * x
                    lanes[sign] = x
                    column.extents.append(Extent(end.foot - 2, inf, end.x, end.x, "leg"))


def _beside_one_another(met: list[tuple[tuple[int, int], _End]], step: float) -> None:
    """Place ends around the middle of a column."""
    met.sort(key=lambda each: each[0])
    for index, (_, end) in enumerate(met):
        end.x = (index - (len(met) - 1) / 2) * step


def _distances(arcs: Iterable[_Arc]) -> dict[int, list[tuple[int, float]]]:
    """Return the distances that columns need for the labels of the arcs between them."""
    apart: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for arc in arcs:
        if not arc.is_upright:
            first, last = sorted(arc.ends, key=lambda end: end.column)
            apart[last.column].append((first.column, label_width(arc.arc) + 2 * CORNER + first.x - last.x))
    return apart


def _set_heights(columns: Sequence[Column], arcs: Sequence[_Arc]) -> None:
    """Put every arc of a side above the boxes and the shorter arcs that it passes, the arcs of roots last."""
    boxes = np.array(
        [
            (column.x + extent.left - 3, column.x + extent.right + 3, extent.high)
            for column in columns
            for extent in column.extents
            if extent.kind in ("box", "name")
        ]
    ).reshape(-1, 3)
    intervals = {id(arc): arc.interval(columns) for arc in arcs}
    order = sorted(arcs, key=lambda arc: (arc.source is None, intervals[id(arc)][1] - intervals[id(arc)][0]))
    first, last = np.array([intervals[id(arc)] for arc in order]).reshape(-1, 2).T
    heights = np.zeros(len(order))
    for index, arc in enumerate(order):
        passed = (boxes[:, 0] < last[index]) & (first[index] < boxes[:, 1])
        minimum = max([boxes[passed, 2].max(initial=0.0), *(end.foot for end in arc.ends)]) + _FIRST
        overlapped = (first[:index] < last[index] + 3) & (first[index] - 3 < last[:index])
        over = heights[:index][overlapped].max(initial=-inf)
        heights[index] = arc.height = float(max(ceil(minimum / _GRID) * _GRID, over + _STEP))


def _label_positions(columns: Sequence[Column], arcs: Sequence[_Arc]) -> list[float]:
    """Return for each arc of a side where its label stands so that no higher arc crosses it."""
    ends = [(columns[end.column].x + end.x, end.foot, arc.height) for arc in arcs for end in arc.ends]
    xs, feet, heights = np.array(sorted(ends)).reshape(-1, 3).T
    positions = []
    for arc in arcs:
        first, last = arc.interval(columns)
        inside = slice(np.searchsorted(xs, first, "right"), np.searchsorted(xs, last, "left"))
        crossing = xs[inside][(feet[inside] < arc.height) & (arc.height < heights[inside])]
        positions.append(clear_position(first, last, label_width(arc.arc), crossing.tolist()))
    return positions


def layout_graph(content: GraphContent) -> GraphLayout:
    """Place the nodes and roles of two graphs over their words."""
    columns = _columns_of(content)
    index = {node.number: at for at, column in enumerate(columns) for node in column.stack}
    drawn = [role for role in content.roles if role.source in index and role.target in index]
    linked = {(role.source, role.target) for role in drawn}
    _stack_boxes(columns, linked | {(target, source) for source, target in linked})
    return _layout(columns, drawn, index, mirrored=is_right_to_left(segment.full for segment in content.segments))


def layout_arcs(cells: Sequence[Cell], arcs: Iterable[DrawnArc]) -> GraphLayout:
    """Place words, the arcs of one tree above them, and those of another below them."""
    columns = [Column(cell) for cell in cells]
    mirrored = is_right_to_left(text for cell in cells for text in cell.texts)
    return _layout(columns, arcs, dict(enumerate(range(len(columns)))), mirrored=mirrored)


def _layout(
    columns: Sequence[Column], arcs: Iterable[DrawnArc], index: Mapping[int, int], *, mirrored: bool
) -> GraphLayout:
    """Place everything, given columns whose boxes have their heights; mirrored if the text runs from right to left."""
    for column in columns:
        column.extents = [Extent(low, column.high[at], -column.half[at], column.half[at], "box")
                          for at, low in column.low.items()]  # fmt: skip
        if column.cell is not None:
            half = cell_width(column.cell) / 2
            column.extents.append(Extent(-inf, -1.0, -half, half, "word"))
    sides: dict[str, list[_Arc]] = {"gold": [], "test": []}
    stems: dict[tuple[int, frozenset[int]], tuple[Column, PlacedArc]] = {}  # By what they join
    loops: list[tuple[Column, DrawnArc]] = []
    for arc in arcs:
        at = index[arc.target]
        column, ends = columns[at], frozenset({arc.source, arc.target})
        if arc.source < 0 or index[arc.source] != at or not column.stack:
            source = None if arc.source < 0 else _End(arc.source, index[arc.source])
            sides["test" if arc.side == "test" else "gold"].append(_Arc(arc, source, _End(arc.target, at)))
        elif (at, ends) not in stems and column.are_neighbors(ends):
            stems[at, ends] = column, _stem(column, arc)
        else:
            loops.append((column, arc))
    for own in sides.values():
        _spread_ends(columns, own)
    inside = [*stems.values(), *((column, _loop(column, role)) for column, role in loops)]
    _place_columns(columns, _distances(arc for own in sides.values() for arc in own), _MARGIN)
    for own in sides.values():
        _set_heights(columns, own)
    placed = [item for own in sides.values() for item in _placed_arcs(columns, own)]
    placed += [arc.moved(column.point) for column, arc in inside]

    cells = [column.cell for column in columns if column.cell is not None]
    rows = max((len(cell.texts) for cell in cells), default=1)
    band = rows * (ROW if any(cell.tags for cell in cells) else _WORD_ROW) + ROWS_APART * (rows - 1)
    above, below = (max((arc.height + LABEL_SIZE for arc in own), default=0.0) for own in sides.values())
    top = _MARGIN + max([above, *(column.top for column in columns)])
    low = top + band + (_OVER_WORDS if any(column.stack for column in columns) else 0.0)
    rights = [column.x + extent.right for column in columns for extent in column.extents]
    left = min([0.0, *(arc.box.left - 4 for arc in placed)])
    width = max([*rights, *(arc.box.right for arc in placed), 60.0]) + _MARGIN - left

    def upper(x: float, y: float) -> Point:
        return width - (x - left) if mirrored else x - left, top - y

    def lower(x: float, y: float) -> Point:
        return upper(x, y)[0], low + y

    nodes: list[tuple[DrawnNode, Box]] = []
    words: list[tuple[Cell, Box]] = []
    for column in columns:
        x, _ = upper(column.x, 0.0)
        for node in column.stack:
            box = column.box(node.number)
            nodes.append((node, replace(box, x=x, y=top - box.y)))
        if column.cell is not None:
            words.append((column.cell, Box(x, low - band / 2, cell_width(column.cell), band)))
    height = low + (below + _MARGIN if below else _MARGIN / 2)
    moved = tuple(arc.moved(lower if arc.arc.side == "test" else upper) for arc in placed)
    return GraphLayout(width, height, tuple(words), tuple(nodes), moved, low - band / 2)


def _placed_arcs(columns: Sequence[Column], arcs: Sequence[_Arc]) -> Iterator[PlacedArc]:
    """Yield the arcs of a side, the highest first."""
    positions = _label_positions(columns, arcs)
    for arc, x in sorted(zip(arcs, positions, strict=True), key=lambda item: -item[0].height):
        points: list[Point] = []
        for end in arc.ends:
            middle = columns[end.column].x
            corners = [(middle + end.x, end.foot), (middle + end.x, arc.height)]
            if end.side is not None:
                corners.insert(0, (middle + end.side, end.foot))
            points += corners if end is arc.source else reversed(corners)
        yield PlacedArc(arc.arc, tuple(points), Box(x, arc.height, label_width(arc.arc), 14.0))


def _stem(column: Column, role: DrawnArc) -> PlacedArc:
    """Return the upright line between neighbors in a column, from its middle, and keep room for its name."""
    lower, upper = sorted((role.source, role.target), key=column.low.__getitem__)
    low, high, width = column.high[lower], column.low[upper], label_width(role)
    column.extents.append(Extent(low, high, -2.0, width + 4, "name"))
    points = ((0.0, low), (0.0, high)) if role.source == lower else ((0.0, high), (0.0, low))
    return PlacedArc(role, points, Box(width / 2 + 2, (low + high) / 2, width, 14.0))


def _loop(column: Column, role: DrawnArc) -> PlacedArc:
    """Return a line between distant nodes of a column, from its middle, on the right of all that is between them."""
    numbers, width = (role.source, role.target), label_width(role)
    low, high = min(column.low[number] for number in numbers), max(column.high[number] for number in numbers)
    x = max((extent.right for extent in column.extents if extent.low < high and low < extent.high), default=0.0)
    column.extents.append(Extent(low, high, 0.0, x + 8 + width, "box"))
    lane = x + 6 + width / 2
    start, end = ((column.low[number] + column.high[number]) / 2 for number in numbers)
    if role.source == role.target:
        start, end = start - 5, end + 5
    points = ((column.half[role.source], start), (lane, start), (lane, end), (column.half[role.target], end))
    return PlacedArc(role, points, Box(lane, (start + end) / 2, width, 14.0))
