"""One sentence's meaning as a graph: predicates anchored in the text, and the roles between them."""

from __future__ import annotations

import json
from dataclasses import dataclass

import msgspec

from evaltools.display import NotebookObject
from evaltools.errors import ParameterError
from evaltools.text import short_repr

UNANCHORED = frozenset({"amr", "drg", "umr"})
"""Frameworks whose nodes are not known by characters: anchors, if there are any, are alignments made afterwards."""

BILEXICAL = frozenset({"ccd", "dm", "eud", "pas", "psd", "sdp"})
"""Frameworks whose nodes are words: SDP and MRP graphs of flavor 0."""

_FROM_MRS = frozenset({"eds", "dmrs"})

Anchors = tuple[tuple[int, int], ...]
"""Half-open character ranges of the sentence, from 0; several where a node is discontinuous, none where it has none."""


@dataclass(frozen=True, slots=True)
class SemanticNode:
    """A predication.

    Parameters
    ----------
    id : str
        Its name in the file, unique in the graph.
    predicate : str
        The predicate, as the format's reader normalizes it.
    anchors : tuple of (int, int)
        Its characters in the sentence.
    properties : tuple of (str, str)
        Such as ``("TENSE", "past")``, in the file's order.
    constant : str or None
        Its constant argument (CARG).
    type : str
        The type of its variable, such as ``e`` or ``x``; empty where that is not known.
    is_quantifier : bool
        Whether it binds the variable of another node.
    """

    id: str
    predicate: str
    anchors: Anchors = ()
    properties: tuple[tuple[str, str], ...] = ()
    constant: str | None = None
    type: str = ""
    is_quantifier: bool = False

    def __repr__(self) -> str:
        return short_repr(self, " ".join([self.id, self.predicate, *(f"{start}:{end}" for start, end in self.anchors)]))


@dataclass(frozen=True, slots=True)
class SemanticEdge:
    """A role.

    Parameters
    ----------
    source, target : int
        Indices of two nodes of the graph.
    role : str
        Such as ``ARG1``, or ``BV`` from a quantifier to the node that it binds.
    """

    source: int
    role: str
    target: int


@dataclass(frozen=True, slots=True)
class SemanticGraph(NotebookObject):
    """A semantic graph: EDS, DMRS, AMR, or another graph of the MRP tasks.

    Parameters
    ----------
    nodes : tuple of SemanticNode
        In the file's order.
    edges : tuple of SemanticEdge
        In the file's order.
    tops : tuple of int
        Indices of the top nodes; at most one except in MRP graphs.
    text : str
        The sentence; empty if the file does not have it.
    framework : str
        ``eds``, ``dmrs``, ``amr``, ``dm`` or another name from an MRP file; empty if the file names none.

    Examples
    --------
    >>> kim = SemanticNode("x1", "named", ((0, 3),), (("NUM", "sg"),), "Kim", "x")
    >>> leaves = SemanticNode("e2", "_leave_v_1", ((4, 10),), (), None, "e")
    >>> graph = SemanticGraph((kim, leaves), (SemanticEdge(1, "ARG1", 0),), (1,), "Kim leaves.", "eds")
    >>> SemanticGraph.from_json(graph.to_json()) == graph
    True
    >>> graph.surface(leaves)
    'leaves'
    """

    nodes: tuple[SemanticNode, ...]
    edges: tuple[SemanticEdge, ...] = ()
    tops: tuple[int, ...] = ()
    text: str = ""
    framework: str = "eds"

    def __post_init__(self) -> None:
        n = len(self.nodes)
        indices = [index for edge in self.edges for index in (edge.source, edge.target)]
        if any(not 0 <= index < n for index in (*indices, *self.tops)):
            raise ParameterError(f"a role or top names a node that is not among the {n} of the graph")

    def __repr__(self) -> str:
        return short_repr(self, f"{self.framework} of {len(self.nodes)} nodes and {len(self.edges)} roles: {self.text}")

    @property
    def is_unanchored(self) -> bool:
        """Whether nodes are not known by their characters, as in an AMR."""
        return self.framework.lower() in UNANCHORED

    @property
    def lacks_spans(self) -> bool:
        """Whether there are nodes not known by spans: it is an AMR, no node has a span, or several have none.

        In EDS and DMRS, for which EDM is made, nodes without a span are rare flaws, and one with a span is enough.
        """
        framework = self.framework.lower()
        if framework in UNANCHORED:
            return bool(self.nodes)
        n_without = [node.anchors for node in self.nodes].count(())
        max_without = len(self.nodes) - 1 if framework in _FROM_MRS else min(1, len(self.nodes) - 1)
        return n_without > max(max_without, 0)

    def surface(self, node: SemanticNode) -> str:
        """Return the characters of the sentence of a node's anchors.

        Parameters
        ----------
        node : SemanticNode
            The node.
        """
        return " … ".join(self.text[start:end] for start, end in node.anchors)

    def to_json(self) -> str:
        """Return the graph as one line of JSON."""
        nodes = [
            [node.id, node.predicate, node.anchors, node.properties, node.constant, node.type, node.is_quantifier]
            for node in self.nodes
        ]
        edges = [[edge.source, edge.role, edge.target] for edge in self.edges]
        content = {"nodes": nodes, "edges": edges, "tops": self.tops, "text": self.text, "framework": self.framework}
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> SemanticGraph:
        """Read what :meth:`to_json` wrote.

        Parameters
        ----------
        text : str
            The line of JSON.

        Returns
        -------
        SemanticGraph
            The graph.

        Raises
        ------
        ParameterError
            If the text is not a semantic graph in JSON.
        """
        try:
            content = msgspec.json.decode(text, type=_Content)
            nodes = tuple(SemanticNode(*node) for node in content.nodes)
            edges = tuple(SemanticEdge(*edge) for edge in content.edges)
            return cls(nodes, edges, content.tops, content.text, content.framework)
        except (ValueError, RecursionError) as error:
            raise ParameterError(f"this is not a semantic graph: {error}") from None


class _Content(msgspec.Struct):
    """A graph in JSON."""

    nodes: list[tuple[str, str, Anchors, tuple[tuple[str, str], ...], str | None, str, bool]]
    edges: list[tuple[int, str, int]]
    tops: tuple[int, ...]
    text: str
    framework: str
