"""Links between the trees, led through the gaps between columns so that they cross no label and no word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from evaltools.drawing.shapes import Box, Point

__all__ = ["Router"]

_OFFSETS = (0.0, 4.0, -4.0)
_CLEAR = 3.0  # pixels between a link and a label
_APART = 3.5  # pixels between a link and a line that runs beside it


class Router:
    """Finds ways from the tree above to the tree below.

    Parameters
    ----------
    boxes : iterable of Box
        Labels and words, which a link must not touch.
    lines : iterable of sequences of Point
        Edges; a link may cross them but not run along them.
    gaps : sequence of float
        Horizontal places between the columns, where links may pass the words.
    lane : float
        Height of a free row above the words, for links that must change columns.
    """

    def __init__(self, boxes: Iterable[Box], lines: Iterable[Sequence[Point]], gaps: Sequence[float], lane: float):
        self.boxes = list(boxes)
        self.gaps = [gap + offset for gap in gaps for offset in _OFFSETS]
        self.lane = lane
        self.upright: list[tuple[float, float, float]] = []
        self.level: list[tuple[float, float, float]] = []
        for line in lines:
            self._occupy(line)

    def _occupy(self, line: Sequence[Point]) -> None:
        for (x0, y0), (x1, y1) in pairwise(line):
            if x0 == x1:
                self.upright.append((x0, min(y0, y1), max(y0, y1)))
            elif y0 == y1:
                self.level.append((y0, min(x0, x1), max(x0, x1)))

    def route(self, start: Box, end: Box) -> tuple[Point, ...]:
        """Return the corners of a link from a label of the upper tree to a label of the lower one.

        The shortest free way through one gap is taken; failing that, one that goes down through one gap,
        along the free row above the words, and on through another.
        """
        direct = sorted(self.gaps, key=lambda x: (abs(x - start.x) + abs(x - end.x), x))
        for x in direct:
            if self._free(x, start.y, end.y, start, end) and self._reachable(x, start) and self._reachable(x, end):
                return self._keep(self._path(start, end, x, x))
        above = self._ways(start, self.lane, start, end)
        below = self._ways(end, self.lane, start, end)
        best = min(
            ((x, other) for x in above for other in below),
            key=lambda way: abs(way[0] - start.x) + abs(way[0] - way[1]) + abs(way[1] - end.x),
            default=(min(self.gaps), min(self.gaps)),
        )
        return self._keep(self._path(start, end, *best))

    def _ways(self, box: Box, lane: float, start: Box, end: Box) -> list[float]:
        nearest = sorted(self.gaps, key=lambda x: abs(x - box.x))
        ways = [x for x in nearest if self._free(x, box.y, lane, start, end) and self._reachable(x, box)]
        return ways[:12]

    def _free(self, x: float, y0: float, y1: float, start: Box, end: Box) -> bool:
        top, bottom = min(y0, y1), max(y0, y1)
        for box in self.boxes:
            if box is start or box is end:
                continue
            if box.left - _CLEAR < x < box.right + _CLEAR and box.top < bottom and top < box.bottom:
                return False
        return not any(abs(x - at) < _APART and low < bottom and top < high for at, low, high in self.upright)

    def _reachable(self, x: float, box: Box) -> bool:
        if box.left <= x <= box.right:
            return box.left + 3 <= x <= box.right - 3
        left, right = min(x, box.x), max(x, box.x)
        for other in self.boxes:
            beside = other is not box and other.top - 1 < box.y < other.bottom + 1
            if beside and other.left - _CLEAR < right and left < other.right + _CLEAR:
                return False
        return not any(abs(box.y - at) < _APART and low < right and left < high for at, low, high in self.level)

    def _path(self, start: Box, end: Box, first: float, second: float) -> tuple[Point, ...]:
        points: list[Point] = []
        if start.left <= first <= start.right:
            points.append((first, start.bottom))
        else:
            points += [(start.right if first > start.x else start.left, start.y), (first, start.y)]
        if first != second:
            points += [(first, self.lane), (second, self.lane)]
        if end.left <= second <= end.right:
            points.append((second, end.top))
        else:
            points += [(second, end.y), (end.right if second > end.x else end.left, end.y)]
        return tuple(points)

    def _keep(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        self._occupy(points)
        return points
