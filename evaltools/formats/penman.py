"""PENMAN notation, in which AMRs are read and written: ``(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))``.

A variable with its concept is a node, and a role is an edge or, if its value is no variable, a property; both are kept
as they are written, inverted roles (``:ARG0-of``) and quotes included. Lines ``# ::key value`` before a graph describe
its sentence: ``::id`` names the item, ``::snt`` is the sentence, other keys are its metadata.

Alignments of concepts (``boy~e.1``) with the tokens of ``::tok``, or else ``::snt``, become anchors. Other alignments,
of roles and values or on a line ``::alignments``, are ignored; none are written.

References
----------
Robert T. Kasper. 1989. A flexible interface for linking applications to Penman's sentence generator. HLT.

Michael Wayne Goodman. 2020. Penman: an open-source library and tool for AMR graphs. ACL (demonstrations).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.corpus.semantic_graph import Anchors
from evaltools.corpus.sentence_ids import SENTENCE_ID
from evaltools.errors import ParameterError
from evaltools.formats.graphs import SemanticItem, graph_format
from evaltools.formats.pydelphin import GraphError, Link, build_graph
from evaltools.formats.segments import Bracket, Remark, Segment, SegmentedText, Unit, blanked, lay_out
from evaltools.text import excerpt

_BEGINNING = re.compile(r'(?:\s|#[^\n]*(?:\n|\Z))*(?:\(\s*[^\s()/:"#]+\s*/\s+[^\s()])')
_METADATA_FIRST = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*?#[ \t]*::(?:id|snt)\b[^\n]*(?:\n|\Z)\s*(?:#[^\n]*(?:\n|\Z)\s*)*(?:\(|\Z)"
)
_TOKENS = re.compile(
    r"""
    (?P<comment>\#[^\n]*) | "[^"\\\n]*(?:\\.[^"\\\n]*)*" | (?P<open>\() | (?P<close>\)) | [^\s"()]+ | "
    """,
    re.VERBOSE,
)
_ROLE = re.compile(r"\s:[A-Za-z][^\s:]*\s+\S")
_KEY = re.compile(r"(?:^|(?<=\s))::([A-Za-z][\w-]*)(?=\s|$)")
_ALIGNMENT = re.compile(
    r"""
    (?P<kept>
        "[^"\\\n]*(?:\\.[^"\\\n]*)*"
        | /\s*[^\s"()/:~]+~(?:[a-z]\.?)?[0-9]{1,9}(?:,[0-9]{1,9})*(?![^\s"()/:~])
    )
    | ~[^\s"()/:~]*
    """,
    re.VERBOSE,
)
"""Alignments; those of concepts that can be read are kept, as what stands in strings is."""
_OF_CONCEPT = re.compile(r"(.*?)(?:~(?:[a-z]\.?)?([0-9,]+))?", re.DOTALL)
"""A concept, and the numbers of its tokens."""
_OF_SENTENCES = ("id", "snt")
"""Keys that stand for a sentence, also where it has no graph."""
_NOT_METADATA = ("snt", "tok", "alignments", "node", "edge", "root")
"""Keys of lines that are the sentence, or describe the graph."""
_NAMES = {"LPAREN": "'('", "RPAREN": "')'", "ROLE": "a role", "SYMBOL": "a name", "STRING": "a string"}
_EXPECTED = "a graph in parentheses"


# ------------------------------------------------------------------------------------------------- from text to graphs


def _looks_like(text: str) -> bool:
    return _BEGINNING.match(text) is not None or _METADATA_FIRST.match(text) is not None


@dataclass(slots=True)
class _Header:
    """The comments before a graph: keys and values."""

    start: int
    line: int = 0  # The first line that has any key
    values: list[tuple[str, str]] = field(default_factory=list)

    @property
    def names_a_sentence(self) -> bool:
        """Whether it stands for a sentence, also if no graph follows."""
        return any(key in _OF_SENTENCES for key, _ in self.values)

    def is_of_another(self, values: list[tuple[str, str]]) -> bool:
        """Return whether keys and values are of another sentence; what is repeated under one id is not."""
        known = dict(self.values)
        repeated = [(key, value) for key, value in values if key in _OF_SENTENCES and key in known]
        return any("id" not in known or known[key] != value for key, value in repeated)

    def segment(self, line: int, body: str, error: tuple[str, int] | None = None) -> Segment:
        """Return the graph that it describes, or a sentence without one."""
        values: dict[str, str] = {}
        for key, value in self.values:
            values.setdefault(key, value)
        text = values.get("snt") or values.get("tok", "")
        tokens = values.get("tok") or text
        return Segment(line, body, values.get("id") or None, text, None, tokens, metadata_of(self.values), error)


def _cut(text: str) -> SegmentedText:
    """Cut a text into graphs, each with the comments before it."""
    brackets: list[Bracket] = []
    comments: list[re.Match[str]] = []
    for match in _TOKENS.finditer(text):
        if match.lastgroup == "comment":
            comments.append(match)
        elif match.lastgroup is not None:
            brackets.append(Bracket(match.start(), match.end(), match.lastgroup == "open"))
    spans = [match.span() for match in comments]
    result = SegmentedText(blanked(text, spans))
    headers = _headers(result, comments)
    starts = [header.start for header in headers]
    regions = lay_out(result.text, text, brackets, starts, one_each=bool(headers))
    for header, units in zip([None, *headers], regions, strict=True):
        if header is not None and header.names_a_sentence and not any(unit.graph for unit in units):
            result.segments.append(header.segment(header.line, ""))
        current = header or _Header(0)
        for line, body, error in result.graphs_of(units, _EXPECTED, with_blank=not headers):
            result.segments.append(current.segment(line, body, error))
            current = _Header(0)
    result.add_stray(result.covered, len(text), _EXPECTED)
    result.flaws += _commented_roles(result, comments, [unit for units in regions for unit in units])
    return result


def _commented_roles(
    result: SegmentedText, comments: Sequence[re.Match[str]], units: Sequence[Unit]
) -> Iterator[Remark]:
    """Yield the comments inside graphs that hold a role, which is not read."""
    starts = [unit.start for unit in units]
    for comment in comments:
        index = bisect_right(starts, comment.start()) - 1
        graph = units[index].graph if index >= 0 else None
        if graph is not None and comment.start() < graph[1] and _ROLE.search(comment[0]):
            line = result.line(comment.start())
            yield Remark("comment", f"a role in a comment: {excerpt(comment[0])!r}", "roles outside comments", line)


def _headers(result: SegmentedText, comments: Sequence[re.Match[str]]) -> list[_Header]:
    """Return the comments with keys, those without a graph between them together, one sentence each."""
    headers: list[_Header] = []
    covered = 0
    for comment in comments:
        if not (values := _values(comment[0])):
            continue
        is_new = not headers or bool(result.text[covered : comment.start()].strip())
        if is_new or headers[-1].is_of_another(values):
            headers.append(_Header(comment.start(), result.line(comment.start())))
        headers[-1].values += values
        covered = comment.end()
    return headers


def metadata_of(lines: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the metadata of a sentence from the keys and values of its lines, its id as that of CoNLL-U.

    >>> metadata_of([("id", "a.1"), ("snt", "Hi."), ("date", "2012"), ("node", "0 hi"), ("node", "0.0 you")])
    {'sent_id': 'a.1', 'date': '2012'}
    """
    counts = Counter(key for key, _ in lines)
    names = {"id": SENTENCE_ID}
    return {
        names.get(key, key): value
        for key, value in lines
        if value and key not in _NOT_METADATA and (counts[key] == 1 or key in names)
    }


def _values(comment: str) -> list[tuple[str, str]]:
    """Return the keys and values of a line of metadata; none of other comments.

    >>> _values("# ::id a.1 ::date 2012-01-01T10:00:00")
    [('id', 'a.1'), ('date', '2012-01-01T10:00:00')]
    """
    text = comment.lstrip("#").strip()
    if not text.startswith("::"):
        return []
    keys = list(_KEY.finditer(text))
    ends = [*(match.start() for match in keys[1:]), len(text)]
    return [(match[1], text[match.end() : end].strip()) for match, end in zip(keys, ends, strict=False)]


# ---------------------------------------------------------------------------------------------- from a graph's text


_Node = tuple[str | None, list[tuple[str, Any]]]
"""A node of a tree of the library ``penman``: variable, and roles with their values."""


def _branches(node: _Node) -> Iterator[tuple[_Node, str, Any]]:
    """Yield node, role and value of the branches of a tree, in the order of the text."""
    for role, value in node[1]:
        yield node, role, value
        if isinstance(value, tuple):
            yield from _branches(value)


def _names(tree: _Node, remarks: list[Remark]) -> dict[int, str]:
    """Return the names of the nodes of a tree, by their identity: their variables, and different ones of each."""
    names: dict[int, str] = {}
    used: set[str] = set()
    for node in (tree, *(value for _, _, value in _branches(tree) if isinstance(value, tuple))):
        if node[0] is None:
            raise GraphError("a node without a variable")
        name, number = node[0], 1
        while name in used:
            number += 1
            name = f"{node[0]}_{number}"
        if number > 1:
            found = f"two nodes named {excerpt(node[0])!r}, the second of which is read as {excerpt(name)!r}"
            remarks.append(Remark("repeated_node", found, "one node for each variable"))
        names[id(node)] = name
        used.add(name)
    return names


def _words(text: str, tokens: str) -> list[Anchors]:
    """Return the characters of tokens, which have spaces between them, in a text; none for one that is not in it.

    >>> _words("Kim can't.", "Kim ca n't not .")
    [((0, 3),), ((4, 6),), ((6, 9),), (), ((9, 10),)]
    """
    words: list[Anchors] = []
    end = 0
    for token in tokens.split():
        start = text.find(token, end)
        words.append(() if start < 0 else ((start, start + len(token)),))
        end = end if start < 0 else start + len(token)
    return words


def _anchors(words: Sequence[Anchors], numbers: Iterable[int]) -> Anchors:
    """Return the characters of tokens, which are counted from 0."""
    return tuple(span for number in sorted(set(numbers)) if number < len(words) for span in words[number])


def _decode(segment: Segment) -> tuple[SemanticGraph | None, list[Remark]]:
    tree = _tree(_ALIGNMENT.sub(lambda match: match["kept"] or " " * len(match[0]), segment.body))
    if tree == (None, []):
        return None, []
    remarks: list[Remark] = []
    names = _names(tree, remarks)
    words = _words(segment.text, segment.content)
    concepts, anchors = dict.fromkeys(names.values(), ""), dict[str, Anchors]()
    links: list[Link] = []
    properties: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for node, role, value in _branches(tree):
        name = names[id(node)]
        if role == "/":
            match = _OF_CONCEPT.fullmatch(value or "")
            assert match is not None
            concepts[name] = match[1]
            anchors[name] = _anchors(words, map(int, match[2].split(","))) if match[2] else ()
        elif value is None:
            found = f"role {excerpt(role)} of {excerpt(name)} without a value"
            remarks.append(Remark("no_value", found, "a variable, a node or a constant"))
        elif (target := names[id(value)] if isinstance(value, tuple) else value) in concepts:
            links.append((name, role.removeprefix(":"), target))
        else:
            properties[name].append((role.removeprefix(":"), target))
    nodes = []
    for name, concept in concepts.items():
        nodes.append(SemanticNode(name, concept, anchors.get(name, ()), tuple(properties[name])))
        if not concept:
            remarks.append(Remark("no_concept", f"node {excerpt(name)} without a concept", "variable / concept"))
    graph, flaws = build_graph(nodes, links, [*concepts][:1], segment.text, "amr")
    return graph, [*remarks, *flaws]


def _tree(body: str) -> _Node:
    """Return the tree of a graph's text."""
    import logging

    import penman
    from penman.exceptions import DecodeError

    logging.getLogger("penman").addHandler(logging.NullHandler())  # its remarks are problems of ours
    try:
        trees = list(penman.iterparse(body.split("\n")))
    except DecodeError as error:
        raise GraphError(_message(error), max((error.lineno or 1) - 1, 0)) from None
    if len(trees) != 1:
        raise GraphError("more than one graph" if trees else "no graph")
    node: _Node = trees[0].node
    return node


def _message(error: Any) -> str:
    """Return a message of the library in words."""
    kinds = str(error.message).removeprefix("Expected: ").split(", ")
    if not all(kind in _NAMES for kind in kinds):
        return "it is not closed" if "end of input" in str(error.message) else str(error.message)
    found = excerpt((error.text or "")[error.offset or 0 :].strip())
    return f"{found!r} where {' or '.join(_NAMES[kind] for kind in kinds)} should be"


# ------------------------------------------------------------------------------------------------ from graphs to text

_SYMBOL = re.compile(r'[^\s"()/:~#][^\s"()/:~]*')
_STRING = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"')


def write_penman(items: Iterable[SemanticItem]) -> str:
    """Write items in PENMAN notation, each with its id, sentence and metadata.

    Parameters
    ----------
    items : iterable of SemanticItem
        The items; a missing graph is written as one without nodes.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    ParameterError
        If PENMAN cannot hold a graph: several parts that are not connected, constants and types of variables (EDS),
        white space or brackets in a name, and so on. :func:`write_mrp` can.

    Examples
    --------
    >>> from evaltools.corpus import SemanticEdge, SemanticNode
    >>> nodes = SemanticNode("s", "sing-01"), SemanticNode("b", "boy", (), (("mod", '"tall"'),))
    >>> graph = SemanticGraph(nodes, (SemanticEdge(1, "ARG0-of", 0),), (0,), "A boy sings.", "amr")
    >>> print(write_penman([SemanticItem("7", 1, "A boy sings.", (graph,))]), end="")
    # ::id 7
    # ::snt A boy sings.
    (s / sing-01
        :ARG0 (b / boy
            :mod "tall"))
    """
    return "\n".join(_item_text(item, number) for number, item in enumerate(items, start=1))


def _item_text(item: SemanticItem, number: int) -> str:
    title = f"item {number}" if item.id is None else f"item {item.id}"
    header = {"id": item.id, "snt": item.text or None, **item.metadata, SENTENCE_ID: None}
    lines = "".join(f"# ::{key} {value}\n" for key, value in header.items() if value is not None)
    return "\n".join(lines + _graph_text(graph, title) + "\n" for graph in item.results or (None,))


def _graph_text(graph: SemanticGraph | None, title: str) -> str:
    """Write a graph by the library ``penman``."""
    if graph is None or not graph.nodes:
        return "()"
    import penman
    from penman.exceptions import PenmanError
    from penman.models.amr import model

    if any(node.constant is not None or node.type for node in graph.nodes) or len(graph.tops) > 1:
        raise ParameterError(f"{title}: PENMAN has one top, and no constants and types of variables; MRP has them")
    names = _variables(graph)
    of_node: list[list[tuple[str, str, str]]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        of_node[edge.source].append((names[edge.source], f":{edge.role}", names[edge.target]))
    triples = []
    for node, name, edges in zip(graph.nodes, names, of_node, strict=True):
        properties = [(name, f":{role}", _value(value, names)) for role, value in node.properties]
        triples += [(name, ":instance", node.predicate), *properties, *edges]
    top = names[graph.tops[0] if graph.tops else 0]
    try:
        text: str = penman.encode(penman.Graph(triples, top=top), indent=4, model=model)
    except (PenmanError, RecursionError):  # its parts are not connected
        text = ""
    if not text or not all(_SYMBOL.fullmatch(role[1:]) and _is_word(value) for _, role, value in triples):
        raise ParameterError(f"{title}: PENMAN cannot hold this graph; MRP can")
    return text


def _variables(graph: SemanticGraph) -> list[str]:
    """Return the variables of the nodes: their ids, or, where these may be numbers, ``x`` and a number."""
    ids = [node.id for node in graph.nodes]
    if all(_SYMBOL.fullmatch(name) and name[0].isalpha() for name in ids):
        return ids
    return [f"x{number}" for number in range(len(ids))]


def _is_word(text: str) -> bool:
    return _SYMBOL.fullmatch(text) is not None or _STRING.fullmatch(text) is not None


def _value(value: str, variables: Sequence[str]) -> str:
    if _is_word(value) and value not in variables:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


PENMAN = graph_format(
    "penman", "PENMAN (AMR)", _looks_like, _cut, _decode, write=write_penman, suffixes=(".amr",), has_lists=False
)
