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
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from delphin.codecs import dmrx, eds, mrx, simpledmrs, simplemrs

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.errors import ParameterError
from evaltools.formats.graphs import GraphFormat, SemanticItem, graph_format, group_segments, read_item
from evaltools.formats.pydelphin import GraphError, clean, decode, normalize, unescape
from evaltools.formats.segments import LINE_OF_ACE, Segment, SegmentedText, blanked, cut_nested

# ---------------------------------------------------- names that one node has twice, of which PyDelphin keeps the last

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LIST_OF_EDS = re.compile(r"\[([^][{}<>]*)\]|\{[^\s{}:,]+\s+([^][{}<>:]*)\}")
_INNERMOST = re.compile(r"\[([^][]*)\]")
_FEATURE = re.compile(r"(?<=\s)([^\s:<>]+):(?=\s)")
_PROPERTY = re.compile(r"(?<=\s)([^\s=]+)=")
_PREDICATION = re.compile(r"<ep\b.*?</ep>", re.DOTALL)
_ROLE = re.compile(r"<rargname>\s*([^<]*?)\s*</rargname>")


def _repeated_in_eds(body: str) -> list[str]:
    """Return the names that a list of roles or properties of an EDS has twice.

    >>> _repeated_in_eds("{e2: e2:_see_v_1<3:8>{e TENSE pres}[ARG1 x1, ARG1 x2]}")
    ['ARG1']
    """
    lists = (match[1] or match[2] or "" for match in _LIST_OF_EDS.finditer(_STRING.sub('""', body)))
    return [*_twice([pair.split()[0] for pair in values.split(",") if pair.strip()] for values in lists)]


def _repeated_in_mrs(body: str) -> list[str]:
    """Return the features that a bracket of a SimpleMRS has twice.

    >>> _repeated_in_mrs('[ RELS: < [ _see_v_1<3:8> LBL: h1 ARG1: x1 [ x NUM: sg ] ARG1: x2 ] > ]')
    ['ARG1']
    """
    text = _STRING.sub('""', body)
    lists = []
    while inner := _INNERMOST.findall(text):  # a bracket's own features are those outside the brackets in it
        lists += [_FEATURE.findall(values) for values in inner]
        text = _INNERMOST.sub(" ", text)
    return [*_twice(lists)]


def _repeated_in_dmrs(body: str) -> list[str]:
    """Return the properties that a node of a SimpleDMRS has twice.

    >>> _repeated_in_dmrs("dmrs { 1 [_see_v_1<3:8> e TENSE=pres TENSE=past]; }")
    ['TENSE']
    """
    nodes = _INNERMOST.findall(_STRING.sub('""', body))
    return [*_twice(_PROPERTY.findall(values) for values in nodes)]


def _repeated_in_mrx(body: str) -> list[str]:
    """Return the roles that a predication of an MRX has twice."""
    return [*_twice(_ROLE.findall(values) for values in _PREDICATION.findall(body))]


def _twice(lists: Iterable[list[str]]) -> Iterator[str]:
    for names in lists:
        yield from (name for name, n in Counter(name.upper() for name in names).items() if n > 1)


# -------------------------------------------------------------------------------------------- SimpleMRS and SimpleDMRS

_HEAD_OF_MRS = r"""\[\s*(?:<[-\d:\#@ ]+>\s*)?(?:"(?:[^"\\\n]|\\.)*"\s*)?(?:L?TOP|INDEX|RELS)\s*:"""
_START_OF_MRS = re.compile(rf"\s*{_HEAD_OF_MRS}", re.VERBOSE | re.IGNORECASE)
_TOKENS_OF_MRS = re.compile(
    rf"""
    {LINE_OF_ACE}
    | (?P<comment>(?<=\])[ ]*;[^\n]*)
    | (?P<head>{_HEAD_OF_MRS})
    | "(?:[^"\\\n]|\\.)*"
    | (?<![^\s\[])_[^\s_]+_[nvajrscpqxud](?:_(?:[^\s_<]|<(?![-0-9:\#@ ]*>\s))+)?(?:_rel)?
    | (?P<open>\[) | (?P<close>\])
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
    repeated=_repeated_in_mrs,
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


def _decode_dmrs(segment: Segment) -> Any:
    structure = decode(simpledmrs, segment.body)
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
    _decode_dmrs,
    suffixes=(".dmrs",),
    repeated=_repeated_in_dmrs,
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
    LINE_OF_ACE
    + r"""
    | \("(?:[^"\\\n]|\\.)*"\)
    | (?P<named>(?:^|(?<=[}\s]))\#(?P<id>[^\s{]+)\s*\{)
    | ^\#(?P<name>[^\s{]+)[ \t]*$
    | (?P<open>\{) | (?P<close>\})
    """,
    re.VERBOSE | re.MULTILINE,
)


def _decode_eds(segment: Segment) -> Any:
    structure = decode(eds, segment.body)
    for node in structure.nodes:
        if node.carg is not None:
            node.carg = unescape(node.carg)
    return normalize(structure)


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
    groups = group_segments(EDS.segments(text).segments)
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


EDS = graph_format(
    "eds",
    "EDS",
    _START_OF_EDS.match,
    lambda text: cut_nested(text, _TOKENS_OF_EDS, "a graph in braces"),
    _decode_eds,
    write=write_eds,
    repeated=_repeated_in_eds,
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
        repeated=_repeated_in_mrx,
    )


MRX = _xml_format("mrx", "MRX", mrx, "mrs")
DMRX = _xml_format("dmrx", "DMRX", dmrx, "dmrs")
