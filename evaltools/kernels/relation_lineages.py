"""Lineages of words in dependency trees: the relations from a word up to the root."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels.lineages import lineage_distance

__all__ = ["compare_relation_lineages", "relation_lineage"]


@njit("(int32[::1], int32[::1], int64, int32[::1])", nogil=True, cache=True)
def relation_lineage(head, relation, word, out):
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
        Room for as many symbols as there are words. A path that comes back to where it was ends there.
    """
    n = 0
    node = word
    while node >= 0 and n < head.shape[0]:
        out[n] = relation[node]
        n += 1
        node = head[node]
    return n


@njit(
    "(int32[::1], int32[::1], int64[::1], int32[::1], int32[::1], int64[::1], int32[::1], int32[::1],"
    " float64[:, ::1], boolean, float64[:, ::1], int32[:, ::1], int64, int64)",
    nogil=True,
    cache=True,
)
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
    room = 1
    for s in range(first, last):
        room = max(room, g_offsets[s + 1] - g_offsets[s], t_offsets[s + 1] - t_offsets[s])
    a = np.empty(room, np.int32)
    b = np.empty(room, np.int32)
    row = np.empty(room + 1, np.float64)
    out = np.zeros(3, np.float64)
    for s in range(first, last):
        g0, g1 = g_offsets[s], g_offsets[s + 1]
        t0, t1 = t_offsets[s], t_offsets[s + 1]
        for word in range(g1 - g0):
            other = np.int64(partner[g0 + word])
            if other < 0:
                continue
            n = relation_lineage(g_head[g0:g1], g_relation[g0:g1], word, a)
            m = relation_lineage(t_head[t0:t1], t_relation[t0:t1], other, b)
            length[g0 + word, 0] = n
            length[g0 + word, 1] = m
            lineage_distance(a[:n], b[:m], initial, table, use_table, row, out)
            for scheme in range(3 if use_table else 2):
                similarity[g0 + word, scheme] = 1.0 - out[scheme] / (n + m)
