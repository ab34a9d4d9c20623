"""Functions over sets of words, from their definitions, and random ones to compare on."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from evaltools import MultiFunctionTree
from evaltools.corpus import Dependencies, DependencyTree
from evaltools.corpus.function_trees import WILDCARD
from evaltools.frameworks.crossframework.function_columns import (
    FunctionColumns,
    FunctionVocabulary,
    corpus_functions,
)
from evaltools.frameworks.crossframework.tedeval import Overlaps
from tests.slow.trees import randoms

LABELS = ("root", "sbj", "obj", "hd", "mod")

Node = tuple[str | None, frozenset[int]]


def random_heads(random: Random, n: int, *, projective: bool = False, roots: int = 1) -> tuple[int, ...]:
    if projective:
        heads = [-1] * n

        def hang(first: int, last: int, above: int) -> None:
            while first < last:
                end = random.randint(first + 1, last) if above >= 0 else last
                head = random.randrange(first, end)
                heads[head] = above
                hang(first, head, head)
                hang(head + 1, end, head)
                first = end

        hang(0, n, -1)
        return tuple(heads)
    order = list(range(n))
    random.shuffle(order)
    heads = [-1] * n
    for place, word in enumerate(order):
        if place >= roots:
            heads[word] = random.choice(order[:place])
    return tuple(heads)


def random_tree(
    random: Random, n: int, *, projective: bool = False, words: tuple[str, ...] | None = None
) -> DependencyTree:
    heads = random_heads(random, n, projective=projective)
    relations = tuple("root" if head < 0 else random.choice(LABELS[1:]) for head in heads)
    return DependencyTree(words or tuple(f"w{word}" for word in range(n)), heads, relations)


def changed_tree(random: Random, tree: DependencyTree, edits: int, *, projective: bool = False) -> DependencyTree:
    """Change some relations, or draw other heads."""
    relations = list(tree.relations)
    for _ in range(edits):
        relations[random.randrange(len(relations))] = random.choice(LABELS)
    heads = random_heads(random, len(tree), projective=projective) if random.random() < 0.5 else tree.heads
    return DependencyTree(tree.forms, heads, tuple(relations))


@st.composite
def dependency_trees(
    draw: st.DrawFn, count: int = 1, most_words: int = 8, *, projective: bool = False
) -> list[DependencyTree]:
    """Draw several trees over the same words; some are alike."""
    random = draw(randoms)
    first = random_tree(random, random.randint(1, most_words), projective=projective)
    others = [
        first if random.random() < 0.2 else changed_tree(random, first, random.randint(0, 3), projective=projective)
        for _ in range(count - 1)
    ]
    return [first, *others]


@st.composite
def function_sets(
    draw: st.DrawFn, count: int = 1, most_words: int = 6, *, laminar: bool = False
) -> list[MultiFunctionTree]:
    """Draw several multi-function trees over the same words, from a small stock of nodes so that some are shared."""
    random = draw(randoms)
    n = random.randint(1, most_words)
    words = tuple(f"w{word}" for word in range(n))
    stock = [frozenset(random.sample(range(n), random.randint(1, n))) for _ in range(6)]
    made = []
    for _ in range(count):
        nodes: dict[frozenset[int], frozenset[str]] = {}
        for one in random.sample(stock, random.randint(0, len(stock))):
            if laminar and any(one & other and not one <= other and not other <= one for other in nodes):
                continue
            nodes[one] = frozenset(random.sample(LABELS[:3], random.randint(0, 2)))
        made.append(MultiFunctionTree(words, nodes))
    return made


def counted(tree: MultiFunctionTree, *, labeled: bool, count_root: bool) -> set[Node]:
    """List what a score counts: (function, words), or (None, words)."""
    found: set[Node] = set()
    for words, labels in tree.labels.items():
        if not count_root and len(words) == len(tree.words):
            continue
        found |= {(label, words) for label in labels} if labeled else {(None, words)}
    return found


def common(trees: list[MultiFunctionTree]) -> MultiFunctionTree:
    """Return what all trees say, by looking up every node of the first in the others."""
    nodes = {}
    for words in trees[0].labels:
        if all(words in tree.labels for tree in trees):
            nodes[words] = frozenset(
                label for label in trees[0].labels[words] if all(label in tree.labels[words] for tree in trees)
            )
    return MultiFunctionTree(trees[0].words, nodes)


def script(start: set[Node], goal: set[Node]) -> set[tuple[str, Node]]:
    """List the steps from one set to another."""
    return {("delete", one) for one in start if one not in goal} | {("add", one) for one in goal if one not in start}


def tedeval(
    parse: MultiFunctionTree, golds: list[MultiFunctionTree], own: int, *, labeled: bool, count_root: bool = True
) -> tuple[int, int, int, float | None]:
    """Return |parse|, |gen|, δ and the score."""
    gen = common(golds)
    have, native, want = (counted(one, labeled=labeled, count_root=count_root) for one in (parse, golds[own], gen))
    steps = script(have, want)
    delta = len(steps) - len(steps & script(native, want))
    if have or want:
        return len(have), len(want), delta, 1 - delta / (len(have) + len(want))
    same = [parse.labels == one.labels if labeled else parse.yields == one.yields for one in (gen, golds[own])]
    return 0, 0, delta, 1.0 if any(same) else None


def overlap(one: FunctionColumns, other: FunctionColumns, *, count_root: bool = True) -> dict[str, float | None]:
    """Return how much two gold standards of the same sentences have in common."""
    overlaps = Overlaps(("one", "other"), count_root=count_root)
    overlaps.add({"one": one, "other": other})
    return overlaps.shares()["one+other"]


def columns(trees: list[DependencyTree], vocabulary: FunctionVocabulary, **options: Any) -> FunctionColumns:
    return corpus_functions(Dependencies.from_trees(trees), vocabulary, **options)


Ordered = tuple[str | int, tuple["Ordered", ...]]  # a label, or the position of a word, and the children


def ordered_forest(tree: MultiFunctionTree, *, labeled: bool) -> tuple[Ordered, ...]:
    """Return a tree with one label a node and contiguous yields as nested tuples, with its words."""
    whole = frozenset(range(len(tree.words)))
    nodes = {
        words: next(iter(labels)) if labeled else ""
        for words, labels in tree.labels.items()
        if (labels or not labeled) and words != whole
    }

    def inside(words: frozenset[int], below: list[frozenset[int]]) -> tuple[Ordered, ...]:
        outer = [one for one in below if not any(one < other for other in below)]
        made: list[tuple[int, Ordered]] = [
            (min(one), (nodes[one], inside(one, [other for other in below if other < one]))) for one in outer
        ]
        made += [(word, (word, ())) for word in words.difference(*outer)]
        return tuple(node for _, node in sorted(made, key=lambda pair: pair[0]))

    return inside(whole, list(nodes))


def edit_distance(one: tuple[Ordered, ...], other: tuple[Ordered, ...], free: set[tuple[str, str]]) -> int:
    """Return the least cost of turning one forest into another, by the recursion over forests."""

    def rename(a: str | int, b: str | int) -> int:
        if a == b:
            return 0
        words = isinstance(a, int) or isinstance(b, int)
        return int(words or not (WILDCARD in (a, b) or (a, b) in free or (b, a) in free))

    @cache
    def best(left: tuple[Ordered, ...], right: tuple[Ordered, ...]) -> int:
        if not left and not right:
            return 0
        choices = []
        if left:
            choices.append(1 + best(left[:-1] + left[-1][1], right))
        if right:
            choices.append(1 + best(left, right[:-1] + right[-1][1]))
        if left and right:
            inside = best(left[-1][1], right[-1][1])
            choices.append(rename(left[-1][0], right[-1][0]) + inside + best(left[:-1], right[:-1]))
        return min(choices)

    return best(one, other)


def common_2011(trees: list[MultiFunctionTree], free: set[tuple[str, str]], *, labeled: bool) -> MultiFunctionTree:
    """Return the generalization of trees with at most one label a node."""
    nodes: dict[frozenset[int], frozenset[str]] = {}
    for words in trees[0].labels:
        if not all(words in tree.labels for tree in trees):
            continue
        sets = [tree.labels[words] for tree in trees]
        if all(one == sets[0] for one in sets):
            nodes[words] = sets[0]
            continue
        labels = [next(iter(one), None) for one in sets]
        agree = all(
            a is not None and b is not None and (a == b or WILDCARD in (a, b) or (a, b) in free or (b, a) in free)
            for a in labels
            for b in labels
        )
        if agree:
            nodes[words] = frozenset({WILDCARD})
        elif not labeled:
            nodes[words] = frozenset()
    return MultiFunctionTree(trees[0].words, nodes)
