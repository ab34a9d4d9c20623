"""Where the words and marks of a sentence stand: lines of words, and rows of labels, brackets and arcs on both sides.

Next to the words are rows of labels of single words, then rows of brackets, then rows of arcs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from evaltools.drawing.measure import text_width, visible
from evaltools.marks import Link, Mark, Marks, Repair, Status

ARROWS = 5
"""The phrases of further repairs have a thin box and no arrow."""

_SCALES = (1.4, 1.3, 1.2, 1.1, 1.0)
_CLOSING = frozenset(".,;:!?)]}%…”’»") | {"''", "-RRB-", "-RSB-", "-RCB-", "n't", "'s", "'"}
_OPENING = frozenset("([{“‘«$") | {"``", "-LRB-", "-LSB-", "-LCB-"}
_MARGIN = 40.0  # Room at the right for the heads of arcs that leave the line
_APART = 7.0  # Distance of two arcs at one word
_HEAD = 48.0  # Room for the head of an arc that comes from another line
_NEAR = 9.0  # Smallest distance from a word to the end of an arc's label
_LIFT = 9.0  # Room between words and brackets for the head of an arrow


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in pixels."""

    word: float = 13.0
    label: float = 11.0
    band: float = 20.0
    row: float = 17.0
    tag_row: float = 14.0
    gap: float = 14.0
    gutter: float = 62.0
    right: float = 14.0
    badge: float = 6.5  # Radius of numbers of one digit; 0 for none

    def badge_width(self, number: int) -> float:
        """Width of the number of a repair."""
        return 2 * self.badge + (0 if number < 10 else 4)

    def scaled(self, scale: float) -> Sizes:
        """Return the lengths at another size of type."""
        values = {
            name: getattr(self, name) * scale for name in ("word", "label", "band", "row", "tag_row", "gap", "badge")
        }
        return replace(self, **values, gutter=self.gutter * min(scale, 1.1))


_COMPACT = Sizes(word=12.0, row=15.0, gap=9.0, band=19.0, badge=6.0)
_TIGHT = (_COMPACT, replace(_COMPACT, row=14.0, tag_row=13.0, gap=6.0, band=18.0, badge=5.5))
"""For sentences that take too much room: the first that fits is used, the last if none does."""


@dataclass(frozen=True, slots=True)
class LineOfWords:
    """The words of one line: positions of their left and right edges."""

    first: int
    after: int
    lefts: tuple[float, ...]
    rights: tuple[float, ...]

    def left(self, word: int) -> float:
        """Left edge of a word."""
        return self.lefts[word - self.first]

    def right(self, word: int) -> float:
        """Right edge of a word."""
        return self.rights[word - self.first]

    def has(self, start: int, end: int) -> bool:
        """Return whether one of some words is on the line."""
        return start < self.after and end > self.first


# ------------------------------------------------------------------------------------------------ labels and brackets


Sign = tuple[str, str, Mark | Link, float]
"""What is at a mark: ``letters``, ``badge`` or ``label``, its text, the mark, and the width."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Labels over the same words: of a bracket or several, of a word, or of a node."""

    marks: tuple[Mark, ...]  # The outermost first

    @property
    def first(self) -> Mark:
        """Its first mark, whose words, side and status the others have."""
        return self.marks[0]

    @property
    def is_bracket(self) -> bool:
        """Whether it has a line over its words, not only labels at its word."""
        return self.first.kind == "bracket" or self.first.end - self.first.start > 1

    @property
    def is_thin(self) -> bool:
        """Whether it is right, or only follows from a repair."""
        return self.first.follows or self.first.status is Status.RIGHT


@dataclass(frozen=True, slots=True)
class PlacedBar:
    """A bar on a line of words."""

    bar: Bar
    x0: float  # Ends of its line
    x1: float
    label_x: float  # Ends of its labels
    label_end: float
    opens: bool  # Whether it begins on an earlier line
    continues: bool  # Whether it ends on a later one
    stretches: tuple[tuple[float, float], ...]  # Ends of the stretches of its words on this line
    row: int = 0  # 0 is next to the words

    def touches(self, other: PlacedBar, room: float) -> bool:
        """Return whether they cannot be in one row."""
        ends = max(self.x1, self.label_end), max(other.x1, other.label_end)
        return min(self.x0, self.label_x) < ends[1] + room and min(other.x0, other.label_x) < ends[0] + room


# --------------------------------------------------------------------------------------------------------------- arcs


@dataclass(frozen=True, slots=True)
class Comb:
    """Arcs drawn as one line: those of one repair from one head, whose labels are at their targets; or one arc."""

    links: tuple[Link, ...]

    @property
    def source(self) -> int | None:
        """The word that it leads from."""
        return self.links[0].source


@dataclass(frozen=True, slots=True)
class PlacedComb:
    """Arcs on a line of words."""

    comb: Comb
    source: float | None  # Where it leaves the head; None if the head is on another line, or there is none
    targets: tuple[float, ...]  # Where it reaches the words of its arcs on this line
    words: tuple[int, ...]  # These words
    edge: float | None  # The edge of the picture that it runs to if the head is on another line
    row: int = 0
    text: tuple[float, ...] = ()  # Left and right end of its number and label where these are beyond the target

    @property
    def legs(self) -> tuple[float, ...]:
        """Where lines go down to words."""
        return self.targets if self.source is None else (self.source, *self.targets)

    @property
    def ends(self) -> tuple[float, float]:
        """Left and right end."""
        xs = (*self.legs, *self.text) if self.edge is None else (*self.legs, *self.text, self.edge)
        return min(xs), max(xs)


# ------------------------------------------------------------------------------------------------------------ setting


class Setting:
    """The words of a sentence, broken into lines, with the marks that differ, at one size of type."""

    def __init__(self, marks: Marks, sizes: Sizes, width: float) -> None:
        self.marks = marks
        self.sizes = replace(sizes, right=_MARGIN) if marks.links else sizes
        self.room = width - self.sizes.gutter - self.sizes.right
        self.forms = [visible(word.form) for word in marks.words]
        self.text_widths = [text_width(form, sizes.word) * 0.94 for form in self.forms]
        self.widths = list(self.text_widths)  # With the room before and after
        self.pads = [0.0] * len(self.forms)  # Room before a word, for the number of a box
        self.tails = [0.0] * len(self.forms)  # Room that a label takes to the right of a word, over further words
        self.in_gold = {at for mark in marks.marks if mark.side == "gold" for at in mark.repairs}
        self.bars = [part for bar in _bars(marks) for part in self._parts_that_fit(bar)]
        self.combs = list(_combs(marks.links))
        self._bars_at = _by_word((bar.first.side, range(bar.first.start, bar.first.end)) for bar in self.bars)
        self._combs_at = _by_word((comb.links[0].side, {link.target for link in comb.links}) for comb in self.combs)
        self.boxes = [(repair, start, end) for repair in marks.repairs for start, end in repair.moved]
        self.insets = self._insets()
        self.gaps = self._gaps({edge for _, *ends in self.boxes for edge in ends})
        self._widen()
        self.lines = self._broken(self._cuts())

    @cached_property
    def sides(self) -> list[tuple[LineOfWords, Side, Side]]:
        """Each line of words with what stands above and below it."""
        return [(line, Side(self, line, "gold"), Side(self, line, "test")) for line in self.lines]

    @property
    def height(self) -> float:
        """Height of all lines."""
        own = sum(above.height + self.sizes.band + below.height for _, above, below in self.sides)
        return own + self.sizes.gap * max(0, len(self.lines) - 1)

    def _insets(self) -> dict[tuple[int, int], float]:
        """Make room for the number of each phrase that moves; return it by repair and first word."""
        insets: dict[tuple[int, int], float] = {}
        for repair, start, _ in sorted(self.boxes, key=lambda box: box[2]):
            if self.sizes.badge and repair.has_parents:
                room = self.sizes.badge_width(repair.number) + 5
                self.pads[start] += room
                self.widths[start] += room
                insets[repair.number, start] = self.pads[start]
        return insets

    def _gaps(self, edges: Collection[int]) -> list[float]:
        """Return the space before each word: none before closing punctuation and after opening, more at edges."""
        space = self.sizes.word * 0.34
        gaps = [0.0] if self.forms else []
        for (before, form), (after, next_form) in pairwise(zip(self.marks.words, self.forms, strict=True)):
            closes = after.position is None and next_form in _CLOSING
            opens = before.position is None and form in _OPENING
            gaps.append(0.0 if closes or opens or after.joined else space)
        return [gap + 5 if index in edges and index else gap for index, gap in enumerate(gaps)]

    # ------------------------------------------------------------------------------------------------------ widths

    def signs(self, items: Sequence[Mark | Link]) -> list[Sign]:
        """Return what is at marks: letters, numbers and labels, with their marks and widths; nothing at bare arcs."""
        signs: list[Sign] = []
        numbers: tuple[int, ...] | None = None
        for item in items:
            if isinstance(item, Link) and not item.text:
                continue
            if item.repairs != numbers:
                signs += [(kind, text, item, width) for kind, text, width in self._badges(item)]
                numbers = item.repairs
            text, room = visible(item.text or "∅"), 4 if isinstance(item, Mark) else 3
            signs.append(("label", text, item, text_width(text, self.sizes.label) + room))
        return signs

    def _badges(self, item: Mark | Link) -> list[tuple[str, str, float]]:
        """Return the numbers of an item's repairs, or the letters of the parsers that are wrong, with their widths."""
        sizes = self.sizes
        if item.status is Status.RIGHT or not sizes.badge:
            return []
        if letters := self.marks.letters(item):
            return [("letters", letters, text_width(letters, sizes.label) + 13)]
        if isinstance(item, Mark):
            is_named_above = item.kind != "bracket" and item.side == "test" and self.in_gold.intersection(item.repairs)
            if item.follows or is_named_above:
                return []
        return [("badge", str(number), sizes.badge_width(number) + 5) for number in item.repairs[:2]]

    def _parts_that_fit(self, bar: Bar) -> Iterator[Bar]:
        """Yield a bar, or parts of it if its labels take more than a line."""
        half = len(bar.marks) // 2
        if half and self.width_of(bar.marks) > self.room:
            yield from self._parts_that_fit(Bar(bar.marks[:half]))
            yield from self._parts_that_fit(Bar(bar.marks[half:]))
        else:
            yield bar

    def width_of(self, items: Sequence[Mark | Link]) -> float:
        """Width of the numbers and labels of marks."""
        return sum(sign[-1] for sign in self.signs(items))

    def _between(self, start: int, end: int) -> float:
        """Return the length of some words."""
        return sum(self.widths[start:end]) + sum(self.gaps[start + 1 : end])

    def _widen(self) -> None:
        """Make room for labels over their words where others begin beside them, and for labels of arcs."""
        starts = {(bar.first.side, bar.first.start) for bar in self.bars}
        for bar in sorted(self.bars, key=lambda bar: bar.first.end - bar.first.start):
            mark = bar.first
            there = self._between(mark.start, mark.end) - self.pads[mark.start]
            more = min(self.width_of(bar.marks) + 4, self.room) - there
            if more <= 0:
                continue
            beside = (left for word, left in self._under(mark.end, more) if (mark.side, word) in starts)
            covered = next(beside, 0.0) if bar.is_bracket else more
            self.widths[mark.end - 1] += covered
            self.tails[mark.end - 1] = max(self.tails[mark.end - 1], more - covered)
        for comb in self.combs:
            width = self.width_of(comb.links[:1])
            source, target = comb.source, comb.links[0].target
            if not width or source is None or source == target:
                continue
            first, last = min(source, target), max(source, target)
            between = sum(self.widths[first:last]) + sum(self.gaps[first + 1 : last + 1])
            between += (self.text_widths[last] - self.text_widths[first]) / 2
            self.widths[last - 1] += max(0.0, min(width + 2 * _NEAR, self.room / 2) - between)

    def _under(self, word: int, length: float) -> Iterator[tuple[int, float]]:
        """Yield the words from one on that a label covers, each with the length that is left of it there."""
        while word < len(self.widths) and length > 0:
            yield word, length
            length -= self.gaps[word] + self.widths[word]
            word += 1

    # ------------------------------------------------------------------------------------------------------- lines

    def _cuts(self) -> list[float]:
        """Return the cost of a break before each word: of brackets and arcs that it cuts, labels, short phrases."""
        cuts = [0.0] * (len(self.widths) + 1)
        for bar in self.bars:
            room = self.width_of(bar.marks)
            for at in range(bar.first.start + 1, bar.first.end):
                room -= self.widths[at - 1] + self.gaps[at]
                cuts[at] += 0.25 if room < 0 else 2.0  # a label without room would leave the line
        for comb in self.combs:
            for link in comb.links:
                if link.source is not None:
                    for at in range(min(link.source, link.target) + 1, max(link.source, link.target) + 1):
                        cuts[at] += 0.3 / len(comb.links)
        for repair, start, end in self.boxes:
            length = self._between(start, end)
            before = 0.0
            for at in range(start + 1, end if repair.number <= ARROWS else start):
                before += self.widths[at - 1] + self.gaps[at]
                if length < 0.9 * self.room or min(before, length - before) < 0.3 * self.room:
                    cuts[at] += 1.0  # a long phrase may be cut in its middle
        return cuts

    def _broken(self, cuts: Sequence[float]) -> list[LineOfWords]:
        """Break the words into lines: few lines, little slack, none very short, cheap cuts; before the own row."""
        n, own_row = len(self.widths), self.marks.own_row
        best: list[tuple[float, int]] = [(0.0, 0)] + [(float("inf"), 0)] * n
        for end in range(1, n + 1):
            length = tail = 0.0
            for start in range(end - 1, -1, -1):
                gap = self.gaps[start + 1] if start + 1 < end else 0.0
                tail = max(tail, self.tails[start] - length - gap)
                length += self.widths[start] + gap
                if start + 1 == own_row and start + 1 < end:
                    break
                if length + tail > self.room and start < end - 1:
                    break
                if start and self.gaps[start] == 0.0:
                    continue
                slack = max(0.0, 1 - length / self.room)
                cost = best[start][0] + 3 + (1.5 * slack**2 + cuts[end] if end < n else 0.0)
                if start or end < n:  # of several lines none is much shorter than the others
                    cost += 8 * max(0.0, slack - 0.5) ** 2
                if cost < best[end][0]:
                    best[end] = (cost, start)
        breaks = [n]
        while breaks[-1] > 0:
            breaks.append(best[breaks[-1]][1])
        lines = []
        for start, end in pairwise(reversed(breaks)):
            x = self.sizes.gutter
            lefts, rights = [], []
            for word in range(start, end):
                x += self.gaps[word] if word > start else 0.0
                lefts.append(x + self.pads[word])
                x += self.widths[word]
                rights.append(x)
            lines.append(LineOfWords(start, end, tuple(lefts), tuple(rights)))
        return lines

    # -------------------------------------------------------------------------------------------------------- rows

    def placed_bars(self, line: LineOfWords, side: str, *, brackets: bool) -> list[PlacedBar]:
        """Return the labels or the brackets of a side on a line; outer brackets are farther from the words."""
        placed: list[PlacedBar] = []
        here = [self.bars[index] for index in _on_line(self._bars_at, line, side)]
        own = [bar for bar in here if bar.is_bracket == brackets]
        for bar in sorted(own, key=lambda bar: (bar.first.end - bar.first.start, bar.first.node)):
            item = self._placed_bar(bar, line)
            occupied = {other.row for other in placed if item.touches(other, 4.0)}
            row = max(occupied, default=-1) + 1
            if not brackets:
                row = next(number for number in range(len(placed) + 1) if number not in occupied)
            placed.append(replace(item, row=row))
        return placed

    def _placed_bar(self, bar: Bar, line: LineOfWords) -> PlacedBar:
        mark = bar.first
        opens, continues = mark.start < line.first, mark.end > line.after
        before, behind = line.lefts[0] - 9, line.rights[-1] + 9
        stretches = tuple(
            (
                before if start < line.first else line.left(start),
                behind if end > line.after else self._text_end(line, end - 1),
            )
            for start, end in mark.stretches
            if line.has(start, end)
        )
        x0, x1 = before if opens else line.left(mark.start), behind if continues else self._text_end(line, mark.end - 1)
        width = self.width_of(bar.marks)
        rightmost = self.sizes.gutter + self.room + self.sizes.right - 2 - width
        label_x = min(line.lefts[0] if opens else x0, max(rightmost, before))  # no label leaves the picture
        return PlacedBar(bar, x0, x1, label_x, label_x + width, opens, continues, stretches)

    def _text_end(self, line: LineOfWords, word: int) -> float:
        """Return where the text of a word ends."""
        return line.left(word) + self.text_widths[word]

    def center(self, line: LineOfWords, word: int) -> float:
        """Middle of a word."""
        return line.left(word) + self.text_widths[word] / 2

    def placed_combs(self, line: LineOfWords, side: str) -> list[PlacedComb]:
        """Return the arcs of a side on a line; every one is farther from the words than those within it."""
        drafts: list[PlacedComb] = []
        for index in _on_line(self._combs_at, line, side):
            comb = self.combs[index]
            words = tuple(link.target for link in comb.links if line.first <= link.target < line.after)
            drafts.append(self._placed_comb(comb, line, words))
        drafts.sort(key=lambda item: (item.ends[1] - item.ends[0], item.words))
        rows: list[PlacedComb] = []
        for item in drafts:
            x0, x1 = item.ends
            below = [other.row for other in rows if other.ends[0] < x1 - 0.5 and x0 < other.ends[1] - 0.5]
            rows.append(replace(item, row=max(below, default=-1) + 1))
        return self._apart(rows, line)

    def _placed_comb(self, comb: Comb, line: LineOfWords, words: tuple[int, ...]) -> PlacedComb:
        """Return arcs that begin and end in the middle of their words."""
        targets = tuple(self.center(line, word) for word in words)
        source = comb.source
        if source is None:
            return PlacedComb(comb, None, targets, words, None)
        width = self.width_of(comb.links[:1])
        if not line.first <= source < line.after:
            is_left = source < line.first
            edge = 3.0 if is_left else self.sizes.gutter + self.room + self.sizes.right - 3
            text: tuple[float, ...] = ()
            if width and abs(targets[0] - edge) < width + _HEAD:
                text = (targets[0] + 5, targets[0] + 5 + width) if is_left else (targets[0] - 5 - width, targets[0] - 5)
            return PlacedComb(comb, None, targets, words, edge, text=text)
        x = self.center(line, source)
        if words == (source,):  # both ends are at one word
            targets = (x + width + 2 * _NEAR,)
        return PlacedComb(comb, x, targets, words, None)

    def _apart(self, rows: Sequence[PlacedComb], line: LineOfWords) -> list[PlacedComb]:
        """Move the ends of several arcs at one word apart, so that none crosses another there."""
        ends: dict[int, list[tuple[tuple[float, ...], int, int]]] = defaultdict(list)
        for index, item in enumerate(rows):
            x0, x1 = item.ends
            legs = [(-1, item.comb.source, item.source), *((at, word, x) for at, (word, x) in
                    enumerate(zip(item.words, item.targets, strict=True)))]  # fmt: skip
            for at, word, x in legs:
                if x is None or word is None or item.words == (item.comb.source,):
                    continue
                if x0 < x < x1:
                    order = 1, item.row
                else:  # the nearest of those that go to one side is outermost
                    order = (0, item.row) if x > x0 else (2, -item.row)
                ends[word].append(((*order, at), index, at))
        moved: dict[tuple[int, int], float] = {}
        for word, legs_here in ends.items():
            middle = self.center(line, word)
            for position, (_, index, at) in enumerate(sorted(legs_here)):
                moved[index, at] = middle + (position - (len(legs_here) - 1) / 2) * _APART
        return [
            replace(
                item,
                source=moved.get((index, -1), item.source),
                targets=tuple(moved.get((index, at), x) for at, x in enumerate(item.targets)),
            )
            for index, item in enumerate(rows)
        ]

    def has_arrow(self, repair: Repair, line: LineOfWords, start: int, end: int) -> bool:
        """Return whether a stretch of words that moves has the arrow of its repair on a line.

        It is the longest of its repair, and has more words on this line than on any other.
        """
        if not repair.has_parents or repair.number > ARROWS:
            return False

        def words(other: LineOfWords) -> int:
            return min(end, other.after) - max(start, other.first)

        longest = max(repair.moved, key=lambda stretch: stretch.end - stretch.start)
        return (start, end) == longest and max(self.lines, key=words) is line


class Side:
    """What stands above or below a line of words."""

    def __init__(self, setting: Setting, line: LineOfWords, side: str) -> None:
        sizes = setting.sizes
        self.side = side
        self.labels = setting.placed_bars(line, side, brackets=False)
        self.brackets = setting.placed_bars(line, side, brackets=True)
        self.combs = setting.placed_combs(line, side)
        n_labels, n_brackets, n_combs = (
            1 + max((item.row for item in items), default=-1) for items in (self.labels, self.brackets, self.combs)
        )
        has_text = any(item.edge is not None or item.comb.links[0].text for item in self.combs)
        self.comb_step = sizes.row * (0.8 if has_text else 0.56)
        self._label_step, self._bracket_step = sizes.tag_row, sizes.row
        has_arrows = any(line.has(start, end) and setting.has_arrow(repair, line, start, end)
                         for repair, start, end in setting.boxes)  # fmt: skip
        self._brackets = sizes.tag_row * n_labels + (_LIFT if has_arrows and n_brackets else 2.0)
        self._combs = self._brackets + sizes.row * n_brackets
        self.height = self._combs + self.comb_step * n_combs + (2 if n_combs else 0)

    def label(self, row: int) -> float:
        """Distance of the middle of a label from the words."""
        return self._label_step * (row + 0.5)

    def bracket(self, row: int) -> float:
        """Distance of the line of a bracket."""
        return self._brackets + self._bracket_step * row + 1

    def comb(self, row: int) -> float:
        """Distance of arcs."""
        return self._combs + self.comb_step * (row + 0.55) + 2


def fitting(make: Callable[[Sizes], Setting], height: float | None) -> Setting:
    """Return the setting in the largest type that takes no more lines than the smallest and fits."""
    base = make(Sizes())
    room = base.room * len(base.lines)
    for scale in _SCALES[:-1]:
        if sum(base.widths) * scale > room:
            continue  # certainly more lines
        setting = make(Sizes().scaled(scale))
        if len(setting.lines) == len(base.lines) and (height is None or setting.height <= height):
            return setting
    if height is None or base.height <= height:
        return base
    for sizes in _TIGHT:
        setting = make(sizes)
        if setting.height <= height:
            break
    return setting


def _bars(marks: Marks) -> Iterator[Bar]:
    """Yield each label, but the brackets of one status over the same words together."""
    joined: dict[object, list[Mark]] = defaultdict(list)
    for index, mark in enumerate(marks.marks):
        if mark.stretches and mark.end > mark.start:
            own = -1 if mark.kind == "bracket" else index
            whose = mark.repairs if marks.parsers else ()
            joined[mark.side, mark.status, mark.follows, mark.stretches, whose, own].append(mark)
    for group in joined.values():
        yield Bar(tuple(sorted(group, key=lambda mark: -mark.node)))


def _combs(links: Sequence[Link]) -> Iterator[Comb]:
    """Yield the arcs of one repair from one head together."""
    joined: dict[object, list[Link]] = defaultdict(list)
    for index, link in enumerate(links):
        own = index if link.text or link.source is None else -1
        joined[link.side, link.status, link.source, link.repairs, own].append(link)
    for group in joined.values():
        yield Comb(tuple(sorted(group, key=lambda link: link.target)))


def _by_word(items: Iterable[tuple[str, Iterable[int]]]) -> dict[tuple[str, int], list[int]]:
    """Return the indices of items, each given by its side and its words, by side and word."""
    at: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for index, (side, words) in enumerate(items):
        for word in words:
            at[side, word].append(index)
    return dict(at)


def _on_line(at: dict[tuple[str, int], list[int]], line: LineOfWords, side: str) -> list[int]:
    """Return the indices of the items of a side that are at words of a line, in their order."""
    return sorted({index for word in range(line.first, line.after) for index in at.get((side, word), ())})
