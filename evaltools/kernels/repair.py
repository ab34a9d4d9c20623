"""Repairing a tree: the search for the best next step, and taking it, until the gold brackets are there.

Nodes are phrases, and words together with their tags; node 0 is a top without a label over all of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["ADD", "MOVE", "PART", "RELABEL", "REMOVE", "STEP", "TOP", "repair_steps"]

RELABEL, MOVE, ADD, REMOVE = 0, 1, 2, 3
"""What a step does, in the order in which equally good ones are taken."""

TOP = -1
"""The label of the top, and what stands where there is no label."""

STEP = 17
"""Columns of a step: operation, brackets repaired; label, start, end of the bracket; new label; of the target, and of
the bracket that is added; label of the parent; numbers of the nodes moved, of children, siblings, changed brackets."""

PART = 4
"""Columns of a node that a step names: label, start, end, whether it is a word."""

# rows of the table of nodes
_LABEL, _START, _END, _PARENT, _FIRST, _LAST, _NEXT, _BEFORE, _WORD, _WRONG, _KEY = range(11)
# rows of the table of gold brackets, equal ones once
_WANTED, _HERE, _MISSING, _CROSSED, _LINK, _CHANGE = 3, 4, 5, 6, 7, 8


@njit(nogil=True, cache=True)
def _crosses(start, end, other_start, other_end):
    return (start < other_start and other_start < end and end < other_end) or (
        other_start < start and start < other_end and other_end < end
    )


@njit(nogil=True, cache=True)
def _key_of(keys, heads, label, start, end):
    """Return the number of a gold bracket, -1 if there is none of this label and span."""
    key = heads[start]
    while key >= 0:
        if keys[_LABEL, key] == label and keys[_END, key] == end:
            return key
        key = keys[_LINK, key]
    return -1


@njit(nogil=True, cache=True)
def _grown(rows, n, more):
    """Return the rows, or a larger copy if there is no room for some more."""
    if n + more <= rows.shape[0]:
        return rows
    larger = np.empty((max(2 * rows.shape[0], n + more), rows.shape[1]), np.int32)
    larger[:n] = rows[:n]
    return larger


@njit(nogil=True, cache=True)
def _append(nodes, parent, child):
    """Make a node the last child of another."""
    last = nodes[_LAST, parent]
    nodes[_PARENT, child] = parent
    nodes[_BEFORE, child] = last
    nodes[_NEXT, child] = -1
    if last >= 0:
        nodes[_NEXT, last] = child
    else:
        nodes[_FIRST, parent] = child
    nodes[_LAST, parent] = child


@njit(nogil=True, cache=True)
def _cut(nodes, first, last):
    """Take neighbouring children out of their parent."""
    parent, before, after = nodes[_PARENT, first], nodes[_BEFORE, first], nodes[_NEXT, last]
    if before >= 0:
        nodes[_NEXT, before] = after
    else:
        nodes[_FIRST, parent] = after
    if after >= 0:
        nodes[_BEFORE, after] = before
    else:
        nodes[_LAST, parent] = before
    nodes[_BEFORE, first] = -1
    nodes[_NEXT, last] = -1


@njit(nogil=True, cache=True)
def _paste(nodes, parent, after, first, last):
    """Put nodes that were cut out among the children of another, behind one of them, or before all (-1)."""
    behind = nodes[_NEXT, after] if after >= 0 else nodes[_FIRST, parent]
    nodes[_BEFORE, first] = after
    nodes[_NEXT, last] = behind
    if after >= 0:
        nodes[_NEXT, after] = first
    else:
        nodes[_FIRST, parent] = first
    if behind >= 0:
        nodes[_BEFORE, behind] = last
    else:
        nodes[_LAST, parent] = last
    node = first
    while node >= 0:
        nodes[_PARENT, node] = parent
        if node == last:
            break
        node = nodes[_NEXT, node]


@njit(nogil=True, cache=True)
def _preorder(nodes, listed):
    """List all phrases, parents before their children; return how many there are."""
    n = 0
    node = nodes[_FIRST, 0]
    while node > 0:
        if nodes[_WORD, node] == 0:
            listed[n] = node
            n += 1
            if nodes[_FIRST, node] >= 0:
                node = nodes[_FIRST, node]
                continue
        while node > 0 and nodes[_NEXT, node] < 0:
            node = nodes[_PARENT, node]
        if node > 0:
            node = nodes[_NEXT, node]
    return n


@njit(nogil=True, cache=True)
def _judge(nodes, keys, heads, listed, n_listed):
    """Tell which brackets are wrong, which gold brackets are missing, and how many brackets cross those."""
    n_keys = keys.shape[1]
    for key in range(n_keys):
        keys[_HERE, key] = 0
        keys[_CHANGE, key] = 0
        keys[_CROSSED, key] = 0
    n_wrong = 0
    for at in range(n_listed):
        node = listed[at]
        key = _key_of(keys, heads, nodes[_LABEL, node], nodes[_START, node], nodes[_END, node])
        nodes[_KEY, node] = key
        nodes[_WRONG, node] = 1
        if key >= 0:
            keys[_HERE, key] += 1
            if keys[_HERE, key] <= keys[_WANTED, key]:  # the outermost of equal brackets are the right ones
                nodes[_WRONG, node] = 0
        n_wrong += nodes[_WRONG, node]
    for key in range(n_keys):
        keys[_MISSING, key] = max(keys[_WANTED, key] - keys[_HERE, key], 0)
        if keys[_MISSING, key] > 0:
            for at in range(n_listed):
                node = listed[at]
                if _crosses(keys[_START, key], keys[_END, key], nodes[_START, node], nodes[_END, node]):
                    keys[_CROSSED, key] += 1
    return n_wrong


# a step under consideration: its gain, six numbers that order equally good ones, and what it is about
_GAIN, _OPERATION, _ORDER, _NODE, _NEW, _MOVED, _UNTIL, _TARGET, _AFTER, _ADDED, _CHANGED = (
    0,
    1,
    1,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
)
_WIDTH = 15


@njit(nogil=True, cache=True)
def _is_better(best, gain, operation, width, start, end, target_start, target_end):
    """Tell whether a step is better than the best so far: gain, then operation, words moved, place."""
    if gain != best[_GAIN]:
        return gain > best[_GAIN]
    if operation != best[1]:
        return operation < best[1]
    if width != best[2]:
        return width < best[2]
    if start != best[3]:
        return start < best[3]
    if end != best[4]:
        return end > best[4]
    if target_start != best[5]:
        return target_start < best[5]
    return target_end > best[6]


@njit(nogil=True, cache=True)
def _take_for_best(best, gain, operation, width, start, end, target_start, target_end):
    best[_GAIN] = gain
    best[1] = operation
    best[2] = width
    best[3] = start
    best[4] = end
    best[5] = target_start
    best[6] = target_end
    for place in range(_NODE, _WIDTH):
        best[place] = -1
    best[_CHANGED] = 0


@njit(nogil=True, cache=True)
def _gain_of(nodes, keys, heads, changed, n):
    """Return by how much the errors become fewer if brackets get other spans."""
    gain = 0
    for at in range(n):
        node = changed[0, at]
        key = nodes[_KEY, node]
        if key >= 0:
            keys[_CHANGE, key] -= 1
        else:
            gain += 1
        key = _key_of(keys, heads, nodes[_LABEL, node], changed[1, at], changed[2, at])
        if key >= 0:
            keys[_CHANGE, key] += 1
        else:
            gain -= 1
    for at in range(n):
        node = changed[0, at]
        for turn in range(2):
            if turn == 0:
                key = nodes[_KEY, node]
            else:
                key = _key_of(keys, heads, nodes[_LABEL, node], changed[1, at], changed[2, at])
            if key >= 0 and keys[_CHANGE, key] != 0:
                now = keys[_HERE, key] - keys[_WANTED, key]
                gain += abs(now) - abs(now + keys[_CHANGE, key])
                keys[_CHANGE, key] = 0
    return gain


@njit(nogil=True, cache=True)
def _possible(nodes, keys, changed, n, start, end):
    """Return a missing bracket that holds what moves, and that crosses others before the move but none after it."""
    for key in range(keys.shape[1]):
        if keys[_MISSING, key] == 0 or keys[_CROSSED, key] == 0:
            continue
        k_start, k_end = keys[_START, key], keys[_END, key]
        if k_start > start or k_end < end:
            continue
        crossed, made, crosses = 0, 0, False
        for at in range(n):
            node = changed[0, at]
            crossed += _crosses(k_start, k_end, nodes[_START, node], nodes[_END, node])
            crosses |= _crosses(k_start, k_end, changed[1, at], changed[2, at])
            made += nodes[_LABEL, node] == keys[_LABEL, key] and changed[1, at] == k_start and changed[2, at] == k_end
        if crossed == keys[_CROSSED, key] and not crosses and made < keys[_MISSING, key]:
            return key
    return -1


@njit(nogil=True, cache=True)
def _consider(nodes, keys, heads, changed, n, source, first, last, start, end, target, after, best, kept):
    """Keep a move if it is better than the best step so far."""
    gain = _gain_of(nodes, keys, heads, changed, n)
    if gain < 0 or gain + 1 < best[_GAIN]:
        return
    added = _possible(nodes, keys, changed, n, start, end)
    gain += added >= 0
    target_start, target_end = nodes[_START, target], nodes[_END, target]
    if gain > 0 and _is_better(best, gain, MOVE, end - start, start, end, target_start, target_end):
        _take_for_best(best, gain, MOVE, end - start, start, end, target_start, target_end)
        best[_NODE] = source
        best[_MOVED], best[_UNTIL] = first, last
        best[_TARGET], best[_AFTER] = target, after
        best[_ADDED] = added
        best[_CHANGED] = n
        kept[:, :n] = changed[:, :n]


@njit(nogil=True, cache=True)
def _consider_below(nodes, keys, heads, changed, n, source, first, last, start, end, node, right, to, best, kept):
    """Consider the wrong brackets along a node's right or left edge, which would reach to another place."""
    while nodes[_WORD, node] == 0 and nodes[_WRONG, node]:
        changed[0, n] = node
        changed[1, n] = nodes[_START, node] if right else to
        changed[2, n] = to if right else nodes[_END, node]
        n += 1
        after = nodes[_LAST, node] if right else -1
        _consider(nodes, keys, heads, changed, n, source, first, last, start, end, node, after, best, kept)
        node = nodes[_LAST, node] if right else nodes[_FIRST, node]
        if node < 0:
            return


@njit(nogil=True, cache=True)
def _consider_moves(nodes, keys, heads, source, children, changed, best, kept):
    """Consider all moves of neighbouring children of a node that change no right bracket."""
    n_children, near = 0, int(nodes[_WRONG, source])
    child = nodes[_FIRST, source]
    while child >= 0:
        children[n_children] = child
        n_children += 1
        if nodes[_WRONG, child]:
            near = 1
        child = nodes[_NEXT, child]
    if not near:
        return
    for i in range(n_children):
        for j in range(i, n_children):
            if i == 0 and j == n_children - 1:
                continue
            first, last = children[i], children[j]
            start, end = nodes[_START, first], nodes[_END, last]
            if start == end:
                continue
            # down into the neighbour on either side
            if i > 0:
                beside = children[i - 1]
                _consider_below(
                    nodes, keys, heads, changed, 0, source, first, last, start, end, beside, True, end, best, kept
                )
            if j < n_children - 1:
                beside = children[j + 1]
                _consider_below(
                    nodes, keys, heads, changed, 0, source, first, last, start, end, beside, False, start, best, kept
                )
            # up along an edge, and from there down into the next neighbour
            for turn in range(2):
                right = turn == 0
                if (right and j != n_children - 1) or (not right and i != 0):
                    continue
                node, n = source, 0
                while node > 0 and nodes[_WRONG, node]:
                    changed[0, n] = node
                    changed[1, n] = nodes[_START, node] if right else end
                    changed[2, n] = start if right else nodes[_END, node]
                    n += 1
                    above = nodes[_PARENT, node]
                    after = node if right else nodes[_BEFORE, node]
                    _consider(nodes, keys, heads, changed, n, source, first, last, start, end, above, after, best, kept)
                    beside = nodes[_NEXT, node] if right else nodes[_BEFORE, node]
                    if beside >= 0:
                        to = start if right else end
                        _consider_below(
                            nodes, keys, heads, changed, n, source, first, last, start, end, beside, not right, to,
                            best, kept,
                        )  # fmt: skip
                        break  # the node is not at the edge of the one above
                    node = above


@njit(nogil=True, cache=True)
def _search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, kept):
    """Find the step that leaves the fewest errors; its gain is 0 where nothing is wrong."""
    best[:] = 0
    for at in range(n_listed):
        node = listed[at]
        if not nodes[_WRONG, node]:
            continue
        start, end = nodes[_START, node], nodes[_END, node]
        if _is_better(best, 1, REMOVE, 0, start, end, 0, 0):
            _take_for_best(best, 1, REMOVE, 0, start, end, 0, 0)
            best[_NODE] = node
        key = -1
        for other in range(keys.shape[1]):  # in the order of the gold tree
            if keys[_MISSING, other] > 0 and keys[_START, other] == start and keys[_END, other] == end:
                key = other
                break
        if key >= 0 and _is_better(best, 2, RELABEL, 0, start, end, 0, 0):
            _take_for_best(best, 2, RELABEL, 0, start, end, 0, 0)
            best[_NODE], best[_NEW] = node, key
    for key in range(keys.shape[1]):
        if keys[_MISSING, key] > 0 and keys[_CROSSED, key] == 0:
            start, end = keys[_START, key], keys[_END, key]
            if _is_better(best, 1, ADD, 0, start, end, 0, 0):
                _take_for_best(best, 1, ADD, 0, start, end, 0, 0)
                best[_NEW] = key
    if n_wrong:
        _consider_moves(nodes, keys, heads, 0, children, changed, best, kept)
        for at in range(n_listed):
            _consider_moves(nodes, keys, heads, listed[at], children, changed, best, kept)


@njit(nogil=True, cache=True)
def _insert(nodes, n_nodes, gold, chain, label, start, end):
    """Put a bracket that crosses no other into the tree, among equal spans where the gold tree has it."""
    n = 0  # the gold labels over the same words, above this one
    there = False
    for at in range(gold.shape[1] - 1, -1, -1):  # parents before their children
        if gold[1, at] == start and gold[2, at] == end:
            if gold[0, at] == label:
                there = True
                break
            chain[n] = gold[0, at]
            n += 1
    if not there:
        n = 0
    begin = 0
    node = 0
    while True:
        inner = nodes[_FIRST, node]
        while inner >= 0 and not (
            nodes[_WORD, inner] == 0
            and nodes[_START, inner] <= start
            and end <= nodes[_END, inner]
            and nodes[_START, inner] < nodes[_END, inner]
        ):
            inner = nodes[_NEXT, inner]
        if inner < 0:
            break
        if nodes[_START, inner] == start and nodes[_END, inner] == end:
            place = begin
            while place < n and chain[place] != nodes[_LABEL, inner]:
                place += 1
            if place == n:
                break
            begin = place + 1
        node = inner
    made = n_nodes
    nodes[_LABEL, made], nodes[_START, made], nodes[_END, made] = label, start, end
    nodes[_FIRST, made], nodes[_LAST, made] = -1, -1
    nodes[_NEXT, made], nodes[_BEFORE, made] = -1, -1
    nodes[_WORD, made], nodes[_WRONG, made], nodes[_KEY, made] = 0, 0, -1
    if start == end:
        after, child = -1, nodes[_FIRST, node]
        while child >= 0 and nodes[_START, child] < start:
            after, child = child, nodes[_NEXT, child]
        _paste(nodes, node, after, made, made)
        return made
    first, last, child = -1, -1, nodes[_FIRST, node]
    while child >= 0:
        if start <= nodes[_START, child] and nodes[_END, child] <= end:
            if first < 0:
                first = child
            last = child
        child = nodes[_NEXT, child]
    after = nodes[_BEFORE, first]
    _cut(nodes, first, last)
    _paste(nodes, node, after, made, made)
    _paste(nodes, made, -1, first, last)
    return made


@njit(nogil=True, cache=True)
def _write_part(parts, n, nodes, node):
    parts[n, 0] = nodes[_LABEL, node]
    parts[n, 1] = nodes[_START, node]
    parts[n, 2] = nodes[_END, node]
    parts[n, 3] = nodes[_WORD, node]


@njit(nogil=True, cache=True)
def _write_around(parts, n, nodes, node, step):
    """Write a bracket, its parent, what stands in it and what stands beside it."""
    step[2], step[3], step[4] = nodes[_LABEL, node], nodes[_START, node], nodes[_END, node]
    parent = nodes[_PARENT, node]
    step[12] = nodes[_LABEL, parent]
    child = nodes[_FIRST, node]
    while child >= 0:
        _write_part(parts, n, nodes, child)
        n += 1
        step[14] += 1
        child = nodes[_NEXT, child]
    child = nodes[_FIRST, parent]
    while child >= 0:
        if child != node:
            _write_part(parts, n, nodes, child)
            n += 1
            step[15] += 1
        child = nodes[_NEXT, child]
    return n


@njit(nogil=True, cache=True)
def _move(nodes, best, kept, parts, n, step):
    """Take a move, and write it down."""
    source, target, after = best[_NODE], best[_TARGET], best[_AFTER]
    first, last = best[_MOVED], best[_UNTIL]
    step[2], step[3], step[4] = nodes[_LABEL, source], nodes[_START, source], nodes[_END, source]
    step[6], step[7], step[8] = nodes[_LABEL, target], nodes[_START, target], nodes[_END, target]
    step[12] = nodes[_LABEL, nodes[_PARENT, source]] if source > 0 else TOP
    node = first
    while True:
        _write_part(parts, n, nodes, node)
        n += 1
        step[13] += 1
        if node == last:
            break
        node = nodes[_NEXT, node]
    child = nodes[_FIRST, source]
    while child >= 0:
        _write_part(parts, n, nodes, child)
        n += 1
        step[14] += 1
        child = nodes[_NEXT, child]
    behind = nodes[_NEXT, after] if after >= 0 else nodes[_FIRST, target]
    for beside in (nodes[_BEFORE, first], nodes[_NEXT, last], after, behind):
        if beside >= 0:
            _write_part(parts, n, nodes, beside)
            n += 1
            step[15] += 1
    for at in range(best[_CHANGED]):
        _write_part(parts, n, nodes, kept[0, at])
        n += 1
        step[16] += 1
    _cut(nodes, first, last)
    _paste(nodes, target, after, first, last)
    for at in range(best[_CHANGED]):
        nodes[_START, kept[0, at]] = kept[1, at]
        nodes[_END, kept[0, at]] = kept[2, at]
    return n


@njit(nogil=True, cache=True)
def _write_tree(nodes, rows, n):
    """Write the tree in postorder: label, start, end, row of the parent, whether it is a word."""
    begin = n
    row = np.full(nodes.shape[1], -1, np.int32)
    node = nodes[_FIRST, 0]
    while node > 0:
        while nodes[_WORD, node] == 0 and nodes[_FIRST, node] >= 0:
            node = nodes[_FIRST, node]
        while True:
            rows[n, 0], rows[n, 1], rows[n, 2] = nodes[_LABEL, node], nodes[_START, node], nodes[_END, node]
            rows[n, 3], rows[n, 4] = -1, nodes[_WORD, node]
            row[node] = n - begin
            child = nodes[_FIRST, node]
            while child >= 0:
                rows[begin + row[child], 3] = n - begin
                child = nodes[_NEXT, child]
            n += 1
            if nodes[_NEXT, node] >= 0:
                node = nodes[_NEXT, node]
                break
            node = nodes[_PARENT, node]
            if node == 0:
                break
    return n


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
    for at in range(n_gold):
        key = _key_of(keys, heads, gold[0, at], gold[1, at], gold[2, at])
        if key < 0:
            key = n_keys
            keys[0, key], keys[1, key], keys[2, key] = gold[0, at], gold[1, at], gold[2, at]
            keys[_LINK, key] = heads[gold[1, at]]
            heads[gold[1, at]] = key
            n_keys += 1
        keys[_WANTED, key] += 1
    keys = np.ascontiguousarray(keys[:, :n_keys])

    most = 1 + n_test + n_gold
    nodes = np.full((11, most), -1, np.int32)
    nodes[_WORD] = 0
    nodes[_WRONG] = 0
    nodes[_LABEL, 0], nodes[_START, 0], nodes[_END, 0] = TOP, 0, n_words
    for at in range(n_test):
        nodes[_LABEL, at + 1], nodes[_START, at + 1], nodes[_END, at + 1] = test[0, at], test[1, at], test[2, at]
        nodes[_WORD, at + 1] = test[4, at]
        _append(nodes, test[3, at] + 1, at + 1)
    n_nodes = n_test + 1

    listed, children = np.empty(most, np.int32), np.empty(most, np.int32)
    changed, kept = np.empty((3, most), np.int32), np.empty((3, most), np.int32)
    chain = np.empty(n_gold, np.int32)
    best = np.zeros(_WIDTH, np.int32)
    steps, parts = np.zeros((16, STEP), np.int32), np.empty((64, PART), np.int32)
    rows, ends = np.empty((most if trees else 0, 5), np.int32), np.zeros(n_gold + n_test + 1, np.int64)
    n_steps, n_parts, n_rows = 0, 0, 0
    while True:
        n_listed = _preorder(nodes, listed)
        n_wrong = _judge(nodes, keys, heads, listed, n_listed)
        _search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, kept)
        if best[_GAIN] == 0:
            break
        steps, parts = _grown(steps, n_steps, 1), _grown(parts, n_parts, 4 * most + 4)
        step = steps[n_steps]
        step[:] = 0
        step[0], step[1] = best[_OPERATION], best[_GAIN]
        step[5], step[6], step[9], step[12] = TOP, TOP, TOP, TOP
        node, key = best[_NODE], best[_NEW]
        if best[_OPERATION] == MOVE:
            n_parts = _move(nodes, best, kept, parts, n_parts, step)
            key = best[_ADDED]
            step[11] = -1
            if key >= 0:
                step[9], step[10], step[11] = keys[0, key], keys[1, key], keys[2, key]
                _insert(nodes, n_nodes, gold, chain, keys[0, key], keys[1, key], keys[2, key])
                n_nodes += 1
        elif best[_OPERATION] == ADD:
            node = _insert(nodes, n_nodes, gold, chain, keys[0, key], keys[1, key], keys[2, key])
            n_nodes += 1
            n_parts = _write_around(parts, n_parts, nodes, node, step)
        else:
            n_parts = _write_around(parts, n_parts, nodes, node, step)
            if best[_OPERATION] == RELABEL:
                nodes[_LABEL, node] = step[5] = keys[0, key]
            else:
                parent, after = nodes[_PARENT, node], nodes[_BEFORE, node]
                first, last = nodes[_FIRST, node], nodes[_LAST, node]
                _cut(nodes, node, node)
                if first >= 0:
                    _paste(nodes, parent, after, first, last)
        if trees:
            rows = _grown(rows, n_rows, most)
            n_rows = _write_tree(nodes, rows, n_rows)
        ends[n_steps] = n_rows
        n_steps += 1
    return steps[:n_steps].copy(), parts[:n_parts].copy(), rows[:n_rows].copy(), ends[:n_steps].copy()
