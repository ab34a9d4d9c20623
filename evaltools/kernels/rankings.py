"""Pairs of a ranking in opposite order."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels import CACHE


@njit(cache=CACHE, nogil=True)
def count_inversions(codes, n_codes):
    """Count the pairs of which the earlier one has the greater code, in O(n log codes).

    Parameters
    ----------
    codes : ndarray of int64, shape (n,)
        From 0.
    n_codes : int
        Number of codes.

    Returns
    -------
    int
        Number of pairs.
    """
    tree = np.zeros(n_codes + 1, np.int64)  # Fenwick's: sums over ranges that end at a code
    inversions = 0
    for i in range(codes.shape[0]):
        node = codes[i] + 1
        upto = 0
        while node > 0:
            upto += tree[node]
            node -= node & -node
        inversions += i - upto
        node = codes[i] + 1
        while node <= n_codes:
            tree[node] += 1
            node += node & -node
    return inversions
