"""The parts of a graph that the fine-grained figures compare."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from evaltools.frameworks.semantics.smatch.triples import TOP, Triples

__all__ = ["LISTED", "SEARCHED"]

_SENSE = re.compile(r"-\d+$")


def _whole(triples: Triples) -> Triples:
    return triples


def _unlabeled(triples: Triples) -> Triples:
    """Give all relations the same role, and all attributes but that of tops."""
    return Triples(
        triples.concepts,
        tuple((node, role if role == TOP else "", value) for node, role, value in triples.attributes),
        tuple((source, "", target) for source, _, target in triples.relations),
    )


def _no_senses(triples: Triples) -> Triples:
    """Give all predicates that have a sense the same sense."""
    concepts = tuple(None if concept is None else _SENSE.sub("-01", concept) for concept in triples.concepts)
    return Triples(concepts, triples.attributes, triples.relations)


def _reentrancies(triples: Triples) -> Triples:
    """Keep the relations to nodes that have several, and the nodes at their ends."""
    n_incoming = Counter(target for _, _, target in triples.relations)
    return _subgraph(triples, [relation for relation in triples.relations if n_incoming[relation[2]] > 1], [])


def _roles(triples: Triples) -> Triples:
    """Keep what has a numbered role, and the nodes at its ends."""
    relations = [relation for relation in triples.relations if relation[1].startswith("arg")]
    attributes = [attribute for attribute in triples.attributes if attribute[1].startswith("arg")]
    return _subgraph(triples, relations, attributes)


def _subgraph(
    triples: Triples, relations: list[tuple[int, str, int]], attributes: list[tuple[int, str, str]]
) -> Triples:
    kept = {node for source, _, target in relations for node in (source, target)} | {node for node, _, _ in attributes}
    concepts = tuple(concept if node in kept else None for node, concept in enumerate(triples.concepts))
    return Triples(concepts, tuple(attributes), tuple(relations))


SEARCHED: dict[str, Callable[[Triples], Triples]] = {
    "smatch": _whole,
    "smatch_unlabeled": _unlabeled,
    "smatch_no_senses": _no_senses,
    "smatch_reentrancies": _reentrancies,
    "smatch_srl": _roles,
}
"""The triples of which as many as possible are matched by a mapping of nodes, by the id of the figure."""


def _concepts(triples: Triples) -> list[str]:
    return [concept for concept in triples.concepts if concept is not None]


def _bearers(triples: Triples, wanted: str) -> list[str]:
    """Return the concepts of the nodes that have a role, once for each time."""
    roles = [(node, role) for node, role, _ in (*triples.attributes, *triples.relations)]
    return [triples.concepts[node] or "" for node, role in roles if role == wanted]


def _links(triples: Triples) -> list[str]:
    values = [value for _, role, value in triples.attributes if role == "wiki"]
    return values + [triples.concepts[target] or "" for _, role, target in triples.relations if role == "wiki"]


LISTED: dict[str, Callable[[Triples], list[str]]] = {
    "smatch_concepts": _concepts,
    "smatch_named_entities": lambda triples: _bearers(triples, "name"),
    "smatch_negation": lambda triples: _bearers(triples, "polarity"),
    "smatch_wiki": _links,
}
"""The labels that are compared without a mapping of nodes, each as often as it occurs, by the id of the figure."""
