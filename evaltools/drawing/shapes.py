"""What a layout consists of: nodes, words, edges and links with their places."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.metrics.mapping import NodeStatus, WordMatch
from evaltools.treebank import Kind

__all__ = ["Box", "Edge", "Layout", "Link", "PlacedNode", "Point", "Tie", "WordCell", "triangle_box"]

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
        """Say whether two rectangles come closer than a margin."""
        return (
            self.left < other.right + margin
            and other.left < self.right + margin
            and self.top < other.bottom + margin
            and other.top < self.bottom + margin
        )


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A phrase or preterminal and where it stands.

    Parameters
    ----------
    side : {"gold", "test"}
        Which tree it belongs to.
    node : int
        Its number in that tree.
    status : NodeStatus
        What the mapping says of it.
    partner : int or None
        The node of the other tree it is mapped or moved to.
    parent : int or None
        Its parent in the tree.
    kind : Kind
        Phrase or preterminal.
    label : str
        The label as shown, without the mark.
    box : Box
        Place and size.
    level : int
        Rows away from the words.
    hidden : tuple of int
        Nodes folded into the triangle under this one; empty for other nodes.
    fold : int or None
        Gold node by which this node is folded and unfolded, None where it cannot be.
    triangle : tuple of Point
        Corners of the triangle, empty for other nodes.
    """

    side: str
    node: int
    status: NodeStatus
    partner: int | None
    parent: int | None
    kind: Kind
    label: str
    box: Box
    level: int
    hidden: tuple[int, ...] = ()
    fold: int | None = None
    triangle: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class WordCell:
    """A word (or the words of a triangle) in its column.

    Parameters
    ----------
    text : str
        What is shown.
    full : str
        All of it.
    box : Box
        Place and size.
    gold, test : int or None
        Word nodes of the two trees that this cell shows; None where it shows none of that tree.
    gold_status, test_status : NodeStatus or None
        Their statuses.
    gold_partner, test_partner : int or None
        Their partners in the other tree.
    position : int or None
        Place in the gold tree of the word, or of the one that a test word is compared with; None for several words.
    fold : int or None
        Gold node of the triangle these words belong to.
    hidden_gold, hidden_test : tuple of int
        Word nodes of a triangle's words.
    """

    text: str
    full: str
    box: Box
    gold: int | None = None
    test: int | None = None
    gold_status: NodeStatus | None = None
    test_status: NodeStatus | None = None
    gold_partner: int | None = None
    test_partner: int | None = None
    position: int | None = None
    fold: int | None = None
    hidden_gold: tuple[int, ...] = ()
    hidden_test: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """The elbow from a parent to one child."""

    side: str
    parent: int
    child: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """The line between a swapped pair, or from where a subtree was to where it went."""

    status: NodeStatus
    gold: int
    test: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """The line between two words that are aligned with each other.

    Parameters
    ----------
    how : WordMatch
        How they are aligned.
    gold, test : int
        The word nodes.
    characters : int
        How many characters they share in the alignment.
    points : tuple of Point
        The line, from the gold word down to the test word.
    """

    how: WordMatch
    gold: int
    test: int
    characters: int
    points: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything of a drawing with its place; the origin is at the upper left.

    Parameters
    ----------
    width, height : float
        Size in pixels.
    nodes, words, edges, links : tuple
        What is drawn.
    right_to_left : bool
        Whether the columns run from right to left.
    middle : float
        Height of the words (of the gap between them, where there are two rows).
    ties : tuple of Tie
        Lines between aligned words, where there are two rows.
    braces : tuple of (Point, Point)
        Lines along words that are joined to several words, over all of whose columns they stretch.
    """

    width: float
    height: float
    nodes: tuple[PlacedNode, ...]
    words: tuple[WordCell, ...]
    edges: tuple[Edge, ...]
    links: tuple[Link, ...]
    right_to_left: bool
    middle: float
    ties: tuple[Tie, ...] = ()
    braces: tuple[tuple[Point, Point], ...] = ()


def triangle_box(corners: tuple[Point, ...]) -> Box:
    """Return the smallest box around a triangle."""
    left, right = (side(x for x, _ in corners) for side in (min, max))
    top, bottom = (side(y for _, y in corners) for side in (min, max))
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
