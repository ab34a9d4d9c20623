"""Lineages of words: labels from the word to the root, their comparison, and their edit distance as a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from evaltools.display import NotebookObject
from evaltools.text import short_repr

_MARKERS = ("[", "]")

SCHEMES = {"la_exact": "exact", "la": "graded", "la_costs": "own costs"}
"""What replacements of labels cost: a title for each leaf-ancestor metric, by its id."""
_EXACT, GRADED, OWN_COSTS = SCHEMES

NO_CLASSES: dict[str, str] = {}
"""No two labels that count as equal."""

Lineage = tuple[str, ...]
"""Symbols from the leaf to the root: labels, and the markers ``[`` and ``]``."""


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word of the sentence as it was read, and its position after normalization (None if deleted)."""

    form: str
    position: int | None


@dataclass(frozen=True, slots=True)
class WordComparison(NotebookObject):
    """One gold word's lineages in both trees and their similarity."""

    position: int  # Position in the normalized gold tree, from 0
    form: str  # The word, as the gold tree has it
    gold: Lineage  # Its lineage in the gold tree, leaf first
    test: Lineage | None  # The lineage of its partner in the test tree; None where it has none
    # Similarity in [0, 1] by metric, ``la_exact`` or ``la``; empty where the word
    # has no partner.
    scores: dict[str, float]
    # The partner's position in the normalized test tree; where the words of the trees are equal, that of the gold word.
    test_position: int | None = None
    test_form: str | None = None  # The partner, as the test tree has it
    label_classes: dict[str, str] = field(default_factory=dict)  # Those of the alignment


GRADED_COST = "graded"
"""In place of a cost: what the graded score charges, 0.5 for labels that begin with the same character and else 2."""


@dataclass(frozen=True)
class CostTable:
    """Replacement costs of pairs of labels.

    A pair as it is listed goes before those with ``*``, which stands for any characters; of these, the first that fits
    holds. Any pair that fits none costs 2.

    Parameters
    ----------
    costs : dict
        From (label, label) to a cost in (0, 2], or ``"graded"``: the cost of the graded score. Each holds in both
        directions.

    Examples
    --------
    >>> table = CostTable({("NP", "NX"): 0.2, ("NP", "*"): 1.0, ("*", "*"): "graded"})
    >>> table.cost("NP", "NX"), table.cost("VP", "NP"), table.cost("ADJP", "ADVP"), table.cost("S", "VP")
    (0.2, 1.0, 0.5, 2.0)
    """

    costs: dict[tuple[str, str], float | str]

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self.costs)} pairs of labels")

    def cost(self, label_a: str, label_b: str) -> float:
        """Return the cost of replacing a label by another.

        Parameters
        ----------
        label_a, label_b : str
            The labels, in either order.
        """
        if label_a == label_b:
            return 0.0
        listed = (pair for pair in ((label_a, label_b), (label_b, label_a)) if pair in self.costs)
        fitting = (pair for pair in self._patterns if _fits(pair, label_a, label_b) or _fits(pair, label_b, label_a))
        pair = next(chain(listed, fitting), None)
        cost = 2.0 if pair is None else self.costs[pair]
        return _graded_cost(label_a, label_b) if isinstance(cost, str) else cost

    @cached_property
    def _patterns(self) -> list[tuple[str, str]]:
        return [pair for pair in self.costs if "*" in "".join(pair)]

    def matrix(self, labels: Sequence[str]) -> NDArray[np.float64]:
        """Return the costs by label number, shape (labels, labels).

        Parameters
        ----------
        labels : sequence of str
            The labels; of equal ones, listed pairs hold for the first.
        """
        initials = np.array([label[:1] for label in labels], dtype=object)
        graded = np.where(np.equal.outer(initials, initials), 0.5, 2.0)
        matrix = np.full((len(labels), len(labels)), 2.0)
        for pair in reversed(self._patterns):  # the first holds: it is written last
            first, second = (np.array([_matches(name, label) for label in labels], dtype=bool) for name in pair)
            fitting = np.logical_and.outer(first, second)
            fitting |= fitting.T
            cost = self.costs[pair]
            matrix[fitting] = graded[fitting] if isinstance(cost, str) else cost
        numbers = {label: number for number, label in reversed(list(enumerate(labels)))}
        for first_label, second_label in self.costs:
            if first_label in numbers and second_label in numbers:
                a, b = numbers[first_label], numbers[second_label]
                matrix[a, b] = self.cost(first_label, second_label)
                matrix[b, a] = self.cost(second_label, first_label)
        np.fill_diagonal(matrix, 0.0)
        return matrix


def _matches(pattern: str, label: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), label, re.DOTALL) is not None


def _fits(pair: tuple[str, str], label_a: str, label_b: str) -> bool:
    return _matches(pair[0], label_a) and _matches(pair[1], label_b)


def _graded_cost(label_a: str, label_b: str) -> float:
    return 0.5 if label_a[:1] == label_b[:1] else 2.0


@dataclass(frozen=True, slots=True)
class LineageTable(NotebookObject):
    """The filled table of two lineages."""

    gold: Lineage
    test: Lineage
    # ``costs[i][j]`` is the least cost of turning the first `i` symbols of `gold` into the first `j` of `test`.
    costs: tuple[tuple[float, ...], ...]
    # The cells of one cheapest path, from (0, 0) to the last; where several are equally cheap, seen from the end, a
    # replacement is preferred to a deletion, and a deletion to an insertion.
    path: tuple[tuple[int, int], ...]

    @property
    def distance(self) -> float:
        """Cost of the cheapest path."""
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


def replacement_cost(
    symbol_a: str,
    symbol_b: str,
    scheme: str,
    table: CostTable | None = None,
    classes: Mapping[str, str] = NO_CLASSES,
) -> float:
    """Return the cost of replacing a symbol of a lineage by another; labels of one class are equal."""
    if classes.get(symbol_a, symbol_a) == classes.get(symbol_b, symbol_b):
        return 0.0
    if scheme == _EXACT or symbol_a in _MARKERS or symbol_b in _MARKERS:
        return 2.0
    if scheme == OWN_COSTS and table is not None:
        return table.cost(symbol_a, symbol_b)
    return _graded_cost(symbol_a, symbol_b)


def lineage_table(
    gold: Lineage,
    test: Lineage,
    scheme: str = _EXACT,
    table: CostTable | None = None,
    classes: Mapping[str, str] = NO_CLASSES,
) -> LineageTable:
    """Fill in the table of two lineages; `classes` has the class of each label that is equal to another one.

    Examples
    --------
    The word *revision* of Sampson and Babarczy's first example:

    >>> table = lineage_table(("N1", "]", "N1", "S"), ("NP", "S"), "la")
    >>> table.distance, table.path
    (2.5, ((0, 0), (1, 0), (2, 0), (3, 1), (4, 2)))
    """
    n, m = len(gold), len(test)
    replacement = [[replacement_cost(a, b, scheme, table, classes) for b in test] for a in gold]
    cost = [[float(i + j) if i == 0 or j == 0 else 0.0 for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            replaced = cost[i - 1][j - 1] + replacement[i - 1][j - 1]
            cost[i][j] = min(replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    i, j = n, m
    path = [(n, m)]
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + replacement[i - 1][j - 1]:
            i, j = i - 1, j - 1
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
        path.append((i, j))
    return LineageTable(gold, test, tuple(map(tuple, cost)), tuple(reversed(path)))
