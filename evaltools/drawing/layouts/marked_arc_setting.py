"""Where the labels and arcs of a marked sentence stand: rows of labels next to the words, rows of arcs beyond them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evaltools.drawing.layouts.marked_setting import LETTERS, LineOfWords, Sizes, WordLines
from evaltools.drawing.measure import text_width, visible
from evaltools.marks import MarkedArc, MarkedArcs, MarkedLabel, Repair

_MARGIN = 40.0  # Room at the right for the heads of arcs that leave the line
_APART = 7.0  # Distance of two arcs at one word
_HEAD = 48.0  # Room for the head of an arc that comes from another line
_NEAR = 9.0  # Smallest distance from a word to the end of an arc's label


@dataclass(frozen=True, slots=True)
class Comb:
    """Arcs drawn as one line: those of one repair from one head, whose labels are at their targets; or one arc."""

    arcs: tuple[MarkedArc, ...]

    @property
    def source(self) -> int | None:
        """The word that it leads from."""
        return self.arcs[0].source

    @property
    def side(self) -> str:
        """Whose it is."""
        return self.arcs[0].side

    @property
    def status(self) -> str:
        """Status of its arcs."""
        return self.arcs[0].status


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label on a line of words."""

    label: MarkedLabel
    x0: float
    x1: float  # Right end of its words, or of its text
    row: int  # 0 is next to the words


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


def badges_of(item: MarkedLabel | MarkedArc, sizes: Sizes) -> Iterator[tuple[str, str, float]]:
    """Yield kind, text and width of the number of a repair, or of the letters of the parsers that are wrong."""
    if item.status in LETTERS:
        text = LETTERS[item.status]
        yield "letters", text, text_width(text, sizes.label) + 13
    else:
        for number in item.repairs[:1]:
            yield "badge", str(number), 2 * sizes.badge + (3 if number < 10 else 7)


def arc_parts(arc: MarkedArc, sizes: Sizes) -> list[tuple[str, str, float]]:
    """Return what stands on an arc with a label of its own: its number and its label, each with its width."""
    if not arc.text:
        return []
    text = visible(arc.text)
    return [*badges_of(arc, sizes), ("label", text, text_width(text, sizes.label) + 3)]


def _combs(sentence: MarkedArcs) -> list[Comb]:
    """Join the arcs of one repair from one head."""
    joined: dict[object, list[MarkedArc]] = defaultdict(list)
    for index, arc in enumerate(sentence.arcs):
        own = index if arc.text or arc.source is None else -1
        joined[arc.side, arc.status, arc.source, arc.repairs, own].append(arc)
    return [Comb(tuple(sorted(arcs, key=lambda arc: arc.target))) for arcs in joined.values()]


class ArcSetting(WordLines):
    """The words of a sentence with the labels and arcs that differ."""

    def __init__(self, sentence: MarkedArcs, sizes: Sizes, width: float) -> None:
        super().__init__(sentence.words, replace(sizes, right=_MARGIN) if sentence.arcs else sizes, width)
        self.labels = sentence.labels
        self.numbered = _numbered(sentence.labels)
        self.combs = _combs(sentence)
        self._labels_at = _by_word((label.side, range(*label.span)) for label in self.labels)
        self._combs_at = _by_word((comb.side, {arc.target for arc in comb.arcs}) for comb in self.combs)
        self.boxes = list(_runs(sentence.repairs))
        self.gaps = self.spaced({edge for _, start, end in self.boxes for edge in (start, end)})
        self._widen()
        self.lines = self.broken(self._cuts(), () if sentence.own_row is None else (sentence.own_row,))

    def label_width(self, index: int) -> float:
        """Width of a label, with its number if it has one."""
        label = self.labels[index]
        numbers = sum(part[2] for part in badges_of(label, self.sizes)) if index in self.numbered else 0.0
        return numbers + text_width(visible(label.text), self.sizes.label) + 3

    def _widen(self) -> None:
        """Make room for labels at their words, and for labels of arcs between theirs."""
        for index, label in enumerate(self.labels):
            start, end = label.span
            there = sum(self.widths[start:end]) + sum(self.gaps[start + 1 : end])
            wanted = min(self.label_width(index) + 2, self.room)
            if wanted > there:
                self.widths[end - 1] += wanted - there
        for comb in self.combs:
            parts = arc_parts(comb.arcs[0], self.sizes)
            source, target = comb.source, comb.arcs[0].target
            if not parts or source is None or source == target:
                continue
            first, last = min(source, target), max(source, target)
            between = sum(self.widths[first:last]) + sum(self.gaps[first + 1 : last + 1])
            between += (self._text_width(last) - self._text_width(first)) / 2
            wanted = min(sum(part[2] for part in parts) + 2 * _NEAR, self.room / 2)
            if wanted > between:
                self.widths[last - 1] += wanted - between

    def _text_width(self, word: int) -> float:
        return text_width(self.forms[word], self.sizes.word) * 0.94

    def _cuts(self) -> list[float]:
        """Return the cost of a break before each word: of arcs, labels and boxes that it cuts."""
        cuts = [0.0] * (len(self.widths) + 1)
        for comb in self.combs:
            for arc in comb.arcs:
                if arc.source is not None:
                    for at in range(min(arc.source, arc.target) + 1, max(arc.source, arc.target) + 1):
                        cuts[at] += 0.3 / len(comb.arcs)
        spans = [(label.span.start, label.span.end) for label in self.labels]
        for start, end in (*spans, *((start, end) for _, start, end in self.boxes)):
            for at in range(start + 1, end):
                cuts[at] += 0.5
        return cuts

    def center(self, line: LineOfWords, word: int) -> float:
        """Middle of a word."""
        return line.left(word) + self._text_width(word) / 2

    # ------------------------------------------------------------------------------------------------------- rows

    def placed_labels(self, line: LineOfWords, side: str) -> list[tuple[int, PlacedLabel]]:
        """Return the labels of a side on a line, with their indices; those of fewer words are nearer to them."""
        placed: list[tuple[int, PlacedLabel]] = []
        here = [(index, self.labels[index]) for index in _on_line(self._labels_at, line, side)]
        for index, label in sorted(here, key=lambda pair: (pair[1].span.end - pair[1].span.start, pair[0])):
            x0 = line.left(max(label.span.start, line.first))
            x1 = x0 + self.label_width(index)
            if label.span.end - label.span.start > 1:
                x1 = max(x1, line.right(min(label.span.end, line.after) - 1))
            taken = {other.row for _, other in placed if other.x0 < x1 + 3 and x0 < other.x1 + 3}
            row = next(number for number in range(len(placed) + 1) if number not in taken)
            placed.append((index, PlacedLabel(label, x0, x1, row)))
        return placed

    def placed_combs(self, line: LineOfWords, side: str) -> list[PlacedComb]:
        """Return the arcs of a side on a line; every one is farther from the words than those within it."""
        placed: list[PlacedComb] = []
        for index in _on_line(self._combs_at, line, side):
            comb = self.combs[index]
            words = tuple(arc.target for arc in comb.arcs if line.first <= arc.target < line.after)
            placed.append(self._draft(comb, line, words))
        placed.sort(key=lambda item: (item.ends[1] - item.ends[0], item.words))
        rows: list[PlacedComb] = []
        for item in placed:
            x0, x1 = item.ends
            below = [other.row for other in rows if other.ends[0] < x1 - 0.5 and x0 < other.ends[1] - 0.5]
            rows.append(replace(item, row=max(below, default=-1) + 1))
        return self._apart(rows, line)

    def _draft(self, comb: Comb, line: LineOfWords, words: tuple[int, ...]) -> PlacedComb:
        """Return arcs that begin and end in the middle of their words."""
        targets = tuple(self.center(line, word) for word in words)
        source = comb.source
        if source is None:
            return PlacedComb(comb, None, targets, words, None)
        width = sum(part[2] for part in arc_parts(comb.arcs[0], self.sizes))
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

    # ----------------------------------------------------------------------------------------------------- heights

    def label_step(self) -> float:
        """Height of a row of labels."""
        return self.sizes.tag_row + 2

    def arc_step(self, combs: Sequence[PlacedComb]) -> float:
        """Height of a row of arcs: less where no text is on them."""
        has_text = any(item.edge is not None or item.comb.arcs[0].text for item in combs)
        return self.sizes.row * (0.85 if has_text else 0.6)

    def side_height(self, line: LineOfWords, side: str) -> float:
        """Height of what stands over or under a line."""
        labels = 1 + max((item.row for _, item in self.placed_labels(line, side)), default=-1)
        combs = self.placed_combs(line, side)
        rows = 1 + max((item.row for item in combs), default=-1)
        return self.label_step() * labels + self.arc_step(combs) * rows + (4 if rows else 2)

    def line_height(self, line: LineOfWords) -> float:
        """Height of a line with its labels and arcs."""
        return self.side_height(line, "gold") + self.side_height(line, "test") + self.sizes.band


def _by_word(marks: Iterable[tuple[str, Iterable[int]]]) -> dict[tuple[str, int], list[int]]:
    """Return the indices of marks, each given by its side and its words, by side and word."""
    at: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for index, (side, words) in enumerate(marks):
        for word in words:
            at[side, word].append(index)
    return dict(at)


def _on_line(at: Mapping[tuple[str, int], list[int]], line: LineOfWords, side: str) -> list[int]:
    """Return the indices of the marks of a side that are at words of a line, in their order."""
    return sorted({index for word in range(line.first, line.after) for index in at.get((side, word), ())})


def _numbered(labels: Sequence[MarkedLabel]) -> frozenset[int]:
    """Return the labels that have the numbers of their repairs: those of gold, of the parse if gold has none."""
    in_gold = {number for label in labels if label.side == "gold" for number in label.repairs}
    return frozenset(
        index
        for index, label in enumerate(labels)
        if label.side == "gold" or label.status in LETTERS or not in_gold.intersection(label.repairs)
    )


def _runs(repairs: Sequence[Repair]) -> Iterator[tuple[Repair, int, int]]:
    """Yield each stretch of words that attach elsewhere by one repair."""
    for repair in repairs:
        words = set(repair.words)
        start = None
        for word in repair.words:
            if start is None:
                start = word
            if word + 1 not in words:
                yield repair, start, word + 1
                start = None
