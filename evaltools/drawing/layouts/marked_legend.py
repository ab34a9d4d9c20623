"""What a marked sentence needs to be understood without a page around it: a legend of its marks, and no empty edge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evaltools.drawing.layouts.marked_parts import badge, letters, mirrored
from evaltools.drawing.layouts.marked_setting import LETTERS, LineOfWords, Sizes
from evaltools.drawing.measure import is_right_to_left, text_width, visible
from evaltools.drawing.scene import Box, Group, Item, Line, Mark, Polygon, Rectangle, Ring, Scene, Text
from evaltools.marks import MarkedWord, Status

_MIN_TEXT = 460.0
"""Texts of a picture that is narrower are wrapped at this width."""

_SIZE = 11.0
_ROW = 19.0
_SIDE = 10.0
_BETWEEN = 16.0  # from the end of an entry to the next one
_LINE = 24.0  # length of the line of a bracket
_SIZES = Sizes()


def around_systems(
    systems: Scene,
    heading: Sequence[Item],
    legend: Iterable[tuple[str, str]],
    words: Iterable[MarkedWord],
    *,
    room: float,
    tight: bool,
) -> Scene:
    """Return the lines of words, mirrored where the script runs from right to left, between heading and legend.

    Parameters
    ----------
    systems : Scene
        The lines of words, below the room that the heading takes.
    heading : sequence of Item
        What stands above them.
    legend : iterable of (str, str)
        Statuses, and what their marks mean.
    words : iterable of MarkedWord
        The words of the sentence.
    room : float
        Width at which the legend is wrapped.
    tight : bool
        Whether the picture ends at the right where its contents do.
    """
    below, used = legend_below(legend, room, systems.height)
    if tight:
        reach = right_edge((*heading, *systems.items, *below)) + _SIDE
        systems = replace(systems, width=min(systems.width, reach))
    if is_right_to_left(word.form for word in words):
        systems = mirrored(systems)
    return replace(systems, height=systems.height + used, items=(*heading, *systems.items, *below))


def legend_below(entries: Iterable[tuple[str, str]], width: float, top: float) -> tuple[list[Item], float]:
    """Return marks and their meanings in as many rows as they need, and the height of these.

    Parameters
    ----------
    entries : iterable of (str, str)
        Statuses, or what else a mark is about, and what the marks mean.
    width, top : float
        Where the rows end and begin.
    """
    items: list[Item] = []
    x, y = _SIDE, top + _ROW / 2 + 8
    for status, text in entries:
        size, _ = _sample(status, 0.0, 0.0)
        length = size + 5 + text_width(visible(text), _SIZE)
        if x > _SIDE and x + length > width:
            x, y = _SIDE, y + _ROW
        items.append(_sample(status, x, y)[1])
        items.append(Text(text, x + size + 5, y, _SIZE, "soft plain", "start", is_name=True))
        x += length + _BETWEEN
    return items, y + _ROW / 2 - top if items else 0.0


def _sample(status: str, x: float, y: float) -> tuple[float, Group]:
    """Return the width of the mark of a status, and the mark, its left end at a point."""
    if status in (Status.MISSING, Status.SPURIOUS, Status.RELABELED):
        lines = [Line(((x + 11, y + shift), (x + 11 + _LINE, y + shift)), "stroke")
                 for shift in ((-1.2, 1.2) if status == "spurious" else (0.0,))]  # fmt: skip
        return 11 + _LINE, Group((Mark(status, x + 4, y, 0.8), *lines), "sample", status=status)
    if status in LETTERS:
        text = LETTERS[status]
        box = text_width(text, _SIZES.label) + 13
        line = Line(((x + box, y), (x + box + _LINE, y)), "stroke")
        return box + _LINE, Group((*letters(text, x, y, box, _SIZES), line), "sample", status=status)
    if status == "right":
        return _LINE, Group((Line(((x, y), (x + _LINE, y)), "stroke"),), "sample", status="right", more="thin")
    if status in ("moved", "boxed", "outlined"):
        role = "moved-outline" if status == "outlined" else "moved-box"
        own: list[Item] = [Rectangle(Box(x + 9, y, 18.0, 12.0), role, "", 4)]
        if status != "moved":
            return 18.0, Group(tuple(own), "sample", status="moved")
        own += [
            Line(((x + 26, y + 7), (x + 26, y - 7)), "arrow", arrow=7.0),
            Line(((x + 34, y - 4), (x + 42, y + 4)), "cross"),
            Line(((x + 34, y + 4), (x + 42, y - 4)), "cross"),
        ]
        return 42.0, Group(tuple(own), "sample", status="moved")
    if status in ("settled", "follows", "joined"):
        own = badge("1", x + _SIZES.badge, y, _SIZES, hollow=status == "follows")
        if status == "joined":
            own += badge("2", x + 3 * _SIZES.badge + 3, y, _SIZES, hollow=False)
        return (4 if status == "joined" else 2) * _SIZES.badge + 3, Group(tuple(own), "sample", status="right")
    if status == "gapped":
        ends = ((0.0, 10.0, "stroke"), (10.0, 24.0, "stroke gap"), (24.0, 34.0, "stroke"))
        own = [Line(((x + start, y), (x + end, y)), role) for start, end, role in ends]
        return 34.0, Group(tuple(own), "node sample", status="right", more="thin")
    if status == "shaded":
        own = [Rectangle(Box(x + 12, y + shift, 24.0, 3.0), "shade", "", 0, shade=0.3) for shift in (-6.0, 6.0)]
        return 24.0, Group(tuple(own), "sample")
    text = "VP, S"  # several brackets
    return text_width(text, _SIZE), Group((Text(text, x, y, _SIZE, "label thin", "start", is_name=True),), "sample")


def text_room(lines: Sequence[LineOfWords], width: float) -> float:
    """Return where texts above and below some lines of words are to be wrapped: at their end if that is far enough."""
    return min(width, max(_MIN_TEXT, *(line.rights[-1] + _SIDE for line in lines)) if lines else _MIN_TEXT)


def right_edge(items: Sequence[Item]) -> float:
    """Return how far the visible items of a picture reach to the right."""
    return max((_right(item) for item in items), default=0.0)


def _right(item: Item) -> float:
    if isinstance(item, Group):
        return right_edge(item.items) + (item.offset[0] if item.offset else 0.0)
    if isinstance(item, Rectangle):
        return item.box.right if item.role != "hit" else 0.0
    if isinstance(item, (Line, Polygon)):
        return max(x for x, _ in item.points)
    if isinstance(item, Ring):
        return item.x + item.radius
    if isinstance(item, Mark):
        return item.x + 4 * item.scale
    length = text_width(f"{item.lead} {item.text}" if item.lead else item.text, item.size)
    return item.x + {"start": length, "middle": length / 2}.get(item.anchor, 0.0)
