"""The result of aligning the sentences of a file, as problems: sentences left out, missing, and shifted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.frameworks.pairing.sentence_alignment import Lines

__all__ = ["shift_problems"]

_MAX_LISTED = 1000


def shift_problems(
    partner: NDArray[np.int64], gold_line: NDArray[np.int32], test: Lines, parser: str, gold_name: str, name: str
) -> Iterator[Problem]:
    """Yield the sentences left out and missing, and where shifts begin, in the order of the file."""
    shifts = _shifts(partner, len(test))
    for kind, (a, a_end), (b, b_end) in islice(shifts, _MAX_LISTED):
        line = int(test.line[min(b, len(test) - 1)]) if len(test) else None
        sentence: int | None = a + 1
        if kind == "left_out":
            text = f"{_ranged(b, b_end, test.line)}, with the words of no gold sentence; left out"
            expected, sentence = f"the sentences of {gold_name}", None
        elif kind == "no_partner":
            missing = "it counts as missing" if a_end == a + 1 else "they count as missing"
            text = f"no sentence with the words of gold {_ranged(a, a_end, gold_line)}; {missing}"
            expected = f"the sentences of {gold_name}"
        else:
            own = _ranged(b, b + 1, test.line)
            text = f"from gold {_ranged(a, a + 1, gold_line)} to {a_end}, {own} and those after it are taken"
            expected = f"sentence {a + 1} and those after it"
        yield Problem(kind, name, line, None, text, expected, sentence, parser)
    if n_more := sum(1 for _ in shifts):
        text = f"{n_more:,} more positions at which sentences are shifted, left out or missing"
        yield Problem("shifted", name, None, None, text, f"the sentences of {gold_name}", None, parser)


def _ranged(first: int, end: int, lines: NDArray[np.int32]) -> str:
    """Name sentences and their lines."""
    if end == first + 1:
        return f"sentence {end} (line {lines[first]})"
    return f"sentences {first + 1} to {end} (lines {lines[first]} to {lines[end - 1]})"


def _shifts(partner: NDArray[np.int64], n_test: int) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Yield kind, range of gold sentences and range of the parser's sentences of all shifts and gaps."""
    paired = np.flatnonzero(partner >= 0)
    partners = partner[paired]
    shift = partners - paired
    changes = np.concatenate((np.flatnonzero(np.diff(shift)) + 1, [len(paired)]))
    # blocks of pairs that follow one another on both sides
    breaks = np.flatnonzero((np.diff(paired) != 1) | (np.diff(partners) != 1)) + 1
    bounds = np.concatenate(([0], breaks, [len(paired)])) if len(paired) else np.zeros(0, dtype=np.int64)
    a = b = value = 0
    for start, end in pairwise(bounds.tolist()):
        a_start, b_start, new_value = int(paired[start]), int(partners[start]), int(shift[start])
        if b_start > b:
            yield "left_out", (a, a_start), (b, b_start)
        if a_start > a:
            yield "no_partner", (a, a_start), (b, b_start)
        if new_value not in (value, 0):
            change = int(changes[np.searchsorted(changes, start, side="right")])
            yield "shifted", (a_start, int(paired[change - 1]) + 1), (b_start, b_start + 1)
        value = new_value
        a, b = int(paired[end - 1]) + 1, int(partners[end - 1]) + 1
    if n_test > b:
        yield "left_out", (a, len(partner)), (b, n_test)
    if len(partner) > a:
        yield "no_partner", (a, len(partner)), (b, n_test)
