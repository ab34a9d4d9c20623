"""Aligned words, and what is scored over them, from the definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from evaltools import Tree
from evaltools.frameworks.constituency.aligned_trees import WordLink, WordMatch

FOLDED = {"-lrb-": "(", "``": '"', "''": '"', "`": "'"}
"""Escapes that the tests use, in this order."""


def fold(form: str) -> str:
    """Return a form without case, and without the escapes of :data:`FOLDED`."""
    form = form.lower()
    for escaped, plain in FOLDED.items():
        form = form.replace(escaped, plain)
    return form


def trimmed(a: Sequence[Any], b: Sequence[Any]) -> tuple[dict[int, int], int, int, int]:
    """Align what both begin or end with; return the pairs, and where the rest of each begins and ends."""
    first = 0
    while first < min(len(a), len(b)) and a[first] == b[first]:
        first += 1
    last = 0
    while last < min(len(a), len(b)) - first and a[-1 - last] == b[-1 - last]:
        last += 1
    n, m = len(a) - last, len(b) - last
    return {i: i for i in range(first)} | {n + k: m + k for k in range(last)}, first, n, m


def align(a: Sequence[Any], b: Sequence[Any]) -> dict[int, int]:
    """Align equal characters: what both begin or end with; then at least cost, by recursion."""
    found, first, n, m = trimmed(a, b)

    @cache
    def cost(i: int, j: int) -> int:
        if i == n or j == m:
            return n - i + m - j
        if a[i] == b[j]:
            return cost(i + 1, j + 1)
        return 1 + min(cost(i + 1, j), cost(i, j + 1), cost(i + 1, j + 1))

    i = j = first
    while i < n and j < m:
        if a[i] == b[j]:
            found[i] = j
            i, j = i + 1, j + 1
        elif cost(i, j) == 1 + cost(i + 1, j + 1):
            i, j = i + 1, j + 1
        elif cost(i, j) == 1 + cost(i + 1, j):
            i += 1
        else:
            j += 1
    return found


def align_words(gold: Sequence[str], test: Sequence[str]) -> dict[int, int]:
    """Align as many equal words as possible, then as many equal folded ones."""
    found, first, n, m = trimmed(gold, test)

    def pair(i: int, j: int) -> tuple[int, int] | None:
        if fold(gold[i]) != fold(test[j]):
            return None
        equal, folded = best(i + 1, j + 1)
        return (equal + 1, folded) if gold[i] == test[j] else (equal, folded + 1)

    @cache
    def best(i: int, j: int) -> tuple[int, int]:
        if i == n or j == m:
            return 0, 0
        return max(best(i + 1, j), best(i, j + 1), pair(i, j) or (0, 0))

    i = j = first
    while i < n and j < m:
        if pair(i, j) == best(i, j):
            found[i] = j
            i, j = i + 1, j + 1
        elif best(i + 1, j) == best(i, j):
            i += 1
        else:
            j += 1
    return found


def links(gold: Sequence[str], test: Sequence[str]) -> tuple[WordLink, ...]:
    whole = align_words(gold, test)
    found = [
        WordLink(i, j, WordMatch.EXACT if gold[i] == test[j] else WordMatch.FOLDED, len(fold(gold[i])))
        for i, j in whole.items()
    ]
    borders = [(-1, -1), *sorted(whole.items()), (len(gold), len(test))]
    for (i, j), (k, q) in pairwise(borders):
        found += by_characters(gold, test, i + 1, k, j + 1, q)
    return tuple(sorted(found, key=lambda link: (link.gold, link.test)))


def by_characters(gold: Sequence[str], test: Sequence[str], i: int, i_end: int, j: int, j_end: int) -> list[WordLink]:
    """Align the characters of a gap, and keep what is more than chance."""
    a = [(word, c) for word in range(i, i_end) for c in fold(gold[word])]
    b = [(word, c) for word in range(j, j_end) for c in fold(test[word])]
    pairs = align([c for _, c in a], [c for _, c in b])
    shared = Counter((a[k][0], b[q][0]) for k, q in pairs.items())
    size = {("gold", k): len(fold(gold[k])) for k in range(i, i_end)}
    size |= {("test", q): len(fold(test[q])) for q in range(j, j_end)}
    shared = Counter({(k, q): n for (k, q), n in shared.items() if n > min(size["gold", k], size["test", q]) / 2})
    covered: Counter[tuple[str, int]] = Counter()
    for (k, q), n in shared.items():
        covered["gold", k] += n
        covered["test", q] += n
    return [
        WordLink(k, q, WordMatch.CHARACTERS, n)
        for (k, q), n in shared.items()
        if all(covered[word] >= size[word] / 2 for word in (("gold", k), ("test", q)))
    ]


def places(kept: Sequence[int | None], found: Sequence[WordLink], side: str) -> list[list[int]]:
    """List the aligned positions of each word that is left of one side.

    `kept` holds for each word as read its place among those that are left, or None; `found` only links between words
    that are left on both sides.
    """
    result: list[list[int]] = [[] for place in kept if place is not None]
    position = 0
    for link in found:
        place = kept[link.gold if side == "gold" else link.test]
        assert place is not None
        result[place] += range(position, position + link.characters)
        position += link.characters
    return result


def spans(tree: Tree, words: list[list[int]]) -> list[frozenset[int]]:
    """Return the aligned positions that each node covers."""
    return [frozenset(p for word in words[tree.starts[n] : tree.ends[n]] for p in word) for n in range(len(tree))]


def brackets(tree: Tree, words: list[list[int]], *, whole: bool, labeled: bool = True) -> Counter[Any]:
    """Count the brackets that cover any position: label and positions."""
    over = spans(tree, words)
    return Counter(
        (tree.labels[n] if labeled else "", over[n])
        for n in range(len(tree))
        if over[n] and (tree.kinds[n] == 0 or (whole and tree.kinds[n] == 1))
    )


def crossing(gold: Tree, test: Tree, gold_words: list[list[int]], test_words: list[list[int]]) -> int:
    """Count the test phrases that cross a gold one: both have positions of their own and share some."""
    golds, tests = (
        [over for n, over in enumerate(spans(tree, words)) if tree.kinds[n] == 0]
        for tree, words in ((gold, gold_words), (test, test_words))
    )
    return sum(any(g & t and g - t and t - g for g in golds) for t in tests)


def retokenised(random: Random, words: list[str], most_changes: int = 4) -> list[str]:
    """Join, split, capitalise, replace, leave out and add some words."""
    words = list(words)
    for _ in range(random.randint(1, most_changes)):
        k = random.randrange(len(words))
        what = random.randrange(6)
        if what == 0 and k + 1 < len(words):
            words[k : k + 2] = [words[k] + words[k + 1]]
        elif what == 1 and len(words[k]) > 1:
            cut = random.randint(1, len(words[k]) - 1)
            words[k : k + 1] = [words[k][:cut], words[k][cut:]]
        elif what == 2:
            words[k] = words[k].swapcase()
        elif what == 3:
            words[k] = random.choice(FORMS)
        elif what == 4 and len(words) > 1:
            del words[k]
        else:
            words.insert(k, random.choice(FORMS))
    return words


FORMS = ("a", "b", "ab", "Ab", "bab", "can", "not", "-LRB-", "(", "``", '"', "ca", "n't", ",", "abba")
"""Words that are easily mistaken for one another."""
