"""Tree distance and the canonical T-mapping: banded Zhang-Shasha, as a similarity.

A mapping with M matched and S swapped pairs costs ``n + m - (2M + S)``, so the cheapest mapping is the one with the
largest ``2M + S``. Pairs therefore carry weights: ``2K + L`` if matched, ``K`` if swapped (``2K`` where that is free),
``P`` more if both are tags or both are phrases, and 1 more if their spans are equal, with ``P`` above the number of
pairs, ``L = P ** 2`` and ``K = P ** 3``. The largest sum of weights then has the least cost, among those the most
matches, among those the most pairs of one kind, and among those the most pairs with equal spans; its parts are read off
by division. Sums stay below ``4 * (min(n, m) + 1) ** 4``, that is below ``2 ** 53`` within `MAX_CELLS`, and are exact
in float64.

For nodes i, j (postorder) of subproblems that begin at leaves a, b::

    S(i, j) = max(S(i-1, j), S(i, j-1), S(l(i)-1, l(j)-1) + T(i, j))        in general
    S(i, j) = max(S(i-1, j), S(i, j-1), S(i-1, j-1) + weight(i, j)) = T(i, j)   where l(i) = a and l(j) = b

Left of a cell, and right of it, a mapping deletes or inserts at least as many nodes as the two sides differ in size.
With ``x = i - j``, ``y = a - b`` and ``z = n - m`` a mapping of cost d therefore stays within
``|y| + |x - y| + |x - z| <= d``. This band starts narrow; every value found in it is that of a real mapping, and is the
best one as soon as its cost fits into the band.

References
----------
K. Zhang and D. Shasha (1989). Simple fast algorithms for the editing distance between trees and related problems.
SIAM Journal on Computing 18, 1245-1262.
H. Touzet (2005). A linear tree edit distance algorithm for similar ordered trees. CPM 2005, 334-345.

A move is a deleted and an inserted node whose subtrees are equal.
"""

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
            for y in range(width):
                if (
                    g_symbol[a + y] != t_symbol[b + y]
                    or g_leftmost[a + y] - a != t_leftmost[b + y] - b
                    or used_t[b + y]
                ):
                    break
            else:
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


MAX_CELLS = 1 << 25
"""Pairs of trees with more than this many pairs of nodes are not aligned, unless they are equal."""

_WORD = 2


@register_jitable
def _orient(parent, leftmost, mirrored, order, left, place):
    """Write postorder of the tree, or of its mirror image.

    ``order[i]`` is the i-th node, ``left[i]`` the first position of its subtree, ``place`` the inverse of `order`.
    """
    n = parent.shape[0]
    if not mirrored:
        for i in range(n):
            order[i] = i
            left[i] = leftmost[i]
        return
    for i in range(n - 1, -1, -1):
        place[i] = 0 if parent[i] < 0 else place[parent[i]] + 1  # depth
    for i in range(n):
        at = n - 1 - (leftmost[i] + place[i])
        order[at] = i
        left[at] = at - (i - leftmost[i])


@register_jitable
def _keyroots(left, out):
    """Write, for each distinct leftmost leaf, the last node that has it; the whole forest counts as one."""
    n = left.shape[0]
    seen = np.zeros(n, np.uint8)
    count = 0
    for i in range(n - 1, -1, -1):
        a = left[i]
        if i == n - 1:
            a = 0
            if left[i] != 0:  # a forest: its last root is a keyroot of its own, after the whole
                out[count] = -1 - (n - 1)
                count += 1
                seen[0] = 1
                a = left[i]
        if seen[a] == 0:
            seen[a] = 1
            out[count] = i
            count += 1
    # from small to large, the whole forest last
    for k in range(count // 2):
        out[k], out[count - 1 - k] = out[count - 1 - k], out[k]
    return count


@register_jitable
def _work(left, roots, count):
    """Return the sum of the sizes of the keyroots' subtrees."""
    total = 0.0
    for k in range(count):
        i = roots[k]
        total += left.shape[0] if i < 0 else i - left[i] + 1
    return total


@register_jitable
def _min_cost(g, t, balance):
    """Return a lower bound of the cost: the symbols that one tree has more often than the other.

    `balance` has a 0 for every symbol, before and after.
    """
    for symbol in g:
        balance[symbol] += 1
    more_in_test = 0
    for symbol in t:
        balance[symbol] -= 1
        if balance[symbol] < 0:
            more_in_test += 1
    for symbol in g:
        balance[symbol] = 0
    for symbol in t:
        balance[symbol] = 0
    return max(more_in_test, more_in_test + g.shape[0] - t.shape[0])


@register_jitable
def _forest(g, gl, gs, ge, t, tl, ts, te, a, i1, b, j1, lowest, highest, heavy, light, like, free, f, d):
    """Fill the table of one subproblem: nodes a..i1 against b..j1.

    `ge` and `te` hold four times the end of a node, plus its kind; a word of the test tree has a kind of its own.
    ``f[i + 1, j + 1]`` is S(i, j); `d` holds T. Cells with ``i - j`` below `lowest` or above `highest` are never read;
    their neighbors see 0, the similarity of mapping nothing.
    """
    n_free = free.shape[0]
    low = max(b - 1, a - 1 - highest)
    high = min(j1, a - 1 - lowest)
    for j in range(low, high + 1):
        f[a, j + 1] = 0.0
    if high < j1:
        f[a, high + 2] = 0.0
    for i in range(a, min(i1, j1 + highest) + 1):
        low = max(b, i - highest)
        high = min(j1, i - lowest)
        f[i + 1, low] = 0.0  # the border of the subproblem, or the edge of the band
        li = gl[i]
        whole_i = li == a
        symbol = g[i]
        begin = gs[i]
        finish = ge[i]
        best = 0.0
        for j in range(low, high + 1):
            best = max(f[i, j + 1], best)
            lj = tl[j]
            if whole_i and lj == b:
                weight = light if symbol == t[j] else heavy
                if symbol != t[j] and symbol < n_free and t[j] < n_free and free[symbol, t[j]]:
                    weight = 2.0 * heavy
                apart = finish ^ te[j]
                if apart & 3 == 0:
                    weight += like
                if apart < 4 and begin == ts[j]:
                    weight += 1.0
                best = max(best, f[i, j] + weight)
                d[i, j] = best
            elif lowest <= li - lj <= highest:
                best = max(best, f[li, lj] + d[i, j])
            f[i + 1, j + 1] = best
        if high < j1:
            f[i + 1, high + 2] = 0.0


@register_jitable
def _similarity(g, gl, gs, ge, t, tl, ts, te, kg, n_kg, kt, n_kt, band, heavy, light, like, free, f, d):
    """Best sum of weights within the band."""
    n, m = g.shape[0], t.shape[0]
    for i in range(n):
        for j in range(max(0, i - band), min(m - 1, i + band) + 1):
            d[i, j] = 0.0
    for x in range(n_kg):
        i1 = np.int64(kg[x])
        a = np.int64(0) if i1 < 0 else np.int64(gl[i1])
        i1 = n - 1 if i1 < 0 else i1
        for y in range(n_kt):
            j1 = np.int64(kt[y])
            b = np.int64(0) if j1 < 0 else np.int64(tl[j1])
            j1 = m - 1 if j1 < 0 else j1
            spare = band - abs(a - b) - abs(a - b - n + m)
            if spare >= 0:
                lowest, highest = min(a - b, n - m) - spare // 2, max(a - b, n - m) + spare // 2
                _forest(
                    g, gl, gs, ge, t, tl, ts, te, a, i1, b, j1, lowest, highest, heavy, light, like, free, f, d
                )  # fmt: skip
    return f[n, m]


@register_jitable
def _trace(g, gl, gs, ge, t, tl, ts, te, band, heavy, light, like, free, f, d, partner, stack):
    """Read one best mapping off the tables; ties fall to mapping, then to deletion."""
    n, m = g.shape[0], t.shape[0]
    n_free = free.shape[0]
    partner[:] = -1
    stack[0, 0], stack[0, 1] = n, m  # the whole forests
    height = 1
    while height:
        height -= 1
        i1, j1 = np.int64(stack[height, 0]), np.int64(stack[height, 1])
        if i1 == n:
            a, b, i1, j1 = np.int64(0), np.int64(0), n - 1, m - 1
        else:
            a, b = np.int64(gl[i1]), np.int64(tl[j1])
            if i1 - a == j1 - b:
                same = True
                for k in range(i1 - a + 1):
                    if g[a + k] != t[b + k] or gl[a + k] - a != tl[b + k] - b:
                        same = False
                        break
                if same:
                    for k in range(i1 - a + 1):
                        partner[a + k] = b + k
                    continue
            if d[i1, j1] == 0.0:
                continue
        spare = band - abs(a - b) - abs(a - b - n + m)
        lowest, highest = min(a - b, n - m) - spare // 2, max(a - b, n - m) + spare // 2
        _forest(g, gl, gs, ge, t, tl, ts, te, a, i1, b, j1, lowest, highest, heavy, light, like, free, f, d)
        i, j = i1, j1
        while i >= a and j >= b:
            value = f[i + 1, j + 1]
            if value == 0.0:
                break
            li, lj = np.int64(gl[i]), np.int64(tl[j])
            if li == a and lj == b:
                weight = light if g[i] == t[j] else heavy
                if g[i] != t[j] and g[i] < n_free and t[j] < n_free and free[g[i], t[j]]:
                    weight = 2.0 * heavy
                apart = ge[i] ^ te[j]
                if apart & 3 == 0:
                    weight += like
                if apart < 4 and gs[i] == ts[j]:
                    weight += 1.0
                if f[i, j] + weight == value:
                    partner[i] = j
                    i -= 1
                    j -= 1
                    continue
            elif lowest <= li - lj <= highest and d[i, j] > 0.0 and f[li, lj] + d[i, j] == value:
                stack[height, 0], stack[height, 1] = i, j
                height += 1
                i, j = li - 1, lj - 1
                continue
            if i - 1 - j >= lowest and f[i, j + 1] == value:
                i -= 1
            else:
                j -= 1


@register_jitable
def _align(
    g_symbol, g_parent, g_leftmost, g_start, g_end, g_kind, t_symbol, t_parent, t_leftmost, t_start, t_end, t_kind,
    first_band, free, balance, partner,
):  # fmt: skip
    """Align two trees; return the cost and fill `partner` (of the gold nodes), or return -1 if they are too large."""
    n, m = g_symbol.shape[0], t_symbol.shape[0]
    partner[:] = -1
    if n == 0 or m == 0:
        return n + m
    if n == m:
        for i in range(n):
            if g_symbol[i] != t_symbol[i] or g_leftmost[i] != t_leftmost[i]:
                break
        else:
            for i in range(n):
                partner[i] = i
            return 0
    if n * m > MAX_CELLS:
        return -1

    small = min(n, m)
    like = np.float64(small + 1)
    heavy = like * like * like
    light = 2.0 * heavy + like * like

    kg = np.empty(n + 1, np.int32)
    kt = np.empty(m + 1, np.int32)
    place = np.empty(max(n, m), np.int32)
    g_order = np.empty(n, np.int32)
    t_order = np.empty(m, np.int32)
    gl = np.empty(n, np.int32)
    tl = np.empty(m, np.int32)
    effort = np.empty(3, np.float64)
    for turn in range(3):  # the tree, its mirror image, and again the one with less work
        mirrored = turn == 1 or (turn == 2 and effort[1] <= effort[0])
        _orient(g_parent, g_leftmost, mirrored, g_order, gl, place)
        _orient(t_parent, t_leftmost, mirrored, t_order, tl, place)
        n_kg = _keyroots(gl, kg)
        n_kt = _keyroots(tl, kt)
        effort[turn] = _work(gl, kg, n_kg) * _work(tl, kt, n_kt)
    g, gs, ge = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    for i in range(n):
        node = g_order[i]
        g[i], gs[i], ge[i] = g_symbol[node], g_start[node], 4 * g_end[node] + g_kind[node]
    t, ts, te = np.empty(m, np.int32), np.empty(m, np.int32), np.empty(m, np.int32)
    for j in range(m):
        node = t_order[j]
        kind = t_kind[node] if t_kind[node] != _WORD else _WORD + 1  # two words carry no weight for their kind
        t[j], ts[j], te[j] = t_symbol[node], t_start[node], 4 * t_end[node] + kind
    f = np.empty((n + 2, m + 3), np.float64)
    d = np.empty((n, m), np.float64)

    largest = max(n, m)
    band = max(first_band, abs(n - m), _min_cost(g_symbol, t_symbol, balance))
    while True:
        if 3 * band >= 2 * largest:
            band = n + m
        best = _similarity(g, gl, gs, ge, t, tl, ts, te, kg, n_kg, kt, n_kt, band, heavy, light, like, free, f, d)
        cost = n + m - np.int64(best // heavy)
        if cost <= band:
            break
        band = min(2 * band, cost)
    mapping = np.empty(n, np.int32)
    stack = np.empty((small + 2, 2), np.int32)
    _trace(g, gl, gs, ge, t, tl, ts, te, band, heavy, light, like, free, f, d, mapping, stack)
    for i in range(n):
        if mapping[i] >= 0:
            partner[g_order[i]] = t_order[mapping[i]]
    return cost


@njit(cache=CACHE, nogil=True)
def align_trees(
    g_symbol, g_parent, g_leftmost, g_start, g_end, g_kind, g_offsets,
    t_symbol, t_parent, t_leftmost, t_start, t_end, t_kind, t_offsets,
    scored, first_band, free, counts, partner_g, partner_t, first, last,
):  # fmt: skip
    """Align a range of sentences.

    Parameters
    ----------
    g_symbol, …, g_offsets, t_symbol, …, t_offsets : ndarray
        Columns of the gold and the test treebank after normalization. Symbols number labels and words together,
        so that a word never equals a label. Kinds are 0 for a phrase, 1 for a tag and 2 for a word.
    scored : ndarray of uint8, shape (sentences,)
        1 for sentences to align; in the others every gold node is deleted and every test node left out.
    first_band : int64
        Width of the first band; any value gives the same cost.
    free : ndarray of uint8, shape (symbols, symbols)
        1 where swapping two symbols costs nothing, in either order; symbols beyond it are never free.
    counts : ndarray of int32, shape (sentences, 10), output
        Gold nodes, test nodes; 0 and 0, in the place of the words, which are counted elsewhere; deleted, inserted,
        swapped, matched; then 0 and the cost, as no moves are known yet. The first is -1 for a pair that is too large.
    partner_g, partner_t : ndarray of int32, shape (nodes,), output
        For each node its partner by position in the sentence, or -1.
    first, last : int64
        The range of sentences, half-open.
    """
    largest = np.int32(0)
    for s in range(first, last):
        for i in range(g_offsets[s], g_offsets[s + 1]):
            largest = max(largest, g_symbol[i])
        for i in range(t_offsets[s], t_offsets[s + 1]):
            largest = max(largest, t_symbol[i])
    balance = np.zeros(largest + 1, np.int32)
    for s in range(first, last):
        g0, g1 = g_offsets[s], g_offsets[s + 1]
        t0, t1 = t_offsets[s], t_offsets[s + 1]
        n, m = g1 - g0, t1 - t0
        row = counts[s]
        row[:] = 0
        row[0] = n
        row[1] = m
        pg, pt = partner_g[g0:g1], partner_t[t0:t1]
        pg[:] = -1
        pt[:] = -1
        if scored[s] == 0:
            row[1] = 0
            row[4] = n
            row[9] = n
            continue
        cost = _align(
            g_symbol[g0:g1], g_parent[g0:g1], g_leftmost[g0:g1], g_start[g0:g1], g_end[g0:g1], g_kind[g0:g1],
            t_symbol[t0:t1], t_parent[t0:t1], t_leftmost[t0:t1], t_start[t0:t1], t_end[t0:t1], t_kind[t0:t1],
            first_band, free, balance, pg,
        )  # fmt: skip
        if cost < 0:
            row[0] = -1
            continue
        mapped = 0
        matched = 0
        for i in range(n):
            j = pg[i]
            if j >= 0:
                pt[j] = i
                mapped += 1
                if g_symbol[g0 + i] == t_symbol[t0 + j]:
                    matched += 1
        row[4] = n - mapped
        row[5] = m - mapped
        row[6] = mapped - matched
        row[7] = matched
        row[9] = cost
