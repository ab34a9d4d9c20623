"""The monotone alignment of the sentences of two files, by keys and sketches of the sentences.

A sentence is represented by a key, a hash of its characters without the spaces between the words, and two sketches, the
smallest hashes of its words and of its character trigrams. Sentences with equal keys are the same, whatever their
tokenization; sketches give the similarity of other pairs.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

FEATURES = 16
"""Hashes in a sketch."""
EQUAL = 1000
"""Weight of a pair with equal keys; similar ones have their similarity in thousandths, at least `_MIN_SIMILARITY`."""
_MIN_SIMILARITY = 500
_EMPTY = 1
_NOTHING = np.uint32(0xFFFFFFFF)
_OFFSET = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_33 = np.uint64(33)
_32 = np.uint64(32)


@register_jitable
def _mixed(h):
    """Spread a hash over all bits."""
    h = (h ^ (h >> _33)) * _GOLDEN
    return h ^ (h >> _33)


@register_jitable
def _put(sketch, row, value):
    """Put a hash into a sketch, which is sorted, if it is new and among the smallest."""
    short = np.uint32(value >> _32)
    last = sketch.shape[1] - 1
    if short >= sketch[row, last] or short == _NOTHING:
        return
    at = last
    while at > 0 and sketch[row, at - 1] > short:
        at -= 1
    if at > 0 and sketch[row, at - 1] == short:
        return
    for k in range(last, at, -1):
        sketch[row, k] = sketch[row, k - 1]
    sketch[row, at] = short


@njit(cache=CACHE, nogil=True)
def describe_sentences(words, offsets, pool, form_start, lexical):
    """Make the key and the sketches of every sentence.

    Parameters
    ----------
    words : ndarray of int32
        Numbers of the forms of all words.
    offsets : ndarray of int64, shape (sentences + 1,)
        First word of each sentence.
    pool : ndarray of uint8
        The bytes of every form as it is compared.
    form_start : ndarray of int64, shape (forms + 1,)
        Where each form begins in `pool`.
    lexical : ndarray of bool, shape (forms,)
        Whether a form has a letter or a digit; where a sentence has such words, only they are in its sketch of words.

    Returns
    -------
    keys : ndarray of uint64, shape (sentences,)
        0 for a sentence without words.
    by_word, by_trigram : ndarray of uint32, shape (sentences, FEATURES)
        The smallest different hashes, sorted, and the largest number where there are fewer.
    """
    n = offsets.shape[0] - 1
    keys = np.zeros(n, np.uint64)
    by_word = np.full((n, FEATURES), _NOTHING, np.uint32)
    by_trigram = np.full((n, FEATURES), _NOTHING, np.uint32)
    for s in range(n):
        if offsets[s] == offsets[s + 1]:
            continue
        any_lexical = False
        for w in range(offsets[s], offsets[s + 1]):
            any_lexical = any_lexical or lexical[words[w]]
        sentence_hash = _OFFSET
        trigram = np.uint64(0)
        n_bytes = 0
        for w in range(offsets[s], offsets[s + 1]):
            form = words[w]
            word_hash = _OFFSET
            for at in range(form_start[form], form_start[form + 1]):
                byte = np.uint64(pool[at])
                word_hash = (word_hash ^ byte) * _PRIME
                sentence_hash = (sentence_hash ^ byte) * _PRIME
                trigram = ((trigram << np.uint64(8)) | byte) & np.uint64(0xFFFFFF)
                n_bytes += 1
                _put(by_trigram, s, _mixed(trigram + _GOLDEN))
            if lexical[form] or not any_lexical:
                _put(by_word, s, _mixed(word_hash))
        for _ in range(2):  # the ends of the sentence are in trigrams of their own
            trigram = (trigram << np.uint64(8)) & np.uint64(0xFFFFFF)
            _put(by_trigram, s, _mixed(trigram + _GOLDEN))
        keys[s] = max(_mixed(sentence_hash ^ np.uint64(n_bytes)), np.uint64(1))
    return keys, by_word, by_trigram


@register_jitable
def _similarity(a, i, b, j):
    """Estimate the Dice coefficient of two sets in thousandths from the smallest hashes of their union."""
    size = a.shape[1]
    x = y = seen = both = 0
    while seen < size:
        u = a[i, x] if x < size else _NOTHING
        v = b[j, y] if y < size else _NOTHING
        if u == _NOTHING and v == _NOTHING:
            break
        seen += 1
        if u == v:
            both += 1
        if u <= v:
            x += 1
        if v <= u:
            y += 1
    return 2000 * both // (seen + both) if both else 0


@register_jitable
def weight_of(keys_a, words_a, grams_a, i, keys_b, words_b, grams_b, j):
    """Weigh one pair of sentences; see :func:`weights`."""
    if keys_a[i] == 0 or keys_b[j] == 0:
        return 2 * _EMPTY if keys_a[i] == keys_b[j] else _EMPTY
    if keys_a[i] == keys_b[j]:
        return EQUAL
    similarity = max(_similarity(words_a, i, words_b, j), _similarity(grams_a, i, grams_b, j))
    return min(similarity, EQUAL - 1) if similarity >= _MIN_SIMILARITY else 0


@njit(cache=CACHE, nogil=True)
def weights(first, second, keys_a, words_a, grams_a, keys_b, words_b, grams_b):
    """Weigh pairs of sentences.

    Similarity is the maximum of that of the words, which recognizes short sentences with a changed word, and that of
    the trigrams, which do not depend on tokenization.

    Parameters
    ----------
    first, second : ndarray of int64, shape (pairs,)
        The sentences.
    keys_a, words_a, grams_a, keys_b, words_b, grams_b : ndarray
        As :func:`describe_sentences` returns them, of either side.

    Returns
    -------
    ndarray of int64, shape (pairs,)
        :data:`EQUAL` for equal keys; similarity in thousandths; 0 for sentences that are too different. A sentence
        without words has a small weight with any other.
    """
    result = np.empty(first.shape[0], np.int64)
    for k in range(first.shape[0]):
        result[k] = weight_of(keys_a, words_a, grams_a, first[k], keys_b, words_b, grams_b, second[k])
    return result


_WINDOW = 256


@njit(cache=CACHE, nogil=True)
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


@register_jitable
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


@njit(cache=CACHE, nogil=True)
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


@register_jitable
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


@njit(cache=CACHE, nogil=True)
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


@njit(cache=CACHE, nogil=True)
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
