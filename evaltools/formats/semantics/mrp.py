"""The JSON lines of the shared tasks on meaning representation parsing: EDS, DM and the other frameworks.

A property ``carg`` becomes the node's constant; other properties are kept as they are. Lines with the same ``id`` are
results of the same item, best first. Graphs of another framework than the first are listed and left out.

References
----------
http://mrp.nlpl.eu/2020/index.php?page=14
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.corpus.semantic_graph import BILEXICAL, UNANCHORED, Anchors
from evaltools.formats.semantics.bank import SemanticItem
from evaltools.formats.semantics.json_formats import begins_with_keys, cut_json, json_content, unread_keys
from evaltools.formats.semantics.pydelphin import MAX_END, GraphError, Remark, build_graph, clean
from evaltools.formats.semantics.segments import Flaw, Notation, Segment, SegmentedText
from evaltools.text import excerpt

__all__ = ["MRP", "write_mrp"]

_FLAVORS = dict.fromkeys(BILEXICAL, 0) | dict.fromkeys(UNANCHORED, 2)


_KEYS: dict[str, tuple[str, ...]] = {
    "graphs": ("id", "tops", "nodes", "edges"),
    "nodes": ("id", "label", "properties", "values", "anchors", "normal", "anchorings"),
    "edges": ("source", "target", "label", "attributes", "values", "id", "normal", "anchors", "properties"),
}


def _cut(text: str) -> SegmentedText:
    """Cut a text into graphs, without those of another framework than the first."""
    result = cut_json(text, by_line=True)
    frameworks = [_framework_of(segment) for segment in result.segments]
    first = next(filter(None, frameworks), "")
    for framework in dict.fromkeys(frameworks):
        if framework not in ("", first):
            found = f"{frameworks.count(framework)} graphs of framework {excerpt(framework)!r}, left out"
            line = result.segments[frameworks.index(framework)].line
            result.flaws.append(Flaw("framework", line, found, f"{first!r}, as in the first graph"))
    pairs = zip(result.segments, frameworks, strict=True)
    return SegmentedText(text, [segment for segment, framework in pairs if framework in ("", first)], result.flaws)


def _framework_of(segment: Segment) -> str:
    """Return the framework that a graph names; empty if it names none."""
    return clean(segment.content.get("framework") or "") if isinstance(segment.content, dict) else ""


def _decode(segment: Segment) -> tuple[SemanticGraph | None, list[Remark]]:
    content = json_content(segment)
    if not isinstance(content, dict):
        raise GraphError("not a JSON object")
    nodes = [_node(item) for item in _list(content, "nodes")]
    if not nodes:
        return None, []
    links = [(clean(item["source"]), clean(item.get("label") or ""), clean(item["target"])) for item in _edges(content)]
    tops = [clean(top) for top in _list(content, "tops")]
    return build_graph(nodes, links, tops, segment.text, _framework_of(segment))


def _list(content: dict[str, Any], key: str) -> list[Any]:
    values = content.get(key) or []
    if not isinstance(values, list):
        raise GraphError(f"{key!r} that is not a list")
    return values


def _edges(content: dict[str, Any]) -> list[dict[str, Any]]:
    edges = _list(content, "edges")
    if not all(isinstance(item, dict) and {"source", "target"} <= item.keys() for item in edges):
        raise GraphError("an edge without source and target")
    return edges


def _node(content: Any) -> SemanticNode:
    if not isinstance(content, dict) or "id" not in content:
        raise GraphError("a node without 'id'")
    names, values = _list(content, "properties"), _list(content, "values")
    if len(names) != len(values):
        raise GraphError(f"node {clean(content['id'])}: {len(names)} properties and {len(values)} values")
    pairs = [(clean(name), clean(value)) for name, value in zip(names, values, strict=True)]
    index = next((index for index, (name, _) in enumerate(pairs) if name.lower() == "carg"), None)
    constant = None if index is None else pairs.pop(index)[1]
    return SemanticNode(
        clean(content["id"]), clean(content.get("label") or ""), _anchors(content), tuple(pairs), constant
    )


def _anchors(content: dict[str, Any]) -> Anchors:
    anchors = []
    for item in _list(content, "anchors"):
        if not isinstance(item, dict) or not all(type(item.get(key)) is int for key in ("from", "to")):
            raise GraphError(f"node {clean(content['id'])}: an anchor without 'from' and 'to'")
        if 0 <= item["from"] <= item["to"] < MAX_END:
            anchors.append((item["from"], item["to"]))
    return tuple(anchors)


MRP = Notation(
    "mrp",
    "MRP (JSON lines)",
    lambda text: begins_with_keys(text, "framework", "flavor", "tops[", "anchors["),
    _cut,
    _decode,
    unread=lambda segment: unread_keys(segment, _KEYS),
)


def write_mrp(items: Iterable[SemanticItem]) -> str:
    """Write items as MRP, one result a line; an item without any result as a graph without nodes.

    Parameters
    ----------
    items : iterable of SemanticItem
        The items; the ``id`` of those without a name is their number, from 1.

    Returns
    -------
    str
        The text of the file.

    Examples
    --------
    >>> print(write_mrp([SemanticItem("7", 1, "It rains.", ())]), end="")
    {"id":"7","flavor":1,"framework":"eds","version":1.1,"input":"It rains.","tops":[],"nodes":[],"edges":[]}
    """
    return "".join(f"{line}\n" for number, item in enumerate(items, start=1) for line in _lines(item, number))


def _lines(item: SemanticItem, number: int) -> Iterator[str]:
    framework = next((graph.framework for graph in item.results if graph is not None), "eds")
    for result in item.results or (None,):
        graph = result or SemanticGraph(())
        content = {
            "id": str(number) if item.id is None else item.id,
            "flavor": _FLAVORS.get(framework, 1),
            "framework": framework,
            "version": 1.1,
            "input": item.text,
            "tops": list(graph.tops),
            "nodes": [_node_content(index, node) for index, node in enumerate(graph.nodes)],
            "edges": [{"source": edge.source, "target": edge.target, "label": edge.role} for edge in graph.edges],
        }
        yield json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _node_content(index: int, node: SemanticNode) -> dict[str, Any]:
    pairs = [*node.properties, *([] if node.constant is None else [("CARG", node.constant)])]
    content: dict[str, Any] = {"id": index, "label": node.predicate}
    if pairs:
        content["properties"] = [name for name, _ in pairs]
        content["values"] = [value for _, value in pairs]
    if node.anchors:
        content["anchors"] = [{"from": start, "to": end} for start, end in node.anchors]
    return content
