"""Aligning two semantic graphs of one sentence: which triples, nodes and roles they share."""

from __future__ import annotations

import functools
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaltools.alignments.graphs import EdgePair, GraphAlignment, NodePair, TripleRow
from evaltools.corpus.semantic_graph import Anchors, SemanticGraph, SemanticNode
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.options import Options
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.semantics.comparison import GraphComparison
from evaltools.frameworks.semantics.edm.normalization import normalized, normalized_spans, uninverted
from evaltools.frameworks.semantics.edm.rules import KINDS_OF_TRIPLES, EdmRules
from evaltools.frameworks.semantics.edm.triples import GoldTriples
from evaltools.frameworks.semantics.passes import PASSES, families_for

__all__ = ["align_graphs", "compare_graphs"]

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
        The rules, from :func:`evaltools.frameworks.semantics.edm.rules.load_edm_rules`.
    families : tuple of str, optional
        Families of metrics to compute; by default those that suit the graphs: ``smatch`` if they have no spans.

    Returns
    -------
    GraphAlignment
        All triples, nodes and edges, and which of them are in both. Triples are matched by the spans of their nodes; if
        a graph has no spans, no triple is matched, and nodes and edges are paired by predicate and role.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.edm.rules import load_edm_rules
    >>> from evaltools.corpus.semantic_graph import SemanticEdge, SemanticNode
    >>> kim = SemanticNode("x1", "named", ((0, 3),), (("NUM", "sg"),), "Kim", "x")
    >>> leaves, lives = (SemanticNode("e2", f"_{verb}_v_1", ((4, 10),), (), None, "e") for verb in ("leave", "live"))
    >>> graphs = [SemanticGraph((kim, verb), (SemanticEdge(1, "ARG1", 0),), (1,)) for verb in (leaves, lives)]
    >>> a = align_graphs(*graphs, load_edm_rules())
    >>> [(pair.gold, pair.test, pair.status) for pair in a.nodes]
    [(0, 0, 'matched'), (1, 1, 'relabelled')]
    >>> a.scores["edm_n"], a.scores["edm_a"], a.scores["edm"]
    (0.5, 1.0, 0.75)
    """
    comparison = GraphComparison(GoldTriples([gold], rules), [gold], [test])
    passes = Passes(PASSES, comparison, Options(families=families or families_for([gold, test])))
    passes.run(0, 1)
    # a missing graph counts as one without nodes
    scores = passes.sentence_scores(0, Status.OK, aligned=False)
    return replace(compare_graphs(gold, test, rules), counts=passes.sentence_counts(0), scores=scores)


def compare_graphs(gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules) -> GraphAlignment:
    """Pair the triples, nodes and edges of two graphs, without counts and scores."""
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
    rows = [_row(first, second, gold if first else test, test_node, gold_node, rules) for first, second in pairs]
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
        status = "matched" if "predicate" in attributes else "relabelled"
        matches, left, right = _pair_by_key(left, right, *keys)
        pairs += [NodePair(first, second, status) for first, second in matches]
    pairs += [NodePair(index, None, "gold") for index in left]
    pairs += [NodePair(None, index, "test") for index in right]

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
            status = "matched" if matched else "gold" if gold else "test"
            edges.append(EdgePair(gold.edge if gold else None, test.edge if test else None, status))
    return sorted(edges, key=lambda edge: (edge.gold is None, edge.gold if edge.gold is not None else edge.test))


def _row(
    gold: _Triple | None,
    test: _Triple | None,
    graph: SemanticGraph | None,
    test_node: Mapping[int, int | None],
    gold_node: Mapping[int, int | None],
    rules: EdmRules,
) -> TripleRow:
    """Return the row of a triple, or of two equal triples."""
    triple = _either((gold, test))
    assert graph is not None
    node, target = triple.node, triple.target
    gold_ends = (gold.node, gold.target) if gold else (gold_node[node], None if target is None else gold_node[target])
    test_ends = (test.node, test.target) if test else (test_node[node], None if target is None else test_node[target])
    return TripleRow(
        kind=triple.kind,
        span=graph.nodes[node].anchors,
        label=triple.label,
        value=triple.value,
        target=None if target is None else graph.nodes[target].anchors,
        status="matched" if gold and test else "gold" if gold else "test",
        gold_node=gold_ends[0],
        test_node=test_ends[0],
        gold_target=gold_ends[1],
        test_target=test_ends[1],
        weight=rules.weight(triple.kind, triple.value if triple.kind == "name" else triple.label),
    )
