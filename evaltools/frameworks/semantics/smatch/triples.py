"""The triples of a graph that Smatch compares: concepts, attributes and relations of nodes without spans."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph

__all__ = ["TOP", "Triples", "compared_text", "triples_of", "upright"]

TOP = "top"
"""Role and value of the attribute that marks a top."""

_NOT_INVERTED = {"prep-on-behalf-of", "prep-out-of", "consist-of"}
"""Roles that end in ``-of`` and are no inverses."""

_INVERSES = {"mod": "domain"}
"""Roles that are inverses of others, without the ending ``-of``."""


@dataclass(frozen=True, slots=True)
class Triples:
    """The triples of a graph, each as often as it occurs.

    Parameters
    ----------
    concepts : tuple of (str or None)
        The concept of each node; None for a node without one, which has no triple of that class.
    attributes : tuple of (int, str, str)
        Node, role and constant; every top has ``(node, "top", "top")``.
    relations : tuple of (int, str, int)
        Source, role and target, in the direction of roles that are not inverse.

    Examples
    --------
    >>> boy, (top, _, _), go = 0, (1, TOP, TOP), 1
    >>> len(Triples(("boy", "go-02"), ((top, TOP, TOP),), ((go, "arg0", boy),)))
    4
    """

    concepts: tuple[str | None, ...]
    attributes: tuple[tuple[int, str, str], ...] = ()
    relations: tuple[tuple[int, str, int], ...] = ()

    def __len__(self) -> int:
        """Return the number of triples."""
        return sum(concept is not None for concept in self.concepts) + len(self.attributes) + len(self.relations)


def triples_of(graph: SemanticGraph) -> Triples:
    """Return the triples of a graph.

    Properties and the constant of a node are its attributes. Upper and lower case, quotes and underscores at the end
    make no difference. A relation with an inverse role, such as ``ARG0-of``, is turned round; ``mod`` is the inverse of
    ``domain``. An attribute keeps its role.

    Parameters
    ----------
    graph : SemanticGraph
        The graph; its anchors do not count.

    Returns
    -------
    Triples
        Its triples; node i of the triples is node i of the graph.

    Examples
    --------
    >>> from evaltools.corpus.semantic_graph import SemanticNode
    >>> nodes = (SemanticNode("m", "man", properties=(("wiki", '"Man_A"'),)), SemanticNode("s", "sing-01"))
    >>> triples_of(SemanticGraph(nodes, (SemanticEdge(0, "ARG0-of", 1),), (0,))).attributes
    ((0, 'wiki', 'man_a'), (0, 'top', 'top'))
    >>> triples_of(SemanticGraph(nodes, (SemanticEdge(0, "ARG0-of", 1),), (0,))).relations
    ((1, 'arg0', 0),)
    """
    attributes = []
    for index, node in enumerate(graph.nodes):
        attributes += [(index, compared_text(role), compared_text(value)) for role, value in node.properties]
        if node.constant is not None:
            attributes.append((index, "carg", compared_text(node.constant)))
    attributes += [(index, TOP, TOP) for index in graph.tops]
    relations = [(edge.source, compared_text(edge.role), edge.target) for edge in map(upright, graph.edges)]
    # a concept of underscores alone is compared as an empty text, and is a triple
    concepts = tuple(compared_text(node.predicate) if node.predicate else None for node in graph.nodes)
    return Triples(concepts, tuple(attributes), tuple(relations))


def upright(edge: SemanticEdge) -> SemanticEdge:
    """Return a relation in the direction of its role: one with an inverse role is turned round.

    Examples
    --------
    >>> upright(SemanticEdge(0, "ARG0-of", 1)), upright(SemanticEdge(0, "mod", 1))
    (SemanticEdge(source=1, role='ARG0', target=0), SemanticEdge(source=1, role='domain', target=0))
    """
    role = edge.role.removeprefix(":")
    if role.endswith("-of") and role not in _NOT_INVERTED:
        return SemanticEdge(edge.target, role.removesuffix("-of"), edge.source)
    if role in _INVERSES:
        return SemanticEdge(edge.target, _INVERSES[role], edge.source)
    return replace(edge, role=role)


def compared_text(text: str) -> str:
    """Return a label as it is compared."""
    return text.replace('"', "").lower().rstrip("_")
