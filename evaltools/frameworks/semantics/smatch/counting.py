"""The counts of Smatch and of its fine-grained figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import monotonic

import numpy as np

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.frameworks.semantics.comparison import GraphComparison, GraphPass
from evaltools.frameworks.semantics.smatch import COLUMNS, COUNTS, METRICS
from evaltools.frameworks.semantics.smatch.matching import MAX_WORK, Matching, best_mapping
from evaltools.frameworks.semantics.smatch.parts import LISTED, SEARCHED
from evaltools.frameworks.semantics.smatch.triples import Triples, triples_of

__all__ = ["SECONDS", "Smatch", "smatch_counts"]

SECONDS = 10.0
"""How long to search for the best mappings of two graphs, those of all figures together."""

_EMPTY = Triples(())
_GAPS = [COLUMNS.index(f"{name}_gap") for name in SEARCHED]


def smatch_counts(
    gold: SemanticGraph | None, test: SemanticGraph | None, seconds: float = SECONDS
) -> tuple[dict[str, int], Matching]:
    """Return the counts of two graphs, as :data:`COLUMNS` names them, and the best mapping of their nodes.

    Parameters
    ----------
    gold, test : SemanticGraph or None
        The graphs; None if there is none, which counts as a graph without nodes.
    seconds : float
        How long to search for mappings, in seconds, for all figures that need one: each takes at most half of what is
        left, ``smatch`` first.

    Returns
    -------
    (dict of str to int, Matching)
        The counts, and the mapping under which the triples of ``smatch`` are counted.
    """
    sides = [_EMPTY if graph is None else triples_of(graph) for graph in (gold, test)]
    counts: dict[str, int] = {}
    matchings: dict[str, Matching] = {}
    end = monotonic() + seconds
    for name, part in SEARCHED.items():
        gold_part, test_part = map(part, sides)
        left = max(end - monotonic(), 0.0) / 2  # the other half is for the figures that follow
        work = int(MAX_WORK * left / seconds) if seconds else MAX_WORK
        matchings[name] = matching = best_mapping(gold_part, test_part, left, max_work=work)
        values = (len(gold_part), len(test_part), matching.matched, matching.gap)
        counts |= dict(zip((f"{name}_{side}" for side in ("gold", "test", "matched", "gap")), values, strict=True))
    for name, labels in LISTED.items():
        gold_labels, test_labels = (Counter(labels(side)) for side in sides)
        counts[f"{name}_gold"], counts[f"{name}_test"] = gold_labels.total(), test_labels.total()
        counts[f"{name}_matched"] = (gold_labels & test_labels).total()
    return counts, matchings["smatch"]


class Smatch(GraphPass):
    """The pass of Smatch; ``matchings`` are the best mappings of the pairs of graphs, by their index."""

    family = "smatch"
    columns = COLUMNS
    counted = COUNTS
    metrics = METRICS

    def __init__(self, comparison: GraphComparison) -> None:
        super().__init__(comparison)
        self.matchings: dict[int, Matching] = {}

    @classmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether most graphs lack spans, so that nodes correspond only under a mapping."""
        with_nodes = [graph for graph in graphs if graph.nodes]
        return 2 * sum(graph.lacks_spans for graph in with_nodes) > len(with_nodes)

    def run(self, first: int, last: int) -> None:
        """Count the triples of some pairs of graphs."""
        for index in range(first, last):
            gold, test = self._golds[index], self._tests[index]
            if gold is not None or test is not None:
                counts, self.matchings[index] = smatch_counts(gold, test, SECONDS)
                self._counts[index] = [counts[name] for name in COLUMNS]

    def gaps(self) -> list[tuple[int, str]]:
        """Return the pairs that might match better: their index, and how much better."""
        found = []
        for index in np.flatnonzero(self._counts[:, _GAPS].any(axis=1)).tolist():
            row = dict(zip(COLUMNS, self._counts[index].astype(np.int64).tolist(), strict=True))
            parts = [
                f"{row[f'{name}_matched']} to {row[f'{name}_matched'] + row[f'{name}_gap']} ({name})"
                for name in SEARCHED
                if row[f"{name}_gap"]
            ]
            found.append((index, ", ".join(parts)))
        return found
