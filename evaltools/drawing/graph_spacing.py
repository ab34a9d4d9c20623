"""How near to one another the columns of a drawing of semantic graphs stand, and how high their boxes are stacked."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from evaltools.drawing.graph_columns import Column, Extent
from evaltools.drawing.graph_labels import WORD_SIZE, box_size
from evaltools.drawing.measure import text_width

__all__ = ["box_extents", "place_columns", "stack_boxes"]

_TIGHT, _LINKED = 7.0, 24.0  # between the boxes of a stack: without and with a role between them
_RAISED = 8.0  # of a column without a word, above its neighbours
_GAPS = {("box", "box"): 10.0, ("leg", "leg"): 8.0}
_GAP = 6.0


def stack_boxes(columns: Sequence[Column], linked: set[tuple[int, int]]) -> None:
    """Give the boxes of every column their heights.

    Parameters
    ----------
    columns : sequence of Column
        In order; those without a word are raised above their neighbours.
    linked : set of (int, int)
        Numbers of nodes with a role between them, both ways round.
    """
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
    """Return the rectangles of a column's boxes and word.

    Parameters
    ----------
    column : Column
        With its boxes stacked.
    """
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
    """Place the columns from left to right, as close as boxes, words and names of roles allow.

    Parameters
    ----------
    columns : sequence of Column
        In order, with all their extents.
    apart : dict
        For a column, by its place: columns before it, and how far from them it must stand.
    margin : float
        Free room on the left.
    """
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
