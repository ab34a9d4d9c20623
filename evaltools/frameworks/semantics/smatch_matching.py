"""The mapping of the nodes of one graph to those of another under which most triples match.

The triples of a graph that Smatch compares: concepts, attributes and relations of nodes without spans.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from operator import mul
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.semantic_graph import SemanticEdge, SemanticGraph
from evaltools.frameworks.semantics.edm_rules import EdmRules

TOP = "top"
"""Role and value of the attribute that marks a top."""

_NOT_INVERTED = {"prep-on-behalf-of", "prep-out-of", "consist-of"}
"""Roles that end in ``-of`` and are no inverses."""

_INVERSES = {"mod": "domain"}
"""Roles that are inverses of others, without the ending ``-of``."""


@dataclass(frozen=True, slots=True)
class Triples:
    """The triples of a graph, each as often as it occurs.

    Parameters
    ----------
    concepts : tuple of (str or None)
        The concept of each node; None for a node without one, which has no triple of that class.
    attributes : tuple of (int, str, str)
        Node, role and constant; every top has ``(node, "top", "top")``.
    relations : tuple of (int, str, int)
        Source, role and target, in the direction of roles that are not inverse.

    Examples
    --------
    >>> boy, (top, _, _), go = 0, (1, TOP, TOP), 1
    >>> len(Triples(("boy", "go-02"), ((top, TOP, TOP),), ((go, "arg0", boy),)))
    4
    """

    concepts: tuple[str | None, ...]
    attributes: tuple[tuple[int, str, str], ...] = ()
    relations: tuple[tuple[int, str, int], ...] = ()

    def __len__(self) -> int:
        """Return the number of triples."""
        return sum(concept is not None for concept in self.concepts) + len(self.attributes) + len(self.relations)


def triples_of(graph: SemanticGraph) -> Triples:
    """Return the triples of a graph.

    Properties and the constant of a node are its attributes. Upper and lower case, quotes and underscores at the end
    make no difference. A relation with an inverse role, such as ``ARG0-of``, is turned round; ``mod`` is the inverse of
    ``domain``. An attribute keeps its role.

    Parameters
    ----------
    graph : SemanticGraph
        The graph; its anchors do not count.

    Returns
    -------
    Triples
        Its triples; node i of the triples is node i of the graph.

    Examples
    --------
    >>> from evaltools.corpus.semantic_graph import SemanticNode
    >>> nodes = (SemanticNode("m", "man", properties=(("wiki", '"Man_A"'),)), SemanticNode("s", "sing-01"))
    >>> triples_of(SemanticGraph(nodes, (SemanticEdge(0, "ARG0-of", 1),), (0,))).attributes
    ((0, 'wiki', 'man_a'), (0, 'top', 'top'))
    >>> triples_of(SemanticGraph(nodes, (SemanticEdge(0, "ARG0-of", 1),), (0,))).relations
    ((1, 'arg0', 0),)
    """
    attributes = []
    for index, node in enumerate(graph.nodes):
        attributes += [(index, compared_text(role), compared_text(value)) for role, value in node.properties]
        if node.constant is not None:  # an empty one is an attribute, as in mtool
            attributes.append((index, "carg", compared_text(node.constant)))
    attributes += [(index, TOP, TOP) for index in graph.tops]
    relations = [(edge.source, compared_text(edge.role), edge.target) for edge in map(upright, graph.edges)]
    # a concept of underscores alone is compared as an empty text, and is a triple
    concepts = tuple(compared_text(node.predicate) if node.predicate else None for node in graph.nodes)
    return Triples(concepts, tuple(attributes), tuple(relations))


def by_rules(triples: Triples, rules: EdmRules) -> Triples:
    """Return triples as rules count them: with a top or without, each as often as it occurs or once.

    Examples
    --------
    >>> from evaltools.frameworks.semantics.edm_rules import SMATCH_RULES
    >>> twice = Triples(("go-02",), ((0, "mode", "imperative"), (0, "mode", "imperative"), (0, TOP, TOP)))
    >>> by_rules(twice, replace(SMATCH_RULES, top_concept=True, multiset=False)).attributes
    ((0, 'mode', 'imperative'), (0, 'top', 'go-02'))
    """
    attributes, relations = list(triples.attributes), list(triples.relations)
    if not rules.classes.top:
        attributes = [item for item in attributes if item[1] != TOP]
    if rules.top_concept:
        attributes = [
            (node, role, triples.concepts[node] or value) if role == TOP else (node, role, value)
            for node, role, value in attributes
        ]
    if not rules.multiset:
        attributes, relations = list(dict.fromkeys(attributes)), list(dict.fromkeys(relations))
    return Triples(triples.concepts, tuple(attributes), tuple(relations))


def upright(edge: SemanticEdge) -> SemanticEdge:
    """Return a relation in the direction of its role: one with an inverse role is turned round.

    Examples
    --------
    >>> upright(SemanticEdge(0, "ARG0-of", 1)), upright(SemanticEdge(0, "mod", 1))
    (SemanticEdge(source=1, role='ARG0', target=0), SemanticEdge(source=1, role='domain', target=0))
    """
    role = edge.role.removeprefix(":")
    if role.endswith("-of") and role not in _NOT_INVERTED:
        return SemanticEdge(edge.target, role.removesuffix("-of"), edge.source)
    if role in _INVERSES:
        return SemanticEdge(edge.target, _INVERSES[role], edge.source)
    return replace(edge, role=role)


def compared_text(text: str) -> str:
    """Return a label as it is compared."""
    return text.replace('"', "").lower().rstrip("_")


# ------------------------------------------------------------------------------------------------------------ matching

MAX_ROUNDS = 300
"""Rounds of the bound before integer linear programming begins."""

MAX_WORK = 10**9
"""Steps of all rounds together, at most: a few seconds; large graphs have fewer rounds."""

MAX_LINKS = 20_000
"""Pairs of relations that integer linear programming is tried with."""


@dataclass(frozen=True, slots=True)
class Matching:
    """A one-to-one mapping of the nodes of two graphs.

    Parameters
    ----------
    mapping : tuple of (int or None)
        The test node of each gold node; None where there is none with which anything matches.
    matched : int
        Number of triples that match.
    bound : int
        A number that no mapping exceeds.
    """

    mapping: tuple[int | None, ...]
    matched: int
    bound: int

    @property
    def gap(self) -> int:
        """Number of triples that a better mapping might match beside these; 0 if there is none."""
        return self.bound - self.matched


@dataclass(frozen=True)
class Candidates:
    """What can match: pairs of a gold and a test node, and pairs of such pairs."""

    own: NDArray[np.float64]  # Concepts, attributes and relations to itself that match, shape (gold nodes, test nodes)
    # Gold and test node, another gold and test node, and how many relations between the first and second ones match;
    # every two pairs of nodes once
    links: NDArray[np.int64]

    @classmethod
    def of(cls, gold: Triples, test: Triples, *, repeats_multiply: bool = False) -> Candidates:
        """Return what can match in two graphs; see :class:`EdmRules` for triples that occur several times."""
        shared = mul if repeats_multiply else min
        own = np.zeros((len(gold.concepts), len(test.concepts)))
        own_gold, own_test = _own_labels(gold), _own_labels(test)
        for label, nodes in own_gold.items():
            for a, n_gold in nodes.items():
                for c, n_test in own_test.get(label, {}).items():
                    own[a, c] += shared(n_gold, n_test)
        links_gold, links_test = _links(gold), _links(test)
        # one for each two pairs, whatever the roles
        links: defaultdict[tuple[int, int, int, int], int] = defaultdict(int)
        for role, role_links in links_gold.items():
            for (a, b), n_gold in role_links.items():
                for (c, d), n_test in links_test.get(role, {}).items():
                    links[(a, c, b, d) if a < b else (b, d, a, c)] += shared(n_gold, n_test)
        return cls(own, np.array([(*pairs, n) for pairs, n in links.items()], dtype=np.int64).reshape(-1, 5))

    def holding(self, partner: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the links that hold under a mapping: the test node of each gold node, or -1."""
        a, c, b, d, _ = self.links.T
        links: NDArray[np.int64] = self.links[(partner[a] == c) & (partner[b] == d)]
        return links

    def count(self, partner: NDArray[np.int64]) -> int:
        """Return the number of triples that match under a mapping."""
        mapped = np.flatnonzero(partner >= 0)
        return int(self.own[mapped, partner[mapped]].sum() + self.holding(partner)[:, 4].sum())

    def described(self, partner: NDArray[np.int64]) -> tuple[int | None, ...]:
        """Return a mapping without the pairs of nodes that have nothing in common."""
        linked = {*self.holding(partner)[:, (0, 2)].ravel().tolist()}
        pairs = enumerate(partner.tolist())
        return tuple(c if c >= 0 and (self.own[a, c] or a in linked) else None for a, c in pairs)


def _own_labels(triples: Triples) -> dict[Any, dict[int, int]]:
    """Return which nodes have a concept, an attribute, or a relation to themselves, and how often."""
    labels: defaultdict[Any, dict[int, int]] = defaultdict(partial(defaultdict, int))
    for node, concept in enumerate(triples.concepts):
        if concept is not None:
            labels[concept][node] += 1
    for node, role, value in triples.attributes:
        labels[role, value][node] += 1
    for source, role, target in triples.relations:
        if source == target:
            labels[role, None][source] += 1
    return labels


def _links(triples: Triples) -> dict[str, dict[tuple[int, int], int]]:
    """Return which nodes a role links, and how often."""
    links: defaultdict[str, dict[tuple[int, int], int]] = defaultdict(partial(defaultdict, int))
    for source, role, target in triples.relations:
        if source != target:
            links[role][source, target] += 1
    return links


def best_mapping(
    gold: Triples,
    test: Triples,
    seconds: float = 10.0,
    *,
    max_work: int = MAX_WORK,
    repeats_multiply: bool = False,
) -> Matching:
    """Return a mapping under which most triples match.

    A bound on the number of matching triples is lowered, and mappings are improved, until both meet
    (:mod:`evaltools.kernels.graph_matching`). Where they do not, integer linear programming decides.

    Parameters
    ----------
    gold, test : Triples
        The triples of two graphs.
    seconds : float
        How long the search may take, rounds of the bound included; 0 to do without integer linear programming.
    max_work : int
        Limit of the rounds of the bound together, in steps; there is one round at least.
    repeats_multiply : bool
        See :class:`evaltools.frameworks.semantics.edm_rules.EdmRules`.

    Returns
    -------
    Matching
        The mapping, and whether it is proven that no other one matches more triples.

    Examples
    --------
    >>> gold = Triples(("want-01", "boy", "go-02"), (), ((0, "arg0", 1), (0, "arg1", 2), (2, "arg0", 1)))
    >>> test = Triples(("boy", "want-01", "go-02"), (), ((1, "arg0", 0), (1, "arg1", 2)))
    >>> best_mapping(gold, test)
    Matching(mapping=(1, 0, 2), matched=5, bound=5)
    """
    from evaltools.kernels.graph_matching import match_nodes

    end = monotonic() + seconds
    candidates = Candidates.of(gold, test, repeats_multiply=repeats_multiply)
    partner, bounds = np.full(len(gold.concepts), -1, np.int64), np.zeros(2, np.int64)
    if candidates.own.size:
        work = candidates.own.size * min(candidates.own.shape)
        match_nodes(candidates.own, candidates.links, max(1, min(MAX_ROUNDS, max_work // work)), partner, bounds)
    matched, bound = bounds.tolist()
    left = end - monotonic()
    if matched < bound and left > 0 and len(candidates.links) <= MAX_LINKS:
        partner, matched, bound = _search(candidates, partner, matched, bound, left)
    return Matching(candidates.described(partner), matched, bound)


def _search(
    candidates: Candidates, partner: NDArray[np.int64], matched: int, bound: int, seconds: float
) -> tuple[NDArray[np.int64], int, int]:
    """Find a better mapping, or prove that there is none, by an integer linear program."""
    own, links = candidates.own, candidates.links
    n, m = own.shape
    is_pair = own > 0
    is_pair[links[:, 0], links[:, 1]] = is_pair[links[:, 2], links[:, 3]] = True
    pairs = np.argwhere(is_pair)
    column = np.full((n, m), -1)
    column[is_pair] = np.arange(len(pairs))
    n_pairs, numbers = len(pairs), np.arange(len(pairs), len(pairs) + len(links))
    # Every node has at most one partner. Beside a pair, at most one link holds to every other gold node, and to every
    # other test node; none if the pair is not chosen.
    entries = [
        (pairs[:, 0], np.arange(n_pairs), np.ones(n_pairs)),
        (n + pairs[:, 1], np.arange(n_pairs), np.ones(n_pairs)),
    ]
    n_rows = n + m
    for here, there in (((0, 1), (2, 3)), ((2, 3), (0, 1))):
        pair = column[links[:, here[0]], links[:, here[1]]]
        for node in there:
            keys, row = np.unique(np.stack([pair, links[:, node]]), axis=1, return_inverse=True)
            entries += [(n_rows + row, numbers, np.ones(len(links)))]
            entries += [(n_rows + np.arange(keys.shape[1]), keys[0], np.full(keys.shape[1], -1.0))]
            n_rows += keys.shape[1]
    values = np.concatenate([own[is_pair], links[:, 4]])
    entries.append((np.full(len(values), n_rows), np.arange(len(values)), -values))
    rows, columns, weights = (np.concatenate(part) for part in zip(*entries, strict=True))
    order = np.lexsort((columns, rows))
    rows, columns, weights = rows[order], columns[order], weights[order]
    limits = np.concatenate([np.ones(n + m), np.zeros(n_rows - n - m), [-(matched + 1.0)]])
    solution, limit = _solve(-values, n_pairs, rows, columns, weights, limits, seconds)
    if limit == np.inf:  # no mapping matches more
        return partner, matched, matched
    if np.isfinite(limit):
        bound = min(bound, int(-limit + 1e-6))
    if solution is not None:
        chosen = pairs[solution[:n_pairs] > 0.5]
        partner = np.full(n, -1, np.int64)
        partner[chosen[:, 0]] = chosen[:, 1]
        matched = candidates.count(partner)
    return partner, matched, max(matched, bound)


def _solve(
    costs: NDArray[np.float64],
    n_integers: int,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    weights: NDArray[np.float64],
    limits: NDArray[np.float64],
    seconds: float,
) -> tuple[NDArray[np.float64] | None, float]:
    """Minimize the costs of variables between 0 and 1, the first of them integers, below a limit for each row.

    Return the best solution, if any, and a lower bound of its costs; the bound is infinite if there is no solution.
    """
    import highspy  # few graphs need it

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(costs), len(limits)
    model.col_cost_, model.col_lower_, model.col_upper_ = costs, np.zeros(len(costs)), np.ones(len(costs))
    model.row_lower_, model.row_upper_ = np.full(len(limits), -highspy.kHighsInf), limits
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(rows, np.arange(len(limits) + 1))
    model.a_matrix_.index_, model.a_matrix_.value_ = columns, weights
    kinds = highspy.HighsVarType
    model.integrality_ = [kinds.kInteger] * n_integers + [kinds.kContinuous] * (len(costs) - n_integers)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", seconds)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None, np.inf
    information = solver.getInfo()
    is_solved = information.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    return np.array(solver.getSolution().col_value) if is_solved else None, information.mip_dual_bound
