"""Diagrams in the DOT language: Graphviz places the nodes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import graphviz

from evaltools.drawing.measure import visible
from evaltools.drawing.palette import COLOURS
from evaltools.drawing.scene import Diagram, DiagramEdge, DiagramNode
from evaltools.marks import Status

_GREY, _PALE, _INK = "#9ba4ae", "#c8cdd3", "#5b6470"
_FONT = {"fontname": "Helvetica"}
_PLAIN = {"shape": "plain", "margin": "0.04"}
_DIAGRAMS: dict[str, tuple[dict[str, str], dict[str, str], dict[str, str]]] = {
    "tree": (
        {"ranksep": "0.25", "nodesep": "0.2"},
        _PLAIN | {"fontsize": "12"},
        {"arrowhead": "none", "color": _GREY},
    ),
    "arcs": ({"nodesep": "0.2"}, _PLAIN | {"fontsize": "14"}, {"fontsize": "11", "constraint": "false"}),
    "semantics": (
        {"ranksep": "0.35", "nodesep": "0.25"},
        {
            "shape": "box",
            "style": "rounded",
            "fontsize": "12",
            "margin": "0.08,0.04",
            "height": "0.3",
            "color": _GREY,
        },
        {"fontsize": "10", "color": _GREY, "arrowsize": "0.7"},
    ),
}
_DIAGRAMS["alignment"] = _DIAGRAMS["tree"]
"""Attributes of the graph, of all nodes and of all edges, by kind of diagram."""

_NODES = {
    ("label", "missing"): {"shape": "box", "style": "dashed"},
    ("label", "spurious"): {"shape": "box", "peripheries": "2"},
    ("label", "relabeled"): {"shape": "box", "style": "rounded"},
    ("label", "moved"): {"shape": "box", "style": "rounded"},
    ("predicate", "missing"): {"style": "rounded,dashed"},
    ("predicate", "spurious"): {"peripheries": "2"},
    ("predicate", "relabeled"): {"penwidth": "1.5"},
    ("root", "right"): {"fontsize": "10"},
    ("empty", "right"): {"shape": "box", "style": "dashed", "color": _GREY, "fontcolor": _INK},
}
"""Attributes by role and status."""

_ARCS = {"missing": "dashed", "spurious": "bold", "relabeled": "solid", "right": "solid", "uncounted": "dotted"}
_LINK = {"constraint": "false"}
_EDGES = {
    ("pair", "right"): _LINK | {"style": "dotted", "color": _PALE},
    ("pair", "relabeled"): _LINK | {"style": "dotted"},
    ("pair", "moved"): _LINK | {"style": "solid", "arrowhead": "normal"},
    ("tie", "exact"): _LINK | {"style": "solid", "color": _INK},
    ("tie", "folded"): _LINK | {"style": "dotted", "color": _INK},
    ("tie", "characters"): _LINK | {"style": "dashed", "color": _INK, "arrowhead": "odot", "fontsize": "9"},
}
"""Attributes by role and status."""


def write_dot(diagram: Diagram) -> str:
    """Return a diagram in DOT."""
    graph, nodes, edges = _DIAGRAMS[diagram.kind]
    source = graphviz.Digraph(diagram.kind)
    source.attr("graph", **_FONT, **graph)
    source.attr("node", **_FONT, **nodes)
    source.attr("edge", **_FONT, **edges)
    for part in diagram.parts:
        cluster = graphviz.Digraph(f"cluster_{part.kind}")
        cluster.attr(label=part.kind, color=_PALE, fontcolor=_INK)
        _fill(cluster, part)
        source.subgraph(cluster)
    _fill(source, diagram)
    return str(source.source)


def _fill(source: Any, diagram: Diagram) -> None:
    """Add nodes, edges and the row of a diagram to a graph of Graphviz."""
    for node in diagram.nodes:
        source.node(node.id, label=_literal(*node.lines), **_node_attributes(node))
    for edge in diagram.edges:
        label = _literal(edge.label) if edge.label else None
        source.edge(edge.source, edge.target, label=label, **_edge_attributes(edge))
    if len(diagram.row) > 1:
        row = graphviz.Digraph()
        row.attr(rank="same")
        row.attr("edge", style="invis", constraint="true")
        for before, after in pairwise(diagram.row):
            row.edge(before, after)
        source.subgraph(row)


def _literal(*lines: str) -> str:
    """Return a label whose lines Graphviz prints literally, without escapes, entities and HTML."""
    texts = (graphviz.escape(visible(line).replace("&", "&amp;")) for line in lines)
    label: str = graphviz.nohtml(r"\n".join(texts))
    return label


def _color(status: str) -> dict[str, str]:
    return {"color": COLOURS[Status(status)]} if status in set(COLOURS) else {}


def _node_attributes(node: DiagramNode) -> dict[str, str]:
    role = "label" if node.role == "word" else node.role
    large = {"fontsize": "14"} if node.role == "word" else {}
    return large | _NODES.get((role, node.status), {}) | _color(node.status)


def _edge_attributes(edge: DiagramEdge) -> dict[str, str]:
    if edge.role == "edge":
        return {}
    if edge.role in ("arc", "role"):
        if edge.role == "role" and edge.status == "right":
            return {}
        color = _color(edge.status).get("color", _GREY)
        return {"style": _ARCS[edge.status], "color": color, "fontcolor": color}
    return _EDGES[edge.role, edge.status] | _color(edge.status)
