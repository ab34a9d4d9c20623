"""BracketRepair by repair: a small marked sentence for each repair, and what it says; words far away are left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaltools.drawing.layouts.marked_parts import mirrored, told_lines
from evaltools.drawing.layouts.marked_sentence import (
    bracket_data,
    bracket_text,
    focused,
    shortened,
    system_items,
)
from evaltools.drawing.layouts.marked_setting import Setting, Sizes
from evaltools.drawing.measure import is_right_to_left, text_width
from evaltools.drawing.scene import Group, Item, Scene, Table, Text
from evaltools.marks import BracketRepair, MarkedSentence, RepairStrips
from evaltools.text import count_of

_SIZES = Sizes(gutter=14.0)
_CAPTION = 330.0  # Captions are wrapped at this width, or at that of a wider picture
_APART = (26.0, 20.0)  # Space between strips


def strips_scene(strips: RepairStrips, *, width: float = 900.0, title: str | None = None) -> Scene:
    """Return the repairs of a sentence as strips beside and below one another.

    Parameters
    ----------
    strips : RepairStrips
        What to draw.
    width : float
        Width to wrap at.
    title : str or None
        A heading.
    """
    sentence = strips.sentence
    items: list[Item] = []
    x = top = 4.0
    if title:
        items.append(Text(title, 12.0, top + 10, 14.0, "heading", "start"))
        top += 26
    height = 0.0
    for strip in _strips(sentence, width - 8):
        if x > 4.0 and x + strip.width > width - 4:
            x, top, height = 4.0, top + height + _APART[1], 0.0
        items.append(Group(strip.items, "one-repair", offset=(x, top)))
        x += strip.width + _APART[0]
        height = max(height, strip.height)
    number = len(sentence.repairs)
    label = f"BracketRepair by repair: {count_of(number, 'repair')}"
    return Scene(width, max(top + height + 4, 24.0), tuple(items), "marked", label)


def _strips(sentence: MarkedSentence, width: float) -> Iterator[Scene]:
    """Yield the picture of each repair, as narrow as it can be without another line."""
    mirror = is_right_to_left(word.form for word in sentence.words)
    for repair in sentence.repairs:
        drawn = shortened(focused(sentence, repair.number))
        setting = Setting(drawn, _SIZES, width)
        pieces = [setting.pieces(line, side) for line in setting.lines for side in ("gold", "test")]
        labels = [piece.label_end for each in pieces for piece in each]
        right = max(*(line.rights[-1] for line in setting.lines), *labels, 0.0)
        own = min(width, max(right + _SIZES.right, min(_CAPTION, _length(repair, sentence.wrong))))
        caption, used = told_lines(repair, f"of {sentence.wrong} {sentence.unit}", 2.0, 10.0, own)
        items: list[Item] = []
        top = 0.0
        for line in setting.lines:
            system, height, _ = system_items(drawn, setting, line, top, "", "", shade=False)
            items.append(Group(tuple(system), "system"))
            top += height + _SIZES.gap
        picture = Scene(own, top - _SIZES.gap, tuple(items), "marked", "")
        if mirror:
            picture = mirrored(picture)
        below = Group(picture.items, offset=(0.0, used + 4))
        yield Scene(own, used + 4 + picture.height, (*caption, below), "marked", "")


def _length(repair: BracketRepair, wrong: int) -> float:
    text = f"{repair.phrase} {repair.told} – {repair.repaired} of {wrong} brackets"
    return text_width(text, 13.0) + 40


def strips_text(strips: RepairStrips, *, gold_name: str = "gold", test_name: str = "parser") -> list[Table | str]:
    """Return the repairs and their brackets as rows of text."""
    return bracket_text(strips.sentence, gold_name=gold_name, test_name=test_name)


def strips_data(strips: RepairStrips) -> dict[str, Any]:
    """Return the repairs as plain data."""
    return {"repairs": bracket_data(strips.sentence)["repairs"]}
