"""Spans without what writing puts at their edges."""

from __future__ import annotations

from functools import lru_cache

from evaltools.treebank.semantic_graph import Anchors, SemanticGraph

__all__ = ["both_have_text", "compared", "trimmed"]

_EDGES = frozenset(".?!;,:“\"”‘'’()[]{} \t\n\f")
_SPACE = frozenset(" \t\n\f")


@lru_cache(maxsize=1 << 14)
def trimmed(anchors: Anchors, text: str) -> Anchors:
    """Return the characters that a node stands for, without white space and without punctuation at the edges.

    Parameters
    ----------
    anchors : tuple of (int, int)
        The node's ranges; each is trimmed by itself. What lies outside the text is left out.
    text : str
        The sentence.

    Returns
    -------
    tuple of (int, int)
        Ranges in order that do not touch; equal where the sets of characters are.

    Examples
    --------
    >>> trimmed(((4, 11),), "Kim leaves.")
    ((4, 10),)
    >>> trimmed(((0, 11),), "Kim leaves.")
    ((0, 3), (4, 10))
    >>> trimmed(((10, 11),), "Kim leaves.")
    ()
    """
    characters: set[int] = set()
    for start, end in anchors:
        start, end = max(start, 0), min(end, len(text))
        while start < end and text[start] in _EDGES:
            start += 1
        while start < end and text[end - 1] in _EDGES:
            end -= 1
        characters.update(place for place in range(start, end) if text[place] not in _SPACE)
    ranges: list[tuple[int, int]] = []
    for place in sorted(characters):
        if ranges and ranges[-1][1] == place:
            ranges[-1] = (ranges[-1][0], place + 1)
        else:
            ranges.append((place, place + 1))
    return tuple(ranges)


def both_have_text(gold: SemanticGraph | None, test: SemanticGraph | None) -> bool:
    """Tell whether two graphs come with their sentence, so that spans can be trimmed."""
    return gold is not None and test is not None and bool(gold.text) and bool(test.text)


def compared(graph: SemanticGraph, *, trim: bool) -> list[Anchors]:
    """Return the spans of a graph's nodes as they are compared."""
    return [trimmed(node.anchors, graph.text) if trim else node.anchors for node in graph.nodes]
