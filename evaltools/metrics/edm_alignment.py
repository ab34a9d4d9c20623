"""Aligning two semantic graphs of one sentence: which triples, nodes and roles they share."""

from __future__ import annotations

import functools
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from evaltools.metrics.edm_compared import as_compared, turned
from evaltools.metrics.edm_mapping import EdgePair, GraphAlignment, NodePair, TripleRow
from evaltools.metrics.edm_rules import KINDS_OF_TRIPLES, EdmRules
from evaltools.metrics.edm_spans import both_have_text, compared
from evaltools.treebank.semantic_graph import Anchors, SemanticGraph

__all__ = ["EdgePair", "GraphAlignment", "NodePair", "TripleRow", "align_graphs"]

Key = Callable[[Any], Hashable]


@dataclass(frozen=True, slots=True)
class _Triple:
    """A triple of one graph: what is compared, as the graph writes it or in lower case, and where it comes from."""

    kind: str
    span: Anchors
    label: str
    value: str
    to: Anchors | None
    node: int
    target: int | None = None
    edge: int | None = None
    fold_case: bool = False

    @property
    def key(self) -> tuple[Hashable, ...]:
        texts = (self.label.lower(), self.value.lower()) if self.fold_case else (self.label, self.value)
        return self.kind, self.span, *texts, self.to


def align_graphs(gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules) -> GraphAlignment:
    """Compare two semantic graphs of one sentence.

    Parameters
    ----------
    gold, test : SemanticGraph or None
        The graphs; None where there is none, which counts as a graph without nodes.
    rules : EdmRules
        What counts, from :func:`evaltools.metrics.edm_rules.load_edm_rules`.

    Returns
    -------
    GraphAlignment
        All triples, nodes and edges, and which of them are in both. Triples are matched by the spans of their nodes, so
        where a graph has no spans no triple is; nodes and edges are then paired by predicate and role.

    Examples
    --------
    >>> from evaltools.metrics.edm_rules import load_edm_rules
    >>> from evaltools.treebank.semantic_graph import SemanticEdge, SemanticNode
    >>> kim = SemanticNode("x1", "named", ((0, 3),), (("NUM", "sg"),), "Kim", "x")
    >>> leaves, lives = (SemanticNode("e2", f"_{verb}_v_1", ((4, 10),), (), None, "e") for verb in ("leave", "live"))
    >>> graphs = [SemanticGraph((kim, verb), (SemanticEdge(1, "ARG1", 0),), (1,)) for verb in (leaves, lives)]
    >>> a = align_graphs(*graphs, load_edm_rules())
    >>> [(pair.gold, pair.test, pair.status) for pair in a.nodes]
    [(0, 0, 'matched'), (1, 1, 'relabelled')]
    >>> a.scores["edm_n"], a.scores["edm_a"], a.scores["edm"]
    (0.5, 1.0, 0.75)
    """
    trim = rules.spans == "trimmed" and both_have_text(gold, test)
    sides = [None if graph is None else as_compared(graph, rules) for graph in (gold, test)]
    spans = [[] if graph is None else compared(graph, trim=trim) for graph in sides]
    nodes = _pair_nodes(sides[0], sides[1], spans[0], spans[1])
    golds, tests = (
        [] if graph is None else _triples(turned(graph, rules), of_side, rules)
        for graph, of_side in zip((gold, test), spans, strict=True)
    )
    partner = {pair.gold: pair.test for pair in nodes if pair.gold is not None}
    back = {pair.test: pair.gold for pair in nodes if pair.test is not None}
    pairs, edges = _pair_triples(golds, tests, partner, multiset=rules.multiset)
    if any(graph is not None and graph.lacks_spans for graph in (gold, test)):
        pairs = [single for one, other in pairs for single in ((one, None), (None, other)) if single != (None, None)]
    rows = [_row(one, other, gold if one else test, partner, back, rules) for one, other in pairs]
    place = {kind: number for number, kind in enumerate(KINDS_OF_TRIPLES)}
    rows.sort(key=lambda row: (row.span, place[row.kind], row.label, row.value, row.target or ()))
    return GraphAlignment(gold, test, rules, tuple(rows), nodes, tuple(edges))


def _triples(graph: SemanticGraph, spans: list[Anchors], rules: EdmRules) -> list[_Triple]:
    """List the triples of a graph, whatever their weight."""
    made = functools.partial(_Triple, fold_case=rules.fold_case)
    found = []
    for place, (node, span) in enumerate(zip(graph.nodes, spans, strict=True)):
        if node.predicate:
            found.append(made("name", span, "NAME", node.predicate, None, place))
        found += [made("property", span, name, value, None, place) for name, value in node.properties]
        if node.constant:
            kind = "property" if rules.constant_is_property else "constant"
            found.append(made(kind, span, "CARG", node.constant, None, place))
    for number, edge in enumerate(graph.edges):
        role = rules.role(edge.role, of_quantifier=graph.nodes[edge.source].is_quantifier)
        span, to = spans[edge.source], spans[edge.target]
        found.append(made("argument", span, role, "", to, edge.source, edge.target, number))
    return [*found, *(made("top", spans[top], "TOP", "", None, top) for top in graph.tops)]


def _meet(ones: list[Any], others: list[Any], key: Key, other_key: Key) -> tuple[list[Any], list[Any], list[Any]]:
    """Pair what has the same key, in order; return the pairs and what is left on each side. None meets nothing."""
    waiting: defaultdict[Any, deque[int]] = defaultdict(deque)
    for number, other in enumerate(others):
        waiting[other_key(other)].append(number)
    pairs, rest, taken = [], [], set()
    for one in ones:
        wanted = key(one)
        if wanted is not None and waiting.get(wanted):
            number = waiting[wanted].popleft()
            taken.add(number)
            pairs.append((one, others[number]))
        else:
            rest.append(one)
    return pairs, rest, [other for number, other in enumerate(others) if number not in taken]


def _likeness(graph: SemanticGraph | None, spans: list[Anchors], attributes: tuple[str, ...]) -> Key:
    """Return a function for what nodes have to have in common; without a span that has to include the predicate."""

    def key(place: int) -> Hashable:
        assert graph is not None
        if not spans[place] and attributes[0] != "predicate":
            return None
        return spans[place], *(getattr(graph.nodes[place], name) for name in attributes)

    return key


def _pair_nodes(
    gold: SemanticGraph | None, test: SemanticGraph | None, golds: list[Anchors], tests: list[Anchors]
) -> tuple[NodePair, ...]:
    """Pair nodes of one span: those most alike first, then those of another predicate."""
    ones, others = list(range(len(golds))), list(range(len(tests)))
    alike: tuple[tuple[str, ...], ...] = (
        ("predicate", "constant", "properties"),
        ("predicate", "constant"),
        ("predicate",),
        ("is_quantifier", "type"),
        ("is_quantifier",),
    )
    found: list[NodePair] = []
    for attributes in alike:
        same = attributes[0] == "predicate"

        pairs, ones, others = _meet(
            ones, others, _likeness(gold, golds, attributes), _likeness(test, tests, attributes)
        )
        found += [NodePair(one, other, "matched" if same else "relabelled") for one, other in pairs]
    found += [NodePair(one, None, "gold") for one in ones]
    found += [NodePair(None, other, "test") for other in others]

    def place(pair: NodePair) -> tuple[Any, ...]:
        graph, node = (gold, pair.gold) if pair.gold is not None else (test, pair.test)
        assert graph is not None
        assert node is not None
        return graph.nodes[node].anchors, pair.gold is None, node

    return tuple(sorted(found, key=place))


def _pair_triples(
    golds: list[_Triple], tests: list[_Triple], partner: Mapping[int, int | None], *, multiset: bool
) -> tuple[list[tuple[_Triple | None, _Triple | None]], list[EdgePair]]:
    """Pair equal triples, those of paired nodes first; in sets, only the first of those that are equal."""
    pairs: list[tuple[_Triple | None, _Triple | None]] = []
    left, rest = golds, tests
    agreements: tuple[tuple[Key, Key], ...] = (
        (
            lambda one: (one.key, partner[one.node], None if one.target is None else partner[one.target]),
            lambda other: (other.key, other.node, other.target),
        ),
        (lambda one: (one.key, partner[one.node]), lambda other: (other.key, other.node)),
        (lambda one: one.key, lambda other: other.key),
    )
    for key, other_key in agreements:
        found, left, rest = _meet(left, rest, key, other_key)
        pairs += found
    single: list[tuple[_Triple | None, _Triple | None]] = [(one, None) for one in left]
    single += [(None, other) for other in rest]
    if multiset:
        return pairs + single, _edges(pairs + single, set())
    first: dict[Any, tuple[_Triple | None, _Triple | None]] = {}
    for pair in pairs + single:
        known = pair[0] or pair[1]
        assert known is not None
        first.setdefault(known.key, pair)
    both = {known.key for known, _ in pairs if known is not None}
    return list(first.values()), _edges(pairs + single, both)


def _edges(pairs: Iterable[tuple[_Triple | None, _Triple | None]], in_both: Collection[Any]) -> list[EdgePair]:
    """Return the pairs of edges that make up pairs of arguments, the gold graph's first."""
    found = []
    for one, other in pairs:
        known = one or other
        if known is not None and known.edge is not None:
            matched = (one and other) or known.key in in_both
            status = "matched" if matched else "gold" if one else "test"
            found.append(EdgePair(one.edge if one else None, other.edge if other else None, status))
    return sorted(found, key=lambda pair: (pair.gold is None, pair.gold if pair.gold is not None else pair.test))


def _row(
    one: _Triple | None,
    other: _Triple | None,
    graph: SemanticGraph | None,
    partner: Mapping[int, int | None],
    back: Mapping[int, int | None],
    rules: EdmRules,
) -> TripleRow:
    """Make the row of a triple, or of two that are equal."""
    known = one or other
    assert known is not None
    assert graph is not None
    target = known.target
    on_gold = (one.node, one.target) if one else (back[known.node], None if target is None else back[target])
    on_test = (
        (other.node, other.target) if other else (partner[known.node], None if target is None else partner[target])
    )
    return TripleRow(
        kind=known.kind,
        span=graph.nodes[known.node].anchors,
        label=known.label,
        value=known.value,
        target=None if target is None else graph.nodes[target].anchors,
        status="matched" if one and other else "gold" if one else "test",
        gold_node=on_gold[0],
        test_node=on_test[0],
        gold_target=on_gold[1],
        test_target=on_test[1],
        weight=rules.weight(known.kind, known.value if known.kind == "name" else known.label),
    )
