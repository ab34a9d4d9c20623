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
"""What a step does, in the order in which equally good ones are taken."""

# a step under consideration: its gain, six numbers that order equally good ones, and what it is about
GAIN, OPERATION, NODE, NEW, MOVED, UNTIL, TARGET, AFTER, ADDED, CHANGED = 0, 1, 7, 8, 9, 10, 11, 12, 13, 14
WIDTH = 15


@njit(nogil=True, cache=True)
def _is_better(best, gain, operation, width, start, end, target_start, target_end):
    """Tell whether a step is better than the best so far: gain, then operation, words moved, place."""
    if gain != best[GAIN]:
        return gain > best[GAIN]
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
    best[GAIN] = gain
    best[1] = operation
    best[2] = width
    best[3] = start
    best[4] = end
    best[5] = target_start
    best[6] = target_end
    for place in range(NODE, WIDTH):
        best[place] = -1
    best[CHANGED] = 0


@njit(nogil=True, cache=True)
def _gain_of(nodes, keys, heads, changed, n):
    """Return by how much the errors become fewer if brackets get other spans."""
    gain = 0
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
    for at in range(n):
        node = changed[0, at]
        for turn in range(2):
            if turn == 0:
                key = nodes[KEY, node]
            else:
                key = key_of(keys, heads, nodes[LABEL, node], changed[1, at], changed[2, at])
            if key >= 0 and keys[CHANGE, key] != 0:
                now = keys[HERE, key] - keys[WANTED, key]
                gain += abs(now) - abs(now + keys[CHANGE, key])
                keys[CHANGE, key] = 0
    return gain


@njit(nogil=True, cache=True)
def _possible(nodes, keys, changed, n, start, end):
    """Return a missing bracket that holds what moves, and that crosses others before the move but none after it."""
    for key in range(keys.shape[1]):
        if keys[MISSING, key] == 0 or keys[CROSSED, key] == 0:
            continue
        k_start, k_end = keys[START, key], keys[END, key]
        if k_start > start or k_end < end:
            continue
        crossed, made, hindered = 0, 0, False
        for at in range(n):
            node = changed[0, at]
            crossed += crosses(k_start, k_end, nodes[START, node], nodes[END, node])
            hindered |= crosses(k_start, k_end, changed[1, at], changed[2, at])
            made += nodes[LABEL, node] == keys[LABEL, key] and changed[1, at] == k_start and changed[2, at] == k_end
        if crossed == keys[CROSSED, key] and not hindered and made < keys[MISSING, key]:
            return key
    return -1


@njit(nogil=True, cache=True)
def _consider(nodes, keys, heads, changed, n, source, first, last, start, end, target, after, best, kept):
    """Keep a move if it is better than the best step so far."""
    gain = _gain_of(nodes, keys, heads, changed, n)
    if gain < 0 or gain + 1 < best[GAIN]:
        return
    added = _possible(nodes, keys, changed, n, start, end)
    gain += added >= 0
    target_start, target_end = nodes[START, target], nodes[END, target]
    if gain > 0 and _is_better(best, gain, MOVE, end - start, start, end, target_start, target_end):
        _take_for_best(best, gain, MOVE, end - start, start, end, target_start, target_end)
        best[NODE] = source
        best[MOVED], best[UNTIL] = first, last
        best[TARGET], best[AFTER] = target, after
        best[ADDED] = added
        best[CHANGED] = n
        kept[:, :n] = changed[:, :n]


@njit(nogil=True, cache=True)
def _consider_below(nodes, keys, heads, changed, n, source, first, last, start, end, node, right, to, best, kept):
    """Consider the wrong brackets along a node's right or left edge, which would reach to another place."""
    while nodes[WORD, node] == 0 and nodes[WRONG, node]:
        changed[0, n] = node
        changed[1, n] = nodes[START, node] if right else to
        changed[2, n] = to if right else nodes[END, node]
        n += 1
        after = nodes[LAST, node] if right else -1
        _consider(nodes, keys, heads, changed, n, source, first, last, start, end, node, after, best, kept)
        node = nodes[LAST, node] if right else nodes[FIRST, node]
        if node < 0:
            return


@njit(nogil=True, cache=True)
def _consider_moves(nodes, keys, heads, source, children, changed, best, kept):
    """Consider all moves of neighbouring children of a node that change no right bracket."""
    n_children, near = 0, int(nodes[WRONG, source])
    child = nodes[FIRST, source]
    while child >= 0:
        children[n_children] = child
        n_children += 1
        if nodes[WRONG, child]:
            near = 1
        child = nodes[NEXT, child]
    if not near:
        return
    for i in range(n_children):
        for j in range(i, n_children):
            if i == 0 and j == n_children - 1:
                continue
            first, last = children[i], children[j]
            start, end = nodes[START, first], nodes[END, last]
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
                while node > 0 and nodes[WRONG, node]:
                    changed[0, n] = node
                    changed[1, n] = nodes[START, node] if right else end
                    changed[2, n] = start if right else nodes[END, node]
                    n += 1
                    above = nodes[PARENT, node]
                    after = node if right else nodes[BEFORE, node]
                    _consider(nodes, keys, heads, changed, n, source, first, last, start, end, above, after, best, kept)
                    beside = nodes[NEXT, node] if right else nodes[BEFORE, node]
                    if beside >= 0:
                        to = start if right else end
                        _consider_below(
                            nodes, keys, heads, changed, n, source, first, last, start, end, beside, not right, to,
                            best, kept,
                        )  # fmt: skip
                        break  # the node is not at the edge of the one above
                    node = above


@njit(nogil=True, cache=True)
def search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, kept):
    """Find the step that leaves the fewest errors; its gain is 0 where nothing is wrong."""
    best[:] = 0
    for at in range(n_listed):
        node = listed[at]
        if not nodes[WRONG, node]:
            continue
        start, end = nodes[START, node], nodes[END, node]
        if _is_better(best, 1, REMOVE, 0, start, end, 0, 0):
            _take_for_best(best, 1, REMOVE, 0, start, end, 0, 0)
            best[NODE] = node
        key = -1
        for other in range(keys.shape[1]):  # in the order of the gold tree
            if keys[MISSING, other] > 0 and keys[START, other] == start and keys[END, other] == end:
                key = other
                break
        if key >= 0 and _is_better(best, 2, RELABEL, 0, start, end, 0, 0):
            _take_for_best(best, 2, RELABEL, 0, start, end, 0, 0)
            best[NODE], best[NEW] = node, key
    for key in range(keys.shape[1]):
        if keys[MISSING, key] > 0 and keys[CROSSED, key] == 0:
            start, end = keys[START, key], keys[END, key]
            if _is_better(best, 1, ADD, 0, start, end, 0, 0):
                _take_for_best(best, 1, ADD, 0, start, end, 0, 0)
                best[NEW] = key
    if n_wrong:
        _consider_moves(nodes, keys, heads, 0, children, changed, best, kept)
        for at in range(n_listed):
            _consider_moves(nodes, keys, heads, listed[at], children, changed, best, kept)
