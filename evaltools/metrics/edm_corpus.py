"""Semantic graphs as numbers: their nodes one after another, and the triples of each class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics.edm_compared import as_compared
from evaltools.metrics.edm_rules import EdmRules
from evaltools.metrics.edm_spans import trimmed
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["GraphCorpus", "Ints", "Numbers", "TripleVocabulary", "Triples"]

Ints = NDArray[np.int64]


class Numbers(dict[Any, int]):
    """Numbers for things, given out as things come."""

    def __missing__(self, thing: Any) -> int:
        """Give a thing the next number."""
        self[thing] = number = len(self)
        return number

    def of(self, things: Iterable[Any]) -> Ints:
        """Return the number of each thing."""
        return _numbers(map(self.__getitem__, things))


@dataclass(frozen=True, slots=True)
class TripleVocabulary:
    """What the numbers stand for: one for all the columns that are to be compared, and for one thread.

    Parameters
    ----------
    spans, roles, predicates, properties, constants, weights : Numbers
        Spans as they are compared, roles, predicates, pairs of a property and its value, constants, and weights.
    property_lists : Numbers
        All the properties of a node; few nodes differ in them. The constant of a node without one is empty.
    """

    spans: Numbers = field(default_factory=Numbers)
    roles: Numbers = field(default_factory=Numbers)
    predicates: Numbers = field(default_factory=Numbers)
    properties: Numbers = field(default_factory=Numbers)
    property_lists: Numbers = field(default_factory=Numbers)
    constants: Numbers = field(default_factory=Numbers)
    weights: Numbers = field(default_factory=Numbers)


@dataclass(frozen=True, slots=True)
class Triples:
    """Triples of one class.

    Parameters
    ----------
    node, label, weight : ndarray of int64, shape (triples,)
        The node; the number of the role, 0 in other classes; the number of the weight.
    value : ndarray of int64, shape (rows, triples)
        The number of the predicate, property, constant, or target's span, in one row for each way to compare spans.
    """

    node: Ints
    label: Ints
    value: Ints
    weight: Ints


class GraphCorpus:
    """The nodes of many graphs.

    Parameters
    ----------
    graphs : sequence of SemanticGraph
        The graphs.
    rules : EdmRules
        What counts.
    vocabulary : TripleVocabulary
        Grows by what is new.

    Attributes
    ----------
    n_nodes : ndarray of int64, shape (graphs,)
        Number of nodes of each graph.
    spans : ndarray of int64, shape (rows, nodes)
        The number of every node's span; in a second row of its trimmed span, where the rules compare those.
    """

    def __init__(self, graphs: Sequence[SemanticGraph], rules: EdmRules, vocabulary: TripleVocabulary) -> None:
        self._graphs = graphs = [as_compared(graph, rules) for graph in graphs]
        self._rules, self._vocabulary = rules, vocabulary
        self.n_nodes = _numbers(len(graph.nodes) for graph in graphs)
        self._first = np.cumsum(self.n_nodes) - self.n_nodes
        spans, predicates, lists = vocabulary.spans, vocabulary.predicates, vocabulary.property_lists
        constants = vocabulary.constants
        # everything about a node at once, while it is at hand
        about = [
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
        span, self._predicate, self._list, self._constant, self._binds = np.array(about, np.int64).reshape(-1, 5).T
        self.spans = span[np.newaxis]
        if rules.spans == "trimmed":
            short = _numbers(spans[trimmed(node.anchors, graph.text)] for graph in graphs for node in graph.nodes)
            self.spans = np.array([span, short])

    def triples(self) -> list[Triples]:
        """Return the triples that have a weight, by class in the order of ``KINDS_OF_TRIPLES``."""
        return [self._names(), self._arguments(), self._properties(), self._constants(), self._tops()]

    def _names(self) -> Triples:
        weights = (self._rules.weight("name", one) if one else 0.0 for one in self._vocabulary.predicates)
        nodes = np.arange(len(self._predicate))
        return self._made(nodes, self._predicate, self._weights(weights)[self._predicate])

    def _arguments(self) -> Triples:
        known = self._vocabulary.roles
        about = [
            number
            for graph in self._graphs
            for edge in graph.edges
            for number in (edge.source, known[edge.role], edge.target)
        ]
        source, roles, target = np.array(about, np.int64).reshape(-1, 3).T
        first = np.repeat(self._first, _numbers(len(graph.edges) for graph in self._graphs))
        source, target = source + first, target + first
        if self._rules.quantifier_role is not None:
            compared = known.of([self._rules.role(one, of_quantifier=True) for one in known])
            roles = np.where(self._binds[source] > 0, compared[roles], roles)
        weights = self._weights(self._rules.weight("argument", one) for one in known)
        return self._made(source, self.spans[:, target], weights[roles], roles)

    def _properties(self) -> Triples:
        known, lists = self._vocabulary.properties, self._vocabulary.property_lists
        of_list, all_values = _numbers(map(len, lists)), known.of(chain.from_iterable(lists))
        sizes = of_list[self._list]
        nodes = np.repeat(np.arange(len(sizes)), sizes)
        # the places of a list's properties follow one another
        first, before = (np.cumsum(of_list) - of_list)[self._list], np.cumsum(sizes) - sizes
        values = all_values[np.repeat(first - before, sizes) + np.arange(len(nodes))]
        if self._rules.constant_is_property:
            carriers = self._carriers()
            more = known.of([("CARG", one) for one in self._vocabulary.constants])[self._constant[carriers]]
            nodes, values = np.concatenate([nodes, carriers]), np.concatenate([values, more])
        weights = self._weights(self._rules.weight("property", name) for name, _ in known)
        return self._made(nodes, values, weights[values])

    def _constants(self) -> Triples:
        carriers = self._carriers()[: 0 if self._rules.constant_is_property else None]
        return self._single("constant", carriers, self._constant[carriers])

    def _tops(self) -> Triples:
        tops = _numbers(top for graph in self._graphs for top in graph.tops)
        tops = tops + np.repeat(self._first, _numbers(len(graph.tops) for graph in self._graphs))
        return self._single("top", tops, np.zeros(len(tops), np.int64))

    def _carriers(self) -> Ints:
        """Return the nodes that have a constant."""
        return np.flatnonzero(self._constant != self._vocabulary.constants[""])

    def _weights(self, weights: Iterable[float]) -> Ints:
        return self._vocabulary.weights.of(weights)

    def _single(self, kind: str, nodes: Ints, values: Ints) -> Triples:
        weights = np.full(len(nodes), self._vocabulary.weights[self._rules.weight(kind, "")])
        return self._made(nodes, values, weights)

    def _made(self, nodes: Ints, values: Ints, weights: Ints, labels: Ints | None = None) -> Triples:
        """Put the columns of a class together, without what has no weight."""
        counts = weights != self._vocabulary.weights[0.0]
        labels = np.zeros(len(nodes), np.int64) if labels is None else labels
        values = np.broadcast_to(values, (len(self.spans), len(nodes)))
        if counts.all():
            return Triples(nodes, labels, values, weights)
        return Triples(nodes[counts], labels[counts], values[:, counts], weights[counts])


def _numbers(numbers: Iterable[int]) -> Ints:
    return np.fromiter(numbers, np.int64)
