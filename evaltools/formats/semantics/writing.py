"""Items written as text: EDS in its native notation, and the JSON lines of MRP."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from evaltools.errors import ParameterError
from evaltools.formats.semantics import eds
from evaltools.formats.semantics.bank import SemanticItem
from evaltools.formats.semantics.reading import put_together, read_item
from evaltools.treebank import SemanticGraph, SemanticNode

__all__ = ["write_eds", "write_mrp"]

_FLAVORS = {"dm": 0, "psd": 0, "ptg": 0, "amr": 2}


def write_eds(items: Iterable[SemanticItem], *, texts: bool = True) -> str:
    """Write items as EDS.

    Parameters
    ----------
    items : iterable of SemanticItem
        The items; a missing graph is written as one without nodes.
    texts : bool
        Whether a ``SENT:`` line with its sentence comes before each item; PyDelphin cannot read those.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    ParameterError
        If EDS cannot hold a graph: DMRS, several spans of one node, one role of a node twice, white space or brackets
        in a predicate, and so on. :func:`write_mrp` can.

    Examples
    --------
    >>> node = SemanticNode("e2", "_rain_v_1", ((3, 8),), (("TENSE", "pres"),), None, "e")
    >>> print(write_eds([SemanticItem("7", 1, "It rains.", (SemanticGraph((node,), (), (0,), "It rains."),))]), end="")
    SENT: It rains.
    #7
    {e2:
     e2:_rain_v_1<3:8>{e TENSE pres}[]
    }
    """
    return "\n".join(_eds_item(item, number, texts=texts) for number, item in enumerate(items, start=1))


def _eds_item(item: SemanticItem, number: int, *, texts: bool) -> str:
    called = f"item {number}" if item.id is None else f"item {item.id}"
    name = "" if item.id is None else f"#{item.id}\n"
    graphs = [name + _eds_graph(graph) for graph in item.results or (None,)]
    if not texts and item.id is None and len(graphs) > 1:
        raise ParameterError(f"{called}: EDS without texts cannot hold several results of an item without a name")
    sentence = f"SENT: {item.text}\n" if texts and (item.text or (item.id is None and len(graphs) > 1)) else ""
    text = sentence + "\n".join(graphs) + "\n"
    again = put_together(eds.cut(text).found)
    if len(again) == 1:
        read, problems = read_item(again[0], 1, eds, "", first_only=False)
        said = item.text if texts else ""
        expected = tuple(_scored(graph, said) for graph in item.results or (None,))
        if read.id == item.id and read.text == said and tuple(_scored(one, said) for one in read.results) == expected:
            return text
        if problems:
            raise ParameterError(f"{called}: EDS cannot hold this graph: {problems[0].found}; MRP can")
    raise ParameterError(f"{called}: EDS cannot hold this graph; MRP can")


def _scored(graph: SemanticGraph | None, text: str) -> Any:
    """Return what a graph says but for the order of roles and the types of variables, which not all files have."""
    if graph is None or not graph.nodes:
        return None
    nodes = [
        (one.id, one.predicate, one.anchors, sorted(one.properties), one.constant, one.is_quantifier)
        for one in graph.nodes
    ]
    edges = sorted((edge.source, edge.role, edge.target) for edge in graph.edges)
    return nodes, edges, graph.tops, graph.framework, text


def _eds_graph(graph: SemanticGraph | None) -> str:
    if graph is None or not graph.nodes:
        return "{\n}"
    roles: list[list[str]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        roles[edge.source].append(f"{edge.role} {graph.nodes[edge.target].id}")
    top = f"{graph.nodes[graph.tops[0]].id}:" if graph.tops else ":"
    lines = [f" {_eds_node(node)}[{', '.join(of_node)}]" for node, of_node in zip(graph.nodes, roles, strict=True)]
    return "\n".join([f"{{{top}", *lines, "}"])


def _eds_node(node: SemanticNode) -> str:
    parts = [f"{node.id}:{node.predicate}"]
    parts += [f"<{start}:{end}>" for start, end in node.anchors]
    if node.constant is not None:
        escaped = node.constant.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(f'("{escaped}")')
    if node.type or node.properties:
        said = ", ".join(f"{name} {value}" for name, value in node.properties)
        parts.append(f"{{{node.type or 'u'}{' ' if said else ''}{said}}}")
    return "".join(parts)


def write_mrp(items: Iterable[SemanticItem]) -> str:
    """Write items as MRP, one result a line; those without any result as a graph without nodes.

    Parameters
    ----------
    items : iterable of SemanticItem
        The items; those without a name are called by their number, from 1.

    Returns
    -------
    str
        The text of the file.

    Examples
    --------
    >>> print(write_mrp([SemanticItem("7", 1, "It rains.", ())]), end="")
    {"id":"7","flavor":1,"framework":"eds","version":1.1,"input":"It rains.","tops":[],"nodes":[],"edges":[]}
    """
    return "".join(f"{line}\n" for number, item in enumerate(items, start=1) for line in _mrp_lines(item, number))


def _mrp_lines(item: SemanticItem, number: int) -> Iterator[str]:
    framework = next((graph.framework for graph in item.results if graph is not None), "eds")
    for graph in item.results or (None,):
        content: dict[str, Any] = {
            "id": str(number) if item.id is None else item.id,
            "flavor": _FLAVORS.get(framework, 1),
            "framework": framework,
            "version": 1.1,
            "input": item.text,
            "tops": [] if graph is None else list(graph.tops),
            "nodes": [] if graph is None else [_mrp_node(place, node) for place, node in enumerate(graph.nodes)],
            "edges": []
            if graph is None
            else [{"source": one.source, "target": one.target, "label": one.role} for one in graph.edges],
        }
        yield json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _mrp_node(place: int, node: SemanticNode) -> dict[str, Any]:
    pairs = [*node.properties, *([] if node.constant is None else [("CARG", node.constant)])]
    content: dict[str, Any] = {"id": place, "label": node.predicate}
    if pairs:
        content["properties"] = [name for name, _ in pairs]
        content["values"] = [value for _, value in pairs]
    if node.anchors:
        content["anchors"] = [{"from": start, "to": end} for start, end in node.anchors]
    return content
