"""The mapping of the nodes of one graph to those of another under which most triples match."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evaltools.frameworks.semantics.smatch.triples import Triples

__all__ = ["Matching", "best_mapping"]


@dataclass(frozen=True, slots=True)
class Matching:
    """A one-to-one mapping of the nodes of two graphs.

    Parameters
    ----------
    mapping : tuple of (int or None)
        The test node of each gold node; None for a gold node without a partner.
    matched : int
        Number of triples that match.
    bound : int
        A number that no mapping exceeds.
    """

    mapping: tuple[int | None, ...]
    matched: int
    bound: int

    @property
    def is_proven(self) -> bool:
        """Whether no mapping matches more triples."""
        return self.matched == self.bound

    @property
    def gap(self) -> int:
        """Number of triples that a better mapping might match beside these; 0 if there is none."""
        return self.bound - self.matched


@dataclass(frozen=True)
class Candidates:
    """What can match: pairs of a gold and a test node, and pairs of such pairs."""

    n_gold: int
    n_test: int
    weights: dict[tuple[int, int], int]  # Concepts and attributes that a pair of nodes matches
    # Relations that two pairs of nodes match together: gold nodes a < b, test nodes c and d, for a -> c and b -> d
    links: dict[tuple[int, int, int, int], int]

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of nodes that can match anything."""
        linked = {pair for a, b, c, d in self.links for pair in ((a, c), (b, d))}
        return sorted(self.weights.keys() | linked)

    def count(self, mapping: Iterable[int | None]) -> int:
        """Return the number of triples that match under a mapping."""
        image = [*mapping]
        matched = sum(self.weights.get((a, c), 0) for a, c in enumerate(image) if c is not None)
        return matched + sum(n for (a, b, c, d), n in self.links.items() if image[a] == c and image[b] == d)


def candidates_of(gold: Triples, test: Triples) -> Candidates:
    """Return what can match in two graphs."""
    weights: Counter[tuple[int, int]] = Counter()
    own_gold, own_test = _own_labels(gold), _own_labels(test)
    for label, gold_nodes in own_gold.items():
        for a, n_gold in gold_nodes.items():
            for c, n_test in own_test.get(label, {}).items():
                weights[a, c] += min(n_gold, n_test)
    links: Counter[tuple[int, int, int, int]] = Counter()
    linked_gold, linked_test = _links(gold), _links(test)
    for role, gold_links in linked_gold.items():
        for (a, b), n_gold in gold_links.items():
            for (c, d), n_test in linked_test.get(role, {}).items():
                key = (a, b, c, d) if a < b else (b, a, d, c)
                links[key] += min(n_gold, n_test)
    return Candidates(len(gold.concepts), len(test.concepts), dict(weights), dict(links))


def _own_labels(triples: Triples) -> dict[Any, Counter[int]]:
    """Return which nodes have a concept, an attribute, or a relation to themselves, and how often."""
    labels: defaultdict[Any, Counter[int]] = defaultdict(Counter)
    for node, concept in enumerate(triples.concepts):
        if concept:
            labels[concept][node] += 1
    for node, role, value in triples.attributes:
        labels[role, value][node] += 1
    for source, role, target in triples.relations:
        if source == target:
            labels[role, None][source] += 1
    return labels


def _links(triples: Triples) -> dict[str, Counter[tuple[int, int]]]:
    """Return which nodes a role links, and how often."""
    links: defaultdict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    for source, role, target in triples.relations:
        if source != target:
            links[role][source, target] += 1
    return links


def best_mapping(gold: Triples, test: Triples, seconds: float = 10.0) -> Matching:
    """Return a mapping under which most triples match.

    Parameters
    ----------
    gold, test : Triples
        The triples of two graphs.
    seconds : float
        How long to search at most, in seconds.

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
    candidates = candidates_of(gold, test)
    return solve(candidates, seconds)


def solve(candidates: Candidates, seconds: float) -> Matching:
    """Solve the integer linear program."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    pairs = candidates.pairs
    if not pairs:
        return Matching((None,) * candidates.n_gold, 0, 0)
    column = {pair: index for index, pair in enumerate(pairs)}
    value = [candidates.weights.get(pair, 0) for pair in pairs]
    rows: defaultdict[Any, dict[int, float]] = defaultdict(dict)
    for (a, c), index in column.items():
        rows["gold", a][index] = rows["test", c][index] = 1.0
    for index, ((a, b, c, d), n) in enumerate(candidates.links.items(), start=len(pairs)):
        value.append(n)
        # a pair of nodes has at most one link to each other gold node, and to each other test node
        for pair, (b_other, d_other) in (((a, c), (b, d)), ((b, d), (a, c))):
            for key in (("gold link", pair, b_other), ("test link", pair, d_other)):
                rows[key][index] = 1.0
                rows[key][column[pair]] = -1.0
    entries = [(row, index, weight) for row, items in enumerate(rows.values()) for index, weight in items.items()]
    row_numbers, columns, weights = map(np.array, zip(*entries, strict=True))
    matrix = csr_array((weights, (row_numbers, columns)), (len(rows), len(value)))
    limits = np.array([1.0 if key[0] in ("gold", "test") else 0.0 for key in rows])
    result = milp(
        -np.array(value, dtype=float),
        integrality=np.array([1] * len(pairs) + [0] * len(candidates.links)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, -np.inf, limits),
        options={"time_limit": seconds},
    )
    mapping: list[int | None] = [None] * candidates.n_gold
    if result.x is not None:
        for (a, c), chosen in zip(pairs, result.x, strict=False):
            if chosen > 0.5:
                mapping[a] = c
    matched = candidates.count(mapping)
    bound = int(-result.mip_dual_bound + 1e-6)
    return Matching(tuple(mapping), matched, bound)
