"""Which parts of two trees are identical, and may be folded into triangles."""

from __future__ import annotations

from collections.abc import Collection
from difflib import SequenceMatcher

from evaltools.metrics.mapping import Alignment, Mapping, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = ["FOLD_ABOVE", "align_words", "folded_roots", "identical_subtrees"]

FOLD_ABOVE = 25
"""Sentences with more words than this are folded unless one asks otherwise."""


def align_words(alignment: Alignment) -> dict[int, int]:
    """Say which words share a column: gold positions to test positions, in the same order on both sides.

    Equal sentences are paired position by position. Otherwise the words of the T-mapping are, and between
    them equal words and words that stand instead of one another.
    """
    gold, test = alignment.gold, alignment.test
    if gold.words == test.words:
        return {position: position for position in range(len(gold.words))}
    pairs = [(g, t) for g, t in alignment.t.pairs if gold.kinds[g] is Kind.WORD and test.kinds[t] is Kind.WORD]
    together: dict[int, int] = {}
    after = (0, 0)
    for here in [*((gold.starts[g], test.starts[t]) for g, t in sorted(pairs)), (len(gold.words), len(test.words))]:
        if here[0] < after[0] or here[1] < after[1]:
            continue
        matcher = SequenceMatcher(a=gold.words[after[0] : here[0]], b=test.words[after[1] : here[1]], autojunk=False)
        for operation, *borders in matcher.get_opcodes():
            if operation in ("equal", "replace"):
                places = range(after[0] + borders[0], after[0] + borders[1])
                others = range(after[1] + borders[2], after[1] + borders[3])
                together.update(zip(places, others, strict=False))
        if here[0] < len(gold.words) and here[1] < len(test.words):
            together[here[0]] = here[1]
        after = (here[0] + 1, here[1] + 1)
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
