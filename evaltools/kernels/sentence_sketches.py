"""Keys and sketches of sentences, to find a sentence in another file, and the similarity of two sentences.

A sentence is represented by a key, a hash of its characters without the spaces between the words, and two sketches, the
smallest hashes of its words and of its character trigrams. Sentences with equal keys are the same, whatever their
tokenization; sketches give the similarity of other pairs.
"""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel

__all__ = ["EQUAL", "FEATURES", "describe_sentences", "weight_of", "weights"]

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

_KEYS = "uint64[::1]"
_SKETCH = "uint32[:, ::1]"


@kernel("uint64(uint64)", inner=True)
def _mixed(h):
    """Spread a hash over all bits."""
    h = (h ^ (h >> _33)) * _GOLDEN
    return h ^ (h >> _33)


@kernel(f"void({_SKETCH}, int64, uint64)", inner=True)
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


@kernel("(int32[::1], int64[::1], uint8[::1], int64[::1], boolean[::1])")
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


@kernel(f"int64({_SKETCH}, int64, {_SKETCH}, int64)", inner=True)
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


@kernel(f"int64({_KEYS}, {_SKETCH}, {_SKETCH}, int64, {_KEYS}, {_SKETCH}, {_SKETCH}, int64)")
def weight_of(keys_a, words_a, grams_a, i, keys_b, words_b, grams_b, j):
    """Weigh one pair of sentences; see :func:`weights`."""
    if keys_a[i] == 0 or keys_b[j] == 0:
        return 2 * _EMPTY if keys_a[i] == keys_b[j] else _EMPTY
    if keys_a[i] == keys_b[j]:
        return EQUAL
    similarity = max(_similarity(words_a, i, words_b, j), _similarity(grams_a, i, grams_b, j))
    return min(similarity, EQUAL - 1) if similarity >= _MIN_SIMILARITY else 0


@kernel(f"(int64[::1], int64[::1], {_KEYS}, {_SKETCH}, {_SKETCH}, {_KEYS}, {_SKETCH}, {_SKETCH})")
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
