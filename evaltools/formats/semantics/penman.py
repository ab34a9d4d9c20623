"""PENMAN notation, in which AMRs are written: ``(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))``.

A variable with its concept is a node, and a role is an edge or, if its value is no variable, a property; both are kept
as they are written, inverted roles (``:ARG0-of``) and quotes included. Lines ``# ::key value`` before a graph describe
its sentence: ``::id`` names the item, ``::snt`` is the sentence, other keys are its metadata.

Alignments with the tokens of ``::tok``, or else ``::snt``, are kept as anchors of concepts, roles, constants and of
variables that are mentioned again. They are markers in the graph (``boy~e.1``, ``:ARG1~e.2``) or a line
``::alignments``: in the notation of JAMR, ``1-3|0.0+0.1`` aligns the tokens 1 and 2 with two children of the top, not
counting variables mentioned again; in that of the releases of AMR, ``1-1.2`` aligns token 1 with the second child of
the top, whose address is 1, and ``1-1.2.r`` with its role. What cannot be read is
listed; the graph is read without.

References
----------
Jeffrey Flanigan, Sam Thomson, Jaime Carbonell, Chris Dyer and Noah A. Smith. 2014. A discriminative graph-based parser
for the Abstract Meaning Representation. ACL.

Robert T. Kasper. 1989. A flexible interface for linking applications to Penman's sentence generator. HLT.

Michael Wayne Goodman. 2020. Penman: an open-source library and tool for AMR graphs. ACL (demonstrations).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from evaltools.corpus import SemanticGraph, SemanticNode
from evaltools.corpus.comments import SENTENCE_ID
from evaltools.corpus.semantic_graph import Anchors
from evaltools.formats.semantics.layout import Bracket, Unit, blanked, lay_out
from evaltools.formats.semantics.penman_tokens import Tokens, without_marker, without_stray_markers
from evaltools.formats.semantics.pydelphin import GraphError, Link, Remark, build_graph
from evaltools.formats.semantics.segments import Flaw, Notation, Segment, SegmentedText
from evaltools.text import excerpt

__all__ = ["PENMAN", "graph_of_triples", "metadata_of"]

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
_OF_JAMR = re.compile(r"([0-9]{1,9})-([0-9]{1,9})\|([0-9]+(?:\.[0-9]+)*(?:\+[0-9]+(?:\.[0-9]+)*)*)")
_OF_RELEASES = re.compile(r"([0-9]{1,9})-(1(?:\.[0-9]+)*)(\.r)?")
_OF_SENTENCES = ("id", "snt")
"""Keys that stand for a sentence, also where it has no graph."""
_NOT_METADATA = ("snt", "tok", "alignments", "node", "edge", "root")
"""Keys of lines that are the sentence, or describe the graph."""
_NAMES = {"LPAREN": "'('", "RPAREN": "')'", "ROLE": "a role", "SYMBOL": "a name", "STRING": "a string"}
_EXPECTED = "a graph in parentheses"
_EXPECTED_ALIGNMENT = "alignments such as 1-2|0.0 (JAMR) or 1-1.2 and 1-1.2.r (releases of AMR)"


# ------------------------------------------------------------------------------------------------- from text to graphs


def _looks_like(text: str) -> bool:
    return _BEGINNING.match(text) is not None or _METADATA_FIRST.match(text) is not None


@dataclass(frozen=True, slots=True)
class _Comments:
    """What the comments before a graph say of its alignments."""

    tokens: str  # The tokens that are counted, with spaces between them
    alignments: list[tuple[int, str]]  # The lines of alignments, each with its line, counted from the graph's first


@dataclass(slots=True)
class _Header:
    """The comments before a graph: keys and values, with the lines of the alignments."""

    start: int
    line: int = 0  # The first line that has any key
    values: list[tuple[str, str]] = field(default_factory=list)
    alignments: list[tuple[int, str]] = field(default_factory=list)  # Line and value

    @property
    def names_a_sentence(self) -> bool:
        """Whether it stands for a sentence, also if no graph follows."""
        return any(key in _OF_SENTENCES for key, _ in self.values)

    def is_of_another(self, values: list[tuple[str, str]]) -> bool:
        """Return whether keys and values are of another sentence; what is repeated under one id is not."""
        known = dict(self.values)
        repeated = [(key, value) for key, value in values if key in _OF_SENTENCES and key in known]
        return any("id" not in known or known[key] != value for key, value in repeated)

    def add(self, line: int, values: list[tuple[str, str]]) -> None:
        """Add the keys and values of a comment."""
        self.line = self.line or line
        self.values += values
        self.alignments += [(line, value) for key, value in values if key == "alignments"]

    def segment(self, line: int, body: str, error: tuple[str, int] | None = None) -> Segment:
        """Return the graph that it describes, or a sentence without one."""
        values: dict[str, str] = {}
        for key, value in self.values:
            values.setdefault(key, value)
        text = values.get("snt") or values.get("tok", "")
        comments = _Comments(values.get("tok") or text, [(number - line, value) for number, value in self.alignments])
        metadata = metadata_of(self.values)
        return Segment(line, body, values.get("id") or None, text, None, comments, metadata, error)


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
    covered = 0
    for header, units in zip([None, *headers], regions, strict=True):
        if header is not None and header.names_a_sentence and not any(unit.graph for unit in units):
            result.segments.append(header.segment(header.line, ""))
        current = header or _Header(0)
        for unit in units:
            result.add_stray(covered, unit.start, _EXPECTED)
            covered = unit.end
            if unit.graph is not None:
                line, body, error = result.body_of(unit, _EXPECTED)
                result.segments.append(current.segment(line, body, error))
                current = _Header(0)
            else:
                if not headers:
                    result.segments.append(current.segment(result.line(unit.start), ""))
                result.add_stray(unit.start, unit.end, _EXPECTED)
    result.add_stray(covered, len(text), _EXPECTED)
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
            headers.append(_Header(comment.start()))
        headers[-1].add(result.line(comment.start()), values)
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


_Tokens = list[int]
"""Numbers of tokens, from 0, that something is aligned with."""


@dataclass(slots=True)
class _Branch:
    """A role of a node, and its value: another node, or a text."""

    source: int
    role: str
    value: int | str
    of_role: _Tokens = field(default_factory=list)
    of_value: _Tokens = field(default_factory=list)  # Of the constant, or of the variable that is mentioned again


@dataclass(slots=True)
class _Walk:
    """The nodes and branches of a tree of the library ``penman``, in the order of the text."""

    words: Tokens
    variables: Set[str]  # Those of all nodes
    ids: dict[str, int] = field(default_factory=dict)  # The nodes by their names
    concepts: list[str] = field(default_factory=list)
    tokens: list[_Tokens] = field(default_factory=list)  # Of the nodes
    branches: list[_Branch] = field(default_factory=list)
    by_address: dict[str, _Tokens] = field(default_factory=dict)  # The tokens of all that alignments name
    remarks: list[Remark] = field(default_factory=list)

    def visit(self, node: tuple[str | None, list[Any]], jamr: str = "0", address: str = "1") -> int:
        """Add a node, with those below it; return its index. It has addresses in both notations of alignments."""
        variable, branches = node
        if variable is None:
            raise GraphError("a node without a variable")
        index = self._add(variable)
        self.by_address[f"|{jamr}"] = self.by_address[address] = self.tokens[index]
        n_children = n_branches = 0
        for role, target in branches:
            if role == "/":
                self.concepts[index], of_concept = without_marker(target or "")
                self.tokens[index] += of_concept
                continue
            name, of_role = without_marker(role)
            branch = _Branch(index, name.removeprefix(":"), "", of_role)
            n_branches += 1
            below = f"{jamr}.{n_children}", f"{address}.{n_branches}"
            self.by_address[f"{below[1]}.r"] = branch.of_role
            if target is None:
                found = f"role :{excerpt(branch.role)} of {excerpt(variable)} without a value"
                self.remarks.append(Remark("no_value", found, "a variable, a node or a constant"))
                continue
            self.branches.append(branch)
            if isinstance(target, str):
                branch.value, branch.of_value = without_marker(target)
                self.by_address[below[1]] = branch.of_value
                if branch.value not in self.variables:
                    self.by_address[f"|{below[0]}"] = branch.of_value
                    n_children += 1
            else:
                branch.value = self.visit(target, *below)
                n_children += 1
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
        self.tokens.append([])
        return self.ids[name]

    def graph(self, text: str) -> tuple[SemanticGraph, list[Remark]]:
        """Return the graph and its flaws."""
        links: list[Link] = []
        properties: defaultdict[int, list[_Branch]] = defaultdict(list)
        names = list(self.ids)
        for branch in self.branches:
            target = names[branch.value] if isinstance(branch.value, int) else branch.value
            if target in self.ids:
                links.append((names[branch.source], branch.role, target, *self._aligned(branch)))
            else:
                properties[branch.source].append(branch)
        nodes = [
            SemanticNode(
                name,
                self.concepts[index],
                self.words.anchors(self.tokens[index]),
                tuple((branch.role, str(branch.value)) for branch in properties[index]),
                property_anchors=_if_any(map(self._aligned, properties[index])),
            )
            for name, index in self.ids.items()
        ]
        graph, remarks = build_graph(nodes, links, names[:1], text, "amr")
        return graph, [*self.remarks, *self.words.flaws(), *remarks]

    def _aligned(self, branch: _Branch) -> tuple[Anchors, Anchors]:
        """Return the words of a role and of its value."""
        return self.words.anchors(branch.of_role), self.words.anchors(branch.of_value)

    def align(self, line: int, alignments: str) -> None:
        """Read a line of alignments, in either notation; list what cannot be read."""
        unread = []
        for text in alignments.split():
            if match := _OF_JAMR.fullmatch(text):
                tokens = range(int(match[1]), int(match[2]))
                addresses = [f"|{address}" for address in match[3].split("+")]
            elif match := _OF_RELEASES.fullmatch(text):
                tokens = range(int(match[1]), int(match[1]) + 1)
                addresses = [f"{match[2]}{match[3] or ''}"]
            else:
                tokens, addresses = range(0), [""]
            known = [self.by_address[address] for address in addresses if address in self.by_address]
            if len(known) < len(addresses) or not tokens or len(tokens) > max(len(self.words.spans), 1):
                unread.append(text)
                continue
            for aligned in known:
                aligned += tokens
        if unread:
            more = f" and {len(unread) - 3} more" if len(unread) > 3 else ""
            found = f"{', '.join(map(excerpt, unread[:3]))}{more} as alignments"
            self.remarks.append(Remark("alignment", found, _EXPECTED_ALIGNMENT, line))


def _if_any(pairs: Iterable[tuple[Anchors, Anchors]]) -> tuple[tuple[Anchors, Anchors], ...]:
    """Return the anchors of properties; nothing if none of them has any."""
    listed = tuple(pairs)
    return listed if any(map(any, listed)) else ()


def graph_of_triples(graph: Any) -> tuple[SemanticGraph | None, list[Remark]]:
    """Return the graph of an object ``penman.Graph``."""
    text = graph.metadata.get("snt") or graph.metadata.get("tok", "")
    words = Tokens.of(text, graph.metadata.get("tok") or text)

    def aligned(triple: tuple[Any, ...]) -> tuple[Anchors, Anchors]:
        """Return the words of a triple's role and of its target."""
        markers = graph.epidata.get(tuple(triple), ())
        of_role, of_target = (
            [number for item in markers if item.mode == mode for number in getattr(item, "indices", ())]
            for mode in (1, 2)
        )
        return words.anchors(of_role), words.anchors(of_target)

    properties: defaultdict[str, list[Any]] = defaultdict(list)
    for triple in graph.attributes():
        properties[triple[0]].append(triple)
    nodes = [
        SemanticNode(
            triple[0],
            triple[2] or "",
            aligned(triple)[1],
            tuple((role.removeprefix(":"), str(target)) for _, role, target in properties[triple[0]]),
            property_anchors=_if_any(map(aligned, properties[triple[0]])),
        )
        for triple in graph.instances()
    ]
    if not nodes:
        return None, []
    links: list[Link] = [
        (triple[0], triple[1].removeprefix(":"), triple[2], *aligned(triple)) for triple in graph.edges()
    ]
    built, remarks = build_graph(nodes, links, [graph.top], text, "amr")
    return built, [*words.flaws(), *remarks]


def _decode(segment: Segment) -> tuple[SemanticGraph | None, list[Remark]]:
    body, remarks = without_stray_markers(segment.body)
    tree = _tree(body)
    if tree == (None, []):
        return None, remarks
    comments: _Comments = segment.content
    walk = _Walk(Tokens.of(segment.text, comments.tokens), _variables_of(tree), remarks=remarks)
    walk.visit(tree)
    for line, alignments in comments.alignments:
        walk.align(line, alignments)
    return walk.graph(segment.text)


def _variables_of(tree: tuple[str | None, list[Any]]) -> set[str]:
    """Return the variables of the nodes of a tree."""
    variables, waiting = set(), [tree]
    while waiting:
        variable, branches = waiting.pop()
        variables.add(variable or "")
        waiting += [target for _, target in branches if isinstance(target, tuple)]
    return variables


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


PENMAN = Notation("penman", "PENMAN (AMR)", _looks_like, _cut, _decode, has_lists=False)
