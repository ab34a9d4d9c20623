"""Elementary Dependency Structures in their native notation: ``{e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}``.

``#name`` before the brace names the item; further graphs of the same name, or after the same ``SENT:`` line where they
have no name, are further results of that item. A graph without nodes stands for a sentence without an analysis.

References
----------
Stephan Oepen and Jan Tore Lønning. 2006. Discriminant-based MRS banking. LREC.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from delphin.codecs import eds

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.errors import ParameterError
from evaltools.formats.semantics.bank import SemanticItem
from evaltools.formats.semantics.pydelphin import decode, normalize, unescape
from evaltools.formats.semantics.reading import group_segments, read_item
from evaltools.formats.semantics.repeated import repeated_in_eds
from evaltools.formats.semantics.segments import Notation, Segment, cut_nested

__all__ = ["EDS", "write_eds"]

_START = re.compile(
    r"""\s*(?:\#[^\s{]+\s*)?\{\s*(?:
        \} | : | \| | \((?:cyclic\ *)?(?:fragmented)?\)
        | [^\s:,<(\[\]{}"]+\s*:\s*(?:\} | \| | \((?:cyclic|fragmented) | [^\s:,<(\[\]{}]+\s*[:<(\[{])
    )""",
    re.VERBOSE,
)
_TOKENS = re.compile(
    r"""
    (?P<ace>^(?:SENT|SKIP|NOTE|WARNING|ERROR):)
    | \("(?:[^"\\\n]|\\.)*"\)
    | (?P<named>(?:^|(?<=[}\s]))\#(?P<id>[^\s{]+)\s*\{)
    | ^\#(?P<name>[^\s{]+)[ \t]*$
    | (?P<open>\{) | (?P<close>\})
    """,
    re.VERBOSE | re.MULTILINE,
)


def _decode(segment: Segment) -> Any:
    structure = decode(eds, segment.body)
    for node in structure.nodes:
        if node.carg is not None:
            node.carg = unescape(node.carg)
    return normalize(structure)


EDS = Notation(
    "eds",
    "EDS",
    _START.match,
    lambda text: cut_nested(text, _TOKENS, "a graph in braces"),
    _decode,
    repeated=repeated_in_eds,
)


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
    return "\n".join(_item_text(item, number, texts=texts) for number, item in enumerate(items, start=1))


def _item_text(item: SemanticItem, number: int, *, texts: bool) -> str:
    title = f"item {number}" if item.id is None else f"item {item.id}"
    name = "" if item.id is None else f"#{item.id}\n"
    graphs = item.results or (None,)
    many_nameless = item.id is None and len(graphs) > 1
    if many_nameless and not texts:
        raise ParameterError(f"{title}: EDS without texts cannot hold several results of an item without a name")
    sentence = f"SENT: {item.text}\n" if texts and (item.text or many_nameless) else ""
    text = sentence + "\n".join(name + _graph_text(graph) for graph in graphs) + "\n"
    reason = ""
    groups = group_segments(EDS.cut(text).segments)
    if len(groups) == 1:
        copy, problems = read_item(groups[0], 1, EDS, "", first_only=False)
        expected_text = item.text if texts else ""
        if (copy.id, copy.text, *map(_content, copy.results)) == (item.id, expected_text, *map(_content, graphs)):
            return text
        reason = f": {problems[0].found}" if problems else ""
    raise ParameterError(f"{title}: EDS cannot hold this graph{reason}; MRP can")


def _content(graph: SemanticGraph | None) -> Any:
    """Return the content of a graph without the order of roles and the types of variables, which some files lack."""
    if graph is None or not graph.nodes:
        return None
    nodes = [
        (item.id, item.predicate, item.anchors, sorted(item.properties), item.constant, item.is_quantifier)
        for item in graph.nodes
    ]
    edges = sorted((edge.source, edge.role, edge.target) for edge in graph.edges)
    return nodes, edges, graph.tops, graph.framework


def _graph_text(graph: SemanticGraph | None) -> str:
    if graph is None or not graph.nodes:
        return "{\n}"
    roles: list[list[str]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        roles[edge.source].append(f"{edge.role} {graph.nodes[edge.target].id}")
    top = f"{graph.nodes[graph.tops[0]].id}:" if graph.tops else ":"
    lines = [f" {_node_text(node)}[{', '.join(of_node)}]" for node, of_node in zip(graph.nodes, roles, strict=True)]
    return "\n".join([f"{{{top}", *lines, "}"])


def _node_text(node: SemanticNode) -> str:
    parts = [f"{node.id}:{node.predicate}"]
    parts += [f"<{start}:{end}>" for start, end in node.anchors]
    if node.constant is not None:
        escaped = node.constant.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(f'("{escaped}")')
    if node.type or node.properties:
        text = ", ".join(f"{name} {value}" for name, value in node.properties)
        parts.append(f"{{{node.type or 'u'}{' ' if text else ''}{text}}}")
    return "".join(parts)
