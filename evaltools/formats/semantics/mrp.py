"""The JSON lines of the shared tasks on meaning representation parsing: EDS, DM and the other frameworks.

A property ``carg`` becomes the node's constant; other properties are kept as they are. Lines with the same ``id`` are
results of the same item, best first. Graphs of another framework than the first are listed and left out.

References
----------
http://mrp.nlpl.eu/2020/index.php?page=14
"""

from __future__ import annotations

from typing import Any

from evaltools.errors import excerpt
from evaltools.formats.semantics.json_pieces import cut_json, json_content, keys
from evaltools.formats.semantics.native import GraphError
from evaltools.formats.semantics.pieces import Flaw, Piece, Pieces
from evaltools.formats.semantics.structures import FURTHEST, Remark, assembled, clean
from evaltools.treebank import SemanticGraph, SemanticNode
from evaltools.treebank.semantic_graph import Anchors

__all__ = ["cut", "framework_of", "graph", "looks_like"]

NAME = "mrp"
TITLE = "MRP (JSON lines)"

_MARKS = {"framework", "flavor", "tops[", "anchors["}


def looks_like(text: str) -> bool:
    """Tell whether the first object has what graphs of MRP have."""
    return bool(keys(text) & _MARKS)


def cut(text: str) -> Pieces:
    """Cut a text into graphs, those of another framework than the first left out."""
    pieces = cut_json(text, by_line=True)
    frameworks = [framework_of(piece) for piece in pieces.found]
    first = next((one for one in frameworks if one), "")
    for other in dict.fromkeys(one for one in frameworks if one not in ("", first)):
        found = f"{frameworks.count(other)} graphs of framework {excerpt(other)!r}, left out"
        line = pieces.found[frameworks.index(other)].line
        pieces.flaws.append(Flaw("framework", line, found, f"{first!r}, as the first graph says"))
    kept = [piece for piece, one in zip(pieces.found, frameworks, strict=True) if one in ("", first)]
    return Pieces(text, kept, pieces.flaws)


def framework_of(piece: Piece) -> str:
    """Return the framework that a graph says it is of; empty where it says none."""
    return clean(piece.content.get("framework") or "") if isinstance(piece.content, dict) else ""


def graph(piece: Piece) -> tuple[SemanticGraph | None, list[Remark]]:
    """Read one graph.

    Parameters
    ----------
    piece : Piece
        Its text, read as JSON already.

    Returns
    -------
    (SemanticGraph or None, list of Remark)
        The graph, None if it has no node, and what is wrong with it.

    Raises
    ------
    GraphError
        If it is none.
    """
    content = json_content(piece)
    if not isinstance(content, dict):
        raise GraphError("not an object of JSON")
    nodes = [_node(one) for one in _list(content, "nodes")]
    if not nodes:
        return None, []
    links = [(clean(one["source"]), clean(one.get("label") or ""), clean(one["target"])) for one in _edges(content)]
    tops = [clean(top) for top in _list(content, "tops")]
    return assembled(nodes, links, tops, piece.text, framework_of(piece))


def _list(content: dict[str, Any], key: str) -> list[Any]:
    found = content.get(key) or []
    if not isinstance(found, list):
        raise GraphError(f"{key!r} that is no list")
    return found


def _edges(content: dict[str, Any]) -> list[dict[str, Any]]:
    edges = _list(content, "edges")
    if not all(isinstance(one, dict) and {"source", "target"} <= one.keys() for one in edges):
        raise GraphError("an edge without source and target")
    return edges


def _node(content: Any) -> SemanticNode:
    if not isinstance(content, dict) or "id" not in content:
        raise GraphError("a node without 'id'")
    names, values = _list(content, "properties"), _list(content, "values")
    if len(names) != len(values):
        raise GraphError(f"node {clean(content['id'])}: {len(names)} properties and {len(values)} values")
    pairs = [(clean(name), clean(value)) for name, value in zip(names, values, strict=True)]
    constant = next((value for name, value in pairs if name.lower() == "carg"), None)
    properties = list(pairs)
    if constant is not None:
        properties.remove(next(pair for pair in pairs if pair[0].lower() == "carg"))
    return SemanticNode(
        clean(content["id"]),
        clean(content.get("label") or ""),
        _anchors(content),
        tuple(properties),
        constant,
    )


def _anchors(content: dict[str, Any]) -> Anchors:
    found = []
    for one in _list(content, "anchors"):
        if not isinstance(one, dict) or not all(type(one.get(key)) is int for key in ("from", "to")):
            raise GraphError(f"node {clean(content['id'])}: an anchor without 'from' and 'to'")
        if 0 <= one["from"] <= one["to"] < FURTHEST:
            found.append((one["from"], one["to"]))
    return tuple(found)
