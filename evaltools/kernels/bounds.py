"""A lower bound of the cost of aligning two trees."""

from __future__ import annotations

from numba import njit

__all__ = ["least_cost"]


@njit("int64(int32[::1], int32[::1], int32[::1])", nogil=True, cache=True)
def least_cost(g, t, balance):
    """Bound the cost from below by the symbols that one tree has more often than the other.

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
