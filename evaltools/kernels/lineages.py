"""Lineages of words in constituency and dependency trees, and their weighted edit distance."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

_BEGIN = -1
"""The marker ``[`` among the symbols of a lineage."""
_END = -2
"""The marker ``]``."""


@register_jitable
def _counted(parent, kind, highest_kind, node):
    """Return the node, or the lowest above it that is part of lineages; -1 if there is none."""
    while node >= 0 and kind[node] > highest_kind:
        node = parent[node]
    return node


@register_jitable
def _lineage(label, parent, start, end, kind, word, highest_kind, out):
    """Write a word's lineage, leaf first, and return its length.

    Parameters
    ----------
    label, parent, start, end, kind : ndarray
        Columns of one sentence.
    word : int64
        The word's node.
    highest_kind : uint8
        0 to leave preterminals out, 1 to include them.
    out : ndarray of int32
        Longer by two than the number of ancestors.
    """
    first = start[word]
    n = 0
    node = _counted(parent, kind, highest_kind, parent[word])
    while node >= 0:
        above = _counted(parent, kind, highest_kind, parent[node])
        if start[node] == first and (above < 0 or start[above] != first):
            out[n] = _BEGIN
            n += 1
        out[n] = label[node]
        n += 1
        if end[node] == first + 1 and (above < 0 or end[above] != first + 1):
            out[n] = _END
            n += 1
        node = above
    return n


@register_jitable
def _lineage_distance(a, n, b, m, label_class, initial, table, use_table, row, out):
    """Compute the edit distances of two lineages: strict, partial, and by table.

    Parameters
    ----------
    a, b : ndarray of int32
        Labels, of which the first `n` and `m` count; markers are negative.
    label_class, initial, table, use_table
        As for :func:`compare_lineages`.
    row : ndarray of float64
        Longer by one than the lineage in `b`.
    out : ndarray of float64, shape (3,), output
        The distances; the third is left alone where `use_table` is False and the lineages differ.
    """
    while n > 0 and m > 0 and a[n - 1] == b[m - 1]:
        n -= 1
        m -= 1
    skip = 0
    while skip < n and skip < m and a[skip] == b[skip]:
        skip += 1
    n -= skip
    m -= skip
    if n == 0 or m == 0:
        out[0] = out[1] = out[2] = n + m
        return
    for scheme in range(3 if use_table else 2):
        for j in range(m + 1):
            row[j] = j
        for i in range(n):
            corner = row[0]
            row[0] = i + 1
            x = a[skip + i]
            x_class = label_class[x] if x >= 0 else x
            for j in range(m):
                y = b[skip + j]
                if x_class == (label_class[y] if y >= 0 else y):
                    cost = 0.0
                elif x < 0 or y < 0 or scheme == 0:
                    cost = 2.0
                elif scheme == 1:
                    cost = 0.5 if initial[x] == initial[y] else 2.0
                else:
                    cost = table[x, y]
                best = corner + cost
                corner = row[j + 1]
                best = min(best, corner + 1.0)
                best = min(best, row[j] + 1.0)
                row[j + 1] = best
        out[scheme] = row[m]


@njit(cache=CACHE, nogil=True)
def compare_lineages(
    g_label, g_parent, g_leftmost, g_start, g_end, g_kind, g_offsets,
    t_label, t_parent, t_leftmost, t_start, t_end, t_kind, t_offsets,
    scored, word_partner, label_class, initial, table, use_table, highest_kind, word_offsets, similarity, length,
    first, last,
):  # fmt: skip
    """Compare the lineages of every word of a range of sentences.

    Parameters
    ----------
    g_label, …, g_offsets, t_label, …, t_offsets : ndarray
        Columns of the gold and the test treebank after normalization.
    scored : ndarray of uint8, shape (sentences,)
        1 where both sides have the same words, 2 where they differ and are aligned; other sentences are left alone.
    word_partner : ndarray of int32, shape (gold words,)
        Where words are aligned: position of the test word that a gold word is compared with, or -1 to skip it.
    label_class : ndarray of int32, shape (labels,)
        The same number for labels that count as equal.
    initial : ndarray of int32, shape (labels,)
        Number of each label's first character, for the partial scheme.
    table : ndarray of float64, shape (labels, labels)
        Replacement costs of the user's table; anything where `use_table` is False.
    highest_kind : uint8
        0 to leave preterminals out of lineages, 1 to include them.
    word_offsets : ndarray of int64, shape (sentences + 1,)
        First gold word of each sentence.
    similarity : ndarray of float64, shape (words, 3), output
        ``1 - distance / (len gold + len test)`` by the schemes strict, partial, table; 1 for two empty lineages.
        The third column is left alone where `use_table` is False.
    length : ndarray of int32, shape (words, 2), output
        Symbols of the gold and of the test lineage.
    first, last : int64
        The range of sentences, half-open.
    """
    capacity = 16
    for s in range(first, last):
        capacity = max(capacity, g_offsets[s + 1] - g_offsets[s] + 3, t_offsets[s + 1] - t_offsets[s] + 3)
    a = np.empty(capacity, np.int32)
    b = np.empty(capacity, np.int32)
    node_of = np.empty(capacity, np.int32)  # of each test word
    row = np.empty(capacity + 1, np.float64)
    out = np.zeros(3, np.float64)
    for s in range(first, last):
        if scored[s] == 0:
            continue
        g0, g1 = g_offsets[s], g_offsets[s + 1]
        t0, t1 = t_offsets[s], t_offsets[s + 1]
        gold = g_label[g0:g1], g_parent[g0:g1], g_start[g0:g1], g_end[g0:g1], g_kind[g0:g1]
        test = t_label[t0:t1], t_parent[t0:t1], t_start[t0:t1], t_end[t0:t1], t_kind[t0:t1]
        word = word_offsets[s]
        n_words = 0
        for k in range(t1 - t0):
            if t_kind[t0 + k] == 2:
                node_of[n_words] = k
                n_words += 1
        for i in range(g1 - g0):
            if g_kind[g0 + i] != 2:
                continue
            at = word - word_offsets[s] if scored[s] == 1 else np.int64(word_partner[word])
            if at < 0:
                word += 1
                continue
            j = np.int64(node_of[at])
            n = _lineage(*gold, i, highest_kind, a)
            m = _lineage(*test, j, highest_kind, b)
            length[word, 0] = n
            length[word, 1] = m
            if n + m > 0:
                _lineage_distance(a, n, b, m, label_class, initial, table, use_table, row, out)
            for scheme in range(3 if use_table else 2):
                similarity[word, scheme] = 1.0 if n + m == 0 else 1.0 - out[scheme] / (n + m)
            word += 1


@register_jitable
def _relation_lineage(head, relation, word, out):
    """Write a word's lineage, its own relation first, and return its length.

    Parameters
    ----------
    head : ndarray of int32, shape (words,)
        Position of every word's head in the sentence, -1 for a root.
    relation : ndarray of int32, shape (words,)
        Number of every word's relation.
    word : int64
        The word's position.
    out : ndarray of int32
        At least as long as the sentence. A path with a cycle ends after as many symbols.
    """
    n = 0
    node = word
    while node >= 0 and n < head.shape[0]:
        out[n] = relation[node]
        n += 1
        node = head[node]
    return n


@njit(cache=CACHE, nogil=True)
def compare_relation_lineages(
    g_head, g_relation, g_offsets, t_head, t_relation, t_offsets, partner, initial,
    table, use_table, similarity, length, first, last,
):  # fmt: skip
    """Compare the lineages of every word of a range of sentences with those of its partner.

    Parameters
    ----------
    g_head, g_relation, t_head, t_relation : ndarray of int32, shape (words,)
        Head (position in the sentence, -1 for a root) and relation of every word of the gold and the test trees.
    g_offsets, t_offsets : ndarray of int64, shape (sentences + 1,)
        First word of each sentence.
    partner : ndarray of int32, shape (gold words,)
        Position of each gold word's partner in the test sentence, -1 where it has none: such words are left alone.
    initial : ndarray of int32, shape (relations,)
        Number of each relation's first character, for the partial scheme.
    table : ndarray of float64, shape (relations, relations)
        Replacement costs of the user's table; anything where `use_table` is False.
    similarity : ndarray of float64, shape (gold words, 3), output
        ``1 - distance / (len gold + len test)`` by the schemes strict, partial, table. The third column is left alone
        where `use_table` is False.
    length : ndarray of int32, shape (gold words, 2), output
        Relations in the gold and in the test lineage.
    first, last : int64
        The range of sentences, half-open.
    """
    relations = np.arange(initial.shape[0], dtype=np.int32)
    capacity = 1
    for s in range(first, last):
        capacity = max(capacity, g_offsets[s + 1] - g_offsets[s], t_offsets[s + 1] - t_offsets[s])
    a = np.empty(capacity, np.int32)
    b = np.empty(capacity, np.int32)
    row = np.empty(capacity + 1, np.float64)
    out = np.zeros(3, np.float64)
    for s in range(first, last):
        g0, g1 = g_offsets[s], g_offsets[s + 1]
        t0, t1 = t_offsets[s], t_offsets[s + 1]
        for word in range(g1 - g0):
            test_word = np.int64(partner[g0 + word])
            if test_word < 0:
                continue
            n = _relation_lineage(g_head[g0:g1], g_relation[g0:g1], word, a)
            m = _relation_lineage(t_head[t0:t1], t_relation[t0:t1], test_word, b)
            length[g0 + word, 0] = n
            length[g0 + word, 1] = m
            _lineage_distance(a, n, b, m, relations, initial, table, use_table, row, out)
            for scheme in range(3 if use_table else 2):
                similarity[g0 + word, scheme] = 1.0 - out[scheme] / (n + m)
