"""Counting the steps of repairs, sentence by sentence."""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel
from evaltools.kernels.repairs.repair import ADD, MOVE, RELABEL, REMOVE, repair

__all__ = ["TOO_LARGE", "count_repairs"]

TOO_LARGE = -1
"""The number of steps where a repair takes more work than the limit."""


@kernel(
    "(int32[:,::1], int64[::1], int32[:,::1], int64[::1], int32[::1], uint8[::1], int64, int32[:, ::1], int64, int64)"
)
def count_repairs(gold, gold_offsets, test, test_offsets, n_words, scored, limit, counts, first, last):
    """Repair a range of sentences, and count the steps.

    Parameters
    ----------
    gold, test : ndarray of int32, shape (4, brackets) and (6, nodes)
        As for :func:`evaltools.kernels.repairs.repair.repair_steps`.
    gold_offsets, test_offsets : ndarray of int64, shape (sentences + 1,)
        First column of each sentence.
    n_words : ndarray of int32, shape (sentences,)
        Number of words, the same in both trees where `scored`.
    scored : ndarray of uint8, shape (sentences,)
        1 where there is something to repair; elsewhere the counts are 0.
    limit : int
        Number of operations after which a repair is given up.
    counts : ndarray of int32, shape (sentences, 7), output
        Steps; brackets repaired; moves, relabelings, additions, removals; gold brackets that need no repair. The first
        is :data:`TOO_LARGE` and the others are 0 where a repair is given up.
    first, last : int64
        The range of sentences, half-open.
    """
    work = np.empty(2, np.int64)
    for s in range(first, last):
        row = counts[s]
        row[:] = 0
        if not scored[s]:
            continue
        g0, g1, t0, t1 = gold_offsets[s], gold_offsets[s + 1], test_offsets[s], test_offsets[s + 1]
        brackets = np.ascontiguousarray(gold[:, g0:g1])
        nodes = np.ascontiguousarray(test[:, t0:t1])
        work[0], work[1] = 0, limit
        steps, _, _, _ = repair(brackets, nodes, n_words[s], False, work)
        if work[0] > work[1]:
            row[0] = TOO_LARGE
            continue
        row[0] = steps.shape[0]
        for at in range(steps.shape[0]):
            row[1] += steps[at, 1]
            operation = steps[at, 0]
            if operation == MOVE:
                row[2] += 1
            elif operation == RELABEL:
                row[3] += 1
            elif operation == ADD:
                row[4] += 1
            elif operation == REMOVE:
                row[5] += 1
        phrases = 0
        for node in range(nodes.shape[1]):
            phrases += nodes[4, node] == 0
        # of G gold and T test brackets with M matches, G + T − 2M are repaired
        row[6] = (brackets.shape[1] + phrases - row[1]) // 2
