"""Pictures independent of the output language: scenes of coordinates, and pages of text.

Layouts return them for alignments, trees and other results; writers print any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle given by its center and size, in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """Left side."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Right side."""
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        """Upper side."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """Lower side."""
        return self.y + self.height / 2

    def overlaps(self, other: Box, margin: float = 0.0) -> bool:
        """Return whether two rectangles are closer than a margin."""
        return (
            self.left < other.right + margin
            and other.left < self.right + margin
            and self.top < other.bottom + margin
            and other.top < self.bottom + margin
        )


# --------------------------------------------------------------------------------------------------------------- scenes


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle to draw; `shade` is a leaf-ancestor score whose color fills it, NaN for a word without a score."""

    box: Box
    role: str = ""
    status: str = "right"
    radius: float = 0.0
    shade: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[Point, ...]
    role: str  # Its kind, such as ``edge``
    status: str = ""
    side: str = ""  # The tree it belongs to
    radius: float = 0.0  # Of its corners, 0 for square ones
    elbow: bool = False  # Whether the first corner is square nevertheless
    arrow: float = 0.0  # Length of the arrow head at its end, 0 for none
    halo: bool = False  # Whether it interrupts the lines it crosses
    grip: bool = False  # Whether the viewer reacts to the pointer near it
    data: Mapping[str, object] = field(default_factory=dict)  # Ids for the viewer


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled area: the triangle of a folded part, or the handle that folds it again."""

    points: tuple[Point, ...]
    role: str


@dataclass(frozen=True, slots=True)
class Ring:
    """A small circle on a line."""

    x: float
    y: float
    radius: float
    role: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of a status, with the same meaning as its color."""

    status: str
    x: float
    y: float
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """A text centered on a height."""

    text: str
    x: float  # Its middle or, by `anchor`, its start
    y: float  # The middle of its height
    size: float  # Font size in pixels
    role: str  # Its kind, such as ``label``
    anchor: str = "middle"  # The part of the text at `x`: ``middle`` or ``start``
    is_name: bool = False  # Whether it runs from left to right in every script
    is_struck: bool = False  # Whether it is struck through
    shade: float | None = None  # The leaf-ancestor score whose color is behind it
    lead: str = ""  # Its first words, which are bold; `text` follows after a space


@dataclass(frozen=True, slots=True)
class Group:
    """Items that belong together."""

    items: tuple[Item, ...]  # From back to front
    role: str = ""  # Its kind, such as ``node``
    side: str = ""  # The tree it belongs to
    status: str = ""
    more: str = ""  # Further classes
    title: str | None = None  # Tooltip and text alternative
    data: Mapping[str, object] = field(default_factory=dict)  # Ids of nodes, words and folded parts, for the viewer
    is_symbol: bool = False  # Whether screen readers announce the title as a part of the picture
    takes_focus: bool = False  # Whether it can be focused
    offset: Point | None = None  # By which its items are moved


Item = Rectangle | Line | Polygon | Ring | Mark | Text | Group


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture; the origin is at the upper left, lengths are in pixels.

    Parameters
    ----------
    width, height : float
        Its size.
    items : tuple of Item
        From back to front.
    kind : str
        Its kind, such as ``alignment``; writers choose the style by it.
    label : str
        Text alternative.
    middle : float or None
        Height of the words.
    style : str
        The kind whose style it has, if that is another.
    """

    width: float
    height: float
    items: tuple[Item, ...]
    kind: str
    label: str
    middle: float | None = None
    style: str = ""


def walk(items: Sequence[Item]) -> Iterator[Item]:
    """Yield all items of a scene, a group before its items."""
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from walk(item.items)


# ----------------------------------------------------------------------------------------------------------------- text

Segment = tuple[str, str]
"""A text and the status whose color it has, empty for none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: cells made of segments; a row with a status is colored as a whole."""

    cells: tuple[tuple[Segment, ...], ...]
    status: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with aligned cells, and lines between them."""

    rows: tuple[Row | str, ...]
    gap: str = "  "


# ----------------------------------------------------------------------------------------------------------------- data


def records(items: Iterable[object], names: str, **attributes: str) -> list[dict[str, Any]]:
    """Return attributes of items as plain data, by their names; `attributes`: those that are called otherwise.

    Examples
    --------
    >>> records([Box(1, 2, 3, 4)], "x middle", middle="y")
    [{'x': 1, 'middle': 2}]
    """
    return [{name: getattr(item, attributes.get(name, name)) for name in names.split()} for item in items]
