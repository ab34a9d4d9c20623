"""The grid under two mirrored trees: shared columns, rows above the words, and what is folded or has a partner."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Mapping as Dict
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from evaltools.drawing.measure import join_words, shorten, text_width, visible
from evaltools.drawing.parts import MARK_WIDTH
from evaltools.metrics.mapping import Alignment, Mapping, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = [
    "FOLD_ABOVE",
    "GAP",
    "LABEL_SIZE",
    "MARGIN",
    "TAG_SIZE",
    "WORD_SIZE",
    "Grid",
    "NodeKey",
    "Side",
    "assign_levels",
    "folded_roots",
    "folded_words",
    "identical_subtrees",
    "keys_of",
    "partners",
]

NodeKey = tuple[str, int]
"""Side and node number."""


def assign_levels(
    least: Dict[NodeKey, int],
    children: Dict[NodeKey, tuple[NodeKey, ...]],
    mates: Dict[NodeKey, NodeKey],
) -> dict[NodeKey, int]:
    """Give every node a row above all its children, and mapped nodes the same row where that is possible."""
    mates = dict(mates)
    parents = {child: node for node, below in children.items() for child in below}
    waiting = {node: len(children[node]) for node in least}
    own = dict(least)
    level: dict[NodeKey, int] = {}
    held: set[NodeKey] = set()
    ready = [node for node, number in waiting.items() if not number]

    def settle(node: NodeKey, row: int) -> None:
        level[node] = row
        parent = parents.get(node)
        if parent is not None:
            own[parent] = max(own[parent], row + 1)
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)

    while ready or held:
        if not ready:  # a chain turned round: every held node waits for another one
            node = min(held, key=lambda key: (own[key], key))
            held.remove(node)
            del mates[mates.pop(node)]
            ready.append(node)
        node = ready.pop()
        mate = mates.get(node)
        if mate is None:
            settle(node, own[node])
        elif waiting[mate]:
            held.add(node)
        else:
            held.discard(mate)
            row = max(own[node], own[mate])
            settle(node, row)
            settle(mate, row)
            ready = [key for key in ready if key != mate]
    return level


@dataclass(frozen=True, slots=True)
class Leaf:
    """What takes a column: a word, a triangle, or a phrase without words.

    Parameters
    ----------
    node : int
        The word, the root under the triangle, or the empty phrase.
    keys : tuple of int
        Its shared columns by number; a word joined to several of the other tree takes several, and what shares with
        nothing has none.
    """

    node: int
    keys: tuple[int, ...] = ()


class Side:
    """The shown part of a tree.

    Parameters
    ----------
    name : {"gold", "test"}
        Which tree this is.
    tree : Tree
        The tree.
    folded : set of int
        Nodes drawn as triangles.
    keys : dict
        Word position to the numbers of the columns it shares with the other tree, from `keys_of`.
    """

    def __init__(self, name: str, tree: Tree, folded: set[int], keys: Dict[int, tuple[int, ...]]):
        self.name = name
        self.tree = tree
        self.folded = folded
        self.keys = keys

    def shown_children(self, node: int) -> tuple[int, ...]:
        """Return the children that are drawn, words included."""
        return () if node in self.folded else self.tree.children(node)

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """Drawn nodes, words included, children before parents."""
        order: list[int] = []
        waiting = list(self.tree.roots)
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(self.shown_children(node))
        return tuple(sorted(order))

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """Drawn nodes that are not words."""
        return tuple(node for node in self.shown if self.tree.kinds[node] is not Kind.WORD)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Columns' contents from first to last."""
        return tuple(Leaf(node, self._keys(node)) for node in self.shown if not self.shown_children(node))

    def _keys(self, node: int) -> tuple[int, ...]:
        start, end = self.tree.span(node)
        keys = self.keys.get(start, ()) if end > start else ()
        return keys[:1] if node in self.folded else keys

    def hidden(self, node: int) -> tuple[int, ...]:
        """Return the nodes below a triangle, words included."""
        below: list[int] = []
        waiting = list(self.tree.children(node)) if node in self.folded else []
        while waiting:
            inner = waiting.pop()
            below.append(inner)
            waiting.extend(self.tree.children(inner))
        return tuple(sorted(below))

    def ranges(self, columns: Dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
        """Return the first and last column of every drawn node, given those of the leaves."""
        found: dict[int, tuple[int, int]] = {}
        for node in self.shown:
            children = self.shown_children(node)
            if children:
                found[node] = (found[children[0]][0], found[children[-1]][1])
            else:
                found[node] = columns[node]
        return found


def keys_of(columns: Sequence[tuple[int, int]]) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """Return the numbers of the columns of every word that shares some, for the gold tree and for the test tree."""
    keys: tuple[dict[int, tuple[int, ...]], ...] = ({}, {})
    for number, column in enumerate(columns):
        for side, word in zip(keys, column, strict=True):
            side[word] = (*side.get(word, ()), number)
    return keys[0], keys[1]


def merge_leaves(gold: tuple[Leaf, ...], test: tuple[Leaf, ...]) -> list[tuple[int | None, int | None]]:
    """Put the leaves of two trees into common columns, those with the same key together."""
    shared = {key for leaf in gold for key in leaf.keys} & {key for leaf in test for key in leaf.keys}
    above, below = _in_columns(gold, shared), _in_columns(test, shared)
    columns: list[tuple[int | None, int | None]] = []
    at = 0
    for node, key in above:
        if key is None:
            columns.append((node, None))
            continue
        while below[at][1] != key:
            columns.append((None, below[at][0]))
            at += 1
        columns.append((node, below[at][0]))
        at += 1
    columns.extend((None, node) for node, _ in below[at:])
    return columns


def _in_columns(leaves: tuple[Leaf, ...], shared: set[int]) -> list[tuple[int, int | None]]:
    """Return node and key for each column that the leaves take."""
    found: list[tuple[int, int | None]] = []
    for leaf in leaves:
        keys = [key for key in leaf.keys if key in shared]
        found += [(leaf.node, key) for key in keys] or [(leaf.node, None)]
    return found


def column_ranges(columns: Sequence[tuple[int | None, int | None]], side: int) -> dict[int, tuple[int, int]]:
    """Return the first and last column of every leaf of the gold tree (side 0) or of the test tree (side 1)."""
    ranges: dict[int, tuple[int, int]] = {}
    for place, column in enumerate(columns):
        node = column[side]
        if node is not None:
            ranges[node] = (ranges.get(node, (place, place))[0], place)
    return ranges


WORD_SIZE, LABEL_SIZE, TAG_SIZE = 14.0, 12.5, 11.0
"""Font sizes in pixels."""

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


FOLD_ABOVE = 25
"""Sentences with more words than this are folded unless one asks otherwise."""


def identical_subtrees(gold: Tree, test: Tree, mapping: Mapping, together: dict[int, int]) -> dict[int, int]:
    """Find the subtrees present in both trees whose nodes are all matched to each other."""
    identical: dict[int, int] = {}
    for node, other in enumerate(mapping.gold_partner):
        if (
            other is None
            or mapping.gold_status[node] is not NodeStatus.MATCHED
            or mapping.test_status[other] is not NodeStatus.MATCHED
            or gold.kinds[node] is not test.kinds[other]
            or gold.labels[node] != test.labels[other]
        ):
            continue
        if gold.kinds[node] is Kind.WORD:
            if together.get(gold.starts[node]) == test.starts[other]:
                identical[node] = other
        elif tuple(identical.get(child) for child in gold.children(node)) == test.children(other):
            identical[node] = other
    return identical


def folded_roots(gold: Tree, identical: dict[int, int], unfolded: Collection[int]) -> set[int]:
    """Return the gold nodes drawn as triangles: the largest identical phrases that were not opened.

    Where the trees are the same from the root down, the root itself stays open.
    """
    same = all(root in identical for root in gold.roots)
    folded: set[int] = set()
    waiting = list(gold.roots)
    while waiting:
        node = waiting.pop()
        several = gold.ends[node] - gold.starts[node] > 1
        may_fold = node in identical and gold.kinds[node] is Kind.PHRASE and several
        if may_fold and node not in unfolded and not (same and gold.parents[node] < 0):
            folded.add(node)
        else:
            waiting.extend(gold.children(node))
    return folded


def partners(alignment: Alignment, mapping: Mapping) -> tuple[dict[int, int], dict[int, int]]:
    """Return the partner of every mapped or moved node, gold to test and test to gold.

    The nodes of a moved subtree are paired with those of the same shape where it went.
    """
    forth = dict(mapping.pairs)
    for root, other in mapping.moves:
        waiting = [(root, other)]
        while waiting:
            gold, test = waiting.pop()
            forth.setdefault(gold, test)
            below = alignment.gold.children(gold), alignment.test.children(test)
            if len(below[0]) == len(below[1]):
                waiting.extend(zip(*below, strict=True))
    return forth, {test: gold for gold, test in forth.items()}
