"""Brackets of two trees over the same words that cross: they overlap, and neither lies inside the other."""

from __future__ import annotations

from evaltools.treebank import Kind, Tree

__all__ = ["crossing_pairs"]


def crossing_pairs(gold: Tree, test: Tree) -> list[tuple[int, int]]:
    """Return the pairs of phrases that cross.

    Parameters
    ----------
    gold, test : Tree
        Trees over the same words.

    Returns
    -------
    list of (int, int)
        A node of the gold tree and a node of the test tree each, ordered by the test node.

    Examples
    --------
    >>> crossing_pairs(Tree.from_string("(S (A (X a) (X b)) (X c))"), Tree.from_string("(S (X a) (B (X b) (X c)))"))
    [(4, 6)]
    """
    spans = [
        [(node, *tree.span(node)) for node in range(len(tree)) if tree.kinds[node] is Kind.PHRASE]
        for tree in (gold, test)
    ]
    return [
        (i, j)
        for j, start, end in spans[1]
        for i, first, last in spans[0]
        if first < start < last < end or start < first < end < last
    ]
