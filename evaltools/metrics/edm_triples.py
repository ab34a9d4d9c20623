"""The triples of many semantic graphs as columns, and how many of them two corpora share, sentence by sentence.

Spans, roles, predicates and properties become numbers, the same for both sides; a triple is then one whole number, made
of the sentence, the class and what is compared. Sorting the numbers of both sides brings equal triples together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics.edm import COLUMNS, MATCHED
from evaltools.metrics.edm_corpus import GraphCorpus, Ints, TripleVocabulary
from evaltools.metrics.edm_rules import KINDS_OF_TRIPLES, EdmRules
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["TripleColumns", "TripleVocabulary", "match"]

LIMIT = 1 << 61
"""What the numbers of triples have to stay below."""


@dataclass(frozen=True, slots=True)
class TripleColumns:
    """The triples of the graphs of a corpus that have a weight, as columns.

    Parameters
    ----------
    rules : EdmRules
        What counts.
    vocabulary : TripleVocabulary
        What the numbers stand for.
    present, has_text : ndarray of bool, shape (items,)
        Whether an item has a graph, and whether that comes with its sentence.
    is_empty, lacks_spans : ndarray of bool, shape (items,)
        Whether an item has a graph without nodes, and whether it has nodes none of which has a span.
    item, kind : ndarray of int64, shape (triples,)
        The item of each triple, and its class as a place in :data:`~evaltools.metrics.edm_rules.KINDS_OF_TRIPLES`.
    span, value : ndarray of int64, shape (1 or 2, triples)
        Its span; and its predicate, property with value, constant, or the span of its target. In a second row with
        trimmed spans, where the rules compare those.
    label, weight : ndarray of int64, shape (triples,)
        Its role, 0 for other triples; the number of its weight in the vocabulary.

    Examples
    --------
    >>> from evaltools.metrics.edm_rules import load_edm_rules
    >>> from evaltools.treebank.semantic_graph import SemanticNode
    >>> graph = SemanticGraph((SemanticNode("e1", "_rain_v_1", ((3, 9),), (("TENSE", "pres"),), None, "e"),))
    >>> rules, vocabulary = load_edm_rules(), TripleVocabulary()
    >>> gold, test = (TripleColumns.of(graphs, rules, vocabulary) for graphs in ([graph, graph], [graph, None]))
    >>> len(gold), match(gold, test)[:, :4].tolist()
    (4, [[1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]])
    """

    rules: EdmRules
    vocabulary: TripleVocabulary
    present: NDArray[np.bool_]
    has_text: NDArray[np.bool_]
    is_empty: NDArray[np.bool_]
    lacks_spans: NDArray[np.bool_]
    item: Ints
    kind: Ints
    span: Ints
    value: Ints
    label: Ints
    weight: Ints

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.present)

    def __len__(self) -> int:
        """Return the number of triples."""
        return len(self.item)

    @classmethod
    def of(cls, graphs: Sequence[SemanticGraph | None], rules: EdmRules, vocabulary: TripleVocabulary) -> TripleColumns:
        """Make columns of graphs.

        Parameters
        ----------
        graphs : sequence of (SemanticGraph or None)
            The graph of each item.
        rules : EdmRules
            What counts; what has weight 0 is left out.
        vocabulary : TripleVocabulary
            Shared with the columns that these are to be compared with.
        """
        present = np.array([graph is not None for graph in graphs], dtype=np.bool_)
        has_text = np.array([graph is not None and graph.text != "" for graph in graphs], dtype=np.bool_)
        is_empty = np.array([graph is not None and not graph.nodes for graph in graphs], dtype=np.bool_)
        without_spans = np.array([graph is not None and graph.lacks_spans for graph in graphs], dtype=np.bool_)
        corpus = GraphCorpus([graph for graph in graphs if graph is not None], rules, vocabulary)
        parts = corpus.triples()
        node = np.concatenate([part.node for part in parts])
        return cls(
            rules,
            vocabulary,
            present,
            has_text,
            is_empty,
            without_spans,
            item=np.repeat(np.flatnonzero(present), corpus.n_nodes)[node],
            kind=np.repeat(np.arange(len(parts)), [len(part.node) for part in parts]),
            span=corpus.spans[:, node],
            value=np.concatenate([part.value for part in parts], axis=1),
            label=np.concatenate([part.label for part in parts]),
            weight=np.concatenate([part.weight for part in parts]),
        )


def match(gold: TripleColumns, test: TripleColumns) -> NDArray[np.float64]:
    """Count the triples of two corpora, item by item, and those that they share.

    Parameters
    ----------
    gold, test : TripleColumns
        Made of the same number of items by the same rules with the same vocabulary.

    Returns
    -------
    ndarray of float64, shape (items, 17)
        As :data:`evaltools.metrics.edm.COLUMNS` names them. An item counts as a sentence where one of the sides has a
        graph; where only one has, nothing is matched. Nodes are known by their spans: where the test graph has none,
        the matched triples and the exact match are NaN; where the gold graph has none, all counts are NaN, and the item
        is no sentence. Neither is an item of an empty gold graph without a test graph.

    Raises
    ------
    ParameterError
        If the two cannot be compared.
    """
    if gold.rules != test.rules or gold.vocabulary is not test.vocabulary or gold.n_items != test.n_items:
        raise ParameterError("triples are compared by the same rules, with one vocabulary, of the same items")
    n, n_kinds = gold.n_items, len(KINDS_OF_TRIPLES)
    trim = gold.has_text & test.has_text if gold.rules.spans == "trimmed" else np.zeros(n, np.bool_)
    keys, below = _keys(gold, test, trim)
    keys.sort()
    triples = keys >> 1
    starts = np.flatnonzero(np.diff(triples, prepend=-1))
    size = np.diff(starts, append=len(keys))
    n_test = np.add.reduceat(keys & 1, starts) if len(keys) else size
    n_gold = size - n_test
    if not gold.rules.multiset:
        n_gold, n_test = np.minimum(n_gold, 1), np.minimum(n_test, 1)
    head = triples[starts] // below
    weights = np.array(list(gold.vocabulary.weights))
    cell, weight = head // len(weights), weights[head % len(weights)]
    counts = np.zeros((n, len(COLUMNS)))
    both = gold.present & test.present
    counts[:, 0] = (gold.present & ~gold.is_empty) | test.present
    counts[:, 1] = both & (np.bincount(cell[n_gold != n_test] // n_kinds, minlength=n) == 0)
    for place, number in enumerate((n_gold, n_test, np.minimum(n_gold, n_test)), start=2):
        sums = np.bincount(cell, weights=number * weight, minlength=n * n_kinds)
        counts[:, place :: len(("gold", "test", "matched"))] = sums.reshape(n, n_kinds)
    for name in MATCHED:
        counts[test.lacks_spans, COLUMNS.index(name)] = np.nan
    counts[gold.lacks_spans, 1:] = np.nan
    counts[gold.lacks_spans, 0] = 0
    return counts


def _keys(gold: TripleColumns, test: TripleColumns, trim: NDArray[np.bool_]) -> tuple[Ints, int]:
    """Return twice the number of every triple, one more for those of the test side; and what the tail is below.

    The head of a triple's number is the item, the class and the weight, the tail is what is compared.
    """
    sides = (gold, test)
    last = len(gold.span) - 1
    weight_numbers = len(gold.vocabulary.weights)
    head = np.concatenate(
        [(side.item * len(KINDS_OF_TRIPLES) + side.kind) * weight_numbers + side.weight for side in sides]
    )
    tail = np.concatenate([np.where(trim[side.item], side.span[last], side.span[0]) for side in sides])
    below = 1 + int(tail.max(initial=0))
    for column in (
        np.concatenate([side.label for side in sides]),
        np.concatenate([np.where(trim[side.item], side.value[last], side.value[0]) for side in sides]),
    ):
        more = 1 + int(column.max(initial=0))
        if below * more >= LIMIT:
            tail, below = _dense(tail)
        tail, below = tail * more + column, below * more
    if (1 + int(head.max(initial=0))) * below >= LIMIT:
        tail, below = _dense(tail)
    of_test = np.repeat(np.arange(len(sides)), [len(side) for side in sides])
    return (head * below + tail) * 2 + of_test, below


def _dense(numbers: Ints) -> tuple[Ints, int]:
    """Give the numbers that occur new ones, from 0 on."""
    known, dense = np.unique(numbers, return_inverse=True)
    return dense.astype(np.int64), max(len(known), 1)
