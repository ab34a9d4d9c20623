"""Mapping the nodes of two graphs so that as many labels and relations as possible agree, with a bound.

A pair of nodes agrees in labels; a *link* is two pairs of nodes which agree in a relation between them. Each link has
two ends, and its value is shared between them. For given shares, the best mapping is an assignment problem, whose
weights come from small assignment problems, one for every pair: which of its links can hold together. Its value is a
bound, whatever the shares. Shares are moved towards ends that do not use the link (a subgradient method), so that the
bound falls; each assignment, improved by moving and swapping partners, is a mapping that may be the best so far.

References
----------
G. W. Klau (2009). A new graph-based method for pairwise global network alignment. BMC Bioinformatics 10, S59.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

_SMALL = 1e-6
_PATIENCE = 8
"""Rounds without a better bound after which steps become shorter."""


@register_jitable
def _assign(weights, partner):
    """Assign rows to columns so that the weights sum up to most; pairs whose weight is not positive are left out."""
    n, m = weights.shape
    is_wide = n <= m
    rows, columns = min(n, m), max(n, m)
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    row_of, before = np.zeros(columns + 1, np.int64), np.zeros(columns + 1, np.int64)
    distance, reached = np.empty(columns + 1), np.empty(columns + 1, np.bool_)
    for row in range(1, rows + 1):  # the shortest path from each row to a free column; column 0 stands for the start
        row_of[0] = row
        distance[:] = np.inf
        reached[:] = False
        column = 0
        while row_of[column]:
            reached[column] = True
            i = row_of[column]
            least, nearest = np.inf, 0
            for j in range(1, columns + 1):
                if not reached[j]:
                    weight = weights[i - 1, j - 1] if is_wide else weights[j - 1, i - 1]
                    cost = -max(weight, 0.0) - row_price[i] - column_price[j]
                    if cost < distance[j]:
                        distance[j] = cost
                        before[j] = column
                    if distance[j] < least:
                        least = distance[j]
                        nearest = j
            for j in range(columns + 1):
                if reached[j]:
                    row_price[row_of[j]] += least
                    column_price[j] -= least
                else:
                    distance[j] -= least
            column = nearest
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    partner[:] = -1
    total = 0.0
    for j in range(1, columns + 1):
        if row_of[j]:
            a, c = (row_of[j] - 1, j - 1) if is_wide else (j - 1, row_of[j] - 1)
            if weights[a, c] > 0:
                partner[a] = c
                total += weights[a, c]
    return total


@register_jitable
def _best_links(ends, shares, first, last, row_at, column_at, used):
    """Choose the links of a pair, ``first:last``, at most one for every node of either graph; return their shares."""
    n_rows, n_columns = 0, 0
    for e in range(first, last):
        used[e] = False
        if row_at[ends[e, 0]] < 0:
            row_at[ends[e, 0]] = n_rows
            n_rows += 1
        if column_at[ends[e, 1]] < 0:
            column_at[ends[e, 1]] = n_columns
            n_columns += 1
    total = 0.0
    if n_rows == 1 or n_columns == 1:
        best = 0
        sums = np.zeros(max(n_rows, n_columns))
        for e in range(first, last):
            sums[row_at[ends[e, 0]] + column_at[ends[e, 1]]] += shares[e]
        for index in range(1, len(sums)):
            if sums[index] > sums[best]:
                best = index
        total = max(sums[best], 0.0)
        if total > 0:
            for e in range(first, last):
                used[e] = row_at[ends[e, 0]] + column_at[ends[e, 1]] == best
    else:
        weights, partner = np.zeros((n_rows, n_columns)), np.empty(n_rows, np.int64)
        for e in range(first, last):
            weights[row_at[ends[e, 0]], column_at[ends[e, 1]]] += shares[e]
        total = _assign(weights, partner)
        for e in range(first, last):
            used[e] = partner[row_at[ends[e, 0]]] == column_at[ends[e, 1]]
    for e in range(first, last):
        row_at[ends[e, 0]] = -1
        column_at[ends[e, 1]] = -1
    return total


@register_jitable
def _gain(a, c, partner, own, start, ends, values):
    """Return what the pair of a and c agrees in, on its own and together with the other pairs of a mapping."""
    pair = a * own.shape[1] + c
    total = own[a, c]
    for e in range(start[pair], start[pair + 1]):
        if partner[ends[e, 0]] == ends[e, 1]:
            total += values[e]
    return total


@register_jitable
def _climb(partner, own, start, ends, values):
    """Improve a mapping by giving nodes other partners, and swapping them, until nothing helps; return its value."""
    n, m = own.shape
    owner = np.full(m, -1, np.int64)
    for a in range(n):
        if partner[a] >= 0:
            owner[partner[a]] = a
    is_better = True
    while is_better:
        is_better = False
        for a in range(n):
            for c in range(m):
                pair = a * m + c
                old = partner[a]
                if c == old or (own[a, c] == 0 and start[pair] == start[pair + 1]):
                    continue
                other = owner[c]
                gain = 0.0
                if old >= 0:
                    gain -= _gain(a, old, partner, own, start, ends, values)
                    partner[a] = -1
                if other >= 0:
                    gain -= _gain(other, c, partner, own, start, ends, values)
                    partner[other] = -1
                gain += _gain(a, c, partner, own, start, ends, values)
                partner[a] = c
                if other >= 0 and old >= 0:
                    gain += _gain(other, old, partner, own, start, ends, values)
                    partner[other] = old
                if gain > _SMALL:
                    owner[c] = a
                    if old >= 0:
                        owner[old] = other
                    is_better = True
                else:
                    partner[a] = old
                    if other >= 0:
                        partner[other] = c
    total = 0.0
    for a in range(n):
        if partner[a] >= 0:
            total += own[a, partner[a]]
            pair = a * m + partner[a]
            for e in range(start[pair], start[pair + 1]):
                if partner[ends[e, 0]] == ends[e, 1]:
                    total += values[e] / 2  # at each end
    return total


@njit(cache=CACHE, nogil=True)
def match_nodes(own, links, max_rounds, partner, result):
    """Map the nodes of two graphs to each other.

    Parameters
    ----------
    own : ndarray of float64, shape (n, m)
        What node a of the first graph and node c of the second agree in by themselves.
    links : ndarray of int64, shape (links, 5)
        Nodes a and c, nodes b and d, and in how many relations from a to b and from c to d they agree.
    max_rounds : int
        How often shares are moved.
    partner : ndarray of int64, shape (n,), output
        The node of the second graph for every one of the first, or -1.
    result : ndarray of int64, shape (2,), output
        How much agrees under the mapping, and a number that no mapping exceeds.
    """
    n, m = own.shape
    n_links = len(links)
    # the ends of links by pair: node of the first graph and of the second at the other end, number of the end
    start = np.zeros(n * m + 1, np.int64)
    for k in range(n_links):
        start[links[k, 0] * m + links[k, 1] + 1] += 1
        start[links[k, 2] * m + links[k, 3] + 1] += 1
    for pair in range(n * m):
        start[pair + 1] += start[pair]
    filled = start[: n * m].copy()
    ends, values = np.empty((2 * n_links, 2), np.int64), np.empty(2 * n_links)
    slots, balance = np.empty((n_links, 2), np.int64), np.empty(n_links, np.int64)
    for k in range(n_links):
        for side in range(2):
            pair = links[k, 2 * side] * m + links[k, 2 * side + 1]
            e = filled[pair]
            filled[pair] += 1
            ends[e, 0], ends[e, 1] = links[k, 2 - 2 * side], links[k, 3 - 2 * side]
            values[e] = links[k, 4]
            slots[k, side] = e
    shares = values / 2
    used = np.zeros(2 * n_links, np.bool_)
    row_at, column_at = np.full(n, -1, np.int64), np.full(m, -1, np.int64)
    weights, is_old = np.empty((n, m)), np.ones((n, m), np.bool_)
    trial = np.empty(n, np.int64)
    lower, upper = -1.0, np.inf
    scale, stale = 1.0, 0
    for _ in range(max_rounds):
        for a in range(n):
            for c in range(m):
                if is_old[a, c]:
                    is_old[a, c] = False
                    first, last = start[a * m + c], start[a * m + c + 1]
                    weights[a, c] = own[a, c]
                    if first < last:
                        weights[a, c] += _best_links(ends, shares, first, last, row_at, column_at, used)
        bound = _assign(weights, trial)
        if bound < upper - _SMALL:
            upper = bound
            stale = 0
        else:
            stale += 1
            if stale == _PATIENCE:
                scale /= 2
                stale = 0
        norm = 0
        for k in range(n_links):  # 1 if only the first end uses a link, -1 if only the second one does
            first_uses = used[slots[k, 0]] and trial[links[k, 0]] == links[k, 1]
            second_uses = used[slots[k, 1]] and trial[links[k, 2]] == links[k, 3]
            balance[k] = np.int64(first_uses) - np.int64(second_uses)
            norm += abs(balance[k])
        value = _climb(trial, own, start, ends, values)
        if value > lower + _SMALL:
            lower = value
            partner[:] = trial
        if norm == 0 or np.floor(upper + _SMALL) <= lower + _SMALL:
            break
        step = scale * max(bound - lower, 0.1) / norm
        for k in range(n_links):
            if balance[k]:
                shares[slots[k, 0]] -= step * balance[k]
                shares[slots[k, 1]] += step * balance[k]
                is_old[links[k, 0], links[k, 1]] = True
                is_old[links[k, 2], links[k, 3]] = True
    result[0] = np.int64(lower + 0.5)
    result[1] = np.int64(np.floor(upper + _SMALL))
