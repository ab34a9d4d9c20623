"""Spans and trees: the yields of the nodes of a tree, and the tree of nested spans."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels import CACHE


@njit(cache=CACHE, nogil=True)
def find_yields(parent, position, offsets):
    """Find the first word, the end and the number of words below every node; nodes and words are in any order.

    Parameters
    ----------
    parent : ndarray of int32, shape (nodes,)
        The parent's position in the sentence, -1 for a root.
    position : ndarray of int32, shape (nodes,)
        The node's own word, -1 for none; in a sentence with w words each of 0 … w - 1 once.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence s has the nodes ``offsets[s]:offsets[s + 1]``.

    Returns
    -------
    first, end, size : ndarray of int32, shape (nodes,)
        The yield lies in ``first:end`` and has `size` words; all 0 where it is empty. It is contiguous if
        ``end - first == size``.
    broken : ndarray of uint8, shape (sentences,)
        1 where the parents form a cycle.
    """
    first, end, size = np.zeros_like(parent), np.zeros_like(parent), np.zeros_like(parent)
    broken = np.zeros(offsets.shape[0] - 1, np.uint8)
    for s in range(offsets.shape[0] - 1):
        begin, n = offsets[s], offsets[s + 1] - offsets[s]
        for i in range(n):
            word = position[begin + i]
            if word < 0:
                continue
            node = i
            steps = 0
            while node >= 0:
                at = begin + node
                if size[at] == 0:
                    first[at] = word
                    end[at] = word + 1
                else:
                    first[at] = min(first[at], word)
                    end[at] = max(end[at], word + 1)
                size[at] += 1
                node = parent[at]
                steps += 1
                if steps > n:
                    broken[s] = 1
                    break
    return first, end, size, broken


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
    crossing : ndarray of uint8, shape (sentences,), input and output
        Zeros, set to 1 where spans cross, so that they are no tree.
    """
    for s in range(offsets.shape[0] - 1):
        begin, n = offsets[s], offsets[s + 1] - offsets[s]
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
