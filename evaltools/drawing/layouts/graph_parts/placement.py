"""Positions of the nodes and roles of two semantic graphs: nodes over their words, roles in arcs above them.

An arc rises from its predicate, runs level above everything that it passes, and comes down on the argument. An arc to a
node with others above it passes beside those. Roles between neighbors in one stack are short upright lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

from evaltools.drawing.layouts.graph_parts.columns import (
    ROLE_SIZE,
    Cell,
    Column,
    Extent,
    box_extents,
    columns_of,
    label_width,
    place_columns,
    stack_boxes,
)
from evaltools.drawing.layouts.graph_parts.content import DrawnNode, DrawnRole, GraphContent, Piece, content_of
from evaltools.drawing.measure import CORNER, clear_position, is_right_to_left
from evaltools.drawing.scene import Box, Point
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """Words of the text with their position."""

    cell: Cell
    box: Box


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A node with the position of its box."""

    node: DrawnNode
    box: Box


@dataclass(frozen=True, slots=True)
class PlacedRole:
    """A role with its line and the position of its name."""

    role: DrawnRole
    points: tuple[Point, ...]
    box: Box
    halo: bool = True  # Whether it interrupts the lines that it crosses


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """Positions of all parts of a drawing; the origin is at the upper left."""

    width: float  # Size in pixels
    height: float
    pieces: tuple[Piece, ...]
    words: tuple[PlacedCell, ...]
    nodes: tuple[PlacedNode, ...]
    roles: tuple[PlacedRole, ...]
    middle: float  # Height of the words


_STEP = 21.0  # from arc to arc
_FIRST = 20.0  # from a box to the first arc over it
_GRID = 7.0
_SLOT = 8.0  # between the ends of two arcs at one box
_LANE = 8.0  # between two arcs that pass a stack


@dataclass(slots=True)
class _End:
    """The end of an arc at a box."""

    number: int  # The node
    column: int
    x: float = 0.0  # From the column's middle
    foot: float = 0.0  # Height at which it turns or ends
    side: float | None = None  # Where it meets the box's side, from the column's middle


@dataclass(slots=True)
class _Arc:
    """A role that runs above the boxes."""

    role: DrawnRole
    source: _End
    target: _End
    height: float = 0.0

    def interval(self, columns: Sequence[Column]) -> tuple[float, float]:
        """Return the ends of its level part."""
        ends = [columns[end.column].x + end.x for end in (self.source, self.target)]
        return min(ends), max(ends)


def _spread_ends(columns: Sequence[Column], arcs: Sequence[_Arc]) -> None:
    """Spread the ends of the arcs along the boxes where they meet, longer arcs nearer to the middle."""
    ends: dict[int, list[tuple[int, bool, _End]]] = defaultdict(list)
    for arc in arcs:
        reach = abs(arc.source.column - arc.target.column)
        for first, second in ((arc.source, arc.target), (arc.target, arc.source)):
            ends[first.number].append((reach, second.column < first.column, first))
    for column in columns:
        lanes = {True: 0.0, False: 0.0}
        for node in reversed(column.stack):
            met = ends.get(node.number, [])
            over = column.above(node.number)
            top, half = column.high[node.number], column.half[node.number]
            left = sorted((each for each in met if each[1]), key=lambda each: each[0])
            right = sorted((each for each in met if not each[1]), key=lambda each: -each[0])
            if not over:
                step = min(_SLOT, (2 * half - 12) / max(len(met) - 1, 1))
                for index, (_, _, end) in enumerate([*left, *right]):
                    end.x, end.foot = (index - (len(met) - 1) / 2) * step, top
                    column.extents.append(Extent(top, inf, end.x, end.x, "leg"))
                continue
            middle = (column.low[node.number] + top) / 2
            names = max(
                (first.right for first in column.extents if first.kind == "name" and first.low >= top), default=0.0
            )
            for listed, is_left in ((reversed(left), True), (right, False)):
                for index, (_, _, end) in enumerate(listed):
                    beside = over if is_left else max(over, names)
                    x = max(lanes[is_left] + _LANE, beside + 7.0)
                    sign = -1.0 if is_left else 1.0
                    if x < half - 4:
                        end.foot = top
                    else:  # not along the edge of the box itself
                        x = max(x, half + 5.0)
                        end.side, end.foot = sign * half, middle + max(5.0 - 5.0 * index, -7.0)
                    end.x = sign * x
                    lanes[is_left] = x
                    column.extents.append(Extent(end.foot - 2, inf, end.x, end.x, "leg"))


def _distances(arcs: Sequence[_Arc]) -> dict[int, list[tuple[int, float]]]:
    """Return the distances that columns need for the names of the roles between them."""
    apart: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for arc in arcs:
        first, last = sorted((arc.source, arc.target), key=lambda end: end.column)
        need = label_width(arc.role) + 2 * CORNER + first.x - last.x
        apart[last.column].append((first.column, need))
    return apart


def _set_heights(columns: Sequence[Column], arcs: Sequence[_Arc]) -> None:
    """Put every arc above the boxes and the shorter arcs that it passes."""
    boxes = [
        (column.x + extent.left - 3, column.x + extent.right + 3, extent.high)
        for column in columns
        for extent in column.extents
        if extent.kind in ("box", "name")
    ]
    set_arcs: list[tuple[float, float, float]] = []

    def length(arc: _Arc) -> float:
        first, last = arc.interval(columns)
        return last - first

    for arc in sorted(arcs, key=length):
        first, last = arc.interval(columns)
        minimum = max((top for left, right, top in boxes if left < last and first < right), default=0.0)
        minimum = max(minimum, arc.source.foot, arc.target.foot) + _FIRST
        over = max((y for left, right, y in set_arcs if left < last + 3 and first - 3 < right), default=-inf)
        arc.height = max(ceil(minimum / _GRID) * _GRID, over + _STEP)
        set_arcs.append((first, last, arc.height))


def _label_x(arc: _Arc, columns: Sequence[Column], arcs: Sequence[_Arc]) -> float:
    """Return a position for the name where no higher arc crosses its own."""
    first, last = arc.interval(columns)
    crossing = [
        x
        for higher in arcs
        if higher.height > arc.height
        for end in (higher.source, higher.target)
        if end.foot < arc.height and first < (x := columns[end.column].x + end.x) < last
    ]
    return clear_position(first, last, label_width(arc.role), 16, crossing)


_MARGIN = 12.0
_WORDS = 26.0  # height of the row of words
_OVER_WORDS = 8.0


def layout_graph(
    alignment: GraphAlignment,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str | None = None,
) -> GraphLayout:
    """Place the nodes and roles of two graphs."""
    return _Placer(content_of(alignment, fold, unfolded, properties)).layout()


class _Placer:
    """Computes positions from columns."""

    def __init__(self, content: GraphContent) -> None:
        self.content = content
        self.columns = columns_of(content)
        self.index = {node.number: index for index, column in enumerate(self.columns) for node in column.stack}
        drawn = [role for role in content.roles if role.source in self.index and role.target in self.index]
        linked = {(role.source, role.target) for role in drawn}
        linked |= {(target, source) for source, target in linked}
        stack_boxes(self.columns, linked)
        self.stems: list[DrawnRole] = []
        self.loops: list[DrawnRole] = []
        self.arcs: list[_Arc] = []
        for role in drawn:
            first, second = self.index[role.source], self.index[role.target]
            if first != second:
                self.arcs.append(_Arc(role, _End(role.source, first), _End(role.target, second)))
            elif self._beside(role) and not any(
                {role.source, role.target} == {item.source, item.target} for item in self.stems
            ):
                self.stems.append(role)
            else:
                self.loops.append(role)
        for column in self.columns:
            column.extents = box_extents(column)
        self._stem_room()
        _spread_ends(self.columns, self.arcs)
        self.loop_lanes = self._loop_lanes()
        place_columns(self.columns, _distances(self.arcs), _MARGIN)
        _set_heights(self.columns, self.arcs)

    def _beside(self, role: DrawnRole) -> bool:
        stack = [node.number for node in self.columns[self.index[role.source]].stack]
        return abs(stack.index(role.source) - stack.index(role.target)) == 1

    def _stem_room(self) -> None:
        """Keep room for the names of upright roles."""
        for role in self.stems:
            column = self.columns[self.index[role.source]]
            low, high = self._stem_heights(role)
            column.extents.append(Extent(low, high, -2.0, label_width(role) + 4, "name"))

    def _stem_heights(self, role: DrawnRole) -> tuple[float, float]:
        column = self.columns[self.index[role.source]]
        ends = sorted((role.source, role.target), key=lambda number: column.low[number])
        return column.high[ends[0]], column.low[ends[1]]

    def _loop_lanes(self) -> dict[int, float]:
        """Return the distances from the middle of the roles that join distant nodes of one stack, on its right."""
        lanes: dict[int, float] = {}
        for role in self.loops:
            column = self.columns[self.index[role.source]]
            low = min(column.low[role.source], column.low[role.target])
            high = max(column.high[role.source], column.high[role.target])
            x = max((extent.right for extent in column.extents if extent.low < high and low < extent.high), default=0.0)
            lanes[role.number] = x + 6 + label_width(role) / 2
            column.extents.append(Extent(low, high, 0.0, x + 8 + label_width(role), "box"))
        return lanes

    def layout(self) -> GraphLayout:
        """Place everything; mirrored if the text runs from right to left."""
        content = self.content
        mirrored = is_right_to_left([content.text])
        placed = [*map(self._arc, sorted(self.arcs, key=lambda arc: -arc.height))]
        placed += [*map(self._stem, self.stems), *map(self._loop, self.loops)]
        tops = [column.top for column in self.columns]
        tops += [arc.height + ROLE_SIZE for arc in self.arcs]
        height = max(tops, default=0.0)
        rights = [column.x + extent.right for column in self.columns for extent in column.extents]
        rights += [box.right for _, _, box in placed]
        width = max([*rights, 60.0]) + _MARGIN

        def at(point: Point) -> Point:
            return (width - point[0] if mirrored else point[0]), _MARGIN + height - point[1]

        def moved(box: Box) -> Box:
            return Box(*at((box.x, box.y)), box.width, box.height)

        roles = tuple(PlacedRole(role, tuple(map(at, points)), moved(box)) for role, points, box in placed)
        nodes = tuple(
            PlacedNode(node, moved(column.box(node.number))) for column in self.columns for node in column.stack
        )
        words = tuple(
            PlacedCell(column.cell, moved(Box(column.x, -_OVER_WORDS - _WORDS / 2, column.cell.width, _WORDS)))
            for column in self.columns
            if column.cell is not None
        )
        low = _MARGIN + height + _OVER_WORDS + _WORDS
        return GraphLayout(width, low + _MARGIN / 2, content.pieces, words, nodes, roles, low - _WORDS / 2)

    def _arc(self, arc: _Arc) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        points: list[Point] = []
        for end in (arc.source, arc.target):
            x = self.columns[end.column].x
            corners = [(x + end.x, end.foot), (x + end.x, arc.height)]
            if end.side is not None:
                corners.insert(0, (x + end.side, end.foot))
            points += corners if end is arc.source else reversed(corners)
        x = _label_x(arc, self.columns, self.arcs)
        return arc.role, tuple(points), Box(x, arc.height, label_width(arc.role), 14.0)

    def _stem(self, role: DrawnRole) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        column = self.columns[self.index[role.source]]
        low, high = self._stem_heights(role)
        x = column.x
        points = [(x, low), (x, high)]
        if column.low[role.source] > column.low[role.target]:
            points.reverse()
        size = label_width(role)
        return role, tuple(points), Box(x + size / 2 + 2, (low + high) / 2, size, 14.0)

    def _loop(self, role: DrawnRole) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        column = self.columns[self.index[role.source]]
        x = column.x + self.loop_lanes[role.number]
        heights = [(column.low[item] + column.high[item]) / 2 for item in (role.source, role.target)]
        if role.source == role.target:
            heights = [heights[0] - 5, heights[1] + 5]
        points = (
            (column.x + column.half[role.source], heights[0]),
            (x, heights[0]),
            (x, heights[1]),
            (column.x + column.half[role.target], heights[1]),
        )
        return role, points, Box(x, sum(heights) / 2, label_width(role), 14.0)
