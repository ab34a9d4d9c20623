"""PyDelphin's codecs, and its structures converted to semantic graphs: EDS and DMRS directly, MRS by way of EDS.

Differences from PyDelphin: a role whose target is missing is listed, not ignored; of nodes with the same name all
are kept; ``MOD/EQ`` links of DMRS, which mark nodes that share a scope, are no arguments and are left out, as
:meth:`delphin.dmrs.DMRS.arguments` leaves them out.
"""

from __future__ import annotations

import io
import re
import threading
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType
from typing import Any

from delphin import predicate
from delphin.dmrs import BARE_EQ_ROLE, DMRS
from delphin.eds import EDS, from_mrs
from delphin.exceptions import PyDelphinSyntaxError, PyDelphinWarning
from delphin.lnk import Lnk
from delphin.mrs import MRS

from evaltools.corpus import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.corpus.semantic_graph import Anchors
from evaltools.formats.segments import Remark
from evaltools.text import excerpt

NO_SPANS = "no_spans"
"""The kind of the problem of a graph without any span, or with several nodes that have none."""
WITHOUT_SPANS = "characters from and to for each node; EDM is undefined without them"
MAX_END = 2**31
"""Spans end before this."""

_QUANTIFIER_ROLES = ("BV", "RSTR")
_WHITE_SPACE = re.compile(r'("(?:[^"\\\n]|\\.)*")|[\t\r\v\f]')
_ESCAPE = re.compile(r'\\(["\\])')
_ADDRESS = re.compile(r"<\w+ object \((.*?)\) at (?:0x)?[0-9a-f]+>")
_conversion = threading.Lock()  # catching warnings changes what all threads see


Link = tuple[str, str, str]
"""Source, role and target, which are names of nodes."""


class GraphError(ValueError):
    """A graph that cannot be read; ``line`` counts from the graph's first, from 0."""

    def __init__(self, found: str, line: int = 0) -> None:
        super().__init__(found)
        self.line = line


def decode(codec: ModuleType, body: str) -> Any:
    """Read one graph with a codec of PyDelphin."""
    plain = _WHITE_SPACE.sub(lambda match: match[1] or " ", body)
    try:
        # not codec.decode, which takes line separators inside words for ends of lines
        structures = codec.load(io.StringIO(plain, newline="\n"))
    except PyDelphinSyntaxError as error:
        message = str(error.message)
        if error.offset is not None and error.text is not None:
            message += f" at {error.text[error.offset :][:20].rstrip()!r}"
        raise GraphError(message, (error.lineno or 1) - 1) from None
    if len(structures) != 1:
        raise GraphError("more than one graph" if structures else "it is not closed")
    return structures[0]


def unescape(text: str) -> str:
    r"""Remove the backslashes before quotes and backslashes.

    >>> unescape(r"the \"one\"")
    'the "one"'
    """
    return _ESCAPE.sub(r"\1", text)


def normalize(structure: Any) -> Any:
    """Write the predicates of a structure as SimpleMRS has them: in small letters, without quotes and ``_rel``."""
    for item in structure.predications:
        item.predicate = predicate.normalize(item.predicate)
    return structure


def graph_of(structure: Any, text: str = "") -> tuple[SemanticGraph | None, list[Remark]]:
    """Return the graph of a structure that PyDelphin read.

    Parameters
    ----------
    structure : delphin.eds.EDS, delphin.dmrs.DMRS or delphin.mrs.MRS
        The structure.
    text : str
        The sentence; by default the ``surface`` of the structure.

    Returns
    -------
    (SemanticGraph or None, list of Remark)
        The graph, None if it has no node, and its flaws.

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
        structure, messages = _convert(structure)
        expected = "an MRS that converts to EDS whole"
        remarks += [Remark("conversion_warning", clean(message), expected) for message in messages]
    if not structure.nodes:
        return None, remarks
    nodes = [
        SemanticNode(
            clean(node.id),
            clean(node.predicate),
            _span(node.lnk),
            tuple([(clean(name), clean(value)) for name, value in node.properties.items()]),
            None if node.carg is None else clean(node.carg),
            clean(node.type or ""),
        )
        for node in structure.nodes
    ]
    if isinstance(structure, DMRS):
        links = [
            (item.start, item.role, item.end) for item in structure.links if (item.role or BARE_EQ_ROLE) != BARE_EQ_ROLE
        ]
        framework = "dmrs"
    else:
        links = [(node.id, role, target) for node in structure.nodes for role, target in node.edges.items()]
        framework = "eds"
    clean_links = [(clean(source), clean(role), clean(target)) for source, role, target in links]
    tops = [] if structure.top is None else [clean(structure.top)]
    graph, flaws = build_graph(nodes, clean_links, tops, text, framework)
    return graph, remarks + flaws


def _convert(structure: MRS) -> tuple[EDS, list[str]]:
    with _conversion, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PyDelphinWarning)
        converted = from_mrs(structure)
    return converted, list(dict.fromkeys(without_address(str(item.message)) for item in caught))


def without_address(message: str) -> str:
    """Return a message of PyDelphin without the addresses of objects in memory, which differ each time.

    >>> without_address("broken handle constraint: <HCons object (h0 qeq h8) at 139836151396640>")
    'broken handle constraint: h0 qeq h8'
    """
    return _ADDRESS.sub(r"\1", message)


def build_graph(
    nodes: list[SemanticNode], links: Iterable[Link], tops: Iterable[str], text: str, framework: str
) -> tuple[SemanticGraph, list[Remark]]:
    """Return the graph of nodes, links and tops, which are names of nodes; and its flaws."""
    nodes, remarks = [*nodes], list[Remark]()
    ids = [node.id for node in nodes]
    index = dict(zip(ids, range(len(ids)), strict=True))
    if len(index) < len(ids):
        index = _numbered(ids)
        nodes = [replace(node, id=name) for name, node in zip(index, nodes, strict=True)]
        for name, n in Counter(ids).items():
            if n > 1:
                found = f"{'two' if n == 2 else n} nodes named {excerpt(name)!r}"
                remarks.append(Remark("repeated_node", found, "one name for each node"))
    edges = []
    for source, role, target in links:
        if source in index and target in index:
            edges.append(SemanticEdge(index[source], role, index[target]))
        else:
            absent = target if source in index else source
            found = f"{excerpt(role)} of {excerpt(source)} to {excerpt(target)}, where {excerpt(absent)} is not a node"
            remarks.append(Remark("no_such_node", found, "a node of the graph"))
    top_indices = []
    for top in tops:
        if top in index:
            top_indices.append(index[top])
        else:
            remarks.append(
                Remark("no_such_node", f"{excerpt(top)} as the top, which is not a node", "a node of the graph")
            )
    for number in {edge.source for edge in edges if edge.role.upper() in _QUANTIFIER_ROLES}:
        nodes[number] = replace(nodes[number], is_quantifier=True)
    graph = SemanticGraph(tuple(nodes), tuple(edges), tuple(dict.fromkeys(top_indices)), text, framework)
    without_span = 0 if graph.is_unanchored else [node.anchors for node in nodes].count(())
    if without_span and without_span == len(nodes):
        remarks.append(Remark(NO_SPANS, "a graph none of whose nodes has a span", WITHOUT_SPANS))
    elif without_span:
        found = f"{without_span} of {len(nodes)} nodes without a span"
        expected = WITHOUT_SPANS if graph.lacks_spans else "characters from and to for each"
        remarks.append(Remark(NO_SPANS if graph.lacks_spans else "no_span", found, expected))
    length = len(text)
    beyond = {node for node, item in enumerate(nodes) for _, end in item.anchors if end > length} if text else ()
    if beyond:
        found = f"{len(beyond)} of {len(nodes)} nodes with a span beyond the sentence's {length} characters"
        remarks.append(Remark("span_beyond", found, "spans inside the sentence"))
    return graph, remarks


def _numbered(ids: Iterable[str]) -> dict[str, int]:
    """Return the indices of nodes by name, where some have the same: a number is added to the name of the second."""
    index: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for name in ids:
        counts[name] += 1
        distinct = name if counts[name] == 1 else f"{name}#{counts[name]}"
        while distinct in index:
            distinct += "#"
        index[distinct] = len(index)
    return index


def _span(lnk: Any) -> Anchors:
    """Return the characters of a node; none where it has other positions, such as edges of a chart."""
    if lnk is None or lnk.type != Lnk.CHARSPAN:
        return ()
    start, end = lnk.data
    return ((start, end),) if 0 <= start <= end < MAX_END else ()


def clean(value: object) -> str:
    r"""Return a value as text that can be written as UTF-8.

    >>> clean(3), clean("caf\xe9"), clean("\ud800")
    ('3', 'café', '\\ud800')
    """
    text = value if isinstance(value, str) else str(value)
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
