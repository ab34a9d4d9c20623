"""What PyDelphin reads as graphs of ours: EDS and DMRS as they are, MRS by way of EDS.

Differences from PyDelphin: a role whose target is missing is listed, not passed over; of nodes with the same name all
are kept; ``MOD/EQ`` links of DMRS, which say that two nodes share a scope, are no arguments and are left out, as
:meth:`delphin.dmrs.DMRS.arguments` leaves them out.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from delphin.dmrs import BARE_EQ_ROLE, DMRS
from delphin.eds import EDS, from_mrs
from delphin.exceptions import PyDelphinWarning
from delphin.lnk import Lnk
from delphin.mrs import MRS

from evaltools.errors import excerpt
from evaltools.treebank import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.treebank.semantic_graph import Anchors

__all__ = [
    "FURTHEST",
    "NO_SPANS",
    "WITHOUT_SPANS",
    "Remark",
    "assembled",
    "clean",
    "graph_of",
    "span",
    "without_address",
]

Remark = tuple[str, str, str]
"""Kind, found and expected of something wrong in a graph."""

QUANTIFIER_ROLES = ("BV", "RSTR")
NO_SPANS = "no_spans"
"""The kind of problem that a graph without any span is."""
WITHOUT_SPANS = "characters from and to for each node; EDM is undefined without them"
FURTHEST = 2**31
"""Spans end before this."""

_ADDRESS = re.compile(r"<\w+ object \((.*?)\) at (?:0x)?[0-9a-f]+>")
_conversion = threading.Lock()  # catching warnings changes what all threads see


def graph_of(structure: Any, text: str = "") -> tuple[SemanticGraph | None, list[Remark]]:
    """Return the graph of a structure that PyDelphin read.

    Parameters
    ----------
    structure : delphin.eds.EDS, delphin.dmrs.DMRS or delphin.mrs.MRS
        The structure.
    text : str
        The sentence; if empty, what the structure says.

    Returns
    -------
    (SemanticGraph or None, list of Remark)
        The graph, None if it has no node, and what is wrong with it.

    Examples
    --------
    >>> from delphin.codecs import eds
    >>> graph, remarks = graph_of(eds.decode("{e1: e1:_rain_v_1<3:8>{e TENSE pres}[]}"), "It rains.")
    >>> graph.nodes[0].predicate, graph.nodes[0].anchors, graph.tops, remarks
    ('_rain_v_1', ((3, 8),), (0,), [])
    """
    remarks: list[Remark] = []
    text = text or clean(structure.surface or "")
    if isinstance(structure, MRS):
        if not structure.rels:
            return None, remarks
        structure, said = _converted(structure)
        remarks += [("conversion_warning", clean(message), "an MRS that converts to EDS whole") for message in said]
    if not structure.nodes:
        return None, remarks
    nodes = [
        SemanticNode(
            clean(node.id),
            clean(node.predicate),
            span(node.lnk),
            tuple((clean(name), clean(value)) for name, value in node.properties.items()),
            None if node.carg is None else clean(node.carg),
            clean(node.type or ""),
        )
        for node in structure.nodes
    ]
    if isinstance(structure, DMRS):
        links = [
            (one.start, one.role, one.end) for one in structure.links if (one.role or BARE_EQ_ROLE) != BARE_EQ_ROLE
        ]
        framework = "dmrs"
    else:
        links = [(node.id, role, target) for node in structure.nodes for role, target in node.edges.items()]
        framework = "eds"
    named = [(clean(source), clean(role), clean(target)) for source, role, target in links]
    tops = [] if structure.top is None else [clean(structure.top)]
    graph, more = assembled(nodes, named, tops, text, framework)
    return graph, remarks + more


def _converted(structure: MRS) -> tuple[EDS, list[str]]:
    with _conversion, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PyDelphinWarning)
        converted = from_mrs(structure)
    return converted, list(dict.fromkeys(without_address(str(one.message)) for one in caught))


def without_address(message: str) -> str:
    """Return what PyDelphin says without where an object is in memory, which is never the same twice.

    >>> without_address("broken handle constraint: <HCons object (h0 qeq h8) at 139836151396640>")
    'broken handle constraint: h0 qeq h8'
    """
    return _ADDRESS.sub(r"\1", message)


def assembled(
    nodes: Sequence[SemanticNode],
    links: Iterable[tuple[str, str, str]],
    tops: Iterable[str],
    text: str,
    framework: str,
) -> tuple[SemanticGraph, list[Remark]]:
    """Put a graph together from nodes and the names of nodes.

    Parameters
    ----------
    nodes : sequence of SemanticNode
        The nodes; quantifiers are found from the roles.
    links : iterable of (str, str, str)
        Source, role and target.
    tops : iterable of str
        Names of nodes.
    text, framework : str
        As in :class:`evaltools.treebank.SemanticGraph`.

    Returns
    -------
    (SemanticGraph, list of Remark)
        The graph without what names no node, and what is wrong with it.
    """
    remarks: list[Remark] = []
    place: dict[str, int] = {}
    unique: list[SemanticNode] = []
    times: Counter[str] = Counter()
    for node in nodes:
        name = node.id
        times[name] += 1
        if times[name] > 1:
            name = f"{name}#{times[name]}"
        while name in place:
            name += "#"
        place[name] = len(unique)
        unique.append(node if name == node.id else _with(node, id=name))
    for name, n in times.items():
        if n > 1:
            found = f"{'two' if n == 2 else n} nodes named {excerpt(name)!r}"
            remarks.append(("repeated_node", found, "one name for each node"))
    edges = []
    for source, role, target in links:
        if source in place and target in place:
            edges.append(SemanticEdge(place[source], role, place[target]))
        else:
            absent = target if source in place else source
            found = f"{excerpt(role)} of {excerpt(source)} to {excerpt(target)}, where {excerpt(absent)} is no node"
            remarks.append(("no_such_node", found, "a node of the graph"))
    known = []
    for top in tops:
        if top in place:
            known.append(place[top])
        else:
            remarks.append(("no_such_node", f"{excerpt(top)} as the top, which is no node", "a node of the graph"))
    quantifiers = {edge.source for edge in edges if edge.role.upper() in QUANTIFIER_ROLES}
    marked = tuple(_with(node, is_quantifier=True) if i in quantifiers else node for i, node in enumerate(unique))
    bare = sum(not node.anchors for node in unique)
    if unique and bare == len(unique):
        remarks.append((NO_SPANS, "a graph none of whose nodes has a span", WITHOUT_SPANS))
    elif bare:
        remarks.append(("no_span", f"{bare} of {len(unique)} nodes without a span", "characters from and to for each"))
    beyond = sum(any(end > len(text) for _, end in node.anchors) for node in unique) if text else 0
    if beyond:
        found = f"{beyond} of {len(unique)} nodes with a span beyond the sentence's {len(text)} characters"
        remarks.append(("span_beyond", found, "spans inside the sentence"))
    return SemanticGraph(marked, tuple(edges), tuple(dict.fromkeys(known)), text, framework), remarks


def _with(node: SemanticNode, **changes: Any) -> SemanticNode:
    return SemanticNode(**{name: changes.get(name, getattr(node, name)) for name in SemanticNode.__slots__})


def span(lnk: Any) -> Anchors:
    """Return the characters that a node stands for; none where it has other places, such as edges of a chart."""
    if lnk is None or lnk.type != Lnk.CHARSPAN:
        return ()
    start, end = lnk.data
    return ((start, end),) if 0 <= start <= end < FURTHEST else ()


def clean(value: object) -> str:
    r"""Return a value as text that can be written as UTF-8.

    >>> clean(3), clean("caf\xe9"), clean("\ud800")
    ('3', 'café', '\\ud800')
    """
    text = value if isinstance(value, str) else str(value)
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
