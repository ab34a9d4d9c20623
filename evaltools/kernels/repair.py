"""Repairing a tree: the best step is applied until all gold brackets are there.

The tree is a table of nodes, with a table of gold brackets. Nodes are phrases, and words together with their tags; node
0 is a top without a label over all of them. The best step is the one that leaves the fewest errors.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from evaltools.kernels import CACHE

# rows of the table of nodes; `LABEL` is what is compared, the same for labels that count as equal
LABEL, START, END, PARENT, FIRST, LAST, NEXT, BEFORE, WORD, WRONG, KEY, NAME = range(12)
# rows of the table of gold brackets, equal ones once; the first three as above
WANTED, HERE, MISSING, CROSSED, LINK, CHANGE = 3, 4, 5, 6, 7, 8


RELABEL, MOVE, ADD, REMOVE = 0, 1, 2, 3
"""Operations of a step."""

# columns of a step: its gain and operation; the node that gets a new label, is removed or left; the gold bracket that
# the node becomes or that is added; for a move the first and the last node that move, their new parent, and the child
# that they stand behind there
GAIN, OPERATION, NODE, NEW, MOVED, UNTIL, TARGET, AFTER = range(8)
WIDTH = 8


@register_jitable
def crosses(start, end, other_start, other_end):
    """Return whether two spans overlap, neither inside the other."""
    return (start < other_start and other_start < end and end < other_end) or (
        other_start < start and start < other_end and other_end < end
    )


@register_jitable
def key_of(keys, heads, label, start, end):
    """Return the number of a gold bracket, -1 if there is none of this label and span."""
    key = heads[start]
    while key >= 0:
        if keys[LABEL, key] == label and keys[END, key] == end:
            return key
        key = keys[LINK, key]
    return -1


@register_jitable
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


@register_jitable
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


@register_jitable
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


@register_jitable
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


@register_jitable
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


@register_jitable
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


@register_jitable
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


@register_jitable
def _consider(nodes, keys, heads, changed, n, source, first, last, target, after, left_alone, best, work):
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
        best[TARGET], best[AFTER], best[NEW] = target, after, added


@register_jitable
def _consider_below(nodes, keys, heads, changed, n, source, first, last, node, right, left_alone, best, work):
    """Consider the wrong brackets along a node's right or left edge, which would reach over what moves."""
    while nodes[WORD, node] == 0:
        changed[0, n] = node
        changed[1, n] = nodes[START, node] if right else nodes[START, first]
        changed[2, n] = nodes[END, last] if right else nodes[END, node]
        n += 1
        if nodes[WRONG, node]:
            after = nodes[LAST, node] if right else -1
            _consider(nodes, keys, heads, changed, n, source, first, last, node, after, left_alone, best, work)
        node = nodes[LAST, node] if right else nodes[FIRST, node]
        if node < 0:
            return


@register_jitable
def _leave(nodes, changed, n, node, first, last, right):
    """Write that a bracket loses what moves, at its right or left edge."""
    changed[0, n] = node
    changed[1, n] = nodes[START, node] if right else nodes[END, last]
    changed[2, n] = nodes[START, first] if right else nodes[END, node]


@register_jitable
def _consider_moves(nodes, keys, heads, source, children, changed, best, work):
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
            for turn in range(2):
                right = turn == 0
                beside = i - 1 if right else j + 1
                if 0 <= beside < n_children:
                    _consider_below(
                        nodes, keys, heads, changed, 0, source, first, last,
                        children[beside], right, left_alone, best, work,
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
                        beside, not right, left_alone, best, work,
                    )  # fmt: skip
                # up
                node, n, target = source, 0, nodes[PARENT, source]
                while target > 0:
                    _leave(nodes, changed, n, node, first, last, right)
                    n += 1
                    after = node if right else nodes[BEFORE, node]
                    _consider(
                        nodes, keys, heads, changed, n, source, first, last, target, after, left_alone, best, work
                    )
                    above = nodes[PARENT, target]
                    # nothing moves over a bracket without words, which may stand at the edge of the target
                    if right and (nodes[NEXT, node] >= 0 or nodes[END, above] > nodes[END, source]):
                        break
                    if not right and (nodes[BEFORE, node] >= 0 or nodes[START, above] < nodes[START, source]):
                        break
                    node, target = target, above


@register_jitable
def search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, work):
    """Find the first of the steps that leave the fewest errors; its gain is 0 where nothing is wrong.

    `work` is the number of operations so far, which is increased, and their limit; beyond it the search ends early.
    """
    for column in range(WIDTH):
        best[column] = -1
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
        for at in range(-1, n_listed):
            source = listed[at] if at >= 0 else 0
            _consider_moves(nodes, keys, heads, source, children, changed, best, work)


STEP = 17
"""Columns of what is around a step: operation, brackets repaired; name, start, end of the bracket; new name; the same
three of the target, and of the bracket that is added with a move; name of the parent; numbers of the nodes moved, of
children, of siblings; name of the outermost other bracket over the words of one that is added."""

PART = 4
"""Columns of a node around a step: name, start, end, whether it is a word."""

TOP = -1
"""The name of the top, and the value for no name."""


@register_jitable
def _grown(rows, n, more):
    """Return the rows, or a larger copy if `more` rows do not fit."""
    if n + more <= rows.shape[0]:
        return rows
    larger = np.empty((max(2 * rows.shape[0], n + more), rows.shape[1]), np.int64)
    for row in range(n):
        for column in range(rows.shape[1]):
            larger[row, column] = rows[row, column]
    return larger


@register_jitable
def _name_of(gold, keys, key):
    """Return the name of a missing gold bracket: of equal ones, those that the tree has are the outermost."""
    here = keys[HERE, key]
    name = TOP
    for at in range(gold.shape[0] - 1, -1, -1):  # parents before their children
        if gold[at, 0] == keys[LABEL, key] and gold[at, 1] == keys[START, key] and gold[at, 2] == keys[END, key]:
            name = gold[at, 3]
            if here <= 0:
                break
            here -= 1
    return name


@register_jitable
def _insert(nodes, n_nodes, gold, chain, keys, key):
    """Put a bracket that crosses no other into the tree, among equal spans where the gold tree has it."""
    label, start, end = keys[LABEL, key], keys[START, key], keys[END, key]
    name = _name_of(gold, keys, key)
    n = 0  # the gold labels over the same words, above this one
    in_gold = False
    for at in range(gold.shape[0] - 1, -1, -1):  # parents before their children
        if gold[at, 1] == start and gold[at, 2] == end:
            if gold[at, 0] == label:
                in_gold = True
                break
            chain[n] = gold[at, 0]
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


@register_jitable
def _write_part(parts, n, nodes, node):
    """Write a node around a step; return how many there are then."""
    parts[n, 0] = nodes[NAME, node]
    parts[n, 1] = nodes[START, node]
    parts[n, 2] = nodes[END, node]
    parts[n, 3] = nodes[WORD, node]
    return n + 1


@register_jitable
def _write_children(parts, n, nodes, parent, left_out):
    """Write the children of a node, but for one of them; return how many nodes there are then."""
    child = nodes[FIRST, parent]
    while child >= 0:
        if child != left_out:
            n = _write_part(parts, n, nodes, child)
        child = nodes[NEXT, child]
    return n


@register_jitable
def _write_around(parts, n, nodes, node, step):
    """Write a bracket, its parent, its children and its siblings."""
    parent = nodes[PARENT, node]
    step[2], step[3], step[4], step[12] = nodes[NAME, node], nodes[START, node], nodes[END, node], nodes[NAME, parent]
    with_children = _write_children(parts, n, nodes, node, -1)
    with_siblings = _write_children(parts, with_children, nodes, parent, node)
    step[14], step[15] = with_children - n, with_siblings - with_children
    return with_siblings


@register_jitable
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


@register_jitable
def _write_move(nodes, best, parts, n, step):
    """Write a move before it is done: the nodes that move, the children of the bracket that they leave, siblings."""
    source, target, after = best[NODE], best[TARGET], best[AFTER]
    first, last = best[MOVED], best[UNTIL]
    step[2], step[3], step[4] = nodes[NAME, source], nodes[START, source], nodes[END, source]
    step[6], step[7], step[8] = nodes[NAME, target], nodes[START, target], nodes[END, target]
    step[12] = nodes[NAME, nodes[PARENT, source]] if source > 0 else TOP
    node = first
    while True:
        n = _write_part(parts, n, nodes, node)
        step[13] += 1
        if node == last:
            break
        node = nodes[NEXT, node]
    with_children = _write_children(parts, n, nodes, source, -1)
    step[14] = with_children - n
    n = with_children
    behind = nodes[NEXT, after] if after >= 0 else nodes[FIRST, target]
    for beside in (nodes[BEFORE, first], nodes[NEXT, last], after, behind):
        if beside >= 0:
            n = _write_part(parts, n, nodes, beside)
            step[15] += 1
    return n


@register_jitable
def _leave_bracket(settled_test, bracket, node, step):
    """Note that a node no longer stands for a test bracket."""
    at = bracket[node]
    if at >= 0 and settled_test[at] < 0:
        settled_test[at] = step


@register_jitable
def _respan(nodes, node, bracket, settled_test, step):
    """Take the spans of a node, and of those above it, from their children; note the test brackets that change."""
    while node > 0:
        start, end = nodes[START, nodes[FIRST, node]], nodes[END, nodes[LAST, node]]
        if nodes[START, node] == start and nodes[END, node] == end:
            break
        nodes[START, node], nodes[END, node] = start, end
        _leave_bracket(settled_test, bracket, node, step)
        node = nodes[PARENT, node]


@register_jitable
def _move(nodes, best, bracket, settled_test, step):
    """Apply a move; a node that left its bracket takes that of the node it is merged with."""
    source, target, after = best[NODE], best[TARGET], best[AFTER]
    first, last = best[MOVED], best[UNTIL]
    start, end = nodes[START, source], nodes[END, source]
    cut(nodes, first, last)
    paste(nodes, target, after, first, last)
    # up to the lowest node over both, which still begins and ends there
    _respan(nodes, target, bracket, settled_test, step)
    _respan(nodes, source, bracket, settled_test, step)
    alone = nodes[FIRST, source]  # an only child of the source's own label is merged with it
    if alone == nodes[LAST, source] and nodes[WORD, alone] == 0 and nodes[LABEL, alone] == nodes[LABEL, source]:
        if nodes[START, source] != start or nodes[END, source] != end:
            bracket[source] = bracket[alone]
        cut(nodes, alone, alone)
        if nodes[FIRST, alone] >= 0:
            paste(nodes, source, -1, nodes[FIRST, alone], nodes[LAST, alone])


@register_jitable
def _spread(settled_test, test):
    """Give equal test brackets the step of the one that has one: which of them is wrong is a matter of the mapping."""
    for at in range(test.shape[0]):
        above = test[at, 3]  # equal brackets are one above the other
        while test[at, 4] == 0 and above >= 0 and test[above, 1] == test[at, 1] and test[above, 2] == test[at, 2]:
            if test[above, 0] == test[at, 0]:
                if settled_test[at] < 0:
                    settled_test[at] = settled_test[above]
                elif settled_test[above] < 0:
                    settled_test[above] = settled_test[at]
            above = test[above, 3]


@register_jitable
def _by_span(gold, n_words):
    """Return the gold brackets in the order of start and end, of equal spans the outer bracket first."""
    # twice counted and placed, as np.argsort takes seconds to compile
    n = gold.shape[0]
    order, sorted_order = np.empty(n, np.int64), np.empty(n, np.int64)
    for rank in range(n):
        order[rank] = n - 1 - rank
    for row in (2, 1):
        first = np.zeros(n_words + 2, np.int64)
        for at in range(n):
            first[gold[at, row] + 1] += 1
        for position in range(n_words + 1):
            first[position + 1] += first[position]
        for rank in range(n):
            position = gold[order[rank], row]
            sorted_order[first[position]] = order[rank]
            first[position] += 1
        order, sorted_order = sorted_order, order
    return order


@register_jitable
def _errors(nodes, keys, listed, n_listed):
    """Return how many brackets are missing or too many."""
    n = 0
    for key in range(keys.shape[1]):
        n += abs(keys[HERE, key] - keys[WANTED, key])
    for at in range(n_listed):
        n += nodes[KEY, listed[at]] < 0
    return n


@register_jitable
def _place(nodes, parent, node):
    """Return the place of a node among the children of another, from 0; -1 if it is none of them."""
    child, at = nodes[FIRST, parent], 0
    while child >= 0:
        if child == node:
            return at
        child, at = nodes[NEXT, child], at + 1
    return -1


@register_jitable
def _is_listed(listed, n_listed, node):
    for at in range(n_listed):
        if listed[at] == node:
            return True
    return False


@register_jitable
def _fits(nodes, n_nodes, keys, listed, n_listed, step):
    """Return whether a step can be applied: its nodes are in the tree, where the step has them."""
    operation, node, key = step[OPERATION], step[NODE], step[NEW]
    if key >= keys.shape[1] or (key < 0 and (operation == RELABEL or operation == ADD)):
        return False
    if operation == RELABEL or operation == REMOVE:
        return _is_listed(listed, n_listed, node)
    if key >= 0 and n_nodes == nodes.shape[1]:
        return False
    if operation == ADD:
        return keys[CROSSED, key] == 0 and keys[MISSING, key] > 0
    if operation != MOVE:
        return False
    target = step[TARGET]
    if (node != 0 and not _is_listed(listed, n_listed, node)) or not _is_listed(listed, n_listed, target):
        return False
    first, last = _place(nodes, node, step[MOVED]), _place(nodes, node, step[UNTIL])
    if first < 0 or last < first or (first == 0 and step[UNTIL] == nodes[LAST, node]):
        return False
    if target == node or (step[AFTER] >= 0 and _place(nodes, target, step[AFTER]) < 0):
        return False
    above = target
    while above > 0 and nodes[PARENT, above] != node:
        above = nodes[PARENT, above]
    return above == 0 or not first <= _place(nodes, node, above) <= last


@register_jitable
def _is_in_order(nodes, keys, listed, n_listed, key):
    """Return whether the words of a tree are in their order, and a gold bracket, -1 for none, crosses nothing."""
    for at in range(-1, n_listed):
        node = listed[at] if at >= 0 else 0
        if key >= 0 and crosses(keys[START, key], keys[END, key], nodes[START, node], nodes[END, node]):
            return False
        end, child = nodes[START, node], nodes[FIRST, node]
        while child >= 0:
            if nodes[START, child] != end:
                return False
            end, child = nodes[END, child], nodes[NEXT, child]
        if end != nodes[END, node]:
            return False
    return True


@njit(cache=CACHE, nogil=True)
def repair_steps(gold, test, n_words, known, work):
    """Turn a test tree into the gold tree: take the known steps, then search others until nothing is wrong.

    Parameters
    ----------
    gold : ndarray of int64, shape (brackets, 4)
        Label, start, end and name of the gold phrases, in postorder. Labels are compared; names are those in the
        results, where labels that differ may count as equal.
    test : ndarray of int64, shape (nodes, 6)
        Label, start, end, parent (-1 for none), whether it is a word, and name, of the test phrases and words, in
        postorder.
    n_words : int
        Number of words.
    known : ndarray of int64, shape (steps, WIDTH)
        The first steps.
    work : ndarray of int64, shape (2,)
        Number of operations so far, which is increased, and their limit; where it is exceeded the repair is incomplete.
        The number is -1 in the end if a known step does not fit the trees.

    Returns
    -------
    edits : ndarray of int64, shape (steps, WIDTH)
        The steps. Nodes are numbered as in `test`, from 1; 0 is the top, and a bracket that is added gets the next
        number. What there is not is -1.
    settled_gold : ndarray of int64, shape (brackets,)
        The last step that makes a bracket of the label and span of each gold phrase, from 0; -1 for none.
    settled_test : ndarray of int64, shape (nodes,)
        The first step that changes or removes a bracket of the label and span of each test node; -1 for none.
    steps : ndarray of int64, shape (steps, STEP)
        The steps with what is around them, see :data:`STEP`.
    parts : ndarray of int64, shape (parts, PART)
        The nodes around them, in the order of the steps: moved, children, siblings.
    nodes : ndarray of int64, shape (12, nodes)
        The tree after the last step.
    """
    n_gold, n_test = gold.shape[0], test.shape[0]
    keys = np.zeros((9, n_gold), np.int64)
    heads = np.full(n_words + 1, -1, np.int64)
    n_keys = 0
    for at in _by_span(gold, n_words):
        key = key_of(keys, heads, gold[at, 0], gold[at, 1], gold[at, 2])
        if key < 0:
            key = n_keys
            keys[0, key], keys[1, key], keys[2, key] = gold[at, 0], gold[at, 1], gold[at, 2]
            keys[LINK, key] = heads[gold[at, 1]]
            heads[gold[at, 1]] = key
            n_keys += 1
        keys[WANTED, key] += 1
    keys = keys[:, :n_keys].copy()

    max_nodes = 1 + n_test + n_gold
    nodes = np.full((12, max_nodes), -1, np.int64)
    bracket = np.full(max_nodes, -1, np.int64)  # the row of the test bracket that each node stands for
    for node in range(max_nodes):
        nodes[WORD, node] = nodes[WRONG, node] = 0
    nodes[LABEL, 0], nodes[START, 0], nodes[END, 0], nodes[NAME, 0] = TOP, 0, n_words, TOP
    for at in range(n_test):
        nodes[LABEL, at + 1], nodes[START, at + 1], nodes[END, at + 1] = test[at, 0], test[at, 1], test[at, 2]
        nodes[WORD, at + 1], nodes[NAME, at + 1] = test[at, 4], test[at, 5]
        append(nodes, test[at, 3] + 1, at + 1)
        bracket[at + 1] = at
    n_nodes = n_test + 1

    listed, children = np.empty(max_nodes, np.int64), np.empty(max_nodes, np.int64)
    changed = np.empty((3, max_nodes), np.int64)
    chain = np.empty(n_gold, np.int64)
    key_settled, here = np.full(n_keys, -1, np.int64), np.zeros(n_keys, np.int64)
    settled_test = np.full(n_test, -1, np.int64)
    best = np.zeros(WIDTH, np.int64)
    edits, steps = np.empty((16, WIDTH), np.int64), np.empty((16, STEP), np.int64)
    parts = np.empty((64, PART), np.int64)
    n_edits, n_parts, n_errors = 0, 0, 0
    while True:
        n_listed = preorder(nodes, listed)
        n_wrong = judge(nodes, keys, heads, listed, n_listed)
        for key in range(n_keys):
            if n_edits > 0 and keys[HERE, key] > here[key]:
                key_settled[key] = n_edits - 1
            here[key] = keys[HERE, key]
        n_left = _errors(nodes, keys, listed, n_listed)
        if 0 < n_edits <= known.shape[0] and not 0 < best[GAIN] == n_errors - n_left:
            work[0] = -1
            break
        n_errors = n_left
        if n_edits < known.shape[0]:
            for column in range(WIDTH):
                best[column] = known[n_edits, column]
            if not _fits(nodes, n_nodes, keys, listed, n_listed, best):
                work[0] = -1
                break
        else:
            search(nodes, keys, heads, listed, n_listed, n_wrong, children, changed, best, work)
            if best[GAIN] == 0 or work[0] > work[1]:
                break
        edits, steps = _grown(edits, n_edits, 1), _grown(steps, n_edits, 1)
        parts = _grown(parts, n_parts, 3 * max_nodes + 4)
        for column in range(WIDTH):
            edits[n_edits, column] = best[column]
        step = steps[n_edits]
        for column in range(STEP):
            step[column] = -1
        step[0], step[1], step[13], step[14], step[15] = best[OPERATION], best[GAIN], 0, 0, 0
        node, key = best[NODE], best[NEW]
        if best[OPERATION] == MOVE:
            n_parts = _write_move(nodes, best, parts, n_parts, step)
            _move(nodes, best, bracket, settled_test, n_edits)
            if n_edits < known.shape[0]:
                n_listed = preorder(nodes, listed)
                if not _is_in_order(nodes, keys, listed, n_listed, key):
                    work[0] = -1
                    break
        elif best[OPERATION] != ADD:
            _leave_bracket(settled_test, bracket, node, n_edits)
            n_parts = _write_around(parts, n_parts, nodes, node, step)
        if best[OPERATION] == RELABEL:
            nodes[LABEL, node] = keys[LABEL, key]
            nodes[NAME, node] = step[5] = _name_of(gold, keys, key)
        elif best[OPERATION] == REMOVE:
            parent, after = nodes[PARENT, node], nodes[BEFORE, node]
            first, last = nodes[FIRST, node], nodes[LAST, node]
            cut(nodes, node, node)
            if first >= 0:
                paste(nodes, parent, after, first, last)
        elif key >= 0:
            node = _insert(nodes, n_nodes, gold, chain, keys, key)
            if best[OPERATION] == ADD:
                n_parts = _write_around(parts, n_parts, nodes, node, step)
                step[16] = _outermost(nodes, node)
            else:
                step[9], step[10], step[11] = nodes[NAME, node], nodes[START, node], nodes[END, node]
            n_nodes += 1
        n_edits += 1
    settled_gold = np.full(n_gold, -1, np.int64)
    for at in range(n_gold):
        settled_gold[at] = key_settled[key_of(keys, heads, gold[at, 0], gold[at, 1], gold[at, 2])]
    _spread(settled_test, test)
    return (
        edits[:n_edits].copy(),
        settled_gold,
        settled_test,
        steps[:n_edits].copy(),
        parts[:n_parts].copy(),
        nodes[:, :n_nodes].copy(),
    )
