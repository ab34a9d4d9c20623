"""Which parts of two trees are identical, and may be folded into triangles."""

from __future__ import annotations

from collections.abc import Collection
from difflib import SequenceMatcher

from evaltools.metrics.mapping import Mapping, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = ["FOLD_ABOVE", "align_words", "folded_roots", "identical_subtrees"]

FOLD_ABOVE = 25
"""Sentences with more words than this are folded unless one asks otherwise."""


def align_words(gold: tuple[str, ...], test: tuple[str, ...]) -> dict[int, int]:
    """Say which words share a column: gold positions to test positions, in the same order on both sides.

    Equal sentences are paired position by position; otherwise equal words are, and words that
    stand instead of one another.

    Examples
    --------
    >>> align_words(("can", "not", "go"), ("can", "n't", "go"))
    {0: 0, 1: 1, 2: 2}
    >>> align_words(("cannot", "go"), ("can", "not", "go"))
    {0: 0, 1: 2}
    """
    if gold == test:
        return {position: position for position in range(len(gold))}
    matcher = SequenceMatcher(a=gold, b=test, autojunk=False)
    together: dict[int, int] = {}
    for operation, gold_from, gold_to, test_from, test_to in matcher.get_opcodes():
        if operation in ("equal", "replace"):
            together.update(zip(range(gold_from, gold_to), range(test_from, test_to), strict=False))
    return together


def identical_subtrees(gold: Tree, test: Tree, mapping: Mapping, together: dict[int, int]) -> dict[int, int]:
    """Find the subtrees present in both trees whose nodes are all matched to each other.

    Parameters
    ----------
    gold, test : Tree
        The two trees.
    mapping : Mapping
        How their nodes map.
    together : dict
        Words that share a column, from `align_words`.

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
