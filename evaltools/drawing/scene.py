"""Pictures before they are written in some language: scenes of coordinates, diagrams of nodes and edges, pages of text.

A layout makes these of an alignment, a tree or the like; a writer prints any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

__all__ = [
    "Box",
    "Diagram",
    "DiagramEdge",
    "DiagramNode",
    "Group",
    "Item",
    "Line",
    "Mark",
    "Point",
    "Polygon",
    "Rectangle",
    "Ring",
    "Row",
    "Scene",
    "Segment",
    "Table",
    "Text",
    "walk",
]

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle given by its centre and size, in pixels."""

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
        """Return whether two rectangles come closer than a margin."""
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
    status: str = "matched"
    radius: float = 0.0
    shade: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points.

    Parameters
    ----------
    points : tuple of Point
        Its corners.
    role, status, side : str
        What it is, what the comparison says of it, and whose it is.
    radius : float
        Of its rounded corners; 0 for square ones.
    elbow : bool
        Whether the first corner is square nevertheless.
    arrow : float
        Length of the arrow head at its end; 0 for none.
    halo : bool
        Whether it interrupts the lines it crosses.
    grip : bool
        Whether the viewer can point at it.
    data : mapping
        What the viewer knows of it.
    """

    points: tuple[Point, ...]
    role: str
    status: str = ""
    side: str = ""
    radius: float = 0.0
    elbow: bool = False
    arrow: float = 0.0
    halo: bool = False
    grip: bool = False
    data: Mapping[str, object] = field(default_factory=dict)


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
    """The mark of a status, which says the same as its color."""

    status: str
    x: float
    y: float
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """A text centered on a height.

    Parameters
    ----------
    text : str
        The text.
    x, y : float
        Its middle, or its start and the middle of its height.
    size : float
        Font size in pixels.
    role : str
        What it is.
    anchor : {"middle", "start"}
        What stands at `x`.
    is_name : bool
        Whether it runs from left to right whatever its script.
    is_struck : bool
        Whether it is struck through.
    shade : float or None
        The leaf-ancestor score whose color it stands on.
    """

    text: str
    x: float
    y: float
    size: float
    role: str
    anchor: str = "middle"
    is_name: bool = False
    is_struck: bool = False
    shade: float | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Items that belong together.

    Parameters
    ----------
    items : tuple of Item
        From back to front.
    role, side, status, more : str
        What it is, whose it is, what the comparison says of it, and what else is to be known of it.
    title : str or None
        What it is, for those who point at it or do not see it.
    data : mapping
        What the viewer knows of it: ids of nodes, words and folded parts.
    is_symbol : bool
        Whether the title is announced as the name of a picture's part.
    takes_focus : bool
        Whether the keyboard reaches it.
    offset : Point
        How far its items are moved.
    """

    items: tuple[Item, ...]
    role: str = ""
    side: str = ""
    status: str = ""
    more: str = ""
    title: str | None = None
    data: Mapping[str, object] = field(default_factory=dict)
    is_symbol: bool = False
    takes_focus: bool = False
    offset: Point | None = None


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
        What it shows.
    label : str
        What it is, for those who do not see it.
    middle : float or None
        Height of the words.
    style : str
        The kind whose style its marks and lines have, where that is another.
    """

    width: float
    height: float
    items: tuple[Item, ...]
    kind: str
    label: str
    middle: float | None = None
    style: str = ""


def walk(items: Sequence[Item]) -> Iterator[Item]:
    """Yield all items of a scene, a group before what is in it."""
    for item in items:
        yield item
        if isinstance(item, Group):
            yield from walk(item.items)


# ------------------------------------------------------------------------------------------------------------- diagrams


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """A node that a program places; it has a line for each text."""

    id: str
    lines: tuple[str, ...]
    role: str = ""
    status: str = "matched"


@dataclass(frozen=True, slots=True)
class DiagramEdge:
    """An edge from node to node."""

    source: str
    target: str
    role: str = "edge"
    status: str = "matched"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes and edges without coordinates.

    Parameters
    ----------
    kind : str
        What it shows; of a part, what that is called.
    nodes, edges : tuple
        Nodes and edges.
    row : tuple of str
        Nodes that stand beside one another, in this order.
    parts : tuple of Diagram
        Diagrams within it.
    """

    kind: str
    nodes: tuple[DiagramNode, ...] = ()
    edges: tuple[DiagramEdge, ...] = ()
    row: tuple[str, ...] = ()
    parts: tuple[Diagram, ...] = ()


# ----------------------------------------------------------------------------------------------------------------- text

Segment = tuple[str, str]
"""A text, and the status whose color it has (empty: none)."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: cells made of segments; a row with a status is colored as a whole."""

    cells: tuple[tuple[Segment, ...], ...]
    status: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows whose cells stand under one another, and lines between them."""

    rows: tuple[Row | str, ...]
    gap: str = "  "
