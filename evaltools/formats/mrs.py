"""MRS, DMRS and EDS as PyDelphin reads them: SimpleMRS, SimpleDMRS, native EDS, MRX and DMRX.

- SimpleMRS, as grammars and ACE print it: ``[ LTOP: h0 INDEX: e2 [ e SF: prop ] RELS: < … > HCONS: < … > ]``. Each
  MRS becomes an EDS. Graphs have no names; those after one ``SENT:`` line are the results of that sentence, and what
  follows a semicolon after a graph, a derivation as ACE prints it, is ignored.
- SimpleDMRS: ``dmrs 7 { [<0:9>"It rains." top=10000] 10000 [_rain_v_1<3:8> e TENSE=pres]; }``. The name after
  ``dmrs``, if there is one, is that of the item. Links ``MOD/EQ`` are no arguments; see
  :mod:`evaltools.formats.pydelphin`.
- EDS: ``{e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}``. ``#name`` before the brace names the item; further graphs of the
  same name, or after the same ``SENT:`` line where they have no name, are further results of that item. A graph
  without nodes stands for a sentence without an analysis.
- MRX and DMRX: ``<mrs-list>`` with an ``<mrs>`` for each; ``ident`` names the item. A text is cut into elements, and
  each is read separately; it is no document, so it has no entities of its own.

References
----------
Stephan Oepen and Jan Tore Lønning. 2006. Discriminant-based MRS banking. LREC.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType
from typing import Any

from delphin.codecs import dmrx, eds, mrx, simpledmrs, simplemrs
from delphin.eds import EDS as EdsStructure, Node
from delphin.lnk import Lnk

from evaltools.corpus import SemanticGraph
from evaltools.errors import ParameterError
from evaltools.formats.graphs import GraphFormat, SemanticItem, graph_format, group_segments, read_graph, read_items
from evaltools.formats.pydelphin import GraphError, clean, decode, normalize, unescape
from evaltools.formats.segments import LINE_OF_ACE, Remark, Segment, SegmentedText, blanked, cut_nested
from evaltools.text import excerpt

# ---------------------------------------------------- names that one node has twice, of which PyDelphin keeps the last

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def _repeated(lists: str, name: str) -> Callable[[Segment], list[Remark]]:
    """Return what lists the names that one list of roles or properties has twice, given patterns of both."""
    # a list's own names are those outside the lists in it
    innermost, names = re.compile(lists, re.DOTALL), re.compile(name)

    def unread(segment: Segment) -> list[Remark]:
        text, repeated = _STRING.sub('""', segment.body).upper(), list[str]()
        while found := innermost.findall(text):
            for values in found:
                of_list = names.findall(values)
                if len(set(of_list)) < len(of_list):
                    repeated += [name for name, n in Counter(of_list).items() if n > 1]
            text = innermost.sub(" ", text)
        expected = "each role and property once"
        return [
            Remark("repeated_role", f"{excerpt(name)} twice at one node, of which the last is read", expected)
            for name in repeated
        ]

    return unread


# -------------------------------------------------------------------------------------------- SimpleMRS and SimpleDMRS

_HEAD_OF_MRS = r"""\[\s*(?:<[-\d:\#@ ]+>\s*)?(?:"(?:[^"\\\n]|\\.)*"\s*)?(?:L?TOP|INDEX|RELS)\s*:"""
_START_OF_MRS = re.compile(rf"\s*{_HEAD_OF_MRS}", re.VERBOSE | re.IGNORECASE)
_TOKENS_OF_MRS = re.compile(
    rf"""
    (?=^|[ ;"_\[\]])  # no token begins elsewhere
    (?:{LINE_OF_ACE}
    | (?P<comment>(?<=\])[ ]*;[^\n]*)
    | (?P<head>{_HEAD_OF_MRS})
    | "(?:[^"\\\n]|\\.)*"
    | (?<![^\s\[])_[^\s_]+_[nvajrscpqxud](?:_(?:[^\s_<]|<(?![-0-9:\#@ ]*>\s))+)?(?:_rel)?
    | (?P<open>\[) | (?P<close>\]))
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def _decode_mrs(body: str) -> Any:
    structure = decode(simplemrs, body)
    if not structure.rels and "RELS" not in body.upper():
        raise GraphError("an MRS without RELS")
    return structure


SIMPLEMRS = graph_format(
    "simplemrs",
    "SimpleMRS",
    lambda text: not text or _START_OF_MRS.match(text),  # lines of ACE alone
    lambda text: cut_nested(text, _TOKENS_OF_MRS, "an MRS in square brackets"),
    lambda segment: _decode_mrs(segment.body),
    suffixes=(".mrs",),
    unread=_repeated(r"\[[^][]*\]", r"\s([^\s:<>]++):(?=\s)"),
)


_START_OF_DMRS = re.compile(r"\s*dmrs(?:\s+[^\s{]+)?\s*\{")
_TOKENS_OF_DMRS = re.compile(
    LINE_OF_ACE
    + r"""
    | "(?:[^"\\\n]|\\.)*"
    | (?P<head>(?<![^\s}])dmrs(?:\s+(?P<id>[^\s{]+))?\s*\{)
    | ^dmrs[ \t]+(?P<name>[^\s{\[]+)(?=\s)
    | (?P<open>\{) | (?P<close>\})
    """,
    re.VERBOSE | re.MULTILINE,
)


def _decode(codec: ModuleType, segment: Segment) -> Any:
    """Read a DMRS or EDS; of strings PyDelphin keeps the backslashes."""
    structure = decode(codec, segment.body)
    if structure.surface is not None:
        structure.surface = unescape(structure.surface)
    for node in structure.nodes:
        if node.carg is not None:
            node.carg = unescape(node.carg)
    return normalize(structure)


SIMPLEDMRS = graph_format(
    "simpledmrs",
    "SimpleDMRS",
    _START_OF_DMRS.match,
    lambda text: cut_nested(text, _TOKENS_OF_DMRS, "a DMRS in braces"),
    partial(_decode, simpledmrs),
    suffixes=(".dmrs",),
    unread=_repeated(r"\[[^][]*\]", r"(?<=\s)([^\s=]+)="),
)


# ----------------------------------------------------------------------------------------------------------------- EDS

_START_OF_EDS = re.compile(
    r"""\s*(?:\#[^\s{]+\s*)?\{\s*(?:
        \} | : | \| | \((?:cyclic\ *)?(?:fragmented)?\)
        | [^\s:,<(\[\]{}"]+\s*:\s*(?:\} | \| | \((?:cyclic|fragmented) | [^\s:,<(\[\]{}]+\s*[:<(\[{])
    )""",
    re.VERBOSE,
)
_TOKENS_OF_EDS = re.compile(
    rf"""
    (?=^|[(\#{{}}])  # no token begins elsewhere
    (?:{LINE_OF_ACE}
    | \("(?:[^"\\\n]|\\.)*"\)
    | (?P<named>(?:^|(?<=[}}\s]))\#(?P<id>[^\s{{]+)\s*\{{)
    | ^\#(?P<name>[^\s{{]+)[ \t]*$
    | (?P<open>\{{) | (?P<close>\}}))
    """,
    re.VERBOSE | re.MULTILINE,
)


def write_eds(items: Iterable[SemanticItem]) -> str:
    """Write items as EDS, by PyDelphin.

    Parameters
    ----------
    items : iterable of SemanticItem
        The items; a missing graph is written as one without nodes.

    Returns
    -------
    str
        The text of the file, without the sentences.

    Raises
    ------
    ParameterError
        If EDS cannot hold a graph: DMRS, several spans of one node, one role of a node twice, white space or brackets
        in a predicate, several results of an item without a name, and so on. :func:`write_mrp` can.

    Examples
    --------
    >>> from evaltools.corpus import SemanticGraph, SemanticNode
    >>> node = SemanticNode("e2", "_rain_v_1", ((3, 8),), (("TENSE", "pres"),), None, "e")
    >>> print(write_eds([SemanticItem("7", 1, "It rains.", (SemanticGraph((node,), (), (0,), "It rains."),))]), end="")
    #7
    {e2:
     e2:_rain_v_1<3:8>{e TENSE pres}[]
    }
    """
    return "\n".join(_item_text(item, number) for number, item in enumerate(items, start=1))


def _item_text(item: SemanticItem, number: int) -> str:
    graphs = item.results or (None,)
    text: str = eds.dumps([_structure(graph, item.id) for graph in graphs], indent=True) + "\n"
    groups, reason = group_segments(EDS.segments(text).segments), ""
    if len(groups) == 1:
        (copy,), problems = read_items(groups, partial(read_graph, notation=EDS), "", first_only=False)
        if (copy.id, *map(_content, copy.results)) == (item.id, *map(_content, graphs)):
            return text
        reason = f": {problems[0].found}" if problems else ""
    title = f"item {number}" if item.id is None else f"item {item.id}"
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


def _structure(graph: SemanticGraph | None, name: str | None) -> EdsStructure:
    """Return a graph as a structure of PyDelphin."""
    if graph is None or not graph.nodes:
        return EdsStructure(identifier=name)
    roles: list[dict[str, str]] = [{} for _ in graph.nodes]
    for edge in graph.edges:
        roles[edge.source][edge.role] = graph.nodes[edge.target].id
    nodes = [
        Node(
            node.id,
            node.predicate,
            node.type or None,
            edges,
            dict(node.properties),
            None if node.constant is None else node.constant.replace("\\", "\\\\").replace('"', '\\"'),
            Lnk.charspan(*node.anchors[0]) if node.anchors else None,
        )
        for node, edges in zip(graph.nodes, roles, strict=True)
    ]
    return EdsStructure(graph.nodes[graph.tops[0]].id if graph.tops else None, nodes, identifier=name)


EDS = graph_format(
    "eds",
    "EDS",
    _START_OF_EDS.match,
    lambda text: cut_nested(text, _TOKENS_OF_EDS, "a graph in braces"),
    partial(_decode, eds),
    write=write_eds,
    unread=_repeated(r"\[[^][{}<>]*\]|\{[^\s{}:,]+\s[^][{}<>:]*\}", r"(?:^\[|^\{\S+|,)\s*([^\s,\]}]+)"),
)


# -------------------------------------------------------------------------------------------------------- MRX and DMRX

_AROUND = re.compile(r"<\?[^<>]*>|</?(?:mrs-list|dmrs-list)\b[^<>]*>")
_BEFORE = re.compile(r"(?:\s*(?:<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>))*", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def _begins_with(text: str, tag: str) -> bool:
    """Return whether the first element of a text has this tag, or is a list of such elements."""
    text = _without_comments(text[:100_000])
    return re.compile(rf"\s*<{tag}(?:-list)?[\s>/]").match(text, _before(text)) is not None


def _cut_xml(text: str, tag: str) -> SegmentedText:
    result = SegmentedText(_without_comments(text))
    text = result.text
    heads = list(re.finditer(rf"<{tag}(?=[\s>/])[^<>]*?(/?)>|<{tag}(?=[\s>/])", text))
    covered = _before(text)
    limits = [*(head.start() for head in heads[1:]), len(text)]
    for head, limit in zip(heads, limits, strict=False):  # without any head there is one limit
        _add_stray(result, covered, head.start(), tag)
        covered = _end(text, tag, head, limit)
        values = {item[1]: html.unescape(item[2] or item[3] or "") for item in _ATTRIBUTE.finditer(head[0])}
        body = text[head.start() : covered].rstrip()
        name, sentence = values.get("ident") or None, clean(values.get("surface", ""))
        result.segments.append(Segment(result.line(head.start()), body, name, sentence))
    _add_stray(result, covered, len(text), tag)
    return result


def _end(text: str, tag: str, head: re.Match[str], limit: int) -> int:
    """Return where an element ends, `limit` if it is never closed."""
    if head[1]:
        return head.end()
    end = text.find(f"</{tag}>", head.end(), limit)
    return limit if end < 0 else end + len(tag) + 3


def _without_comments(text: str) -> str:
    """Return a text with spaces for its comments."""
    return blanked(text, (match.span() for match in re.finditer(r"<!--.*?-->", text, re.DOTALL)))


def _before(text: str) -> int:
    """Return the end of the declarations before the first element."""
    match = _BEFORE.match(text)
    return match.end() if match is not None else 0


def _add_stray(result: SegmentedText, start: int, end: int, tag: str) -> None:
    """Add a flaw for text between elements that is not part of the list around them."""
    for match in _AROUND.finditer(result.text, start, end):
        result.add_stray(start, match.start(), f"<{tag}>")
        start = match.end()
    result.add_stray(start, end, f"<{tag}>")


def _xml_format(name: str, title: str, codec: ModuleType, tag: str) -> GraphFormat:
    def decode(segment: Segment) -> Any:
        if "<!" in segment.body:
            raise GraphError("a declaration inside a graph")
        return normalize(codec.decode(segment.body))

    return graph_format(
        name,
        title,
        lambda text: _begins_with(text, tag),
        lambda text: _cut_xml(text, tag),
        decode,
        unread=_repeated(r"<EP\b.*?</EP>", r"<RARGNAME>\s*([^<]*?)\s*</RARGNAME>"),
    )


MRX = _xml_format("mrx", "MRX", mrx, "mrs")
DMRX = _xml_format("dmrx", "DMRX", dmrx, "dmrs")
