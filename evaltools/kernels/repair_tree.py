"""The tree that a repair changes, and what is wrong with it: tables of nodes and of gold brackets.

Nodes are phrases, and words together with their tags; node 0 is a top without a label over all of them.
"""

from __future__ import annotations

from numba import njit

__all__ = [
    "BEFORE",
    "CHANGE",
    "CROSSED",
    "END",
    "FIRST",
    "HERE",
    "KEY",
    "LABEL",
    "LAST",
    "LINK",
    "MISSING",
    "NEXT",
    "PARENT",
    "START",
    "WANTED",
    "WORD",
    "WRONG",
    "append",
    "crosses",
    "cut",
    "judge",
    "key_of",
    "paste",
    "preorder",
]

# rows of the table of nodes
LABEL, START, END, PARENT, FIRST, LAST, NEXT, BEFORE, WORD, WRONG, KEY = range(11)
# rows of the table of gold brackets, equal ones once; the first three as above
WANTED, HERE, MISSING, CROSSED, LINK, CHANGE = 3, 4, 5, 6, 7, 8


@njit(nogil=True, cache=True)
def crosses(start, end, other_start, other_end):
    """Tell whether two spans overlap, neither inside the other."""
    return (start < other_start and other_start < end and end < other_end) or (
        other_start < start and start < other_end and other_end < end
    )


@njit(nogil=True, cache=True)
def key_of(keys, heads, label, start, end):
    """Return the number of a gold bracket, -1 if there is none of this label and span."""
    key = heads[start]
    while key >= 0:
        if keys[LABEL, key] == label and keys[END, key] == end:
            return key
        key = keys[LINK, key]
    return -1


@njit(nogil=True, cache=True)
def append(nodes, parent, child):
    """Make a node the last child of another."""
    last = nodes[LAST, parent]
    nodes[PARENT, child] = parent
    nodes[BEFORE, child] = last
    nodes[NEXT, child] = -1
    if last >= 0:
        nodes[NEXT, last] = child
    else:
        nodes[FIRST, parent] = child
    nodes[LAST, parent] = child


@njit(nogil=True, cache=True)
def cut(nodes, first, last):
    """Take neighbouring children out of their parent."""
    parent, before, after = nodes[PARENT, first], nodes[BEFORE, first], nodes[NEXT, last]
    if before >= 0:
        nodes[NEXT, before] = after
    else:
        nodes[FIRST, parent] = after
    if after >= 0:
        nodes[BEFORE, after] = before
    else:
        nodes[LAST, parent] = before
    nodes[BEFORE, first] = -1
    nodes[NEXT, last] = -1


@njit(nogil=True, cache=True)
def paste(nodes, parent, after, first, last):
    """Put nodes that were cut out among the children of another, behind one of them, or before all (-1)."""
    behind = nodes[NEXT, after] if after >= 0 else nodes[FIRST, parent]
    nodes[BEFORE, first] = after
    nodes[NEXT, last] = behind
    if after >= 0:
        nodes[NEXT, after] = first
    else:
        nodes[FIRST, parent] = first
    if behind >= 0:
        nodes[BEFORE, behind] = last
    else:
        nodes[LAST, parent] = last
    node = first
    while node >= 0:
        nodes[PARENT, node] = parent
        if node == last:
            break
        node = nodes[NEXT, node]


@njit(nogil=True, cache=True)
def preorder(nodes, listed):
    """List all phrases, parents before their children; return how many there are."""
    n = 0
    node = nodes[FIRST, 0]
    while node > 0:
        if nodes[WORD, node] == 0:
            listed[n] = node
            n += 1
            if nodes[FIRST, node] >= 0:
                node = nodes[FIRST, node]
                continue
        while node > 0 and nodes[NEXT, node] < 0:
            node = nodes[PARENT, node]
        if node > 0:
            node = nodes[NEXT, node]
    return n


@njit(nogil=True, cache=True)
def judge(nodes, keys, heads, listed, n_listed):
    """Tell which brackets are wrong, which gold brackets are missing, and how many brackets cross those."""
    n_keys = keys.shape[1]
    for key in range(n_keys):
        keys[HERE, key] = 0
        keys[CHANGE, key] = 0
        keys[CROSSED, key] = 0
    n_wrong = 0
    for at in range(n_listed):
        node = listed[at]
        key = key_of(keys, heads, nodes[LABEL, node], nodes[START, node], nodes[END, node])
        nodes[KEY, node] = key
        nodes[WRONG, node] = 1
        if key >= 0:
            keys[HERE, key] += 1
    for at in range(n_listed):
        node = listed[at]
        key = nodes[KEY, node]
        if key >= 0 and keys[HERE, key] <= keys[WANTED, key]:  # of equal brackets too many, each is wrong
            nodes[WRONG, node] = 0
        n_wrong += nodes[WRONG, node]
    for key in range(n_keys):
        keys[MISSING, key] = max(keys[WANTED, key] - keys[HERE, key], 0)
        if keys[MISSING, key] > 0:
            for at in range(n_listed):
                node = listed[at]
                if crosses(keys[START, key], keys[END, key], nodes[START, node], nodes[END, node]):
                    keys[CROSSED, key] += 1
    return n_wrong
