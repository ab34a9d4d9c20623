"""Tables of a run of semantic graphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.semantic_graph import Anchors, SemanticGraph
from evaltools.formats import SemanticItem
from evaltools.frameworks.common.columns import Rows, SentenceStatus, constant, integer_column, nothing, text_column
from evaltools.frameworks.common.tables import sentences_table, stored_trees
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.frameworks.semantics.edm import GraphComparison
from evaltools.frameworks.semantics.inputs import first_graph
from evaltools.frameworks.semantics.smatch_matching import Matching

# ------------------------------------------------------------------------------------------------------- constructions

CONSTRUCTIONS = (
    *("named entity", "wiki link", "negation", "re-entrancy", "question", "date or quantity", "coordination"),
    *("core role", "other role", "concept", "constant", "top"),
)
"""What triples are part of; each counts for the first that fits. *About the metrics* says what belongs to them."""

_COORDINATING = frozenset(("and", "or", "contrast-01", "either", "neither", "slash"))
_QUANTITIES = frozenset(
    "day month year weekday time timezone quarter dayperiod season year2 decade century calendar era "
    "quant unit value scale ord".split()
)
_OPERAND = re.compile(r"op\d+")
_CORE = re.compile(r"arg\d+")


def constructions_of(alignment: GraphAlignment) -> list[str]:
    """Return what each triple of an alignment is part of, a name in :data:`CONSTRUCTIONS`."""
    sides = {
        side: (graph, Counter(edge.target for edge in graph.edges))
        for side, graph in (("gold", alignment.gold), ("test", alignment.test))
        if graph is not None
    }
    return [_construction(row, *sides[row.side]) for row in alignment.triples]


def _construction(row: TripleRow, graph: SemanticGraph, n_roles_to: Counter[int]) -> str:
    node, target = row.nodes
    concept = graph.nodes[node].predicate.lower()
    role = row.label.lower()
    if row.kind == "top":
        return "top"
    if row.kind == "name":
        if concept == "name" or concept == "amr-unknown":
            return "named entity" if concept == "name" else "question"
        return "coordination" if concept in _COORDINATING else "concept"
    if role == "name" or (concept == "name" and _OPERAND.fullmatch(role)):
        return "named entity"
    if role in ("wiki", "polarity"):
        return "wiki link" if role == "wiki" else "negation"
    if target is not None and n_roles_to[target] > 1:
        return "re-entrancy"
    if target is not None and graph.nodes[target].predicate.lower() == "amr-unknown":
        return "question"
    if role in _QUANTITIES and (target is None or role in ("quant", "unit", "ord")):
        return "date or quantity"
    if _OPERAND.fullmatch(role) and concept in _COORDINATING:
        return "coordination"
    if target is None:
        return "constant"
    return "core role" if _CORE.fullmatch(role) else "other role"


# -------------------------------------------------------------------------------------------------------------- tables

_NOTATION = "graph"
"""The notation of graphs in the table of trees: one line of JSON."""


@dataclass(frozen=True, slots=True)
class GoldItems:
    """Consecutive gold items."""

    items: tuple[SemanticItem, ...]
    first: int  # Number of items before them in the file
    texts: tuple[str, ...]  # The sentences; empty if no file has them
    graphs: tuple[SemanticGraph | None, ...]

    @property
    def numbers(self) -> NDArray[np.int32]:
        """Their numbers, from 1."""
        return np.arange(1, len(self.items) + 1, dtype=np.int32) + np.int32(self.first)


def statuses(gold: Sequence[SemanticGraph | None], test: Sequence[SemanticGraph | None]) -> NDArray[np.int64]:
    """Return the status of every item: missing if a side has no graph."""
    has_both = [None not in pair for pair in zip(gold, test, strict=True)]
    return np.where(has_both, SentenceStatus.OK, SentenceStatus.MISSING).astype(np.int64)


def item_rows(
    parser: str, gold: GoldItems, items: Sequence[SemanticItem | None], passes: Passes[GraphComparison]
) -> Rows:
    """Build one row an item: status and counts."""
    comparison = passes.comparison
    words = np.array([len(text.split()) for text in gold.texts], dtype=np.int32)
    return sentences_table(
        parser,
        passes,
        first=gold.first,
        line=_lines(items),
        words=words,
        words_scored=words,
        status=statuses(comparison.golds, comparison.tests),
        counted=np.array([_counts(*pair) for pair in zip(comparison.golds, comparison.tests, strict=True)]),
        words_aligned=nothing(len(items)),
        more={"item": text_column([item.id for item in gold.items])},
    )


def _counts(gold: SemanticGraph | None, test: SemanticGraph | None) -> bool:
    """Return whether an item counts: there is a gold graph, and it has nodes or the parser has a graph."""
    return gold is not None and (bool(gold.nodes) or test is not None)


def _lines(items: Sequence[SemanticItem | None]) -> NDArray[np.int32]:
    return np.array([0 if item is None else item.line for item in items], dtype=np.int32)


def trees_table(
    parser: str | None,
    gold: GoldItems,
    items: Sequence[SemanticItem | None],
    matchings: Mapping[int, Matching] = MappingProxyType({}),
) -> Rows:
    """Build one row an item: its first graph as JSON, null if it has none, and the mapping that Smatch has found."""
    graphs = gold.graphs if parser is None else [first_graph(item) for item in items]
    trees = [None if graph is None else graph.to_json() for graph in graphs]
    texts = gold.texts if parser is None else None
    mappings = [
        msgspec.json.encode(matchings[index].mapping).decode() if index in matchings else None
        for index in range(len(items))
    ]
    rows = stored_trees(parser, gold.first, _lines(items), _NOTATION, trees, texts)
    return rows | {"mapping": text_column(mappings)}


def predicates_of(graphs: Iterable[SemanticGraph | None]) -> set[str]:
    """Return the predicates of some graphs."""
    return {node.predicate for graph in graphs if graph is not None for node in graph.nodes}


def ranks_table(
    parser: str,
    sentences: NDArray[np.int32],
    rank: int,
    passes: Passes[GraphComparison],
    has_rank: NDArray[np.bool_],
) -> Rows:
    """Build one row an item that has a result of a rank."""
    n = int(has_rank.sum())
    keys = {"parser": constant(parser, n), "sentence": sentences[has_rank], "rank": np.full(n, rank, dtype=np.int32)}
    columns = {
        name: np.ascontiguousarray(made.counts[has_rank, index])
        for made in filter(None, map(passes.get, passes.kinds))
        for index, name in enumerate(made.columns)
        if name != "sentences"
    }
    return keys | columns


_TRIPLES: dict[str, type] = {
    "sentence": int,
    **dict.fromkeys(("kind", "label", "value"), str),
    **dict.fromkeys(("start", "end", "target_start", "target_end"), int),
    **dict.fromkeys(("status", "gold_predicate", "test_predicate"), str),
    "weight": float,
    # Where nodes are not known by spans: the number of the node among those of both graphs, of the node that a role
    # leads to, and what the triple is part of.
    "node": int,
    "target": int,
    "construction": str,
    "error": int,  # The number of the error that the triple is part of
}


def triples_table(
    parser: str,
    alignments: Mapping[int, GraphAlignment],
    errors: Mapping[int, Sequence[Sequence[TripleRow]]],
    *,
    mapped: bool,
) -> Rows:
    """Build one row a triple of some sentences by number, given the triples of their errors.

    `mapped`: whether nodes have no spans.
    """
    triples: list[tuple[Any, ...]] = []
    for sentence, alignment in alignments.items():
        gold, test = (
            [node.predicate for node in side.nodes] if side is not None else []
            for side in (alignment.gold, alignment.test)
        )
        of_mapped = _mapped_values(alignment) if mapped else [(None, None, None)] * len(alignment.triples)
        of_errors = {id(row): number for number, rows in enumerate(errors.get(sentence, ()), 1) for row in rows}
        for row, more in zip(alignment.triples, of_mapped, strict=True):
            gold_predicate = None if row.gold_node is None else gold[row.gold_node]
            test_predicate = None if row.test_node is None else test[row.test_node]
            ends = (*ends_of(row.span), *ends_of(row.target))
            predicates = (gold_predicate, test_predicate)
            values = (sentence, row.kind, row.label, row.value, *ends, row.status, *predicates, row.weight)
            triples.append((*values, *more, of_errors.get(id(row))))
    return _table(parser, triples, _TRIPLES)


def _mapped_values(alignment: GraphAlignment) -> list[tuple[int | None, int | None, str | None]]:
    """Return the values of the further columns of each triple."""
    numbers = {(pair.gold, pair.test): number for number, pair in enumerate(alignment.nodes)}
    return [
        (numbers.get((row.gold_node, row.test_node)), numbers.get((row.gold_target, row.test_target)), construction)
        for row, construction in zip(alignment.triples, constructions_of(alignment), strict=True)
    ]


def _table(parser: str, rows: list[tuple[Any, ...]], types: dict[str, type]) -> Rows:
    columns: list[tuple[Any, ...]] = list(zip(*rows, strict=True)) or [()] * len(types)
    table = {"parser": constant(parser, len(rows))}
    for (name, kind), values in zip(types.items(), columns, strict=True):
        if kind is int:
            table[name] = integer_column(values)
        else:
            table[name] = np.array(values, dtype=np.float64 if kind is float else object)
    return table


def ends_of(anchors: Anchors | None) -> tuple[int | None, int | None]:
    """Return the first and last character of a node, None if it has none."""
    if not anchors:
        return None, None
    return min(start for start, _ in anchors), max(end for _, end in anchors)
