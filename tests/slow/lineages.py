"""Leaf-ancestor similarity, from its definition."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from evaltools import Tree

Costs = Callable[[str, str], float]


def lineage(tree: Tree, word: int, *, preterminals: bool = False) -> list[tuple[str, str]]:
    """Return symbols from the leaf to the root, markers told apart from labels."""
    above = [node for node in tree.ancestors(tree.word_nodes[word]) if preterminals or tree.kinds[node] == 0]
    begins = [node for node in above if tree.starts[node] == word]
    ends = [node for node in above if tree.ends[node] == word + 1]
    symbols = []
    for node in above:
        if begins and node == begins[-1]:
            symbols.append(("marker", "["))
        symbols.append(("label", tree.labels[node]))
        if ends and node == ends[-1]:
            symbols.append(("marker", "]"))
    return symbols


def similarity(one: list[tuple[str, str]], other: list[tuple[str, str]], costs: Costs) -> float:
    def replace(a: tuple[str, str], b: tuple[str, str]) -> float:
        if a == b:
            return 0.0
        return 2.0 if "marker" in (a[0], b[0]) else costs(a[1], b[1])

    @cache
    def distance(i: int, j: int) -> float:
        if i == 0 or j == 0:
            return i + j
        mapped = distance(i - 1, j - 1) + replace(one[i - 1], other[j - 1])
        return min(mapped, distance(i - 1, j) + 1, distance(i, j - 1) + 1)

    total = len(one) + len(other)
    return 1.0 if not total else 1 - distance(len(one), len(other)) / total


def strict(one: str, other: str) -> float:
    """Charge 2 for any two labels."""
    return 2.0


def partial(one: str, other: str) -> float:
    """Charge little for labels that begin alike."""
    return 0.5 if one[:1] == other[:1] else 2.0
