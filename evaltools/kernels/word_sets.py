"""Nodes whose words are sets of positions: their order in a tree, and numbers for their sets."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE


@njit(cache=CACHE, nogil=True)
def arrange_nodes(parent, position, offsets, order, new_parent, leftmost, start, end):
    """Find the postorder of each tree in which siblings stand in the order of their first words.

    Parameters
    ----------
    parent : ndarray of int32, shape (nodes,)
        The parent's position in the sentence, -1 for a root.
    position : ndarray of int32, shape (nodes,)
        For a word its position in the sentence, each from 0 on once; -1 for other nodes.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence s has the nodes ``offsets[s]:offsets[s + 1]``.
    order : ndarray of int32, shape (nodes,), output
        For each node of the new order its position in the sentence before. Nodes without words come after their
        siblings.
    new_parent, leftmost, start, end : ndarray of int32, shape (nodes,), output
        The columns of a treebank, in the new order.
    """
    for s in range(offsets.shape[0] - 1):
        begin = offsets[s]
        n = offsets[s + 1] - begin
        at_word = np.full(n + 1, -1, np.int32)
        for i in range(n):
            if position[begin + i] >= 0:
                at_word[position[begin + i]] = i
        # children in the order in which going up from the words, from left to right, first reaches them
        first = np.full(n + 1, -1, np.int32)  # the last for the roots
        last = np.full(n + 1, -1, np.int32)
        following = np.full(n, -1, np.int32)
        linked = np.zeros(n, np.uint8)
        for k in range(2 * n):
            node = at_word[k] if k < n else np.int32(k - n)  # the rest have no words
            while node >= 0 and linked[node] == 0:
                linked[node] = 1
                up = parent[begin + node]
                above = up if up >= 0 else n
                if last[above] < 0:
                    first[above] = node
                else:
                    following[last[above]] = node
                last[above] = node
                node = up
        out = 0
        node = first[n]
        while node >= 0:
            while first[node] >= 0:
                node = first[node]
            order[begin + out] = node
            out += 1
            while following[node] < 0:
                node = parent[begin + node]
                if node < 0:
                    break
                order[begin + out] = node
                out += 1
            if node >= 0:
                node = following[node]
        index = last  # of each node in the new order
        words = 0
        for k in range(n):
            node = order[begin + k]
            index[node] = k
            leftmost[begin + k] = k
            start[begin + k] = words
            if position[begin + node] >= 0:
                words += 1
            end[begin + k] = words
        for k in range(n):
            up = parent[begin + order[begin + k]]
            new_parent[begin + k] = index[up] if up >= 0 else -1
            if up >= 0:
                above = begin + index[up]
                leftmost[above] = min(leftmost[above], leftmost[begin + k])
                start[above] = min(start[above], start[begin + k])


@register_jitable
def _fill_sets(parent, start, end, kind, member):
    """Mark the positions that each node of a sentence covers: those of the words below it."""
    for i in range(parent.shape[0]):
        if kind[i] == 2:
            for p in range(start[i], end[i]):
                member[i, p] = 1
        up = parent[i]
        if up >= 0:  # postorder: a node is complete when it is reached
            for p in range(member.shape[1]):
                if member[i, p]:
                    member[up, p] = 1


@register_jitable
def _measure(member, bounds):
    """Write the first position of a set, the end of its last one, and its size; 0, 0, 0 where it is empty."""
    bounds[:] = 0
    for p in range(member.shape[0]):
        if member[p]:
            if bounds[2] == 0:
                bounds[0] = p
            bounds[1] = p + 1
            bounds[2] += 1


@njit(cache=CACHE, nogil=True)
def number_sets(
    g_parent, g_start, g_end, g_kind, g_offsets, t_parent, t_start, t_end, t_kind, t_offsets,
    chosen, crossing,
):  # fmt: skip
    """Give the nodes of either side spans that are equal only if they cover the same positions.

    A node that covers neighboring positions has their span. One with gaps begins at its first position, and its end is
    a number that no span has: one for each set of positions, on both sides.

    Parameters
    ----------
    g_parent, g_kind, g_offsets, t_parent, t_kind, t_offsets : ndarray
        Columns of the gold and the test treebank.
    g_start, g_end, t_start, t_end : ndarray of int32, shape (nodes,), input and output
        For words the positions that they cover; then for all nodes the spans.
    chosen : ndarray of bool, shape (sentences,)
        The sentences to look at; the others are left alone.
    crossing : ndarray of uint8, shape (test nodes,), output
        1 for a test phrase that shares positions with a gold phrase, and neither contains the other.
    """
    bounds = np.zeros(3, np.int32)
    for s in range(chosen.shape[0]):
        if not chosen[s]:
            continue
        g0, t0 = g_offsets[s], t_offsets[s]
        n_g, n_t = g_offsets[s + 1] - g0, t_offsets[s + 1] - t0
        positions = 0
        for i in range(g0, g0 + n_g):
            if g_kind[i] == 2:
                positions = max(positions, g_end[i])
        for j in range(t0, t0 + n_t):
            if t_kind[j] == 2:
                positions = max(positions, t_end[j])
        member = np.zeros((n_g + n_t, positions), np.uint8)
        g1, t1 = g0 + n_g, t0 + n_t
        _fill_sets(g_parent[g0:g1], g_start[g0:g1], g_end[g0:g1], g_kind[g0:g1], member[:n_g])
        _fill_sets(t_parent[t0:t1], t_start[t0:t1], t_end[t0:t1], t_kind[t0:t1], member[n_g:])
        size = np.zeros(n_g + n_t, np.int32)
        gaps = np.empty(n_g + n_t, np.int32)  # one node for each set with gaps
        n_gaps = 0
        for k in range(n_g + n_t):
            _measure(member[k], bounds)
            size[k] = bounds[2]
            end = bounds[1]
            if bounds[1] - bounds[0] != bounds[2]:
                number = 0
                while number < n_gaps:
                    m = gaps[number]
                    same = size[m] == size[k]
                    p = 0
                    while same and p < positions:
                        same = member[m, p] == member[k, p]
                        p += 1
                    if same:
                        break
                    number += 1
                if number == n_gaps:
                    gaps[n_gaps] = k
                    n_gaps += 1
                end = positions + 1 + number
            if k < n_g:
                g_start[g0 + k] = bounds[0]
                g_end[g0 + k] = end
            else:
                t_start[t0 + k - n_g] = bounds[0]
                t_end[t0 + k - n_g] = end
        for j in range(n_t):
            crossing[t0 + j] = 0
            if t_kind[t0 + j] != 0:
                continue
            for i in range(n_g):
                if g_kind[g0 + i] != 0:
                    continue
                shared = 0
                for p in range(positions):
                    shared += member[i, p] & member[n_g + j, p]
                if 0 < shared and shared < size[i] and shared < size[n_g + j]:
                    crossing[t0 + j] = 1
                    break
