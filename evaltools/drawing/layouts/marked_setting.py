"""Where the words and brackets of a marked sentence stand: sizes of type, lines of words, rows of brackets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from evaltools.drawing.measure import text_width, visible
from evaltools.marks import MarkedBracket, MarkedSentence, MarkedTag, MarkedWord

MAX_ARROWS = 5
"""The phrases of further repairs have a dotted outline and no arrow."""

LETTERS = {"only-a": "A", "only-b": "B", "alike": "A B"}
"""The letters of the parsers that are wrong, by the status of a bracket of two parsers."""

_MANY = 20
"""Pictures of more wrong brackets may need the tightest setting."""
_SCALES = (1.4, 1.3, 1.2, 1.1, 1.0)
_CLOSING = frozenset(".,;:!?)]}%…”’»") | {"''", "-RRB-", "-RSB-", "-RCB-", "n't", "'s", "'"}
_OPENING = frozenset("([{“‘«$") | {"``", "-LRB-", "-LSB-", "-LCB-"}


@dataclass(frozen=True, slots=True)
class Sizes:
    """Lengths in pixels."""

    word: float = 13.0
    label: float = 11.0
    band: float = 20.0
    row: float = 16.0
    tag_row: float = 12.0
    gap: float = 14.0
    gutter: float = 62.0
    right: float = 14.0
    badge: float = 6.5
    joins: bool = False  # Whether all wrong brackets of one status that share an edge stand on one line

    def scaled(self, scale: float) -> Sizes:
        """Return the lengths at another size of type."""
        values = {
            name: getattr(self, name) * scale for name in ("word", "label", "band", "row", "tag_row", "gap", "badge")
        }
        return replace(self, **values, gutter=self.gutter * min(scale, 1.1))


_COMPACT = Sizes(word=12.0, row=14.0, gap=9.0, label=11.0, band=19.0)
_LOW = replace(_COMPACT, row=13.0, gap=6.0, band=18.0)
TIGHT = (_COMPACT, _LOW, replace(_LOW, joins=True))
"""For sentences that take too much room: the first that fits is used, the last if none does."""


# ------------------------------------------------------------------------------------------------------- rows of a line


@dataclass(frozen=True, slots=True)
class Bar:
    """A bracket over displayed words, with its index in the sentence."""

    index: int
    bracket: MarkedBracket
    stretches: tuple[tuple[int, int], ...]  # Its words, several stretches where it has gaps

    @property
    def start(self) -> int:
        """First word."""
        return self.stretches[0][0]

    @property
    def end(self) -> int:
        """Word after the last one."""
        return self.stretches[-1][1]

    @property
    def has_gaps(self) -> bool:
        """Whether its words are not adjacent."""
        return len(self.stretches) > 1

    @property
    def repair(self) -> int:
        """Number of the repair that settles it, 0 for a right bracket."""
        return self.bracket.repairs[0] if self.bracket.repairs else 0


@dataclass(frozen=True, slots=True)
class Track:
    """Bars drawn as one line: one bar, or several that follow from one repair and share an edge."""

    bars: tuple[Bar, ...]

    @property
    def start(self) -> int:
        """First word."""
        return min(bar.start for bar in self.bars)

    @property
    def end(self) -> int:
        """Word after the last one."""
        return max(bar.end for bar in self.bars)

    @property
    def is_right(self) -> bool:
        """Whether it is a right bracket, drawn for orientation."""
        return self.bars[0].bracket.status == "right"


def _outermost(bar: Bar) -> tuple[int, int]:
    """Return a key that sorts bars from the outermost to the innermost: a node has a higher number than those in it."""
    return bar.start - bar.end, -bar.bracket.node


def _tracks(bars: Sequence[Bar], *, joins: bool = False) -> list[Track]:
    """Join bars that follow from one repair, and share an edge, or are one parser's and begin together.

    If all are to be joined, of different repairs too, those of one status and weight that share an edge. Bars with gaps
    have lines of their own.
    """
    left = [bar for bar in bars if not bar.has_gaps and (bar.bracket.follows or bar.bracket.status in LETTERS
            or (joins and bar.bracket.status != "right"))]  # fmt: skip
    single = [bar for bar in bars if bar not in left]
    tracks = [Track((bar,)) for bar in single]
    for edge in ("start", "end"):
        groups: dict[tuple[object, int], list[Bar]] = {}
        for bar in left:
            status, follows = bar.bracket.status, bar.bracket.follows
            if status in LETTERS and edge == "end":
                continue  # its label would stand where another bracket begins
            whose = status if status in LETTERS else (status, follows) if joins else bar.repair
            groups.setdefault((whose, getattr(bar, edge)), []).append(bar)
        joined = [tuple(group) for group in groups.values() if len(group) > 1]
        tracks += [Track(tuple(sorted(group, key=_outermost))) for group in joined]
        taken = {bar.index for group in joined for bar in group}
        left = [bar for bar in left if bar.index not in taken]
    return [*tracks, *(Track((bar,)) for bar in left)]


def has_bundles(sentence: MarkedSentence) -> bool:
    """Return whether several brackets stand on one line of the picture, or may where there is little room."""
    sides = ([Bar(index, item, item.stretches) for index, item in enumerate(sentence.brackets) if item.side == side]
             for side in ("gold", "test"))  # fmt: skip
    joins = sentence.wrong > _MANY
    return any(len(track.bars) > 1 for bars in sides for track in _tracks(bars, joins=joins))


@dataclass(frozen=True, slots=True)
class Piece:
    """A track on one line of words, with its row: 0 is next to the words."""

    track: Track
    x0: float
    x1: float
    opens: bool  # Whether it begins on an earlier line
    continues: bool  # Whether it ends on a later one
    row: int
    label_x: float  # Where its labels begin: at its left end, or before it to leave room for the ticks of a bundle
    label_end: float
    # For a bracket with gaps, the left and right ends of its stretches on this line.
    stretches: tuple[tuple[float, float], ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether there is a line to draw after the label."""
        return self.x1 - max(self.label_end, self.x0) > 3


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


class WordLines:
    """Widths of words and the lines they are broken into, at one size of type; what stands over them is for others."""

    def __init__(self, words: Sequence[MarkedWord], sizes: Sizes, width: float) -> None:
        self.sizes = sizes
        self.room = width - sizes.gutter - sizes.right
        self.forms = [visible(word.form) for word in words]
        self.scored = [word.position is not None for word in words]
        self.joined = [word.joined for word in words]
        self.widths = [text_width(form, sizes.word) * 0.94 for form in self.forms]  # with the room before and after
        self.pads = [0.0] * len(self.forms)  # Room before a word, such as for the number of a box
        self.tails = [0.0] * len(self.forms)  # Room that a label over a word takes to its right, over further words
        self.gaps: list[float] = []
        self.lines: list[LineOfWords] = []

    def spaced(self, edges: Collection[int]) -> list[float]:
        """Return the space before each word: none before closing punctuation and after opening, more at edges."""
        space = self.sizes.word * 0.34
        gaps = [0.0] if self.forms else []
        for before, after in pairwise(range(len(self.forms))):
            closes = not self.scored[after] and self.forms[after] in _CLOSING
            opens = not self.scored[before] and self.forms[before] in _OPENING
            gaps.append(0.0 if closes or opens or self.joined[after] else space)
        return [gap + 5 if index in edges and index else gap for index, gap in enumerate(gaps)]

    def broken(self, cuts: Sequence[float], stops: Collection[int] = ()) -> list[LineOfWords]:
        """Break the words into lines: few lines, little slack, none very short, cheap cuts; always at stops."""
        n = len(self.widths)
        best: list[tuple[float, int]] = [(0.0, 0)] + [(float("inf"), 0)] * n
        for end in range(1, n + 1):
            length = tail = 0.0
            for start in range(end - 1, -1, -1):
                gap = self.gaps[start + 1] if start + 1 < end else 0.0
                tail = max(tail, self.tails[start] - length - gap)
                length += self.widths[start] + gap
                if start + 1 in stops and start + 1 < end:
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

    def line_height(self, line: LineOfWords) -> float:
        """Height of a line with all that stands over and under it."""
        raise NotImplementedError

    @property
    def height(self) -> float:
        """Height of all systems."""
        return sum(map(self.line_height, self.lines)) + self.sizes.gap * max(0, len(self.lines) - 1)


Lines = TypeVar("Lines", bound=WordLines)


def fitting(make: Callable[[Sizes], Lines], height: float | None) -> Lines:
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
    for sizes in TIGHT:
        setting = make(sizes)
        if setting.height <= height:
            break
    return setting


class Setting(WordLines):
    """The words of a marked sentence with the brackets that differ."""

    def __init__(self, sentence: MarkedSentence, sizes: Sizes, width: float) -> None:
        super().__init__(sentence.words, sizes, width)
        ends = {word.position: index for index, word in enumerate(sentence.words) if word.position is not None}
        self.bars = {
            side: [
                Bar(index, bracket, tuple((ends[start], ends[end - 1] + 1) for start, end in bracket.stretches))
                for index, bracket in enumerate(sentence.brackets)
                if bracket.side == side and bracket.span.end > bracket.span.start
            ]
            for side in ("gold", "test")
        }
        self.tracks = {
            side: [part for track in _tracks(bars, joins=sizes.joins) for part in self._short(track)]
            for side, bars in self.bars.items()
        }
        self.tags: dict[int, MarkedTag] = {ends[tag.position]: tag for tag in sentence.tags}
        self.boxes = [
            (repair, ends[start], ends[end - 1] + 1)
            for repair in sentence.repairs
            for start, end in repair.moved_stretches
        ]
        self.insets = self._numbered()
        self.gaps = self.spaced({edge for _, start, end in self.boxes[:MAX_ARROWS] for edge in (start, end)})
        self._widen()
        self.lines = self.broken(self._cuts())

    def label_width(self, track: Track) -> float:
        """Width of the tick, mark, numbers and labels at the left end of a track."""
        return sum(width for *_, width in label_parts(track, self.sizes)) + 6

    def _short(self, track: Track) -> Iterator[Track]:
        """Yield a track, in parts if its labels take more than a line."""
        half = len(track.bars) // 2
        if half and self.label_width(track) > self.room:
            yield from self._short(Track(track.bars[:half]))
            yield from self._short(Track(track.bars[half:]))
        else:
            yield track

    def _numbered(self) -> dict[tuple[int, int], float]:
        """Make room for the number of each box before its words; return how far it begins before them.

        Boxes are told by the numbers of their repairs and their first words.
        """
        insets: dict[tuple[int, int], float] = {}
        if not self.sizes.badge:
            return {(repair.number, start): 0.0 for repair, start, _ in self.boxes}
        for repair, start, _ in sorted(self.boxes, key=lambda box: box[2]):
            room = 2 * self.sizes.badge + 5
            self.pads[start] += room
            self.widths[start] += room
            insets[repair.number, start] = self.pads[start]
        return insets

    def _widen(self) -> None:
        """Make room for tags over their words and for the labels of short brackets where another bracket begins."""
        for index, tag in self.tags.items():
            widest = max(text_width(text, self.sizes.label) for text in (tag.gold, tag.test))
            self.widths[index] = max(self.widths[index], self.pads[index] + widest + 2)
        for tracks in self.tracks.values():
            starts = {track.start for track in tracks}
            for track in sorted(tracks, key=lambda track: track.end - track.start):
                there = sum(self.widths[track.start : track.end]) + sum(self.gaps[track.start + 1 : track.end])
                there -= self.pads[track.start]
                wanted = min(self.label_width(track) + 8, self.room)
                if wanted <= there:
                    continue
                covered = next((left for word, left in self._under(track.end, wanted - there) if word in starts), 0.0)
                self.widths[track.end - 1] += covered
                self.tails[track.end - 1] = max(self.tails[track.end - 1], wanted - there - covered)

    def _under(self, word: int, length: float) -> Iterator[tuple[int, float]]:
        """Yield the words from one on that a label covers, each with the length that is left of it there."""
        while word < len(self.widths) and length > 0:
            yield word, length
            length -= self.gaps[word] + self.widths[word]
            word += 1

    @staticmethod
    def ticks(track: Track, line: LineOfWords) -> Iterator[float]:
        """Yield where the bars of a bundle begin or end on a line, except at its own ends."""
        for bar in track.bars[1:]:
            if bar.start != track.start and line.first <= bar.start < line.after:
                yield line.left(bar.start)
            if bar.end != track.end and line.first < bar.end <= line.after:
                yield line.right(bar.end - 1)

    def _cuts(self) -> list[float]:
        """Return the cost of a break before each word: of brackets it cuts, labels, and short moving phrases."""
        cuts = [0.0] * (len(self.widths) + 1)
        for tracks in self.tracks.values():
            for track in tracks:
                room = self.label_width(track)
                for at in range(track.start + 1, track.end):
                    room -= self.widths[at - 1] + self.gaps[at]
                    cuts[at] += 0.25 if room < 0 else 2.0  # a label without room would leave the line
        for _, start, end in self.boxes[:MAX_ARROWS]:
            length = sum(self.widths[start:end]) + sum(self.gaps[start + 1 : end])
            before = 0.0
            for at in range(start + 1, end):
                before += self.widths[at - 1] + self.gaps[at]
                if length < 0.9 * self.room or min(before, length - before) < 0.3 * self.room:
                    cuts[at] += 1.0  # a long phrase may be cut in its middle
        return cuts

    def pieces(self, line: LineOfWords, side: str) -> list[Piece]:
        """Return the tracks of a side on a line; every track is farther from the words than those within it."""
        pieces: list[Piece] = []
        here = [track for track in self.tracks[side] if track.start < line.after and track.end > line.first]
        for track in sorted(here, key=lambda track: (track.end - track.start, track.bars[0].bracket.node)):
            opens, continues = track.start < line.first, track.end > line.after
            x0 = line.lefts[0] - 9 if opens else line.left(track.start)
            x1 = line.rights[-1] + 9 if continues else line.right(track.end - 1)
            width = self.label_width(track)
            covers_tick = any(at < x0 + width for at in self.ticks(track, line))
            label_x = x0 - width if covers_tick and not opens and x0 - width >= line.lefts[0] - 9 else x0
            most = x1 - 6 if continues else self.sizes.gutter + self.room + self.sizes.right - 2
            label_x = max(min(label_x, most - width), min(line.lefts[0] - 9, label_x))  # no label leaves the picture
            label_end = label_x + width
            x1 = max(x1, label_end + 6) if continues else x1
            right = max(x1, label_end) + 4
            below = [piece.row for piece in pieces
                     if piece.label_x < right and label_x < max(piece.x1, piece.label_end) + 4]  # fmt: skip
            row = max(below, default=-1) + 1
            stretches = tuple(self._stretches(track.bars[0], line, x0, x1)) if track.bars[0].has_gaps else ()
            pieces.append(Piece(track, x0, x1, opens, continues, row, label_x, label_end, stretches))
        return pieces

    @staticmethod
    def _stretches(bar: Bar, line: LineOfWords, x0: float, x1: float) -> Iterator[tuple[float, float]]:
        """Yield the ends of the stretches of a bar on a line, those of the line where a stretch is cut."""
        for start, end in bar.stretches:
            if start < line.after and end > line.first:
                yield (
                    x0 if start < line.first else line.left(start),
                    x1 if end > line.after else line.right(end - 1),
                )

    def line_height(self, line: LineOfWords) -> float:
        """Height of a line with its brackets."""
        return self.system(line)[2]

    def system(self, line: LineOfWords) -> tuple[dict[str, list[Piece]], dict[str, float], float]:
        """Return the pieces above and below a line, the heights of the two sides, and the height of all."""
        sizes = self.sizes
        pieces = {side: self.pieces(line, side) for side in ("gold", "test")}
        tag_row = sizes.tag_row if any(line.first <= word < line.after for word in self.tags) else 0.0
        heights = {
            side: tag_row + sizes.row * (1 + max((piece.row for piece in own), default=-1)) + 3
            for side, own in pieces.items()
        }
        return pieces, heights, heights["gold"] + heights["test"] + sizes.band


# -------------------------------------------------------------------------------------------------------------- labels


def label_parts(track: Track, sizes: Sizes, *, opens: bool = False) -> Iterator[tuple[str, str, Bar, float]]:
    """Yield what stands at the left end of a track: marks, numbers and labels, each with its width."""
    first = track.bars[0]
    if first.bracket.status in LETTERS:
        text = LETTERS[first.bracket.status]
        yield "letters", text, first, text_width(text, sizes.label) + 13
    elif not track.is_right and not opens:
        yield "mark", first.bracket.status, first, 11.0
    numbered: tuple[int, ...] = ()
    for bar in track.bars:
        if bar.bracket.repairs != numbered and bar.bracket.status not in LETTERS:
            for number in bar.bracket.repairs[: 2 if sizes.badge else 0]:
                yield "badge", str(number), bar, 2 * sizes.badge + (3 if number < 10 else 7)
            numbered = bar.bracket.repairs
        label = visible(bar.bracket.label) + ("," if bar is not track.bars[-1] else "")
        yield "label", label, bar, text_width(label, sizes.label) + 4
