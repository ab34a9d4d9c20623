"""Do the brackets of each line balance: what tells one tree a line from trees spread over lines."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["measure_lines"]


@njit("(Array(uint8, 1, 'C', readonly=True), uint8, uint8)", nogil=True, cache=True)
def measure_lines(text, opening, closing):
    """Measure how the lines of a file balance.

    Parameters
    ----------
    text : ndarray of uint8
        The file.
    opening, closing : uint8
        The two brackets.

    Returns
    -------
    ndarray of int64, shape (5,)
        Lines whose brackets balance and that begin with an opening bracket without indentation; lines that do not
        balance; lines that begin so inside an open tree; depth at the end; lowest depth.
    """
    result = np.zeros(5, dtype=np.int64)
    depth = 0
    n = text.shape[0]
    at = 0
    while at < n:
        bare = text[at] == opening
        if bare and depth > 0:
            result[2] += 1
        line_depth = 0
        line_lowest = 0
        while at < n and text[at] != 10:
            if text[at] == opening:
                line_depth += 1
            elif text[at] == closing:
                line_depth -= 1
                line_lowest = min(line_lowest, line_depth)
            at += 1
        at += 1
        result[4] = min(result[4], depth + line_lowest)
        depth = max(depth + line_depth, 0)
        if line_depth != 0 or line_lowest < 0:
            result[1] += 1
        elif bare:
            result[0] += 1
    result[3] = depth
    return result
