"""Smatch: the triples that two graphs share when their nodes are mapped to each other as well as possible.

A graph is a multiset of triples: *concepts* (node, concept), *attributes* (node, role, constant; one of them marks the
top) and *relations* (node, role, node). Names of nodes mean nothing. A one-to-one mapping of the nodes of one graph to
those of the other makes some triples equal; M is the largest number of equal triples that a mapping yields. With G gold
and T test triples:

    recall = M / G        precision = M / T        F1 = 2M / (G + T)

The fine-grained figures compare parts of the graphs. Four of them search for a mapping of their own: *unlabeled* (all
roles alike), *no senses* (all predicates have sense 01), *re-entrancies* (relations to nodes that have several, with
the concepts at their ends) and *semantic roles* (ARG0, ARG1 and so on, with the concepts at their ends). Four compare
labels, each as often as it occurs: *concepts*, *named entities* (concepts of nodes with ``name``), *negation* (concepts
of nodes with ``polarity``) and *wiki* (values of ``wiki``).

References
----------
S. Cai and K. Knight (2013). Smatch: an evaluation metric for semantic feature structures. ACL 2013, 748-752.
M. Damonte, S. B. Cohen and G. Satta (2017). An incremental parser for Abstract Meaning Representation. EACL 2017,
536-546.

Notes
-----
Differences from the program smatch 1.0.4: M is the optimum, proven by integer linear programming, and not what hill
climbing finds; where the time does not suffice, the gap to the proven bound is reported. A triple that occurs twice in
both graphs matches twice, and not four times. Constants of several words are compared as a whole, not by their first
word. Attributes with the role ``mod`` or an inverse role count; the program leaves them out. Alignments (``~e.1``) are
no part of labels.

Differences from smatchpp: the attribute of the top has the value ``top``, not the concept; relations are not
dereified; triples that occur twice stay; and fine-grained figures are those of Damonte et al.

Differences from the program of Damonte et al.: inverse roles are turned round before roles are made alike, so that the
same graph written from another top is the same graph; parts have no top of their own (there it is the first node of the
list); parallel relations between two nodes all count; labels are compared without upper and lower case, as in Smatch.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.frameworks.metric import SIDE_SYMBOLS, Count, Counts, ErrorCount, Family, Metric, Place
from evaltools.frameworks.semantics.edm import SHARES, SIDES, GraphComparison, GraphPass, share_of
from evaltools.frameworks.semantics.edm_rules import SMATCH_RULES, EdmRules
from evaltools.frameworks.semantics.smatch_matching import (
    MAX_WORK,
    TOP,
    Matching,
    Triples,
    best_mapping,
    by_rules,
    triples_of,
)

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


# ------------------------------------------------------------------------------------------------------------- metrics

COLUMNS = (
    *(f"{name}_{side}" for name in SEARCHED for side in (*SIDES, "gap")),
    *(f"{name}_{side}" for name in LISTED for side in SIDES),
)
"""Count columns: gold, test and matched triples or labels; for those searched, how many more triples might match."""

_FIGURES: dict[str, tuple[str, str, str]] = {
    "smatch": ("Smatch", "Smatch", "triples"),
    "smatch_unlabeled": ("Smatch, unlabeled", "Unlabeled", "triples, with all roles alike"),
    "smatch_no_senses": ("Smatch, no senses", "No senses", "triples, with all senses of predicates alike"),
    "smatch_concepts": ("Smatch, concepts", "Concepts", "concepts"),
    "smatch_named_entities": ("Smatch, named entities", "Named ent.", "concepts of nodes with the role name"),
    "smatch_negation": ("Smatch, negation", "Negation", "concepts of nodes with the role polarity"),
    "smatch_wiki": ("Smatch, wiki", "Wiki", "values of the role wiki"),
    "smatch_reentrancies": (
        "Smatch, re-entrancies",
        "Re-entrancies",
        "relations to nodes that have several, and concepts at their ends",
    ),
    "smatch_srl": ("Smatch, semantic roles", "SRL", "relations ARG0, ARG1 and so on, and concepts at their ends"),
}
"""Title, short title and what is counted, by id, in the order of reports."""

COUNTS: dict[str, Count] = {
    f"{name}_{side}": Count(
        f"{side} {what}" if side != "gap" else f"{what} that a better mapping might match",
        SIDE_SYMBOLS.get(side, ""),
        group=name,
        gold=side == "gold",
    )
    for name, (_, _, what) in _FIGURES.items()
    for side in (*SIDES, "gap")
    if f"{name}_{side}" in COLUMNS
}
"""Descriptions of the columns."""


_VARIANTS = {"smatch": "all triples", "smatch_unlabeled": "unlabeled", "smatch_no_senses": "no senses"}
"""The figures over whole graphs, under which rankings are compared."""


FAMILY = Family(
    "smatch",
    "Smatch: triples of graphs without spans",
    "smatch",
    COUNTS,
    words_differ="graphs are compared without the words",
    papers=("cai-knight-2013",),
)


def _metric(name: str, quantity: str) -> Metric:
    title, short, what = _FIGURES[name]
    is_f1 = quantity == "F1"
    mapped = " under the best mapping of nodes" if name in SEARCHED else ""
    gold, test, matched = (f"{name}_{side}" for side in SIDES)
    return Metric(
        id=name if is_f1 else f"{name}_{quantity}",
        title=f"{title} (F1)" if is_f1 else f"{title}, {quantity}",
        family=FAMILY,
        columns=(matched, gold, test),
        score=share_of(quantity, [gold], [test], [matched]),
        help=f"What both graphs share{mapped} ({what}), {SHARES[quantity]}, in %.",
        short=short if is_f1 else f"{short} {quantity}",
        place=Place(
            overview=is_f1,
            reports=True,
            lists=is_f1 and name == "smatch",
            if_defined=True,
            variant_of="" if is_f1 else "smatch",
            mapping="Smatch" if is_f1 and name in _VARIANTS else "",
            norm=_VARIANTS.get(name, ""),
        ),
    )


METRICS: tuple[Metric, ...] = tuple(
    _metric(name, quantity) for name in _FIGURES for quantity in SHARES if quantity == "F1" or name == "smatch"
)


def _lost(counts: Counts) -> NDArray[np.float64]:
    return counts["smatch_gold"] + counts["smatch_test"] - 2 * counts["smatch_matched"]


UNMATCHED = ErrorCount(
    Metric(
        id="smatch_errors",
        title="Lost triples",
        family=FAMILY,
        columns=("smatch_matched", "smatch_gold", "smatch_test"),
        score=_lost,
        help="Triples that only one of the two graphs has under the best mapping of nodes.",
        unit="per sentence",
        higher_is_better=False,
    ),
    "lost triple",
    "lost triples",
)
"""The number of triples that only one of two graphs has."""


# ---------------------------------------------------------------------------------------------------------------- pass

SECONDS = 10.0
"""How long to search for the best mappings of two graphs, those of all figures together."""

_EMPTY = Triples(())
_GAPS = [COLUMNS.index(f"{name}_gap") for name in SEARCHED]


def smatch_counts(
    gold: SemanticGraph | None,
    test: SemanticGraph | None,
    seconds: float = SECONDS,
    rules: EdmRules = SMATCH_RULES,
) -> tuple[dict[str, int], Matching]:
    """Return the counts of two graphs, as :data:`COLUMNS` names them, and the best mapping of their nodes.

    Parameters
    ----------
    gold, test : SemanticGraph or None
        The graphs; None if there is none, which counts as a graph without nodes.
    seconds : float
        How long to search for mappings, in seconds, for all figures that need one: each takes at most half of what is
        left, ``smatch`` first.
    rules : EdmRules
        Which triples count, and how often; by default as the module says.

    Returns
    -------
    (dict of str to int, Matching)
        The counts, and the mapping under which the triples of ``smatch`` are counted.
    """
    sides = [_EMPTY if graph is None else by_rules(triples_of(graph), rules) for graph in (gold, test)]
    counts: dict[str, int] = {}
    matchings: dict[str, Matching] = {}
    end = monotonic() + seconds
    for name, part in SEARCHED.items():
        gold_part, test_part = map(part, sides)
        left = max(end - monotonic(), 0.0) / 2  # the other half is for the figures that follow
        work = int(MAX_WORK * left / seconds) if seconds else MAX_WORK
        matchings[name] = matching = best_mapping(
            gold_part, test_part, left, max_work=work, repeats_multiply=rules.repeats_multiply
        )
        values = (len(gold_part), len(test_part), matching.matched, matching.gap)
        counts |= dict(zip((f"{name}_{side}" for side in ("gold", "test", "matched", "gap")), values, strict=True))
    for name, labels in LISTED.items():
        gold_labels, test_labels = (Counter(labels(side)) for side in sides)
        counts[f"{name}_gold"], counts[f"{name}_test"] = gold_labels.total(), test_labels.total()
        counts[f"{name}_matched"] = (gold_labels & test_labels).total()
    return counts, matchings["smatch"]


class Smatch(GraphPass):
    """The pass of Smatch; ``matchings`` are the best mappings of the pairs of graphs, by their index."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(self, comparison: GraphComparison) -> None:
        super().__init__(comparison)
        self.matchings: dict[int, Matching] = {}

    @classmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether most graphs lack spans, so that nodes correspond only under a mapping."""
        with_nodes = [graph for graph in graphs if graph.nodes]
        return 2 * sum(graph.lacks_spans for graph in with_nodes) > len(with_nodes)

    def count(self, index: int, gold: SemanticGraph | None, test: SemanticGraph | None) -> Sequence[float]:
        """Count the triples of a pair of graphs, and keep the mapping of their nodes."""
        rules = self.comparison.rules
        counts, matching = smatch_counts(gold, test, SECONDS, rules if rules.is_mapped else SMATCH_RULES)
        if gold is not None or test is not None:
            self.matchings[index] = matching
        return [counts[name] for name in COLUMNS]

    def gaps(self) -> list[tuple[int, str]]:
        """Return the pairs that might match better: their index, and how much better."""
        gaps = []
        for index in np.flatnonzero(self._counts[:, _GAPS].any(axis=1)).tolist():
            row = dict(zip(COLUMNS, self._counts[index].astype(np.int64).tolist(), strict=True))
            parts = [
                f"{row[f'{name}_matched']} to {row[f'{name}_matched'] + row[f'{name}_gap']} ({name})"
                for name in SEARCHED
                if row[f"{name}_gap"]
            ]
            gaps.append((index, ", ".join(parts)))
        return gaps
