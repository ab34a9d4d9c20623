"""Yields of the nodes of rooted trees, with nodes and words in any order."""

from __future__ import annotations

from numba import njit

from evaltools.kernels import CACHE


@njit(cache=CACHE, nogil=True)
def find_yields(parent, position, offsets, first, end, size, broken):
    """Find the first word, the end and the number of words below every node.

    Parameters
    ----------
    parent : ndarray of int32, shape (nodes,)
        The parent's position in the sentence, -1 for a root.
    position : ndarray of int32, shape (nodes,)
        The node's own word, -1 for none; in a sentence with w words each of 0 … w - 1 once.
    offsets : ndarray of int64, shape (sentences + 1,)
        Sentence s has the nodes ``offsets[s]:offsets[s + 1]``.
    first, end, size : ndarray of int32, shape (nodes,), output
        The yield lies in ``first:end`` and has `size` words; all 0 where it is empty. It is contiguous if
        ``end - first == size``.
    broken : ndarray of uint8, shape (sentences,), output
        1 where the parents form a cycle.
    """
    for s in range(offsets.shape[0] - 1):
        begin, n = offsets[s], offsets[s + 1] - offsets[s]
        broken[s] = 0
        for i in range(begin, begin + n):
            first[i] = 0
            end[i] = 0
            size[i] = 0
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
