"""Moves: a deleted and an inserted node whose subtrees are equal."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE


@register_jitable
def _unmapped(partner):
    """Return the nodes without a partner."""
    nodes = np.empty(partner.shape[0], np.int32)
    n = 0
    for node in range(partner.shape[0]):
        if partner[node] < 0:
            nodes[n] = node
            n += 1
    return nodes[:n]


@register_jitable
def _find(
    g_symbol, g_leftmost, g_start, partner_g, t_symbol, t_leftmost, t_start, partner_t, moved_g, moved_t, saved,
):  # fmt: skip
    """Find the moves of one sentence; return their number, and in `saved` the cost that they save."""
    n, m = g_symbol.shape[0], t_symbol.shape[0]
    moved_g[:] = -1
    moved_t[:] = -1
    saved[0] = 0
    deleted, inserted = _unmapped(partner_g), _unmapped(partner_t)
    n_deleted, n_inserted = deleted.shape[0], inserted.shape[0]
    if n_deleted == 0 or n_inserted == 0:
        return 0
    # the largest subtree first, equal ones from left to right: sorted by counting
    begin = np.zeros(n + 2, np.int32)
    for k in range(n_deleted):
        i = deleted[k]
        begin[n - (i - g_leftmost[i])] += 1
    total = 0
    for k in range(n + 2):
        total += begin[k]
        begin[k] = total - begin[k]
    order = np.empty(n_deleted, np.int32)
    for k in range(n_deleted):
        i = deleted[k]
        place = n - (i - g_leftmost[i])
        order[begin[place]] = i
        begin[place] += 1
    used_g = np.zeros(n, np.uint8)
    used_t = np.zeros(m, np.uint8)
    moves = 0
    for k in range(n_deleted):
        i = order[k]
        if used_g[i]:
            continue
        a = g_leftmost[i]
        width = i - a + 1
        chosen = -1
        nearest = np.int64(1) << 40
        for x in range(n_inserted):
            j = inserted[x]
            b = t_leftmost[j]
            if used_t[j] or j - b + 1 != width or t_symbol[j] != g_symbol[i]:
                continue
            away = abs(np.int64(g_start[i]) - np.int64(t_start[j]))
            if away >= nearest:
                continue
            same = True
            for y in range(width):
                if (
                    g_symbol[a + y] != t_symbol[b + y]
                    or g_leftmost[a + y] - a != t_leftmost[b + y] - b
                    or used_t[b + y]
                ):
                    same = False
                    break
            if same:
                chosen = j
                nearest = away
        if chosen < 0:
            continue
        b = t_leftmost[chosen]
        unmapped = 0
        for y in range(width):
            used_g[a + y] = 1
            used_t[b + y] = 1
            if partner_g[a + y] < 0:
                moved_g[a + y] = moves
                unmapped += 1
            if partner_t[b + y] < 0:
                moved_t[b + y] = moves
                unmapped += 1
        saved[0] += unmapped - 1
        moves += 1
    return moves


@njit(cache=CACHE, nogil=True)
def find_moves(
    g_symbol, g_parent, g_leftmost, g_start, g_end, g_kind, g_offsets,
    t_symbol, t_parent, t_leftmost, t_start, t_end, t_kind, t_offsets,
    partner_g, partner_t, counts, moved_g, moved_t, first, last,
):  # fmt: skip
    """Pair deleted with inserted nodes whose subtrees are equal, the largest first, in a range of sentences.

    Of several equal subtrees the one whose span begins nearest is paired, then the leftmost.

    Parameters
    ----------
    g_symbol, …, g_offsets, t_symbol, …, t_offsets : ndarray
        The columns that were aligned.
    partner_g, partner_t : ndarray of int32, shape (nodes,)
        The mapping.
    counts : ndarray of int32, shape (sentences, 10)
        As the alignment left them; the last two columns become the number of moves, and the cost where each move costs
        1 instead of its deletions and insertions.
    moved_g, moved_t : ndarray of int32, shape (nodes,), output
        For each unmapped node inside a moved subtree the number of the move in its sentence, from 0; else -1.
    first, last : int64
        The range of sentences, half-open.
    """
    saved = np.zeros(1, np.int32)
    for s in range(first, last):
        g0, g1 = g_offsets[s], g_offsets[s + 1]
        t0, t1 = t_offsets[s], t_offsets[s + 1]
        moved_g[g0:g1] = -1
        moved_t[t0:t1] = -1
        if counts[s, 4] == 0 or counts[s, 5] == 0:
            continue
        counts[s, 8] = _find(
            g_symbol[g0:g1], g_leftmost[g0:g1], g_start[g0:g1], partner_g[g0:g1],
            t_symbol[t0:t1], t_leftmost[t0:t1], t_start[t0:t1], partner_t[t0:t1],
            moved_g[g0:g1], moved_t[t0:t1], saved,
        )  # fmt: skip
        counts[s, 9] -= saved[0]
