"""MRS, EDS and DMRS as JSON, and the JSON lines of the shared tasks on meaning representation parsing (MRP).

MRS, EDS and DMRS are one object, or a list of them; with ``id`` and ``input``, which PyDelphin does not write. A text
is cut into objects, and each is read separately: an invalid object does not affect the others.

MRP has EDS, DM and the other frameworks. A property ``carg`` becomes the node's constant; other properties are kept
as they are. Lines with the same ``id`` are results of the same item, best first. Graphs of another framework than the
first are listed and left out.

References
----------
http://mrp.nlpl.eu/2020/index.php?page=14
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from types import ModuleType
from typing import Any

from delphin.codecs import dmrsjson, edsjson, mrsjson

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.corpus.semantic_graph import BILEXICAL, UNANCHORED, Anchors
from evaltools.formats.graphs import GraphFormat, SemanticItem, graph_format
from evaltools.formats.pydelphin import MAX_END, GraphError, build_graph, clean, normalize
from evaltools.formats.segments import Remark, Segment, SegmentedText
from evaltools.text import excerpt

_BETWEEN = re.compile(r"[\s,\[\]]*")
_KEY = re.compile(r'"([A-Za-z]+)"\s*:\s*([\[{]?)')
_HEAD = re.compile(
    r'\{\s*"(?:top|index|relations|constraints|variables|nodes|links|surface|identifier|id|text|input|sentence)"\s*:'
)
_LINE = re.compile(r"[^\s,\[\]][^\n]*")
_NAMED = re.compile(r'"(?:id|identifier)"\s*:\s*("(?:[^"\\\n]|\\[^\n])*"|-?[0-9]+)\s*[,}]')
_NAMES = ("id", "identifier")
_TEXTS = ("input", "surface", "text", "sentence")
_AROUND = {
    *(*_NAMES, *_TEXTS, "lnk"),
    *("flavor", "framework", "version", "time", "language", "source", "targets", "provenance", "reviewed"),
}
"""Keys of graphs that PyDelphin and mtool write beside those that hold the graph."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise ValueError if it has a key twice, of which one value would be lost."""
    content = dict(pairs)
    if len(content) < len(pairs):
        repeated = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the key {excerpt(repeated)!r} twice in one object")
    return content


_decoder = json.JSONDecoder(object_pairs_hook=_object)


def begins_with_keys(text: str, *keys: str) -> bool:
    """Return whether a text begins like JSON with any of these keys; a bracket after a key is that of its value."""
    if not re.match(r'\s*(?:\[\s*)*\{\s*["}]', text):
        return False
    return not {name + bracket for name, bracket in _KEY.findall(text[:100_000])}.isdisjoint(keys)


def cut_json(text: str, heads: re.Pattern[str] = _HEAD) -> SegmentedText:
    """Cut JSON into objects; where one is invalid, at the heads with which objects begin."""
    segments = _valid_segments(text)
    return _cut_at(text, heads) if segments is None else SegmentedText(text, segments)


def _valid_segments(text: str) -> list[Segment] | None:
    """Return the objects of a text, None if any of them is invalid."""
    result = SegmentedText(text)
    offset = _skip_between(text, 0)
    while offset < len(text):
        try:
            content, end = _decoder.raw_decode(text, offset)
        except (ValueError, RecursionError):
            return None
        if not isinstance(content, dict):
            return None
        result.segments.append(_segment(result.line(offset), text[offset:end], content))
        offset = _skip_between(text, end)
    return result.segments


def _cut_at(text: str, heads: re.Pattern[str]) -> SegmentedText:
    """Cut at lines, or at keys with which only a graph begins; inside strings such keys have a backslash."""
    result = SegmentedText(text)
    starts = [match.start() for match in heads.finditer(text)]
    first = starts[0] if starts else len(text)
    result.add_stray(min(_skip_between(text, 0), first), first, "a graph")
    for start, end in pairwise([*starts, len(text)]):
        body = text[start:end].rstrip(" \t\r\n,")
        try:
            content, length = _decoder.raw_decode(body)
        except (ValueError, RecursionError):
            content, length = None, 0
        if not isinstance(content, dict):
            result.segments.append(_invalid_segment(result.line(start), body))
            continue
        result.segments.append(_segment(result.line(start), body[:length], content))
        result.add_stray(min(_skip_between(text, start + length), end), end, "a graph")
    return result


def _skip_between(text: str, offset: int) -> int:
    """Return the end of the white space, commas and brackets that begin at an offset."""
    match = _BETWEEN.match(text, offset)
    assert match is not None
    return match.end()


def _invalid_segment(line: int, body: str) -> Segment:
    """Return a segment of invalid JSON, with its name if that comes before all nested values."""
    name = None
    if (match := _NAMED.search(body.partition("[")[0])) is not None:
        try:
            name = clean(json.loads(match[1]))
        except ValueError:
            name = match[1]
    return Segment(line, body, name)


def _segment(line: int, body: str, content: dict[str, Any]) -> Segment:
    name = next((content[key] for key in _NAMES if content.get(key) is not None), None)
    sentence = next((content[key] for key in _TEXTS if isinstance(content.get(key), str)), "")
    return Segment(line, body, None if name is None else clean(name), clean(sentence), None, content)


def json_content(segment: Segment) -> Any:
    """Return the value of a segment."""
    return segment.content if segment.content is not None else _decoder.decode(segment.body)


def unread_keys(segment: Segment, known: Mapping[str, tuple[str, ...]]) -> list[Remark]:
    """Return the keys of a segment that its format does not have, whose values are not read.

    `known` are the keys of ``graphs``, and of what they hold under each key. A graph that has all its keys may have
    others besides.
    """
    content = json_content(segment)
    remarks = []
    for kind, keys in known.items():
        if kind == "graphs":
            objects = [] if {*keys} <= content.keys() else [content]
            allowed = _AROUND.union(keys)
        else:
            values = content.get(kind)
            values = [*values.values()] if isinstance(values, dict) else values
            objects = values if isinstance(values, list) else []
            allowed = {*keys}
        names = dict.fromkeys(chain.from_iterable(item for item in objects if isinstance(item, dict)))
        if unknown := [name for name in names if name not in allowed]:
            found = f"{', '.join(repr(excerpt(key)) for key in unknown[:5])} as keys of {kind}, which are not read"
            line = segment.body[: max(segment.body.find(json.dumps(unknown[0])), 0)].count("\n")
            remarks.append(Remark("unknown_key", found, f"keys such as {', '.join(keys)}", line))
    return remarks


def _json_format(name: str, title: str, codec: ModuleType, *heads: str, **known: tuple[str, ...]) -> GraphFormat:
    def begins(text: str) -> bool:
        return begins_with_keys(text, *heads)

    def decode(segment: Segment) -> Any:
        return normalize(codec.from_dict(json_content(segment)))

    return graph_format(name, title, begins, cut_json, decode, unread=lambda segment: unread_keys(segment, known))


MRSJSON = _json_format(
    "mrsjson",
    "MRS-JSON",
    mrsjson,
    "relations[",
    graphs=("top", "index", "relations", "constraints", "variables"),
    relations=("label", "predicate", "arguments", "lnk", "surface", "base"),
    constraints=("relation", "high", "low", "left", "right"),
    variables=("type", "properties"),
)
EDSJSON = _json_format(
    "edsjson",
    "EDS-JSON",
    edsjson,
    "nodes{",
    graphs=("top", "nodes"),
    nodes=("label", "type", "edges", "properties", "carg", "lnk"),
)
DMRSJSON = _json_format(
    "dmrsjson",
    "DMRS-JSON",
    dmrsjson,
    "links[",
    "nodeid",
    graphs=("top", "index", "nodes", "links"),
    nodes=("nodeid", "predicate", "sortinfo", "carg", "lnk", "surface", "base"),
    links=("from", "to", "rargname", "post"),
)


# ----------------------------------------------------------------------------------------------------------------- MRP

_FLAVORS = dict.fromkeys(BILEXICAL, 0) | dict.fromkeys(UNANCHORED, 2)


_MRP_KEYS: dict[str, tuple[str, ...]] = {
    "graphs": ("id", "tops", "nodes", "edges"),
    "nodes": ("id", "label", "properties", "values", "anchors", "normal", "anchorings"),
    "edges": ("source", "target", "label", "attributes", "values", "id", "normal", "anchors", "properties"),
}


def _cut_mrp(text: str) -> SegmentedText:
    """Cut a text into graphs, without those of another framework than the first."""
    result = cut_json(text, _LINE)
    frameworks = [_framework_of(segment) for segment in result.segments]
    first = next(filter(None, frameworks), "")
    for framework in dict.fromkeys(frameworks):
        if framework not in ("", first):
            found = f"{frameworks.count(framework)} graphs of framework {excerpt(framework)!r}, left out"
            line = result.segments[frameworks.index(framework)].line
            result.flaws.append(Remark("framework", found, f"{first!r}, as in the first graph", line))
    pairs = zip(result.segments, frameworks, strict=True)
    return SegmentedText(text, [segment for segment, framework in pairs if framework in ("", first)], result.flaws)


def _framework_of(segment: Segment) -> str:
    """Return the framework that a graph names; empty if it names none."""
    return clean(segment.content.get("framework") or "") if isinstance(segment.content, dict) else ""


def _decode_mrp(segment: Segment) -> tuple[SemanticGraph | None, list[Remark]]:
    content = json_content(segment)
    if not isinstance(content, dict):
        raise GraphError("not a JSON object")
    nodes = [_node(item) for item in _list(content, "nodes")]
    if not nodes:
        return None, []
    edges = _list(content, "edges")
    try:
        links = [(clean(edge["source"]), clean(edge.get("label") or ""), clean(edge["target"])) for edge in edges]
    except (AttributeError, KeyError, TypeError):
        raise GraphError("an edge without source and target") from None
    tops = [clean(top) for top in _list(content, "tops")]
    return build_graph(nodes, links, tops, segment.text, _framework_of(segment))


def _list(content: dict[str, Any], key: str) -> list[Any]:
    values = content.get(key) or []
    if not isinstance(values, list):
        raise GraphError(f"{key!r} that is not a list")
    return values


def _node(content: Any) -> SemanticNode:
    if not isinstance(content, dict) or "id" not in content:
        raise GraphError("a node without 'id'")
    names, values = _list(content, "properties"), _list(content, "values")
    if len(names) != len(values):
        raise GraphError(f"node {clean(content['id'])}: {len(names)} properties and {len(values)} values")
    constant = None
    properties = []
    for name, value in zip(map(clean, names), map(clean, values), strict=True):
        if constant is None and name.lower() == "carg":
            constant = value
        else:
            properties.append((name, value))
    label = clean(content.get("label") or "")
    return SemanticNode(clean(content["id"]), label, _anchors(content), tuple(properties), constant)


def _anchors(content: dict[str, Any]) -> Anchors:
    anchors = []
    for item in _list(content, "anchors"):
        start, end = (item.get("from"), item.get("to")) if isinstance(item, dict) else (None, None)
        if type(start) is not int or type(end) is not int:
            raise GraphError(f"node {clean(content['id'])}: an anchor without 'from' and 'to'")
        if 0 <= start <= end < MAX_END:
            anchors.append((start, end))
    return tuple(anchors)


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


MRP = graph_format(
    "mrp",
    "MRP (JSON lines)",
    lambda text: begins_with_keys(text, "framework", "flavor", "tops[", "anchors["),
    _cut_mrp,
    _decode_mrp,
    write=write_mrp,
    unread=lambda segment: unread_keys(segment, _MRP_KEYS),
)
