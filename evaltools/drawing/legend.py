"""What the marks and lines of a drawing mean."""

from __future__ import annotations

from collections.abc import Collection

from evaltools.drawing.markup import document, element, mark_element, text_element
from evaltools.drawing.measure import text_width
from evaltools.drawing.palette import LEGEND, TIES
from evaltools.drawing.pieces import outline, tie_line
from evaltools.drawing.shapes import Box
from evaltools.metrics.mapping import NodeStatus, WordMatch

__all__ = ["legend_rows", "legend_svg"]

_SIZE = 11.0


def legend_svg(
    theme: str = "light", statuses: Collection[NodeStatus] = tuple(LEGEND), ties: Collection[WordMatch] = ()
) -> str:
    """Draw the marks and what they mean, in one row.

    Parameters
    ----------
    theme : {"light", "dark", "auto"}
        Colours.
    statuses : collection of NodeStatus
        Which marks to explain.
    ties : collection of WordMatch
        Which lines between words to explain.

    Returns
    -------
    str
        An SVG document.
    """
    said = [*(LEGEND[status] for status in statuses), *(TIES[how] for how in ties)]
    width = 24 + sum(text_width(text, _SIZE) + 50 for text in said)
    rows, height = legend_rows(statuses, ties, width, 4.0)
    return document(width, height, rows, theme=theme, label=f"legend: {', '.join(said)}", class_="legend")


def legend_rows(
    statuses: Collection[NodeStatus], ties: Collection[WordMatch], width: float, y: float
) -> tuple[list[str], float]:
    """Return the entries of the legend, in as many rows as they need, and their height.

    Parameters
    ----------
    statuses : collection of NodeStatus
        Which marks to explain.
    ties : collection of WordMatch
        Which lines between words to explain.
    width : float
        Room for a row, in pixels.
    y : float
        Where the first row begins.
    """
    x, rows, drawn = 12.0, 0, []
    entries: list[NodeStatus | WordMatch] = [status for status in LEGEND if status in statuses]
    entries += [how for how in TIES if how in ties]
    for entry in entries:
        said = LEGEND[entry] if isinstance(entry, NodeStatus) else TIES[entry]
        size = text_width(said, _SIZE) + 40
        if x + size > width and x > 12:
            x, rows = 12.0, rows + 1
        centre = Box(x + 13, y + rows * 20 + 6, 24, 15)
        drawn.append(_sample(entry, centre))
        drawn.append(text_element(said, x + 31, centre.y, _SIZE, "soft plain", anchor="start"))
        x += size + 10
    return drawn, (rows + 1) * 20.0 + 6 if entries else 0.0


def _sample(entry: NodeStatus | WordMatch, place: Box) -> str:
    if isinstance(entry, WordMatch):
        return element("g", *tie_line(entry, place.x, place.top - 1, place.bottom + 1), class_="tie", data_how=entry)
    mark = mark_element(entry, place.x, place.y) or text_element("X", place.x, place.y, _SIZE, "soft")
    return element("g", *outline(place, entry), mark, class_=f"key {entry}")
