"""Aligning two semantic graphs of one sentence: which triples, nodes and roles they share.

Nodes are paired by their spans; those of AMRs are mapped to each other as Smatch maps them.
"""

from __future__ import annotations

import functools
import math
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evaltools.corpus.semantic_graph import Anchors, SemanticEdge, SemanticGraph, SemanticNode
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.semantics.aligned_graphs import EdgePair, GraphAlignment, NodePair, TripleRow, are_mapped
from evaltools.frameworks.semantics.edm import GoldTriples, GraphComparison, normalized, normalized_spans, uninverted
from evaltools.frameworks.semantics.edm_rules import KINDS_OF_TRIPLES, EdmRules
from evaltools.frameworks.semantics.passes import PASSES, families_for
from evaltools.frameworks.semantics.smatch import Smatch
from evaltools.frameworks.semantics.smatch_matching import Matching, best_mapping, compared_text, triples_of, upright
from evaltools.marks import Status

Key = Callable[[Any], Hashable]


@dataclass(frozen=True, slots=True)
class _Triple:
    """A triple of one graph, with its node, target and edge there."""

    kind: str
    span: Anchors
    label: str
    value: str
    target_span: Anchors | None
    node: int
    target: int | None = None
    edge: int | None = None
    fold_case: bool = False

    @property
    def key(self) -> tuple[Hashable, ...]:
        texts = (self.label.lower(), self.value.lower()) if self.fold_case else (self.label, self.value)
        return self.kind, self.span, *texts, self.target_span


_TriplePair = tuple[_Triple | None, _Triple | None]


def align_graphs(
    gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules, families: tuple[str, ...] | None = None
) -> GraphAlignment:
    """Align two semantic graphs of one sentence.

    Parameters
    ----------
    gold, test : SemanticGraph or None
        The graphs; None if there is none, which counts as a graph without nodes.
    rules : EdmRules
        The rules, from :func:`evaltools.frameworks.semantics.edm_rules.load_edm_rules`.
    families : tuple of str, optional
        Families of metrics to compute; by default those that suit the graphs: ``smatch`` if they have no spans.

    Returns
    -------
    GraphAlignment
        All triples, nodes and edges, and which of them are in both. Triples are matched by the spans of their nodes; if
        a graph has no spans, no triple is matched, and nodes and edges are paired by predicate and role. Those of AMRs
        are matched under the best mapping of nodes that Smatch finds.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.edm_rules import load_edm_rules
    >>> from evaltools.corpus.semantic_graph import SemanticEdge, SemanticNode
    >>> kim = SemanticNode("x1", "named", ((0, 3),), (("NUM", "sg"),), "Kim", "x")
    >>> leaves, lives = (SemanticNode("e2", f"_{verb}_v_1", ((4, 10),), (), None, "e") for verb in ("leave", "live"))
    >>> graphs = [SemanticGraph((kim, verb), (SemanticEdge(1, "ARG1", 0),), (1,)) for verb in (leaves, lives)]
    >>> a = align_graphs(*graphs, load_edm_rules())
    >>> [(pair.gold, pair.test, str(pair.status)) for pair in a.nodes]
    [(0, 0, 'right'), (1, 1, 'relabeled')]
    >>> a.scores["edm_n"], a.scores["edm_a"], a.scores["edm"]
    (0.5, 1.0, 0.75)
    """
    comparison = GraphComparison(GoldTriples([gold], rules), [gold], [test])
    families = families or families_for([gold, test])
    passes = Passes(PASSES, comparison, families=families)
    passes.run(0, 1)
    smatch = passes.get(Smatch)
    alignment = compare_graphs(gold, test, rules, None if smatch is None else smatch.matchings.get(0))
    return with_figures(alignment, passes.sentence_counts(0), families)


def with_figures(alignment: GraphAlignment, counts: Mapping[str, float], families: Iterable[str]) -> GraphAlignment:
    """Return an alignment with the counts of its sentence, NaN where undefined, and the scores of some families."""
    columns = {name: np.array([value]) for name, value in counts.items()}
    # a missing graph counts as one without nodes
    values = {metric.id: float(metric.score(columns)[0]) for name in families for metric in PASSES[name].metrics}
    scores = {name: None if math.isnan(value) else value for name, value in values.items()}
    return replace(alignment, counts=counts, scores=scores)


def compare_graphs(
    gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules, matching: Matching | None = None
) -> GraphAlignment:
    """Pair the triples, nodes and edges of two graphs, without counts and scores.

    `matching` is the best mapping of their nodes, if Smatch has searched for it.
    """
    if are_mapped(gold, test):
        return _compare_mapped(gold, test, rules, matching)
    graphs = (gold, test)
    trim = rules.spans == "trimmed" and all(graph is not None and graph.text for graph in graphs)
    sides = [SemanticGraph(()) if graph is None else normalized(graph, rules) for graph in graphs]
    gold_spans, test_spans = spans = [normalized_spans(side, trim=trim) for side in sides]
    nodes = _pair_nodes(sides[0].nodes, sides[1].nodes, gold_spans, test_spans)
    gold_triples, test_triples = (
        [] if graph is None else _triples(uninverted(graph, rules), graph_spans, rules)
        for graph, graph_spans in zip(graphs, spans, strict=True)
    )
    test_node = {pair.gold: pair.test for pair in nodes if pair.gold is not None}
    gold_node = {pair.test: pair.gold for pair in nodes if pair.test is not None}
    pairs, edges = _pair_triples(gold_triples, test_triples, test_node, multiset=rules.multiset)
    if any(graph is not None and graph.lacks_spans for graph in graphs):
        pairs = [single for first, second in pairs for single in ((first, None), (None, second)) if any(single)]
    rows = []
    for first, second in pairs:
        triple, graph = _either((first, second)), gold if first else test
        assert graph is not None
        ends = graph.nodes[triple.node].anchors, None if triple.target is None else graph.nodes[triple.target].anchors
        rows.append(_row(first, second, ends, test_node, gold_node, rules))
    rows.sort(key=lambda row: (row.span, KINDS_OF_TRIPLES.index(row.kind), row.label, row.value, row.target or ()))
    return GraphAlignment(gold, test, rules, tuple(rows), nodes, tuple(edges))


def _triples(graph: SemanticGraph, spans: list[Anchors], rules: EdmRules) -> list[_Triple]:
    """List the triples of a graph, whatever their weight."""
    triple = functools.partial(_Triple, fold_case=rules.fold_case)
    triples = []
    for index, (node, span) in enumerate(zip(graph.nodes, spans, strict=True)):
        if node.predicate:
            triples.append(triple("name", span, "NAME", node.predicate, None, index))
        triples += [triple("property", span, name, value, None, index) for name, value in node.properties]
        if node.constant:
            kind = "property" if rules.constant_is_property else "constant"
            triples.append(triple(kind, span, "CARG", node.constant, None, index))
    for number, edge in enumerate(graph.edges):
        role = rules.role(edge.role, of_quantifier=graph.nodes[edge.source].is_quantifier)
        source_span, target_span = spans[edge.source], spans[edge.target]
        triples.append(triple("argument", source_span, role, "", target_span, edge.source, edge.target, number))
    return [*triples, *(triple("top", spans[top], "TOP", "", None, top) for top in graph.tops)]


def _pair_by_key(
    golds: Sequence[Any], tests: Sequence[Any], gold_key: Key, test_key: Key
) -> tuple[list[Any], list[Any], list[Any]]:
    """Pair items of equal keys, in order; return the pairs and the items left on each side. None equals nothing."""
    waiting: defaultdict[Any, deque[int]] = defaultdict(deque)
    for index, item in enumerate(tests):
        waiting[test_key(item)].append(index)
    pairs, rest, paired = [], [], set()
    for item in golds:
        key = gold_key(item)
        if key is not None and waiting.get(key):
            index = waiting[key].popleft()
            paired.add(index)
            pairs.append((item, tests[index]))
        else:
            rest.append(item)
    return pairs, rest, [item for index, item in enumerate(tests) if index not in paired]


def _pair_nodes(
    gold: Sequence[SemanticNode], test: Sequence[SemanticNode], gold_spans: list[Anchors], test_spans: list[Anchors]
) -> tuple[NodePair, ...]:
    """Pair nodes of one span: the most similar first, then those with different predicates."""
    criteria: tuple[tuple[str, ...], ...] = (
        ("predicate", "constant", "properties"),
        ("predicate", "constant"),
        ("predicate",),
        ("is_quantifier", "type"),
        ("is_quantifier",),
    )
    left, right = list(range(len(gold))), list(range(len(test)))
    pairs: list[NodePair] = []
    for attributes in criteria:
        keys = [_node_key(gold, gold_spans, attributes), _node_key(test, test_spans, attributes)]
        status = Status.RIGHT if "predicate" in attributes else Status.RELABELED
        matches, left, right = _pair_by_key(left, right, *keys)
        pairs += [NodePair(first, second, status) for first, second in matches]
    pairs += [NodePair(index, None, Status.MISSING) for index in left]
    pairs += [NodePair(None, index, Status.SPURIOUS) for index in right]

    def order(pair: NodePair) -> tuple[Any, ...]:
        if pair.gold is not None:
            return gold[pair.gold].anchors, False, pair.gold
        assert pair.test is not None
        return test[pair.test].anchors, True, pair.test

    return tuple(sorted(pairs, key=order))


def _node_key(nodes: Sequence[SemanticNode], spans: list[Anchors], attributes: tuple[str, ...]) -> Key:
    """Return a function from the index of a node to its span and attributes; None without span and predicate."""

    def key(index: int) -> Hashable:
        if not spans[index] and "predicate" not in attributes:
            return None
        return spans[index], *(getattr(nodes[index], name) for name in attributes)

    return key


def _pair_triples(
    golds: list[_Triple], tests: list[_Triple], test_node: Mapping[int, int | None], *, multiset: bool
) -> tuple[list[_TriplePair], list[EdgePair]]:
    """Pair equal triples, those of paired nodes first; in sets, only the first of equal triples."""
    pairs: list[_TriplePair] = []
    criteria: tuple[tuple[Key, Key], ...] = (
        (
            lambda gold: (gold.key, test_node[gold.node], None if gold.target is None else test_node[gold.target]),
            lambda test: (test.key, test.node, test.target),
        ),
        (lambda gold: (gold.key, test_node[gold.node]), lambda test: (test.key, test.node)),
        (lambda gold: gold.key, lambda test: test.key),
    )
    for keys in criteria:
        matches, golds, tests = _pair_by_key(golds, tests, *keys)
        pairs += matches
    in_both = set() if multiset else {gold.key for gold, _ in pairs if gold is not None}
    pairs += [(gold, None) for gold in golds]
    pairs += [(None, test) for test in tests]
    edges = _edges(pairs, in_both)
    if not multiset:
        first: dict[Any, _TriplePair] = {}
        for pair in pairs:
            first.setdefault(_either(pair).key, pair)
        pairs = list(first.values())
    return pairs, edges


def _either(pair: _TriplePair) -> _Triple:
    """Return the gold triple of a pair, or the test triple if there is none."""
    triple = pair[0] or pair[1]
    assert triple is not None
    return triple


def _edges(pairs: Iterable[_TriplePair], in_both: Collection[Any]) -> list[EdgePair]:
    """Return the edges of pairs of arguments, the gold graph's first."""
    edges = []
    for pair in pairs:
        gold, test = pair
        triple = _either(pair)
        if triple.edge is not None:
            matched = (gold and test) or triple.key in in_both
            status = Status.RIGHT if matched else _status_alone(gold)
            edges.append(EdgePair(gold.edge if gold else None, test.edge if test else None, status))
    return sorted(edges, key=lambda edge: (edge.gold is None, edge.gold if edge.gold is not None else edge.test))


def _status_alone(gold: _Triple | None) -> Status:
    """Return the status of a triple that only one graph has."""
    return Status.MISSING if gold else Status.SPURIOUS


def _row(
    gold: _Triple | None,
    test: _Triple | None,
    ends: tuple[Anchors, Anchors | None],
    test_node: Mapping[int, int | None],
    gold_node: Mapping[int, int | None],
    rules: EdmRules,
) -> TripleRow:
    """Return the row of a triple, or of two equal triples, with the characters of both ends."""
    triple = _either((gold, test))
    node, target = triple.node, triple.target
    gold_ends = (gold.node, gold.target) if gold else (gold_node[node], None if target is None else gold_node[target])
    test_ends = (test.node, test.target) if test else (test_node[node], None if target is None else test_node[target])
    return TripleRow(
        kind=triple.kind,
        span=ends[0],
        label=triple.label,
        value=triple.value,
        target=ends[1],
        status=Status.RIGHT if gold and test else _status_alone(gold),
        gold_node=gold_ends[0],
        test_node=test_ends[0],
        gold_target=gold_ends[1],
        test_target=test_ends[1],
        weight=rules.weight(triple.kind, triple.value if triple.kind == "name" else triple.label),
    )


# ------------------------------------------------------------------------------------------ nodes mapped by Smatch


def _compare_mapped(
    gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules, matching: Matching | None
) -> GraphAlignment:
    """Pair the triples, nodes and edges of two graphs under the best mapping of nodes."""
    gold, test = (None if graph is None else _with_shown_roles(graph) for graph in (gold, test))
    first, second = (SemanticGraph(()) if graph is None else graph for graph in (gold, test))
    matching = matching or best_mapping(triples_of(first), triples_of(second))
    test_node = dict(enumerate(matching.mapping))

    def key(triple: _Triple, node: int | None, target: int | None) -> Hashable:
        if node is None or (triple.target is not None and target is None):
            return None  # a node without a partner has no triple in common
        return triple.kind, node, compared_text(triple.label), compared_text(triple.value), target

    matches, golds, tests = _pair_by_key(
        _mapped_triples(first),
        _mapped_triples(second),
        lambda gold: key(gold, test_node[gold.node], None if gold.target is None else test_node[gold.target]),
        lambda test: key(test, test.node, test.target),
    )
    alike = {index for triple, _ in matches for index in (triple.node, triple.target)}
    test_node = {index: partner if index in alike else None for index, partner in test_node.items()}
    gold_node: dict[int, int | None] = dict.fromkeys(range(len(second.nodes)))
    gold_node |= {partner: index for index, partner in test_node.items() if partner is not None}
    nodes = [
        NodePair(
            index, partner, _status_of_nodes(first.nodes[index], None if partner is None else second.nodes[partner])
        )
        for index, partner in test_node.items()
    ]
    nodes += [NodePair(None, index, Status.SPURIOUS) for index, partner in gold_node.items() if partner is None]
    pairs: list[_TriplePair] = [*matches, *((gold, None) for gold in golds), *((None, test) for test in tests)]
    rows = []
    for a, b in pairs:
        triple = _either((a, b))
        rows.append(_row(a, b, (triple.span, triple.target_span), test_node, gold_node, rules))
    order = {pair: number for number, pair in enumerate((node.gold, node.test) for node in nodes)}
    rows.sort(key=lambda row: (order[row.gold_node, row.test_node], KINDS_OF_TRIPLES.index(row.kind), row.label))
    return GraphAlignment(gold, test, rules, tuple(rows), tuple(nodes), tuple(_edges(pairs, ())), gap=matching.gap)


def _status_of_nodes(gold: SemanticNode, test: SemanticNode | None) -> Status:
    if test is None:
        return Status.MISSING
    return Status.RIGHT if compared_text(gold.predicate) == compared_text(test.predicate) else Status.RELABELED


def _mapped_triples(graph: SemanticGraph) -> list[_Triple]:
    """List the triples that Smatch compares."""
    triples = []
    for index, node in enumerate(graph.nodes):
        if node.predicate:
            triples.append(_Triple("name", node.anchors, "NAME", node.predicate, None, index))
        triples += [_Triple("property", node.anchors, role, value, None, index) for role, value in node.properties]
        if node.constant is not None:
            triples.append(_Triple("constant", node.anchors, "CARG", node.constant, None, index))
    for number, edge in enumerate(graph.edges):
        source, target = (graph.nodes[index].anchors for index in (edge.source, edge.target))
        triples.append(_Triple("argument", source, edge.role, "", target, edge.source, edge.target, number))
    return [*triples, *(_Triple("top", graph.nodes[top].anchors, "TOP", "", None, top) for top in graph.tops)]


def _with_shown_roles(graph: SemanticGraph) -> SemanticGraph:
    return replace(graph, edges=tuple(map(shown_role, graph.edges)))


def shown_role(edge: SemanticEdge) -> SemanticEdge:
    """Return a relation in the direction in which it is compared, ``domain`` as the inverse of ``mod``.

    Examples
    --------
    >>> shown_role(SemanticEdge(0, "ARG0-of", 1)), shown_role(SemanticEdge(0, "domain", 1))
    (SemanticEdge(source=1, role='ARG0', target=0), SemanticEdge(source=1, role='mod', target=0))
    """
    edge = upright(edge)
    return SemanticEdge(edge.target, "mod", edge.source) if edge.role == "domain" else edge
