"""Smatch from its definition: all mappings of nodes are tried."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

from hypothesis import strategies as st

from evaltools.frameworks.semantics.smatch_matching import Triples

Mapping = tuple[int | None, ...]


def renamed(triples: Triples, names: dict[int, Any]) -> Counter[tuple[Any, ...]]:
    """Return the triples with other names of nodes."""
    found: Counter[tuple[Any, ...]] = Counter()
    for node, concept in enumerate(triples.concepts):
        if concept is not None:
            found["concept", names[node], concept] += 1
    for node, role, value in triples.attributes:
        found["attribute", names[node], role, value] += 1
    for source, role, target in triples.relations:
        found["relation", names[source], role, names[target]] += 1
    return found


def matched(gold: Triples, test: Triples, mapping: Mapping) -> int:
    """Return how many triples are equal if each gold node is called by its partner's name."""
    names = {node: ("no partner", node) if partner is None else partner for node, partner in enumerate(mapping)}
    theirs = renamed(test, {node: node for node in range(len(test.concepts))})
    return (renamed(gold, names) & theirs).total()


def optimum(gold: Triples, test: Triples) -> int:
    """Return the largest number of equal triples of any one-to-one mapping."""
    n, m = len(gold.concepts), len(test.concepts)
    partners = [*range(m), *[None] * max(0, n - m)]
    return max(matched(gold, test, mapping) for mapping in permutations(partners, n))


@st.composite
def graphs(draw: st.DrawFn, max_nodes: int = 5, max_relations: int = 7) -> Triples:
    """Draw a graph with few labels, in which triples may occur twice and relations may lead back to their node."""
    n = draw(st.integers(1, max_nodes))
    nodes = st.integers(0, n - 1)
    concepts = draw(st.lists(st.sampled_from(["a", "b", "", None]), min_size=n, max_size=n))
    attributes = draw(st.lists(st.tuples(nodes, st.sampled_from(["top", "op1"]), st.sampled_from("xy")), max_size=3))
    relations = draw(st.lists(st.tuples(nodes, st.sampled_from(["arg0", "mod"]), nodes), max_size=max_relations))
    return Triples(tuple(concepts), tuple(attributes), tuple(relations))


def with_nodes_in_order(triples: Triples, order: list[int]) -> Triples:
    """Return the same graph with its nodes in another order."""
    place = {node: index for index, node in enumerate(order)}
    return Triples(
        tuple(triples.concepts[node] for node in order),
        tuple((place[node], role, value) for node, role, value in triples.attributes),
        tuple((place[source], role, place[target]) for source, role, target in triples.relations),
    )
