"""How sentence lengths are put into bins."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

__all__ = ["LengthBins", "length_bins"]

LengthBins = list[tuple[int, int | None]]
"""First and last length of each bin, from 1; the last bin may be open."""

_NICE = (1, 2, 5, 10, 20, 25, 50, 100)
_USUAL = 0.98
"""So great a share of the sentences is no longer than where the bins end."""


def length_bins(lengths: Mapping[int, int], most: int = 8) -> LengthBins:
    """Cut sentence lengths into bins of one round width.

    Parameters
    ----------
    lengths : mapping of int to int
        How many sentences there are of each length in words.
    most : int
        Most bins.

    Returns
    -------
    list of (int, int or None)
        First and last length of each bin; the last bin is open (None) if longer sentences are rare enough to share one.
        Bins go on to where less than 2 % of the sentences are left.

    Examples
    --------
    >>> length_bins({3: 1, 8: 1, 12: 1, 19: 1, 4: 1})
    [(1, 5), (6, 10), (11, 15), (16, 20)]
    """
    if not lengths:
        return []
    longest, usual = max(lengths), int(_quantile(lengths, _USUAL))
    width = next((width for width in _NICE if width * most >= usual), -(-usual // most))
    number = max(1, -(-usual // width))
    bins: LengthBins = [(1 + place * width, (place + 1) * width) for place in range(number)]
    if longest > number * width:
        if number < most:
            bins.append((number * width + 1, None))
        else:
            bins[-1] = (bins[-1][0], None)
    return bins


def _quantile(counts: Mapping[int, int], share: float) -> float:
    """Return what numpy's quantile is of values that are counted."""
    values = sorted(counts)
    ends = np.cumsum([counts[value] for value in values])
    place = share * (int(ends[-1]) - 1)
    below = int(place)
    low, high = (values[int(np.searchsorted(ends, at, side="right"))] for at in (below, min(below + 1, ends[-1] - 1)))
    return low + (high - low) * (place - below)
