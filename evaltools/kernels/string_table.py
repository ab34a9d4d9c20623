"""A hash table from the bytes of strings to their numbers, kept from file to file."""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel

__all__ = ["number_strings", "rehash", "slot_of"]

_EIGHT = np.uint64(8)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel("int64(uint64, int64, uint8, int64)")
def slot_of(key, length, kind, mask):
    """Return the first slot of a string in the hash table."""
    h = (key ^ np.uint64(length * 2 + kind)) * _GOLDEN
    h = (h ^ (h >> np.uint64(32))) * _GOLDEN
    return np.int64(h >> np.uint64(32)) & mask


@kernel("void(int64[::1], uint64[::1], int64[::1], uint8[::1], int64)")
def rehash(table, keys, string_length, string_kind, count):
    """Enter the first `count` strings into an empty hash table."""
    mask = table.shape[0] - 1
    for i in range(count):
        slot = slot_of(keys[i], string_length[i], string_kind[i], mask)
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = i


@kernel(
    "(Array(uint8, 1, 'C', readonly=True), int64[:, ::1], int64[:, ::1], uint8[::1],"
    " int64[::1], uint64[::1], int64[::1], int64[::1], uint8[::1], uint8[::1], int64, int64)"
)
def number_strings(
    text, begin, end, kinds, table, keys, string_start, string_length, string_kind, pool, n_strings, pool_used
):
    """Return the numbers of the strings of some columns; new ones are entered.

    Parameters
    ----------
    text : ndarray of uint8
        Where the strings are.
    begin, end : ndarray of int64, shape (columns, rows)
        Their bounds.
    kinds : ndarray of uint8, shape (columns,)
        What the strings of a column are; equal strings of two kinds are two strings.
    table : ndarray of int64, shape (a power of two,)
        Hash table from strings to their numbers, -1 where empty.
    keys, string_start, string_length, string_kind : ndarray, shape (capacity,)
        The distinct strings: key, place in `pool`, length in bytes, kind. Up to eight bytes are their own key; a
        longer string's key is a hash of it.
    pool : ndarray of uint8
        The strings' bytes, with room for the new ones.
    n_strings, pool_used : int64
        Used lengths of these arrays.

    Returns
    -------
    numbers : ndarray of int64, shape (columns, rows)
        The numbers.
    n_strings : int64
        Distinct strings now; -1 if the arrays are full; everything else is undefined then.
    pool_used : int64
        Bytes of the pool in use now.
    """
    mask = table.shape[0] - 1
    max_strings = min(keys.shape[0], table.shape[0] // 2)
    numbers = np.empty(begin.shape, np.int64)
    for column in range(begin.shape[0]):
        kind = kinds[column]
        for row in range(begin.shape[1]):
            first = begin[column, row]
            length = end[column, row] - first
            key = np.uint64(0)
            if length <= 8:
                for k in range(length):
                    key = (key << _EIGHT) | np.uint64(text[first + k])
            else:
                for k in range(length):
                    key = (key ^ np.uint64(text[first + k])) * _GOLDEN
                    key ^= key >> np.uint64(29)
            slot = slot_of(key, length, kind, mask)
            number = np.int64(-1)
            while table[slot] >= 0:
                entry = table[slot]
                if keys[entry] == key and string_length[entry] == length and string_kind[entry] == kind:
                    same = True
                    if length > 8:
                        at = string_start[entry]
                        for k in range(length):
                            if text[first + k] != pool[at + k]:
                                same = False
                                break
                    if same:
                        number = entry
                        break
                slot = (slot + 1) & mask
            if number < 0:
                if n_strings >= max_strings:
                    return numbers, np.int64(-1), pool_used
                number = n_strings
                table[slot] = number
                keys[number] = key
                string_start[number] = pool_used
                string_length[number] = length
                string_kind[number] = kind
                for k in range(length):
                    pool[pool_used + k] = text[first + k]
                pool_used += length
                n_strings += 1
            numbers[column, row] = number
    return numbers, n_strings, pool_used
