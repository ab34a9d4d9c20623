"""Where nodes over words stand when they are drawn as bars: one for each node, its functions above it.

A bar stands over the words of its node, so that nodes that are discontinuous, which no tree over a line of words can
show, are drawn as they are: whole over their words, dotted over the gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from evaltools.drawing.measure import is_right_to_left, shorten, text_width, visible
from evaltools.drawing.shapes import Box, Point
from evaltools.metrics.mapping import NodeStatus

__all__ = ["LABEL_SIZE", "WORD_SIZE", "BarLayout", "Chip", "FunctionBar", "layout_bars"]

WORD_SIZE, LABEL_SIZE = 13.0, 11.5
_LEVEL, _GAP, _EDGE = 34.0, 10.0, 8.0
_LONGEST = 24
_MARKS = {NodeStatus.DELETED: "< ", NodeStatus.INSERTED: "> "}


@dataclass(frozen=True, slots=True)
class FunctionBar:
    """A node as it is drawn.

    Parameters
    ----------
    words : frozenset of int
        Its words.
    functions : tuple of (str, NodeStatus, bool)
        Its functions, what becomes of each, and whether that is no error; without one the node is drawn with ∅.
    status : NodeStatus
        What becomes of the node itself, where it has no function.
    discarded : bool
        Whether that is no error.
    """

    words: frozenset[int]
    functions: tuple[tuple[str, NodeStatus, bool], ...] = ()
    status: NodeStatus = NodeStatus.MATCHED
    discarded: bool = False


@dataclass(frozen=True, slots=True)
class Chip:
    """A function, or ∅ where a node has none, with its place.

    Parameters
    ----------
    text : str
        What is shown, with the mark of its status.
    status : NodeStatus
        What becomes of it.
    discarded : bool
        Whether that is no error.
    is_empty : bool
        Whether the node has no function.
    box : Box
        Its place.
    """

    text: str
    status: NodeStatus
    discarded: bool
    is_empty: bool
    box: Box


@dataclass(frozen=True, slots=True)
class BarLayout:
    """Bars over words with their places, from the upper left corner, in pixels.

    Parameters
    ----------
    width, height : float
        Of the picture.
    words : tuple of (str, Point)
        The words, and the middle of each.
    spans : tuple of tuple of Point
        The bars, with their ends bent to the words.
    gaps : tuple of (Point, Point)
        Lines over words that belong to no bar but stand between its parts.
    chips : tuple of tuple of Chip
        The functions, those of a node together.
    """

    width: float
    height: float
    words: tuple[tuple[str, Point], ...]
    spans: tuple[tuple[Point, ...], ...]
    gaps: tuple[tuple[Point, Point], ...]
    chips: tuple[tuple[Chip, ...], ...]


@dataclass
class _Placed:
    bar: FunctionBar
    first: int
    last: int
    level: int
    chips: list[tuple[str, NodeStatus, bool, float]] = field(default_factory=list)

    @property
    def width(self) -> float:
        return sum(chip[3] for chip in self.chips) + 4.0 * (len(self.chips) - 1)


def layout_bars(words: Sequence[str], bars: Sequence[FunctionBar], below: Sequence[FunctionBar] = ()) -> BarLayout:
    """Find a place for nodes over words.

    Parameters
    ----------
    words : sequence of str
        The words.
    bars : sequence of FunctionBar
        The nodes.
    below : sequence of FunctionBar
        Nodes of another tree over the same words, which hang below them, mirrored.
    """
    above, under = _placed(bars), _placed(below)
    forms = [shorten(visible(word), _LONGEST) for word in words]
    edges = _columns([text_width(form, WORD_SIZE) + _GAP for form in forms], [*above, *under])
    top = _EDGE + _LEVEL * (max((one.level for one in above), default=0) + 1)
    levels = max((one.level for one in under), default=-1) + 1
    height, width = top + 30.0 + (_LEVEL * levels - 4.0 + _EDGE if levels else 0.0), edges[-1] + _EDGE
    mirrored = is_right_to_left(words)

    def across(x: float) -> float:
        return width - x if mirrored else x

    spans: list[tuple[Point, ...]] = []
    gaps: list[tuple[Point, Point]] = []
    chips: list[tuple[Chip, ...]] = []
    for one, side in [*((one, 1) for one in above), *((one, -1) for one in under)]:
        y = top - _LEVEL * one.level - 6.0 if side > 0 else top + 30.0 + _LEVEL * one.level
        _lines(one.bar.words, edges, y, side * 5.0, across, spans, gaps)
        middle = across((edges[one.first] + edges[one.last + 1]) / 2)
        chips.append(_chips(one, middle, y - side * 12.0))
    middles = ((edges[place] + edges[place + 1]) / 2 for place in range(len(forms)))
    placed = tuple((form, (across(x), top + 12.0)) for form, x in zip(forms, middles, strict=True))
    return BarLayout(width, height, placed, tuple(spans), tuple(gaps), tuple(chips))


def _placed(bars: Sequence[FunctionBar]) -> list[_Placed]:
    """Give every bar the lowest level on which it stands above all that it covers."""
    placed: list[_Placed] = []
    for bar in sorted(bars, key=lambda one: (max(one.words) - min(one.words), len(one.words), sorted(one.words))):
        first, last = min(bar.words), max(bar.words)
        below = [one.level for one in placed if one.first <= last and first <= one.last]
        names = bar.functions or (("∅", bar.status, bar.discarded),)
        chips = []
        for name, status, discarded in names:
            text = ("" if discarded else _MARKS.get(status, "")) + shorten(visible(name), _LONGEST)
            chips.append((text, status, discarded, text_width(text, LABEL_SIZE) + 10.0))
        placed.append(_Placed(bar, first, last, max(below, default=-1) + 1, chips))
    return placed


def _columns(least: list[float], placed: Sequence[_Placed]) -> list[float]:
    """Return the edges of the words' columns, wide enough for the functions above them."""
    widths = list(least)
    for one in sorted(placed, key=lambda one: one.last - one.first):
        have = sum(widths[one.first : one.last + 1])
        if have < one.width + 6.0:
            share = (one.width + 6.0 - have) / (one.last - one.first + 1)
            for place in range(one.first, one.last + 1):
                widths[place] += share
    edges = [_EDGE]
    for width in widths:
        edges.append(edges[-1] + width)
    return edges


def _lines(
    words: frozenset[int],
    edges: list[float],
    y: float,
    tick: float,
    across: Callable[[float], float],
    spans: list[tuple[Point, ...]],
    gaps: list[tuple[Point, Point]],
) -> None:
    """Add the bars and gaps of a node."""
    pieces: list[list[int]] = []
    for word in sorted(words):
        if pieces and pieces[-1][1] == word:
            pieces[-1][1] = word + 1
        else:
            pieces.append([word, word + 1])
    for start, end in pieces:
        left, right = across(edges[start] + 2.5), across(edges[end] - 2.5)
        spans.append(((left, y + tick), (left, y), (right, y), (right, y + tick)))
    for before, after in pairwise(pieces):
        gaps.append(((across(edges[before[1]] - 2.5), y), (across(edges[after[0]] + 2.5), y)))


def _chips(one: _Placed, middle: float, y: float) -> tuple[Chip, ...]:
    x, chips = middle - one.width / 2, []
    for text, status, discarded, width in one.chips:
        chips.append(Chip(text, status, discarded, not one.bar.functions, Box(x + width / 2, y, width, 17.0)))
        x += width + 4.0
    return tuple(chips)
