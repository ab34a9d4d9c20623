"""Where the arcs of two dependency trees stand: gold above the words, test mirrored below.

An arc rises from its head, runs level and comes down on its dependent. Arcs that overlap run on different levels, the
shorter one nearer to the words; the columns stand so far apart that every relation has room on its arc.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.drawing.arcs_columns import Column, columns_of
from evaltools.drawing.arcs_shapes import ArcLayout, PlacedArc, PlacedColumn, marks_of
from evaltools.drawing.measure import is_right_to_left, shorten, text_width, visible
from evaltools.drawing.shapes import Box, Point
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment

__all__ = ["LABEL_SIZE", "MARK_ROOM", "TAG_SIZE", "WORD_SIZE", "layout_arcs"]

WORD_SIZE, TAG_SIZE, LABEL_SIZE = 14.0, 10.0, 11.0
"""Font sizes in pixels."""

MARK_ROOM = 11.0
"""Room for a mark before a relation, in pixels."""

_STEP = 22.0  # from level to level
_FIRST = 20.0  # from the words to the first level
_SLOT = 7.0  # between the ends of two arcs at one word
_GAP = 12.0  # between words
_CORNER = 7.0
_MARGIN = 12.0
_ROW = 34.0  # a word and its tag
_ROWS_APART = 8.0  # between the two rows of words, where they differ
_LONGEST = 30  # characters of a relation or word that are shown


@dataclass(slots=True)
class _Arc:
    """An arc between columns, before it has its place."""

    side: str
    word: int
    head: int | None
    partner: int | None
    status: ArcStatus
    label: str
    at: int  # column of the dependent
    other: int | None  # column of the head
    level: int = 0
    start: float = 0.0  # where it leaves the head, from the middle of that column
    end: float = 0.0  # where it meets the dependent

    @property
    def size(self) -> float:
        """Width of the relation with its marks."""
        return text_width(self.label, LABEL_SIZE) + MARK_ROOM * len(marks_of(self.side, self.status)) + 6

    @property
    def reach(self) -> int:
        """How many columns it spans."""
        return 0 if self.other is None else abs(self.at - self.other)


def layout_arcs(
    alignment: DependencyAlignment, fold: bool | None = None, unfolded: frozenset[int] = frozenset()
) -> ArcLayout:
    """Place the arcs of two aligned dependency trees.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees and what the comparison says of their arcs.
    fold : bool, optional
        Fold parts that are equal in both trees; by default in sentences of more than 25 words.
    unfolded : frozenset of int
        Gold words whose folded parts are opened one step.

    Returns
    -------
    ArcLayout
        Places in pixels.
    """
    columns = columns_of(alignment, fold, unfolded)
    sides = {side: _arcs(alignment, columns, side) for side in ("gold", "test")}
    arcs = [*sides["gold"], *sides["test"]]
    for side in sides.values():
        _spread(side)
    widths = _widths(columns, sides.values())
    centres = _centres(widths, arcs)
    heights = {name: _set_levels(side, centres) for name, side in sides.items()}
    two_rows = any(column.differs for column in columns)
    return _Placer(columns, widths, centres, heights, two_rows, bool(len(alignment.test))).layout(arcs)


def _arcs(alignment: DependencyAlignment, columns: Sequence[Column], side: str) -> list[_Arc]:
    tree = alignment.gold if side == "gold" else alignment.test
    statuses = alignment.gold_status if side == "gold" else alignment.test_status
    partner = alignment.partner if side == "gold" else alignment.test_partner
    places = {word: at for at, column in enumerate(columns) if (word := column.word(side)) is not None}
    arcs = []
    for word, at in places.items():
        head = tree.heads[word] if tree.heads[word] >= 0 else None
        # a head inside a folded part is that part's top: the arcs of the others are folded with them
        other = None if head is None else places[head]
        label = shorten(visible(tree.relations[word]), _LONGEST)
        arcs.append(_Arc(side, word, head, partner[word], statuses[word], label, at, other))
    return arcs


def _spread(arcs: list[_Arc]) -> None:
    """Give the arcs that meet at a word different places along it: longer ones nearer to its middle."""
    left: dict[int, list[tuple[int, _Arc, bool]]] = defaultdict(list)
    right: dict[int, list[tuple[int, _Arc, bool]]] = defaultdict(list)
    middle: dict[int, list[_Arc]] = defaultdict(list)
    for arc in arcs:
        if arc.other is None:
            middle[arc.at].append(arc)
            continue
        for column, away, is_head in ((arc.at, arc.other, False), (arc.other, arc.at, True)):
            (left if away < column else right)[column].append((arc.reach, arc, is_head))
    for column in {*left, *right, *middle}:
        ends = sorted(left[column], key=lambda one: one[0])
        more = sorted(right[column], key=lambda one: -one[0])
        number = len(ends) + len(more) + len(middle[column])
        places = [(place - (number - 1) / 2) * _SLOT for place in range(number)]
        for (_, arc, is_head), offset in zip(
            [*ends, *more], [*places[: len(ends)], *places[-len(more) :]], strict=False
        ):
            if is_head:
                arc.start = offset
            else:
                arc.end = offset
        for arc in middle[column]:
            arc.start = arc.end = places[len(ends)]


def _widths(columns: Sequence[Column], sides: Iterable[list[_Arc]]) -> list[float]:
    """Return how wide each column must be for its words, its tags and the arcs that meet there."""
    ends = [Counter(end for arc in arcs for end in (arc.at, arc.other)) for arcs in sides]
    widths = []
    for place, column in enumerate(columns):
        words = max(text_width(text, WORD_SIZE) for text in column.texts)
        tags = max(text_width(text, TAG_SIZE) for text in column.tags)
        room = _SLOT * max(number[place] for number in ends)
        widths.append(max(words + (10 if column.folded else 2), tags, room, 14.0))
    return widths


def _centres(widths: list[float], arcs: list[_Arc]) -> list[float]:
    """Place the columns from left to right, as close as words and relations allow."""
    ending: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for arc in arcs:
        if arc.other is None:
            continue
        first, last = sorted(((arc.at, arc.end), (arc.other, arc.start)))
        ending[last[0]].append((first[0], arc.size + 2 * _CORNER + first[1] - last[1]))
    centres: list[float] = []
    for place, width in enumerate(widths):
        at = centres[-1] + (widths[place - 1] + width) / 2 + _GAP if centres else _MARGIN + width / 2
        centres.append(max([at, *(centres[first] + needed for first, needed in ending[place])]))
    return centres


def _interval(arc: _Arc, centres: list[float]) -> tuple[float, float]:
    if arc.other is None:
        x = centres[arc.at] + arc.end
        return x - arc.size / 2, x + arc.size / 2
    first, last = sorted((centres[arc.at] + arc.end, centres[arc.other] + arc.start))
    return first, last


def _set_levels(arcs: list[_Arc], centres: list[float]) -> int:
    """Put every arc above the shorter ones that it overlaps; return the highest level."""
    order = sorted(arcs, key=lambda one: (one.other is None, one.reach, one.at))
    first, last = np.array([_interval(arc, centres) for arc in order]).reshape(-1, 2).T
    levels = np.zeros(len(order), dtype=np.int64)
    for place, arc in enumerate(order):
        overlaps = (first[:place] < last[place] + 2) & (first[place] < last[:place] + 2)
        levels[place] = arc.level = 1 + int(levels[:place][overlaps].max(initial=0))
    return int(levels.max(initial=0))


class _Placer:
    """Turns columns and levels into places on paper."""

    def __init__(
        self,
        columns: Sequence[Column],
        widths: list[float],
        centres: list[float],
        heights: dict[str, int],
        two_rows: bool,
        has_test: bool,
    ) -> None:
        self._columns, self._widths, self._centres = columns, widths, centres
        above, below = (_FIRST + _STEP * height if height else 6.0 for height in (heights["gold"], heights["test"]))
        self._top = _MARGIN + above
        self._bottom = self._top + (2 * _ROW + _ROWS_APART if two_rows else _ROW)
        self._two_rows = two_rows
        self.height = self._bottom + (below if has_test else 6.0) + _MARGIN
        self.width = (centres[-1] + widths[-1] / 2 if centres else _MARGIN) + _MARGIN

    def layout(self, arcs: list[_Arc]) -> ArcLayout:
        """Place everything; where the script runs from right to left, mirrored."""
        forms = [text for column in self._columns for text in column.texts]
        mirrored = is_right_to_left(forms)
        legs = {side: self._legs(arc for arc in arcs if arc.side == side) for side in ("gold", "test")}
        edges = [self._box(arc, self._label_x(arc, legs[arc.side])) for arc in arcs]
        least = min([0.0, *(box.left - 4 for box in edges)])
        self.width = max([self.width, *(box.right + 4 for box in edges)]) - least
        shift = -least

        def at(x: float) -> float:
            return self.width - x - shift if mirrored else x + shift

        placed = [
            PlacedArc(
                arc.side,
                arc.word,
                arc.head,
                arc.partner,
                arc.status,
                arc.label,
                arc.level,
                tuple((at(x), y) for x, y in self._points(arc)),
                Box(at(box.x), box.y, box.width, box.height),
            )
            for arc, box in zip(arcs, edges, strict=True)
        ]
        placed.sort(key=lambda one: -one.level)
        columns = tuple(self._column(place, at(x)) for place, x in enumerate(self._centres))
        middle = (self._top + self._bottom) / 2
        return ArcLayout(self.width, self.height, columns, tuple(placed), mirrored, middle)

    def _column(self, place: int, x: float) -> PlacedColumn:
        column, width = self._columns[place], self._widths[place]
        whole = Box(x, (self._top + self._bottom) / 2, width, self._bottom - self._top)
        if not self._two_rows:
            boxes = [whole, whole]
        else:
            boxes = [Box(x, y, width, _ROW) for y in (self._top + _ROW / 2, self._bottom - _ROW / 2)]
        gold, test = (
            box if column.word(side) is not None else None for side, box in zip(("gold", "test"), boxes, strict=True)
        )
        return PlacedColumn(column, whole, gold, test)

    def _y(self, side: str, level: float) -> float:
        """Height of a level; level 0 is where arcs meet the words."""
        away = 3.0 if not level else _FIRST + _STEP * (level - 1) + 10
        return self._top - away if side == "gold" else self._bottom + away

    def _points(self, arc: _Arc) -> tuple[Point, ...]:
        end = self._centres[arc.at] + arc.end
        y, foot = self._y(arc.side, arc.level), self._y(arc.side, 0)
        if arc.other is None:
            return (end, y), (end, foot)
        start = self._centres[arc.other] + arc.start
        return (start, foot), (start, y), (end, y), (end, foot)

    def _legs(self, arcs: Iterable[_Arc]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return where arcs go down to the words, from left to right, and the level from which they come."""
        legs = []
        for arc in arcs:
            legs.append((self._centres[arc.at] + arc.end, arc.level))
            if arc.other is not None:
                legs.append((self._centres[arc.other] + arc.start, arc.level))
        legs.sort()
        return np.array([x for x, _ in legs]), np.array([level for _, level in legs], dtype=np.int64)

    def _label_x(self, arc: _Arc, legs: tuple[NDArray[np.float64], NDArray[np.int64]]) -> float:
        """Find a place for the relation along its arc where no arc of a higher level comes down through it."""
        first, last = _interval(arc, self._centres)
        middle = (first + last) / 2
        inside = slice(*np.searchsorted(legs[0], (first + 1, last - 1)).tolist())
        crossing = legs[0][inside][legs[1][inside] > arc.level]
        if not len(crossing):
            return middle
        room = max((last - first) / 2 - _CORNER - arc.size / 2, 0.0)
        places = [middle + sign * step * room / 12 for step in range(13) for sign in (1, -1)]
        free = (x for x in places if np.abs(crossing - x).min() > arc.size / 2 + 1)
        return next(free, middle)

    def _box(self, arc: _Arc, x: float) -> Box:
        return Box(x, self._y(arc.side, arc.level), arc.size, LABEL_SIZE + 4)
