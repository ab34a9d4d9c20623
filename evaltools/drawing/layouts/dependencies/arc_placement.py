"""Positions of the arcs of two dependency trees: gold above the words, test mirrored below.

Words of both trees share columns, and parts that are equal are folded. An arc rises from its head, runs level and comes
down on its dependent. Arcs that overlap run on different levels, the shorter ones nearer to the words; the columns are
so far apart that every relation fits on its arc.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import DependencyTree
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.drawing.layouts.tree_grid import FOLD_ABOVE
from evaltools.drawing.measure import CORNER, clear_position, is_right_to_left, text_width, visible
from evaltools.drawing.scene import Box, Point
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.marks import Status
from evaltools.text import excerpt, join_words

_MAX_LENGTH = 30


@dataclass(frozen=True, slots=True)
class Column:
    """A word of both trees, or of one, or the words of a folded part."""

    gold: int | None  # Position of the word (of a folded part: of its top) in each tree
    test: int | None
    # One text, or two where the words of the trees differ; empty where a tree has none.
    texts: tuple[str, ...]
    tags: tuple[str, ...]  # The tags under the texts
    full: str  # The text, not shortened
    hidden: tuple[int, ...] = ()  # Gold words folded into this column, except its top
    opens: bool = False  # Whether it is a folded part that was opened and can be folded again
    is_empty: bool = False  # Whether it is an empty node of enhanced dependencies

    @property
    def folded(self) -> bool:
        """Whether other words are folded into it."""
        return bool(self.hidden)

    @property
    def differs(self) -> bool:
        """Whether the trees have different words here."""
        return len(self.texts) > 1

    def word(self, side: str) -> int | None:
        """Return the position in one of the trees."""
        return self.gold if side == "gold" else self.test


def identical_parts(alignment: DependencyAlignment) -> dict[int, tuple[int, ...]]:
    """Return the parts of the sentence that are equal in both trees: top to words."""
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    yields, test_yields = _yields(gold), _yields(test)
    wrong = [s not in (Status.RIGHT, None) for s in alignment.gold_status]
    parts: dict[int, tuple[int, ...]] = {}
    for word, below in enumerate(yields):
        second = partner[word]
        if len(below) < 2 or gold.heads[word] < 0 or second is None or test.heads[second] < 0:
            continue
        partners = [partner[inner] for inner in below]
        if (
            partners == list(test_yields[second])
            and [test.forms[inner] for inner in test_yields[second]] == [gold.forms[inner] for inner in below]
            and all(words[-1] - words[0] == len(below) - 1 for words in (below, test_yields[second]))
            and not any(wrong[inner] for inner in below if inner != word)
        ):
            parts[word] = below
    return parts


def _yields(tree: DependencyTree) -> list[tuple[int, ...]]:
    """Return every word with its descendants, in order."""
    below: list[set[int]] = [{word} for word in range(len(tree))]
    for word in range(len(tree)):
        head, steps = tree.heads[word], 0
        while head >= 0 and steps < len(tree):
            below[head].add(word)
            head, steps = tree.heads[head], steps + 1
    return [tuple(sorted(words)) for words in below]


def columns_of(
    alignment: DependencyAlignment, fold: bool | None = None, unfolded: frozenset[int] = frozenset()
) -> list[Column]:
    """Put the words of both trees into columns, in order."""
    gold, test = alignment.gold, alignment.test
    identical: dict[int, tuple[int, ...]] = {}
    if max(len(gold), len(test)) > FOLD_ABOVE if fold is None else fold:
        identical = identical_parts(alignment)
    folded = _outermost(identical, unfolded)
    hidden = {inner for word in folded for inner in identical[word] if inner != word}
    hidden_test = {alignment.partner[inner] for inner in hidden}
    two_rows = gold.forms != test.forms and bool(len(gold)) and bool(len(test))
    columns = []
    for g, t in side_by_side(alignment):
        if g in hidden or (g is None and t in hidden_test):
            continue
        if g is not None and g in folded:
            words = [visible(gold.forms[inner]) for inner in identical[g]]
            rows = 2 if two_rows else 1
            below = tuple(inner for inner in identical[g] if inner != g)
            columns.append(Column(g, t, (join_words(words),) * rows, ("",) * rows, " ".join(words), below))
            continue
        opens = g is not None and g in identical and g in unfolded
        texts: tuple[str, ...]
        tags: tuple[str, ...]
        texts, tags, forms = zip(_texts(gold, g), _texts(test, t), strict=True)
        full = forms[0] or forms[1]
        if not two_rows:
            differ = tags[0] != tags[1] and bool(len(gold)) and bool(len(test))
            tags = (tags[1] if g is None else f"{tags[0]} ≠ {tags[1]}" if differ else tags[0],)
            texts = (texts[0] or texts[1],)
        columns.append(Column(g, t, texts, tags, full, (), opens))
    return columns


def _texts(tree: DependencyTree, word: int | None) -> tuple[str, str, str]:
    """Return a word and its tag, shortened, and the word in full."""
    if word is None:
        return "", "", ""
    form = visible(tree.forms[word])
    tag = "" if tree.tags[word] == "_" else visible(tree.tags[word])
    return excerpt(form, _MAX_LENGTH), excerpt(tag, _MAX_LENGTH), form


def _outermost(identical: dict[int, tuple[int, ...]], unfolded: frozenset[int]) -> set[int]:
    """Return the largest parts that are not opened."""
    chosen: set[int] = set()
    inside: set[int] = set()
    for word in sorted(identical, key=lambda top: -len(identical[top])):
        if word not in unfolded and word not in inside:
            chosen.add(word)
            inside.update(identical[word])
    return chosen


def side_by_side(alignment: DependencyAlignment) -> list[tuple[int | None, int | None]]:
    """Return pairs of positions in the order of both sentences; None where a tree has no such word."""
    pairs: list[tuple[int | None, int | None]] = []
    after = 0
    for word, partner in enumerate(alignment.partner):
        if partner is None or partner < after:
            pairs.append((word, None))
            continue
        pairs += [(None, between) for between in range(after, partner)]
        pairs.append((word, partner))
        after = partner + 1
    return pairs + [(None, rest) for rest in range(after, len(alignment.test))]


@dataclass(frozen=True, slots=True)
class PlacedColumn:
    """A column with its position."""

    column: Column
    box: Box  # The words of both trees together
    # The row of each tree; the same where the words are equal, None where the tree has no word here.
    gold_box: Box | None
    test_box: Box | None


@dataclass(slots=True)
class PlacedArc:
    """The arc from a word to its head; position and level are set step by step."""

    side: str  # The tree it belongs to
    word: int  # The dependent's position in that tree
    head: int | None  # The head's position; None for a root
    partner: int | None  # The dependent's partner in the other tree
    status: Status | None
    label: str  # The relation, shortened
    column: int  # Columns of the dependent and of its head
    head_column: int | None
    relabeled: bool = False  # Whether its partner's relation is another one
    level: int = 0  # 1 is next to the words
    start: float = 0.0  # Where it leaves the head, from the middle of that column
    end: float = 0.0  # Where it meets the dependent, likewise
    points: tuple[Point, ...] = ()  # From the head to the dependent, where the arrow points; for a root from above
    box: Box = field(init=False)  # The relation with its marks

    @property
    def marks(self) -> tuple[Status, ...]:
        """The marks before its relation."""
        return marks_of(self.status, relabeled=self.relabeled)

    @property
    def label_width(self) -> float:
        """Width of the relation with its marks."""
        return text_width(self.label, LABEL_SIZE) + MARK_ROOM * len(self.marks) + 6

    @property
    def is_upright(self) -> bool:
        """Whether it has no level part between two words: that of a root, and that of a word on itself."""
        return self.head_column is None or self.head_column == self.column

    @property
    def reach(self) -> int:
        """Number of columns that it spans."""
        return 0 if self.head_column is None else abs(self.column - self.head_column)


@dataclass(frozen=True, slots=True)
class ArcLayout:
    """Positions of all parts of a drawing; the origin is at the upper left."""

    width: float  # Size in pixels
    height: float
    columns: tuple[PlacedColumn, ...]
    arcs: tuple[PlacedArc, ...]  # The arcs of both trees, those of higher levels first
    middle: float  # Height of the words


def marks_of(status: Status | None, *, relabeled: bool = False) -> tuple[Status, ...]:
    """Return the marks of an arc: its status, and that the relation differs, too.

    Examples
    --------
    >>> [str(mark) for mark in marks_of(Status.MISSING, relabeled=True)], marks_of(Status.RIGHT)
    (['missing', 'relabeled'], ())
    """
    if status is None or status is Status.RIGHT:
        return ()
    return (status, Status.RELABELED) if relabeled and status is not Status.RELABELED else (status,)


WORD_SIZE, TAG_SIZE, LABEL_SIZE = 14.0, 11.0, 11.0
"""Font sizes in pixels."""

MARK_ROOM = 11.0
"""Room for a mark before a relation, in pixels."""

_STEP = 22.0  # from level to level
_FIRST = 20.0  # from the words to the first level
_SLOT = 7.0  # between the ends of two arcs at one word
_GAP = 12.0  # between words
_MARGIN = 12.0
_ROW = 34.0  # a word and its tag
_ROWS_APART = 8.0  # between the two rows of words, where they differ


def layout_arcs(
    alignment: DependencyAlignment, fold: bool | None = None, unfolded: frozenset[int] = frozenset()
) -> ArcLayout:
    """Place the arcs of two aligned dependency trees."""
    columns = columns_of(alignment, fold, unfolded)
    sides = {side: _arcs(alignment, columns, side) for side in ("gold", "test")}
    return place_arcs(columns, sides, has_test=bool(len(alignment.test)))


def place_arcs(columns: Sequence[Column], sides: Mapping[str, Sequence[PlacedArc]], *, has_test: bool) -> ArcLayout:
    """Place columns and arcs; a word may have any number of arcs."""
    for arcs in sides.values():
        _spread(arcs)
    widths = _widths(columns, sides.values())
    centers = _centers(widths, [*sides["gold"], *sides["test"]])
    levels = {side: _set_levels(arcs, centers) for side, arcs in sides.items()}
    return _Placer(columns, widths, centers, levels, has_test=has_test).layout(sides)


def _arcs(alignment: DependencyAlignment, columns: Sequence[Column], side: str) -> list[PlacedArc]:
    tree = alignment.gold if side == "gold" else alignment.test
    statuses = alignment.gold_status if side == "gold" else alignment.test_status
    partner = alignment.partner if side == "gold" else alignment.test_partner
    relabeled = alignment.relabeled if side == "gold" else alignment.test_relabeled
    indices = {word: index for index, column in enumerate(columns) if (word := column.word(side)) is not None}
    arcs = []
    for word, index in indices.items():
        if tree.heads[word] == NO_HEAD:
            continue
        head = tree.heads[word] if tree.heads[word] >= 0 else None
        # a head inside a folded part is that part's top: the arcs of the others are folded with them
        head_column = None if head is None else indices[head]
        label = excerpt(visible(tree.relations[word]), _MAX_LENGTH)
        differs = relabeled[word]
        arcs.append(PlacedArc(side, word, head, partner[word], statuses[word], label, index, head_column, differs))
    return arcs


def _spread(arcs: Sequence[PlacedArc]) -> None:
    """Spread the ends of the arcs along the words where they meet, longer arcs nearer to the middle."""
    ends: dict[int, list[tuple[tuple[int, int], PlacedArc, bool]]] = defaultdict(list)
    for arc in arcs:
        if arc.head_column is None:
            ends[arc.column].append(((0, 0), arc, False))
            continue
        for column, opposite, is_head in ((arc.column, arc.head_column, False), (arc.head_column, arc.column, True)):
            key = (-1, arc.reach) if opposite < column else (1, -arc.reach)
            ends[column].append((key, arc, is_head))
    for meeting in ends.values():
        for index, (_, arc, is_head) in enumerate(sorted(meeting, key=lambda end: end[0])):
            offset = (index - (len(meeting) - 1) / 2) * _SLOT
            if is_head or arc.head_column is None:
                arc.start = offset
            if not is_head:
                arc.end = offset


def _widths(columns: Sequence[Column], sides: Iterable[Sequence[PlacedArc]]) -> list[float]:
    """Return the width that each column needs for its words, its tags and the arcs that meet there."""
    ends = [Counter(end for arc in arcs for end in (arc.column, arc.head_column)) for arcs in sides]
    widths = []
    for index, column in enumerate(columns):
        words = max(text_width(text, WORD_SIZE) for text in column.texts)
        tags = max(text_width(text, TAG_SIZE) for text in column.tags)
        room = _SLOT * max(number[index] for number in ends)
        widths.append(max(words + (10 if column.folded else 2), tags, room, 14.0))
    return widths


def _centers(widths: Sequence[float], arcs: Iterable[PlacedArc]) -> list[float]:
    """Place the columns from left to right, as close as words and relations allow."""
    ending: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for arc in arcs:
        if arc.head_column is None or arc.is_upright:
            continue
        first, last = sorted(((arc.column, arc.end), (arc.head_column, arc.start)))
        ending[last[0]].append((first[0], arc.label_width + 2 * CORNER + first[1] - last[1]))
    centers: list[float] = []
    for index, width in enumerate(widths):
        x = centers[-1] + (widths[index - 1] + width) / 2 + _GAP if centers else _MARGIN + width / 2
        centers.append(max([x, *(centers[first] + distance for first, distance in ending[index])]))
    return centers


def _interval(arc: PlacedArc, centers: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the level part of an arc, of an upright one's the ends of its relation."""
    x = centers[arc.column] + arc.end
    if arc.head_column is None or arc.is_upright:
        return x - arc.label_width / 2, x + arc.label_width / 2
    first, last = sorted((x, centers[arc.head_column] + arc.start))
    return first, last


def _set_levels(arcs: Iterable[PlacedArc], centers: Sequence[float]) -> int:
    """Put every arc above the shorter ones that it overlaps; return the highest level."""
    order = sorted(arcs, key=lambda arc: (arc.head_column is None, arc.reach, arc.column))
    first, last = np.array([_interval(arc, centers) for arc in order]).reshape(-1, 2).T
    levels = np.zeros(len(order), dtype=np.int64)
    for index, arc in enumerate(order):
        overlaps = (first[:index] < last[index] + 2) & (first[index] < last[:index] + 2)
        levels[index] = arc.level = 1 + int(levels[:index][overlaps].max(initial=0))
    return int(levels.max(initial=0))


class _Placer:
    """Computes positions from columns and levels."""

    def __init__(
        self,
        columns: Sequence[Column],
        widths: Sequence[float],
        centers: Sequence[float],
        levels: Mapping[str, int],
        *,
        has_test: bool,
    ) -> None:
        self._columns, self._widths, self._centers = columns, widths, centers
        above, below = (_FIRST + _STEP * levels[side] if levels[side] else 6.0 for side in ("gold", "test"))
        self._two_rows = any(column.differs for column in columns)
        self._top = _MARGIN + above
        self._bottom = self._top + (2 * _ROW + _ROWS_APART if self._two_rows else _ROW)
        self._height = self._bottom + (below if has_test else 6.0) + _MARGIN

    def layout(self, sides: Mapping[str, Sequence[PlacedArc]]) -> ArcLayout:
        """Place everything; mirrored if the script runs from right to left."""
        for arcs in sides.values():
            legs = self._legs(arcs)
            for arc in arcs:
                y = self._y(arc.side, arc.level)
                arc.points = self._points(arc, y)
                arc.box = Box(self._label_x(arc, legs), y, arc.label_width, LABEL_SIZE + 4)
        placed = sorted((*sides["gold"], *sides["test"]), key=lambda arc: -arc.level)
        left = min([0.0, *(arc.box.left - 4 for arc in placed)])
        right = (self._centers[-1] + self._widths[-1] / 2 if self._centers else _MARGIN) + _MARGIN
        width = max([right, *(arc.box.right + 4 for arc in placed)]) - left
        mirrored = is_right_to_left(text for column in self._columns for text in column.texts)

        def moved(x: float) -> float:
            return width - x + left if mirrored else x - left

        for arc in placed:
            arc.points = tuple((moved(x), y) for x, y in arc.points)
            arc.box = replace(arc.box, x=moved(arc.box.x))
        columns = tuple(self._column(index, moved(x)) for index, x in enumerate(self._centers))
        return ArcLayout(width, self._height, columns, tuple(placed), (self._top + self._bottom) / 2)

    def _column(self, index: int, x: float) -> PlacedColumn:
        column, width = self._columns[index], self._widths[index]
        box = Box(x, (self._top + self._bottom) / 2, width, self._bottom - self._top)
        rows = (box, box)
        if self._two_rows:
            rows = Box(x, self._top + _ROW / 2, width, _ROW), Box(x, self._bottom - _ROW / 2, width, _ROW)
        gold, test = column.gold is not None, column.test is not None
        return PlacedColumn(column, box, rows[0] if gold else None, rows[1] if test else None)

    def _y(self, side: str, level: int) -> float:
        """Return the height of a level; level 0 is where arcs meet the words."""
        distance = 3.0 if not level else _FIRST + _STEP * (level - 1) + 10
        return self._top - distance if side == "gold" else self._bottom + distance

    def _points(self, arc: PlacedArc, y: float) -> tuple[Point, ...]:
        end, foot = self._centers[arc.column] + arc.end, self._y(arc.side, 0)
        if arc.head_column is None:
            return (end, y), (end, foot)
        start = self._centers[arc.head_column] + arc.start
        return (start, foot), (start, y), (end, y), (end, foot)

    def _legs(self, arcs: Iterable[PlacedArc]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return where arcs go down to the words, from left to right, and the level from which they come."""
        legs = [(self._centers[arc.column] + arc.end, arc.level) for arc in arcs]
        legs += [(self._centers[arc.head_column] + arc.start, arc.level) for arc in arcs if arc.head_column is not None]
        legs.sort()
        return np.array([x for x, _ in legs]), np.array([level for _, level in legs], dtype=np.int64)

    def _label_x(self, arc: PlacedArc, legs: tuple[NDArray[np.float64], NDArray[np.int64]]) -> float:
        """Return a position for the relation where no arc of a higher level crosses its own."""
        first, last = _interval(arc, self._centers)
        inside = slice(*np.searchsorted(legs[0], (first + 1, last - 1)).tolist())
        crossing = legs[0][inside][legs[1][inside] > arc.level]
        return clear_position(first, last, arc.label_width, 12, crossing.tolist())
