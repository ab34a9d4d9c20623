"""The tree that a repair changes, and the search for the step that leaves the fewest errors.

The tree is a table of nodes, with a table of gold brackets. Nodes are phrases, and words together with their tags; node
0 is a top without a label over all of them.
"""

from __future__ import annotations

from evaltools.kernels.compiling import kernel

__all__ = [
    "ADD",
    "ADDED",
    "AFTER",
    "BEFORE",
    "CHANGED",
    "COLUMN",
    "END",
    "FIRST",
    "GAIN",
    "HERE",
    "KEY",
    "LABEL",
    "LAST",
    "LINK",
    "MOVE",
    "MOVED",
    "NAME",
    "NEW",
    "NEXT",
    "NODE",
    "OPERATION",
    "PARENT",
    "RELABEL",
    "REMOVE",
    "START",
    "TABLE",
    "TARGET",
    "UNTIL",
    "WANTED",
    "WIDTH",
    "WORD",
    "WRONG",
    "append",
    "cut",
    "judge",
    "key_of",
    "paste",
    "preorder",
    "search",
]

# rows of the table of nodes; `LABEL` is what is compared, the same for labels that count as equal
LABEL, START, END, PARENT, FIRST, LAST, NEXT, BEFORE, WORD, WRONG, KEY, NAME = range(12)
# rows of the table of gold brackets, equal ones once; the first three as above
WANTED, HERE, MISSING, CROSSED, LINK, CHANGE = 3, 4, 5, 6, 7, 8

TABLE, COLUMN = "int32[:, ::1]", "int32[::1]"
"""Types of the tables of nodes and of gold brackets, and of their columns."""

_TREE = f"{TABLE}, {TABLE}, {COLUMN}"  # nodes, keys, heads
_BEST = f"{COLUMN}, {TABLE}, int64[::1]"  # best, kept, work

RELABEL, MOVE, ADD, REMOVE = 0, 1, 2, 3
"""Operations of a step."""

# columns of a candidate step: its gain, operation, and operands
GAIN, OPERATION, NODE, NEW, MOVED, UNTIL, TARGET, AFTER, ADDED, CHANGED = range(10)
WIDTH = 10


@kernel("boolean(int64, int64, int64, int64)", inner=True)
def crosses(start, end, other_start, other_end):
    """Return whether two spans overlap, neither inside the other."""
    return (start < other_start and other_start < end and end < other_end) or (
        other_start < start and start < other_end and other_end < end
    )


@kernel(f"int64({TABLE}, {COLUMN}, int64, int64, int64)", inner=True)
def key_of(keys, heads, label, start, end):
    """Return the number of a gold bracket, -1 if there is none of this label and span."""
    key = heads[start]
    while key >= 0:
        if keys[LABEL, key] == label and keys[END, key] == end:
            return key
        key = keys[LINK, key]
    return -1


@kernel(f"void({TABLE}, int64, int64)", inner=True)
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


@kernel(f"void({TABLE}, int64, int64)", inner=True)
def cut(nodes, first, last):
    """Remove neighboring children from their parent."""
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


@kernel(f"void({TABLE}, int64, int64, int64, int64)", inner=True)
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


@kernel(f"int64({TABLE}, {COLUMN})", inner=True)
def preorder(nodes, listed):
    """List all phrases, parents before their children; return their number."""
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


@kernel(f"int64({TABLE}, {TABLE}, {COLUMN}, {COLUMN}, int64)", inner=True)
def judge(nodes, keys, heads, listed, n_listed):
    """Mark wrong brackets and missing gold brackets, and count the brackets that cross those; return the wrong ones."""
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


@kernel(f"int64({TABLE}, {TABLE}, {COLUMN}, {TABLE}, int64, int64)", inner=True)
def _gain_of(nodes, keys, heads, changed, n, gone):
    """Return the decrease in errors if brackets get other spans, and one bracket of a key disappears.

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


@kernel(f"int64({TABLE}, {TABLE}, {TABLE}, int64, int64, int64, int64, int64, int64, int64, int64)", inner=True)
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


@kernel(f"void({_TREE}, {TABLE}, int64, int64, int64, int64, int64, int64, int64, {_BEST})", inner=True)
def _consider(nodes, keys, heads, changed, n, source, first, last, target, after, left_alone, best, kept, work):
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
    work[0] += 1 + n
    gain = _gain_of(nodes, keys, heads, changed, n, gone)
    if gain + 1 <= best[GAIN]:
        return
    work[0] += (1 + n) * keys.shape[1]
    start, end = nodes[START, first], nodes[END, last]
    added = _possible(
        nodes, keys, changed, n, gone, source_start, source_end, start, end, target_start, target_end
    )  # fmt: skip
    gain += added >= 0
    if gain > best[GAIN]:
        best[GAIN], best[OPERATION] = gain, MOVE
        best[NODE], best[MOVED], best[UNTIL] = source, first, last
        best[TARGET], best[AFTER], best[ADDED], best[CHANGED] = target, after, added, n
        for at in range(n):
            kept[0, at], kept[1, at], kept[2, at] = changed[0, at], changed[1, at], changed[2, at]


@kernel(f"void({_TREE}, {TABLE}, int64, int64, int64, int64, int64, boolean, int64, {_BEST})", inner=True)
def _consider_below(nodes, keys, heads, changed, n, source, first, last, node, right, left_alone, best, kept, work):
    """Consider the wrong brackets along a node's right or left edge, which would reach over what moves."""
    while nodes[WORD, node] == 0:
        changed[0, n] = node
        changed[1, n] = nodes[START, node] if right else nodes[START, first]
        changed[2, n] = nodes[END, last] if right else nodes[END, node]
        n += 1
        if nodes[WRONG, node]:
            after = nodes[LAST, node] if right else -1
            _consider(nodes, keys, heads, changed, n, source, first, last, node, after, left_alone, best, kept, work)
        node = nodes[LAST, node] if right else nodes[FIRST, node]
        if node < 0:
            return


@kernel(f"void({TABLE}, {TABLE}, int64, int64, int64, int64, boolean)", inner=True)
def _leave(nodes, changed, n, node, first, last, right):
    """Write that a bracket loses what moves, at its right or left edge."""
    changed[0, n] = node
    changed[1, n] = nodes[START, node] if right else nodes[END, last]
    changed[2, n] = nodes[START, first] if right else nodes[END, node]


@kernel(f"void({_TREE}, int64, {COLUMN}, {TABLE}, {_BEST})", inner=True)
def _consider_moves(nodes, keys, heads, source, children, changed, best, kept, work):
    """Consider all moves of neighboring children of a node, until the work exceeds its limit."""
    n_children = 0
    child = nodes[FIRST, source]
    while child >= 0:
        children[n_children] = child
        n_children += 1
        child = nodes[NEXT, child]
    for i in range(n_children):
        for j in range(i, n_children):
            if work[0] > work[1]:
                return
            work[0] += 1
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
                    nodes, keys, heads, changed, 0, source, first, last,
                    children[i - 1], True, left_alone, best, kept, work,
                )  # fmt: skip
            if j < n_children - 1:
                _consider_below(
                    nodes, keys, heads, changed, 0, source, first, last,
                    children[j + 1], False, left_alone, best, kept, work,
                )  # fmt: skip
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
                        nodes, keys, heads, changed, n, source, first, last,
                        beside, not right, left_alone, best, kept, work,
                    )  # fmt: skip
                # up
                node, n, target = source, 0, nodes[PARENT, source]
                while target > 0:
                    _leave(nodes, changed, n, node, first, last, right)
                    n += 1
                    after = node if right else nodes[BEFORE, node]
                    _consider(
                        nodes, keys, heads, changed, n, source, first, last, target, after, left_alone, best, kept, work
                    )
                    above = nodes[PARENT, target]
                    if right and nodes[END, above] > nodes[END, source]:
                        break
                    if not right and nodes[START, above] < nodes[START, source]:
                        break
                    node, target = target, above


@kernel(f"void({_TREE}, {COLUMN}, int64, int64, {COLUMN}, {TABLE}, {_BEST})", inner=True)
def search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, kept, work):
    """Find the first of the steps that leave the fewest errors; its gain is 0 where nothing is wrong.

    `work` is the number of operations so far, which is increased, and their limit; beyond it the search ends early.
    """
    best[:] = -1
    best[GAIN] = 0
    work[0] += (n_listed + 1) * (keys.shape[1] + 1)
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
        _consider_moves(nodes, keys, heads, 0, children, changed, best, kept, work)
        for at in range(n_listed):
            _consider_moves(nodes, keys, heads, listed[at], children, changed, best, kept, work)
