"""Aligning two semantic graphs of one sentence: which triples, nodes and roles they share.

Nodes are paired by their spans; those of AMRs are mapped to each other as Smatch maps them.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from evaltools.corpus.semantic_graph import Anchors, SemanticEdge, SemanticGraph, SemanticNode
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.semantics.aligned_graphs import EdgePair, GraphAlignment, NodePair, TripleRow, kind_of
from evaltools.frameworks.semantics.edm import GraphComparison, Triple, compared_spans, edm_triples
from evaltools.frameworks.semantics.edm_rules import KINDS_OF_TRIPLES, EdmRules, load_edm_rules
from evaltools.frameworks.semantics.passes import PASSES, families_for
from evaltools.frameworks.semantics.smatch import Smatch
from evaltools.frameworks.semantics.smatch_matching import Matching, best_mapping, compared_text, triples_of, upright
from evaltools.marks import Status

Key = Callable[[Any], Hashable]


_TriplePair = tuple[Triple | None, Triple | None]


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
    families = families or families_for([gold, test])
    passes = Passes(PASSES, GraphComparison([gold], [test], rules), families=families)
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
    if kind_of(gold, test).is_mapped:
        return _compare_mapped(gold, test, rules, matching)
    graphs = (gold, test)
    gold_spans, test_spans = spans = compared_spans(gold, test, rules)
    gold_nodes, test_nodes = (_compared_nodes(graph, rules) for graph in graphs)
    nodes = _pair_nodes(gold_nodes, test_nodes, gold_spans, test_spans)
    gold_triples, test_triples = (edm_triples(graph, own, rules) for graph, own in zip(graphs, spans, strict=True))
    test_node = {pair.gold: pair.test for pair in nodes if pair.gold is not None}
    gold_node = {pair.test: pair.gold for pair in nodes if pair.test is not None}
    pairs, edges = _pair_triples(gold_triples, test_triples, test_node, rules)
    if any(graph is not None and graph.lacks_spans for graph in graphs):
        pairs = [single for first, second in pairs for single in ((first, None), (None, second)) if any(single)]
    rows = []
    for first, second in pairs:
        triple, graph = _either((first, second)), gold if first else test
        assert graph is not None
        ends = graph.nodes[triple.node].anchors, None if triple.target is None else graph.nodes[triple.target].anchors
        rows.append(_row(first, second, ends, test_node, gold_node, rules))
    rows.sort(key=lambda row: (row.span, KINDS_OF_TRIPLES.index(row.kind), row.label, row.value, row.target or ()))
    return GraphAlignment(gold, test, rules, tuple(rows), nodes, edges)


def one_graph(graph: SemanticGraph) -> GraphAlignment:
    """Return a graph beside itself, everything right, without scores: a picture of one graph is drawn from it."""
    itself = Matching(tuple(range(len(graph.nodes))), 0, 0)
    return compare_graphs(graph, graph, load_edm_rules("pydelphin"), itself)


def _compared_nodes(graph: SemanticGraph | None, rules: EdmRules) -> tuple[SemanticNode, ...]:
    """Return the nodes of a graph with the texts that are compared."""
    nodes = () if graph is None else graph.nodes
    return tuple(map(_in_lower_case, nodes)) if rules.fold_case else nodes


def _in_lower_case(node: SemanticNode) -> SemanticNode:
    return replace(
        node,
        predicate=node.predicate.lower(),
        properties=tuple((name.lower(), value.lower()) for name, value in node.properties),
        constant=None if node.constant is None else node.constant.lower(),
    )


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
    golds: list[Triple], tests: list[Triple], test_node: Mapping[int, int | None], rules: EdmRules
) -> tuple[list[_TriplePair], tuple[EdgePair, ...]]:
    """Pair equal triples, those of paired nodes first; in sets, only the first of equal triples."""
    pairs: list[_TriplePair] = []
    key = partial(Triple.key, fold_case=rules.fold_case)
    criteria: tuple[tuple[Key, Key], ...] = (
        (
            lambda gold: (key(gold), test_node[gold.node], None if gold.target is None else test_node[gold.target]),
            lambda test: (key(test), test.node, test.target),
        ),
        (lambda gold: (key(gold), test_node[gold.node]), lambda test: (key(test), test.node)),
        (key, key),
    )
    for keys in criteria:
        matches, golds, tests = _pair_by_key(golds, tests, *keys)
        pairs += matches
    in_both = set() if rules.multiset else {key(gold) for gold, _ in pairs if gold is not None}
    pairs += [(gold, None) for gold in golds]
    pairs += [(None, test) for test in tests]
    edges = _edges(pairs, lambda triple: key(triple) in in_both)
    if not rules.multiset:
        first: dict[Any, _TriplePair] = {}
        for pair in pairs:
            first.setdefault(key(_either(pair)), pair)
        pairs = list(first.values())
    return pairs, edges


def _either(pair: _TriplePair) -> Triple:
    """Return the gold triple of a pair, or the test triple if there is none."""
    triple = pair[0] or pair[1]
    assert triple is not None
    return triple


def _edges(
    pairs: Iterable[_TriplePair], is_repeated: Callable[[Triple], bool] = lambda _: False
) -> tuple[EdgePair, ...]:
    """Return the edges of pairs of arguments, the gold graph's first; a repeated one is right without a partner."""
    edges = []
    for pair in pairs:
        gold, test = pair
        triple = _either(pair)
        if triple.edge is not None:
            matched = (gold and test) or is_repeated(triple)
            status = Status.RIGHT if matched else _status_alone(gold)
            edges.append(EdgePair(gold.edge if gold else None, test.edge if test else None, status))
    in_order = sorted(edges, key=lambda edge: (edge.gold is None, edge.gold if edge.gold is not None else edge.test))
    return tuple(in_order)


def _status_alone(gold: Triple | None) -> Status:
    """Return the status of a triple that only one graph has."""
    return Status.MISSING if gold else Status.SPURIOUS


def _row(
    gold: Triple | None,
    test: Triple | None,
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
        weight=triple.weight(rules),
    )


# ------------------------------------------------------------------------------------------ nodes mapped by Smatch

_AS_THEY_ARE = EdmRules("smatch")


def _compare_mapped(
    gold: SemanticGraph | None, test: SemanticGraph | None, rules: EdmRules, matching: Matching | None
) -> GraphAlignment:
    """Pair the triples, nodes and edges of two graphs under the best mapping of nodes."""
    gold, test = (None if graph is None else _with_shown_roles(graph) for graph in (gold, test))
    first, second = (SemanticGraph(()) if graph is None else graph for graph in (gold, test))
    matching = matching or best_mapping(triples_of(first), triples_of(second))
    test_node = dict(enumerate(matching.mapping))

    def key(triple: Triple, node: int | None, target: int | None) -> Hashable:
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
    return GraphAlignment(gold, test, rules, tuple(rows), tuple(nodes), _edges(pairs), gap=matching.gap)


def _status_of_nodes(gold: SemanticNode, test: SemanticNode | None) -> Status:
    if test is None:
        return Status.MISSING
    return Status.RIGHT if compared_text(gold.predicate) == compared_text(test.predicate) else Status.RELABELED


def _mapped_triples(graph: SemanticGraph) -> list[Triple]:
    """List the triples that Smatch compares; the roles of the graph already have the direction of the comparison."""
    empty = [
        Triple("constant", node.anchors, "CARG", "", None, index)
        for index, node in enumerate(graph.nodes)
        if node.constant == ""  # no triple of EDM
    ]
    return edm_triples(graph, [node.anchors for node in graph.nodes], _AS_THEY_ARE) + empty


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
