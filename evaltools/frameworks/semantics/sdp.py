"""Labeled dependencies of bilexical graphs, as the shared tasks on semantic dependency parsing compare them.

A graph is a set of dependencies (head, label, dependent), whose words are known by their characters, and of a virtual
dependency for each top. With M dependencies in both graphs, of G in the gold graph and T in the parser's:

    LR = M / G        LP = M / T        LF = 2M / (G + T)

The unlabeled figures are over pairs (head, dependent).

References
----------
Stephan Oepen, Marco Kuhlmann, Yusuke Miyao, Daniel Zeman, Dan Flickinger, Jan Hajič, Angelina Ivanova, and Yi Zhang.
2014. SemEval 2014 Task 8: Broad-coverage semantic dependency parsing. SemEval.

Notes
-----
The figures are those of the official program with its default settings (tops and punctuation count), and of mtool.
Difference: a figure with nothing to count is undefined (there 0, or no number).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.frameworks.metric import SIDE_SYMBOLS, ZERO, Count, Family, Metric, Place, ratio
from evaltools.frameworks.semantics.aligned_graphs import SDP_GRAPHS, kind_of
from evaltools.frameworks.semantics.edm import SHARES, SIDES, GraphPass, share_of

_PARTS = {"sdp": ("labeled", "SDP", "L"), "sdp_unlabeled": ("unlabeled", "SDP, unlabeled", "U")}

COLUMNS = tuple(f"{part}_{what}" for part in _PARTS for what in (*SIDES, "exact_match"))
"""Count columns: dependencies of each side and in both, and 1 if both have the same."""

COUNTS: dict[str, Count] = {
    f"{part}_{what}": Count(
        f"sentences with all {kind} dependencies right" if what == "exact_match" else f"{what} dependencies, {kind}",
        SIDE_SYMBOLS.get(what, ""),
        gold=what == "gold",
        over_all=ZERO if what in ("matched", "exact_match") else "",
    )
    for part, (kind, _, _) in _PARTS.items()
    for what in (*SIDES, "exact_match")
}
"""Descriptions of the columns."""

MATCHED = tuple(f"{part}_{what}" for part in _PARTS for what in ("matched", "exact_match"))
"""Count columns that are missing if the parser's graph has no spans."""

FAMILY = Family(
    "sdp",
    "SDP: dependencies of bilexical graphs",
    "sdp",
    COUNTS,
    words_differ="words are compared by their characters, whatever the words",
    papers=("oepen-2014",),
)


def dependencies(graph: SemanticGraph | None, *, tops: bool = True) -> set[tuple[Any, ...]]:
    """Return the dependencies of a graph: characters of head and dependent, and the label; a top has no head.

    Parameters
    ----------
    graph : SemanticGraph or None
        The graph; None if there is none, which counts as a graph without nodes.
    tops : bool
        Whether tops count.

    Returns
    -------
    set of tuple
        The dependencies.

    Examples
    --------
    >>> from evaltools.corpus.semantic_graph import SemanticEdge, SemanticNode
    >>> kim, left = SemanticNode("1", "Kim", ((0, 3),)), SemanticNode("2", "leave", ((4, 8),))
    >>> sorted(dependencies(SemanticGraph((kim, left), (SemanticEdge(1, "ARG1", 0),), (1,), "Kim left", "dm")))
    [((), '', ((4, 8),)), (((4, 8),), 'ARG1', ((0, 3),))]
    """
    if graph is None:
        return set()
    words = [node.anchors for node in graph.nodes]
    arcs = {(words[edge.source], edge.role, words[edge.target]) for edge in graph.edges}
    return arcs | {((), "", words[top]) for top in graph.tops if tops}


def _metric(part: str, quantity: str) -> Metric:
    kind, title, letter = _PARTS[part]
    is_f1 = quantity == "F1"
    gold, test, matched = (f"{part}_{side}" for side in SIDES)
    return Metric(
        id=part if is_f1 else f"{part}_{quantity}",
        title=f"{title}, {quantity}",
        family=FAMILY,
        columns=(matched, gold, test),
        score=share_of(quantity, [gold], [test], [matched]),
        help=f"Dependencies and tops that both graphs share ({kind}), {SHARES[quantity]}, in %.",
        short=f"{letter}{quantity[0].upper()}",
        place=Place(
            overview=is_f1,
            reports=is_f1 or part == "sdp",
            if_defined=True,
            variant_of="" if is_f1 else part,
            mapping="SDP" if is_f1 else "",
            norm=kind,
        ),
    )


def _exact_metric(part: str) -> Metric:
    kind, title, letter = _PARTS[part]
    exact_match = f"{part}_exact_match"
    return Metric(
        id=f"{part}_exact",
        title=f"{title}, all dependencies right",
        family=FAMILY,
        columns=(exact_match, f"{part}_gold", "sentences"),  # gold is missing where it is undefined
        score=lambda counts: ratio(counts[exact_match], counts["sentences"]),
        help=f"Share of the sentences whose graphs have the same dependencies and tops ({kind}), in %.",
        short=f"{letter}M",
        place=Place(reports=part == "sdp", if_defined=True, variant_of=part),
    )


METRICS: tuple[Metric, ...] = tuple(
    metric for part in _PARTS for metric in (*(_metric(part, quantity) for quantity in SHARES), _exact_metric(part))
)


class SemanticDependencies(GraphPass):
    """The pass of dependencies of bilexical graphs."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    @classmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether the nodes of the graphs are words."""
        return kind_of(*graphs) is SDP_GRAPHS

    def count(self, index: int, gold: SemanticGraph | None, test: SemanticGraph | None) -> Sequence[float]:
        """Count the dependencies of a pair of graphs."""
        row: list[float] = []
        labeled = [dependencies(graph, tops=self.comparison.rules.count_tops) for graph in (gold, test)]
        unlabeled = [{(head, word) for head, _, word in side} for side in labeled]
        for golds, tests in (labeled, unlabeled):
            is_exact = gold is not None and test is not None and golds == tests
            row += [len(golds), len(tests), len(golds & tests), is_exact]
        if gold is not None and gold.lacks_spans:
            return [np.nan] * len(COLUMNS)
        if test is not None and test.lacks_spans:
            return [np.nan if name in MATCHED else n for name, n in zip(COLUMNS, row, strict=True)]
        return row
