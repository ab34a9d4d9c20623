"""Semantic graphs as they are compared: in lower case, with inverted roles turned round, if the rules say so."""

from __future__ import annotations

from dataclasses import replace

from evaltools.metrics.edm_rules import EdmRules
from evaltools.treebank.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode

__all__ = ["as_compared", "turned", "turned_role"]


def as_compared(graph: SemanticGraph, rules: EdmRules) -> SemanticGraph:
    """Return a graph as it is compared.

    Parameters
    ----------
    graph : SemanticGraph
        The graph.
    rules : EdmRules
        What counts; the same graph is returned if they neither fold case nor turn inverted roles.

    Returns
    -------
    SemanticGraph
        The nodes and edges in their order.

    Examples
    --------
    >>> from evaltools.metrics.edm_rules import load_edm_rules
    >>> nodes = tuple(SemanticNode(name, name.upper(), ((at, at + 1),)) for at, name in enumerate("ab"))
    >>> graph = as_compared(SemanticGraph(nodes, (SemanticEdge(0, "ARG1-of", 1),)), load_edm_rules("mtool"))
    >>> [node.predicate for node in graph.nodes], graph.edges
    (['a', 'b'], (SemanticEdge(source=1, role='arg1', target=0),))
    """
    graph = turned(graph, rules)  # first, because only small letters mark an inverted role
    if not rules.fold_case:
        return graph
    edges = tuple(SemanticEdge(edge.source, edge.role.lower(), edge.target) for edge in graph.edges)
    return replace(graph, nodes=tuple(map(_in_lower_case, graph.nodes)), edges=edges)


def turned(graph: SemanticGraph, rules: EdmRules) -> SemanticGraph:
    """Return a graph with inverted roles in the other direction, if the rules say so."""
    return replace(graph, edges=tuple(map(_turned, graph.edges))) if rules.turn_inverted else graph


def turned_role(role: str) -> str | None:
    """Return the role that an inverted role is the inverse of, None if it is not inverted.

    As in mtool, ``mod`` is the inverse of ``domain``, roles beginning with ``prep-`` are not inverted, and
    ``consist-of`` is taken for an inverted role.

    Parameters
    ----------
    role : str
        The role of the graph.

    Examples
    --------
    >>> [turned_role(role) for role in ("ARG0-of", "mod", "prep-out-of", "ARG1")]
    ['ARG0', 'domain', None, None]
    """
    if role == "mod":
        return "domain"
    inverted = role.endswith("-of-of") or (role.endswith("-of") and not role.startswith("prep-"))
    return role.removesuffix("-of") if inverted else None


def _turned(edge: SemanticEdge) -> SemanticEdge:
    role = turned_role(edge.role)
    return edge if role is None else SemanticEdge(edge.target, role, edge.source)


def _in_lower_case(node: SemanticNode) -> SemanticNode:
    return replace(
        node,
        predicate=node.predicate.lower(),
        properties=tuple((name.lower(), value.lower()) for name, value in node.properties),
        constant=None if node.constant is None else node.constant.lower(),
    )
