"""What aligning the sentences of a file came to, as problems: sentences left out, missing, and shifted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.runs.sentence_alignment import Lines

__all__ = ["shift_problems"]

_MOST_LISTED = 1000


def shift_problems(
    partner: NDArray[np.int64], gold_line: NDArray[np.int32], test: Lines, parser: str, gold_name: str, name: str
) -> Iterator[Problem]:
    """List what was left out, what is missing, and from where on sentences are shifted, in the file's order.

    Parameters
    ----------
    partner : ndarray of int64
        For each gold sentence the place of the parser's, or -1.
    gold_line : ndarray of int32
        Lines of the gold sentences.
    test : Lines
        Where the parser's sentences are.
    parser, gold_name, name : str
        The parser, and the names of the two files.
    """
    listed = 0
    left = 0
    for found in _findings(partner, len(test)):
        listed += 1
        if listed > _MOST_LISTED:
            left += 1
            continue
        kind, (a, a_end), (b, b_end) = found
        line = int(test.line[min(b, len(test) - 1)]) if len(test) else None
        sentence: int | None = a + 1
        if kind == "left_out":
            text = f"{_ranged(b, b_end, test.line)}, with the words of no gold sentence; left out"
            expected, sentence = f"the sentences of {gold_name}", None
        elif kind == "no_partner":
            missing = "it counts as missing" if a_end == a + 1 else "they count as missing"
            text = f"nothing with the words of gold {_ranged(a, a_end, gold_line)}; {missing}"
            expected = f"the sentences of {gold_name}"
        else:
            own = _ranged(b, b + 1, test.line)
            text = f"from gold {_ranged(a, a + 1, gold_line)} to {a_end}, {own} and those after it are taken"
            expected = f"sentence {a + 1} and those after it"
        yield Problem(kind, name, line, None, text, expected, sentence, parser)
    if left:
        text = f"{left:,} more places where sentences are shifted, left out or missing"
        yield Problem("shifted", name, None, None, text, f"the sentences of {gold_name}", None, parser)


def _ranged(first: int, end: int, lines: NDArray[np.int32]) -> str:
    """Name sentences and their lines."""
    if end == first + 1:
        return f"sentence {end} (line {lines[first]})"
    return f"sentences {first + 1} to {end} (lines {lines[first]} to {lines[end - 1]})"


_Finding = tuple[str, tuple[int, int], tuple[int, int]]


def _findings(partner: NDArray[np.int64], n_test: int) -> Iterator[_Finding]:
    """Yield what is odd, with ranges of gold sentences and of the parser's sentences."""
    paired = np.flatnonzero(partner >= 0)
    there = partner[paired]
    shift = there - paired
    changes = np.concatenate((np.flatnonzero(np.diff(shift)) + 1, [len(paired)]))
    # blocks of pairs that follow one another on both sides
    breaks = np.flatnonzero((np.diff(paired) != 1) | (np.diff(there) != 1)) + 1
    bounds = np.concatenate(([0], breaks, [len(paired)])) if len(paired) else np.zeros(0, dtype=np.int64)
    a = b = said = 0
    for start, end in pairwise(bounds.tolist()):
        first, its, now = int(paired[start]), int(there[start]), int(shift[start])
        if its > b:
            yield "left_out", (a, first), (b, its)
        if first > a:
            yield "no_partner", (a, first), (b, its)
        if now not in (said, 0):
            until = int(changes[np.searchsorted(changes, start, side="right")])
            yield "shifted", (first, int(paired[until - 1]) + 1), (its, its + 1)
        said = now
        a, b = int(paired[end - 1]) + 1, int(there[end - 1]) + 1
    if n_test > b:
        yield "left_out", (a, len(partner)), (b, n_test)
    if len(partner) > a:
        yield "no_partner", (a, len(partner)), (b, n_test)
