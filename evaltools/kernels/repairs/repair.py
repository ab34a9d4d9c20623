"""Repairing a tree: the best step is applied until all gold brackets are there."""

from __future__ import annotations

import numpy as np

from evaltools.kernels.compiling import kernel
from evaltools.kernels.repairs.repair_search import (
    ADD,
    ADDED,
    AFTER,
    BEFORE,
    CHANGED,
    COLUMN,
    END,
    FIRST,
    GAIN,
    HERE,
    KEY,
    LABEL,
    LAST,
    LINK,
    MOVE,
    MOVED,
    NAME,
    NEW,
    NEXT,
    NODE,
    OPERATION,
    PARENT,
    RELABEL,
    REMOVE,
    START,
    TABLE,
    TARGET,
    UNTIL,
    WANTED,
    WIDTH,
    WORD,
    WRONG,
    append,
    cut,
    judge,
    key_of,
    paste,
    preorder,
    search,
)

__all__ = ["ADD", "MOVE", "PART", "RELABEL", "REMOVE", "STEP", "TOP", "UNLIMITED", "repair", "repair_steps"]

STEP = 18
"""Columns of a step: operation, brackets repaired; name, start, end of the bracket; new name; of the target, and of
the bracket that is added; name of the parent; numbers of the nodes moved, of children, siblings, changed brackets;
name of the outermost other bracket over the words of one that is added."""

PART = 4
"""Columns of a node that a step names: name, start, end, whether it is a word."""

TOP = -1
"""The name of the top, and the value for no name."""

UNLIMITED = 1 << 62
"""No limit of the work."""


@kernel(f"{TABLE}({TABLE}, int64, int64)", inner=True)
def _grown(rows, n, more):
    """Return the rows, or a larger copy if `more` rows do not fit."""
    if n + more <= rows.shape[0]:
        return rows
    larger = np.empty((max(2 * rows.shape[0], n + more), rows.shape[1]), np.int32)
    for row in range(n):
        for column in range(rows.shape[1]):
            larger[row, column] = rows[row, column]
    return larger


@kernel(f"int64({TABLE}, {TABLE}, int64)", inner=True)
def _name_of(gold, keys, key):
    """Return the name of a missing gold bracket: of equal ones, those that the tree has are the outermost."""
    here = keys[HERE, key]
    name = TOP
    for at in range(gold.shape[1] - 1, -1, -1):  # parents before their children
        if gold[0, at] == keys[LABEL, key] and gold[1, at] == keys[START, key] and gold[2, at] == keys[END, key]:
            name = gold[3, at]
            if here <= 0:
                break
            here -= 1
    return name


@kernel(f"int64({TABLE}, int64, {TABLE}, {COLUMN}, {TABLE}, int64)", inner=True)
def _insert(nodes, n_nodes, gold, chain, keys, key):
    """Put a bracket that crosses no other into the tree, among equal spans where the gold tree has it."""
    label, start, end = keys[LABEL, key], keys[START, key], keys[END, key]
    name = _name_of(gold, keys, key)
    n = 0  # the gold labels over the same words, above this one
    in_gold = False
    for at in range(gold.shape[1] - 1, -1, -1):  # parents before their children
        if gold[1, at] == start and gold[2, at] == end:
            if gold[0, at] == label:
                in_gold = True
                break
            chain[n] = gold[0, at]
            n += 1
    if not in_gold:
        n = 0
    begin = 0
    node = 0
    while True:
        inner = nodes[FIRST, node]
        while inner >= 0 and not (
            nodes[WORD, inner] == 0
            and nodes[START, inner] <= start
            and end <= nodes[END, inner]
            and nodes[START, inner] < nodes[END, inner]
        ):
            inner = nodes[NEXT, inner]
        if inner < 0:
            break
        if nodes[START, inner] == start and nodes[END, inner] == end:
            depth = begin
            while depth < n and chain[depth] != nodes[LABEL, inner]:
                depth += 1
            if depth == n:
                break
            begin = depth + 1
        node = inner
    new = n_nodes
    nodes[LABEL, new], nodes[START, new], nodes[END, new], nodes[NAME, new] = label, start, end, name
    nodes[FIRST, new], nodes[LAST, new] = -1, -1
    nodes[NEXT, new], nodes[BEFORE, new] = -1, -1
    nodes[WORD, new], nodes[WRONG, new], nodes[KEY, new] = 0, 0, -1
    if start == end:
        after, child = -1, nodes[FIRST, node]
        while child >= 0 and nodes[START, child] < start:
            after, child = child, nodes[NEXT, child]
        paste(nodes, node, after, new, new)
        return new
    first, last, child = -1, -1, nodes[FIRST, node]
    while child >= 0:
        if start <= nodes[START, child] and nodes[END, child] <= end:
            if first < 0:
                first = child
            last = child
        child = nodes[NEXT, child]
    after = nodes[BEFORE, first]
    cut(nodes, first, last)
    paste(nodes, node, after, new, new)
    paste(nodes, new, -1, first, last)
    return new


@kernel(f"void({TABLE}, int64, {TABLE}, int64)", inner=True)
def _write_part(parts, n, nodes, node):
    parts[n, 0] = nodes[NAME, node]
    parts[n, 1] = nodes[START, node]
    parts[n, 2] = nodes[END, node]
    parts[n, 3] = nodes[WORD, node]


@kernel(f"int64({TABLE}, int64, {TABLE}, int64, {COLUMN})", inner=True)
def _write_around(parts, n, nodes, node, step):
    """Write a bracket, its parent, its children and its siblings."""
    step[2], step[3], step[4] = nodes[NAME, node], nodes[START, node], nodes[END, node]
    parent = nodes[PARENT, node]
    step[12] = nodes[NAME, parent]
    child = nodes[FIRST, node]
    while child >= 0:
        _write_part(parts, n, nodes, child)
        n += 1
        step[14] += 1
        child = nodes[NEXT, child]
    child = nodes[FIRST, parent]
    while child >= 0:
        if child != node:
            _write_part(parts, n, nodes, child)
            n += 1
            step[15] += 1
        child = nodes[NEXT, child]
    return n


@kernel(f"int64({TABLE}, int64)", inner=True)
def _outermost(nodes, node):
    """Return the name of the outermost other bracket over the words of a bracket, TOP if there is none."""
    start, end = nodes[START, node], nodes[END, node]
    label = TOP
    child = nodes[FIRST, node]
    while start < end and child >= 0:
        if nodes[WORD, child] == 0 and nodes[START, child] == start and nodes[END, child] == end:
            label = nodes[NAME, child]
        child = nodes[NEXT, child]
    above = nodes[PARENT, node]
    while start < end and above > 0 and nodes[START, above] == start and nodes[END, above] == end:
        label = nodes[NAME, above]
        above = nodes[PARENT, above]
    return label


@kernel(f"int64({TABLE}, {COLUMN}, {TABLE}, {TABLE}, int64, {COLUMN})", inner=True)
def _move(nodes, best, kept, parts, n, step):
    """Apply a move, and list its nodes."""
    source, target, after = best[NODE], best[TARGET], best[AFTER]
    first, last = best[MOVED], best[UNTIL]
    step[2], step[3], step[4] = nodes[NAME, source], nodes[START, source], nodes[END, source]
    step[6], step[7], step[8] = nodes[NAME, target], nodes[START, target], nodes[END, target]
    step[12] = nodes[NAME, nodes[PARENT, source]] if source > 0 else TOP
    node = first
    while True:
        _write_part(parts, n, nodes, node)
        n += 1
        step[13] += 1
        if node == last:
            break
        node = nodes[NEXT, node]
    child = nodes[FIRST, source]
    while child >= 0:
        _write_part(parts, n, nodes, child)
        n += 1
        step[14] += 1
        child = nodes[NEXT, child]
    behind = nodes[NEXT, after] if after >= 0 else nodes[FIRST, target]
    for beside in (nodes[BEFORE, first], nodes[NEXT, last], after, behind):
        if beside >= 0:
            _write_part(parts, n, nodes, beside)
            n += 1
            step[15] += 1
    for at in range(best[CHANGED]):
        _write_part(parts, n, nodes, kept[0, at])
        n += 1
        step[16] += 1
    cut(nodes, first, last)
    paste(nodes, target, after, first, last)
    for at in range(best[CHANGED]):
        nodes[START, kept[0, at]] = kept[1, at]
        nodes[END, kept[0, at]] = kept[2, at]
    alone = nodes[FIRST, source]  # an only child of the source's own label is merged with it
    if alone == nodes[LAST, source] and nodes[WORD, alone] == 0 and nodes[LABEL, alone] == nodes[LABEL, source]:
        cut(nodes, alone, alone)
        if nodes[FIRST, alone] >= 0:
            paste(nodes, source, -1, nodes[FIRST, alone], nodes[LAST, alone])
    return n


@kernel(f"int64({TABLE}, {TABLE}, int64)", inner=True)
def _write_tree(nodes, rows, n):
    """Write the tree in postorder: name, start, end, row of the parent, whether it is a word."""
    begin = n
    row = np.full(nodes.shape[1], -1, np.int32)
    node = nodes[FIRST, 0]
    while node > 0:
        while nodes[WORD, node] == 0 and nodes[FIRST, node] >= 0:
            node = nodes[FIRST, node]
        while True:
            rows[n, 0], rows[n, 1], rows[n, 2] = nodes[NAME, node], nodes[START, node], nodes[END, node]
            rows[n, 3], rows[n, 4] = -1, nodes[WORD, node]
            row[node] = n - begin
            child = nodes[FIRST, node]
            while child >= 0:
                rows[begin + row[child], 3] = n - begin
                child = nodes[NEXT, child]
            n += 1
            if nodes[NEXT, node] >= 0:
                node = nodes[NEXT, node]
                break
            node = nodes[PARENT, node]
            if node == 0:
                break
    return n


@kernel("int64[::1](int32[:,::1], int32)", inner=True)
def _by_span(gold, n_words):
    """Return the gold brackets in the order of start and end, of equal spans the outer bracket first."""
    # twice counted and placed, as np.argsort takes seconds to compile
    n = gold.shape[1]
    order, sorted_order = np.empty(n, np.int64), np.empty(n, np.int64)
    for rank in range(n):
        order[rank] = n - 1 - rank
    for row in (2, 1):
        first = np.zeros(n_words + 2, np.int64)
        for at in range(n):
            first[gold[row, at] + 1] += 1
        for position in range(n_words + 1):
            first[position + 1] += first[position]
        for rank in range(n):
            position = gold[row, order[rank]]
            sorted_order[first[position]] = order[rank]
            first[position] += 1
        order, sorted_order = sorted_order, order
    return order


_REPAIR = (
    "Tuple((int32[:,::1], int32[:,::1], int32[:,::1], int64[::1]))(int32[:,::1], int32[:,::1], int32, boolean,"
    " int64[::1])"
)


@kernel(_REPAIR, inner=True)
def repair(gold, test, n_words, trees, work):
    """Repair a tree for other kernels; see :func:`repair_steps`."""
    n_gold, n_test = gold.shape[1], test.shape[1]
    keys = np.zeros((9, n_gold), np.int32)
    heads = np.full(n_words + 1, -1, np.int32)
    n_keys = 0
    for at in _by_span(gold, n_words):
        key = key_of(keys, heads, gold[0, at], gold[1, at], gold[2, at])
        if key < 0:
            key = n_keys
            keys[0, key], keys[1, key], keys[2, key] = gold[0, at], gold[1, at], gold[2, at]
            keys[LINK, key] = heads[gold[1, at]]
            heads[gold[1, at]] = key
            n_keys += 1
        keys[WANTED, key] += 1
    keys = np.ascontiguousarray(keys[:, :n_keys])

    max_nodes = 1 + n_test + n_gold
    nodes = np.full((12, max_nodes), -1, np.int32)
    nodes[WORD] = 0
    nodes[WRONG] = 0
    nodes[LABEL, 0], nodes[START, 0], nodes[END, 0], nodes[NAME, 0] = TOP, 0, n_words, TOP
    for at in range(n_test):
        nodes[LABEL, at + 1], nodes[START, at + 1], nodes[END, at + 1] = test[0, at], test[1, at], test[2, at]
        nodes[WORD, at + 1], nodes[NAME, at + 1] = test[4, at], test[5, at]
        append(nodes, test[3, at] + 1, at + 1)
    n_nodes = n_test + 1

    listed, children = np.empty(max_nodes, np.int32), np.empty(max_nodes, np.int32)
    changed, kept = np.empty((3, max_nodes), np.int32), np.empty((3, max_nodes), np.int32)
    chain = np.empty(n_gold, np.int32)
    best = np.zeros(WIDTH, np.int32)
    steps, parts = np.zeros((16, STEP), np.int32), np.empty((64, PART), np.int32)
    rows, ends = np.empty((max_nodes if trees else 0, 5), np.int32), np.zeros(n_gold + n_test + 1, np.int64)
    n_steps, n_parts, n_rows = 0, 0, 0
    while True:
        n_listed = preorder(nodes, listed)
        n_wrong = judge(nodes, keys, heads, listed, n_listed)
        search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, kept, work)
        if best[GAIN] == 0 or work[0] > work[1]:
            break
        steps, parts = _grown(steps, n_steps, 1), _grown(parts, n_parts, 4 * max_nodes + 4)
        step = steps[n_steps]
        step[:] = 0
        step[0], step[1] = best[OPERATION], best[GAIN]
        step[5], step[6], step[9], step[12], step[17] = TOP, TOP, TOP, TOP, TOP
        node, key = best[NODE], best[NEW]
        if best[OPERATION] == MOVE:
            n_parts = _move(nodes, best, kept, parts, n_parts, step)
            key = best[ADDED]
            step[11] = -1
            if key >= 0:
                added = _insert(nodes, n_nodes, gold, chain, keys, key)
                step[9], step[10], step[11] = nodes[NAME, added], keys[START, key], keys[END, key]
                n_nodes += 1
        elif best[OPERATION] == ADD:
            node = _insert(nodes, n_nodes, gold, chain, keys, key)
            n_nodes += 1
            n_parts = _write_around(parts, n_parts, nodes, node, step)
            step[17] = _outermost(nodes, node)
        else:
            n_parts = _write_around(parts, n_parts, nodes, node, step)
            if best[OPERATION] == RELABEL:
                nodes[LABEL, node] = keys[LABEL, key]
                nodes[NAME, node] = step[5] = _name_of(gold, keys, key)
            else:
                parent, after = nodes[PARENT, node], nodes[BEFORE, node]
                first, last = nodes[FIRST, node], nodes[LAST, node]
                cut(nodes, node, node)
                if first >= 0:
                    paste(nodes, parent, after, first, last)
        if trees:
            rows = _grown(rows, n_rows, max_nodes)
            n_rows = _write_tree(nodes, rows, n_rows)
        ends[n_steps] = n_rows
        n_steps += 1
    return steps[:n_steps].copy(), parts[:n_parts].copy(), rows[:n_rows].copy(), ends[:n_steps].copy()


@kernel(_REPAIR)
def repair_steps(gold, test, n_words, trees, work):
    """Turn a test tree into the gold tree.

    Parameters
    ----------
    gold : ndarray of int32, shape (4, brackets)
        Label, start, end and name of the gold phrases, in postorder. Labels are compared; names are those in the
        results, where labels that differ may count as equal.
    test : ndarray of int32, shape (6, nodes)
        Label, start, end, parent (-1 for none), whether it is a word, and name, of the test phrases and words, in
        postorder.
    n_words : int
        Number of words.
    trees : bool
        Whether to return the tree after each step.
    work : ndarray of int64, shape (2,)
        Number of operations so far, which is increased, and their limit; where it is exceeded the repair is incomplete.

    Returns
    -------
    steps : ndarray of int32, shape (steps, STEP)
        See :data:`STEP`; :data:`TOP` where there is no label.
    parts : ndarray of int32, shape (parts, PART)
        The nodes that the steps name, in their order: moved, children, siblings, changed.
    rows : ndarray of int32, shape (rows, 5)
        The trees after the steps: name, start, end, parent and whether it is a word; none unless `trees`.
    ends : ndarray of int64, shape (steps,)
        Where each of them ends.
    """
    return repair(gold, test, n_words, trees, work)
