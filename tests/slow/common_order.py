"""Orders of words in which the words of every set are adjacent, by trying all orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from evaltools import Tree
from evaltools.corpus import Kind


def word_sets(tree: Tree) -> list[frozenset[int]]:
    return [tree.yield_(node) for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE]


def orders(n_words: int, sets: Iterable[frozenset[int]]) -> list[tuple[int, ...]]:
    sets = set(sets)
    return [order for order in permutations(range(n_words)) if all(is_adjacent(order, words) for words in sets)]


def is_adjacent(order: Sequence[int], words: frozenset[int]) -> bool:
    at = [order.index(word) for word in words]
    return not at or max(at) - min(at) == len(at) - 1


def swapped(order: Sequence[int]) -> int:
    """Return how many pairs of words stand in another order than in the sentence."""
    return sum(first > second for first, second in combinations(order, 2))
