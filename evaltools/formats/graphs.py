"""What the formats of graphs share: items, each with its results; a text is cut into graphs, and each is read alone.

So a broken graph does not affect the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from xml.etree.ElementTree import ParseError

from evaltools.corpus import SemanticGraph
from evaltools.corpus.semantic_graph import UNANCHORED
from evaltools.errors import Problem
from evaltools.formats.edges import without_edges
from evaltools.formats.format import Format
from evaltools.formats.pydelphin import NO_SPANS, WITHOUT_SPANS, GraphError, graph_of, without_address
from evaltools.formats.segments import Remark, Segment, SegmentedText
from evaltools.formats.source import Source
from evaltools.text import excerpt, short_repr


@dataclass(frozen=True, slots=True)
class SemanticItem:
    """One sentence and its analyses.

    Parameters
    ----------
    id : str or None
        Its name in the file; None if it has none.
    line : int
        Its first line, from 1; in a profile the line of the table ``item``.
    text : str
        The sentence; empty if it is not in the file.
    results : tuple of SemanticGraph or None
        The analyses, best first; None for one that cannot be read or is empty. An item without analyses has none.
    is_empty : bool
        Whether the first analysis is a graph without nodes; False if it is missing or cannot be read.
    metadata : mapping of str to str
        What the file says of the sentence, by key, such as its document.

    Examples
    --------
    >>> SemanticItem("4", 1, "It rains.", ()).graph is None
    True
    """

    id: str | None
    line: int
    text: str
    results: tuple[SemanticGraph | None, ...]
    is_empty: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return short_repr(self, f"{self.id or ''}: {len(self.results)} results: {self.text}")

    @property
    def graph(self) -> SemanticGraph | None:
        """The first result, None if there is none."""
        return self.results[0] if self.results else None


@dataclass(frozen=True, slots=True)
class SemanticBank:
    """The semantic graphs of a file or of a profile.

    Parameters
    ----------
    name : str
        The file's name as the user gave it.
    path : str or None
        The file or folder; None for other inputs.
    digest : str
        SHA-256 of the bytes as stored; of a profile, of the tables ``relations``, ``item``, ``parse`` and ``result``,
        one after the other.
    format : str
        A name in :data:`evaltools.formats.FORMATS`.
    has_ids : bool
        Whether most items that have an analysis have a name.
    items : tuple of SemanticItem
        In the file's order.
    problems : list of Problem
        Problems of the file.
    """

    name: str
    path: str | None
    digest: str
    format: str
    has_ids: bool
    items: tuple[SemanticItem, ...]
    problems: list[Problem] = field(default_factory=list)

    def __repr__(self) -> str:
        return short_repr(
            self, f"{self.name}: {len(self.items):,} items, {self.format}, {len(self.problems):,} problems"
        )

    def __len__(self) -> int:
        return len(self.items)

    @property
    def framework(self) -> str:
        """The framework of its graphs, such as ``eds``; empty if it is unknown."""
        graphs = (graph for item in self.items for graph in item.results if graph is not None)
        return next((graph.framework for graph in graphs if graph.framework), "")

    @property
    def is_unanchored(self) -> bool:
        """Whether nodes of its graphs are not known by their characters, as in AMRs."""
        return self.framework.lower() in UNANCHORED


_LINES_OF_ACE = re.compile(r"(?:\s*(?:SENT|SKIP|NOTE|WARNING|ERROR):[^\n]*)*\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFormat(Format):
    """A format of text files with graphs."""

    segments: Callable[[str], SegmentedText]  # Cuts a text into graphs
    # Returns PyDelphin's structure of a segment, or the graph (None if it has no node) with the flaws in it
    decode: Callable[[Segment], Any]
    has_lists: bool = True  # Whether graphs of one name are results of one item
    unread: Callable[[Segment], list[Remark]] = lambda _: []  # What of a well-formed graph is not read


def graph_format(
    name: str,
    title: str,
    begins: Callable[[str], object],
    segments: Callable[[str], SegmentedText],
    decode: Callable[[Segment], Any],
    **members: Any,
) -> GraphFormat:
    """Return a format of graphs; `begins` is whether a text begins like it, after the lines that ACE may print."""

    def looks_like(data: bytes) -> object:
        return begins(_LINES_OF_ACE.sub("", text_of(data), count=1))

    return GraphFormat(
        name=name, title=title, holds=SemanticBank, looks_like=looks_like, segments=segments, decode=decode, **members
    )


def text_of(data: bytes) -> str:
    """Return the text of a file of graphs."""
    return data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")


def read_bank(source: Source, graphs: GraphFormat, *, first_only: bool) -> SemanticBank:
    """Read a file of graphs."""
    data = b"".join(without_edges([source.data], graphs.edges, source.name, source.log))
    cut = graphs.segments(text_of(data))
    problems = [*source.problems, *source.log.rest(source.name)]
    problems += [Problem(flaw.kind, source.name, flaw.line, None, flaw.found, flaw.expected) for flaw in cut.flaws]
    groups = group_segments(cut.segments) if graphs.has_lists else [[segment] for segment in cut.segments]
    items, item_problems = read_items(groups, partial(read_graph, notation=graphs), source.name, first_only=first_only)
    problems += item_problems
    if not items:
        problems.append(Problem("empty", source.name, 1, None, "no graph", "at least one graph"))
    n_nameless = sum(item.id is None and item.graph is not None for item in items)
    n_named = sum(item.id is not None for item in items)
    if n_named and n_nameless:
        found, expected = f"{n_nameless} of {len(items)} items without a name", "a name for each, or for none"
        problems.append(Problem("no_name", source.name, None, None, found, expected))
    has_ids = n_named > n_nameless
    return SemanticBank(source.name, source.path, source.digest, graphs.name, has_ids, items, problems)


# ---------------------------------------------------------------------------------------------- from segments to items


def group_segments(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Group segments by item: those of one name, or without a name those after one ``SENT:`` line."""
    items: dict[tuple[str, str | int], list[Segment]] = {}
    for number, segment in enumerate(segments):
        if segment.id is not None:
            key: tuple[str, str | int] = ("name", segment.id)
        elif segment.sentence is not None:
            key = ("sentence", segment.sentence)
        else:
            key = ("number", number)
        items.setdefault(key, []).append(segment)
    return list(items.values())


ReadGraph = tuple[SemanticGraph | None, list[Remark]]
"""A graph, None if it has no node or cannot be read, and its flaws."""


def read_items(
    groups: Iterable[Sequence[Segment]], read: Callable[[Segment], ReadGraph], file: str, *, first_only: bool
) -> tuple[tuple[SemanticItem, ...], list[Problem]]:
    """Read items, each from its segments; one problem stands for many if most graphs lack spans."""
    items: list[SemanticItem] = []
    problems: list[Problem] = []
    for number, segments in enumerate(groups, start=1):
        first = segments[0]
        bodies = [segment for segment in segments if segment.body]
        results: list[SemanticGraph | None] = []
        is_empty = False
        for segment in bodies[:1] if first_only else bodies:
            graph, remarks = read(segment)
            is_empty = is_empty or (not results and graph is None and not remarks)
            results.append(graph)
            for kind, found, expected, line in remarks:
                named = found if first.id is None else f"item {excerpt(first.id)}: {found}"
                problems.append(Problem(kind, file, line, None, named, expected, number))
        texts = [*(segment.text for segment in segments), *(graph.text for graph in results if graph is not None)]
        text = next(filter(None, texts), "")
        items.append(SemanticItem(first.id, first.line, text, tuple(results), is_empty, first.metadata))
    return tuple(items), _merge_span_problems(problems, items)


def _merge_span_problems(problems: Sequence[Problem], items: Sequence[SemanticItem]) -> list[Problem]:
    """Return the problems of items, with one instead of many if most of the graphs lack spans."""
    graphs = [graph for item in items for graph in item.results if graph is not None]
    indices = [index for index, problem in enumerate(problems) if problem.kind == NO_SPANS]
    if len(indices) < 2 or 2 * len(indices) <= len(graphs):
        return list(problems)
    first = problems[indices[0]]
    if any(node.anchors for graph in graphs for node in graph.nodes):
        found = f"{len(indices)} of {len(graphs)} graphs with several nodes without a span"
    else:
        found = f"{len(graphs)} graphs, none of which has a node with a span"
    merged = Problem(NO_SPANS, first.file, first.line, None, found, WITHOUT_SPANS)
    rest = [problem for problem in problems[indices[0] :] if problem.kind != NO_SPANS]
    return [*problems[: indices[0]], merged, *rest]


def read_graph(segment: Segment, notation: GraphFormat) -> ReadGraph:
    """Read one graph; any error becomes a flaw."""
    step, expected = "parse", f"{notation.title} that is well-formed"
    try:
        if segment.error is not None:
            raise GraphError(*segment.error)
        result = notation.decode(segment)
        if not isinstance(result, tuple):
            step, expected = "convert", "an MRS that converts to EDS"
            result = graph_of(result, segment.text)
    except Exception as error:  # PyDelphin raises errors of many types for invalid input
        line, reason = _reason(error)
        return None, [Remark("graph", f"graph does not {step}: {reason}", expected, segment.line + line)]
    graph, remarks = result
    remarks = [*notation.unread(segment), *remarks]
    return graph, [remark._replace(line=segment.line + remark.line) for remark in remarks]


def _reason(error: Exception) -> tuple[int, str]:
    """Return the line of an error, from 0, and its message, on one line."""
    line = 0
    value = str(error)
    if isinstance(error, GraphError):
        line = error.line
    elif isinstance(error, json.JSONDecodeError):
        line, value = error.lineno - 1, f"{error.msg} (character {error.colno})"
    elif isinstance(error, ParseError):
        line = error.position[0] - 1
        value = value.partition(": line")[0]
    elif isinstance(error, RecursionError):
        value = "nested too deeply"
    elif isinstance(error, KeyError):
        value = "a node or an argument without a name" if value == "None" else f"{value} is missing"
    elif not isinstance(error, ValueError):
        value = f"{value or 'no reason given'} ({type(error).__name__})"
    return line, excerpt(without_address(value).strip().split("\n")[-1], 160)
