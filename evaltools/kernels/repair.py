"""Repairing a tree: the best step is sought and taken, until the gold brackets are there."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels.repair_changes import (
    TOP,
    grown,
    insert,
    move,
    outermost,
    write_around,
    write_tree,
)
from evaltools.kernels.repair_search import ADD, ADDED, GAIN, MOVE, NEW, NODE, OPERATION, RELABEL, REMOVE, WIDTH, search
from evaltools.kernels.repair_tree import (
    BEFORE,
    END,
    FIRST,
    LABEL,
    LAST,
    LINK,
    PARENT,
    START,
    WANTED,
    WORD,
    WRONG,
    append,
    cut,
    judge,
    key_of,
    paste,
    preorder,
)

__all__ = ["ADD", "MOVE", "PART", "RELABEL", "REMOVE", "STEP", "TOP", "repair_steps"]

STEP = 18
"""Columns of a step: operation, brackets repaired; label, start, end of the bracket; new label; of the target, and of
the bracket that is added; label of the parent; numbers of the nodes moved, of children, siblings, changed brackets;
label of the outermost other bracket over the words of one that is added."""

PART = 4
"""Columns of a node that a step names: label, start, end, whether it is a word."""


@njit(
    "Tuple((int32[:,::1], int32[:,::1], int32[:,::1], int64[::1]))(int32[:,::1], int32[:,::1], int32, boolean)",
    nogil=True,
    cache=True,
)
def repair_steps(gold, test, n_words, trees):
    """Turn a test tree into the gold tree.

    Parameters
    ----------
    gold : ndarray of int32, shape (3, brackets)
        Label, start and end of the gold phrases, in postorder.
    test : ndarray of int32, shape (5, nodes)
        Label, start, end, parent (-1 for none) and whether it is a word, of the test phrases and words, in postorder.
    n_words : int
        Number of words.
    trees : bool
        Whether to return the tree after each step.

    Returns
    -------
    steps : ndarray of int32, shape (steps, STEP)
        See :data:`STEP`; :data:`TOP` where there is no label.
    parts : ndarray of int32, shape (parts, PART)
        The nodes that the steps name, in their order: moved, children, siblings, changed.
    rows : ndarray of int32, shape (rows, 5)
        The trees after the steps, in the form of `test`, transposed; none if they are not wanted.
    ends : ndarray of int64, shape (steps,)
        Where each of them ends.
    """
    n_gold, n_test = gold.shape[1], test.shape[1]
    keys = np.zeros((9, n_gold), np.int32)
    heads = np.full(n_words + 1, -1, np.int32)
    n_keys = 0
    # in the order of their spans, of equal spans the outer bracket first
    order = np.argsort(gold[1, ::-1] * np.int64(n_words + 1) + gold[2, ::-1], kind="mergesort")
    for place in range(n_gold):
        at = n_gold - 1 - order[place]
        key = key_of(keys, heads, gold[0, at], gold[1, at], gold[2, at])
        if key < 0:
            key = n_keys
            keys[0, key], keys[1, key], keys[2, key] = gold[0, at], gold[1, at], gold[2, at]
            keys[LINK, key] = heads[gold[1, at]]
            heads[gold[1, at]] = key
            n_keys += 1
        keys[WANTED, key] += 1
    keys = np.ascontiguousarray(keys[:, :n_keys])

    most = 1 + n_test + n_gold
    nodes = np.full((11, most), -1, np.int32)
    nodes[WORD] = 0
    nodes[WRONG] = 0
    nodes[LABEL, 0], nodes[START, 0], nodes[END, 0] = TOP, 0, n_words
    for at in range(n_test):
        nodes[LABEL, at + 1], nodes[START, at + 1], nodes[END, at + 1] = test[0, at], test[1, at], test[2, at]
        nodes[WORD, at + 1] = test[4, at]
        append(nodes, test[3, at] + 1, at + 1)
    n_nodes = n_test + 1

    listed, children = np.empty(most, np.int32), np.empty(most, np.int32)
    changed, kept = np.empty((3, most), np.int32), np.empty((3, most), np.int32)
    chain = np.empty(n_gold, np.int32)
    best = np.zeros(WIDTH, np.int32)
    steps, parts = np.zeros((16, STEP), np.int32), np.empty((64, PART), np.int32)
    rows, ends = np.empty((most if trees else 0, 5), np.int32), np.zeros(n_gold + n_test + 1, np.int64)
    n_steps, n_parts, n_rows = 0, 0, 0
    while True:
        n_listed = preorder(nodes, listed)
        n_wrong = judge(nodes, keys, heads, listed, n_listed)
        search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, kept)
        if best[GAIN] == 0:
            break
        steps, parts = grown(steps, n_steps, 1), grown(parts, n_parts, 4 * most + 4)
        step = steps[n_steps]
        step[:] = 0
        step[0], step[1] = best[OPERATION], best[GAIN]
        step[5], step[6], step[9], step[12], step[17] = TOP, TOP, TOP, TOP, TOP
        node, key = best[NODE], best[NEW]
        if best[OPERATION] == MOVE:
            n_parts = move(nodes, best, kept, parts, n_parts, step)
            key = best[ADDED]
            step[11] = -1
            if key >= 0:
                step[9], step[10], step[11] = keys[0, key], keys[1, key], keys[2, key]
                insert(nodes, n_nodes, gold, chain, keys[0, key], keys[1, key], keys[2, key])
                n_nodes += 1
        elif best[OPERATION] == ADD:
            node = insert(nodes, n_nodes, gold, chain, keys[0, key], keys[1, key], keys[2, key])
            n_nodes += 1
            n_parts = write_around(parts, n_parts, nodes, node, step)
            step[17] = outermost(nodes, node)
        else:
            n_parts = write_around(parts, n_parts, nodes, node, step)
            if best[OPERATION] == RELABEL:
                nodes[LABEL, node] = step[5] = keys[0, key]
            else:
                parent, after = nodes[PARENT, node], nodes[BEFORE, node]
                first, last = nodes[FIRST, node], nodes[LAST, node]
                cut(nodes, node, node)
                if first >= 0:
                    paste(nodes, parent, after, first, last)
        if trees:
            rows = grown(rows, n_rows, most)
            n_rows = write_tree(nodes, rows, n_rows)
        ends[n_steps] = n_rows
        n_steps += 1
    return steps[:n_steps].copy(), parts[:n_parts].copy(), rows[:n_rows].copy(), ends[:n_steps].copy()
