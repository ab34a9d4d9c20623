"""A parser's semantic graphs and the gold graphs, and the pass that counts the triples they share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.passes import Pass
from evaltools.frameworks.semantics.edm import COLUMNS, COUNTS, METRICS

if TYPE_CHECKING:
    from evaltools.corpus.semantic_graph import SemanticGraph
    from evaltools.frameworks.semantics.edm.triples import GoldTriples

__all__ = ["ElementaryDependencies", "GraphComparison", "GraphPass"]


@dataclass(frozen=True)
class GraphComparison:
    """Graphs of the same items."""

    gold: GoldTriples
    golds: Sequence[SemanticGraph | None]  # The graph of each item; None if there is none
    tests: Sequence[SemanticGraph | None]


class GraphPass(Pass[GraphComparison]):
    """A pass over semantic graphs."""

    def __init__(self, comparison: GraphComparison) -> None:
        self._golds, self._tests = comparison.golds, comparison.tests
        self._counts: NDArray[np.float64] = np.zeros((len(self._golds), len(self.columns)))

    @classmethod
    def prepare(cls, comparison: GraphComparison) -> Self:
        """Allocate the counts."""
        return cls(comparison)

    @classmethod
    @abstractmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether the pass runs by default if the gold file has these graphs."""

    @property
    def counts(self) -> NDArray[np.float64]:
        """The counts, as :attr:`columns` names them; NaN where undefined."""
        return self._counts

    def undefined(self, column: str) -> NDArray[np.bool_]:
        """Return the items in which a count is undefined, because a graph has no spans."""
        return np.isnan(self._counts[:, self.columns.index(column)])


class ElementaryDependencies(GraphPass):
    """The pass of Elementary Dependency Match."""

    required = True

    family = "edm"
    columns = COLUMNS
    counted = COUNTS
    metrics = METRICS

    def __init__(self, comparison: GraphComparison) -> None:
        super().__init__(comparison)
        self._counts = comparison.gold.counts(comparison.tests)

    @classmethod
    def suits(cls, graphs: Sequence[SemanticGraph]) -> bool:
        """Return whether the graphs have spans of their own, which AMRs have not."""
        return not graphs or not all(graph.is_unanchored for graph in graphs)
