"""PENMAN notation, in which AMRs are written: ``(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))``.

A variable with its concept is a node, and a role is an edge or, if its value is no variable, a property; both are kept
as they are written, inverted roles (``:ARG0-of``) and quotes included. Lines ``# ::key value`` before a graph describe
its sentence: ``::id`` names the item, ``::snt`` is the sentence, other keys are its metadata. Alignments of nodes and
of their values with the words of ``::tok``, or else ``::snt``, are kept as anchors, whether they are markers in the
graph (``boy~e.1``) or a line ``::alignments`` in the notation of JAMR (``1-2|0.0``).

References
----------
Robert T. Kasper. 1989. A flexible interface for linking applications to Penman's sentence generator. HLT.

Michael Wayne Goodman. 2020. Penman: an open-source library and tool for AMR graphs. ACL (demonstrations).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.corpus.comments import SENTENCE_ID
from evaltools.corpus.semantic_graph import Anchors
from evaltools.errors import ParameterError, excerpt
from evaltools.formats.semantics.bank import SemanticItem
from evaltools.formats.semantics.pydelphin import GraphError, Remark, build_graph
from evaltools.formats.semantics.segments import Notation, Segment, SegmentedText

__all__ = ["PENMAN", "graph_of_triples", "metadata_of", "write_penman"]

_BEGINNING = re.compile(r'(?:\s|#[^\n]*(?:\n|\Z))*(?:\(\s*[^\s()/:"#]+\s*/\s+[^\s()])')
_METADATA_FIRST = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*?#[ \t]*::(?:id|snt)\b[^\n]*(?:\n|\Z)\s*(?:#[^\n]*(?:\n|\Z)\s*)*(?:\(|\Z)"
)
_TOKENS = re.compile(
    r"""
    (?P<comment>\#[^\n]*) | "[^"\\\n]*(?:\\.[^"\\\n]*)*" | (?P<open>\() | (?P<close>\)) | (?P<blank>\n[ \t\r]*(?=\n))
    | [^\s"()]+ | "
    """,
    re.VERBOSE,
)
_KEY = re.compile(r"(?:^|(?<=\s))::([A-Za-z][\w-]*)(?=\s|$)")
_MARKER = re.compile(r"~(?:[a-z]\.?)?([0-9]+(?:,[0-9]+)*)$")
_OF_JAMR = re.compile(r"([0-9]+)-([0-9]+)\|([0-9.+]+)")
_SYMBOL = re.compile(r'[^\s"()/:~#][^\s"()/:~]*')
_ROLE = re.compile(r'[^\s"()/:~]*')
_STRING = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"')
_NOT_METADATA = ("snt", "tok", "alignments", "node", "edge", "root")
"""Keys of lines that are the sentence, or describe the graph."""
_NAMES = {"LPAREN": "'('", "RPAREN": "')'", "ROLE": "a role", "SYMBOL": "a name", "STRING": "a string"}
_EXPECTED = "a graph in parentheses"


# ------------------------------------------------------------------------------------------------- from text to graphs


def _looks_like(text: str) -> bool:
    return _BEGINNING.match(text) is not None or _METADATA_FIRST.match(text) is not None


@dataclass(slots=True)
class _Cutter:
    """Cuts a text into graphs, each with the comments before it."""

    result: SegmentedText
    covered: int = 0  # End of the text that is in a segment, a comment, or listed as a flaw
    start: int | None = None  # Start of the graph that is open
    depth: int = 0
    inside: list[re.Match[str]] = field(default_factory=list)  # Comments in the graph that is open
    line: int = 0  # The line of the first comment before the next graph
    lines: list[tuple[str, str]] = field(default_factory=list)  # Keys and values of these comments

    def cut(self) -> SegmentedText:
        text = self.result.text
        after_blank = False
        for match in _TOKENS.finditer(text):
            if match.lastgroup == "blank":
                after_blank = True
                continue
            values = _values(match[0]) if match.lastgroup == "comment" else []
            if self.start is not None and (values or (after_blank and match.lastgroup == "open")):
                self._end_graph(match.start())  # it was never closed
            if match.lastgroup == "comment":
                self._comment(match, values, after_blank=after_blank)
            elif match.lastgroup == "open":
                if self.start is None:
                    self.result.add_stray(self.covered, match.start(), _EXPECTED)
                    self.start = match.start()
                self.depth += 1
            elif match.lastgroup == "close" and self.start is not None:
                self.depth -= 1
                if not self.depth:
                    self._end_graph(match.end())
            after_blank = False
        if self.start is not None:
            self._end_graph(len(text))
        self.result.add_stray(self.covered, len(text), _EXPECTED)
        self._add_sentence_without_graph()
        return self.result

    def _comment(self, match: re.Match[str], values: list[tuple[str, str]], *, after_blank: bool) -> None:
        if self.start is not None:
            self.inside.append(match)
            return
        self.result.add_stray(self.covered, match.start(), _EXPECTED)
        self.covered = match.end()
        seen = {key for key, _ in self.lines}
        if seen & {key for key, _ in values if key in ("id", "snt")}:
            self._add_sentence_without_graph()
        if values and not self.lines:
            self.line = self.result.line(match.start())
        self.lines += values

    def _end_graph(self, end: int) -> None:
        assert self.start is not None
        body = self.result.text[self.start : end]
        for comment in self.inside:
            first, last = comment.start() - self.start, comment.end() - self.start
            body = body[:first] + " " * (last - first) + body[last:]
        self._add(self.result.line(self.start), body.rstrip())
        self.covered, self.start, self.depth, self.inside = end, None, 0, []

    def _add_sentence_without_graph(self) -> None:
        if any(key in ("id", "snt") for key, _ in self.lines):
            self._add(self.line, "")

    def _add(self, line: int, body: str) -> None:
        values: dict[str, str] = {}
        for key, value in self.lines:
            values.setdefault(key, value)
        text = values.get("snt") or values.get("tok", "")
        segment = Segment(line, body, values.get("id") or None, text, None, values, metadata_of(self.lines))
        self.result.segments.append(segment)
        self.lines = []


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

    spans: Sequence[tuple[int, int] | None]  # The characters of the tokens that alignments count
    ids: dict[str, int] = field(default_factory=dict)  # The nodes by their names
    concepts: list[str] = field(default_factory=list)
    properties: list[list[tuple[str, str]]] = field(default_factory=list)
    tokens: list[list[int]] = field(default_factory=list)  # The tokens that a node is aligned with
    branches: list[tuple[int, str, str | int]] = field(default_factory=list)  # Source, role, and a node or a text
    at: dict[str, int] = field(default_factory=dict)  # The node, or the node that has the constant, at an address
    remarks: list[Remark] = field(default_factory=list)

    def visit(self, node: tuple[str | None, list[Any]], address: str = "0") -> int:
        """Add a node, with those below it; return its index."""
        variable, branches = node
        if variable is None:
            raise GraphError("a node without a variable")
        index = self._add(variable)
        self.at[address] = index
        n_children = 0
        for role, target in branches:
            if role == "/":
                self.concepts[index], found = _without_marker(target or "")
                self.tokens[index] += found
                continue
            name = _without_marker(role)[0].removeprefix(":")
            if target is None:
                self.remarks.append(("no_value", f"role :{excerpt(name)} of {excerpt(variable)} without a value",
                                     "a variable, a node or a constant"))  # fmt: skip
            elif isinstance(target, str):
                value, found = _without_marker(target)
                self.branches.append((index, name, value))
                if value not in self.ids:
                    self.tokens[index] += found
                    self.at[f"{address}.{n_children}"] = index
                    n_children += 1
            else:
                place = len(self.branches)
                self.branches.append((index, name, ""))
                self.branches[place] = index, name, self.visit(target, f"{address}.{n_children}")
                n_children += 1
        if not self.concepts[index]:
            self.remarks.append(("no_concept", f"node {excerpt(variable)} without a concept", "variable / concept"))
        return index

    def _add(self, variable: str) -> int:
        name, number = variable, 1
        while name in self.ids:
            number += 1
            name = f"{variable}_{number}"
        if number > 1:
            found = f"two nodes named {excerpt(variable)!r}, the second of which is read as {excerpt(name)!r}"
            self.remarks.append(("repeated_node", found, "one node for each variable"))
        self.ids[name] = len(self.ids)
        self.concepts.append("")
        self.properties.append([])
        self.tokens.append([])
        return self.ids[name]

    def graph(self, text: str) -> tuple[SemanticGraph, list[Remark]]:
        """Return the graph and its flaws."""
        links = []
        names = list(self.ids)
        for source, role, target in self.branches:
            if isinstance(target, int):
                links.append((names[source], role, names[target]))
            elif target in self.ids:
                links.append((names[source], role, target))
            else:
                self.properties[source].append((role, target))
        nodes = [
            SemanticNode(name, concept, _anchors(tokens, self.spans), tuple(properties))
            for name, concept, properties, tokens in zip(
                self.ids, self.concepts, self.properties, self.tokens, strict=True
            )
        ]
        graph, remarks = build_graph(nodes, links, names[:1], text, "amr")
        return graph, [*self.remarks, *remarks]

    def align(self, line: str) -> None:
        """Read a line of alignments in the notation of JAMR; others are left."""
        for match in _OF_JAMR.finditer(line):
            for address in match[3].split("+"):
                if address in self.at:
                    self.tokens[self.at[address]] += range(int(match[1]), min(int(match[2]), len(self.spans)))


def _anchors(tokens: Iterable[int], spans: Sequence[tuple[int, int] | None]) -> Anchors:
    """Return the characters of tokens."""
    known = (spans[number] for number in sorted(set(tokens)) if number < len(spans))
    return tuple(span for span in known if span is not None)


def graph_of_triples(graph: Any) -> tuple[SemanticGraph | None, list[Remark]]:
    """Return the graph of an object ``penman.Graph``."""
    text = graph.metadata.get("snt") or graph.metadata.get("tok", "")
    spans = _token_spans(text, (graph.metadata.get("tok") or text).split())
    tokens: defaultdict[str, list[int]] = defaultdict(list)
    properties: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for triple in (*graph.instances(), *graph.attributes()):
        markers = graph.epidata.get(tuple(triple), ())
        tokens[triple[0]] += [number for item in markers if item.mode == 2 for number in getattr(item, "indices", ())]
    for source, role, target in graph.attributes():
        properties[source].append((role.removeprefix(":"), str(target)))
    nodes = [
        SemanticNode(name, concept or "", _anchors(tokens[name], spans), tuple(properties[name]))
        for name, _, concept in graph.instances()
    ]
    if not nodes:
        return None, []
    links = [(source, role.removeprefix(":"), target) for source, role, target in graph.edges()]
    return build_graph(nodes, links, [graph.top], text, "amr")


def _without_marker(text: str) -> tuple[str, list[int]]:
    """Return a symbol without its alignment, and the tokens of the alignment.

    >>> _without_marker("boy~e.2,3")
    ('boy', [2, 3])
    """
    marker = _MARKER.search(text)
    if marker is None:
        return text, []
    return text[: marker.start()], [int(number) for number in marker[1].split(",")]


def _decode(segment: Segment) -> tuple[SemanticGraph | None, list[Remark]]:
    tree = _tree(segment.body)
    if tree == (None, []):
        return None, []
    values: Mapping[str, str] = segment.content or {}
    walk = _Walk(_token_spans(segment.text, (values.get("tok") or segment.text).split()))
    walk.visit(tree)
    walk.align(values.get("alignments", ""))
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


def _token_spans(text: str, tokens: Iterable[str]) -> list[tuple[int, int] | None]:
    """Return the characters of tokens in a text, None for one that is not in it.

    >>> _token_spans("Kim can't.", ["Kim", "ca", "n't", "."])
    [(0, 3), (4, 6), (6, 9), (9, 10)]
    """
    spans: list[tuple[int, int] | None] = []
    end = 0
    for token in tokens:
        start = text.find(token, end)
        if start < 0:
            spans.append(None)
        else:
            end = start + len(token)
            spans.append((start, end))
    return spans


PENMAN = Notation(
    "penman", "PENMAN (AMR)", _looks_like, lambda text: _Cutter(SegmentedText(text)).cut(), _decode, has_lists=False
)


# ------------------------------------------------------------------------------------------------- from graphs to text


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
    >>> from evaltools.corpus import SemanticEdge
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
        text = "".join(f"{line}\n" for line in (*_header(item, graph), *_graph_lines(graph, title)))
        segments = PENMAN.cut(text).segments
        try:
            copy = _decode(segments[0])[0] if len(segments) == 1 else None
        except GraphError:
            copy = None
        if graph is not None and graph.nodes and (copy is None or _content(copy) != _content(graph)):
            raise ParameterError(f"{title}: PENMAN cannot hold this graph; MRP can")
        texts.append(text)
    return "\n".join(texts)


def _header(item: SemanticItem, graph: SemanticGraph | None) -> Iterator[str]:
    """Yield the lines before a graph."""
    if item.id is not None:
        yield f"# ::id {item.id}"
    if item.text:
        yield f"# ::snt {item.text}"
    tokens = [] if graph is None else _tokens(item.text, graph)
    if tokens != _words(item.text):
        yield f"# ::tok {' '.join(item.text[start:end] for start, end in tokens)}"
    for key, value in item.metadata.items():
        if key != SENTENCE_ID:
            yield f"# ::{key} {value}"


def _words(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\S+", text)]


def _tokens(text: str, graph: SemanticGraph) -> list[tuple[int, int]]:
    """Return the words of a text, cut where anchors of nodes begin or end."""
    ends = {index for node in graph.nodes for span in node.anchors for index in span}
    tokens: list[tuple[int, int]] = []
    for start, end in _words(text):
        bounds = [start, *sorted(index for index in ends if start < index < end), end]
        tokens += pairwise(bounds)
    return tokens


def _graph_lines(graph: SemanticGraph | None, title: str) -> Iterator[str]:
    if graph is None or not graph.nodes:
        yield "()"
        return
    if any(node.constant is not None or node.type for node in graph.nodes) or len(graph.tops) > 1:
        raise ParameterError(f"{title}: PENMAN has one top, and no constants and types of variables; MRP has them")
    tokens = _tokens(graph.text, graph)
    names = _variables(graph)
    branches = _spanning(graph)
    if branches is None:
        raise ParameterError(f"{title}: PENMAN cannot hold a graph in several parts; MRP can")
    stack: list[tuple[int, int, str, int]] = [(graph.tops[0] if graph.tops else 0, 0, "", 0)]
    while stack:
        index, depth, role, n_closing = stack.pop()
        node = graph.nodes[index]
        aligned = [
            str(number)
            for number, (start, end) in enumerate(tokens)
            if any(first <= start and end <= last for first, last in node.anchors)
        ]
        marker = f"~e.{','.join(aligned)}" if aligned else ""
        lines = [f"{role}({names[index]} / {node.predicate}{marker}"]
        lines += [f"    :{name} {_value(value, names)}" for name, value in node.properties]
        below = branches[index]
        lines += [f"    :{name} {names[target]}" for name, target, is_new in below if not is_new]
        children = [(name, target) for name, target, is_new in below if is_new]
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


def _spanning(graph: SemanticGraph) -> list[list[tuple[str, int, bool]]] | None:
    """Return what stands below each node: role, node, whether it is introduced there; None if parts are unconnected."""
    below: list[list[tuple[str, int, bool]]] = [[] for _ in graph.nodes]
    of_node: list[list[tuple[int, str, int]]] = [[] for _ in graph.nodes]
    for number, edge in enumerate(graph.edges):
        of_node[edge.source].append((number, edge.role, edge.target))
        if edge.source != edge.target:
            of_node[edge.target].append((number, _inverse_role(edge.role), edge.source))
    top = graph.tops[0] if graph.tops else 0
    placed, written, waiting = {top}, set(), [top]
    while waiting:
        index = waiting.pop(0)
        for number, role, target in of_node[index]:
            if number in written:
                continue
            is_inverse = graph.edges[number].source != index
            if is_inverse and target in placed:
                continue  # its own node has it
            written.add(number)
            below[index].append((role, target, target not in placed))
            if target not in placed:
                placed.add(target)
                waiting.append(target)
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
