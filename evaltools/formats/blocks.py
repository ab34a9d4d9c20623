"""Formats whose sentences are blocks of lines with an empty line after each."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLOCKS", "Blocks", "cut_blocks", "find_blocks"]

BLOCKS = "blocks"
"""The only layout there is."""

_IS_TEXT = np.ones(256, dtype=bool)
_IS_TEXT[list(b" \t\n\r\v\f")] = False

NO_PARSE = "# no parse"
"""The comment that stands for a sentence without a parse."""

_NAMES_A_SENTENCE = re.compile(rb"^#\s*(?:(?:sent_id|text)\s*=|no parse\s*$)", re.MULTILINE)


class Blocks(NamedTuple):
    """The blocks of a text.

    Parameters
    ----------
    start, end : ndarray of int64, shape (blocks,)
        Where each block stands, in bytes, its last line's end with it.
    first, last : ndarray of int64, shape (blocks,)
        Numbers of its first and last line, from 0.
    is_sentence : ndarray of bool, shape (blocks,)
        False for a block of comments that names no sentence.
    n_lines : int
        How many lines the text has, one without an end among them.
    """

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    is_sentence: NDArray[np.bool_]
    n_lines: int


def find_blocks(data: bytes) -> Blocks:
    """Find the blocks of a text: lines that are not blank, between those that are.

    Parameters
    ----------
    data : bytes
        The text.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(text == ord("\n")) + 1))
    if starts[-1] == len(text):
        starts = starts[:-1]
    if not len(starts):
        none = np.zeros(0, dtype=np.int64)
        return Blocks(none, none, none, none, none.astype(bool), 0)
    filled = np.logical_or.reduceat(_IS_TEXT[text], starts)
    is_row = filled & (text[starts] != ord("#"))
    before = np.concatenate(([False], filled[:-1]))
    after = np.concatenate((filled[1:], [False]))
    first, last = np.flatnonzero(filled & ~before), np.flatnonzero(filled & ~after)
    ends = np.concatenate((starts[1:], [len(text)]))
    n_rows = np.concatenate(([0], np.cumsum(is_row)))
    is_sentence = n_rows[last + 1] > n_rows[first]
    start, end = starts[first], ends[last]
    for block in np.flatnonzero(~is_sentence).tolist():
        is_sentence[block] = _NAMES_A_SENTENCE.search(data[start[block] : end[block]]) is not None
    return Blocks(start, end, first, last, is_sentence, len(starts))


def cut_blocks(data: bytes, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences of a text end.

    Parameters
    ----------
    data : bytes
        The text, which begins where a line does.
    most : int
        How many sentences to find at most.
    last : bool
        Whether the text ends where the file does.

    Returns
    -------
    (int, int)
        The number of sentences and the place where they end; fewer than `most` if the text holds no more.
    """
    if not last:
        data = data[: data.rfind(b"\n") + 1]
    blocks = find_blocks(data)
    whole = blocks.is_sentence & (last | (blocks.last + 1 < blocks.n_lines))
    ends = blocks.end[whole]
    found = min(most, len(ends))
    if last and found == len(ends):
        return found, len(data)
    return found, int(ends[found - 1]) if found else 0
