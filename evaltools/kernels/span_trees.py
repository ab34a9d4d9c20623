"""Trees from spans: who is whose parent."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels import CACHE


@njit(cache=CACHE, nogil=True)
def build_span_trees(start, end, offsets, parent, leftmost, crossing):
    """Find the parent and the leftmost leaf of every node.

    Parameters
    ----------
    start, end : ndarray of int32, shape (nodes,)
        Spans, sentence by sentence in the order of their ends, those with one end from the shortest; every word has one
        of its own.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence s has the nodes ``offsets[s]:offsets[s + 1]``.
    parent, leftmost : ndarray of int32, shape (nodes,), output
        By position in the sentence; a root has the parent -1.
    crossing : ndarray of uint8, shape (sentences,), output
        1 where spans cross, so that they are no tree.
    """
    for s in range(offsets.shape[0] - 1):
        begin, n = offsets[s], offsets[s + 1] - offsets[s]
        crossing[s] = 0
        stack = np.empty(n, np.int32)
        height = 0
        for i in range(n):
            parent[begin + i] = -1
            leftmost[begin + i] = i
            while height > 0 and start[begin + stack[height - 1]] >= start[begin + i]:
                height -= 1
                parent[begin + stack[height]] = i
                leftmost[begin + i] = leftmost[begin + stack[height]]
            if height > 0 and end[begin + stack[height - 1]] > start[begin + i]:
                crossing[s] = 1
            stack[height] = i
            height += 1
