"""Small files of semantic graphs that the tests of runs share."""

from __future__ import annotations

import io
import json

from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph, SemanticNode

KIM, SANDY = "Kim sleeps.", "Sandy saw Kim."


def sleeps(predicate: str = "_sleep_v_1", *, end: int = 10, tense: str = "pres", name: str = "Kim") -> SemanticGraph:
    """Return the graph of "Kim sleeps.", right or somewhat wrong: 3 names, 2 arguments, 2 properties."""
    nodes = (
        SemanticNode("e2", predicate, ((4, end),), (("TENSE", tense),), None, "e"),
        SemanticNode("x3", "named", ((0, 3),), (("NUM", "sg"),), name, "x"),
        SemanticNode("_1", "proper_q", ((0, 3),), (), None, "", True),
    )
    return SemanticGraph(nodes, (SemanticEdge(0, "ARG1", 1), SemanticEdge(2, "BV", 1)), (0,), KIM, "eds")


def saw(*, swapped: bool = False) -> SemanticGraph:
    """Return the graph of "Sandy saw Kim.", or one with its arguments changed over."""
    nodes = (
        SemanticNode("e2", "_see_v_1", ((6, 9),), (("TENSE", "past"), ("SF", "prop")), None, "e"),
        SemanticNode("x3", "named", ((0, 5),), (("NUM", "sg"),), "Sandy", "x"),
        SemanticNode("x4", "named", ((10, 13),), (("NUM", "sg"),), "Kim", "x"),
        SemanticNode("_1", "proper_q", ((0, 5),), (), None, "", True),
        SemanticNode("_2", "proper_q", ((10, 13),), (), None, "", True),
    )
    one, two = (2, 1) if swapped else (1, 2)
    edges = (
        SemanticEdge(0, "ARG1", one),
        SemanticEdge(0, "ARG2", two),
        SemanticEdge(3, "BV", 1),
        SemanticEdge(4, "BV", 2),
    )
    return SemanticGraph(nodes, edges, (0,), SANDY, "eds")


def eds(*graphs: SemanticGraph | None) -> str:
    """Write graphs in the native notation of EDS, without ids; what is missing is an empty graph."""
    return "\n".join("{}" if graph is None else _eds(graph) for graph in graphs) + "\n"


def _eds(graph: SemanticGraph) -> str:
    lines = []
    for place, node in enumerate(graph.nodes):
        spans = "".join(f"<{start}:{end}>" for start, end in node.anchors)
        constant = f'("{node.constant}")' if node.constant else ""
        said = ", ".join(f"{name} {value}" for name, value in node.properties)
        roles = ", ".join(f"{edge.role} {graph.nodes[edge.target].id}" for edge in graph.edges if edge.source == place)
        properties = f"{{{node.type} {said}}}" if node.type else ""
        lines.append(f" {node.id}:{node.predicate}{spans}{constant}{properties}[{roles}]")
    return f"{{{graph.nodes[graph.tops[0]].id}:\n" + "\n".join(lines) + "\n}"


def mrp(*items: tuple[str, SemanticGraph | None]) -> str:
    """Write graphs as JSON lines, each with the id of its item."""
    return "".join(json.dumps(_mrp(name, graph)) + "\n" for name, graph in items)


def _mrp(name: str, graph: SemanticGraph | None) -> dict[str, object]:
    said: dict[str, object] = {"id": name, "flavor": 1, "framework": "eds", "version": 1.1}
    if graph is None:
        return said | {"tops": [], "nodes": [], "edges": []}
    nodes = []
    for place, node in enumerate(graph.nodes):
        pairs = [*node.properties, *([("CARG", node.constant)] if node.constant else [])]
        anchors = [{"from": start, "to": end} for start, end in node.anchors]
        known = {"properties": [one for one, _ in pairs], "values": [value for _, value in pairs]}
        nodes.append({"id": place, "label": node.predicate, "anchors": anchors} | known)
    edges = [{"source": edge.source, "target": edge.target, "label": edge.role} for edge in graph.edges]
    return said | {"input": graph.text, "tops": list(graph.tops), "nodes": nodes, "edges": edges}


def data(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())
