"""Counts of the triples of parsers' graphs against the same gold graphs, under exact or trimmed spans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics import METRICS, edm
from evaltools.metrics.edm_rules import EdmRules
from evaltools.metrics.edm_triples import TripleColumns, TripleVocabulary, match
from evaltools.treebank.semantic_graph import SemanticGraph

__all__ = ["GoldTriples", "pooled_edm", "predicates_of", "sum_defined"]


class GoldTriples:
    """The gold triples of some items, made once for all parsers.

    Parameters
    ----------
    gold : sequence of SemanticGraph or None
        The gold graph of each item.
    rules : EdmRules
        What counts.
    """

    def __init__(self, gold: Sequence[SemanticGraph | None], rules: EdmRules) -> None:
        self._gold, self._rules = gold, rules
        self._sides: dict[str, TripleColumns] = {}

    def counts(self, tests: Sequence[SemanticGraph | None], spans: str | None = None) -> NDArray[np.float64]:
        """Count the triples of a parser's graphs.

        Parameters
        ----------
        tests : sequence of SemanticGraph or None
            One for each item.
        spans : {"exact", "trimmed"}, optional
            How spans are compared; as the rules say if not given.

        Returns
        -------
        ndarray of float64, shape (items, columns)
            The columns of :data:`evaltools.metrics.edm.COLUMNS`.
        """
        spans = spans or self._rules.spans
        if spans not in self._sides:
            self._sides[spans] = TripleColumns.of(self._gold, replace(self._rules, spans=spans), TripleVocabulary())
        gold = self._sides[spans]
        return match(gold, TripleColumns.of(tests, gold.rules, gold.vocabulary))


def sum_defined(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the rows of columns of :data:`evaltools.metrics.edm.COLUMNS` that have no undefined count."""
    sums: NDArray[np.float64] = counts[~np.isnan(counts).any(axis=1)].sum(axis=0)
    return sums


def pooled_edm(sums: NDArray[np.float64]) -> float | None:
    """Return EDM of sums of the columns of :data:`evaltools.metrics.edm.COLUMNS`; None where it is undefined."""
    counts = {name: np.array([total]) for name, total in zip(edm.COLUMNS, sums.tolist(), strict=True)}
    score = float(METRICS["edm"].score(counts)[0])
    return None if score != score else score


def predicates_of(graphs: Iterable[SemanticGraph | None]) -> set[str]:
    """Return the predicates of some graphs."""
    return {node.predicate for graph in graphs if graph is not None for node in graph.nodes}
