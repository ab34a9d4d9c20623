"""The triples of many semantic graphs as columns, and how many of them two corpora share, sentence by sentence.

Spans, roles, predicates and properties become numbers, the same for both sides; a triple is then one integer, made
of the sentence, the class and what is compared. Sorting the integers of both sides brings equal triples together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.errors import ParameterError
from evaltools.frameworks.semantics.edm import COLUMNS, MATCHED
from evaltools.frameworks.semantics.edm.normalization import normalized, trimmed
from evaltools.frameworks.semantics.edm.rules import KINDS_OF_TRIPLES, EdmRules

__all__ = ["GoldTriples", "TripleColumns", "TripleVocabulary", "match"]

LIMIT = 1 << 61
"""The integers of triples stay below it."""

Ints = NDArray[np.int64]


def _numbering() -> defaultdict[Any, int]:
    """Return a dictionary in which each new key gets the next number."""
    return defaultdict(count().__next__)


@dataclass(frozen=True, slots=True)
class TripleVocabulary:
    """The numbers of values: one vocabulary for all columns that are compared, used in one thread."""

    spans: defaultdict[Any, int] = field(default_factory=_numbering)  # As they are compared
    roles: defaultdict[str, int] = field(default_factory=_numbering)
    predicates: defaultdict[str, int] = field(default_factory=_numbering)
    properties: defaultdict[tuple[str, str], int] = field(default_factory=_numbering)  # With their values
    property_lists: defaultdict[Any, int] = field(default_factory=_numbering)  # All of a node; many nodes share them
    constants: defaultdict[str, int] = field(default_factory=_numbering)  # Empty for a node without one
    weights: defaultdict[float, int] = field(default_factory=_numbering)


@dataclass(frozen=True, slots=True)
class _Triples:
    """Triples of one class."""

    node: Ints
    label: Ints  # The role, 0 in other classes
    value: Ints  # The predicate, property, constant, or target's span; one row for each way to compare spans
    weight: Ints


class _GraphCorpus:
    """The nodes of many graphs, one after another, as columns."""

    def __init__(self, graphs: Sequence[SemanticGraph], rules: EdmRules, vocabulary: TripleVocabulary) -> None:
        self._graphs = graphs = [normalized(graph, rules) for graph in graphs]
        self._rules, self._vocabulary = rules, vocabulary
        self.n_nodes = _array(len(graph.nodes) for graph in graphs)
        self._first = np.cumsum(self.n_nodes) - self.n_nodes
        spans, predicates, lists = vocabulary.spans, vocabulary.predicates, vocabulary.property_lists
        constants = vocabulary.constants
        # one pass over the nodes for all columns
        rows = [
            number
            for graph in graphs
            for node in graph.nodes
            for number in (
                spans[node.anchors],
                predicates[node.predicate],
                lists[node.properties],
                constants[node.constant or ""],
                node.is_quantifier,
            )
        ]
        span, self._predicate, self._list, self._constant, self._binds = np.array(rows, np.int64).reshape(-1, 5).T
        self.spans = span[np.newaxis]
        if rules.spans == "trimmed":
            short = _array(spans[trimmed(node.anchors, graph.text)] for graph in graphs for node in graph.nodes)
            self.spans = np.array([span, short])

    def triples(self) -> list[_Triples]:
        """Return the triples that have a weight, by class in the order of ``KINDS_OF_TRIPLES``."""
        return [self._names(), self._arguments(), self._properties(), self._constants(), self._tops()]

    def _names(self) -> _Triples:
        weights = (self._rules.weight("name", item) if item else 0.0 for item in self._vocabulary.predicates)
        nodes = np.arange(len(self._predicate))
        return self._weighted(nodes, self._predicate, self._weights(weights)[self._predicate])

    def _arguments(self) -> _Triples:
        role_numbers = self._vocabulary.roles
        rows = [
            number
            for graph in self._graphs
            for edge in graph.edges
            for number in (edge.source, role_numbers[edge.role], edge.target)
        ]
        source, roles, target = np.array(rows, np.int64).reshape(-1, 3).T
        first = np.repeat(self._first, _array(len(graph.edges) for graph in self._graphs))
        source, target = source + first, target + first
        if self._rules.quantifier_role is not None:
            of_quantifier = _lookup(role_numbers, [self._rules.role(item, of_quantifier=True) for item in role_numbers])
            roles = np.where(self._binds[source] > 0, of_quantifier[roles], roles)
        weights = self._weights(self._rules.weight("argument", item) for item in role_numbers)
        return self._weighted(source, self.spans[:, target], weights[roles], roles)

    def _properties(self) -> _Triples:
        numbers, lists = self._vocabulary.properties, self._vocabulary.property_lists
        list_lengths, list_values = _array(map(len, lists)), _lookup(numbers, chain.from_iterable(lists))
        sizes = list_lengths[self._list]
        nodes = np.repeat(np.arange(len(sizes)), sizes)
        # the properties of a list follow one another in list_values
        first, before = (np.cumsum(list_lengths) - list_lengths)[self._list], np.cumsum(sizes) - sizes
        values = list_values[np.repeat(first - before, sizes) + np.arange(len(nodes))]
        if self._rules.constant_is_property:
            carriers = self._carriers()
            of_constant = _lookup(numbers, [("CARG", item) for item in self._vocabulary.constants])
            nodes = np.concatenate([nodes, carriers])
            values = np.concatenate([values, of_constant[self._constant[carriers]]])
        weights = self._weights(self._rules.weight("property", name) for name, _ in numbers)
        return self._weighted(nodes, values, weights[values])

    def _constants(self) -> _Triples:
        carriers = self._carriers()[: 0 if self._rules.constant_is_property else None]
        return self._of_one_weight("constant", carriers, self._constant[carriers])

    def _tops(self) -> _Triples:
        tops = _array(top for graph in self._graphs for top in graph.tops)
        tops = tops + np.repeat(self._first, _array(len(graph.tops) for graph in self._graphs))
        return self._of_one_weight("top", tops, np.zeros(len(tops), np.int64))

    def _carriers(self) -> Ints:
        """Return the nodes that have a constant."""
        return np.flatnonzero(self._constant != self._vocabulary.constants[""])

    def _weights(self, weights: Iterable[float]) -> Ints:
        return _lookup(self._vocabulary.weights, weights)

    def _of_one_weight(self, kind: str, nodes: Ints, values: Ints) -> _Triples:
        weights = np.full(len(nodes), self._vocabulary.weights[self._rules.weight(kind, "")])
        return self._weighted(nodes, values, weights)

    def _weighted(self, nodes: Ints, values: Ints, weights: Ints, labels: Ints | None = None) -> _Triples:
        """Return the triples of a class that have a weight."""
        counts = weights != self._vocabulary.weights[0.0]
        labels = np.zeros(len(nodes), np.int64) if labels is None else labels
        values = np.broadcast_to(values, (len(self.spans), len(nodes)))
        return _Triples(nodes[counts], labels[counts], values[:, counts], weights[counts])


def _array(numbers: Iterable[int]) -> Ints:
    return np.fromiter(numbers, np.int64)


def _lookup(numbers: Mapping[Any, int], keys: Iterable[Any]) -> Ints:
    return _array(map(numbers.__getitem__, keys))


@dataclass(frozen=True, slots=True)
class TripleColumns:
    """The triples of the graphs of a corpus that have a weight, as columns.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.edm.rules import load_edm_rules
    >>> from evaltools.corpus.semantic_graph import SemanticNode
    >>> graph = SemanticGraph((SemanticNode("e1", "_rain_v_1", ((3, 9),), (("TENSE", "pres"),), None, "e"),))
    >>> rules, vocabulary = load_edm_rules(), TripleVocabulary()
    >>> gold, test = (TripleColumns.of(graphs, rules, vocabulary) for graphs in ([graph, graph], [graph, None]))
    >>> len(gold), match(gold, test)[:, :4].tolist()
    (4, [[1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]])
    """

    rules: EdmRules
    vocabulary: TripleVocabulary
    # of each item
    present: NDArray[np.bool_]  # Whether it has a graph
    has_text: NDArray[np.bool_]  # Whether the graph comes with its sentence
    is_empty: NDArray[np.bool_]  # Whether the graph has no nodes
    lacks_spans: NDArray[np.bool_]  # Whether the graph has nodes that are not known by spans
    # of each triple
    item: Ints
    kind: Ints  # The index of its class in KINDS_OF_TRIPLES
    span: Ints  # If spans are trimmed, there is a second row with the trimmed spans, here and in `value`
    value: Ints  # The predicate, property with value, constant, or the span of the target
    label: Ints  # The role, 0 for other triples
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
        """Make columns of graphs."""
        present = np.array([graph is not None for graph in graphs], dtype=np.bool_)
        corpus = _GraphCorpus([graph for graph in graphs if graph is not None], rules, vocabulary)
        parts = corpus.triples()
        node = np.concatenate([part.node for part in parts])
        return cls(
            rules,
            vocabulary,
            present,
            has_text=np.array([graph is not None and graph.text != "" for graph in graphs], dtype=np.bool_),
            is_empty=np.array([graph is not None and not graph.nodes for graph in graphs], dtype=np.bool_),
            lacks_spans=np.array([graph is not None and graph.lacks_spans for graph in graphs], dtype=np.bool_),
            item=np.repeat(np.flatnonzero(present), corpus.n_nodes)[node],
            kind=np.repeat(np.arange(len(parts)), [len(part.node) for part in parts]),
            span=corpus.spans[:, node],
            value=np.concatenate([part.value for part in parts], axis=1),
            label=np.concatenate([part.label for part in parts]),
            weight=np.concatenate([part.weight for part in parts]),
        )


class GoldTriples:
    """The gold triples of some items, made once for all parsers."""

    def __init__(self, gold: Sequence[SemanticGraph | None], rules: EdmRules) -> None:
        self._gold, self._rules = gold, rules
        self._columns: dict[str, TripleColumns] = {}

    def counts(self, tests: Sequence[SemanticGraph | None], spans: str | None = None) -> NDArray[np.float64]:
        """Count the triples of a parser's graphs, with spans as in the rules or as given."""
        spans = spans or self._rules.spans
        if spans not in self._columns:
            self._columns[spans] = TripleColumns.of(self._gold, replace(self._rules, spans=spans), TripleVocabulary())
        gold = self._columns[spans]
        return match(gold, TripleColumns.of(tests, gold.rules, gold.vocabulary))


def match(gold: TripleColumns, test: TripleColumns) -> NDArray[np.float64]:
    """Count the triples of two corpora, item by item, and those that they share: one column for each of ``COLUMNS``."""
    if gold.rules != test.rules or gold.vocabulary is not test.vocabulary or gold.n_items != test.n_items:
        raise ParameterError("triples are compared by the same rules, with one vocabulary, of the same items")
    n, n_kinds = gold.n_items, len(KINDS_OF_TRIPLES)
    trim = gold.has_text & test.has_text if gold.rules.spans == "trimmed" else np.zeros(n, np.bool_)
    keys, tail_limit = _keys(gold, test, trim)
    keys.sort()
    triples = keys >> 1
    starts = np.flatnonzero(np.diff(triples, prepend=-1))
    size = np.diff(starts, append=len(keys))
    n_test = np.add.reduceat(keys & 1, starts) if len(keys) else size
    n_gold = size - n_test
    if not gold.rules.multiset:
        n_gold, n_test = np.minimum(n_gold, 1), np.minimum(n_test, 1)
    head = triples[starts] // tail_limit
    weights = np.array(list(gold.vocabulary.weights))
    cell, weight = head // len(weights), weights[head % len(weights)]
    counts = np.zeros((n, len(COLUMNS)))
    both = gold.present & test.present
    counts[:, 0] = (gold.present & ~gold.is_empty) | test.present
    counts[:, 1] = both & (np.bincount(cell[n_gold != n_test] // n_kinds, minlength=n) == 0)
    sides = (n_gold, n_test, np.minimum(n_gold, n_test))
    for index, numbers in enumerate(sides, start=2):
        sums = np.bincount(cell, weights=numbers * weight, minlength=n * n_kinds)
        counts[:, index :: len(sides)] = sums.reshape(n, n_kinds)
    for name in MATCHED:
        counts[test.lacks_spans, COLUMNS.index(name)] = np.nan
    counts[gold.lacks_spans, 1:] = np.nan
    counts[gold.lacks_spans, 0] = 0
    return counts


def _keys(gold: TripleColumns, test: TripleColumns, trim: NDArray[np.bool_]) -> tuple[Ints, int]:
    """Return an integer for every triple, times 2, plus 1 on the test side; and the limit of the integer's tail."""
    # The head of the integer is the item, the class and the weight; the tail is what is compared.
    sides = (gold, test)
    last = len(gold.span) - 1
    n_weights = len(gold.vocabulary.weights)
    head = np.concatenate([(side.item * len(KINDS_OF_TRIPLES) + side.kind) * n_weights + side.weight for side in sides])
    tail = np.concatenate([np.where(trim[side.item], side.span[last], side.span[0]) for side in sides])
    tail_limit = 1 + int(tail.max(initial=0))
    for column in (
        np.concatenate([side.label for side in sides]),
        np.concatenate([np.where(trim[side.item], side.value[last], side.value[0]) for side in sides]),
    ):
        column_limit = 1 + int(column.max(initial=0))
        if tail_limit * column_limit >= LIMIT:
            tail, tail_limit = _dense(tail)
        tail, tail_limit = tail * column_limit + column, tail_limit * column_limit
    if (1 + int(head.max(initial=0))) * tail_limit >= LIMIT:
        tail, tail_limit = _dense(tail)
    is_test = np.repeat([0, 1], [len(side) for side in sides])
    return (head * tail_limit + tail) * 2 + is_test, tail_limit


def _dense(numbers: Ints) -> tuple[Ints, int]:
    """Renumber integers densely from 0, in the same order."""
    unique, dense = np.unique(numbers, return_inverse=True)
    return dense.astype(np.int64), max(len(unique), 1)
