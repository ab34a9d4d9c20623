"""The arrows of a marked sentence: from a phrase that moves up to where it belongs, and down to the cross where it is.

They cover no label, number, tag or word. A straight line is best; else one with a bend; where there is no way at all, a
short arrow or the cross alone stands at the bracket, with the number of the repair.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from evaltools.drawing.layouts.marked_parts import badge
from evaltools.drawing.layouts.marked_setting import MAX_ARROWS, LineOfWords, Piece, Setting, Sizes
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.scene import Group, Item, Line, Mark, Point, Ring, Text, walk
from evaltools.marks import BracketRepair

_Extent = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_SIDE = 3.6  # Room beside an arrow, so that its head has room, too
_CROSS = 5.0  # Half the size of a cross, with the room around it
_STEP = 3.0  # Between the places that are tried
_APART = 9.0  # Between parallel arrows, if possible
_MAX_FEET = 24  # Places at which a line with a bend may begin


def arrows(
    setting: Setting,
    line: LineOfWords,
    boxes: Sequence[tuple[BracketRepair, int, int]],
    drawn: Sequence[tuple[Piece, str, float]],
    items: Sequence[Item],
    band_top: float,
) -> Iterator[Item]:
    """Yield, for each phrase that moves, the arrow up to where it belongs, and the cross where it is.

    Parameters
    ----------
    setting, line
        Where the words are, and the line of words.
    boxes
        The repairs of the phrases that move, each with its first word and the word after its last one.
    drawn
        The brackets of the line with their sides and heights.
    items
        What is drawn already.
    band_top
        Upper edge of the words.
    """
    sizes = setting.sizes
    edges = {"gold": band_top, "test": band_top + sizes.band}
    space = _Space(list(covered_boxes(items)), setting.sizes.gutter + setting.room + sizes.right)
    is_numbered = len({repair.number for repair, *_ in setting.boxes if repair.number <= MAX_ARROWS}) > 1
    for repair, start, end in boxes:
        own: list[Item] = []
        is_longest = (repair, start, end) == max(
            (box for box in setting.boxes if box[0].number == repair.number), key=lambda box: box[2] - box[1]
        )
        if is_longest and repair.number <= MAX_ARROWS and _is_main_line(setting, line, start, end):
            first = max(start, line.first)
            inset = setting.insets[repair.number, start] if start == first else 0.0
            feet = line.left(first) - inset, line.right(min(end, line.after) - 1)
            for side, parent in (("gold", repair.gold_parent), ("test", repair.test_parent)):
                target = next(
                    (
                        (piece, y)
                        for piece, whose, y in drawn
                        if whose == side and any(bar.index == parent for bar in piece.track.bars)
                    ),
                    None,
                )
                if target is not None:
                    heights = sorted({y for _, whose, y in drawn if whose == side})
                    way = _Way(space, side == "gold", feet, edges[side], *target, heights, sizes)
                    own += way.items(str(repair.number), is_numbered=is_numbered)
        yield Group(tuple(own), "move", status="moved", data={"repair": repair.number})


def covered_boxes(items: Iterable[Item]) -> Iterator[_Extent]:
    """Yield the boxes of the labels, numbers, marks and tags of brackets and words."""
    for group in walk(tuple(items)):
        if not isinstance(group, Group) or not {"bracket", "tag"} & set(group.role.split()):
            continue
        for item in group.items:
            if isinstance(item, Ring):
                yield item.x - item.radius, item.y - item.radius, item.x + item.radius, item.y + item.radius
            elif isinstance(item, Mark):
                half = 4 * item.scale
                yield item.x - half - 4, item.y - half, item.x + half, item.y + half  # with the end of the bracket
            elif isinstance(item, Text) and item.anchor == "start":
                height = 0.4 * item.size
                yield item.x, item.y - height, item.x + text_width(visible(item.text), item.size), item.y + height


@dataclass(slots=True)
class _Space:
    """What stands on a line of words: what must not be covered, and lines that may be crossed but not hidden."""

    taken: list[_Extent]
    width: float
    lines: list[_Extent] = field(default_factory=list)

    def is_free(self, left: float, top: float, right: float, bottom: float, *, of_lines: bool = False) -> bool:
        """Return whether a box covers nothing; `of_lines`: not even arrows."""
        if left < 0 or right > self.width:
            return False
        boxes = (*self.taken, *self.lines) if of_lines else self.taken
        return all(right <= x0 or x1 <= left or bottom <= y0 or y1 <= top for x0, y0, x1, y1 in boxes)

    def near(self, x: float, top: float, bottom: float) -> int:
        """Return how many lines run close to a vertical one."""
        return sum(x0 - _APART < x < x1 + _APART and top < y1 and y0 < bottom for x0, y0, x1, y1 in self.lines)


@dataclass(slots=True)
class _Way:
    """The way from a phrase to a bracket."""

    space: _Space
    is_up: bool
    feet: tuple[float, float]  # Left and right end of the phrase
    edge: float  # Height at which the words end
    piece: Piece
    y: float  # Height of the bracket
    heights: Sequence[float]  # Of all brackets of its side
    sizes: Sizes

    def items(self, number: str, *, is_numbered: bool) -> Iterator[Item]:
        """Yield the arrow, or the dotted line and the cross, and the number if it has room."""
        points = self._straight() or self._bent()
        has_line = points is not None
        points = points or self._alone()
        if points is None:
            return
        tip, end = points[-1]
        if self.is_up:
            yield Line(points, "arrow", arrow=7.0)
            extent = (tip - 3.5, end, tip + 3.5, end + 7)
        else:
            if has_line:
                yield Line(points, "arrow dotted")
            yield Line(((tip - 4, self.y - 4), (tip + 4, self.y + 4)), "cross")
            yield Line(((tip - 4, self.y + 4), (tip + 4, self.y - 4)), "cross")
            extent = (tip - 4, self.y - 4, tip + 4, self.y + 4)
        self.space.taken.append(extent)
        for (x0, y0), (x1, y1) in pairwise(points):
            self.space.lines.append((min(x0, x1) - 1, min(y0, y1), max(x0, x1) + 1, max(y0, y1)))
        if is_numbered or not has_line:
            yield from self._number(number, tip)

    def _number(self, number: str, tip: float) -> list[Item]:
        radius = self.sizes.badge
        away = radius + (5.0 if self.is_up else 8.0)  # from the tip to the middle of the number
        for x in (tip + away, tip - away):
            extent = (x - radius, self.y - radius, x + radius, self.y + radius)
            if radius and self.space.is_free(*extent, of_lines=True):
                self.space.taken.append(extent)
                return badge(number, x, self.y, self.sizes, hollow=False)
        return []

    def _landings(self) -> list[float]:
        """Return where the bracket can be reached: at its line beside its labels; if there is none, beside these."""
        room = 4.0 if self.is_up else _CROSS + 1
        left, right = max(self.piece.x0 + 3, self.piece.label_end + room), self.piece.x1 - 2
        if left <= right:
            return _places(left, right)
        return [self.piece.label_end + room, self.piece.label_x - room]

    def _end(self) -> float:
        return self.y + 1 if self.is_up else self.y - 4

    def _is_landing(self, x: float) -> bool:
        """Return whether the head or the cross has room."""
        if self.is_up:
            return self.space.is_free(x - _SIDE, self.y - 1, x + _SIDE, self.y + 8)
        return self.space.is_free(x - _CROSS, self.y - _CROSS, x + _CROSS, self.y + _CROSS, of_lines=True)

    def _is_free(self, x: float, start: float, end: float) -> bool:
        """Return whether a vertical line covers nothing."""
        return self.space.is_free(x - _SIDE, min(start, end), x + _SIDE, max(start, end))

    def _straight(self) -> tuple[Point, ...] | None:
        """Return the points of a straight line, as near to the middle of the phrase as others allow."""
        end, middle = self._end(), sum(self.feet) / 2
        left, right = self.feet[0] + 2, self.feet[1] - 2
        landings = self._landings()
        places = [x for x in (*landings, *_places(left, right), middle)
                  if left <= x <= right and landings[0] <= x <= landings[-1]]  # fmt: skip
        places += [x for x in landings if left <= x <= right]

        def cost(x: float) -> tuple[int, float]:
            return self.space.near(x, min(self.edge, end), max(self.edge, end)), abs(x - middle)

        for x in sorted(set(places), key=cost):
            if self._is_landing(x) and self._is_free(x, self.edge, end):
                return ((x, self.edge), (x, end))
        return None

    def _bent(self) -> tuple[Point, ...] | None:
        """Return the points of a line with a bend between two rows of brackets, as short as can be."""
        end = self._end()
        between = [height + sign * self.sizes.row / 2 for height in self.heights for sign in (1, -1)]
        levels = {level for level in between if min(self.edge, end) < level < max(self.edge, end)}
        landings = sorted(x for x in self._landings() if self._is_landing(x))
        feet = _places(self.feet[0] + 2, self.feet[1] - 2)
        feet = feet[:: max(1, len(feet) // _MAX_FEET)]
        ways: list[tuple[tuple[int, float], tuple[Point, ...]]] = []
        for level in levels:
            tips = [x for x in landings if self._is_free(x, level, end)]
            for foot in feet if tips else ():
                if not self._is_free(foot, self.edge, level):
                    continue
                at = bisect_left(tips, foot)
                for tip in tips[max(at - 1, 0) : at + 1]:
                    if self.space.is_free(min(foot, tip) - 1.5, level - 1.5, max(foot, tip) + 1.5, level + 1.5):
                        near = self.space.near(tip, min(level, end), max(level, end))
                        near += self.space.near(foot, min(self.edge, level), max(self.edge, level))
                        points = ((foot, self.edge), (foot, level), (tip, level), (tip, end))
                        ways.append(((near, abs(foot - tip)), points))
        return min(ways)[1] if ways else None

    def _alone(self) -> tuple[Point, ...] | None:
        """Return the points of an arrow at the bracket without a way to the phrase, or of its cross."""
        end, middle = self._end(), sum(self.feet) / 2
        start = end + 11 if self.is_up else end
        for x in sorted(self._landings(), key=lambda x: abs(x - middle)):
            if self._is_landing(x) and self._is_free(x, start, end):
                return ((x, start), (x, end))
        return None


def _places(left: float, right: float) -> list[float]:
    """Return places between two, both of them included, from left to right."""
    if right < left:
        return []
    return [*(left + _STEP * step for step in range(int((right - left) / _STEP) + 1)), right]


def _is_main_line(setting: Setting, line: LineOfWords, start: int, end: int) -> bool:
    """Return whether a phrase has more words on this line than on any other, the first such line."""

    def words(other: LineOfWords) -> int:
        return min(end, other.after) - max(start, other.first)

    return max(setting.lines, key=words) is line
