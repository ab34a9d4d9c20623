"""The search for the step of a repair that leaves the fewest errors."""

from __future__ import annotations

from numba import njit

from evaltools.kernels.repair_tree import (
    BEFORE,
    CHANGE,
    CROSSED,
    END,
    FIRST,
    HERE,
    KEY,
    LABEL,
    LAST,
    MISSING,
    NEXT,
    PARENT,
    START,
    WANTED,
    WORD,
    WRONG,
    crosses,
    key_of,
)

__all__ = [
    "ADD",
    "ADDED",
    "AFTER",
    "CHANGED",
    "GAIN",
    "MOVE",
    "MOVED",
    "NEW",
    "NODE",
    "OPERATION",
    "RELABEL",
    "REMOVE",
    "TARGET",
    "UNTIL",
    "WIDTH",
    "search",
]

RELABEL, MOVE, ADD, REMOVE = 0, 1, 2, 3
"""What a step does."""

# a step under consideration: its gain, and what it is about
GAIN, OPERATION, NODE, NEW, MOVED, UNTIL, TARGET, AFTER, ADDED, CHANGED = range(10)
WIDTH = 10


@njit(nogil=True, cache=True)
def _gain_of(nodes, keys, heads, changed, n, gone):
    """Return by how much the errors become fewer if brackets get other spans, and one of a key in the end disappears.

    `gone` is a gold key, -1 for a bracket that the gold tree does not have, -2 for none.
    """
    gain = 0
    if gone >= 0:
        keys[CHANGE, gone] -= 1
    elif gone == -1:
        gain += 1
    for at in range(n):
        node = changed[0, at]
        key = nodes[KEY, node]
        if key >= 0:
            keys[CHANGE, key] -= 1
        else:
            gain += 1
        key = key_of(keys, heads, nodes[LABEL, node], changed[1, at], changed[2, at])
        if key >= 0:
            keys[CHANGE, key] += 1
        else:
            gain -= 1
    for at in range(-1, n):
        for turn in range(2):
            if at < 0:
                key = gone
            elif turn == 0:
                key = nodes[KEY, changed[0, at]]
            else:
                key = key_of(keys, heads, nodes[LABEL, changed[0, at]], changed[1, at], changed[2, at])
            if key >= 0 and keys[CHANGE, key] != 0:
                now = keys[HERE, key] - keys[WANTED, key]
                gain += abs(now) - abs(now + keys[CHANGE, key])
                keys[CHANGE, key] = 0
    return gain


@njit(nogil=True, cache=True)
def _possible(nodes, keys, changed, n, gone, gone_start, gone_end, start, end, target_start, target_end):
    """Return the gold bracket to add around what moves, inside its new parent; -1 if there is none.

    It is missing after the move, and crosses nothing then.
    """
    best = -1
    for key in range(keys.shape[1]):
        k_start, k_end = keys[START, key], keys[END, key]
        if k_start > start or k_end < end or (k_start == start and k_end == end):
            continue
        if k_start < target_start or k_end > target_end:
            continue
        here, crossed = keys[HERE, key], keys[CROSSED, key]
        for at in range(n):
            node = changed[0, at]
            here -= nodes[KEY, node] == key
            here += nodes[LABEL, node] == keys[LABEL, key] and changed[1, at] == k_start and changed[2, at] == k_end
            crossed -= crosses(k_start, k_end, nodes[START, node], nodes[END, node])
            crossed += crosses(k_start, k_end, changed[1, at], changed[2, at])
        if gone > -2:
            here -= gone == key
            crossed -= crosses(k_start, k_end, gone_start, gone_end)
        if here < keys[WANTED, key] and crossed == 0:
            if best < 0 or keys[START, best] < k_start or k_end < keys[END, best]:
                best = key
    return best


@njit(nogil=True, cache=True)
def _consider(nodes, keys, heads, changed, n, source, first, last, target, after, left_alone, best, kept):
    """Keep a move if it is better than the best step so far.

    `left_alone` is the only child that the source keeps, -1 if it keeps more; one of its label is merged with it.
    """
    source_start, source_end = nodes[START, source], nodes[END, source]
    target_start, target_end = nodes[START, target], nodes[END, target]
    for at in range(n):
        if changed[0, at] == source:
            source_start, source_end = changed[1, at], changed[2, at]
        if changed[0, at] == target:
            target_start, target_end = changed[1, at], changed[2, at]
    gone = -2
    if left_alone >= 0 and nodes[WORD, left_alone] == 0 and nodes[LABEL, left_alone] == nodes[LABEL, source]:
        if left_alone == target:
            return
        gone = key_of(keys, heads, nodes[LABEL, source], source_start, source_end)
    gain = _gain_of(nodes, keys, heads, changed, n, gone)
    if gain + 1 <= best[GAIN]:
        return
    start, end = nodes[START, first], nodes[END, last]
    added = _possible(
        nodes, keys, changed, n, gone, source_start, source_end, start, end, target_start, target_end
    )  # fmt: skip
    gain += added >= 0
    if gain > best[GAIN]:
        best[GAIN], best[OPERATION] = gain, MOVE
        best[NODE], best[MOVED], best[UNTIL] = source, first, last
        best[TARGET], best[AFTER], best[ADDED], best[CHANGED] = target, after, added, n
        kept[:, :n] = changed[:, :n]


@njit(nogil=True, cache=True)
def _consider_below(nodes, keys, heads, changed, n, source, first, last, node, right, left_alone, best, kept):
    """Consider the wrong brackets along a node's right or left edge, which would reach over what moves."""
    while nodes[WORD, node] == 0:
        changed[0, n] = node
        changed[1, n] = nodes[START, node] if right else nodes[START, first]
        changed[2, n] = nodes[END, last] if right else nodes[END, node]
        n += 1
        if nodes[WRONG, node]:
            after = nodes[LAST, node] if right else -1
            _consider(nodes, keys, heads, changed, n, source, first, last, node, after, left_alone, best, kept)
        node = nodes[LAST, node] if right else nodes[FIRST, node]
        if node < 0:
            return


@njit(nogil=True, cache=True)
def _leave(nodes, changed, n, node, first, last, right):
    """Write that a bracket loses what moves, at its right or left edge."""
    changed[0, n] = node
    changed[1, n] = nodes[START, node] if right else nodes[END, last]
    changed[2, n] = nodes[START, first] if right else nodes[END, node]


@njit(nogil=True, cache=True)
def _consider_moves(nodes, keys, heads, source, children, changed, best, kept):
    """Consider all moves of neighboring children of a node."""
    n_children = 0
    child = nodes[FIRST, source]
    while child >= 0:
        children[n_children] = child
        n_children += 1
        child = nodes[NEXT, child]
    for i in range(n_children):
        for j in range(i, n_children):
            if i == 0 and j == n_children - 1:
                continue
            first, last = children[i], children[j]
            if nodes[START, first] == nodes[END, last]:
                continue
            left_alone = -1
            if n_children - (j - i + 1) == 1:
                left_alone = children[0] if i > 0 else children[n_children - 1]
            # down into the neighbor on either side
            if i > 0:
                _consider_below(
                    nodes, keys, heads, changed, 0, source, first, last, children[i - 1], True, left_alone, best, kept
                )
            if j < n_children - 1:
                _consider_below(
                    nodes, keys, heads, changed, 0, source, first, last, children[j + 1], False, left_alone, best, kept
                )
            if not nodes[WRONG, source]:
                continue
            for turn in range(2):
                right = turn == 1
                if (right and j != n_children - 1) or (not right and i != 0):
                    continue
                # out of all brackets that end there, into those that end before them
                node, n = source, 0
                while True:
                    _leave(nodes, changed, n, node, first, last, right)
                    n += 1
                    beside = nodes[NEXT, node] if right else nodes[BEFORE, node]
                    if beside >= 0 or nodes[PARENT, node] == 0:
                        break
                    node = nodes[PARENT, node]
                if beside >= 0:
                    _consider_below(
                        nodes, keys, heads, changed, n, source, first, last, beside, not right, left_alone, best, kept
                    )
                # up
                node, n, target = source, 0, nodes[PARENT, source]
                while target > 0:
                    _leave(nodes, changed, n, node, first, last, right)
                    n += 1
                    after = node if right else nodes[BEFORE, node]
                    _consider(
                        nodes, keys, heads, changed, n, source, first, last, target, after, left_alone, best, kept
                    )
                    above = nodes[PARENT, target]
                    if right and nodes[END, above] > nodes[END, source]:
                        break
                    if not right and nodes[START, above] < nodes[START, source]:
                        break
                    node, target = target, above


@njit(nogil=True, cache=True)
def search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, kept):
    """Find the first of the steps that leave the fewest errors; its gain is 0 where nothing is wrong."""
    best[:] = -1
    best[GAIN] = 0
    for key in range(keys.shape[1]):
        if keys[MISSING, key] == 0:
            continue
        for at in range(n_listed):
            node = listed[at]
            if nodes[WRONG, node] and nodes[START, node] == keys[START, key] and nodes[END, node] == keys[END, key]:
                best[GAIN], best[OPERATION], best[NODE], best[NEW] = 2, RELABEL, node, key
                break
        if best[GAIN] > 0:
            break
    for key in range(keys.shape[1]):
        if best[GAIN] < 1 and keys[MISSING, key] > 0 and keys[CROSSED, key] == 0:
            best[GAIN], best[OPERATION], best[NEW] = 1, ADD, key
    if best[GAIN] < 1:
        first = -1
        for at in range(n_listed):
            node = listed[at]
            if nodes[WRONG, node] and (
                first < 0
                or nodes[START, node] < nodes[START, first]
                or (nodes[START, node] == nodes[START, first] and nodes[END, node] < nodes[END, first])
            ):
                first = node
        if first >= 0:
            best[GAIN], best[OPERATION], best[NODE] = 1, REMOVE, first
    if n_wrong:
        _consider_moves(nodes, keys, heads, 0, children, changed, best, kept)
        for at in range(n_listed):
            _consider_moves(nodes, keys, heads, listed[at], children, changed, best, kept)
