"""Rankings with ties: codes of equal values, sorting by code, and pairs in opposite order."""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

_BUCKETS = 4096


@register_jitable
def _bucket(value, low, scale):
    """Return the bucket of a value: greater values are in the same bucket or in a later one."""
    bucket = (value - low) * scale
    return int(bucket) if bucket < _BUCKETS else _BUCKETS - 1  # also for NaN


@njit(cache=CACHE, nogil=True)
def code_values(values, distinct):
    """Assign codes to values, the lowest first.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        None of them NaN.
    distinct : ndarray of float64, shape (codes,)
        The distinct values among them, sorted.

    Returns
    -------
    codes : ndarray of int32, shape (n,)
        Equal values have the same.
    sizes : ndarray of int64, shape (codes,)
        Number of values with each code.
    """
    n, n_codes = values.shape[0], distinct.shape[0]
    codes = np.empty(n, np.int32)
    sizes = np.zeros(n_codes, np.int64)
    if n == 0:
        return codes, sizes
    low, width = distinct[0], distinct[n_codes - 1] - distinct[0]
    scale = _BUCKETS / width if width > 0 else 0.0
    starts = np.zeros(_BUCKETS + 1, np.int64)
    for code in range(n_codes):
        starts[_bucket(distinct[code], low, scale) + 1] += 1
    for bucket in range(_BUCKETS):
        starts[bucket + 1] += starts[bucket]
    for i in range(n):
        value = values[i]
        bucket = _bucket(value, low, scale)
        first, last = starts[bucket], starts[bucket + 1] - 1
        while first < last:
            middle = (first + last) // 2
            if distinct[middle] < value:
                first = middle + 1
            else:
                last = middle
        codes[i] = first
        sizes[first] += 1
    return codes, sizes


@njit(cache=CACHE, nogil=True)
def place_codes(codes, sizes, among):
    """Sort by code, those of one code in the order given.

    Parameters
    ----------
    codes : ndarray of int32, shape (things,)
        Of every thing.
    sizes : ndarray of int64, shape (codes,)
        Size of each code; only the length is used.
    among : ndarray of int32, shape (n,)
        The things to sort.

    Returns
    -------
    ndarray of int32, shape (n,)
        The things, sorted.
    """
    starts = np.zeros(sizes.shape[0] + 1, np.int64)
    for i in range(among.shape[0]):
        starts[codes[among[i]] + 1] += 1
    for code in range(sizes.shape[0]):
        starts[code + 1] += starts[code]
    order = np.empty(among.shape[0], np.int32)
    for i in range(among.shape[0]):
        thing = among[i]
        code = codes[thing]
        order[starts[code]] = thing
        starts[code] += 1
    return order


@njit(cache=CACHE, nogil=True)
def count_inversions(codes, n_codes):
    """Count the pairs of which the earlier one has the greater code, in O(n log codes).

    Parameters
    ----------
    codes : ndarray of int32, shape (n,)
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
