"""Bins of sentence lengths."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

__all__ = ["LengthBins", "length_bins"]

LengthBins = list[tuple[int, int | None]]
"""First and last length of each bin, from 1; the last bin may be open."""

_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100)
_QUANTILE = 0.98
"""Share of the sentences that the bins of equal width must contain."""


def length_bins(lengths: Mapping[int, int], max_bins: int = 8) -> LengthBins:
    """Cut sentence lengths into bins of one round width.

    Examples
    --------
    >>> length_bins({3: 1, 8: 1, 12: 1, 19: 1, 4: 1})
    [(1, 5), (6, 10), (11, 15), (16, 20)]
    """
    if not lengths:
        return []
    longest, covered = max(lengths), int(_quantile(lengths, _QUANTILE))
    width = next((width for width in _WIDTHS if width * max_bins >= covered), -(-covered // max_bins))
    number = max(1, -(-covered // width))
    bins: LengthBins = [(1 + index * width, (index + 1) * width) for index in range(number)]
    if longest > number * width:
        if number < max_bins:
            bins.append((number * width + 1, None))
        else:
            bins[-1] = (bins[-1][0], None)
    return bins


def _quantile(counts: Mapping[int, int], share: float) -> float:
    """Return the quantile of values given with their counts, as numpy interpolates it."""
    values = sorted(counts)
    ends = np.cumsum([counts[value] for value in values])
    index = share * (int(ends[-1]) - 1)
    below = int(index)
    low, high = (
        values[int(np.searchsorted(ends, rank, side="right"))] for rank in (below, min(below + 1, ends[-1] - 1))
    )
    return low + (high - low) * (index - below)
