"""Where sentences end: on each line, or where brackets balance."""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel

__all__ = ["cut_sentences", "measure_lines"]


@kernel("(Array(uint8, 1, 'C', readonly=True), uint8, uint8)")
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


@kernel("(Array(uint8, 1, 'C', readonly=True), uint8, uint8, boolean, int64)")
def cut_sentences(text, opening, closing, resync, max_sentences):
    """Find where the first sentences of a text end whose trees run over lines.

    Parameters
    ----------
    text : ndarray of uint8
        The text; it begins outside any tree.
    opening, closing : uint8
        The two brackets.
    resync : bool
        An opening bracket without indentation begins a new tree even if brackets are still open.
    max_sentences : int64
        Maximum number of sentences.

    Returns
    -------
    ndarray of int64, shape (2,)
        Number of complete sentences, and the position where the next one begins; text between two sentences belongs
        to the first.
    """
    result = np.zeros(2, dtype=np.int64)
    depth = 0
    line_begin = 0
    stray = False
    for at in range(text.shape[0]):
        c = text[at]
        if c == 10:
            line_begin = at + 1
            stray = False
        elif stray or c == 32 or 9 <= c <= 13:
            continue
        elif c == opening:
            if resync and depth > 0 and at == line_begin:
                depth = 0
                result[0] += 1
            if depth == 0:
                result[1] = at
                if result[0] == max_sentences:
                    return result
            depth += 1
        elif c == closing and depth > 0:
            depth -= 1
            if depth == 0:
                result[0] += 1
        elif depth == 0 and c != closing:
            stray = True  # text outside any bracket: the reader skips the rest of the line
    if depth == 0:
        result[1] = text.shape[0]
    return result
