"""The edit distance of two lineages as a table, filled in cell by cell, and the cheapest path through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaltools.metrics.mapping import Lineage
from evaltools.shown import Shown

if TYPE_CHECKING:
    from evaltools.metrics.leaf_ancestor import CostTable

__all__ = ["LineageTable", "lineage_table", "replacement_cost"]

_MARKERS = ("[", "]")


@dataclass(frozen=True, slots=True)
class LineageTable(Shown):
    """The filled table of two lineages.

    Parameters
    ----------
    gold, test : tuple of str
        The lineages.
    costs : tuple of tuple of float
        ``costs[i][j]`` is the least cost of turning the first `i` symbols of `gold` into the first `j` of `test`.
    path : tuple of (int, int)
        The cells of one cheapest path, from (0, 0) to the last; where several are equally cheap, seen from the end, a
        replacement is taken before a deletion and that before an insertion.
    """

    gold: Lineage
    test: Lineage
    costs: tuple[tuple[float, ...], ...]
    path: tuple[tuple[int, int], ...]

    @property
    def distance(self) -> float:
        """What the cheapest path costs."""
        return self.costs[-1][-1]

    @property
    def similarity(self) -> float:
        """1 − distance / (len gold + len test); 1 for two empty lineages."""
        length = len(self.gold) + len(self.test)
        return 1 - self.distance / length if length else 1.0

    @property
    def steps(self) -> list[tuple[str | None, str | None, float]]:
        """Gold symbol, test symbol and cost of each step; None where a symbol is deleted or inserted."""
        steps: list[tuple[str | None, str | None, float]] = []
        for (i, j), (k, m) in zip(self.path, self.path[1:], strict=False):
            cost = self.costs[k][m] - self.costs[i][j]
            steps.append((self.gold[i] if k > i else None, self.test[j] if m > j else None, cost))
        return steps


def replacement_cost(one: str, other: str, scheme: str, table: CostTable | None = None) -> float:
    """Return what it costs to replace a symbol of a lineage by another.

    Parameters
    ----------
    one, other : str
        Labels, or the markers ``[`` and ``]``, which nothing replaces for less than 2.
    scheme : {"strict", "partial", "table"}
        What replacements cost.
    table : CostTable, optional
        For the scheme ``"table"``.
    """
    if one == other:
        return 0.0
    if scheme == "strict" or one in _MARKERS or other in _MARKERS:
        return 2.0
    if scheme == "table" and table is not None:
        return table.cost(one, other)
    return 0.5 if one[:1] == other[:1] else 2.0


def lineage_table(gold: Lineage, test: Lineage, scheme: str = "strict", table: CostTable | None = None) -> LineageTable:
    """Fill in the table of two lineages.

    Parameters
    ----------
    gold, test : tuple of str
        The lineages, leaf first.
    scheme : {"strict", "partial", "table"}
        What replacements cost; an insertion or a deletion costs 1.
    table : CostTable, optional
        For the scheme ``"table"``.

    Returns
    -------
    LineageTable

    Examples
    --------
    The word *revision* of Sampson and Babarczy's first example:

    >>> made = lineage_table(("N1", "]", "N1", "S"), ("NP", "S"), "partial")
    >>> made.distance, made.path
    (2.5, ((0, 0), (1, 0), (2, 0), (3, 1), (4, 2)))
    """
    n, m = len(gold), len(test)
    cost = [[float(i + j) if i == 0 or j == 0 else 0.0 for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            replaced = cost[i - 1][j - 1] + replacement_cost(gold[i - 1], test[j - 1], scheme, table)
            cost[i][j] = min(replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    i, j = n, m
    path = [(n, m)]
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + replacement_cost(gold[i - 1], test[j - 1], scheme, table):
            i, j = i - 1, j - 1
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
        path.append((i, j))
    return LineageTable(gold, test, tuple(map(tuple, cost)), tuple(reversed(path)))
