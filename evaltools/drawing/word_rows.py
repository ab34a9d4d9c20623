"""Two rows of words as text: the gold tree's above, the test tree's below, joined as they are aligned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaltools.drawing.measure import cells, shorten, visible
from evaltools.drawing.palette import ANSI, MARKS, TIE_MARKS, TIES
from evaltools.drawing.word_columns import placed_links, word_columns
from evaltools.metrics.mapping import Alignment, NodeStatus, WordMatch

__all__ = ["word_rows"]

_LONGEST = 30
_APART = 2


@dataclass(frozen=True, slots=True)
class _Block:
    """Words that are joined with one another, in both rows, and the sign between them; or a single word."""

    above: str
    sign: str
    below: str

    @property
    def width(self) -> int:
        return max(cells(self.above), cells(self.below), cells(self.sign))


def word_rows(
    alignment: Alignment, *, width: int = 100, colour: bool = False, gold_name: str = "gold", test_name: str = "test"
) -> list[str]:
    """Write the words of the two trees under one another.

    Parameters
    ----------
    alignment : Alignment
        A sentence whose words were aligned.
    width : int
        Columns of the terminal; more words go on below.
    colour : bool
        Use terminal colours beside the marks.
    gold_name, test_name : str
        What the two trees are called.

    Returns
    -------
    list of str
        Three lines for each stretch that fits, an empty line between stretches, and what the signs mean.
    """
    names = (shorten(visible(gold_name), _LONGEST), "", shorten(visible(test_name), _LONGEST))
    room = max(map(cells, names)) + _APART
    lines: list[str] = []
    stretch: list[_Block] = []
    taken = room
    for block in [*_blocks(alignment), None]:
        if stretch and (block is None or taken + block.width > width):
            lines += [*([""] if lines else []), *_stretch(stretch, names, room, colour=colour)]
            stretch, taken = [], room
        if block is not None:
            stretch.append(block)
            taken += block.width + _APART
    seen = {link.how for link in placed_links(alignment)}
    said = "   ".join(f"{TIE_MARKS[how]} {TIES[how]}" for how in WordMatch if how in seen)
    return [*lines, "", said] if said else lines


def _stretch(blocks: Sequence[_Block], names: tuple[str, str, str], room: int, *, colour: bool) -> Iterator[str]:
    for name, row in zip(names, ("above", "sign", "below"), strict=True):
        line = name + " " * (room - cells(name))
        for block in blocks:
            text = getattr(block, row)
            line += _painted(text, colour=colour) + " " * (block.width - cells(text) + _APART)
        yield line.rstrip()


def _painted(text: str, *, colour: bool) -> str:
    for status in (NodeStatus.DELETED, NodeStatus.INSERTED):
        if colour and text.startswith(f"{MARKS[status]} "):
            return f"\x1b[{ANSI[status]}m{text}\x1b[0m"
    return text


def _blocks(alignment: Alignment) -> Iterator[_Block]:
    """Yield the words from first to last, those joined directly or by way of others together."""
    links = {(link.gold, link.test): link.how for link in placed_links(alignment)}
    linked = {gold for gold, _ in links}, {test for _, test in links}
    words = alignment.gold.words, alignment.test.words
    at = [0, 0]

    def until(*ends: int) -> list[str]:
        """Return the words of both rows up to the ends, each by itself marked if nothing is aligned with it."""
        rows = []
        for side, (end, status) in enumerate(zip(ends, (NodeStatus.DELETED, NodeStatus.INSERTED), strict=True)):
            shown = [
                ("" if place in linked[side] else f"{MARKS[status]} ") + shorten(visible(words[side][place]), _LONGEST)
                for place in range(at[side], end)
            ]
            rows.append("|".join(shown))
            at[side] = end
        return rows

    groups: list[list[tuple[int, int]]] = []
    for column in word_columns(alignment):
        if groups and (groups[-1][-1][0] == column[0] or groups[-1][-1][1] == column[1]):
            groups[-1].append(column)
        else:
            groups.append([column])
    for group in [*groups, [(len(words[0]), len(words[1]))]]:
        while at[0] < group[0][0]:
            yield _Block(*_put(until(at[0] + 1, at[1]), ""))
        while at[1] < group[0][1]:
            yield _Block(*_put(until(at[0], at[1] + 1), ""))
        if group[0][0] < len(words[0]) and group[0][1] < len(words[1]):
            hows = [links.get(column) for column in group]
            sign = "" if hows[0] is None else TIE_MARKS[hows[0]]
            yield _Block(*_put(until(group[-1][0] + 1, group[-1][1] + 1), sign))


def _put(rows: list[str], sign: str) -> tuple[str, str, str]:
    return rows[0], sign, rows[1]
