"""Matching brackets: equal span, equal label."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE


@register_jitable
def _preorder(parent, leftmost, order):
    """Fill `order` with the nodes of a sentence in preorder."""
    n = parent.shape[0]
    depth = np.empty(n, np.int32)
    for i in range(n - 1, -1, -1):
        depth[i] = 0 if parent[i] < 0 else depth[parent[i]] + 1
    for i in range(n):
        order[leftmost[i] + depth[i]] = i


@register_jitable
def _equal(a, b, pairs):
    if a == b:
        return True
    for k in range(pairs.shape[0]):
        if (pairs[k, 0] == a and pairs[k, 1] == b) or (pairs[k, 0] == b and pairs[k, 1] == a):
            return True
    return False


@register_jitable
def _match(
    g_label, g_start, g_end, g_kind, g_order, t_label, t_start, t_end, t_kind, t_order,
    top_kind, labeled, equal, head, following, partner_g, partner_t, empty, keep,
):  # fmt: skip
    """Match one to one in the order in which brackets open; return the number of new pairs.

    With `empty`, brackets with an empty span are matched, too. With `keep`, existing pairs stay, and only the other
    brackets are matched.
    """
    if not keep:
        partner_g[:] = -1
        partner_t[:] = -1
    head[:] = -1
    for k in range(t_order.shape[0] - 1, -1, -1):
        j = t_order[k]
        if t_kind[j] <= top_kind and (empty or t_start[j] < t_end[j]) and partner_t[j] < 0:
            following[j] = head[t_start[j]]
            head[t_start[j]] = j
    matched = 0
    for k in range(g_order.shape[0]):
        i = g_order[k]
        if g_kind[i] > top_kind or partner_g[i] >= 0 or g_start[i] >= head.shape[0]:
            continue
        if g_start[i] == g_end[i] and not empty:
            continue
        previous = -1
        j = head[g_start[i]]
        while j >= 0:
            if t_end[j] == g_end[i] and (not labeled or _equal(g_label[i], t_label[j], equal)):
                partner_g[i] = j
                partner_t[j] = i
                matched += 1
                if previous < 0:
                    head[g_start[i]] = following[j]
                else:
                    following[previous] = following[j]
                break
            previous = j
            j = following[j]
    return matched


@njit(cache=CACHE, nogil=True)
def match_brackets(
    g_label, g_parent, g_leftmost, g_start, g_end, g_kind, g_offsets,
    t_label, t_parent, t_leftmost, t_start, t_end, t_kind, t_offsets,
    scored, word_partner, word_offsets, labeled, equal, counts, partner_g, partner_t, crossing_t, first, last,
):  # fmt: skip
    """Count the brackets of a range of sentences, and pair those with equal span and label.

    Parameters
    ----------
    g_label, …, g_offsets, t_label, …, t_offsets : ndarray
        Columns of the gold and the test treebank after normalization; where words are aligned, spans are spans of
        aligned positions, and a bracket whose span is empty does not match; it never crosses another. A phrase of
        kind 3 does not count, and is not matched.
    scored : ndarray of uint8, shape (sentences,)
        1 where both sides have the same words, 2 where they differ and are aligned, 3 where brackets are over sets of
        words, which :func:`evaltools.kernels.word_sets.number_sets` gives spans; elsewhere brackets are counted
        but none is matched.
    word_partner : ndarray of int32, shape (gold words,)
        Where `scored` is 2 or 3, for words in the order of the trees: position of the test word that a gold word, and
        no other, is aligned with, or -1.
    word_offsets : ndarray of int64, shape (sentences + 1,)
        First gold word of each sentence.
    labeled : bool
        False to ignore all labels (``LABELED 0``).
    equal : ndarray of int32, shape (pairs, 2)
        Labels that count as the same, in either order; not transitive.
    counts : ndarray of int32, shape (sentences, 12), output
        Gold, test, matched, matched unlabeled of the roof; the same of the whole tree; test roof brackets
        that cross a gold one; 1 if all roof brackets match; gold words that have a tag; those whose tag is right.
    partner_g, partner_t : ndarray of int32, shape (nodes,), output
        For each node of the whole tree the node it is matched with, by position in its sentence, or -1: phrases with
        phrases as far as possible. Words are paired by position, or by `word_partner`.
    crossing_t : ndarray of uint8, shape (test nodes,), output
        1 for a test roof bracket that crosses a gold roof bracket; input where `scored` is 3.
    first, last : int64
        The range of sentences, half-open.
    """
    for s in range(first, last):
        g0, g1 = g_offsets[s], g_offsets[s + 1]
        t0, t1 = t_offsets[s], t_offsets[s + 1]
        n_g, n_t = g1 - g0, t1 - t0
        gl, gs, ge, gk = g_label[g0:g1], g_start[g0:g1], g_end[g0:g1], g_kind[g0:g1]
        tl, ts, te, tk = t_label[t0:t1], t_start[t0:t1], t_end[t0:t1], t_kind[t0:t1]
        pg, pt = partner_g[g0:g1], partner_t[t0:t1]
        pg[:] = -1
        pt[:] = -1
        row = counts[s]
        row[:] = 0
        words = 0
        for i in range(n_g):
            if gk[i] == 2:
                words += 1
            elif gk[i] <= 1:
                row[4] += 1
                if gk[i] == 0:
                    row[0] += 1
        for j in range(n_t):
            if tk[j] <= 1:
                row[5] += 1
                if tk[j] == 0:
                    row[1] += 1
        for i in range(n_g):
            if gk[i] == 1:
                row[10] += 1
        if scored[s] == 0:
            continue

        positions = words
        if scored[s] != 1:
            for i in range(n_g):
                positions = max(positions, ge[i])
            for j in range(n_t):
                positions = max(positions, te[j])
        order_g = np.empty(n_g, np.int32)
        order_t = np.empty(n_t, np.int32)
        _preorder(g_parent[g0:g1], g_leftmost[g0:g1], order_g)
        _preorder(t_parent[t0:t1], t_leftmost[t0:t1], order_t)
        head = np.empty(positions + 1, np.int32)
        following = np.empty(n_t, np.int32)
        empty = scored[s] != 2  # in aligned words a bracket may have an empty span because none of its words is aligned
        # four calls with constants are compiled into faster code than a loop
        row[3] = _match(
            gl, gs, ge, gk, order_g, tl, ts, te, tk, order_t, 0, False, equal, head, following, pg, pt, empty, False
        )
        row[7] = _match(
            gl, gs, ge, gk, order_g, tl, ts, te, tk, order_t, 1, False, equal, head, following, pg, pt, empty, False
        )
        row[2] = _match(
            gl, gs, ge, gk, order_g, tl, ts, te, tk, order_t, 0, labeled, equal, head, following, pg, pt, empty, False
        )
        # phrases with phrases as far as possible, then the rest of the whole tree
        row[6] = row[2] + _match(
            gl, gs, ge, gk, order_g, tl, ts, te, tk, order_t, 1, labeled, equal, head, following, pg, pt, empty, True
        )
        row[9] = 1 if row[0] == row[1] and row[1] == row[2] else 0

        # the innermost gold bracket around each boundary between words; a crossing bracket cuts one of those
        around_start = np.full(positions + 1, -1, np.int32)
        around_end = np.full(positions + 1, positions + 1, np.int32)
        for k in range(n_g if scored[s] != 3 else 0):
            i = order_g[k]
            if gk[i] == 0:
                for p in range(gs[i] + 1, ge[i]):
                    around_start[p] = gs[i]
                    around_end[p] = ge[i]
        for j in range(n_t):
            if scored[s] == 3:
                row[8] += crossing_t[t0 + j]
                continue
            crossing_t[t0 + j] = 0
            if tk[j] == 0 and ts[j] < te[j]:
                a, b = ts[j], te[j]
                cuts_left = around_start[a] >= 0 and around_end[a] < b
                cuts_right = b <= positions and around_start[b] > a
                if cuts_left or cuts_right:
                    crossing_t[t0 + j] = 1
                    row[8] += 1

        node_of = following  # reuse: node of each test word
        n_words = 0
        for j in range(n_t):
            if tk[j] == 2:
                node_of[n_words] = j
                n_words += 1
        word = 0
        for i in range(n_g):
            if gk[i] != 2:
                continue
            at = word if scored[s] == 1 else word_partner[word_offsets[s] + word]
            word += 1
            if 0 <= at < n_words:
                j = node_of[at]
                pg[i] = j
                pt[j] = i
                up_g, up_t = g_parent[g0 + i], t_parent[t0 + j]
                if up_g >= 0 and up_t >= 0 and gk[up_g] == 1 and tk[up_t] == 1 and _equal(gl[up_g], tl[up_t], equal):
                    row[11] += 1
