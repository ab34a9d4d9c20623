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

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.metric import SIDE_SYMBOLS, Choices, Count, Counts, ErrorCount, Metric, ratio
from evaltools.frameworks.semantics.smatch.parts import LISTED, SEARCHED

__all__ = ["COLUMNS", "COUNTS", "METRICS", "SIDES", "UNMATCHED"]

SIDES = ("gold", "test", "matched")
"""The counts of each figure, in the order of the columns; searched ones have the gap besides."""

COLUMNS = (
    *(f"{name}_{side}" for name in SEARCHED for side in (*SIDES, "gap")),
    *(f"{name}_{side}" for name in LISTED for side in SIDES),
)
"""Count columns: gold, test and matched triples or labels; how many more triples might match."""

_FIGURES: dict[str, tuple[str, str, str]] = {
    "smatch": ("Smatch", "Smatch", "triples"),
    "smatch_unlabeled": ("Smatch, unlabeled", "unlabeled", "triples, with all roles alike"),
    "smatch_no_senses": ("Smatch, no senses", "no senses", "triples, with all senses of predicates alike"),
    "smatch_concepts": ("Smatch, concepts", "concepts", "concepts"),
    "smatch_named_entities": ("Smatch, named entities", "named ent.", "concepts of nodes with the role name"),
    "smatch_negation": ("Smatch, negation", "negation", "concepts of nodes with the role polarity"),
    "smatch_wiki": ("Smatch, wiki", "wiki", "values of the role wiki"),
    "smatch_reentrancies": (
        "Smatch, re-entrancies",
        "re-entrancies",
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
    )
    for name, (_, _, what) in _FIGURES.items()
    for side in (*SIDES, "gap")
    if f"{name}_{side}" in COLUMNS
}
"""Descriptions of the columns."""


_VARIANTS = {"smatch": "all triples", "smatch_unlabeled": "unlabeled", "smatch_no_senses": "no senses"}
"""The figures over whole graphs, under which rankings are compared."""


def _metric(name: str, quantity: str, formula: str, *sides: str) -> Metric:
    title, short, what = _FIGURES[name]
    is_f1 = quantity == "F1"
    graph = "parser’s graph" if quantity == "precision" else "gold graph"
    share = "as the harmonic mean of recall and precision" if is_f1 else f"as a share of those of the {graph}"
    matched, *sizes = (f"{name}_{side}" for side in sides)

    def score(counts: Counts) -> NDArray[np.float64]:
        if is_f1:
            return ratio(2 * counts[matched], counts[sizes[0]] + counts[sizes[1]])
        return ratio(counts[matched], counts[sizes[0]])

    return Metric(
        id=name if is_f1 else f"{name}_{quantity}",
        title=f"{title} (F1)" if is_f1 else f"{title}, {quantity}",
        family="smatch",
        formula=formula,
        columns=(matched, *sizes),
        score=score,
        gold=() if "gold" in sides else (f"{name}_gold",),
        gold_only="test" not in sides,
        where_words_differ="graphs are compared without the words",
        short=short if is_f1 else f"{short} {quantity}",
        help=f"What both graphs share under the best mapping of nodes ({what}), {share}, in %."
        if name in SEARCHED
        else f"What both graphs share ({what}), {share}, in %.",
        approach="Smatch: triples of graphs without spans",
        chapter="smatch",
        headline=is_f1,
        reported=True,
        optional=True,
        summary=is_f1 and name == "smatch",
        choices=Choices("Smatch", "", _VARIANTS[name]) if is_f1 and name in _VARIANTS else None,
        variant_of="" if is_f1 else "smatch",
        numbers=f"2 × {{{matched}}} / ({{{sizes[0]}}} + {{{sizes[-1]}}})" if is_f1 else "",
    )


def _metrics(name: str) -> list[Metric]:
    f1 = _metric(name, "F1", "2M / (G + T)", "matched", "gold", "test")
    if name != "smatch":
        return [f1]
    return [
        f1,
        _metric(name, "precision", "M / T", "matched", "test"),
        _metric(name, "recall", "M / G", "matched", "gold"),
    ]


METRICS: tuple[Metric, ...] = tuple(metric for name in _FIGURES for metric in _metrics(name))


def _unmatched(counts: Counts) -> NDArray[np.float64]:
    return counts["smatch_gold"] + counts["smatch_test"] - 2 * counts["smatch_matched"]


UNMATCHED = ErrorCount(
    Metric(
        id="smatch_errors",
        title="Unmatched triples",
        family="smatch",
        formula="(G − M) + (T − M)",
        columns=("smatch_matched", "smatch_gold", "smatch_test"),
        score=_unmatched,
        better="low",
        unit="per sentence",
        help="Triples that only one of the two graphs has under the best mapping of nodes.",
        nullable=True,
    ),
    "unmatched triple",
    "unmatched triples",
)
"""The number of triples that only one of two graphs has."""
