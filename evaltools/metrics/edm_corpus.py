"""Semantic graphs as numbers: their nodes one after another, and the triples of each class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics.edm_rules import EdmRules
from evaltools.metrics.edm_spans import trimmed
from evaltools.treebank.semantic_graph import SemanticGraph, SemanticNode

__all__ = ["GraphCorpus", "Ints", "Numbers", "TripleVocabulary", "Triples"]

Ints = NDArray[np.int64]


class Numbers(dict[Any, int]):
    """Numbers for things, given out as things come."""

    def __missing__(self, thing: Any) -> int:
        """Give a thing the next number."""
        self[thing] = number = len(self)
        return number

    def of(self, things: Iterable[Any], count: int = -1) -> Ints:
        """Return the number of each thing."""
        return np.fromiter(map(self.__getitem__, things), np.int64, count)


@dataclass(frozen=True, slots=True)
class TripleVocabulary:
    """What the numbers stand for: one for all the columns that are to be compared, and for one thread.

    Parameters
    ----------
    spans, roles, predicates, properties, constants, weights : Numbers
        Spans as they are compared, roles, predicates, pairs of a property and its value, constants, and weights.
    property_lists : Numbers
        All the properties of a node; few nodes differ in them.
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
        self._graphs, self._rules, self._vocabulary = graphs, rules, vocabulary
        per_graph = [graph.nodes for graph in graphs]
        self.n_nodes = _lengths(per_graph)
        self._first = np.cumsum(self.n_nodes) - self.n_nodes
        self._nodes: list[SemanticNode] = list(chain.from_iterable(per_graph))
        rows = [vocabulary.spans.of(self._each("anchors"), len(self._nodes))]
        if rules.spans == "trimmed":
            texts = chain.from_iterable(repeat(graph.text, len(graph.nodes)) for graph in graphs)
            rows.append(vocabulary.spans.of(map(trimmed, self._each("anchors"), texts), len(self._nodes)))
        self.spans = np.array(rows)

    def triples(self) -> list[Triples]:
        """Return the triples that have a weight, by class in the order of ``KINDS_OF_TRIPLES``."""
        return [self._names(), self._arguments(), self._properties(), self._constants(), self._tops()]

    def _names(self) -> Triples:
        known = self._vocabulary.predicates
        predicates = known.of(self._each("predicate"), len(self._nodes))
        weights = (self._rules.weight("name", one) if one else 0.0 for one in known)  # no label, no triple
        return self._made(np.arange(len(self._nodes)), predicates, self._weights(weights)[predicates])

    def _arguments(self) -> Triples:
        per_graph = [graph.edges for graph in self._graphs]
        edges, first = list(chain.from_iterable(per_graph)), np.repeat(self._first, _lengths(per_graph))
        source, target = (
            np.fromiter(map(attrgetter(end), edges), np.int64, len(edges)) + first for end in ("source", "target")
        )
        known = self._vocabulary.roles
        roles = known.of(map(attrgetter("role"), edges), len(edges))
        if self._rules.quantifier_role is not None:
            of_quantifier = np.fromiter(self._each("is_quantifier"), np.bool_, len(self._nodes))[source]
            compared = known.of([self._rules.role(one, of_quantifier=True) for one in known])
            roles = np.where(of_quantifier, compared[roles], roles)
        weights = self._weights(self._rules.weight("argument", one) for one in known)
        return self._made(source, self.spans[:, target], weights[roles], roles)

    def _properties(self) -> Triples:
        known, lists = self._vocabulary.properties, self._vocabulary.property_lists
        of_node = lists.of(self._each("properties"), len(self._nodes))
        sizes, all_values = _lengths(list(lists)), known.of(chain.from_iterable(lists))
        nodes = np.repeat(np.arange(len(of_node)), sizes[of_node])
        # the places of a list's properties follow one another
        first, before = np.cumsum(sizes) - sizes, np.cumsum(sizes[of_node]) - sizes[of_node]
        values = all_values[np.repeat(first[of_node] - before, sizes[of_node]) + np.arange(len(nodes))]
        if self._rules.constant_is_property:
            carriers, constants = self._carriers()
            nodes = np.concatenate([nodes, carriers])
            values = np.concatenate([values, known.of(("CARG", one) for one in constants)])
        weights = self._weights(self._rules.weight("property", name) for name, _ in known)
        return self._made(nodes, values, weights[values])

    def _constants(self) -> Triples:
        carriers, constants = self._carriers()
        if self._rules.constant_is_property:
            carriers, constants = carriers[:0], []
        return self._single("constant", carriers, self._vocabulary.constants.of(constants))

    def _tops(self) -> Triples:
        per_graph = [graph.tops for graph in self._graphs]
        tops = np.fromiter(chain.from_iterable(per_graph), np.int64) + np.repeat(self._first, _lengths(per_graph))
        return self._single("top", tops, np.zeros(len(tops), np.int64))

    def _carriers(self) -> tuple[Ints, list[str]]:
        """Return the nodes that have a constant, and their constants."""
        carriers = np.flatnonzero(np.fromiter(map(bool, self._each("constant")), np.bool_, len(self._nodes)))
        return carriers, [str(self._nodes[place].constant) for place in carriers.tolist()]

    def _each(self, name: str) -> Iterator[Any]:
        return map(attrgetter(name), self._nodes)

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


def _lengths(parts: Sequence[Sized]) -> Ints:
    return np.fromiter(map(len, parts), np.int64, len(parts))
