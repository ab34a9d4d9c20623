"""What is drawn of one or two trees over shared words: columns, rows, folded subtrees and partners."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from evaltools.corpus import Kind, Tree
from evaltools.corpus.stretches import stretches_of
from evaltools.drawing.measure import text_width, visible, widen
from evaltools.drawing.scene import MARK_WIDTH
from evaltools.frameworks.constituency.aligned_trees import Alignment, Mapping as TreeMapping
from evaltools.marks import Status
from evaltools.text import excerpt, join_words

NodeKey = tuple[str, int]
"""Side and node number."""

WORD_SIZE, LABEL_SIZE, TAG_SIZE = 14.0, 12.5, 11.0
"""Font sizes in pixels."""
GAP = 14.0
"""Pixels between columns."""
MARGIN = 12.0
"""Pixels around a drawing."""
FOLD_ABOVE = 25
"""Sentences with more words than this are folded by default."""

_MAX_LENGTH = 30  # characters of a label or word
_SIZES = {Kind.WORD: WORD_SIZE, Kind.PHRASE: LABEL_SIZE, Kind.PRETERMINAL: TAG_SIZE}


class Side:
    """The drawn part of a tree.

    Parameters
    ----------
    name : str
        ``"gold"`` or ``"test"``.
    tree : Tree
        The tree.
    statuses : sequence of Status or None
        The status of each node; what does not count looks like what is right.
    folded : collection of int
        Nodes drawn as triangles over the words below them.
    columns : mapping of int to tuple of int
        The numbers of the shared columns of each word.
    partners : mapping of int to int
        The node of the other tree that a node is mapped or moved to.
    folds : mapping of int to int
        The gold node by which a node is folded and unfolded, for those that can be.
    """

    def __init__(
        self,
        name: str,
        tree: Tree,
        statuses: Sequence[Status | None],
        folded: Collection[int] = (),
        columns: Mapping[int, tuple[int, ...]] | None = None,
        partners: Mapping[int, int] | None = None,
        folds: Mapping[int, int] | None = None,
    ) -> None:
        self.name, self.tree, self.folded = name, tree, folded
        self.statuses = tuple(Status.RIGHT if status is None else status for status in statuses)
        self.columns, self.partners, self.folds = columns or {}, partners or {}, folds or {}

    def drawn_children(self, node: int) -> tuple[int, ...]:
        """Return the children that are drawn, words included."""
        return () if node in self.folded else self.tree.children(node)

    @cached_property
    def drawn(self) -> tuple[int, ...]:
        """Drawn nodes, words included, children before parents."""
        hidden = {inner for node in self.folded for inner in self.hidden(node)}
        return tuple(node for node in range(len(self.tree)) if node not in hidden)

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """Drawn nodes that are not words."""
        return tuple(node for node in self.drawn if self.tree.kinds[node] is not Kind.WORD)

    def hidden(self, node: int) -> tuple[int, ...]:
        """Return the nodes below a triangle, words included."""
        return tuple(range(self.tree.leftmost[node], node)) if node in self.folded else ()

    def fold(self, node: int) -> int | None:
        """Return the gold node by which a node is folded and unfolded; None if it cannot be."""
        return self.folds.get(node) if _is_foldable(self.tree, node) else None

    def words(self, node: int) -> list[str]:
        """Return the words below a node."""
        return [visible(word) for word in self.tree.words_below(node)]

    @cached_property
    def leaves(self) -> list[tuple[int, tuple[int, ...]]]:
        """The nodes with columns of their own and their shared columns: words, roots of triangles, empty phrases."""
        nodes = [node for node in self.drawn if not self.drawn_children(node)]
        if not self.tree.is_continuous:
            nodes.sort(key=self.tree.first)
        return [(node, self._shared_columns(node)) for node in nodes]

    def _shared_columns(self, node: int) -> tuple[int, ...]:
        start, end = self.tree.span(node)
        own = self.columns.get(self.tree.first(node), ()) if end > start else ()
        return own[:1] if node in self.folded else own

    def ranges(self, columns: Sequence[int | None]) -> dict[int, tuple[int, int]]:
        """Return the first and last column over which every drawn node is centered, given the leaf of each column.

        They are all columns of the node; those of its longest part where it has gaps.
        """
        of_leaves: dict[int, tuple[int, int]] = {}
        for at, leaf in enumerate(columns):
            if leaf is not None:
                of_leaves[leaf] = of_leaves.get(leaf, (at, at))[0], at
        ranges: dict[int, tuple[int, int]] = {}
        for node in self.drawn:
            own = [ranges[child] for child in self.drawn_children(node)]
            if not own:
                ranges[node] = of_leaves[node]
                continue
            if self.tree.has_gap(node):  # the first of the longest stretches of neighboring words
                stretches = stretches_of(sorted(self.tree.yield_(node)))
                start, end = max(stretches, key=lambda stretch: stretch.end - stretch.start)
                own = [
                    range_
                    for leaf, range_ in of_leaves.items()
                    if self.tree.yield_(leaf) and start <= self.tree.first(leaf) < end
                ]
            ranges[node] = min(first for first, _ in own), max(last for _, last in own)
        return ranges


class Grid:
    """The columns of a picture, and the texts in them with their widths."""

    def __init__(self, sides: Sequence[Side], *, right_to_left: bool) -> None:
        self.columns = _merged(*(side.leaves for side in sides))
        by_side = zip(*self.columns, strict=True) if self.columns else [()] * len(sides)
        self.ranges = {side.name: side.ranges(own) for side, own in zip(sides, by_side, strict=True)}
        self.text: dict[NodeKey, str] = {}
        self.text_width: dict[NodeKey, float] = {}
        widths = [0.0] * len(self.columns)
        needs: list[tuple[int, int, float]] = []
        for side in sides:
            for node, (first, last) in self.ranges[side.name].items():
                need = self._measure(side, node)
                if node in side.folded:
                    need = max(need, text_width(join_words(side.words(node)), WORD_SIZE) + 8)
                needs.append((first, last, need + GAP))
        widen(widths, sorted(needs, key=lambda item: (item[1] - item[0], item)))
        self.borders = [MARGIN, *(MARGIN + x for x in accumulate(widths))]
        self.width = self.borders[-1] + MARGIN
        if right_to_left:
            self.borders = [self.width - x for x in self.borders]

    def _measure(self, side: Side, node: int) -> float:
        """Set the text of a node; return its width with the mark of its status."""
        kind, key = side.tree.kinds[node], (side.name, node)
        mark = 0.0 if side.statuses[node] is Status.RIGHT else MARK_WIDTH
        around = mark + (4 if kind is Kind.WORD and not mark else 10)
        self.text[key] = excerpt(visible(side.tree.labels[node]), _MAX_LENGTH)
        self.text_width[key] = text_width(self.text[key], _SIZES[kind]) + around
        return self.text_width[key]

    def extent(self, side: str, node: int) -> tuple[float, float]:
        """Return the left and the right end of a node's columns."""
        first, last = self.ranges[side][node]
        ends = self.borders[first], self.borders[last + 1]
        return min(ends), max(ends)

    def center(self, side: str, node: int) -> float:
        """Return the middle of a node's columns."""
        return sum(self.extent(side, node)) / 2

    def middle(self, column: int) -> float:
        """Return the middle of a column."""
        return (self.borders[column] + self.borders[column + 1]) / 2


def keys_of(columns: Sequence[tuple[int, int]]) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """Return the shared columns of every word, for the gold tree and for the test tree."""
    keys: tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]] = ({}, {})
    for number, column in enumerate(columns):
        for side, word in zip(keys, column, strict=True):
            side[word] = (*side.get(word, ()), number)
    return keys


_Leaves = Sequence[tuple[int, tuple[int, ...]]]


def _merged(gold: _Leaves, test: _Leaves) -> list[tuple[int | None, int | None]]:
    """Return common columns of the leaves of two trees; leaves with the same shared column are in one."""
    shared = {at for _, columns in gold for at in columns} & {at for _, columns in test for at in columns}

    def in_columns(leaves: _Leaves) -> Iterator[tuple[int, int | None]]:
        for node, columns in leaves:
            numbers = [at for at in columns if at in shared]
            yield from ((node, at) for at in numbers or (None,))

    below = in_columns(test)
    merged: list[tuple[int | None, int | None]] = []
    for node, key in in_columns(gold):
        if key is None:
            merged.append((node, None))
            continue
        for test_node, test_key in below:
            merged.append((node if test_key == key else None, test_node))
            if test_key == key:
                break
    return [*merged, *((None, node) for node, _ in below)]


# ---------------------------------------------------------------------------------------------------------------- rows


def assign_levels(
    minimum: Mapping[NodeKey, int],
    children: Mapping[NodeKey, tuple[NodeKey, ...]],
    mates: Mapping[NodeKey, NodeKey],
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


# ------------------------------------------------------------------------------------------- folding and partners


def identical_subtrees(gold: Tree, test: Tree, mapping: TreeMapping, together: dict[int, int]) -> dict[int, int]:
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
        may_fold = node in identical and _is_foldable(gold, node)
        if may_fold and node not in unfolded and not (same and gold.parents[node] < 0):
            folded.add(node)
        else:
            waiting.extend(gold.children(node))
    return folded


def _is_foldable(tree: Tree, node: int) -> bool:
    """Return whether a node is a phrase over several words without gaps."""
    start, end = tree.span(node)
    return tree.kinds[node] is Kind.PHRASE and end - start > 1 and not tree.has_gap(node)


def partners(alignment: Alignment, mapping: TreeMapping) -> tuple[dict[int, int], dict[int, int]]:
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
