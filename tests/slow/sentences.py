"""What is kept of sentences, and their alignment, the slow way."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

FEATURES = 16
_BITS = (1 << 64) - 1
_PRIME = 0x100000001B3
_BASIS = 0xCBF29CE484222325
_GOLDEN = 0x9E3779B97F4A7C15


def _mixed(h: int) -> int:
    h = ((h ^ (h >> 33)) * _GOLDEN) & _BITS
    return h ^ (h >> 33)


def _fnv(data: bytes) -> int:
    h = _BASIS
    for byte in data:
        h = ((h ^ byte) * _PRIME) & _BITS
    return h


def _smallest(hashes: set[int]) -> list[int]:
    short = {h >> 32 for h in hashes} - {0xFFFFFFFF}
    return (sorted(short) + [0xFFFFFFFF] * FEATURES)[:FEATURES]


def describe(words: list[bytes], lexical: list[bool]) -> tuple[int, list[int], list[int]]:
    """Return the key and the two sketches of a sentence."""
    if not words:
        return 0, [0xFFFFFFFF] * FEATURES, [0xFFFFFFFF] * FEATURES
    joined = b"".join(words)
    chosen = [word for word, one in zip(words, lexical, strict=True) if one] or words
    grams, gram = set(), 0
    for byte in joined + b"\0\0":
        gram = (gram << 8 | byte) & 0xFFFFFF
        grams.add(_mixed((gram + _GOLDEN) & _BITS))
    return (
        max(_mixed(_fnv(joined) ^ len(joined)), 1),
        _smallest({_mixed(_fnv(word)) for word in chosen}),
        _smallest(grams),
    )


def similarity(one: list[int], other: list[int]) -> int:
    """Return the Dice coefficient in thousandths of what two sketches say of the smallest hashes of their union."""
    first, second = ({h for h in side if h != 0xFFFFFFFF} for side in (one, other))
    union = sorted(first | second)[:FEATURES]
    both = sum(h in first and h in second for h in union)
    return 2000 * both // (len(union) + both) if both else 0


def weight(one: tuple[int, list[int], list[int]], other: tuple[int, list[int], list[int]]) -> int:
    if not one[0] or not other[0]:
        return 2 if one[0] == other[0] else 1
    if one[0] == other[0]:
        return 1000
    found = max(similarity(one[1], other[1]), similarity(one[2], other[2]))
    return min(found, 999) if found >= 500 else 0


def best(weights: list[list[int]], n_second: int) -> list[int]:
    """Return the partners of the heaviest monotone alignment, pairing as early as possible, then leaving gold out."""
    n = len(weights)

    @cache
    def found(i: int, j: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        if i == n or j == n_second:
            return 0, ()
        options = []
        if weights[i][j]:
            total, pairs = found(i + 1, j + 1)
            options.append((total + weights[i][j], ((i, j), *pairs)))
        options += [found(i + 1, j), found(i, j + 1)]
        return max(options, key=lambda option: option[0])  # the first of the heaviest

    partner = [-1] * n
    for i, j in found(0, 0)[1]:
        partner[i] = j
    return partner


def extended(partner: list[int], first: list[int], second: list[int]) -> list[int]:
    """Pair the neighbors of pairs while they are equal."""
    n, m = len(first), len(second)
    pairs = [(-1, -1), *((i, j) for i, j in enumerate(partner) if j >= 0), (n, m)]
    result = list(partner)
    for (a, b), (c, d) in pairwise(pairs):
        ours, its = list(range(a + 1, c)), list(range(b + 1, d))

        def forward(ours: list[int] = ours, its: list[int] = its) -> None:
            while ours and its and first[ours[0]] == second[its[0]]:
                result[ours.pop(0)] = its.pop(0)

        def backward(ours: list[int] = ours, its: list[int] = its) -> None:
            while ours and its and first[ours[-1]] == second[its[-1]]:
                result[ours.pop()] = its.pop()

        for step in (backward, forward) if a < 0 and c < n else (forward, backward):
            step()
    return result


def longest_increasing(values: list[int]) -> int:
    """Return the length of a longest strictly increasing subsequence."""
    lengths: list[int] = []
    for place, value in enumerate(values):
        lengths.append(1 + max((lengths[i] for i in range(place) if values[i] < value), default=0))
    return max(lengths, default=0)
