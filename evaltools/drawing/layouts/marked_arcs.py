"""The marked sentence of arcs: words set like running text, labels and arcs of gold above them, the parser's below.

Only labels and arcs that differ are drawn. A relation, or the predicate of a node, stands at its words; the arcs of one
repair from one head are one line with an arrow to each dependent. An arc that leaves its line of words ends at the edge
with the word that it comes from. Words that attach elsewhere have a box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from evaltools.corpus import Span
from evaltools.drawing.layouts.marked_arc_setting import ArcSetting, PlacedComb, PlacedLabel, arc_parts, badges_of
from evaltools.drawing.layouts.marked_legend import around_systems, text_room
from evaltools.drawing.layouts.marked_parts import (
    WORDS_KEPT,
    badge,
    band,
    box_around,
    cell,
    heading_items,
    letters,
)
from evaltools.drawing.layouts.marked_setting import LETTERS, LineOfWords, Sizes, fitting
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.scene import Box, Group, Item, Line, Rectangle, Ring, Row, Scene, Segment, Table, Text
from evaltools.marks import MarkedArc, MarkedArcs, MarkedLabel, MarkedWord, tie_of
from evaltools.text import beginning, join_words

_ARROW = 5.0
_GUTTER = 40.0  # Lines that go down within this distance of the edge do not shorten the words there


def marked_arcs_scene(
    sentence: MarkedArcs,
    *,
    width: float = 900.0,
    height: float | None = None,
    focus: int | None = None,
    gold_name: str = "gold",
    test_name: str = "parser",
    shade: bool = False,
    right: bool = False,
    shorten: bool = False,
    verdict: bool = False,
    key: bool = False,
    legend: Sequence[tuple[str, str]] = (),
    tight: bool = False,
    title: str | None = None,
) -> Scene:
    """Return the marked sentence as a scene.

    Parameters
    ----------
    sentence : MarkedArcs
        What to draw.
    width : float
        Width to wrap at.
    height : float or None
        Height to fit if the smallest type allows it.
    focus : int or None
        Number of the repair whose marks alone are drawn.
    gold_name, test_name : str
        Names of the two analyses, at the left of each line.
    shade : bool
        Whether leaf-ancestor scores shade the words.
    right : bool
        Whether the arcs that are right are drawn, too.
    shorten : bool
        Whether words far from any mark are left out.
    verdict : bool
        Whether the repairs stand above it in words, the largest first.
    key : bool
        Whether the names of two parsers stand above it.
    legend : sequence of (str, str)
        What stands below it: statuses, and what their marks mean.
    tight : bool
        Whether the picture ends at the right where its contents do.
    title : str or None
        A heading.
    """
    drawn = _focused(sentence, focus)
    if right:
        drawn = replace(drawn, labels=(*drawn.labels, *drawn.right_labels), arcs=(*drawn.arcs, *drawn.right))
    if shorten:
        drawn = _shortened(drawn)
    setting = fitting(lambda sizes: ArcSetting(drawn, sizes, width), height)
    room = text_room(setting.lines, width) if tight else width
    heading, top = heading_items(
        room,
        title=title,
        repairs=sentence.repairs if verdict else None,
        share=f"of {sentence.wrong} {sentence.unit}",
        empty="Nothing to repair.",
        tie=tie_of(sentence.repairs),
        parsers=sentence.parsers if key else (),
    )
    middle = None
    systems: list[Item] = []
    for line in setting.lines:
        system = _System(drawn, setting, line, top)
        systems.append(Group(tuple(system.items(gold_name, test_name, shade=shade)), "system"))
        middle = system.middle if middle is None else middle
        top += setting.line_height(line) + setting.sizes.gap
    counts = f"{sentence.wrong} {sentence.unit}, {len(sentence.repairs)} repairs"
    label = f"Marked sentence: {test_name} against {gold_name}, {counts}"
    height = max(top - setting.sizes.gap + 4, 24.0)
    scene = Scene(width, height, tuple(systems), "marked", label, middle)
    return around_systems(scene, heading, legend, sentence.words, room=room, tight=tight)


def _focused(sentence: MarkedArcs, focus: int | None) -> MarkedArcs:
    """Return the sentence with the marks of one repair alone."""
    if focus is None or not 1 <= focus <= len(sentence.repairs):
        return sentence
    return replace(
        sentence,
        labels=tuple(label for label in sentence.labels if focus in label.repairs),
        arcs=tuple(arc for arc in sentence.arcs if focus in arc.repairs),
        repairs=(sentence.repairs[focus - 1],),
    )


def _shortened(sentence: MarkedArcs) -> MarkedArcs:
    """Return the sentence with an ellipsis for every stretch of words that is far from any mark."""
    ends = {at for label in sentence.labels for at in (label.span.start, label.span.end - 1)}
    ends |= {at for arc in sentence.arcs for at in (arc.source, arc.target) if at is not None}
    ends |= {at for item in sentence.repairs for at in item.words}
    near = {at + shift for at in ends for shift in range(-WORDS_KEPT, WORDS_KEPT + 1)}
    own_row = len(sentence.words) if sentence.own_row is None else sentence.own_row
    words: list[MarkedWord] = []
    moved: list[int] = []  # New index of each word
    left_out = 0
    for index, word in enumerate(sentence.words):
        if index in near or index >= own_row:
            left_out = 0
            words.append(replace(word, position=None if word.position is None else len(words)))
        else:
            left_out += 1
            form = f"… {left_out} …" if left_out > 1 else "…"
            words[-1 if left_out > 1 else len(words) :] = [MarkedWord(form, None)]
        moved.append(len(words) - 1)
    return replace(
        sentence,
        words=tuple(words),
        labels=tuple(
            replace(item, span=Span(moved[item.span.start], moved[item.span.end - 1] + 1)) for item in sentence.labels
        ),
        arcs=tuple(
            replace(item, source=None if item.source is None else moved[item.source], target=moved[item.target])
            for item in sentence.arcs
        ),
        repairs=tuple(replace(item, words=tuple(moved[at] for at in item.words)) for item in sentence.repairs),
        own_row=None if sentence.own_row is None else moved[sentence.own_row],
    )


class _System:
    """The items of one line of words, with the labels and arcs above and below it."""

    def __init__(self, sentence: MarkedArcs, setting: ArcSetting, line: LineOfWords, top: float) -> None:
        self.sentence, self.setting, self.line, self.sizes = sentence, setting, line, setting.sizes
        self.band_top = top + setting.side_height(line, "gold")
        self.middle = self.band_top + self.sizes.band / 2
        self.labels = {side: setting.placed_labels(line, side) for side in ("gold", "test")}
        self.combs = {side: setting.placed_combs(line, side) for side in ("gold", "test")}

    def items(self, gold_name: str, test_name: str, *, shade: bool) -> Iterator[Item]:
        """Yield everything, from back to front."""
        line, whose = self.line, "parsers" if self.sentence.parsers else "parser"
        yield from band(line, self.middle, gold_name, test_name, whose, self.sizes)
        for repair, start, end in self.setting.boxes:
            if start < line.after and end > line.first:
                first, last = max(start, line.first), min(end, line.after)
                yield box_around(repair, first, last, line, self.middle, self.sizes)
        for word in range(line.first, line.after):
            form = self.setting.forms[word]
            yield cell(self.sentence.words[word], form, line.left(word), self.middle, self.sizes, shade=shade)
        for side in ("gold", "test"):
            for comb in sorted(self.combs[side], key=lambda item: -item.row):
                yield self._comb(comb, side)
            for index, label in self.labels[side]:
                yield self._label(index, label)

    def _beyond(self, side: str, distance: float) -> float:
        """Return the height at a distance from the band of words."""
        return self.band_top - distance if side == "gold" else self.band_top + self.sizes.band + distance

    def _label(self, index: int, placed: PlacedLabel) -> Group:
        """Return a label at its words: its number, its text, and a line over further words."""
        label, sizes = placed.label, self.sizes
        y = self._beyond(label.side, self.setting.label_step() * (placed.row + 0.5))
        items: list[Item] = []
        x = placed.x0
        if index in self.setting.numbered:
            for kind, text, width in badges_of(label, sizes):
                items += _numbers(kind, text, x, y, width, sizes)
                x += width
        text = visible(label.text)
        role = "label thin" if label.status == "right" else "label"
        items.append(Text(text, x, y, sizes.label, role, "start", is_name=True))
        x += text_width(text, sizes.label) + 3
        if placed.x1 - x > 4:
            toward = 4 if label.side == "gold" else -4
            items.append(Line(((x, y), (placed.x1, y), (placed.x1, y + toward)), "stroke solid"))
        items.append(Rectangle(Box((placed.x0 + placed.x1) / 2, y, placed.x1 - placed.x0, sizes.tag_row), "hit"))
        return Group(
            tuple(items),
            "node tag",
            label.side,
            label.status,
            "thin" if label.status == "right" else "",
            title=label.says or text,
            data={
                "repair": " ".join(map(str, label.repairs)) or None,
                "node": f"{label.side[0]}{label.node}",
                "start": label.span.start,
                "end": label.span.end,
            },
            is_symbol=True,
            takes_focus=True,
        )

    def _foot(self, side: str, x: float) -> float:
        """Return where an arc ends at its word: at the highest label there, or at the band."""
        under = [item.row + 1 for _, item in self.labels[side] if item.x0 - 3 < x < item.x1 + 1]
        return self._beyond(side, self.setting.label_step() * max(under, default=0) + (1 if under else 0))

    def _comb(self, placed: PlacedComb, side: str) -> Group:
        """Return the arcs of a repair from one head, or one arc with its label."""
        comb, status = placed.comb, placed.comb.status
        rows = 1 + max((item.row for _, item in self.labels[side]), default=-1)
        step = self.setting.arc_step(self.combs[side])
        y = self._beyond(side, self.setting.label_step() * rows + step * (placed.row + 0.55) + 2)
        x0, x1 = placed.ends
        items: list[Item] = []
        parts = arc_parts(comb.arcs[0], self.sizes)
        taken: list[tuple[float, float]] = []
        if parts:
            width = sum(part[2] for part in parts)
            target = placed.targets[0]
            other = placed.source if placed.source is not None else placed.edge
            left = target + 5 if other is not None and other > target else target - 5 - width
            left = placed.text[0] if placed.text else left
            taken.append((left - 2, left + width))
            for kind, text, used in parts:
                items += _numbers(kind, text, left, y, used, self.sizes)
                left += used
        if placed.edge is not None and comb.source is not None:
            crossing = [x for item in self.combs[side] if item.row > placed.row for x in item.legs]
            items += self._far(placed, comb.source, y, taken, crossing)
        for left, right in _between(x0, x1, taken):
            for shift in (-1.2, 1.2) if status == "spurious" else (0.0,):
                items.append(Line(((left, y + shift), (right, y + shift)), "stroke", status))
        if placed.source is not None:
            items.append(Line(((placed.source, y), (placed.source, self._foot(side, placed.source))), "stroke solid"))
        for x in placed.targets:
            items.append(Line(((x, y), (x, self._foot(side, x))), "stroke solid", status, arrow=_ARROW))
        if placed.source is None and placed.edge is None:
            items += [Ring(x, y, 3.0, "badge") for x in placed.targets]
        items.append(Rectangle(Box((x0 + x1) / 2, y, max(x1 - x0, 12.0), step), "hit"))
        words = sorted({*placed.words, *([] if comb.source is None else [comb.source])})
        return Group(
            tuple(items),
            "node arc",
            side,
            status,
            "thin" if status == "right" else "",
            title="; ".join(arc.says for arc in comb.arcs if arc.says) or None,
            data={
                "repair": " ".join(map(str, comb.arcs[0].repairs)) or None,
                "words": " ".join(map(str, words)),
            },
            is_symbol=True,
            takes_focus=True,
        )

    def _far(
        self, placed: PlacedComb, source: int, y: float, taken: list[tuple[float, float]], crossing: Sequence[float]
    ) -> Iterator[Item]:
        """Yield the word that an arc comes from at the edge, shortened for lines across; `taken` gets its room."""
        assert placed.edge is not None
        size = min(self.sizes.label, 12.0)
        is_left = source < self.line.first
        stops = [*placed.targets, *(x for ends in taken for x in ends)]
        room = min(abs(x - placed.edge) for x in stops) - 12
        room = min([room, *(gap - 6 for x in crossing if (gap := abs(x - placed.edge)) > _GUTTER)])
        form = self.setting.forms[source]
        while len(form) > 3 and text_width(f"◂ {form}", size) > room:
            form = beginning(form, len(form) - 1)
        text = f"◂ {form}" if is_left else f"{form} ▸"
        width = text_width(text, size)
        yield Text(text, placed.edge, y, size, "label", "start" if is_left else "end", is_name=True)
        taken.append((placed.edge, placed.edge + width + 3) if is_left else (placed.edge - width - 3, placed.edge))


def _numbers(kind: str, text: str, x: float, y: float, width: float, sizes: Sizes) -> list[Item]:
    """Return the number of a repair, the letters of parsers, or a label, at `x`."""
    if kind == "letters":
        return letters(text, x, y, width, sizes)
    if kind == "badge":
        return badge(text, x + sizes.badge + 1, y, sizes, hollow=False)
    return [Text(text, x, y, sizes.label, "label", "start", is_name=True)]


def _between(x0: float, x1: float, taken: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the parts of a line that no text takes."""
    x = x0
    for left, right in sorted(taken):
        if left - x > 1:
            yield x, left
        x = max(x, right)
    if x1 - x > 1:
        yield x, x1


# ------------------------------------------------------------------------------------------------------- text and data


def marked_arcs_text(sentence: MarkedArcs, *, gold_name: str = "gold", test_name: str = "parser") -> list[Table | str]:
    """Return the repairs and what differs as rows of text."""
    rows: list[Row | str] = []
    for repair in sentence.repairs:
        share = f"{repair.repaired} of {sentence.wrong}"
        cells = _cells(f"{repair.number}", f"{repair.phrase} {repair.told}", share)
        rows.append(Row(cells, repair.cause))
    names = {"gold": gold_name, "test": test_name}
    forms = [word.form for word in sentence.words]
    differing: tuple[MarkedLabel | MarkedArc, ...] = (*sentence.labels, *sentence.arcs)
    for item in differing:
        numbers = LETTERS.get(item.status) or " ".join(map(str, item.repairs))
        rows.append(
            Row(_cells(numbers, _said(item, forms), names[item.side]), "" if item.status in LETTERS else item.status)
        )
    tie = tie_of(sentence.repairs)
    return [" ".join(map(visible, forms)), *([visible(tie)] if tie else []), *([Table(tuple(rows))] if rows else [])]


def _said(item: MarkedLabel | MarkedArc, forms: Sequence[str]) -> str:
    if isinstance(item, MarkedLabel):
        return f"{visible(item.text)} “{visible(join_words(forms[item.span.start : item.span.end], 50))}”"
    source = "root" if item.source is None else f"“{visible(forms[item.source])}”"
    return f"{source} → “{visible(forms[item.target])}”{f' {visible(item.text)}' if item.text else ''}"


def _cells(*texts: str) -> tuple[tuple[Segment, ...], ...]:
    return tuple(((text, ""),) for text in texts)


def marked_arcs_data(sentence: MarkedArcs) -> dict[str, Any]:
    """Return the marked sentence as plain data."""
    return {
        "words": [word.form for word in sentence.words],
        **({"parsers": list(sentence.parsers)} if sentence.parsers else {}),
        sentence.unit.replace(" ", "_"): sentence.wrong,
        "repairs": [
            {
                "number": repair.number,
                "cause": repair.cause.value,
                "type": repair.type,
                "phrase": repair.phrase,
                "verdict": repair.verdict,
                "share": repair.repaired,
                "words": list(repair.words),
            }
            for repair in sentence.repairs
        ],
        "labels": [
            {
                "side": label.side,
                "label": label.text,
                "span": list(label.span),
                "status": label.status,
                "repairs": list(label.repairs),
            }
            for label in sentence.labels
        ],
        "arcs": [
            {
                "side": arc.side,
                "source": arc.source,
                "target": arc.target,
                **({"label": arc.text} if arc.text else {}),
                "status": arc.status,
                "repairs": list(arc.repairs),
            }
            for arc in sentence.arcs
        ],
    }
