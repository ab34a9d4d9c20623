"""Partners of words, and spans in aligned positions, from the links between words."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels import CACHE


@njit(cache=CACHE, nogil=True)
def place_words(
    links, link_offsets, chosen,
    g_dropped, g_read, g_start, g_end, g_offsets,
    t_dropped, t_read, t_start, t_end, t_offsets,
    partner, match, single,
):  # fmt: skip
    """Find each word's partner, and turn the spans of nodes into spans of aligned positions.

    A character position is aligned if its character has a partner and both their words are left after deletion. Only
    the order of positions counts, so borders of words are numbered among all different borders of both sides.

    Parameters
    ----------
    links, link_offsets : ndarray
        As :func:`align_words` returns them, by positions among the words as read.
    chosen : ndarray of bool, shape (sentences,)
        The sentences to place; the others are left alone.
    g_dropped, t_dropped : ndarray of bool
        Whether each word as read is deleted.
    g_read, t_read : ndarray of int64, shape (sentences + 1,)
        First word as read of each sentence.
    g_start, g_end, t_start, t_end : ndarray of int32, shape (nodes,), input and output
        Spans in words that are left; then in aligned positions, from 0, empty where a node covers none.
    g_offsets, t_offsets : ndarray of int64, shape (sentences + 1,)
        First node of each sentence.
    partner : ndarray of int32, shape (gold words left,), output
        Position, among the test words left, of the linked word that shares most characters, the first of those; -1
        where there is none.
    match : ndarray of uint8, shape (gold words left,), output
        Why the two are aligned.
    single : ndarray of bool, shape (gold words left,), output
        Whether neither the word nor its partner is linked with any other word that is left.
    """
    word = 0
    for s in range(chosen.shape[0]):
        n_read = g_read[s + 1] - g_read[s]
        m_read = t_read[s + 1] - t_read[s]
        place_g = np.empty(n_read, np.int32)
        n = 0
        for i in range(n_read):
            place_g[i] = -1 if g_dropped[g_read[s] + i] else n
            n += 0 if g_dropped[g_read[s] + i] else 1
        if not chosen[s]:
            word += n
            continue
        place_t = np.empty(m_read, np.int32)
        m = 0
        for j in range(m_read):
            place_t[j] = -1 if t_dropped[t_read[s] + j] else m
            m += 0 if t_dropped[t_read[s] + j] else 1
        # characters aligned before each word, and number of links
        before_g = np.zeros(n + 1, np.int64)
        before_t = np.zeros(m + 1, np.int64)
        degree_g = np.zeros(n, np.int32)
        degree_t = np.zeros(m, np.int32)
        max_shared = np.zeros(n, np.int32)
        for i in range(n):
            partner[word + i] = -1
        for k in range(link_offsets[s], link_offsets[s + 1]):
            i = place_g[links[k, 0]]
            j = place_t[links[k, 1]]
            if i < 0 or j < 0:
                continue
            before_g[i + 1] += links[k, 3]
            before_t[j + 1] += links[k, 3]
            degree_g[i] += 1
            degree_t[j] += 1
            if links[k, 3] > max_shared[i]:
                max_shared[i] = links[k, 3]
                partner[word + i] = j
                match[word + i] = links[k, 2]
        for i in range(n):
            before_g[i + 1] += before_g[i]
            j = partner[word + i]
            single[word + i] = j >= 0 and degree_g[i] == 1 and degree_t[j] == 1
        for j in range(m):
            before_t[j + 1] += before_t[j]
        rank_g = np.empty(n + 1, np.int32)
        rank_t = np.empty(m + 1, np.int32)
        i = 0
        j = 0
        rank = -1
        last = np.int64(-1)
        while i <= n or j <= m:
            if j > m or (i <= n and before_g[i] <= before_t[j]):
                if before_g[i] > last:
                    rank += 1
                    last = before_g[i]
                rank_g[i] = rank
                i += 1
            else:
                if before_t[j] > last:
                    rank += 1
                    last = before_t[j]
                rank_t[j] = rank
                j += 1
        for node in range(g_offsets[s], g_offsets[s + 1]):
            g_start[node] = rank_g[g_start[node]]
            g_end[node] = rank_g[g_end[node]]
        for node in range(t_offsets[s], t_offsets[s + 1]):
            t_start[node] = rank_t[t_start[node]]
            t_end[node] = rank_t[t_end[node]]
        word += n
