"""An order of the words in which the constituents of two trees are continuous.

A step of a repair moves neighbors or puts a bracket around them. Where constituents are discontinuous, neighbors are
those of another order of the words, in which every phrase of both trees is over adjacent words. There is such an order
if and only if the sets of words of all phrases have the consecutive-ones property (Booth and Lueker 1976). For equal
trees there always is one; there is none if, say, one tree has the phrases a b and c d, and the other one a c and b d.
Of several orders it is one near to that of the sentence, which it is if both trees are continuous: children stand in
the order of their first words, as in discontinuous trees; where phrases that overlap leave two directions only, it is
the one with fewer pairs of words in another order than in the sentence. The papers on repairs have continuous trees.

References
----------
K. S. Booth and G. S. Lueker (1976). Testing for the consecutive ones property, interval graphs, and graph planarity
using PQ-tree algorithms. Journal of Computer and System Sciences 13, 335–379.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Tree, Treebank
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.constituency.normalization import Pair
from evaltools.frameworks.presets.filtering import arranged

__all__ = ["NO_ORDER", "OrderedPair", "OrderedTrees", "common_order", "in_common_order"]

NO_ORDER = "There is no list of repairs: in no order of the words are the constituents of both trees continuous."
"""Why a sentence has no repairs although its words are the same in both trees."""


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


# ---------------------------------------------------------------------------------------------------- trees and corpora


@dataclass(frozen=True, slots=True)
class OrderedTrees:
    """Two trees whose words stand in one order, in which all their phrases are continuous."""

    gold: Tree
    test: Tree
    gold_nodes: Sequence[int]  # For each node its number in the tree as it was
    test_nodes: Sequence[int]


def in_common_order(gold: Tree, test: Tree) -> OrderedTrees | None:
    """Return two trees over the same words with these in one order, in which phrases are continuous; None without one.

    Examples
    --------
    >>> gold = Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket")
    >>> ordered = in_common_order(gold, Tree.from_string("(S (V is) (N John) (A rich))"))
    >>> ordered.gold.positions == ordered.test.positions == (0, 2, 1)
    True
    """
    if gold.is_continuous and test.is_continuous:
        return OrderedTrees(gold, test, range(len(gold)), range(len(test)))
    order = common_order(len(gold.words), *(_word_sets(tree.parents, *_words_of(tree)) for tree in (gold, test)))
    if order is None:
        return None
    (new_gold, gold_nodes), (new_test, test_nodes) = (tree.reordered(order) for tree in (gold, test))
    return OrderedTrees(new_gold, new_test, gold_nodes, test_nodes)


def _words_of(tree: Tree) -> tuple[Sequence[int], Sequence[int]]:
    """Return the kinds of the nodes, and the position of each that is a word."""
    positions = [-1] * len(tree)
    for position, node in enumerate(tree.word_nodes):
        positions[node] = position
    return tree.kinds, positions


def _word_sets(parents: Sequence[int], kinds: Sequence[int], positions: Sequence[int]) -> Iterator[int]:
    """Yield the words of each phrase of a tree that has several."""
    words = [1 << position if kind == Kind.WORD else 0 for kind, position in zip(kinds, positions, strict=True)]
    for node, (parent, kind) in enumerate(zip(parents, kinds, strict=True)):
        own = words[node]  # complete: children stand before their parent
        if parent >= 0:
            words[parent] |= own
        if kind == Kind.PHRASE and own & (own - 1):
            yield own


@dataclass(frozen=True, slots=True)
class OrderedPair:
    """The treebanks of a pair, with the words of discontinuous sentences in an order in which both are continuous.

    Sentences without such an order, and those that are not compared word by word, are as they were.
    """

    gold: Treebank
    test: Treebank
    gold_nodes: NDArray[Any] | slice  # For each node its index in the treebank of the pair
    test_nodes: NDArray[Any] | slice
    orders: Mapping[int, tuple[int, ...]]  # For sentences in such an order, the positions of their words
    refused: NDArray[np.bool_]  # The sentences that have the same words and no such order

    @classmethod
    def of(cls, pair: Pair) -> OrderedPair:
        """Find the orders of the sentences that have the same words in both trees."""
        gold, test = pair.gold.treebank, pair.test.treebank
        refused = np.zeros(len(gold), dtype=np.bool_)
        chosen = np.flatnonzero(pair.discontinuous & (pair.status == SentenceStatus.OK)).tolist()
        if not chosen:
            return cls(gold, test, slice(None), slice(None), {}, refused)
        orders: dict[int, tuple[int, ...]] = {}
        n_words = gold.n_words
        for sentence in chosen:
            order = common_order(int(n_words[sentence]), *(_sets_of(side, sentence) for side in (gold, test)))
            if order is None:
                refused[sentence] = True
            else:
                orders[sentence] = order
        (gold, gold_nodes), (test, test_nodes) = (_reordered(side, orders) for side in (gold, test))
        return cls(gold, test, gold_nodes, test_nodes, orders, refused)


def _positions(treebank: Treebank) -> NDArray[np.int32]:
    """Return the position of each word in its sentence, -1 for other nodes."""
    if treebank.position is not None:
        return treebank.position.copy()
    return np.where(treebank.kind == Kind.WORD, treebank.start, np.int32(-1)).astype(np.int32)


def _sets_of(treebank: Treebank, sentence: int) -> Iterator[int]:
    nodes = slice(int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1]))
    positions = treebank.start if treebank.position is None else treebank.position
    columns = (column[nodes].tolist() for column in (treebank.parent, treebank.kind, positions))
    return _word_sets(*columns)


def _reordered(treebank: Treebank, orders: Mapping[int, tuple[int, ...]]) -> tuple[Treebank, NDArray[np.int64]]:
    """Return a treebank in which the words of some sentences stand in another order, and where each node was."""
    position = _positions(treebank)
    for sentence, order in orders.items():
        nodes = slice(int(treebank.offsets[sentence]), int(treebank.offsets[sentence + 1]))
        own = position[nodes]
        ranks = np.empty(len(order), dtype=np.int32)
        ranks[list(order)] = np.arange(len(order), dtype=np.int32)
        position[nodes] = np.where(own >= 0, ranks[own], own)
    result, before = arranged(treebank, position)
    return result, np.repeat(treebank.offsets[:-1], np.diff(treebank.offsets)) + before
