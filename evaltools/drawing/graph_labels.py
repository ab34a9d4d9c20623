"""How large the texts of a drawing of semantic graphs are, and how they are put together from marked parts."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.drawing.graph_shapes import DrawnNode, DrawnRole
from evaltools.drawing.measure import text_width

__all__ = [
    "LEADING",
    "LINE_SIZES",
    "MARK_ROOM",
    "PART",
    "ROLE_SIZE",
    "WORD_SIZE",
    "box_size",
    "label_width",
    "parts_of",
    "parts_width",
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

    Parameters
    ----------
    status : str
        Name of a status of the palette.
    text, other : str
        What the gold graph says, and what the test graph says if that is something else.
    before : str
        The name of a property.

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
