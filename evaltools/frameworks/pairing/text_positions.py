"""Which character of a parser's text is which character of the gold text, where their sentences do not correspond.

If the texts are equal, that is their order. Else sentences with the same id are compared first, or sentences with the
same text in the same order; then what is left of both texts by stretches of characters that occur once on either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.pairing.universal_alignment import NOWHERE, text_positions

__all__ = ["TextMap", "map_texts", "pairs_by_id", "pairs_in_order"]

_STRETCH = 16
_SHORT = 4
_MAX_REPEATS = 1 << 24
_MAX_CELLS = 1 << 20


class TextMap(NamedTuple):
    """A parser's text beside the gold text."""

    position: NDArray[np.int64]  # For each character of the parser's text its position in the gold text, or NOWHERE
    home: NDArray[np.int64]  # For each of its sentences the gold sentence with its id or in its place, or -1
    equal: bool  # Whether the texts are equal


def _starts(texts: Sequence[str]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum([len(text) for text in texts]))).astype(np.int64)


def map_texts(gold: Sequence[str], test: Sequence[str], pairs: Iterable[tuple[int, int]]) -> TextMap:
    """Map the characters of a parser's sentences to those of the gold sentences.

    Parameters
    ----------
    gold, test : sequence of str
        The characters of each sentence, without spaces.
    pairs : iterable of (int, int)
        Indices of gold sentences and of the parser's sentences that belong to them.

    Examples
    --------
    >>> texts = map_texts(["ab", "cd"], ["abcd"], [])
    >>> texts.position.tolist(), texts.equal
    ([0, 1, 2, 3], True)
    >>> map_texts(["ab", "cd"], ["cd", "ab"], [(0, 1), (1, 0)]).position.tolist()
    [2, 3, 0, 1]
    """
    if "".join(gold) == "".join(test):
        return TextMap(np.arange(sum(map(len, test)), dtype=np.int64), np.full(len(test), -1, dtype=np.int64), True)
    starts, test_starts = _starts(gold), _starts(test)
    position = np.full(int(test_starts[-1]), NOWHERE, dtype=np.int64)
    home = np.full(len(test), -1, dtype=np.int64)
    for a, b in pairs:
        home[b] = a
        own = np.arange(len(test[b])) if gold[a] == test[b] else text_positions(gold[a], test[b])
        position[test_starts[b] : test_starts[b + 1]] = np.where(own == NOWHERE, NOWHERE, own + starts[a])
    _map_rest("".join(gold), "".join(test), position)
    return TextMap(position, home, False)


def pairs_by_id(partner: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the pairs of sentences, given for each gold sentence the index of its partner, below 0 for none."""
    indices = np.flatnonzero(partner >= 0)
    return list(zip(indices.tolist(), partner[indices].tolist(), strict=True))


def pairs_in_order(gold: Sequence[str], test: Sequence[str]) -> list[tuple[int, int]]:
    """Pair sentences with the same text, and in gaps of as many sentences on both sides those at the same place."""
    repeats = Counter(test)
    many = sum(repeats[text] for text in gold) > _MAX_REPEATS
    matcher = SequenceMatcher(a=gold, b=test, autojunk=many)
    pairs: list[tuple[int, int]] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and b - a == d - c):
            pairs += zip(range(a, b), range(c, d), strict=True)
    return pairs


def _keys(text: str) -> NDArray[np.uint64]:
    """Return a number for the stretch of characters that begins at each character."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    n = len(codes) - _STRETCH + 1
    keys = np.zeros(max(n, 0), dtype=np.uint64)
    for offset in range(_STRETCH):
        keys = keys * np.uint64(0x9E3779B97F4A7C15) + codes[offset : offset + len(keys)] + np.uint64(1)
    return keys


def _map_rest(gold: str, test: str, position: NDArray[np.int64]) -> None:
    """Map the characters that are left on both sides, in their order."""
    left = np.flatnonzero(position == NOWHERE)
    taken = np.zeros(len(gold), dtype=np.bool_)
    taken[position[position != NOWHERE]] = True
    gold_left = np.flatnonzero(~taken)
    a, b = ("".join([text[at] for at in rest.tolist()]) for text, rest in ((gold, gold_left), (test, left)))
    own = np.full(len(b), -1, dtype=np.int64)
    if min(len(a), len(b)) >= _STRETCH:
        _map_stretches(a, b, own)
        _extend(a, b, own)
    _fill_gaps(a, b, own)
    found = np.flatnonzero(own >= 0)
    position[left[found]] = gold_left[own[found]]


def _map_stretches(gold: str, test: str, own: NDArray[np.int64]) -> None:
    """Map the characters of stretches that occur once on either side, in the same order."""
    from evaltools.kernels.sentence_alignment import longest_increasing

    sides = []
    for text in (gold, test):
        keys, first, counts = np.unique(_keys(text), return_index=True, return_counts=True)
        sides.append((keys[counts == 1], first[counts == 1]))
    _, in_gold, in_test = np.intersect1d(sides[0][0], sides[1][0], assume_unique=True, return_indices=True)
    pairs = np.column_stack((sides[0][1][in_gold], sides[1][1][in_test]))
    pairs = pairs[np.argsort(pairs[:, 0])]
    pairs = pairs[longest_increasing(np.ascontiguousarray(pairs[:, 1], dtype=np.int64))]
    for offset in range(_STRETCH):
        free = own[pairs[:, 1] + offset] < 0
        own[pairs[free, 1] + offset] = pairs[free, 0] + offset
    # two stretches that overlap in one text only would map two characters to one, or across each other
    mapped = np.flatnonzero(own >= 0)
    behind = own[mapped] <= np.concatenate(([-1], np.maximum.accumulate(own[mapped])[:-1]))
    own[mapped[behind]] = -1


def _fill_gaps(gold: str, test: str, own: NDArray[np.int64]) -> None:
    """Map equal stretches of a few characters between those that are mapped."""
    mapped = np.flatnonzero(own >= 0).tolist()
    bounds = [(-1, -1), *((at, int(own[at])) for at in mapped), (len(test), len(gold))]
    for (b, a), (b_end, a_end) in pairwise(bounds):
        n, m = a_end - a - 1, b_end - b - 1
        if not 0 < n * m <= _MAX_CELLS:
            continue
        matcher = SequenceMatcher(a=gold[a + 1 : a_end], b=test[b + 1 : b_end], autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size >= _SHORT:
                first = b + 1 + block.b
                own[first : first + block.size] = np.arange(block.size) + a + 1 + block.a


def _extend(gold: str, test: str, own: NDArray[np.int64]) -> None:
    """Map the equal characters before and after those that are mapped."""
    used = set(own[own >= 0].tolist())
    for step in (1, -1):
        mapped = np.flatnonzero(own >= 0)
        for start in mapped.tolist() if step == 1 else mapped[::-1].tolist():
            b, a = start + step, int(own[start]) + step
            while 0 <= b < len(test) and 0 <= a < len(gold) and own[b] < 0 and a not in used and gold[a] == test[b]:
                own[b] = a
                used.add(a)
                a, b = a + step, b + step
