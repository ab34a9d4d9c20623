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

from evaltools.corpus import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.corpus.comments import SENTENCE_ID
from evaltools.corpus.semantic_graph import Anchors
from evaltools.errors import ParameterError
from evaltools.formats.graphs import SemanticItem, graph_format
from evaltools.formats.pydelphin import GraphError, Link, Remark, build_graph
from evaltools.formats.segments import Bracket, Flaw, Segment, SegmentedText, Unit, blanked, lay_out
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
_OF_CONCEPT = re.compile(r"~(?:[a-z]\.?)?([0-9,]+)$")
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
    regions = lay_out(result.text, brackets, starts, spans, one_each=bool(headers))
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


def _commented_roles(result: SegmentedText, comments: Sequence[re.Match[str]], units: Sequence[Unit]) -> Iterator[Flaw]:
    """Yield the comments inside graphs that hold a role, which is not read."""
    starts = [unit.start for unit in units]
    for comment in comments:
        index = bisect_right(starts, comment.start()) - 1
        graph = units[index].graph if index >= 0 else None
        if graph is not None and comment.start() < graph[1] and _ROLE.search(comment[0]):
            line = result.line(comment.start())
            yield Flaw("comment", line, f"a role in a comment: {excerpt(comment[0])!r}", "roles outside comments")


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


@dataclass(slots=True)
class _Walk:
    """The nodes and branches of a tree of the library ``penman``, in the order of the text."""

    words: list[Anchors]
    ids: dict[str, int] = field(default_factory=dict)  # The nodes by their names
    concepts: list[str] = field(default_factory=list)
    anchors: list[Anchors] = field(default_factory=list)  # Of the nodes
    branches: list[tuple[int, str, int | str]] = field(default_factory=list)
    """The node, the role, and its value: another node, or a text."""
    remarks: list[Remark] = field(default_factory=list)

    def visit(self, node: tuple[str | None, list[Any]]) -> int:
        """Add a node, with those below it; return its index."""
        variable, branches = node
        if variable is None:
            raise GraphError("a node without a variable")
        index = self._add(variable)
        for role, target in branches:
            if role == "/":
                marker = _OF_CONCEPT.search(target or "")
                self.concepts[index] = target[: marker.start()] if marker is not None else target or ""
                if marker is not None:
                    self.anchors[index] = _anchors(self.words, map(int, marker[1].split(",")))
                continue
            name = role.removeprefix(":")
            if target is None:
                found = f"role :{excerpt(name)} of {excerpt(variable)} without a value"
                self.remarks.append(Remark("no_value", found, "a variable, a node or a constant"))
                continue
            number = len(self.branches)
            self.branches.append((index, name, ""))
            self.branches[number] = index, name, target if isinstance(target, str) else self.visit(target)
        if not self.concepts[index]:
            found = f"node {excerpt(variable)} without a concept"
            self.remarks.append(Remark("no_concept", found, "variable / concept"))
        return index

    def _add(self, variable: str) -> int:
        name, number = variable, 1
        while name in self.ids:
            number += 1
            name = f"{variable}_{number}"
        if number > 1:
            found = f"two nodes named {excerpt(variable)!r}, the second of which is read as {excerpt(name)!r}"
            self.remarks.append(Remark("repeated_node", found, "one node for each variable"))
        self.ids[name] = len(self.ids)
        self.concepts.append("")
        self.anchors.append(())
        return self.ids[name]

    def graph(self, text: str) -> tuple[SemanticGraph, list[Remark]]:
        """Return the graph and its flaws."""
        links: list[Link] = []
        properties: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
        names = list(self.ids)
        for source, role, value in self.branches:
            target = names[value] if isinstance(value, int) else value
            if target in self.ids:
                links.append((names[source], role, target))
            else:
                properties[source].append((role, target))
        nodes = [
            SemanticNode(name, self.concepts[index], self.anchors[index], tuple(properties[index]))
            for name, index in self.ids.items()
        ]
        graph, remarks = build_graph(nodes, links, names[:1], text, "amr")
        return graph, [*self.remarks, *remarks]


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


def graph_of_triples(graph: Any) -> tuple[SemanticGraph | None, list[Remark]]:
    """Return the graph of an object ``penman.Graph``."""
    text = graph.metadata.get("snt") or graph.metadata.get("tok", "")
    words = _words(text, graph.metadata.get("tok") or text)
    properties: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for source, role, target in graph.attributes():
        properties[source].append((role.removeprefix(":"), str(target)))
    nodes = []
    for triple in graph.instances():
        markers = [item for item in graph.epidata.get(tuple(triple), ()) if item.mode == 2]
        anchors = _anchors(words, (number for item in markers for number in getattr(item, "indices", ())))
        nodes.append(SemanticNode(triple[0], triple[2] or "", anchors, tuple(properties[triple[0]])))
    if not nodes:
        return None, []
    links = [(source, role.removeprefix(":"), target) for source, role, target in graph.edges()]
    return build_graph(nodes, links, [graph.top], text, "amr")


def _decode(segment: Segment) -> tuple[SemanticGraph | None, list[Remark]]:
    tree = _tree(_ALIGNMENT.sub(lambda match: match["kept"] or " " * len(match[0]), segment.body))
    if tree == (None, []):
        return None, []
    walk = _Walk(_words(segment.text, segment.content))
    walk.visit(tree)
    return walk.graph(segment.text)


def _tree(body: str) -> tuple[str | None, list[Any]]:
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
    node: tuple[str | None, list[Any]] = trees[0].node
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
    >>> from evaltools.corpus import SemanticNode
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
    texts = []
    for graph in item.results or (None,):
        text = "".join(f"{line}\n" for line in (*_header(item), *_graph_lines(graph, title)))
        segments = _cut(text).segments
        try:
            copy = _decode(segments[0])[0] if len(segments) == 1 else None
        except GraphError:
            copy = None
        if graph is not None and graph.nodes and (copy is None or _content(copy) != _content(graph)):
            raise ParameterError(f"{title}: PENMAN cannot hold this graph; MRP can")
        texts.append(text)
    return "\n".join(texts)


def _header(item: SemanticItem) -> Iterator[str]:
    """Yield the lines before a graph."""
    if item.id is not None:
        yield f"# ::id {item.id}"
    if item.text:
        yield f"# ::snt {item.text}"
    for key, value in item.metadata.items():
        if key != SENTENCE_ID:
            yield f"# ::{key} {value}"


def _graph_lines(graph: SemanticGraph | None, title: str) -> Iterator[str]:
    if graph is None or not graph.nodes:
        yield "()"
        return
    if any(node.constant is not None or node.type for node in graph.nodes) or len(graph.tops) > 1:
        raise ParameterError(f"{title}: PENMAN has one top, and no constants and types of variables; MRP has them")
    names = _variables(graph)
    branches = _spanning(graph)
    if branches is None:
        raise ParameterError(f"{title}: PENMAN cannot hold a graph in several parts; MRP can")
    stack: list[tuple[int, int, str, int]] = [(graph.tops[0] if graph.tops else 0, 0, "", 0)]
    while stack:
        index, depth, role, n_closing = stack.pop()
        node = graph.nodes[index]
        lines = [f"{role}({names[index]} / {node.predicate}"]
        lines += [f"    :{name} {_value(value, names)}" for name, value in node.properties]
        children = []
        for edge, is_new in branches[index]:
            if is_new:
                children.append((edge.role, edge.target))
            else:
                lines.append(f"    :{edge.role} {names[edge.target]}")
        n_closing += 1
        if not children:
            lines[-1] += ")" * n_closing
        yield from ("    " * depth + line for line in lines)
        for number, (name, target) in enumerate(reversed(children)):
            stack.append((target, depth + 1, f":{name} ", n_closing if number == 0 else 0))


def _variables(graph: SemanticGraph) -> list[str]:
    """Return the variables of the nodes: their ids, or, where these may be numbers, ``x`` and a number."""
    ids = [node.id for node in graph.nodes]
    if all(_SYMBOL.fullmatch(name) and name[0].isalpha() for name in ids):
        return ids
    return [f"x{number}" for number in range(len(ids))]


def _spanning(graph: SemanticGraph) -> list[list[tuple[SemanticEdge, bool]]] | None:
    """Return the roles below each node, and whether the target is introduced there; None if parts are unconnected."""
    below: list[list[tuple[SemanticEdge, bool]]] = [[] for _ in graph.nodes]
    of_node: list[list[tuple[int, SemanticEdge]]] = [[] for _ in graph.nodes]
    for number, edge in enumerate(graph.edges):
        of_node[edge.source].append((number, edge))
        if edge.source != edge.target:
            inverse = SemanticEdge(edge.target, _inverse_role(edge.role), edge.source)
            of_node[edge.target].append((number, inverse))
    top = graph.tops[0] if graph.tops else 0
    placed, written, waiting = {top}, set(), [top]
    while waiting:
        index = waiting.pop(0)
        for number, edge in of_node[index]:
            if number in written:
                continue
            is_inverse = graph.edges[number].source != index
            if is_inverse and edge.target in placed:
                continue  # its own node has it
            is_new = edge.target not in placed
            written.add(number)
            below[index].append((edge, is_new))
            if is_new:
                placed.add(edge.target)
                waiting.append(edge.target)
    return below if len(placed) == len(graph.nodes) else None


_NOT_INVERTED = ("consist-of", "prep-on-behalf-of", "prep-out-of")


def _inverse_role(role: str) -> str:
    """Return the role in the other direction.

    >>> _inverse_role("ARG0"), _inverse_role("ARG0-of"), _inverse_role("consist-of")
    ('ARG0-of', 'ARG0', 'consist-of-of')
    """
    is_inverted = role.endswith("-of") and role not in _NOT_INVERTED
    return role.removesuffix("-of") if is_inverted else f"{role}-of"


def _value(value: str, variables: Sequence[str]) -> str:
    if _STRING.fullmatch(value) or (_SYMBOL.fullmatch(value) and value not in variables):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _content(graph: SemanticGraph) -> Any:
    """Return the content of a graph, whatever its variables, the directions of roles and the order of branches."""
    names = _variables(graph)
    nodes = sorted(
        (name, node.predicate, sorted((role, value.strip('"')) for role, value in node.properties))
        for name, node in zip(names, graph.nodes, strict=True)
    )
    edges = []
    for edge in graph.edges:
        ends, role = (names[edge.source], names[edge.target]), edge.role
        if role.endswith("-of") and role not in _NOT_INVERTED:
            ends, role = ends[::-1], _inverse_role(role)
        edges.append((ends[0], role, ends[1]))
    return nodes, sorted(edges), [names[top] for top in graph.tops or (0,)]


PENMAN = graph_format(
    "penman", "PENMAN (AMR)", _looks_like, _cut, _decode, write=write_penman, suffixes=(".amr",), has_lists=False
)
