"""Taking the steps of a repair: the tree changes, and what was done is written down."""

from __future__ import annotations

import numpy as np
from numba import njit

from evaltools.kernels.repair_search import AFTER, CHANGED, MOVED, NODE, TARGET, UNTIL
from evaltools.kernels.repair_tree import (
    BEFORE,
    END,
    FIRST,
    KEY,
    LABEL,
    LAST,
    NEXT,
    PARENT,
    START,
    WORD,
    WRONG,
    cut,
    paste,
)

__all__ = ["TOP", "grown", "insert", "move", "outermost", "write_around", "write_tree"]

TOP = -1
"""The label of the top, and what stands where there is no label."""


@njit(nogil=True, cache=True)
def grown(rows, n, more):
    """Return the rows, or a larger copy if there is no room for some more."""
    if n + more <= rows.shape[0]:
        return rows
    larger = np.empty((max(2 * rows.shape[0], n + more), rows.shape[1]), np.int32)
    larger[:n] = rows[:n]
    return larger


@njit(nogil=True, cache=True)
def insert(nodes, n_nodes, gold, chain, label, start, end):
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
            place = begin
            while place < n and chain[place] != nodes[LABEL, inner]:
                place += 1
            if place == n:
                break
            begin = place + 1
        node = inner
    made = n_nodes
    nodes[LABEL, made], nodes[START, made], nodes[END, made] = label, start, end
    nodes[FIRST, made], nodes[LAST, made] = -1, -1
    nodes[NEXT, made], nodes[BEFORE, made] = -1, -1
    nodes[WORD, made], nodes[WRONG, made], nodes[KEY, made] = 0, 0, -1
    if start == end:
        after, child = -1, nodes[FIRST, node]
        while child >= 0 and nodes[START, child] < start:
            after, child = child, nodes[NEXT, child]
        paste(nodes, node, after, made, made)
        return made
    first, last, child = -1, -1, nodes[FIRST, node]
    while child >= 0:
        if start <= nodes[START, child] and nodes[END, child] <= end:
            if first < 0:
                first = child
            last = child
        child = nodes[NEXT, child]
    after = nodes[BEFORE, first]
    cut(nodes, first, last)
    paste(nodes, node, after, made, made)
    paste(nodes, made, -1, first, last)
    return made


@njit(nogil=True, cache=True)
def _write_part(parts, n, nodes, node):
    parts[n, 0] = nodes[LABEL, node]
    parts[n, 1] = nodes[START, node]
    parts[n, 2] = nodes[END, node]
    parts[n, 3] = nodes[WORD, node]


@njit(nogil=True, cache=True)
def write_around(parts, n, nodes, node, step):
    """Write a bracket, its parent, what stands in it and what stands beside it."""
    step[2], step[3], step[4] = nodes[LABEL, node], nodes[START, node], nodes[END, node]
    parent = nodes[PARENT, node]
    step[12] = nodes[LABEL, parent]
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


@njit(nogil=True, cache=True)
def outermost(nodes, node):
    """Return the label of the outermost other bracket over the words of a bracket, TOP if there is none."""
    start, end = nodes[START, node], nodes[END, node]
    label = TOP
    child = nodes[FIRST, node]
    while start < end and child >= 0:
        if nodes[WORD, child] == 0 and nodes[START, child] == start and nodes[END, child] == end:
            label = nodes[LABEL, child]
        child = nodes[NEXT, child]
    above = nodes[PARENT, node]
    while start < end and above > 0 and nodes[START, above] == start and nodes[END, above] == end:
        label = nodes[LABEL, above]
        above = nodes[PARENT, above]
    return label


@njit(nogil=True, cache=True)
def move(nodes, best, kept, parts, n, step):
    """Take a move, and write it down."""
    source, target, after = best[NODE], best[TARGET], best[AFTER]
    first, last = best[MOVED], best[UNTIL]
    step[2], step[3], step[4] = nodes[LABEL, source], nodes[START, source], nodes[END, source]
    step[6], step[7], step[8] = nodes[LABEL, target], nodes[START, target], nodes[END, target]
    step[12] = nodes[LABEL, nodes[PARENT, source]] if source > 0 else TOP
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


@njit(nogil=True, cache=True)
def write_tree(nodes, rows, n):
    """Write the tree in postorder: label, start, end, row of the parent, whether it is a word."""
    begin = n
    row = np.full(nodes.shape[1], -1, np.int32)
    node = nodes[FIRST, 0]
    while node > 0:
        while nodes[WORD, node] == 0 and nodes[FIRST, node] >= 0:
            node = nodes[FIRST, node]
        while True:
            rows[n, 0], rows[n, 1], rows[n, 2] = nodes[LABEL, node], nodes[START, node], nodes[END, node]
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
