"""How the roles of two semantic graphs run: where arcs meet boxes, how high they are, where their names stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

from evaltools.drawing.graph_columns import Column, Extent
from evaltools.drawing.graph_labels import label_width
from evaltools.drawing.graph_shapes import DrawnRole

__all__ = ["Arc", "End", "label_place", "rooms", "set_heights", "spread_ends"]

_STEP = 21.0  # from arc to arc
_FIRST = 20.0  # from a box to the first arc over it
_GRID = 7.0
_SLOT = 8.0  # between the ends of two arcs at one box
_LANE = 8.0  # between two arcs that pass a stack
_CORNER = 7.0


@dataclass(slots=True)
class End:
    """Where an arc meets a box: across from the column's middle, and the height at which it turns or ends."""

    number: int
    column: int
    x: float = 0.0
    foot: float = 0.0
    side: float | None = None  # where it meets the box's side, across from the column's middle


@dataclass(slots=True)
class Arc:
    """A role that runs above the boxes."""

    role: DrawnRole
    source: End
    target: End
    height: float = 0.0

    def interval(self, columns: Sequence[Column]) -> tuple[float, float]:
        """Return from where to where it runs level."""
        ends = [columns[end.column].x + end.x for end in (self.source, self.target)]
        return min(ends), max(ends)


def spread_ends(columns: Sequence[Column], arcs: Sequence[Arc]) -> None:
    """Give the arcs that meet at a box different places along it, longer ones nearer to its middle.

    Those of a box that has others above it pass beside these, and meet it at its side.

    Parameters
    ----------
    columns : sequence of Column
        With their boxes stacked.
    arcs : sequence of Arc
        All of them.
    """
    ends: dict[int, list[tuple[int, bool, End]]] = defaultdict(list)
    for arc in arcs:
        reach = abs(arc.source.column - arc.target.column)
        for one, other in ((arc.source, arc.target), (arc.target, arc.source)):
            ends[one.number].append((reach, other.column < one.column, one))
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
                for place, (_, _, end) in enumerate([*left, *right]):
                    end.x, end.foot = (place - (len(met) - 1) / 2) * step, top
                    column.extents.append(Extent(top, inf, end.x, end.x, "leg"))
                continue
            middle = (column.low[node.number] + top) / 2
            names = max((one.right for one in column.extents if one.kind == "name" and one.low >= top), default=0.0)
            for listed, is_left in ((reversed(left), True), (right, False)):
                for place, (_, _, end) in enumerate(listed):
                    beside = over if is_left else max(over, names)
                    x = max(lanes[is_left] + _LANE, beside + 7.0)
                    sign = -1.0 if is_left else 1.0
                    if x < half - 4:
                        end.foot = top
                    else:  # not along the edge of the box itself
                        x = max(x, half + 5.0)
                        end.side, end.foot = sign * half, middle + max(5.0 - 5.0 * place, -7.0)
                    end.x = sign * x
                    lanes[is_left] = x
                    column.extents.append(Extent(end.foot - 2, inf, end.x, end.x, "leg"))


def rooms(arcs: Sequence[Arc]) -> dict[int, list[tuple[int, float]]]:
    """Return how far columns must be apart for the names of the roles between them.

    Parameters
    ----------
    arcs : sequence of Arc
        With the places of their ends.

    Returns
    -------
    dict
        For a column, by its place: columns before it, and how far from them it must stand.
    """
    apart: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for arc in arcs:
        first, last = sorted((arc.source, arc.target), key=lambda end: end.column)
        need = label_width(arc.role) + 2 * _CORNER + first.x - last.x
        apart[last.column].append((first.column, need))
    return apart


def set_heights(columns: Sequence[Column], arcs: Sequence[Arc]) -> None:
    """Put every arc above the boxes and the shorter arcs that it passes.

    Parameters
    ----------
    columns : sequence of Column
        In their places.
    arcs : sequence of Arc
        All of them.
    """
    boxes = [
        (column.x + extent.left - 3, column.x + extent.right + 3, extent.high)
        for column in columns
        for extent in column.extents
        if extent.kind in ("box", "name")
    ]
    set_arcs: list[tuple[float, float, float]] = []

    def length(arc: Arc) -> float:
        first, last = arc.interval(columns)
        return last - first

    for arc in sorted(arcs, key=length):
        first, last = arc.interval(columns)
        least = max((top for left, right, top in boxes if left < last and first < right), default=0.0)
        least = max(least, arc.source.foot, arc.target.foot) + _FIRST
        over = max((y for left, right, y in set_arcs if left < last + 3 and first - 3 < right), default=-inf)
        arc.height = max(ceil(least / _GRID) * _GRID, over + _STEP)
        set_arcs.append((first, last, arc.height))


def label_place(arc: Arc, columns: Sequence[Column], arcs: Sequence[Arc]) -> float:
    """Find a place for the name along its arc where no higher arc comes down through it.

    Parameters
    ----------
    arc : Arc
        The role.
    columns : sequence of Column
        In their places.
    arcs : sequence of Arc
        All of them, with their heights.
    """
    first, last = arc.interval(columns)
    middle, half = (first + last) / 2, label_width(arc.role) / 2
    legs = [
        x
        for other in arcs
        if other.height > arc.height
        for end in (other.source, other.target)
        if end.foot < arc.height and first < (x := columns[end.column].x + end.x) < last
    ]
    room = max((last - first) / 2 - _CORNER - half, 0.0)
    places = [middle + sign * step * room / 16 for step in range(17) for sign in (1, -1)]
    return next((x for x in places if all(abs(x - leg) > half + 1 for leg in legs)), middle)
