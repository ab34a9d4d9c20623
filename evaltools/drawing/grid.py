"""The columns that two trees share: what stands in them, and how wide that makes them."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence
from itertools import accumulate

from evaltools.drawing.levels import NodeKey
from evaltools.drawing.measure import join_words, shorten, text_width, visible
from evaltools.drawing.side import Side, column_ranges, merge_leaves
from evaltools.metrics.mapping import NodeStatus
from evaltools.treebank import Kind

__all__ = ["GAP", "LABEL_SIZE", "MARGIN", "MARK_WIDTH", "TAG_SIZE", "WORD_SIZE", "Grid", "folded_words"]

WORD_SIZE, LABEL_SIZE, TAG_SIZE = 14.0, 12.5, 11.0
"""Font sizes in pixels."""

MARK_WIDTH = 12.0
"""Room for the mark before a label, in pixels."""

GAP = 14.0
"""Pixels between columns."""

MARGIN = 12.0
"""Pixels around a drawing."""

_LONGEST = 30  # characters of a label or word that are shown


def folded_words(side: Side, node: int) -> list[str]:
    """Return the words below a triangle."""
    start, end = side.tree.span(node)
    return [visible(word) for word in side.tree.words[start:end]]


class Grid:
    """The columns of a drawing.

    Parameters
    ----------
    sides : pair of Side
        The shown parts of the gold tree and of the test tree.
    status : mapping
        Status of every node by side.
    right_to_left : bool
        Whether the first column is on the right.
    """

    def __init__(self, sides: tuple[Side, Side], status: Dict[str, Sequence[NodeStatus]], right_to_left: bool):
        self.columns = merge_leaves(sides[0].leaves, sides[1].leaves)
        self.ranges = {side.name: side.ranges(column_ranges(self.columns, at)) for at, side in enumerate(sides)}
        self.text: dict[NodeKey, str] = {}
        self.text_width: dict[NodeKey, float] = {}
        for side in sides:
            self._measure(side, status[side.name])
        self.borders, self.width = self._borders(sides, right_to_left)

    def _measure(self, side: Side, status: Sequence[NodeStatus]) -> None:
        """Find what is shown of every label, and the room it takes."""
        tree = side.tree
        sizes = {Kind.WORD: WORD_SIZE, Kind.PHRASE: LABEL_SIZE, Kind.PRETERMINAL: TAG_SIZE}
        for node in side.shown:
            label, kind = shorten(visible(tree.labels[node]), _LONGEST), tree.kinds[node]
            mark = 0.0 if status[node] is NodeStatus.MATCHED else MARK_WIDTH
            around = mark + (4 if kind is Kind.WORD and not mark else 10)
            self.text[side.name, node] = label
            self.text_width[side.name, node] = text_width(label, sizes[kind]) + around

    def _borders(self, sides: tuple[Side, Side], right_to_left: bool) -> tuple[list[float], float]:
        widths = [0.0] * len(self.columns)
        wide: list[tuple[int, int, float]] = []
        for side in sides:
            for node, (first, last) in self.ranges[side.name].items():
                need = self.text_width[side.name, node]
                if node in side.folded:
                    need = max(need, text_width(join_words(folded_words(side, node)), WORD_SIZE) + 8)
                wide.append((first, last, need + GAP))
        for first, last, need in sorted(wide, key=lambda item: (item[1] - item[0], item)):
            short = need - sum(widths[first : last + 1])
            if short > 0:
                for column in range(first, last + 1):
                    widths[column] += short / (last - first + 1)
        borders = [MARGIN, *(MARGIN + x for x in accumulate(widths))]
        width = borders[-1] + MARGIN
        return ([width - x for x in borders] if right_to_left else borders), width

    def extent(self, side: str, node: int) -> tuple[float, float]:
        """Return from where to where the columns of a node reach."""
        first, last = self.ranges[side][node]
        ends = self.borders[first], self.borders[last + 1]
        return min(ends), max(ends)

    def middle(self, column: int) -> float:
        """Return the middle of a column."""
        return (self.borders[column] + self.borders[column + 1]) / 2
