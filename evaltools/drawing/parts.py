"""Parts of scenes that several layouts share: marked labels, outlines, legends, names and titles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.palette import MARKS
from evaltools.drawing.scene import Box, Group, Item, Line, Mark, Polygon, Rectangle, Scene, Text
from evaltools.marks import Status
from evaltools.text import excerpt

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


def _with_legend(scene: Scene, entries: Sequence[LegendEntry]) -> Scene:
    """Return a scene with a legend under it."""
    items, height = legend_rows(entries, scene.width, scene.height + 6)
    return replace(scene, height=scene.height + height, items=(*scene.items, *items))


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
    complete = replace(scene, width=width, height=bottom, items=(*texts, moved), middle=middle)
    return complete if legend is None else _with_legend(complete, legend)
