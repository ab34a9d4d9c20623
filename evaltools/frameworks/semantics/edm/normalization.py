"""Semantic graphs normalized for comparison: lower case, inverted roles, spans without punctuation at the edges."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from evaltools.corpus.semantic_graph import Anchors, SemanticEdge, SemanticGraph, SemanticNode
from evaltools.frameworks.semantics.edm.rules import EdmRules

__all__ = ["normalized", "normalized_spans", "trimmed", "uninverted", "uninverted_role"]

_PUNCTUATION = frozenset(".?!;,:“\"”‘'’()[]{} \t\n\f")
_SPACE = frozenset(" \t\n\f")


def normalized(graph: SemanticGraph, rules: EdmRules) -> SemanticGraph:
    """Return a graph with the roles and the case that are compared.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.edm.rules import load_edm_rules
    >>> nodes = tuple(SemanticNode(name, name.upper(), ((at, at + 1),)) for at, name in enumerate("ab"))
    >>> graph = normalized(SemanticGraph(nodes, (SemanticEdge(0, "ARG1-of", 1),)), load_edm_rules("mtool"))
    >>> [node.predicate for node in graph.nodes], graph.edges
    (['a', 'b'], (SemanticEdge(source=1, role='arg1', target=0),))
    """
    graph = uninverted(graph, rules)  # first, because only small letters mark an inverted role
    if not rules.fold_case:
        return graph
    edges = tuple(SemanticEdge(edge.source, edge.role.lower(), edge.target) for edge in graph.edges)
    return replace(graph, nodes=tuple(map(_in_lower_case, graph.nodes)), edges=edges)


def uninverted(graph: SemanticGraph, rules: EdmRules) -> SemanticGraph:
    """Return a graph with inverted roles in the other direction, if the rules require it."""
    if not rules.turn_inverted:
        return graph
    edges = (
        edge if (role := uninverted_role(edge.role)) is None else SemanticEdge(edge.target, role, edge.source)
        for edge in graph.edges
    )
    return replace(graph, edges=tuple(edges))


def uninverted_role(role: str) -> str | None:
    """Return the role whose inverse a role is, None if it is not inverted.

    Examples
    --------
    >>> [uninverted_role(role) for role in ("ARG0-of", "mod", "prep-out-of", "ARG1")]
    ['ARG0', 'domain', None, None]
    """
    # As in mtool, ``mod`` is the inverse of ``domain``, roles beginning with ``prep-`` are not inverted, and
    # ``consist-of`` counts as inverted.
    if role == "mod":
        return "domain"
    inverted = role.endswith("-of-of") or (role.endswith("-of") and not role.startswith("prep-"))
    return role.removesuffix("-of") if inverted else None


def _in_lower_case(node: SemanticNode) -> SemanticNode:
    return replace(
        node,
        predicate=node.predicate.lower(),
        properties=tuple((name.lower(), value.lower()) for name, value in node.properties),
        constant=None if node.constant is None else node.constant.lower(),
    )


@lru_cache(maxsize=1 << 14)
def trimmed(anchors: Anchors, text: str) -> Anchors:
    """Return the characters of a node without white space and without punctuation at the edges.

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
        while start < end and text[start] in _PUNCTUATION:
            start += 1
        while start < end and text[end - 1] in _PUNCTUATION:
            end -= 1
        characters.update(index for index in range(start, end) if text[index] not in _SPACE)
    ranges: list[tuple[int, int]] = []
    for index in sorted(characters):
        if ranges and ranges[-1][1] == index:
            ranges[-1] = (ranges[-1][0], index + 1)
        else:
            ranges.append((index, index + 1))
    return tuple(ranges)


def normalized_spans(graph: SemanticGraph, *, trim: bool) -> list[Anchors]:
    """Return the spans of the nodes that are compared."""
    return [trimmed(node.anchors, graph.text) if trim else node.anchors for node in graph.nodes]
