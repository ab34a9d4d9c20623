"""An order of the words of a sentence in which the phrases of two trees are over adjacent words.

There is such an order if and only if the sets of words of all phrases have the consecutive-ones property. For equal
trees there always is one; there is none if, say, one tree has the phrases a b and c d, and the other one a c and b d.
Of several orders it is one near to that of the sentence, which it is if both trees are continuous: children stand in
the order of their first words, as in discontinuous trees; where phrases that overlap leave two directions only, it is
the one with fewer pairs of words in another order than in the sentence.

References
----------
K. S. Booth and G. S. Lueker (1976). Testing for the consecutive ones property, interval graphs, and graph planarity
using PQ-tree algorithms. Journal of Computer and System Sciences 13, 335–379.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Node:
    """A node of a PQ-tree: a word, a node whose children stand in any order, or one whose children are in a row."""

    words: int  # Bit i is word i
    children: list[_Node] = field(default_factory=list)
    is_row: bool = False  # Whether the order of the children is fixed but for its direction


def common_order(n_words: int, sets: Iterable[int], more: Iterable[int] = ()) -> tuple[int, ...] | None:
    """Return an order of words in which the words of every set are adjacent; None if there is none.

    Parameters
    ----------
    n_words
        Number of words.
    sets
        Sets of words, bit i for word i; two of them are disjoint, or one contains the other.
    more
        Further sets.

    Returns
    -------
    tuple of int or None
        The positions of the words in the sentence, from 0.

    Examples
    --------
    >>> common_order(4, [0b1001, 0b1111]), common_order(4, [0b1001], [0b0110, 0b1100])
    ((0, 3, 1, 2), (0, 3, 2, 1))
    >>> common_order(3, [0b011], [0b110, 0b101]) is None
    True
    """
    held = set(sets)
    tree = _nested(n_words, held)
    for words in sorted(set(more) - held, key=lambda words: (words.bit_count(), words)):
        if not _make_adjacent(tree, words):
            return None
    return tuple(_frontier(tree))


def _nested(n_words: int, sets: Iterable[int]) -> _Node:
    """Return the tree of sets of which two are disjoint, or one contains the other."""
    top = [_Node(1 << word) for word in range(n_words)]
    for words in sorted(sets, key=int.bit_count):
        inside = [node for node in top if node.words & words]
        if len(inside) > 1:
            top = [*(node for node in top if not node.words & words), _Node(words, inside)]
    return _group(top) if top else _Node(0)


def _group(nodes: list[_Node]) -> _Node:
    """Return one node over some nodes, whose order is free."""
    return nodes[0] if len(nodes) == 1 else _Node(_union(nodes), nodes)


def _union(nodes: Iterable[_Node]) -> int:
    words = 0
    for node in nodes:
        words |= node.words
    return words


def _make_adjacent(node: _Node, words: int) -> bool:
    """Restrict a tree to the orders in which some words are adjacent; return whether any is left."""
    while True:  # down to the lowest node over all of them
        lower = [child for child in node.children if words & ~child.words == 0]
        if not lower:
            break
        node = lower[0]
    if not node.children or node.words == words:
        return True
    return _cut_row(node, words) if node.is_row else _cut_group(node, words)


def _cut_group(node: _Node, words: int) -> bool:
    """Restrict a node with free children, over which some words are, below none of them alone."""
    outside, full, partial = _sorted_children(node.children, words)
    if len(partial) > 2:
        return False
    ends = [_row(part, words) for part in partial]
    row = [_group(full)] if full else []
    for end, is_right in zip(ends, (False, True), strict=False):
        if end is None:
            return False
        row = [*row, *reversed(end)] if is_right else [*end, *row]
    inside = row[0] if len(row) == 1 else _Node(_union(row), row, is_row=True)
    if outside:
        node.children = [*outside, inside]
    else:
        node.children, node.is_row = inside.children, inside.is_row
    return True


def _cut_row(node: _Node, words: int) -> bool:
    """Restrict a node with its children in a row, over which some words are, below none of them alone."""
    children = node.children
    inside = [index for index, child in enumerate(children) if child.words & words]
    first, last = inside[0], inside[-1]
    between = children[first + 1 : last]
    if any(child.words & ~words for child in between):
        return False
    left, right = (_row(children[index], words) for index in (first, last))
    if left is None or right is None:
        return False
    node.children = [*children[:first], *left, *between, *reversed(right), *children[last + 1 :]]
    return True


def _sorted_children(children: Iterable[_Node], words: int) -> tuple[list[_Node], list[_Node], list[_Node]]:
    """Return the nodes that have none of some words, those that have no others, and those that have both."""
    outside: list[_Node] = []
    full: list[_Node] = []
    partial: list[_Node] = []
    for child in children:
        own = outside if not child.words & words else partial if child.words & ~words else full
        own.append(child)
    return outside, full, partial


def _row(node: _Node, words: int) -> list[_Node] | None:
    """Return what is below a node as a row that has some of its words at its end; None if there is no such row."""
    before: list[_Node] = []
    after: list[_Node] = []
    while node.words & ~words:
        outside, full, partial = _sorted_children(node.children, words)
        if len(partial) > 1:
            return None
        if node.is_row:
            row = [*outside, *partial, *full]
            if not _are_same(row, node.children):
                row = [*outside[::-1], *partial, *full[::-1]]
                if not _are_same(row, node.children[::-1]):
                    return None
            before += row[: len(outside)]
            after = [*row[len(row) - len(full) :], *after]
        else:
            before += [_group(outside)] if outside else []
            after = [*([_group(full)] if full else []), *after]
        if not partial:
            return [*before, *after]
        node = partial[0]
    return [*before, node, *after]


def _are_same(nodes: Sequence[_Node], others: Sequence[_Node]) -> bool:
    return all(node is other for node, other in zip(nodes, others, strict=True))


def _frontier(tree: _Node) -> Iterator[int]:
    """Yield the words of a tree, in the order near to that of the sentence."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not node.children:
            if node.words:
                yield node.words.bit_length() - 1
            continue
        children = node.children
        if not node.is_row:
            children = sorted(children, key=_first_word)
        elif _is_backward(children):
            children = children[::-1]
        waiting += reversed(children)


def _first_word(node: _Node) -> int:
    return node.words & -node.words


def _is_backward(row: Sequence[_Node]) -> bool:
    """Return whether more pairs of words of different nodes stand in another order than in the sentence than not."""
    swapped = kept = 0
    later = _union(row)
    for node in row:
        later &= ~node.words
        for word in _words(node.words):
            before = (later & ((1 << word) - 1)).bit_count()
            swapped += before
            kept += later.bit_count() - before
    return swapped > kept or (swapped == kept and _first_word(row[-1]) < _first_word(row[0]))


def _words(words: int) -> Iterator[int]:
    while words:
        yield (words & -words).bit_length() - 1
        words &= words - 1
