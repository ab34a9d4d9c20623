"""Mappings between two trees, from their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

from evaltools import Tree

WORD = 2


def symbol(tree: Tree, node: int) -> tuple[bool, str]:
    """Return a node's label, told apart from a word of the same spelling."""
    return tree.kinds[node] == WORD, tree.labels[node]


def precedes(tree: Tree, one: int, other: int) -> bool:
    return not is_above(tree, one, other) and not is_above(tree, other, one) and one < other


def is_above(tree: Tree, one: int, other: int) -> bool:
    return one in tree.ancestors(other)


def is_t_mapping(gold: Tree, test: Tree, pairs: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether pairs are one to one and keep order and ancestry."""
    if len({i for i, _ in pairs}) < len(pairs) or len({j for _, j in pairs}) < len(pairs):
        return False
    return all(
        relation(gold, i, x) == relation(test, j, y)
        for (i, j), (x, y) in product(pairs, pairs)
        if (i, j) != (x, y)
        for relation in (is_above, precedes)
    )


def all_t_mappings(gold: Tree, test: Tree) -> Iterator[tuple[tuple[int, int], ...]]:
    every = list(product(range(len(gold)), range(len(test))))
    for size in range(min(len(gold), len(test)) + 1):
        for chosen in combinations(every, size):
            if is_t_mapping(gold, test, chosen):
                yield chosen


Score = tuple[int, int, int, int]
"""Cost, matches, pairs of a tag with a tag or a phrase with a phrase, pairs with equal spans."""


def are_alike(gold: Tree, test: Tree, i: int, j: int) -> bool:
    """Tell whether two nodes are both tags or both phrases."""
    return gold.kinds[i] == test.kinds[j] != WORD


def score_of(gold: Tree, test: Tree, pairs: tuple[tuple[int, int], ...]) -> Score:
    """Return what the canonical mapping is chosen by."""
    matched = sum(symbol(gold, i) == symbol(test, j) for i, j in pairs)
    alike = sum(are_alike(gold, test, i, j) for i, j in pairs)
    equal = sum(gold.span(i) == test.span(j) for i, j in pairs)
    return len(gold) + len(test) - len(pairs) - matched, matched, alike, equal


def best_t_score(gold: Tree, test: Tree) -> Score:
    """Return the score of the canonical T-mapping, by the recursion over forests.

    A forest's rightmost root is deleted, or the other's inserted, or the two are mapped to one another.
    """

    def added(a: Score, b: Score) -> Score:
        return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]

    @cache
    def best(left: tuple[int, ...], right: tuple[int, ...]) -> Score:
        # (cost, -matches, -pairs of one kind, -equal spans), to be made as small as possible
        if not left and not right:
            return 0, 0, 0, 0
        choices = []
        if left:
            choices.append(added((1, 0, 0, 0), best(left[:-1] + gold.children(left[-1]), right)))
        if right:
            choices.append(added((1, 0, 0, 0), best(left, right[:-1] + test.children(right[-1]))))
        if left and right:
            i, j = left[-1], right[-1]
            same = symbol(gold, i) == symbol(test, j)
            alike = are_alike(gold, test, i, j)
            here = (0 if same else 1, -int(same), -int(alike), -int(gold.span(i) == test.span(j)))
            inside = best(gold.children(i), test.children(j))
            choices.append(added(here, added(inside, best(left[:-1], right[:-1]))))
        return min(choices)

    cost, matched, alike, equal = best(gold.roots, test.roots)
    return cost, -matched, -alike, -equal


def brackets(tree: Tree, *, whole: bool, labeled: bool = True) -> Counter[tuple[str, int, int]]:
    """Count a tree's brackets: (label, start, end); all labels are one where they are ignored."""
    return Counter(
        (tree.labels[node] if labeled else "", *tree.span(node))
        for node in range(len(tree))
        if tree.kinds[node] == 0 or (whole and tree.kinds[node] == 1)
    )


def crossing(gold: Tree, test: Tree) -> int:
    """Count the test brackets that cross a gold one."""
    golds, tests = ([tree.span(n) for n in range(len(tree)) if tree.kinds[n] == 0] for tree in (gold, test))
    return sum(any(g[0] < t[0] < g[1] < t[1] or t[0] < g[0] < t[1] < g[1] for g in golds) for t in tests)


def subtree(tree: Tree, node: int) -> tuple[object, ...]:
    """Return a subtree as something that can be compared."""
    return symbol(tree, node), *(subtree(tree, child) for child in tree.children(node))


def below(tree: Tree, node: int) -> set[int]:
    return {node}.union(*(below(tree, child) for child in tree.children(node)))


def find_moves(gold: Tree, test: Tree, pairs: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """Count moves, the largest subtrees first, and what the mapping costs if each of them costs 1."""
    mapped_gold, mapped_test = {i for i, _ in pairs}, {j for _, j in pairs}
    taken_gold: set[int] = set()
    taken_test: set[int] = set()
    saved = moves = 0
    deleted = [i for i in range(len(gold)) if i not in mapped_gold]
    inserted = [j for j in range(len(test)) if j not in mapped_test]
    for i in sorted(deleted, key=lambda i: -len(below(gold, i))):
        if i in taken_gold:
            continue
        free = [j for j in inserted if not below(test, j) & taken_test and subtree(gold, i) == subtree(test, j)]
        if not free:
            continue
        j = min(free, key=lambda j: (abs(gold.starts[i] - test.starts[j]), j))
        taken_gold |= below(gold, i)
        taken_test |= below(test, j)
        saved += len(below(gold, i) - mapped_gold) + len(below(test, j) - mapped_test) - 1
        moves += 1
    return moves, score_of(gold, test, pairs)[0] - saved
