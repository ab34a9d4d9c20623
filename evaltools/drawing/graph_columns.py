"""The columns of a drawing of semantic graphs: nodes stacked over the words that they stand for.

A node that stands for several words gets a column of its own between them, unless it binds a node that stands for one
of them: then it goes under that one. What binds stands under what is bound, an argument under its predicate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evaltools.drawing.graph_content import GraphContent
from evaltools.drawing.graph_shapes import DrawnNode, DrawnRole
from evaltools.drawing.measure import join_words

__all__ = ["Cell", "Column", "Extent", "columns_of"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One piece of the text, or several that are folded together."""

    first: int
    last: int
    text: str
    full: str
    joined: bool = False
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle of a column that others keep away from; heights grow upwards from the words."""

    low: float
    high: float
    left: float
    right: float
    kind: str


@dataclass(slots=True)
class Column:
    """Nodes over one another.

    Parameters
    ----------
    cell : Cell or None
        The word under them.
    stack : list of DrawnNode
        The lowest first.
    base : float
        Height at which the lowest begins.
    low, high, half : dict
        Height of the lower and upper side of every box, and half its width, by the node's number.
    extents : list of Extent
        What others keep away from.
    x : float
        Its middle.
    """

    cell: Cell | None
    stack: list[DrawnNode] = field(default_factory=list)
    base: float = 0.0
    low: dict[int, float] = field(default_factory=dict)
    high: dict[int, float] = field(default_factory=dict)
    half: dict[int, float] = field(default_factory=dict)
    extents: list[Extent] = field(default_factory=list)
    x: float = 0.0

    @property
    def top(self) -> float:
        """Height of the uppermost box."""
        return self.high[self.stack[-1].number] if self.stack else 0.0

    def above(self, number: int) -> float:
        """Return half the width of the widest box above a node; 0 where there is none."""
        place = next(place for place, node in enumerate(self.stack) if node.number == number)
        return max((self.half[node.number] for node in self.stack[place + 1 :]), default=0.0)


def _cells(content: GraphContent) -> list[Cell]:
    closed = {first: last for first, last, is_open in content.folds if not is_open}
    opened = {first for first, _, is_open in content.folds if is_open}
    cells = []
    place = 0
    while place < len(content.pieces):
        piece = content.pieces[place]
        if place in closed:
            last = closed[place]
            words = "".join(
                ("" if one.joined or not at else " ") + one.full
                for at, one in enumerate(content.pieces[place : last + 1])
            )
            cells.append(Cell(place, last, join_words(words.split(" ")), words))
            place = last + 1
            continue
        cells.append(Cell(place, place, piece.text, piece.full, piece.joined, place in opened))
        place += 1
    return cells


def columns_of(content: GraphContent) -> list[Column]:
    """Put nodes and words into columns, in the order of the text.

    Parameters
    ----------
    content : GraphContent
        What there is to draw.
    """
    cells = _cells(content)
    at = {piece: place for place, cell in enumerate(cells) for piece in range(cell.first, cell.last + 1)}
    nodes = [node for node in content.nodes if node.number in content.shown]
    reach: dict[int, tuple[int, int] | None] = {
        node.number: None if node.first is None or node.last is None else (at[node.first], at[node.last])
        for node in nodes
    }
    targets: dict[int, list[int]] = defaultdict(list)
    for role in content.roles:
        if role.source in reach and role.target in reach and role.source != role.target:
            targets[role.source].append(role.target)
    home: dict[int, tuple[float, int, int]] = {}
    for node in nodes:
        span = reach[node.number]
        if span is not None and span[0] == span[1]:
            home[node.number] = (float(span[0]), 0, 0)
    for node in nodes:
        if node.number in home or not node.quantifier:
            continue
        span = reach[node.number]
        bound = [home[one] for one in targets[node.number] if one in home]
        if span is not None and bound and span[0] <= bound[0][0] <= span[1]:
            home[node.number] = bound[0]
    for node in sorted(nodes, key=lambda one: one.quantifier):
        if node.number not in home:
            home[node.number] = _between(node, reach, targets[node.number], home, len(cells))
    keys = sorted({*home.values(), *((float(place), 0, 0) for place in range(len(cells)))})
    columns = {key: Column(cells[int(key[0])] if key[0].is_integer() else None) for key in keys}
    by_home: dict[tuple[float, int, int], list[DrawnNode]] = defaultdict(list)
    for node in nodes:
        by_home[home[node.number]].append(node)
    for key, listed in by_home.items():
        columns[key].stack = _stacked(listed, content.roles)
    return [columns[key] for key in keys]


def _between(
    node: DrawnNode,
    reach: dict[int, tuple[int, int] | None],
    targets: Sequence[int],
    home: dict[int, tuple[float, int, int]],
    cells: int,
) -> tuple[float, int, int]:
    """Return the place of a column between two words; of one that is there already for what has its place with it."""
    span = reach[node.number]
    bound = [home[one] for one in targets if one in home]
    if bound:
        between = not bound[0][0].is_integer()
        if node.quantifier and (between or span is None):
            return bound[0]
        if between and span is not None and reach[targets[0]] == span:
            return bound[0]
    if span is None:
        middle = sum(place for place, _, _ in bound) / len(bound) if bound else cells
        return int(middle) + 0.5, node.number, node.number
    inside = [place for place, _, _ in bound if span[0] <= place <= span[1]]
    middle = sum(inside) / len(inside) if inside else sum(span) / 2
    return min(int(middle), span[1] - 1) + 0.5, span[0], span[1]


def _stacked(nodes: Sequence[DrawnNode], roles: Iterable[DrawnRole]) -> list[DrawnNode]:
    """Order the nodes of a column from the lowest to the highest."""
    inside = {node.number: node for node in nodes}
    below: dict[int, set[int]] = {number: set() for number in inside}
    for role in roles:
        if role.source in inside and role.target in inside and role.source != role.target:
            lower, upper = role.target, role.source
            if inside[role.source].quantifier:
                lower, upper = upper, lower
            below[upper].add(lower)
    order: list[DrawnNode] = []
    left = dict(inside)
    while left:
        number = min(left, key=lambda one: (len(below[one] & left.keys()), not left[one].quantifier, one))
        order.append(left.pop(number))
    return order
