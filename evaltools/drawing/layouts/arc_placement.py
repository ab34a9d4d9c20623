"""Where the arcs of two dependency trees stand: gold above the words, test mirrored below.

Words of both trees share columns, and parts that are equal are folded. An arc rises from its head, runs level and comes
down on its dependent. Arcs that overlap run on different levels, the shorter one nearer to the words; the columns stand
so far apart that every relation has room on its arc.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.drawing.layouts.tree_grid import FOLD_ABOVE
from evaltools.drawing.measure import is_right_to_left, join_words, shorten, text_width, visible
from evaltools.drawing.scene import Box, Point
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.treebank import DependencyTree

__all__ = [
    "LABEL_SIZE",
    "MARK_ROOM",
    "TAG_SIZE",
    "WORD_SIZE",
    "ArcLayout",
    "Column",
    "PlacedArc",
    "PlacedColumn",
    "columns_of",
    "identical_parts",
    "kind_of",
    "layout_arcs",
    "marks_of",
    "side_by_side",
]

_LONGEST = 30


@dataclass(frozen=True, slots=True)
class Column:
    """A word of both trees, or of one, or the words of a folded part.

    Parameters
    ----------
    gold, test : int or None
        Position of the word (of a folded part: of its top) in each tree.
    texts : tuple of str
        What is shown: one text, or two where the words of the trees differ; empty where a tree has none.
    tags : tuple of str
        The tags under the texts.
    full : str
        All of the text.
    hidden : tuple of int
        Gold words folded into this column, its top left out.
    opens : bool
        Whether it was a folded part that has been opened, and can be folded again.
    """

    gold: int | None
    test: int | None
    texts: tuple[str, ...]
    tags: tuple[str, ...]
    full: str
    hidden: tuple[int, ...] = ()
    opens: bool = False

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
    """Find the parts of the sentence that are equal in both trees."""
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    yields, others = _yields(gold), _yields(test)
    wrong = [s not in (ArcStatus.RIGHT, ArcStatus.LEFT_OUT) for s in alignment.gold_status]
    parts: dict[int, tuple[int, ...]] = {}
    for word, below in enumerate(yields):
        other = partner[word]
        if len(below) < 2 or gold.heads[word] < 0 or other is None or test.heads[other] < 0:
            continue
        partners = [one for one in (partner[inner] for inner in below) if one is not None]
        forms = [test.forms[one] for one in partners] == [gold.forms[one] for one in below]
        if (
            partners == list(others[other])
            and forms
            and all(words[-1] - words[0] == len(below) - 1 for words in (below, partners))
            and not any(wrong[one] for one in below if one != word)
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
    gone = {one for word in folded for one in identical[word] if one != word}
    gone_too = {alignment.partner[one] for one in gone}
    two_rows = gold.forms != test.forms and bool(len(gold)) and bool(len(test))
    columns = []
    for g, t in side_by_side(alignment):
        if g in gone or (g is None and t in gone_too):
            continue
        if g is not None and g in folded:
            words = [visible(gold.forms[one]) for one in identical[g]]
            hidden = tuple(one for one in identical[g] if one != g)
            text = join_words(words)
            texts, tags = ((text, text), ("", "")) if two_rows else ((text,), ("",))
            columns.append(Column(g, t, texts, tags, " ".join(words), hidden))
            continue
        shown = [_shown(tree, word) for tree, word in ((gold, g), (test, t))]
        opens = g is not None and g in identical and g in unfolded
        full = next(text for _, _, text in shown if text)
        if two_rows:
            columns.append(
                Column(g, t, tuple(text for text, _, _ in shown), tuple(tag for _, tag, _ in shown), full, (), opens)
            )
            continue
        (text, tag, _), (other, other_tag, _) = shown
        tags = (tag if tag == other_tag or not len(test) or not len(gold) else f"{tag} ≠ {other_tag}",)
        columns.append(Column(g, t, (text or other,), tags if g is not None else (other_tag,), full, (), opens))
    return columns


def _shown(tree: DependencyTree, word: int | None) -> tuple[str, str, str]:
    """Return a word and its tag as shown, and the word in full."""
    if word is None:
        return "", "", ""
    form = visible(tree.forms[word])
    tag = "" if tree.tags[word] == "_" else visible(tree.tags[word])
    return shorten(form, _LONGEST), shorten(tag, _LONGEST), form


def _outermost(identical: dict[int, tuple[int, ...]], unfolded: frozenset[int]) -> set[int]:
    """Choose the largest parts of those that are not opened."""
    chosen: set[int] = set()
    inside: set[int] = set()
    for word in sorted(identical, key=lambda one: -len(identical[one])):
        if word not in unfolded and word not in inside:
            chosen.add(word)
            inside.update(identical[word])
    return chosen


def side_by_side(alignment: DependencyAlignment) -> list[tuple[int | None, int | None]]:
    """Return pairs of positions in the order of both sentences; None where a tree has no such word."""
    pairs: list[tuple[int | None, int | None]] = []
    after = 0
    for word in range(len(alignment.gold)):
        other = alignment.partner[word]
        if other is None or other < after:
            pairs.append((word, None))
            continue
        pairs += [(None, between) for between in range(after, other)]
        pairs.append((word, other))
        after = other + 1
    return pairs + [(None, rest) for rest in range(after, len(alignment.test))]


@dataclass(frozen=True, slots=True)
class PlacedColumn:
    """A word, or the words of a folded part, and where they stand.

    Parameters
    ----------
    column : Column
        What stands there.
    box : Box
        Place and size of the words of both trees together.
    gold_box, test_box : Box or None
        Place of each tree's row; the same where the words are equal, None where the tree has no word here.
    """

    column: Column
    box: Box
    gold_box: Box | None
    test_box: Box | None


@dataclass(frozen=True, slots=True)
class PlacedArc:
    """The arc from a word to its head.

    Parameters
    ----------
    side : {"gold", "test"}
        Which tree it belongs to.
    word : int
        The dependent's position in that tree.
    head : int or None
        The head's position; None for a root.
    partner : int or None
        The dependent's partner in the other tree.
    status : ArcStatus
        What the comparison says of it.
    label : str
        The relation as shown.
    level : int
        1 is next to the words.
    points : tuple of Point
        From the head to the dependent, where the arrow points; for a root from above.
    box : Box
        Where the relation stands, its marks included.
    """

    side: str
    word: int
    head: int | None
    partner: int | None
    status: ArcStatus
    label: str
    level: int
    points: tuple[Point, ...]
    box: Box


@dataclass(frozen=True, slots=True)
class ArcLayout:
    """Everything of a drawing with its place; the origin is at the upper left.

    Parameters
    ----------
    width, height : float
        Size in pixels.
    columns : tuple of PlacedColumn
        The words.
    arcs : tuple of PlacedArc
        The arcs of both trees, those of higher levels first.
    right_to_left : bool
        Whether the columns run from right to left.
    middle : float
        Height of the words.
    """

    width: float
    height: float
    columns: tuple[PlacedColumn, ...]
    arcs: tuple[PlacedArc, ...]
    right_to_left: bool
    middle: float


def marks_of(side: str, status: ArcStatus) -> tuple[str, ...]:
    """Return the marks of an arc, as names of statuses in the palette.

    Examples
    --------
    >>> marks_of("gold", ArcStatus.BOTH_WRONG), marks_of("test", ArcStatus.WRONG_HEAD)
    (('deleted', 'swapped'), ('inserted',))
    """
    alone = "deleted" if side == "gold" else "inserted"
    return {
        ArcStatus.WRONG_HEAD: (alone,),
        ArcStatus.UNALIGNED: (alone,),
        ArcStatus.BOTH_WRONG: (alone, "swapped"),
        ArcStatus.WRONG_LABEL: ("swapped",),
    }.get(status, ())


def kind_of(side: str, status: ArcStatus) -> str:
    """Return the status of the palette whose colour and line an arc has.

    Examples
    --------
    >>> kind_of("gold", ArcStatus.BOTH_WRONG), kind_of("test", ArcStatus.RIGHT)
    ('deleted', 'matched')
    """
    if status is ArcStatus.LEFT_OUT:
        return "left_out"
    marks = marks_of(side, status)
    return marks[0] if marks else "matched"


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
    """Place the arcs of two aligned dependency trees."""
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
