"""The monotone alignment of the sentences of two files."""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel
from evaltools.kernels.sentence_sketches import weight_of

__all__ = ["extend", "fill_gaps", "longest_increasing", "slide"]

_KEYS = "uint64[::1]"
_SKETCH = "uint32[:, ::1]"
_SIDES = ", ".join((_KEYS, _SKETCH, _SKETCH) * 2)
_WINDOW = 256


@kernel("int64[::1](int64[::1])")
def longest_increasing(values):
    """Return the indices of a longest strictly increasing subsequence, in O(n log n).

    Parameters
    ----------
    values : ndarray of int64
        Numbers in any order.
    """
    n = values.shape[0]
    tails = np.empty(n, np.int64)
    before = np.empty(n, np.int64)
    length = 0
    for i in range(n):
        low, high = 0, length
        while low < high:
            middle = (low + high) // 2
            if values[tails[middle]] < values[i]:
                low = middle + 1
            else:
                high = middle
        before[i] = tails[low - 1] if low > 0 else -1
        tails[low] = i
        length = max(length, low + 1)
    result = np.empty(length, np.int64)
    at = tails[length - 1] if length else -1
    for k in range(length - 1, -1, -1):
        result[k] = at
        at = before[at]
    return result


@kernel("UniTuple(int64, 4)(int64[::1], int64, int64, int64, int64)", inner=True)
def _next_gap(partner, a, a1, b, b1):
    """Find the next sentences without partner between `a` and `a1`, where `b` is the first that may be one.

    Returns their range, and the range of the other side's sentences between the neighboring pairs.
    """
    while a < a1 and partner[a] >= 0:
        b = partner[a] + 1
        a += 1
    end = a
    while end < a1 and partner[end] < 0:
        end += 1
    return a, end, b, (partner[end] if end < a1 else b1)


@kernel(f"void(int64[::1], {_KEYS}, {_KEYS}, int64, int64, int64, int64)")
def extend(partner, keys_a, keys_b, a0, a1, b0, b1):
    """Pair the neighbors of pairs while their keys are equal: first after each pair, then before the next one.

    Sentences before the first pair are compared from the last one back, since only that is the neighbor of a pair.

    Parameters
    ----------
    partner : ndarray of int64
        For each sentence of the first side that of the other, or -1; changed in place.
    keys_a, keys_b : ndarray of uint64
        The keys.
    a0, a1, b0, b1 : int
        The ranges that are looked at.
    """
    a, b = a0, b0
    while True:
        first, end, low, high = _next_gap(partner, a, a1, b, b1)
        if first >= a1:
            return
        a, b = end, high
        from_the_end = first == a0 and end < a1
        for turn in range(2):
            if from_the_end == (turn == 0):
                while first < end and low < high and keys_a[end - 1] == keys_b[high - 1]:
                    end -= 1
                    high -= 1
                    partner[end] = high
            else:
                while first < end and low < high and keys_a[first] == keys_b[low]:
                    partner[first] = low
                    first += 1
                    low += 1


@kernel(f"UniTuple(int64, 2)(int64[::1], {_SIDES}, int64, int64, int64, int64, int64)", inner=True)
def _best(partner, keys_a, words_a, grams_a, keys_b, words_b, grams_b, a0, a1, b0, b1, max_paired):
    """Pair two ranges so that the sum of the weights is the largest, and of several such ways as early as possible.

    Only pairs whose sentences are both among the first `max_paired` of their range are made; returns where the rest
    begins.
    """
    n, m = a1 - a0, b1 - b0
    weight = np.empty((n, m), np.int64)
    total = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            w = weight_of(keys_a, words_a, grams_a, a0 + i, keys_b, words_b, grams_b, b0 + j)
            weight[i, j] = w
            best = max(total[i + 1, j], total[i, j + 1])
            total[i, j] = max(best, w + total[i + 1, j + 1]) if w > 0 else best
    i = j = 0
    while i < min(n, max_paired) and j < min(m, max_paired):
        if weight[i, j] > 0 and total[i, j] == weight[i, j] + total[i + 1, j + 1]:
            partner[a0 + i] = b0 + j
            i += 1
            j += 1
        elif total[i, j] == total[i + 1, j]:
            i += 1
        else:
            j += 1
    return a0 + i, b0 + j


@kernel(f"int64[:, ::1](int64[::1], {_SIDES}, int64, int64, int64, int64, int64)")
def fill_gaps(partner, keys_a, words_a, grams_a, keys_b, words_b, grams_b, a0, a1, b0, b1, max_cells):
    """Pair the sentences between pairs by weight, in gaps up to a maximum size.

    Parameters
    ----------
    partner : ndarray of int64
        For each sentence of the first side that of the other, or -1; changed in place.
    keys_a, words_a, grams_a, keys_b, words_b, grams_b : ndarray
        Keys and sketches of either side.
    a0, a1, b0, b1 : int
        The ranges that are looked at.
    max_cells : int
        Maximum size of a gap: sentences of one side times those of the other.

    Returns
    -------
    ndarray of int64, shape (gaps, 4)
        The larger gaps, as ranges of the first and of the second side.
    """
    large = np.empty((16, 4), np.int64)
    n_large = 0
    a, b = a0, b0
    while True:
        first, end, low, high = _next_gap(partner, a, a1, b, b1)
        if first >= a1:
            return large[:n_large].copy()
        a, b = end, high
        if low >= high:
            continue
        if (end - first) * (high - low) <= max_cells:
            longest = max(end - first, high - low)
            _best(partner, keys_a, words_a, grams_a, keys_b, words_b, grams_b, first, end, low, high, longest)
            continue
        if n_large == large.shape[0]:
            more = np.empty((2 * n_large, 4), np.int64)
            more[:n_large] = large
            large = more
        large[n_large, 0] = first
        large[n_large, 1] = end
        large[n_large, 2] = low
        large[n_large, 3] = high
        n_large += 1


@kernel(f"void(int64[::1], {_SIDES}, int64, int64, int64, int64)")
def slide(partner, keys_a, words_a, grams_a, keys_b, words_b, grams_b, a0, a1, b0, b1):
    """Pair two long ranges by weight within a window that slides over both, in time in proportion to their length.

    Parameters
    ----------
    partner : ndarray of int64
        For each sentence of the first side that of the other, or -1; changed in place.
    keys_a, words_a, grams_a, keys_b, words_b, grams_b : ndarray
        Keys and sketches of either side.
    a0, a1, b0, b1 : int
        The ranges.
    """
    a, b = a0, b0
    while a < a1 and b < b1:
        n, m = min(_WINDOW, a1 - a), min(_WINDOW, b1 - b)
        # at the end, everything that is left; else half a window, whose pairs have seen what follows
        max_paired = _WINDOW if n == a1 - a and m == b1 - b else _WINDOW // 2
        a, b = _best(partner, keys_a, words_a, grams_a, keys_b, words_b, grams_b, a, a + n, b, b + m, max_paired)
