"""From the segments of a text to items: results grouped by item, each graph read, flaws listed as problems."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import ParseError

from evaltools.corpus import SemanticGraph
from evaltools.errors import Problem
from evaltools.formats.semantics.bank import SemanticItem
from evaltools.formats.semantics.pydelphin import NO_SPANS, WITHOUT_SPANS, GraphError, Remark, graph_of, without_address
from evaltools.formats.semantics.segments import Flaw, Notation, Segment
from evaltools.text import excerpt

__all__ = ["group_segments", "item_problem", "merge_span_problems", "read_graph", "read_item"]


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


def read_item(
    segments: Sequence[Segment], number: int, notation: Notation, file: str, *, first_only: bool
) -> tuple[SemanticItem, list[Problem]]:
    """Read the results of one item."""
    first = segments[0]
    bodies = [segment for segment in segments if segment.body]
    results: list[SemanticGraph | None] = []
    problems: list[Problem] = []
    is_empty = False
    for segment in bodies[:1] if first_only else bodies:
        graph, flaws = read_graph(segment, notation)
        is_empty = is_empty or (not results and graph is None and not flaws)
        results.append(graph)
        problems += [item_problem(flaw, file, number, first.id) for flaw in flaws]
    texts = [*(segment.text for segment in segments), *(graph.text for graph in results if graph is not None)]
    text = next(filter(None, texts), "")
    return SemanticItem(first.id, first.line, text, tuple(results), is_empty, first.metadata), problems


def item_problem(flaw: Flaw, file: str, number: int, name: str | None) -> Problem:
    """Return a flaw of a graph as a problem that names its item."""
    found = flaw.found if name is None else f"item {excerpt(name)}: {flaw.found}"
    return Problem(flaw.kind, file, flaw.line, None, found, flaw.expected, number)


def merge_span_problems(problems: Sequence[Problem], items: Sequence[SemanticItem]) -> list[Problem]:
    """Return the problems of a file, with one instead of many if most of its graphs lack spans."""
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


def read_graph(segment: Segment, notation: Notation) -> tuple[SemanticGraph | None, list[Flaw]]:
    """Read one graph; any error becomes a flaw."""
    step, expected = "parse", f"{notation.TITLE} that is well-formed"
    try:
        if segment.error is not None:
            raise GraphError(*segment.error)
        result = notation.decode(segment)
        if not isinstance(result, tuple):
            step, expected = "convert", "an MRS that converts to EDS"
            result = graph_of(result, segment.text)
    except Exception as error:  # PyDelphin raises errors of many types for invalid input
        line, reason = _reason(error)
        return None, [Flaw("graph", segment.line + line, f"graph does not {step}: {reason}", expected)]
    graph, remarks = result
    remarks = [*notation.unread(segment), *remarks]
    for name in notation.repeated(segment.body):
        found = f"{excerpt(name)} twice at one node, of which the last is read"
        remarks = [*remarks, Remark("repeated_role", found, "each role and property once")]
    return graph, [Flaw(kind, segment.line + line, found, expected) for kind, found, expected, line in remarks]


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
