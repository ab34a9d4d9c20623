"""Which node of the other tree a node belongs to, in a moved subtree too."""

from __future__ import annotations

from evaltools.metrics.mapping import Alignment, Mapping

__all__ = ["partners"]


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
