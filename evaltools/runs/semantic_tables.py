"""Tables of a run of semantic graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaltools.formats.semantics import SemanticItem
from evaltools.metrics import edm
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.normalize import Status
from evaltools.runs.arrow_columns import coded, constant
from evaltools.runs.semantic_pairs import first_graph
from evaltools.treebank.semantic_graph import Anchors, SemanticGraph

__all__ = ["NOTATION", "GoldItems", "detail_tables", "ranks_table", "sentences_table", "statuses", "trees_table"]

NOTATION = "graph"
"""How the table of trees writes graphs: one line of JSON."""


@dataclass(frozen=True, slots=True)
class GoldItems:
    """Some of the gold items, in their order.

    Parameters
    ----------
    items : tuple of SemanticItem
        The items.
    first : int
        How many come before them in the file.
    texts : tuple of str
        The sentences; empty where no file says them.
    graphs : tuple of SemanticGraph or None
        Their graphs.
    """

    items: tuple[SemanticItem, ...]
    first: int
    texts: tuple[str, ...]
    graphs: tuple[SemanticGraph | None, ...]

    @property
    def numbers(self) -> NDArray[np.int32]:
        """Their numbers, from 1."""
        return np.arange(1, len(self.items) + 1, dtype=np.int32) + np.int32(self.first)


def statuses(gold: Sequence[SemanticGraph | None], test: Sequence[SemanticGraph | None]) -> NDArray[np.int64]:
    """Return the :class:`~evaltools.normalize.Status` of every item: missing where a side has no graph."""
    there = [one is not None and other is not None for one, other in zip(gold, test, strict=True)]
    return np.where(there, Status.OK, Status.MISSING).astype(np.int64)


def sentences_table(
    parser: str, gold: GoldItems, items: Sequence[SemanticItem | None], counts: NDArray[np.float64]
) -> pa.Table:
    """Build one row an item: status and counts.

    Parameters
    ----------
    parser : str
        The parser's name.
    gold : GoldItems
        The gold items.
    items : sequence of SemanticItem or None
        The parser's.
    counts : ndarray of float64, shape (items, columns)
        The columns of :data:`evaltools.metrics.edm.COLUMNS`.
    """
    n = len(items)
    found = statuses(gold.graphs, [first_graph(item) for item in items])
    words = np.array([len(text.split()) for text in gold.texts], dtype=np.int32)
    columns: dict[str, Any] = {
        "parser": constant(parser, n),
        "sentence": gold.numbers,
        "line": _lines(items),
        "item": pa.array([item.id for item in gold.items], pa.string()),
        "words": words,
        "words_scored": words,
        "status": coded(found, [status.label for status in Status]),
        "words_aligned": pa.nulls(n, pa.int32()),
    }
    return pa.table(columns | _counts(counts) | {"sentences": counts[:, 0].astype(np.int32)})


def _lines(items: Sequence[SemanticItem | None]) -> pa.Array:
    return pa.array([(item.line or None) if item is not None else None for item in items], pa.int32())


def _counts(counts: NDArray[np.float64], without: Sequence[str] = ()) -> dict[str, Any]:
    return {
        name: pa.array(np.ascontiguousarray(counts[:, place]), from_pandas=True)  # undefined counts are null
        for place, name in enumerate(edm.COLUMNS)
        if name not in without
    }


def trees_table(parser: str | None, gold: GoldItems, items: Sequence[SemanticItem | None]) -> pa.Table:
    """Build one row an item: its first graph as JSON, null where it has none.

    Parameters
    ----------
    parser : str or None
        The parser's name; None for the gold graphs, whose rows hold the sentence, too.
    gold : GoldItems
        The gold items.
    items : sequence of SemanticItem or None
        Whose graphs are written.
    """
    graphs = gold.graphs if parser is None else [first_graph(item) for item in items]
    n = len(graphs)
    return pa.table(
        {
            "parser": constant(parser, n),
            "sentence": gold.numbers,
            "line": _lines(items),
            "notation": constant(NOTATION, n),
            "tree": pa.array([None if graph is None else graph.to_json() for graph in graphs], pa.string()),
            "text": pa.array([text if parser is None else None for text in gold.texts], pa.string()),
        }
    )


def ranks_table(parser: str, sentences: NDArray[np.int32], rank: int, counts: NDArray[np.float64]) -> pa.Table:
    """Build one row an item that has a result of a rank.

    Parameters
    ----------
    parser : str
        The parser's name.
    sentences : ndarray of int32, shape (rows,)
        Numbers of the items.
    rank : int
        From 1.
    counts : ndarray of float64, shape (rows, columns)
        The columns of :data:`evaltools.metrics.edm.COLUMNS`.
    """
    n = len(sentences)
    first: dict[str, Any] = {
        "parser": constant(parser, n),
        "sentence": sentences,
        "rank": np.full(n, rank, dtype=np.int32),
    }
    return pa.table(first | _counts(counts, without=("sentences",)))


_TRIPLES: dict[str, pa.DataType] = {
    "sentence": pa.int32(),
    **dict.fromkeys(("kind", "label", "value"), pa.string()),
    **dict.fromkeys(("start", "end", "target_start", "target_end"), pa.int32()),
    **dict.fromkeys(("status", "gold_predicate", "test_predicate"), pa.string()),
    "weight": pa.float64(),
}
_CONFUSIONS: dict[str, pa.DataType] = {
    **dict.fromkeys(("sentence", "start", "end"), pa.int32()),
    **dict.fromkeys(("gold_predicate", "test_predicate"), pa.string()),
}


def detail_tables(parser: str, alignments: Iterable[tuple[int, GraphAlignment]]) -> dict[str, pa.Table]:
    """Build one row a triple, and one row a node that has another predicate in the other graph.

    Parameters
    ----------
    parser : str
        The parser's name.
    alignments : iterable of (int, GraphAlignment)
        The number of each item, from 1, and its two graphs.
    """
    triples: list[tuple[Any, ...]] = []
    confusions: list[tuple[Any, ...]] = []
    for sentence, alignment in alignments:
        gold, test = (
            [node.predicate for node in side.nodes] if side is not None else []
            for side in (alignment.gold, alignment.test)
        )
        for row in alignment.triples:
            of_gold = None if row.gold_node is None else gold[row.gold_node]
            of_test = None if row.test_node is None else test[row.test_node]
            places = (*_ends(row.span), *_ends(row.target))
            said = (row.kind, row.label, row.value)
            triples.append((sentence, *said, *places, row.status, of_gold, of_test, row.weight))
        for pair in alignment.nodes:
            if pair.status == "relabelled" and pair.gold is not None and pair.test is not None:
                assert alignment.gold is not None
                start, end = _ends(alignment.gold.nodes[pair.gold].anchors)
                confusions.append((sentence, start, end, gold[pair.gold], test[pair.test]))
    return {
        "triples": _table(parser, triples, _TRIPLES),
        "confusions": _table(parser, confusions, _CONFUSIONS),
    }


def _table(parser: str, rows: list[tuple[Any, ...]], types: dict[str, pa.DataType]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    made: dict[str, Any] = {"parser": constant(parser, len(rows))}
    for (name, kind), values in zip(types.items(), columns, strict=True):
        column = pa.array(values, kind)
        made[name] = column.dictionary_encode() if kind == pa.string() else column
    return pa.table(made)


def _ends(anchors: Anchors | None) -> tuple[int | None, int | None]:
    """Return where the characters of a node begin and end, nothing where it has none."""
    if not anchors:
        return None, None
    if len(anchors) == 1:
        return anchors[0]
    return min(start for start, _ in anchors), max(end for _, end in anchors)
