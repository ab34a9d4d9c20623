"""One tree of a drawing: which of its nodes show, and what stands in its columns."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from dataclasses import dataclass
from functools import cached_property

from evaltools.treebank import Kind, Tree

__all__ = ["Leaf", "Side", "merge_leaves"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """What takes a column: a word, a triangle, or a phrase without words.

    Parameters
    ----------
    node : int
        The word, the root under the triangle, or the empty phrase.
    key : int or None
        Gold position of the (first) word it shares its column with; None where it shares with nothing.
    """

    node: int
    key: int | None


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
        Word position to gold position, for words that share a column with the other tree.
    """

    def __init__(self, name: str, tree: Tree, folded: set[int], keys: Dict[int, int]):
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
        return tuple(
            Leaf(node, self.keys.get(self.tree.starts[node]) if self.tree.ends[node] > self.tree.starts[node] else None)
            for node in self.shown
            if not self.shown_children(node)
        )

    def hidden(self, node: int) -> tuple[int, ...]:
        """Return the nodes below a triangle, words included."""
        below: list[int] = []
        waiting = list(self.tree.children(node)) if node in self.folded else []
        while waiting:
            inner = waiting.pop()
            below.append(inner)
            waiting.extend(self.tree.children(inner))
        return tuple(sorted(below))

    def ranges(self, columns: Dict[int, int]) -> dict[int, tuple[int, int]]:
        """Return the first and last column of every drawn node, given the columns of the leaves."""
        found: dict[int, tuple[int, int]] = {}
        for node in self.shown:
            children = self.shown_children(node)
            if children:
                found[node] = (found[children[0]][0], found[children[-1]][1])
            else:
                found[node] = (columns[node], columns[node])
        return found


def merge_leaves(gold: tuple[Leaf, ...], test: tuple[Leaf, ...]) -> list[tuple[int | None, int | None]]:
    """Put the leaves of two trees into common columns, those with the same key together.

    Returns
    -------
    list of (int or None, int or None)
        For each column the gold node and the test node in it.
    """
    shared = {leaf.key for leaf in gold if leaf.key is not None} & {leaf.key for leaf in test if leaf.key is not None}
    columns: list[tuple[int | None, int | None]] = []
    at = 0
    for leaf in gold:
        if leaf.key in shared:
            while test[at].key != leaf.key:
                columns.append((None, test[at].node))
                at += 1
            columns.append((leaf.node, test[at].node))
            at += 1
        else:
            columns.append((leaf.node, None))
    columns.extend((None, leaf.node) for leaf in test[at:])
    return columns
