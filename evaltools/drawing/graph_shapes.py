"""What a drawing of two semantic graphs consists of."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.drawing.graph_pieces import Piece
from evaltools.drawing.shapes import Box, Point

__all__ = [
    "GRAPH_LEGEND",
    "DrawnNode",
    "DrawnRole",
    "GraphLayout",
    "Line",
    "PlacedPiece",
    "PlacedPredicate",
    "PlacedRole",
]

GRAPH_LEGEND: dict[str, str] = {
    "matched": "in both",
    "deleted": "only in {gold}",
    "inserted": "only in {test}",
    "swapped": "in both, other name or span",
}
"""What the marks are called under a picture, by the status of the palette they borrow."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text in the box of a node.

    Parameters
    ----------
    text : str
        What it says.
    status : str
        Name of a status of the palette: ``matched``, ``deleted``, ``inserted`` or ``swapped``.
    kind : {"predicate", "constant", "property", "span", "top"}
        What it is about.
    before : str
        The name of a property.
    other : str
        What the test graph says, where it says something else than `text`.
    """

    text: str
    status: str
    kind: str
    before: str = ""
    other: str = ""

    @property
    def says(self) -> str:
        """The whole line."""
        return f"{self.before}{self.text}{f' ≠ {self.other}' if self.other else ''}"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of both graphs, or of one.

    Parameters
    ----------
    number : int
        Its place in the list of what is drawn.
    gold, test : int or None
        The nodes of the two graphs.
    status : str
        Name of a status of the palette.
    lines : tuple of Line
        What stands in its box.
    first, last : int or None
        The first and the last piece of the text that it stands for; None where it has no characters.
    surface : bool
        Whether a word of the text brings it in, and not the grammar.
    quantifier : bool
        Whether it binds another node.
    differs : bool
        Whether the graphs differ in it.
    spans : str
        Its characters, for people.
    """

    number: int
    gold: int | None
    test: int | None
    status: str
    lines: tuple[Line, ...]
    first: int | None
    last: int | None
    surface: bool
    quantifier: bool
    differs: bool
    spans: str

    @property
    def name(self) -> str:
        """The predicate, or both."""
        return " ≠ ".join(line.says for line in self.lines if line.kind == "predicate")


@dataclass(frozen=True, slots=True)
class DrawnRole:
    """A role of both graphs, or of one; or two roles between the same nodes, one of each graph.

    Parameters
    ----------
    number : int
        Its place in that list, after the nodes.
    source, target : int
        Numbers of drawn nodes.
    label : str
        The role.
    status : str
        Name of a status of the palette.
    other : str
        What the test graph calls it, where it calls it otherwise.
    """

    number: int
    source: int
    target: int
    label: str
    status: str
    other: str = ""

    @property
    def says(self) -> str:
        """The role, or both."""
        return f"{self.label} ≠ {self.other}" if self.other else self.label


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """Words of the text and where they stand.

    Parameters
    ----------
    first, last : int
        Which pieces: one, or several that are folded into one place.
    text, full : str
        What is shown, and all of it.
    box : Box
        Place and size.
    opens : bool
        Whether it was a folded part that has been opened, and can be folded again.
    """

    first: int
    last: int
    text: str
    full: str
    box: Box
    opens: bool = False

    @property
    def folded(self) -> bool:
        """Whether several pieces are folded into it."""
        return self.last > self.first


@dataclass(frozen=True, slots=True)
class PlacedPredicate:
    """A node and where its box stands."""

    node: DrawnNode
    box: Box


@dataclass(frozen=True, slots=True)
class PlacedRole:
    """A role and where its line runs.

    Parameters
    ----------
    role : DrawnRole
        What is drawn.
    points : tuple of Point
        From the predicate to its argument, where the arrow points.
    box : Box
        Where its name stands, marks included.
    """

    role: DrawnRole
    points: tuple[Point, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """Everything of a drawing with its place; the origin is at the upper left.

    Parameters
    ----------
    width, height : float
        Size in pixels.
    pieces : tuple of Piece
        All words of the text.
    words, nodes, roles : tuple
        What is drawn.
    right_to_left : bool
        Whether the text runs from right to left.
    middle : float
        Height of the words.
    hidden : int
        How many nodes are not shown, being the same in both graphs and beside no difference.
    """

    width: float
    height: float
    pieces: tuple[Piece, ...]
    words: tuple[PlacedPiece, ...]
    nodes: tuple[PlacedPredicate, ...]
    roles: tuple[PlacedRole, ...]
    right_to_left: bool
    middle: float
    hidden: int
