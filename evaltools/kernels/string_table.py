"""The hash table of strings that the reader of brackets keeps from file to file."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["GOLDEN", "rehash", "slot_of"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit("int64(uint64, int64, uint8, int64)", nogil=True, cache=True)
def slot_of(key, length, is_word, mask):
    """Place a string in a hash table."""
    h = (key ^ np.uint64(length * 2 + is_word)) * GOLDEN
    h = (h ^ (h >> np.uint64(32))) * GOLDEN
    return np.int64(h >> np.uint64(32)) & mask


@njit("void(int64[::1], uint64[::1], int64[::1], uint8[::1], int64)", nogil=True, cache=True)
def rehash(table, keys, string_length, string_is_word, count):
    """Enter the first `count` strings into an empty hash table."""
    mask = table.shape[0] - 1
    for i in range(count):
        slot = slot_of(keys[i], string_length[i], string_is_word[i], mask)
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = i
