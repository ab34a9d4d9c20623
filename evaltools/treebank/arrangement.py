"""Trees with discontinuous phrases: from nodes in any order to postorder, and words that carry their positions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaltools.errors import InputError, Problem, excerpt
from evaltools.treebank.bracket_text import Kind

__all__ = ["arrange", "disc_words", "is_numbered"]

_DISC_WORD = re.compile("(0|[1-9][0-9]{0,17})=(.+)", re.DOTALL)


def arrange(
    positions: Sequence[int], parents: Sequence[int], kinds: Sequence[Kind]
) -> tuple[list[int], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Put nodes into postorder, siblings in the order of their first words.

    Parameters
    ----------
    positions : sequence of int
        For each word its position in the sentence.
    parents : sequence of int
        Number of each node's parent, -1 for a root.
    kinds : sequence of Kind
        What each node is.

    Returns
    -------
    order : list of int
        The nodes in postorder.
    parents, starts, ends : tuple of int
        The columns of a tree, for the nodes in this order.
    words : tuple of int
        The words' positions, in the order in which the tree reaches them.
    """
    children: list[list[int]] = [[] for _ in parents]
    downwards: list[int] = []
    for node, parent in enumerate(parents):
        (children[parent] if parent >= 0 else downwards).append(node)
    roots = list(downwards)
    for node in downwards:  # grows while it is read
        downwards.extend(children[node])
    last = len(parents)  # where nodes without words stand among their siblings
    first = [position if kind is Kind.WORD else last for position, kind in zip(positions, kinds, strict=True)]
    for node in reversed(downwards):
        if children[node]:
            children[node].sort(key=first.__getitem__)
            first[node] = first[children[node][0]]
    roots.sort(key=first.__getitem__)

    order: list[int] = []
    number = [-1] * len(parents)
    starts: list[int] = []
    ends: list[int] = []
    words: list[int] = []
    begun = [0] * len(parents)  # words before a node
    waiting = [*reversed(roots)]
    while waiting:
        node = waiting.pop()
        if node >= 0:
            begun[node] = len(words)
            waiting.append(~node)
            waiting += reversed(children[node])
            continue
        node = ~node
        number[node] = len(order)
        order.append(node)
        if kinds[node] is Kind.WORD:
            words.append(positions[node])
        starts.append(begun[node])
        ends.append(len(words))
    new_parents = tuple(number[parents[node]] if parents[node] >= 0 else -1 for node in order)
    return order, new_parents, tuple(starts), tuple(ends), tuple(words)


def is_numbered(words: Sequence[str]) -> bool:
    """Tell whether all words look as if their positions stood before them; False if there are no words.

    Parameters
    ----------
    words : sequence of str
        The words of a tree.

    Examples
    --------
    >>> is_numbered(["1=rains", "0=it"]), is_numbered(["1=2", "is", "wrong"])
    (True, False)
    """
    return bool(words) and all(_DISC_WORD.fullmatch(word) for word in words)


def disc_words(labels: Sequence[str], kinds: Sequence[Kind], *, unescape: bool = True) -> tuple[list[str], list[int]]:
    """Take the positions off the words of a tree, and undo the escapes of discbracket.

    Parameters
    ----------
    labels : sequence of str
        Label of each node; for a word, ``position=form``.
    kinds : sequence of Kind
        What each node is.
    unescape : bool
        Whether ``#LRB#`` and ``#RRB#`` are brackets.

    Returns
    -------
    (list of str, list of int)
        Label or form of each node, and its position if it is a word.

    Raises
    ------
    InputError
        If a word has no position, two have the same, or one is left out.

    Examples
    --------
    >>> disc_words(["0=dogs", "N"], [Kind.WORD, Kind.PRETERMINAL])
    (['dogs', 'N'], [0, -1])
    """
    forms, positions = [], []
    taken: set[int] = set()

    def error(kind: str, found: str, expected: str) -> InputError:
        return InputError(Problem(kind, "<text>", None, None, found, expected))

    n_words = sum(kind is Kind.WORD for kind in kinds)
    for label, kind in zip(labels, kinds, strict=True):
        position, text = -1, label
        if kind is Kind.WORD:
            match = _DISC_WORD.fullmatch(label)
            if match is None:
                raise error("index", f"the word {excerpt(label)!r}", "a word with its position, such as 0=the")
            position, text = int(match[1]), match[2]
            if position in taken:
                raise error("index", f"position {position} a second time, at {excerpt(text)!r}", "each position once")
            if position >= n_words:
                found = f"position {position}, at {excerpt(text)!r}"
                raise error("index", found, f"the positions 0 to {n_words - 1} of {n_words} words, each once")
            taken.add(position)
        forms.append(text.replace("#LRB#", "(").replace("#RRB#", ")") if unescape else text)
        positions.append(position)
    return forms, positions
