"""What a triple of an AMR is part of: a re-entrancy, a named entity, a negation, and so on."""

from __future__ import annotations

import re
from collections import Counter

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow

__all__ = ["CONSTRUCTIONS", "constructions_of"]

CONSTRUCTIONS: dict[str, str] = {
    "named entity": "the role name, the concept name, and the words of the name",
    "wiki link": "the role wiki",
    "negation": "the role polarity",
    "re-entrancy": "a role to a node that several roles lead to",
    "question": "the concept amr-unknown, and roles that lead to it",
    "date or quantity": "the parts of a date, a quantity, a unit or a value",
    "coordination": "the concepts and, or, and the like, and their roles op1, op2 and so on",
    "core role": "any other numbered argument, ARG0, ARG1 and so on",
    "other role": "any other role between two nodes",
    "concept": "any other concept",
    "constant": "any other constant",
    "top": "the top",
}
"""The constructions, with what belongs to them; a triple is part of the first that fits."""

_COORDINATING = frozenset(("and", "or", "contrast-01", "either", "neither", "slash"))
_QUANTITIES = frozenset(
    "day month year weekday time timezone quarter dayperiod season year2 decade century calendar era "
    "quant unit value scale ord".split()
)
_OPERAND = re.compile(r"op\d+")
_CORE = re.compile(r"arg\d+")


def constructions_of(alignment: GraphAlignment) -> list[str]:
    """Return what each triple of an alignment is part of, a name in :data:`CONSTRUCTIONS`."""
    sides = {
        side: (graph, Counter(edge.target for edge in graph.edges))
        for side, graph in (("gold", alignment.gold), ("test", alignment.test))
        if graph is not None
    }
    return [_construction(row, *sides[row.side]) for row in alignment.triples]


def _construction(row: TripleRow, graph: SemanticGraph, n_roles_to: Counter[int]) -> str:
    side = row.side
    node, target = getattr(row, f"{side}_node"), getattr(row, f"{side}_target")
    concept = graph.nodes[node].predicate.lower()
    role = row.label.lower()
    if row.kind == "top":
        return "top"
    if row.kind == "name":
        if concept == "name" or concept == "amr-unknown":
            return "named entity" if concept == "name" else "question"
        return "coordination" if concept in _COORDINATING else "concept"
    if role == "name" or (concept == "name" and _OPERAND.fullmatch(role)):
        return "named entity"
    if role in ("wiki", "polarity"):
        return "wiki link" if role == "wiki" else "negation"
    if target is not None and n_roles_to[target] > 1:
        return "re-entrancy"
    if target is not None and graph.nodes[target].predicate.lower() == "amr-unknown":
        return "question"
    if role in _QUANTITIES and (target is None or role in ("quant", "unit", "ord")):
        return "date or quantity"
    if _OPERAND.fullmatch(role) and concept in _COORDINATING:
        return "coordination"
    if target is None:
        return "constant"
    return "core role" if _CORE.fullmatch(role) else "other role"
