"""The errors of a parser's graphs, made when it is scored: triples of one graph only, alone or in place of another.

Every such triple is part of one error, so what errors cost adds up to the triples that are lost.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from evaltools.corpus import Span
from evaltools.corpus.stretches import gap_text
from evaltools.frameworks.common.columns import Rows, text_column
from evaltools.frameworks.common.tables import errors_table
from evaltools.frameworks.questions import NONE
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.frameworks.semantics.tables import ends_of
from evaltools.marks import Status
from evaltools.text import excerpt

TRIPLE = "triple"
"""The kind of the errors; what they cost is the weight of their triples."""

_QUOTED = 30


class GraphError(NamedTuple):
    """A triple that only one graph has, or one of each graph at the same place."""

    type: str  # The class of the triples
    status: Status  # ``MOVED`` if both have the same name, as in graphs without spans
    gold: str  # Their names; `NONE` stands for a triple that the other graph lacks
    test: str
    rows: tuple[TripleRow, ...]  # Empty if both names are in both graphs elsewhere
    side: str  # The graph whose nodes the next ones are
    node: int
    target: int | None = None  # The node that an argument leads to

    @property
    def cost(self) -> float:
        """The weight of its triples."""
        return sum(row.weight for row in self.rows)


def graph_errors(alignment: GraphAlignment) -> list[GraphError]:
    """Return the errors of a sentence in the order of their numbers: confused predicates, then by place.

    Triples are at the same place if their nodes are paired, arguments if they are between the same characters, or
    between the same nodes where these are mapped to each other.

    Examples
    --------
    >>> from evaltools.corpus import SemanticGraph
    >>> from evaltools.corpus.semantic_graph import SemanticNode
    >>> from evaltools.frameworks.semantics.alignment import align_graphs
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> gold, test = (SemanticGraph((SemanticNode("x", name, ((0, 4),)),), (), ()) for name in ("_bank_n_1", "_tank_n"))
    >>> (error,) = graph_errors(align_graphs(gold, test, load_edm_rules()))
    >>> str(error.status), error.gold, error.test, error.cost
    ('relabeled', '_bank_n_1', '_tank_n', 2.0)
    """
    places: defaultdict[tuple[Any, ...], tuple[list[TripleRow], list[TripleRow]]] = defaultdict(lambda: ([], []))
    for row in alignment.triples:
        if row.status is not Status.RIGHT:
            places[_place(row, is_mapped=alignment.kind.is_mapped)][row.status is Status.SPURIOUS].append(row)
    errors = []
    for pair in alignment.nodes:
        if pair.status is Status.RELABELED and pair.gold is not None and pair.test is not None:
            rows = [row for side in places.pop(("name", pair.gold, pair.test), ()) for row in side]
            predicates = (_predicate(alignment, "gold", pair.gold), _predicate(alignment, "test", pair.test))
            errors.append(GraphError("name", Status.RELABELED, *predicates, tuple(rows), "gold", pair.gold))
    for golds, tests in places.values():
        sides = (sorted(rows, key=lambda row: row.label) for rows in (golds, tests))
        errors += [_error(alignment, *pair) for pair in zip_longest(*sides)]
    return errors


def _place(row: TripleRow, *, is_mapped: bool) -> tuple[Any, ...]:
    """Return what is equal for the triples of both graphs at the same place."""
    nodes = (row.gold_node, row.test_node)
    if row.kind == "argument":
        if is_mapped:
            return row.kind, *nodes, row.gold_target, row.test_target
        return row.kind, ends_of(row.span), ends_of(row.target)
    return {"top": (row.kind,), "name": (row.kind, *nodes)}.get(row.kind, (row.kind, *nodes, row.label))


def _error(alignment: GraphAlignment, gold: TripleRow | None, test: TripleRow | None) -> GraphError:
    rows = tuple(row for row in (gold, test) if row is not None)
    right, wrong = (NONE if row is None else _name(alignment, row) for row in (gold, test))
    status = Status.MOVED if right == wrong else Status.RELABELED
    if len(rows) == 1:
        status = rows[0].status
    return GraphError(rows[0].kind, status, right, wrong, rows, rows[0].side, *rows[0].nodes)


def _name(alignment: GraphAlignment, row: TripleRow) -> str:
    """Return what a triple says of its place."""
    if row.kind == "top":
        return _predicate(alignment, row.side, row.nodes[0])
    return {"name": row.value, "argument": row.label}.get(row.kind, f"{row.label} = {row.value}")


def _predicate(alignment: GraphAlignment, side: str, node: int) -> str:
    graph = alignment.gold if side == "gold" else alignment.test
    assert graph is not None
    return graph.nodes[node].predicate


# --------------------------------------------------------------------------------------------------------------- table


def graph_error_rows(
    parser: str,
    alignments: Mapping[int, GraphAlignment],
    errors: Mapping[int, Sequence[GraphError]],
    texts: Mapping[int, str],
    scored: Mapping[int, bool],
) -> Rows:
    """Build one row an error, of some sentences by number; `scored` says which of them have a score."""
    rows: list[tuple[Any, ...]] = []
    for sentence, of_sentence in errors.items():
        alignment = alignments[sentence]
        words = [match.span() for match in re.finditer(r"\S+", texts[sentence])]
        for error in of_sentence:
            spans = _spans(alignment, error)
            stretches = [
                Span(at, at + 1)
                for at, (start, end) in enumerate(words)
                if any(start < last and first < end for first, last in spans)
            ]
            bounds = (stretches[0].start, stretches[-1].end) if stretches else (0, 0)
            labels = (str(error.status), error.gold, error.test)
            text = _in_words(alignment, error, texts[sentence])
            rows.append(
                (sentence, error.type, *labels, error.cost, *bounds, gap_text(stretches), text, scored[sentence])
            )
    columns = list(zip(*rows, strict=True)) or [()] * 11
    sentence_column, kind, status, gold, test, cost, first, end, words_column, text_of, is_scored = columns
    return errors_table(
        parser,
        TRIPLE,
        np.array(sentence_column, dtype=np.int32),
        text_column(status),
        np.array(cost, dtype=np.float64),
        (np.array(first, dtype=np.int32), np.array(end, dtype=np.int32), [""] * len(rows)),
        words_column,
        (text_column(gold), text_column(test)),
        text_of,
        more={"type": text_column(kind), "scored": np.array(is_scored, dtype=np.bool_)},
    )


def _spans(alignment: GraphAlignment, error: GraphError) -> list[tuple[int, int]]:
    """Return the characters of the nodes of an error, from the first to the last of each."""
    graph = alignment.gold if error.side == "gold" else alignment.test
    assert graph is not None
    ends = [ends_of(graph.nodes[node].anchors) for node in (error.node, error.target) if node is not None]
    return [(start, end) for start, end in ends if start is not None and end is not None]


def _in_words(alignment: GraphAlignment, error: GraphError, text: str) -> str:
    """Return an error in words: where it is, and what is wrong."""
    where = [f"“{excerpt(text[start:end], _QUOTED)}”" for start, end in _spans(alignment, error) if text[start:end]]
    if not where and error.type != "name":
        nodes = [node for node in (error.node, error.target) if node is not None]
        where = [_predicate(alignment, error.side, node) for node in nodes]
    what = {
        Status.MISSING: f"{error.gold} is missing",
        Status.SPURIOUS: f"{error.test} is spurious",
        Status.MOVED: f"{error.gold} at another place",
    }.get(error.status, f"{error.test} instead of {error.gold}")
    top = "the top: " if error.type == "top" else ""
    return f"{' → '.join(where)}: {top}{what}" if where else f"{top}{what}"
