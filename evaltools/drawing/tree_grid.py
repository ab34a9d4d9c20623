"""The grid of two mirrored trees: shared columns, rows, folded subtrees and partners."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Mapping as Dict
from functools import cached_property
from itertools import accumulate

from evaltools.corpus import Kind, Tree
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.parts import MARK_WIDTH
from evaltools.frameworks.constituency.aligned_trees import Alignment, Mapping
from evaltools.marks import Status
from evaltools.text import excerpt, join_words

NodeKey = tuple[str, int]
"""Side and node number."""


def assign_levels(
    minimum: Dict[NodeKey, int],
    children: Dict[NodeKey, tuple[NodeKey, ...]],
    mates: Dict[NodeKey, NodeKey],
) -> dict[NodeKey, int]:
    """Return a row for every node above all its children, the same for mapped nodes if possible."""
    mates = dict(mates)
    parents = {child: node for node, below in children.items() for child in below}
    waiting = {node: len(children[node]) for node in minimum}
    own = dict(minimum)
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
        if not ready:  # mapped chains in opposite order: every held node waits for another
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


Leaf = tuple[int, tuple[int, ...]]
"""A node with columns of its own and its shared columns: a word, the root of a triangle, or a phrase without words."""


class Side:
    """The drawn part of a tree."""

    def __init__(self, name: str, tree: Tree, folded: set[int], keys: Dict[int, tuple[int, ...]]):
        self.name = name
        self.tree = tree
        self.folded = folded
        self.keys = keys

    def drawn_children(self, node: int) -> tuple[int, ...]:
        """Return the children that are drawn, words included."""
        return () if node in self.folded else self.tree.children(node)

    @cached_property
    def drawn(self) -> tuple[int, ...]:
        """Drawn nodes, words included, children before parents."""
        order: list[int] = []
        waiting = list(self.tree.roots)
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(self.drawn_children(node))
        return tuple(sorted(order))

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """Drawn nodes that are not words."""
        return tuple(node for node in self.drawn if self.tree.kinds[node] is not Kind.WORD)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """Leaves from first to last."""
        nodes = [node for node in self.drawn if not self.drawn_children(node)]
        if not self.tree.is_continuous:
            nodes.sort(key=self.tree.first)
        return tuple((node, self._keys(node)) for node in nodes)

    def _keys(self, node: int) -> tuple[int, ...]:
        start, end = self.tree.span(node)
        keys = self.keys.get(self.tree.first(node), ()) if end > start else ()
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
        """Return the first and last column over which every drawn node is centered, given those of the leaves.

        They are all columns of the node; those of its longest part where it has gaps.
        """
        ranges: dict[int, tuple[int, int]] = {}
        for node in self.drawn:
            children = self.drawn_children(node)
            if not children:
                ranges[node] = columns[node]
            elif not self.tree.has_gap(node):
                ends = [ranges[child] for child in children]
                ranges[node] = min(first for first, _ in ends), max(last for _, last in ends)
            else:
                ranges[node] = self._longest_part(node, columns)
        return ranges

    def _longest_part(self, node: int, columns: Dict[int, tuple[int, int]]) -> tuple[int, int]:
        """Return the first and last column of the longest stretch of neighboring words, the first of equal ones."""
        words = sorted(self.tree.yield_(node))
        parts = [[words[0]]]
        for word in words[1:]:
            if word == parts[-1][-1] + 1:
                parts[-1].append(word)
            else:
                parts.append([word])
        longest = max(parts, key=len)
        own = [
            range_ for leaf, range_ in columns.items() if self.tree.yield_(leaf) and self.tree.first(leaf) in longest
        ]
        return min(first for first, _ in own), max(last for _, last in own)


def keys_of(columns: Sequence[tuple[int, int]]) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """Return the shared columns of every word, for the gold tree and for the test tree."""
    keys: tuple[dict[int, tuple[int, ...]], ...] = ({}, {})
    for number, column in enumerate(columns):
        for side, word in zip(keys, column, strict=True):
            side[word] = (*side.get(word, ()), number)
    return keys[0], keys[1]


def merge_leaves(gold: tuple[Leaf, ...], test: tuple[Leaf, ...]) -> list[tuple[int | None, int | None]]:
    """Return common columns of the leaves of two trees; leaves with the same key share one."""
    shared = {key for _, keys in gold for key in keys} & {key for _, keys in test for key in keys}
    below = iter(_in_columns(test, shared))
    columns: list[tuple[int | None, int | None]] = []
    for node, key in _in_columns(gold, shared):
        if key is None:
            columns.append((node, None))
            continue
        for test_node, test_key in below:
            if test_key == key:
                columns.append((node, test_node))
                break
            columns.append((None, test_node))
    columns.extend((None, node) for node, _ in below)
    return columns


def _in_columns(leaves: tuple[Leaf, ...], shared: set[int]) -> list[tuple[int, int | None]]:
    """Return node and key for each column of the leaves."""
    columns: list[tuple[int, int | None]] = []
    for node, keys in leaves:
        columns += [(node, key) for key in keys if key in shared] or [(node, None)]
    return columns


def column_ranges(columns: Sequence[tuple[int | None, int | None]], side: int) -> dict[int, tuple[int, int]]:
    """Return the first and last column of every leaf of the gold tree (side 0) or of the test tree (side 1)."""
    ranges: dict[int, tuple[int, int]] = {}
    for index, column in enumerate(columns):
        node = column[side]
        if node is not None:
            ranges[node] = (ranges.get(node, (index, index))[0], index)
    return ranges


WORD_SIZE, LABEL_SIZE, TAG_SIZE = 14.0, 12.5, 11.0
"""Font sizes in pixels."""

GAP = 14.0
"""Pixels between columns."""

MARGIN = 12.0
"""Pixels around a drawing."""

_MAX_LENGTH = 30  # characters of a label or word


def folded_words(side: Side, node: int) -> list[str]:
    """Return the words below a triangle."""
    return [visible(word) for word in side.tree.words_below(node)]


class Grid:
    """The columns of a drawing."""

    def __init__(self, sides: tuple[Side, Side], status: Dict[str, Sequence[Status]], right_to_left: bool):
        self.columns = merge_leaves(sides[0].leaves, sides[1].leaves)
        self.ranges = {side.name: side.ranges(column_ranges(self.columns, at)) for at, side in enumerate(sides)}
        self.text: dict[NodeKey, str] = {}
        self.text_width: dict[NodeKey, float] = {}
        for side in sides:
            self._measure(side, status[side.name])
        self.borders, self.width = self._borders(sides, right_to_left)

    def _measure(self, side: Side, status: Sequence[Status]) -> None:
        """Set the texts and widths of all labels."""
        tree = side.tree
        sizes = {Kind.WORD: WORD_SIZE, Kind.PHRASE: LABEL_SIZE, Kind.PRETERMINAL: TAG_SIZE}
        for node in side.drawn:
            label, kind = excerpt(visible(tree.labels[node]), _MAX_LENGTH), tree.kinds[node]
            mark = 0.0 if status[node] is Status.RIGHT else MARK_WIDTH
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
        """Return the left and the right end of a node's columns."""
        first, last = self.ranges[side][node]
        ends = self.borders[first], self.borders[last + 1]
        return min(ends), max(ends)

    def middle(self, column: int) -> float:
        """Return the middle of a column."""
        return (self.borders[column] + self.borders[column + 1]) / 2


FOLD_ABOVE = 25
"""Sentences with more words than this are folded by default."""


def identical_subtrees(gold: Tree, test: Tree, mapping: Mapping, together: dict[int, int]) -> dict[int, int]:
    """Return the roots of subtrees present in both trees whose nodes are all matched to each partner."""
    identical: dict[int, int] = {}
    for node, partner in enumerate(mapping.gold_partner):
        status = mapping.gold_status[node]
        if status is None:  # it has no partner
            partner = _above(gold, test, node, identical)
        if (
            partner is None
            or status not in (Status.RIGHT, None)
            or mapping.test_status[partner] is not status
            or gold.kinds[node] is not test.kinds[partner]
            or gold.labels[node] != test.labels[partner]
        ):
            continue
        if gold.kinds[node] is Kind.WORD:
            if together.get(gold.first(node)) == test.first(partner):
                identical[node] = partner
        elif tuple(identical.get(child) for child in gold.children(node)) == test.children(partner):
            identical[node] = partner
    return identical


def _above(gold: Tree, test: Tree, node: int, identical: dict[int, int]) -> int | None:
    """Return the test node above the node that is identical to the first child of a gold node; None without one."""
    below = [identical[child] for child in gold.children(node)[:1] if child in identical]
    return test.parents[below[0]] if below and test.parents[below[0]] >= 0 else None


def folded_roots(gold: Tree, identical: dict[int, int], unfolded: Collection[int]) -> set[int]:
    """Return the gold nodes drawn as triangles: the largest identical phrases that were not opened."""
    # If the whole trees are the same, the root itself stays open.
    same = all(root in identical for root in gold.roots)
    folded: set[int] = set()
    waiting = list(gold.roots)
    while waiting:
        node = waiting.pop()
        several = gold.ends[node] - gold.starts[node] > 1 and not gold.has_gap(node)
        may_fold = node in identical and gold.kinds[node] is Kind.PHRASE and several
        if may_fold and node not in unfolded and not (same and gold.parents[node] < 0):
            folded.add(node)
        else:
            waiting.extend(gold.children(node))
    return folded


def partners(alignment: Alignment, mapping: Mapping) -> tuple[dict[int, int], dict[int, int]]:
    """Return the partner of every mapped or moved node, gold to test and test to gold."""
    # The nodes of a moved subtree are paired with those of its counterpart, as far as both have the same shape.
    forth = dict(mapping.pairs)
    for move in mapping.moves:
        waiting = [move]
        while waiting:
            gold, test = waiting.pop()
            forth.setdefault(gold, test)
            below = alignment.gold.children(gold), alignment.test.children(test)
            if len(below[0]) == len(below[1]):
                waiting.extend(zip(*below, strict=True))
    return forth, {test: gold for gold, test in forth.items()}
