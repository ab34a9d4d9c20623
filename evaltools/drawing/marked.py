"""The marked sentence: words set like running text, what differs in gold above them, what differs in the parse below.

Each line of words is laid out like a system in a music score. A bracket is a line over its words with its labels; an
arc leads from a head to its dependents, or to the edge with the word of a head on another line. The side and the color
say the status, dashes what is missing. A phrase that moves has a box, an arrow leads up to the bracket it belongs to,
and a cross is on the bracket it is in. What only follows from a move is thin and has no number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, cast

from evaltools.corpus.stretches import gap_text, gaps_of
from evaltools.drawing.marked_lines import (
    ARROWS,
    LineOfWords,
    PlacedBar,
    PlacedComb,
    Setting,
    Side,
    Sign,
    Sizes,
    fitting,
)
from evaltools.drawing.measure import is_right_to_left, text_width, visible
from evaltools.drawing.scene import (
    Box,
    Group,
    Item,
    LegendEntry,
    Line,
    Polygon,
    Rectangle,
    Ring,
    Row,
    Scene,
    Table,
    Text,
    legend_rows,
    records,
)
from evaltools.marks import Link, Mark, Marks, Repair, Status, Word, parsers_class
from evaltools.text import beginning, count_of, percentage

_ARROW = 5.0
_GUTTER = 40.0  # Lines that go down within this distance of the edge do not shorten the words there
_GUTTER_TYPE = 12.0  # Size of the names of the two sides
_FULL = 3  # Number of repairs that are described in full
_MIN_TEXT = 460.0  # Texts of a picture that is narrower are wrapped at this width
_MARGIN = 10.0
_STRIP = Sizes(gutter=14.0)
_CAPTION = 330.0  # Captions of repairs are wrapped at this width, or at that of a wider picture
_APART = (26.0, 20.0)  # Space between pictures of repairs


# --------------------------------------------------------------------------------------------------------------- scene


def marked_scene(
    marks: Marks,
    *,
    width: float = 900.0,
    height: float | None = None,
    focus: int | None = None,
    gold_name: str = "gold",
    parse_name: str = "parser",
    shade: bool = False,
    right: bool = False,
    shorten: bool = False,
    numbered: bool = True,
    verdict: bool = False,
    legend: bool = False,
    tight: bool = False,
    one_by_one: bool = False,
    title: str | None = None,
) -> Scene:
    """Return the marked sentence as a scene.

    Parameters
    ----------
    marks : Marks
        What to draw.
    width : float
        Width to wrap at.
    height : float or None
        Height to fit if the smallest type allows it.
    focus : int or None
        Number of the repair whose marks alone are drawn.
    gold_name, parse_name : str
        Names of the two analyses, at the left of each line.
    shade : bool
        Whether leaf-ancestor scores shade the words.
    right : bool
        Whether what both analyses have is drawn, too.
    shorten : bool
        Whether words far from any mark are left out.
    numbered : bool
        Whether marks have the numbers of their repairs.
    verdict : bool
        Whether the repairs stand above it in words, the largest first; of two parsers, their names.
    legend : bool
        Whether the meanings of the signs stand below it.
    tight : bool
        Whether the picture ends at the right where its contents do.
    one_by_one : bool
        Whether each repair has a small picture of its own, which leaves out words far away.
    title : str or None
        A heading.
    """
    if one_by_one:
        return _one_by_one(marks, width, title)
    drawn = marks.focused(focus)
    drawn = drawn.with_right() if right else drawn
    drawn = drawn.shortened() if shorten else drawn

    def setting_in(sizes: Sizes) -> Setting:
        sizes = sizes if numbered else replace(sizes, badge=0.0)
        return Setting(drawn, sizes if gold_name or parse_name else replace(sizes, gutter=_STRIP.gutter), width)

    setting = fitting(setting_in, height)
    end = max((line.rights[-1] + _MARGIN for line in setting.lines), default=0.0)
    room = min(width, max(_MIN_TEXT, end)) if tight else width
    heading, top = _heading(marks, room, title, verdict=verdict)
    systems, bottom, middle = _systems(setting, top, gold_name, parse_name, shade=shade)
    signs = marks.legend(right=right, shade=shade, numbered=numbered) if legend else ()
    below, used = legend_rows([_entry(*sign) for sign in signs], room, bottom + 6)
    items = [*heading, *systems, *below]
    width = min(width, _right_edge(items) + _MARGIN) if tight else width
    if is_right_to_left(word.form for word in marks.words):
        systems = _mirrored(systems, width)
    label = title or f"Marked sentence: {parse_name} against {gold_name}, {_counts(marks)}"
    return Scene(width, bottom + used, (*heading, *systems, *below), "marked", label, middle)


def _counts(marks: Marks) -> str:
    wrong = f"{marks.wrong} {marks.unit_of_wrong}"
    if marks.parsers:
        return wrong
    return f"{wrong}, {'no list of repairs' if marks.unrepaired else count_of(len(marks.repairs), 'repair')}"


def _systems(
    setting: Setting, top: float, gold_name: str, parse_name: str, *, shade: bool
) -> tuple[list[Item], float, float | None]:
    """Return the lines of words with their marks, where they end, and the middle of the first line."""
    systems: list[Item] = []
    middle = None
    for line, above, below in setting.sides:
        system = _System(setting, line, (above, below), top)
        systems.append(Group(tuple(system.items(gold_name, parse_name, shade=shade)), "system"))
        middle = system.middle if middle is None else middle
        top += above.height + setting.sizes.band + below.height + setting.sizes.gap
    return systems, max(top - setting.sizes.gap + 4, 24.0), middle


def _one_by_one(marks: Marks, width: float, title: str | None) -> Scene:
    """Return the repairs of a sentence as pictures beside and below one another."""
    items: list[Item] = []
    x = top = 4.0
    if title:
        items.append(Text(title, 12.0, top + 10, 14.0, "heading", "start"))
        top += 26
    height = 0.0
    for repair in marks.repairs:
        own, own_width, own_height = _of_repair(marks, repair, width - 8)
        if x > 4.0 and x + own_width > width - 4:
            x, top, height = 4.0, top + height + _APART[1], 0.0
        items.append(Group(tuple(own), "one-repair", offset=(x, top)))
        x += own_width + _APART[0]
        height = max(height, own_height)
    label = f"Repair by repair: {count_of(len(marks.repairs), 'repair')}"
    return Scene(width, max(top + height + 4, 24.0), tuple(items), "marked", label)


def _of_repair(marks: Marks, repair: Repair, width: float) -> tuple[list[Item], float, float]:
    """Return the picture of a repair, as narrow as it can be without another line, with its width and height."""
    setting = Setting(marks.focused(repair.number).shortened(), _STRIP, width)
    systems, bottom, _ = _systems(setting, 0.0, "", "", shade=False)
    text = f"{repair.phrase} {repair.full_verdict} – {_share(marks, repair)}"
    caption_width = min(_CAPTION, text_width(text, 13.0) + 40)
    width = min(width, max(_right_edge(systems) + _MARGIN, caption_width))
    if is_right_to_left(word.form for word in marks.words):
        systems = _mirrored(systems, width)
    caption = _Texts(2.0, 10.0, width)
    caption.add_repair(marks, repair)
    used = caption.y - 10.0
    return [*caption.items, Group(tuple(systems), offset=(0.0, used + 4))], width, used + bottom


class _System:
    """The items of one line of words with what stands above and below it."""

    def __init__(self, setting: Setting, line: LineOfWords, sides: tuple[Side, Side], top: float) -> None:
        self.setting, self.line, self.sides, self.sizes = setting, line, sides, setting.sizes
        self.marks = setting.marks
        self.band_top = top + sides[0].height
        self.middle = self.band_top + self.sizes.band / 2
        self._occupied: list[Box] = []  # What arrows must not cover

    def items(self, gold_name: str, parse_name: str, *, shade: bool) -> Iterator[Item]:
        """Yield everything, from back to front."""
        yield from self._band(gold_name, parse_name)
        boxes = [box for box in self.setting.boxes if self.line.has(*box[1:])]
        for box in boxes:
            yield self._box(*box)
        for word in range(self.line.first, self.line.after):
            yield self._cell(word, shade=shade)
        for side in self.sides:
            for comb in sorted(side.combs, key=lambda item: -item.row):
                yield self._arc(comb, side)
            for label in side.labels:
                yield from self._labels(label, side, self._at(side, side.label(label.row)))
            for bracket in side.brackets:
                yield from self._bracket(bracket, side)
        for repair, start, end in boxes:
            if self.setting.has_arrow(repair, self.line, start, end):
                yield self._move(repair, start, end)

    def _at(self, side: Side, distance: float) -> float:
        """Return the height at a distance from the band of words."""
        return self.band_top - distance if side.side == "gold" else self.band_top + self.sizes.band + distance

    # ------------------------------------------------------------------------------------------------------- words

    def _band(self, gold_name: str, parse_name: str) -> Iterator[Item]:
        """Yield the ground of the words, and the names of the two sides before it."""
        left, end = self.sizes.gutter, self.line.rights[-1]
        yield Rectangle(Box((left + end) / 2, self.middle, end - left + 10, self.sizes.band), "band", "", 4)
        short_test = "parsers" if self.marks.parsers else "parser"
        for name, short, y, up in (
            (gold_name, "gold", self.middle - 0.6 * _GUTTER_TYPE, 3.0),
            (parse_name, short_test, self.middle + 0.6 * _GUTTER_TYPE, -3.0),
        ):
            if name:
                text = name if text_width(name, _GUTTER_TYPE) < left - 28 else short
                yield Text(text, left - 22, y, _GUTTER_TYPE, "gutter", "end", is_name=True)
                # no character, for which programs would take another face for the whole text
                yield Polygon(((left - 15, y - up), (left - 11.5, y + up), (left - 18.5, y + up)), "pointer")

    def _box(self, repair: Repair, start: int, end: int) -> Group:
        """Return the box around words that move; its number stands before them if they have room for it."""
        line, sizes = self.line, self.sizes
        inset = self.setting.insets.get((repair.number, start), 0.0) if start >= line.first else 0.0
        x0, x1 = line.left(max(start, line.first)) - inset - 3, line.right(min(end, line.after) - 1) + 3
        role = "moved-box" if repair.number <= ARROWS else "moved-outline"
        items: list[Item] = [Rectangle(Box((x0 + x1) / 2, self.middle, x1 - x0, sizes.band - 1), role, "", 4)]
        if inset:
            items += _badge(str(repair.number), x0 + sizes.badge_width(repair.number) / 2 + 3, self.middle, sizes)
        title = f"repair {repair.number}: {repair.phrase} {repair.verdict}"
        data = {"repair": repair.number}
        return Group(tuple(items), "node phrase", status="moved", title=title, data=data, is_symbol=True)

    def _cell(self, at: int, *, shade: bool) -> Group:
        """Return a word; the scores of two parsers are strips above and below it."""
        word, sizes = self.marks.words[at], self.sizes
        form, x, width = self.setting.forms[at], self.line.left(at), self.setting.text_widths[at]
        score = word.score if shade and not self.marks.parsers else None
        items: list[Item] = []
        if score is not None:
            box = Box(x + width / 2, self.middle, width + 2, sizes.band - 4)
            items.append(Rectangle(box, "shade", "", 2, shade=score))
        for share, edge in ((word.score, -1), (word.score_b, 1)) if shade and self.marks.parsers else ():
            if share is not None and share < 1:
                strip = Box(x + width / 2, self.middle + edge * (sizes.band / 2 - 1.5), width + 2, 3.0)
                items.append(Rectangle(strip, "shade", "", 0, shade=share))
        role = "soft word" if word.position is None else "word"
        items.append(Text(form, x, self.middle, sizes.word, role, "start", shade=score))
        title = f"{form}: {percentage(score, 2)}" if score is not None and not word.gold_path else _paths(word, form)
        return Group(tuple(items), "cell", data={"word": at}, title=title)

    # ----------------------------------------------------------------------------------------- labels and brackets

    def _group(self, role: str, items: Sequence[Item], mark: Mark | Link, title: str, **data: object) -> Group:
        """Return the items of a mark."""
        is_thin = mark.status is Status.RIGHT or (isinstance(mark, Mark) and mark.follows)
        return Group(
            tuple(items),
            f"node {role}",
            mark.side,
            self._class(mark),
            "thin" if is_thin else "",
            title=visible(title),
            data=data,
            is_symbol=True,
            takes_focus=True,
        )

    def _class(self, mark: Mark | Link) -> str:
        """Return the class of a mark: its status, or which parsers have it wrong."""
        return parsers_class(mark.repairs) if self.marks.parsers and mark.repairs else mark.status

    def _labels(self, placed: PlacedBar, side: Side, y: float, line: Sequence[Item] = ()) -> Iterator[Group]:
        """Yield a group for each mark of a bar: its numbers and label; the line they share is in the first one."""
        bar, sizes = placed.bar, self.sizes
        x, half = placed.label_x, self.sizes.tag_row / 2
        for mark, signs in _by_mark(self.setting.signs(bar.marks)):
            items: list[Item] = []
            left, top, bottom = x, y - half, y + half
            for kind, text, width in signs:
                items += _sign(kind, text, x, y, width, sizes, is_thin=bar.is_thin)
                x += width
            right = x
            if mark is bar.first and line:
                items += line
                left, right = min(left, placed.x0), max(right, placed.x1)
                top, bottom = (top, bottom + 4) if side.side == "gold" else (top - 4, bottom)
            hit = Rectangle(Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top), "hit")
            yield self._group(
                "bracket" if bar.is_bracket else "tag",
                [hit, *items],
                mark,
                self.marks.describe(mark),
                repair=_numbers(self.marks.numbers_of(mark)),
                node=f"{mark.side[0]}{mark.node}",
                start=mark.start,
                end=mark.end,
                gaps=gap_text(gaps_of(mark.stretches)) or None,
            )
        self._occupied.append(Box((placed.label_x + x) / 2, y, x - placed.label_x, 0.8 * sizes.label))

    def _bracket(self, placed: PlacedBar, side: Side) -> Iterator[Group]:
        """Yield the groups of a bracket: a line over its words, dotted over gaps, and its labels beyond it."""
        away = -1 if side.side == "gold" else 1
        y = self._at(side, side.bracket(placed.row))
        line: list[Item] = [Line(((x0, y), (x1, y)), "stroke") for x0, x1 in placed.stretches]
        gaps = zip(placed.stretches, placed.stretches[1:], strict=False)
        line += [Line(((x1, y), (x0, y)), "stroke gap") for (_, x1), (x0, _) in gaps if x0 > x1]
        if placed.opens:
            line.append(Line(((placed.x0 + 4, y - 3.5), (placed.x0, y), (placed.x0 + 4, y + 3.5)), "stroke solid"))
        if placed.continues:
            line.append(Line(((placed.x1 - 4, y - 3.5), (placed.x1, y), (placed.x1 - 4, y + 3.5)), "stroke solid"))
        yield from self._labels(placed, side, y + away * (0.5 * self.sizes.label + 2.5), line)

    def _move(self, repair: Repair, start: int, end: int) -> Group:
        """Return the arrow from a phrase up to where it belongs, and the line down to the cross where it is."""
        items: list[Item] = []
        left = self.line.left(max(start, self.line.first))
        ends = left + 3, self.line.right(min(end, self.line.after) - 1) - 3
        for side, node in zip(self.sides, (repair.gold_parent, repair.test_parent), strict=True):
            parent = next((item for item in side.brackets if _has_node(item, node)), None)
            x = None if parent is None else self._landing(parent, side, ends)
            if x is None or parent is None:
                continue
            y, edge = self._at(side, side.bracket(parent.row)), self._at(side, 0.0)
            if side.side == "gold":
                items.append(Line(((x, edge), (x, y + 1)), "arrow", arrow=7.0))
            else:
                items.append(Line(((x, edge), (x, y - 4)), "arrow dotted"))
                items += [Line(((x - 4, y - rise), (x + 4, y + rise)), "cross") for rise in (4, -4)]
            self._occupied.append(Box(x, (y + edge) / 2, 9.0, abs(y - edge) + 9))
        return Group(tuple(items), "move", status="moved", data={"repair": repair.number})

    def _landing(self, parent: PlacedBar, side: Side, ends: tuple[float, float]) -> float | None:
        """Return where a straight line from a phrase to a bracket covers nothing, near the middle of the phrase."""
        y, edge = self._at(side, side.bracket(parent.row)), self._at(side, 0.0)
        left, right = max(ends[0], parent.x0 + 4), min(ends[1], parent.x1 - 4)
        middle = (left + right) / 2
        middles = [middle, *(left + 3 * step for step in range(int((right - left) / 3) + 1))] if left <= right else []
        for x in sorted(middles, key=lambda x: abs(x - middle)):
            way = Box(x, (y + edge) / 2, 9.0, abs(y - edge) + (0 if side.side == "gold" else 9))
            if not any(way.overlaps(box) for box in self._occupied):
                return x
        return None

    # -------------------------------------------------------------------------------------------------------- arcs

    def _foot(self, side: Side, x: float) -> float:
        """Return where an arc ends at its word: at the highest label there, or at the band."""
        labels = [side.label(item.row) + self.sizes.tag_row / 2 for item in side.labels
                  if item.label_x - 3 < x < item.label_end + 1]  # fmt: skip
        brackets = [side.bracket(item.row) + self.sizes.row - 2 for item in side.brackets
                    if item.label_x - 3 < x < max(item.label_end, item.x1) + 1]  # fmt: skip
        return self._at(side, max((*labels, *brackets), default=0.0))

    def _arc(self, placed: PlacedComb, side: Side) -> Group:
        """Return the arcs of a repair from one head, or one arc with its label."""
        comb, first = placed.comb, placed.comb.links[0]
        y = self._at(side, side.comb(placed.row))
        x0, x1 = placed.ends
        items: list[Item] = []
        occupied: list[tuple[float, float]] = []
        if width := self.setting.width_of(comb.links[:1]):
            target = placed.targets[0]
            end = placed.edge if placed.source is None else placed.source
            x = target + 5 if end is not None and end > target else target - 5 - width
            x = placed.text[0] if placed.text else x
            occupied.append((x - 2, x + width))
            for kind, text, _, used in self.setting.signs(comb.links[:1]):
                items += _sign(kind, text, x, y, used, self.sizes, is_thin=first.status is Status.RIGHT)
                x += used
        if placed.edge is not None and comb.source is not None:
            crossing = [x for item in side.combs if item.row > placed.row for x in item.legs]
            items += self._far(placed, comb.source, y, occupied, crossing)
        items += [Line(((left, y), (right, y)), "stroke") for left, right in _free(x0, x1, occupied)]
        if placed.source is not None:
            items.append(Line(((placed.source, y), (placed.source, self._foot(side, placed.source))), "stroke solid"))
        for x in placed.targets:
            items.append(Line(((x, y), (x, self._foot(side, x))), "stroke solid", self._class(first), arrow=_ARROW))
        if placed.source is None and placed.edge is None:
            items += [Ring(x, y, 3.0, "badge") for x in placed.targets]
        items.append(Rectangle(Box((x0 + x1) / 2, y, max(x1 - x0, 12.0), side.comb_step), "hit"))
        words = sorted({*placed.words, *([] if comb.source is None else [comb.source])})
        title = "; ".join(map(self.marks.describe, comb.links))
        return self._group("arc", items, first, title, repair=_numbers(first.repairs), words=_numbers(words))

    def _far(
        self, placed: PlacedComb, source: int, y: float, occupied: list[tuple[float, float]], crossing: Sequence[float]
    ) -> Iterator[Item]:
        """Yield the word that an arc comes from at the edge, shortened for lines across; `occupied` gets its room."""
        assert placed.edge is not None
        size = min(self.sizes.label, 12.0)
        is_left = source < self.line.first
        stops = [*placed.targets, *(x for ends in occupied for x in ends)]
        room = min(abs(x - placed.edge) for x in stops) - 12
        room = min([room, *(gap - 6 for x in crossing if (gap := abs(x - placed.edge)) > _GUTTER)])
        form = self.setting.forms[source]
        while len(form) > 3 and text_width(f"◂ {form}", size) > room:
            form = beginning(form, len(form) - 1)
        text = f"◂ {form}" if is_left else f"{form} ▸"
        width = text_width(text, size)
        yield Text(text, placed.edge, y, size, "label", "start" if is_left else "end", is_name=True)
        occupied.append((placed.edge, placed.edge + width + 3) if is_left else (placed.edge - width - 3, placed.edge))


def _numbers(numbers: Iterable[int]) -> str | None:
    """Return numbers for the viewer; None without any."""
    return " ".join(map(str, numbers)) or None


def _by_mark(signs: Iterable[Sign]) -> Iterator[tuple[Mark, list[tuple[str, str, float]]]]:
    """Yield each mark with what is at it."""
    for _, own in groupby(signs, key=lambda sign: id(sign[2])):
        listed = list(own)
        yield cast(Mark, listed[0][2]), [(kind, text, width) for kind, text, _, width in listed]


def _has_node(item: PlacedBar, node: int | None) -> bool:
    return any(mark.kind == "bracket" and mark.node == node for mark in item.bar.marks)


def _paths(word: Word, form: str) -> str | None:
    """Return the labels from a word to the root in both analyses."""
    if not word.gold_path:
        return None
    gold, test = " ".join(word.gold_path), " ".join(word.test_path)
    return f"{form}: {gold}" if gold == test else f"{form}: gold {gold}; parse {test}"


def _free(x0: float, x1: float, occupied: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the parts of a line that no text takes."""
    x = x0
    for left, right in sorted(occupied):
        if left - x > 1:
            yield x, left
        x = max(x, right)
    if x1 - x > 1:
        yield x, x1


def _sign(kind: str, text: str, x: float, y: float, width: float, sizes: Sizes, *, is_thin: bool) -> list[Item]:
    """Return a label, the number of a repair, or the letters of parsers, at `x`."""
    if kind == "badge":
        return _badge(text, x + (width - 3) / 2, y, sizes)
    if kind == "letters":
        middle = x + (width - 4) / 2
        box = Rectangle(Box(middle, y, width - 4, 2 * sizes.badge), "badge", "", 3)
        return [box, Text(text, middle, y, sizes.label, "badge-number", is_name=True)]
    return [Text(text, x, y, sizes.label, "label thin" if is_thin else "label", "start", is_name=True)]


def _badge(text: str, x: float, y: float, sizes: Sizes) -> list[Item]:
    """Return the number of a repair in a circle."""
    radius = sizes.badge if len(text) == 1 else min(sizes.badge + 2, sizes.row / 2 - 0.2)
    size = min(sizes.label, max(sizes.label * 0.86, radius * (1.7 if len(text) == 1 else 1.42)))  # inside the circle
    return [Ring(x, y, radius, "badge"), Text(text, x, y, size, "badge-number", is_name=True)]


# ------------------------------------------------------------------------------------------- texts above and below


class _Texts:
    """Texts below one another, from `x` to `right`; `y` is the middle of the next line."""

    def __init__(self, x: float, y: float, right: float) -> None:
        self.x, self.y, self.right = x, y, right
        self.items: list[Item] = []

    def add(self, text: str) -> None:
        """Add a paragraph in gray."""
        for part in _wrapped(visible(text), self.right - self.x - 2):
            self.items.append(Text(part, self.x + 2, self.y, 13.0, "soft", "start", is_name=True))
            self.y += 17
        self.y += 2

    def add_repair(self, marks: Marks, repair: Repair) -> None:
        """Add a repair in words, with its number."""
        self._number(repair, self.x + 8)
        left, phrase = self.x + 22, visible(repair.phrase)
        text = f"{visible(repair.full_verdict)} – {_share(marks, repair)}"
        for part in _wrapped(text, self.right - left, text_width(phrase, 13.0) + 5):
            self.items.append(Text(part, left, self.y, 13.0, "word", "start", is_name=True, lead=phrase))
            phrase = ""
            self.y += 17
        self.y += 2

    def add_smaller(self, repairs: Sequence[Repair]) -> None:
        """Add repairs in words in small type, beside one another where they have room."""
        size, at = 11.0, self.x
        for repair in repairs:
            text = visible(f"{repair.phrase} {repair.verdict}")
            text += f" (with {', '.join(map(str, repair.together))})" if repair.together else ""
            badge = Sizes().badge_width(repair.number)
            indent = badge + 5
            if at > self.x and at + indent + text_width(text, size) > self.right:
                at, self.y = self.x, self.y + 18
            self._number(repair, at + badge / 2)
            lines = list(_wrapped(text, self.right - at - indent, size=size))
            for index, line in enumerate(lines):
                self.y += 15 if index else 0
                self.items.append(Text(line, at + indent, self.y, size, "soft", "start", is_name=True))
            at = self.right if lines[1:] else at + indent + text_width(text, size) + 14
        self.y += 18

    def _number(self, repair: Repair, x: float) -> None:
        number = _badge(str(repair.number), x, self.y, Sizes())
        self.items.append(Group(tuple(number), "node", status=repair.status or ""))


def _heading(marks: Marks, width: float, title: str | None, *, verdict: bool) -> tuple[list[Item], float]:
    """Return what is above the lines of words: title, repairs in words, names of parsers; and where they end."""
    top = 4.0
    items: list[Item] = []
    if title:
        items.append(Text(title, 12.0, top + 10, 14.0, "heading", "start"))
        top += 26
    if verdict and not marks.parsers:
        texts = _Texts(10.0, top + 9, width - 12)
        if marks.lead:
            texts.add(marks.lead)
        for repair in marks.repairs[:_FULL]:
            texts.add_repair(marks, repair)
        if marks.repairs[_FULL:]:
            texts.add_smaller(marks.repairs[_FULL:])
        for text in filter(None, ("" if marks.repairs else marks.empty, marks.remark)):
            texts.add(text)
        items += texts.items
        top = texts.y
    if verdict and marks.parsers:
        x, y = 10.0, top + 9
        for letter, whose, name in zip("AB", ("only-a", "only-b"), map(visible, marks.parsers), strict=True):
            length = 26 + text_width(name, 12.0) + 18
            if x > 10 and x + length > width:
                x, y = 10.0, y + 18
            sign = _sign("letters", letter, x, y, 19.0, Sizes(), is_thin=False)
            items.append(Group(tuple(sign), "node", status=whose))
            items.append(Text(name, x + 21, y, 12.0, "word strong", "start", is_name=True))
            x += length
        top = y + 16
    return items, top


def _share(marks: Marks, repair: Repair) -> str:
    return f"{repair.repaired} of {marks.wrong} {marks.unit_of_wrong}"


def _wrapped(text: str, room: float, before: float = 0.0, size: float = 13.0) -> Iterator[str]:
    """Yield the lines of a text, of which the first has something before it."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and before + text_width(longer, size) > room:
            yield line
            before, line = 0.0, word
        else:
            line = longer
    yield line


def _entry(sign: str, text: str) -> LegendEntry:
    """Return a sign of the legend and its meaning."""
    width, sample = _sample(sign)
    return LegendEntry(visible(text), sample, width + 5, width + 11)


def _sample(sign: str) -> tuple[float, Group]:
    """Return the width of a sign of the legend, and the sign."""

    def line(start: float, end: float, role: str = "stroke") -> Line:
        return Line(((start, 0.0), (end, 0.0)), role)

    if sign in ("only-a", "only-b", "alike"):
        text = {"only-a": "A", "only-b": "B", "alike": "A B"}[sign]
        box = text_width(text, Sizes().label) + 13
        items = [*_sign("letters", text, 0.0, 0.0, box, Sizes(), is_thin=False), line(box, box + 24)]
        return box + 24, Group(tuple(items), "sample", status=sign)
    if sign in ("moved", "boxed"):
        own: list[Item] = [Rectangle(Box(9.0, 0.0, 18.0, 12.0), "moved-box", "", 4)]
        if sign == "moved":
            own.append(Line(((26.0, 7.0), (26.0, -7.0)), "arrow", arrow=7.0))
            own += [Line(((34.0, -rise), (42.0, rise)), "cross") for rise in (4.0, -4.0)]
        return 42.0 if sign == "moved" else 18.0, Group(tuple(own), "sample", status="moved")
    if sign == "shaded":
        bands = [Rectangle(Box(12.0, y, 24.0, 3.0), "shade", "", 0, shade=0.3) for y in (-6.0, 6.0)]
        return 24.0, Group(tuple(bands), "sample")
    if sign == "scale":
        steps = [Rectangle(Box(3 * step + 1.5, 0.0, 3.0, 12.0), "shade", shade=step / 20) for step in range(21)]
        return 63.0, Group(tuple(steps), "sample")
    if sign == "number":
        return 2 * Sizes().badge, Group(tuple(_badge("1", Sizes().badge, 0.0, Sizes())), "sample", status="right")
    if sign == "gapped":
        pieces = (line(0, 10), line(10, 24, "stroke gap"), line(24, 34))
        return 34.0, Group(pieces, "node sample", status="right", more="thin")
    if sign == "follows":
        halves = [Group((line(start, start + 17),), "sample", status=status, more="thin")
                  for start, status in ((0, Status.MISSING), (19, Status.SPURIOUS))]  # fmt: skip
        return 36.0, Group(tuple(halves))
    return 24.0, Group((line(0, 24),), "sample", status=sign, more="thin" if sign == "right" else "")


def _right_edge(items: Sequence[Item]) -> float:
    """Return how far the visible items of a picture reach to the right."""
    return max((_right(item) for item in items), default=0.0)


def _right(item: Item) -> float:
    if isinstance(item, Group):
        return _right_edge(item.items) + (item.offset[0] if item.offset else 0.0)
    if isinstance(item, Rectangle):
        return item.box.right if item.role != "hit" else 0.0
    if isinstance(item, (Line, Polygon)):
        return max(x for x, _ in item.points)
    if isinstance(item, Ring):
        return item.x + item.radius
    if isinstance(item, Text):
        length = text_width(f"{item.lead} {item.text}" if item.lead else item.text, item.size)
        return item.x + {"start": length, "middle": length / 2}.get(item.anchor, 0.0)
    return item.x


def _mirrored(items: Sequence[Item], width: float) -> list[Item]:
    """Return items for text that runs from right to left."""

    def flip(item: Item) -> Item:
        if isinstance(item, Group):
            return replace(item, items=tuple(flip(inner) for inner in item.items))
        if isinstance(item, Rectangle):
            return replace(item, box=replace(item.box, x=width - item.box.x))
        if isinstance(item, (Line, Polygon)):
            return replace(item, points=tuple((width - x, y) for x, y in item.points))
        if isinstance(item, Text):
            anchor = {"start": "end", "end": "start"}.get(item.anchor, item.anchor)
            if item.role.endswith("word") and anchor == "end":
                anchor = "start"  # of the text's own direction
            return replace(item, x=width - item.x, anchor=anchor)
        return replace(item, x=width - item.x)

    return [flip(item) for item in items]


# ------------------------------------------------------------------------------------------------------- text and data


def marked_text(marks: Marks, *, gold_name: str = "gold", parse_name: str = "parser") -> list[Table | str]:
    """Return the words, the repairs and what differs as rows of text."""
    rows = tuple(
        Row(tuple(((visible(cell), ""),) for cell in cells), status or "")
        for status, cells in _rows(marks, gold_name, parse_name)
    )
    words = " ".join(visible(word.form) for word in marks.words)
    texts = [visible(text) for text in (marks.lead, marks.unrepaired) if text]
    return [words, *texts, *([Table(rows)] if rows else []), *([visible(marks.remark)] if marks.remark else [])]


def _rows(marks: Marks, gold_name: str, parse_name: str) -> Iterator[tuple[Status | None, list[str]]]:
    """Yield the repairs, then what differs, as cells of a table; None as the status of two parsers."""
    for repair in marks.repairs:
        yield repair.status, [str(repair.number), f"{repair.phrase} {repair.full_verdict}", _share(marks, repair)]
    for item in marks.items:
        if item.status is Status.RIGHT or (isinstance(item, Mark) and item.kind == "tag"):
            continue  # verdicts and the remark name the tags
        numbers = marks.letters(item) or ", ".join(map(str, item.repairs))
        where = marks.where(item, gold_name, parse_name)
        yield None if marks.parsers else item.status, [numbers, _named(marks, item), where]


def _named(marks: Marks, item: Mark | Link) -> str:
    if isinstance(item, Mark):
        return f"{item.text or '∅'} “{marks.quoted(item.stretches, 50)}”"
    source = "root" if item.source is None else f"“{marks.words[item.source].form}”"
    return f"{source} → “{marks.words[item.target].form}”{f' {item.text}' if item.text else ''}"


def marked_data(marks: Marks) -> dict[str, Any]:
    """Return the marked sentence as plain data."""
    return {
        "words": [word.form for word in marks.words],
        **({"parsers": marks.parsers} if marks.parsers else {}),
        "unit": marks.unit,
        "wrong": marks.wrong,
        **({"unrepaired": marks.unrepaired} if marks.unrepaired else {}),
        "repairs": records(marks.repairs, "number status type phrase verdict repaired moved together"),
        "marks": records(marks.marks, "kind side label words status repairs follows", label="text", words="stretches"),
        "links": records(marks.links, "side source target label status repairs", label="text"),
    }
