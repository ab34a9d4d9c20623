"""One tree of a drawing: which of its nodes show, and what stands in its columns."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evaltools.treebank import Kind, Tree

__all__ = ["Leaf", "Side", "column_ranges", "keys_of", "merge_leaves"]


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
    """Put the leaves of two trees into common columns, those with the same key together.

    Returns
    -------
    list of (int or None, int or None)
        For each column the gold node and the test node in it; a leaf with several keys is in several columns.
    """
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
