"""Where the nodes and roles of two semantic graphs stand: nodes over their words, roles in arcs above them.

An arc rises from its predicate, runs level above everything that it passes, and comes down on the argument. An arc to a
node with others above it passes beside those. Roles between neighbours in one stack are short upright lines.
"""

from __future__ import annotations

from collections.abc import Callable

from evaltools.drawing.graph_columns import Column, Extent, columns_of
from evaltools.drawing.graph_content import GraphContent, content_of
from evaltools.drawing.graph_labels import ROLE_SIZE, WORD_SIZE, label_width
from evaltools.drawing.graph_routes import Arc, End, label_place, rooms, set_heights, spread_ends
from evaltools.drawing.graph_shapes import DrawnRole, GraphLayout, PlacedPiece, PlacedPredicate, PlacedRole
from evaltools.drawing.graph_spacing import box_extents, place_columns, stack_boxes
from evaltools.drawing.measure import is_right_to_left, text_width
from evaltools.drawing.shapes import Box, Point
from evaltools.metrics.edm_alignment import GraphAlignment

__all__ = ["layout_graph"]

_MARGIN = 12.0
_WORDS = 26.0  # height of the row of words
_OVER_WORDS = 8.0


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
        self.arcs: list[Arc] = []
        for role in shown:
            first, second = self.at[role.source], self.at[role.target]
            if first != second:
                self.arcs.append(Arc(role, End(role.source, first), End(role.target, second)))
            elif self._beside(role) and not any(
                {role.source, role.target} == {one.source, one.target} for one in self.stems
            ):
                self.stems.append(role)
            else:
                self.loops.append(role)
        for column in self.columns:
            column.extents = box_extents(column)
        self._stem_room()
        spread_ends(self.columns, self.arcs)
        self.loop_lanes = self._loop_lanes()
        place_columns(self.columns, rooms(self.arcs), _MARGIN)
        set_heights(self.columns, self.arcs)

    def _beside(self, role: DrawnRole) -> bool:
        stack = [node.number for node in self.columns[self.at[role.source]].stack]
        return abs(stack.index(role.source) - stack.index(role.target)) == 1

    def _stem_room(self) -> None:
        """Keep room for the names of upright roles."""
        for role in self.stems:
            column = self.columns[self.at[role.source]]
            low, high = self._stem_heights(role)
            column.extents.append(Extent(low, high, -2.0, label_width(role) + 4, "name"))

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

    def _word(self, column: Column, moved: Callable[[Box], Box]) -> PlacedPiece:
        cell = column.cell
        assert cell is not None
        folded = cell.last > cell.first
        width = text_width(cell.text, WORD_SIZE) + (10.0 if folded else 2.0)
        box = moved(Box(column.x, -_OVER_WORDS - _WORDS / 2, width, _WORDS))
        return PlacedPiece(cell.first, cell.last, cell.text, cell.full, box, cell.opens)

    def _arc(self, arc: Arc) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        points: list[Point] = []
        for end in (arc.source, arc.target):
            x = self.columns[end.column].x
            way = [(x + end.x, end.foot), (x + end.x, arc.height)]
            if end.side is not None:
                way.insert(0, (x + end.side, end.foot))
            points += way if end is arc.source else reversed(way)
        return (
            arc.role,
            tuple(points),
            Box(label_place(arc, self.columns, self.arcs), arc.height, label_width(arc.role), 14.0),
        )

    def _stem(self, role: DrawnRole) -> tuple[DrawnRole, tuple[Point, ...], Box]:
        column = self.columns[self.at[role.source]]
        low, high = self._stem_heights(role)
        x = column.x
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
