"""What a drawing of arcs consists of, and the colour, line and marks of an arc."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.drawing.arcs_columns import Column
from evaltools.drawing.shapes import Box, Point
from evaltools.metrics.dependency_mapping import ArcStatus

__all__ = ["ARC_LEGEND", "ArcLayout", "PlacedArc", "PlacedColumn", "kind_of", "marks_of"]

ARC_LEGEND: dict[str, str] = {
    "matched": "right",
    "deleted": "head missed, only above",
    "inserted": "wrong head, only below",
    "swapped": "other relation",
}
"""What the marks of arcs are called under a picture, by the status of the palette they borrow."""


@dataclass(frozen=True, slots=True)
class PlacedColumn:
    """A word, or the words of a folded part, and where they stand.

    Parameters
    ----------
    column : Column
        What stands there.
    box : Box
        Place and size of the words of both trees together.
    gold_box, test_box : Box or None
        Place of each tree's row; the same where the words are equal, None where the tree has no word here.
    """

    column: Column
    box: Box
    gold_box: Box | None
    test_box: Box | None


@dataclass(frozen=True, slots=True)
class PlacedArc:
    """The arc from a word to its head.

    Parameters
    ----------
    side : {"gold", "test"}
        Which tree it belongs to.
    word : int
        The dependent's position in that tree.
    head : int or None
        The head's position; None for a root.
    partner : int or None
        The dependent's partner in the other tree.
    status : ArcStatus
        What the comparison says of it.
    label : str
        The relation as shown.
    level : int
        1 is next to the words.
    points : tuple of Point
        From the head to the dependent, where the arrow points; for a root from above.
    box : Box
        Where the relation stands, its marks included.
    """

    side: str
    word: int
    head: int | None
    partner: int | None
    status: ArcStatus
    label: str
    level: int
    points: tuple[Point, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class ArcLayout:
    """Everything of a drawing with its place; the origin is at the upper left.

    Parameters
    ----------
    width, height : float
        Size in pixels.
    columns : tuple of PlacedColumn
        The words.
    arcs : tuple of PlacedArc
        The arcs of both trees, those of higher levels first.
    right_to_left : bool
        Whether the columns run from right to left.
    middle : float
        Height of the words.
    """

    width: float
    height: float
    columns: tuple[PlacedColumn, ...]
    arcs: tuple[PlacedArc, ...]
    right_to_left: bool
    middle: float


def marks_of(side: str, status: ArcStatus) -> tuple[str, ...]:
    """Return the marks of an arc, as names of statuses in the palette.

    Examples
    --------
    >>> marks_of("gold", ArcStatus.BOTH_WRONG), marks_of("test", ArcStatus.WRONG_HEAD)
    (('deleted', 'swapped'), ('inserted',))
    """
    alone = "deleted" if side == "gold" else "inserted"
    return {
        ArcStatus.WRONG_HEAD: (alone,),
        ArcStatus.UNALIGNED: (alone,),
        ArcStatus.BOTH_WRONG: (alone, "swapped"),
        ArcStatus.WRONG_LABEL: ("swapped",),
    }.get(status, ())


def kind_of(side: str, status: ArcStatus) -> str:
    """Return the status of the palette whose colour and line an arc has.

    Examples
    --------
    >>> kind_of("gold", ArcStatus.BOTH_WRONG), kind_of("test", ArcStatus.RIGHT)
    ('deleted', 'matched')
    """
    if status is ArcStatus.LEFT_OUT:
        return "left_out"
    marks = marks_of(side, status)
    return marks[0] if marks else "matched"
