"""Where the nodes and roles of two semantic graphs stand: nodes over their words, roles in arcs above them.

An arc rises from its predicate, runs level above everything that it passes, and comes down on the argument. An arc to a
node with others above it passes beside those. Roles between neighbours in one stack are short upright lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

from evaltools.drawing.graph_columns import (
    ROLE_SIZE,
    Column,
    Extent,
    box_extents,
    columns_of,
    label_width,
    place_columns,
    stack_boxes,
)
from evaltools.drawing.graph_content import GraphContent, content_of
from evaltools.drawing.graph_shapes import DrawnRole, GraphLayout, PlacedPiece, PlacedPredicate, PlacedRole
from evaltools.drawing.measure import is_right_to_left, text_width
from evaltools.drawing.shapes import Box, Point
from evaltools.metrics.edm_alignment import GraphAlignment

__all__ = ["layout_graph"]

_MARGIN = 12.0
_STEP = 21.0  # from arc to arc
_FIRST = 20.0  # from a box to the first arc over it
_GRID = 7.0
_SLOT = 8.0  # between the ends of two arcs at one box
_LANE = 8.0  # between two arcs that pass a stack
_CORNER = 7.0
_WORDS = 26.0  # height of the row of words
_OVER_WORDS = 8.0


@dataclass(slots=True)
class _End:
    """Where an arc meets a box: across from the column's middle, and the height at which it turns or ends."""

    number: int
    column: int
    x: float = 0.0
    foot: float = 0.0
    side: float | None = None  # where it meets the box's side, across from the column's middle


@dataclass(slots=True)
class _Arc:
    """A role that runs above the boxes."""

    role: DrawnRole
    source: _End
    target: _End
    height: float = 0.0

    def interval(self, columns: Sequence[Column]) -> tuple[float, float]:
        """Return from where to where it runs level."""
        ends = [columns[end.column].x + end.x for end in (self.source, self.target)]
        return min(ends), max(ends)


def layout_graph(
    alignment: GraphAlignment,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str = "differing",
) -> GraphLayout:
    """Place the nodes and roles of two graphs.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.
    fold : bool, optional
        Leave out what is the same in both and beside no difference; by default in texts of more than 25 words.
    unfolded : frozenset of int
        First pieces of the folded parts of the text that are opened.
    properties : {"differing", "all", "none"}
        Which properties stand in the boxes.

    Returns
    -------
    GraphLayout
        Places in pixels.
    """
    return _Placer(content_of(alignment, fold, unfolded, properties)).layout()


class _Placer:
    """Turns columns into places on paper."""

    def __init__(self, content: GraphContent) -> None:
        self.content = content
        self.columns = columns_of(content)
        self.at = {node.number: place for place, column in enumerate(self.columns) for node in column.stack}
        shown = [role for role in content.roles if role.source in self.at and role.target in self.at]
        linked = {(role.source, role.target) for role in shown}
        linked |= {(target, source) for source, target in linked}
        stack_boxes(self.columns, linked)
        self.stems: list[DrawnRole] = []
        self.loops: list[DrawnRole] = []
        self.arcs: list[_Arc] = []
        for role in shown:
            first, second = self.at[role.source], self.at[role.target]
            if first != second:
                self.arcs.append(_Arc(role, _End(role.source, first), _End(role.target, second)))
            elif self._beside(role):
                self.stems.append(role)
            else:
                self.loops.append(role)
        for column in self.columns:
            column.extents = box_extents(column)
        self._spread()
        self._stem_room()
        self.loop_lanes = self._loop_lanes()
        place_columns(self.columns, self._apart(), _MARGIN)
        self._set_heights()

    def _beside(self, role: DrawnRole) -> bool:
        stack = [node.number for node in self.columns[self.at[role.source]].stack]
        return abs(stack.index(role.source) - stack.index(role.target)) == 1

    def _spread(self) -> None:
        """Give the arcs that meet at a box different places along it, longer ones nearer to its middle."""
        ends: dict[int, list[tuple[int, bool, _End]]] = defaultdict(list)
        for arc in self.arcs:
            reach = abs(arc.source.column - arc.target.column)
            for one, other in ((arc.source, arc.target), (arc.target, arc.source)):
                ends[one.number].append((reach, other.column < one.column, one))
        for column in self.columns:
            lanes = {True: 0.0, False: 0.0}
            for node in reversed(column.stack):
                met = ends.get(node.number, [])
                over = column.above(node.number)
                top, half = column.high[node.number], column.half[node.number]
                left = sorted((each for each in met if each[1]), key=lambda each: each[0])
                right = sorted((each for each in met if not each[1]), key=lambda each: -each[0])
                if not over:
                    step = min(_SLOT, (2 * half - 12) / max(len(met) - 1, 1))
                    for place, (_, _, end) in enumerate([*left, *right]):
                        end.x, end.foot = (place - (len(met) - 1) / 2) * step, top
                        column.extents.append(Extent(top, inf, end.x, end.x, "leg"))
                    continue
                middle = (column.low[node.number] + top) / 2
                for listed, is_left in ((reversed(left), True), (right, False)):
                    for place, (_, _, end) in enumerate(listed):
                        lanes[is_left] = x = max(lanes[is_left] + _LANE, over + 7.0)
                        sign = -1.0 if is_left else 1.0
                        end.x = sign * x
                        if x < half - 4:
                            end.foot = top
                        else:
                            end.side, end.foot = sign * half, middle + max(5.0 - 5.0 * place, -7.0)
                        column.extents.append(Extent(end.foot - 2, inf, end.x, end.x, "leg"))

    def _stem_room(self) -> None:
        """Keep room for the names of upright roles."""
        for role in self.stems:
            column = self.columns[self.at[role.source]]
            low, high = self._stem_heights(role)
            column.extents.append(Extent(low, high, -2.0, label_width(role) + 4, "box"))

    def _stem_heights(self, role: DrawnRole) -> tuple[float, float]:
        column = self.columns[self.at[role.source]]
        ends = sorted((role.source, role.target), key=lambda number: column.low[number])
        return column.high[ends[0]], column.low[ends[1]]

    def _loop_lanes(self) -> dict[int, float]:
        """Return how far from the middle the roles run that join distant nodes of one stack, on its right."""
        lanes: dict[int, float] = {}
        for role in self.loops:
            column = self.columns[self.at[role.source]]
            low = min(column.low[role.source], column.low[role.target])
            high = max(column.high[role.source], column.high[role.target])
            x = max((extent.right for extent in column.extents if extent.low < high and low < extent.high), default=0.0)
            lanes[role.number] = x + 6 + label_width(role) / 2
            column.extents.append(Extent(low, high, 0.0, x + 8 + label_width(role), "box"))
        return lanes

    def _apart(self) -> dict[int, list[tuple[int, float]]]:
        """Return how far columns must be apart for the names of the roles between them."""
        apart: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for arc in self.arcs:
            first, last = sorted((arc.source, arc.target), key=lambda end: end.column)
            need = label_width(arc.role) + 2 * _CORNER + first.x - last.x
            apart[last.column].append((first.column, need))
        return apart

    def _set_heights(self) -> None:
        """Put every arc above the boxes and the shorter arcs that it passes."""
        boxes = [
            (column.x - column.half[node.number] - 3, column.x + column.half[node.number] + 3, column.high[node.number])
            for column in self.columns
            for node in column.stack
        ]
        set_arcs: list[tuple[float, float, float]] = []

        def length(arc: _Arc) -> float:
            first, last = arc.interval(self.columns)
            return last - first

        for arc in sorted(self.arcs, key=length):
            first, last = arc.interval(self.columns)
            least = max((top for left, right, top in boxes if left < last and first < right), default=0.0)
            least = max(least, arc.source.foot, arc.target.foot) + _FIRST
            over = max((y for left, right, y in set_arcs if left < last + 3 and first - 3 < right), default=-inf)
            arc.height = max(ceil(least / _GRID) * _GRID, over + _STEP)
            set_arcs.append((first, last, arc.height))

    def layout(self) -> GraphLayout:
        """Place everything; where the text runs from right to left, mirrored."""
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
            PlacedPredicate(
                node,
                moved(
                    Box(
                        column.x,
                        (column.low[node.number] + column.high[node.number]) / 2,
                        2 * column.half[node.number],
                        column.high[node.number] - column.low[node.number],
                    )
                ),
            )
            for column in self.columns
            for node in column.stack
        )
        words = tuple(self._word(column, moved) for column in self.columns if column.cell is not None)
        low = _MARGIN + height + _OVER_WORDS + _WORDS
        return GraphLayout(
            width,
            low + _MARGIN / 2,
            content.pieces,
            words,
            nodes,
            roles,
            mirrored,
            low - _WORDS / 2,
            len(content.nodes) - len(content.shown),
        )

    def _word(self, column: Column, moved: object) -> PlacedPiece:
        cell = column.cell
        assert cell is not None
        folded = cell.last > cell.first
        width = text_width(cell.text, 14.0) + (10.0 if folded else 2.0)
        box = moved(Box(column.x, -_OVER_WORDS - _WORDS / 2, width, _WORDS))  # type: ignore[operator]
        return PlacedPiece(cell.first, cell.last, cell.text, cell.full, box, cell.opens)

    def _arc(self, arc: _Arc) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        points: list[Point] = []
        for end in (arc.source, arc.target):
            x = self.columns[end.column].x
            way = [(x + end.x, end.foot), (x + end.x, arc.height)]
            if end.side is not None:
                way.insert(0, (x + end.side, end.foot))
            points += way if end is arc.source else reversed(way)
        return arc.role, tuple(points), Box(self._label_x(arc), arc.height, label_width(arc.role), 14.0)

    def _label_x(self, arc: _Arc) -> float:
        """Find a place for the name along its arc where no higher arc comes down through it."""
        first, last = arc.interval(self.columns)
        middle, half = (first + last) / 2, label_width(arc.role) / 2
        legs = [
            x
            for other in self.arcs
            if other.height > arc.height
            for end in (other.source, other.target)
            if end.foot < arc.height and first < (x := self.columns[end.column].x + end.x) < last
        ]
        room = max((last - first) / 2 - _CORNER - half, 0.0)
        places = [middle + sign * step * room / 16 for step in range(17) for sign in (1, -1)]
        return next((x for x in places if all(abs(x - leg) > half + 1 for leg in legs)), middle)

    def _stem(self, role: DrawnRole) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        column = self.columns[self.at[role.source]]
        low, high = self._stem_heights(role)
        same = [one for one in self.stems if {one.source, one.target} == {role.source, role.target}]
        x = column.x + 34.0 * (same.index(role) - (len(same) - 1) / 2)
        points = [(x, low), (x, high)]
        if column.low[role.source] > column.low[role.target]:
            points.reverse()
        size = label_width(role)
        return role, tuple(points), Box(x + size / 2 + 2, (low + high) / 2, size, 14.0)

    def _loop(self, role: DrawnRole) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        column = self.columns[self.at[role.source]]
        x = column.x + self.loop_lanes[role.number]
        heights = [(column.low[one] + column.high[one]) / 2 for one in (role.source, role.target)]
        if role.source == role.target:
            heights = [heights[0] - 5, heights[1] + 5]
        points = (
            (column.x + column.half[role.source], heights[0]),
            (x, heights[0]),
            (x, heights[1]),
            (column.x + column.half[role.target], heights[1]),
        )
        return role, points, Box(x, sum(heights) / 2, label_width(role), 14.0)
