"""Which parts of two trees are identical, and may be folded into triangles."""

from __future__ import annotations

from collections.abc import Collection

from evaltools.metrics.mapping import Mapping, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = ["FOLD_ABOVE", "folded_roots", "identical_subtrees"]

FOLD_ABOVE = 25
"""Sentences with more words than this are folded unless one asks otherwise."""


def identical_subtrees(gold: Tree, test: Tree, mapping: Mapping, together: dict[int, int]) -> dict[int, int]:
    """Find the subtrees present in both trees whose nodes are all matched to each other.

    Parameters
    ----------
    gold, test : Tree
        The two trees.
    mapping : Mapping
        How their nodes map.
    together : dict
        Words that share a column with each other only, from `one_to_one`.

    Returns
    -------
    dict
        Gold root to test root of every such subtree (not only the largest).
    """
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
