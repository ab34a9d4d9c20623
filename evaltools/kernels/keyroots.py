"""Postorder of a tree or of its mirror image, and the keyroots of Zhang and Shasha."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["keyroots", "orient", "work"]


@njit("(int32[::1], int32[::1], boolean, int32[::1], int32[::1], int32[::1])", nogil=True, cache=True)
def orient(parent, leftmost, mirrored, order, left, place):
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


@njit("int64(int32[::1], int32[::1])", nogil=True, cache=True)
def keyroots(left, out):
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


@njit("float64(int32[::1], int32[::1], int64)", nogil=True, cache=True)
def work(left, roots, count):
    """Return the sum of the sizes of the keyroots' subtrees."""
    total = 0.0
    for k in range(count):
        i = roots[k]
        total += left.shape[0] if i < 0 else i - left[i] + 1
    return total
