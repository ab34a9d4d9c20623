"""Pictures independent of the output language: scenes of coordinates, and pages of text.

Layouts return them for alignments, trees and other results; writers print any of them. Marked labels, outlines,
legends, names and titles are the same in all pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.palette import MARKS
from evaltools.marks import Status
from evaltools.text import excerpt

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


# ------------------------------------------------------------------------------------------- shared by several pictures

MARK_WIDTH = 12.0
"""Width of the mark before a label, in pixels."""

_CAPTION = 16.0
_LEGEND_SIZE = 11.0
_MAX_NAME_LENGTH = 24  # Characters of a name in a legend


def marked(text: str, box: Box, size: float, role: str, status: Status) -> list[Item]:
    """Return a text with the mark of its status before it, centered together."""
    if status is Status.RIGHT:
        return [Text(text, box.x, box.y, size, role)]
    return [
        Mark(status, box.x - text_width(text, size) / 2 - 1.5, box.y),
        Text(text, box.x + MARK_WIDTH / 2, box.y, size, role),
    ]


def signed(parts: Sequence[tuple[Status | None, str]]) -> str:
    """Return parts of a text with their marks as signs."""
    return " ".join(f"{MARKS[mark]} {text}".strip() for mark, text in parts)


def outline(box: Box, status: str) -> Rectangle:
    """Return the outline of a label."""
    return Rectangle(box, "box", status, 4)


def hit(box: Box, radius: float = 4) -> Rectangle:
    """Return the invisible rectangle that takes the pointer."""
    return Rectangle(box, "hit", "", radius)


def handle(x: float, y: float, tip: float) -> Polygon:
    """Return the small triangle that folds a part again in the viewer."""
    return Polygon(((x, y - tip), (x + 4, y + tip), (x - 4, y + tip)), "handle")


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A mark or line and its meaning."""

    text: str
    sample: Group  # The mark or line, to the right of the origin
    start: float  # From there to the text
    room: float  # Width without the text


def legend_names(gold_name: str, parse_name: str) -> dict[str, str]:
    """Return the names of two trees as they are written in a legend."""
    names = {"gold": gold_name, "test": parse_name}
    return {side: excerpt(visible(name), _MAX_NAME_LENGTH) for side, name in names.items()}


def line_sample(x: float, length: float, kind: str) -> Line:
    """Return the line of a status, for a legend."""
    return Line(((x, 0.0), (x + length, 0.0)), "edge", kind)


def legend_rows(entries: Sequence[LegendEntry], width: float, y: float) -> tuple[list[Item], float]:
    """Return the entries of a legend, in as many rows as they need, and their height."""
    items: list[Item] = []
    x, rows = 12.0, 0
    for entry in entries:
        size = text_width(entry.text, _LEGEND_SIZE) + entry.room
        if x + size > width and x > 12:
            x, rows = 12.0, rows + 1
        middle = y + rows * 20 + 6
        items.append(replace(entry.sample, offset=(x, middle)))
        items.append(
            Text(visible(entry.text), x + entry.start, middle, _LEGEND_SIZE, "soft plain", "start", is_name=True)
        )
        x += size + 10
    return items, (rows + 1) * 20.0 + 6 if items else 0.0


def legend_scene(entries: Sequence[LegendEntry], label: str, style: str = "") -> Scene:
    """Return marks and lines and their meanings in one row."""
    width = 24 + sum(text_width(entry.text, _LEGEND_SIZE) + entry.room + 10 for entry in entries)
    items, height = legend_rows(entries, width, 4.0)
    return Scene(width, height, tuple(items), "legend", label, style=style)


def framed(
    scene: Scene,
    *,
    title: str | None = None,
    above: str | None = None,
    below: str | None = None,
    legend: Sequence[LegendEntry] | None = None,
    min_width: float = 0.0,
) -> Scene:
    """Return a scene with a title, the names of its upper and its lower part, and a legend."""
    texts: list[Item] = []
    top = 0.0
    if title:
        texts.append(Text(title, 12.0, 16.0, 14.0, "heading", "start"))
        top = 26.0
    if above is not None:
        top += _CAPTION
        texts.append(Text(above, 12.0, top - 5, 11.0, "soft", "start"))
    bottom = top + scene.height
    if below is not None:
        texts.append(Text(below, 12.0, bottom + 4, 11.0, "soft", "start"))
        bottom += _CAPTION
    names = (title, above, below)
    width = max(scene.width, 24 + max(text_width(text or "", 14.0) for text in names) if any(names) else 0.0)
    if legend is not None:
        width = max(width, min_width)
    moved = Group(scene.items, offset=((width - scene.width) / 2, top))
    middle = None if scene.middle is None else top + scene.middle
    entries, height = legend_rows(legend or (), width, bottom + 6)
    return replace(scene, width=width, height=bottom + height, items=(*texts, moved, *entries), middle=middle)
