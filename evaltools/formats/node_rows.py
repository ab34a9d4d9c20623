"""Sentences whose words and phrases are listed one by one, each with the phrase above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaltools.corpus import Kind, Tree
from evaltools.corpus.dependency_text import Fault, find_cycle

__all__ = ["Row", "tree_of"]


class Row(NamedTuple):
    """A word or a phrase."""

    line: int  # The line, counted from the sentence's first
    name: str  # The form of a word, the number or id of a phrase
    is_phrase: bool
    label: str  # The tag of a word, the category of a phrase
    function: str
    is_tagged: bool  # Whether a word has a tag


def tree_of(rows: Sequence[Row], parents: Sequence[int], *, usable: bool = True) -> tuple[Tree, list[Fault]]:
    """Return the tree of words and phrases, each with the index of the one above or -1, and what is wrong with it.

    Words are in the order of the sentence. The tree is missing if the phrases form a cycle, or if it is not usable.
    """
    faults: list[Fault] = []
    if cycle := find_cycle(parents):
        names = [rows[index].name for index in cycle[:8]]
        found = f"phrases that are above each other: {' → '.join(names)}"
        faults.append(Fault("cycle", rows[cycle[0]].line, found, "phrases that lead to a root", True))
    if faults or not usable:
        return Tree((), (), (), (), ()), faults
    used = _with_words(rows, parents)
    faults += [
        Fault("empty_bracket", row.line, f"phrase {row.name} without words", "at least one word in it", False)
        for row, is_used in zip(rows, used, strict=True)
        if not is_used
    ]
    return _tree(rows, parents, used), faults


def _with_words(rows: Sequence[Row], parents: Sequence[int]) -> list[bool]:
    """Return for each row whether it is a word or above one."""
    used = [False] * len(rows)
    for index, row in enumerate(rows):
        if not row.is_phrase:
            while index >= 0 and not used[index]:
                used[index] = True
                index = parents[index]
    return used


def _tree(rows: Sequence[Row], parents: Sequence[int], used: Sequence[bool]) -> Tree:
    labels: list[str] = []
    kinds: list[Kind] = []
    functions: list[str] = []
    positions: list[int] = []
    above: list[int] = []
    top = [-1] * len(rows)  # the topmost node of a row

    def add(label: str, kind: Kind, function: str, position: int = -1) -> int:
        labels.append(label)
        kinds.append(kind)
        functions.append(function)
        positions.append(position)
        above.append(-1)
        return len(labels) - 1

    n_words = 0
    for index, row in enumerate(rows):
        if not used[index]:
            continue
        if row.is_phrase:
            top[index] = add(row.label, Kind.PHRASE, row.function)
            continue
        top[index] = add(row.name, Kind.WORD, "" if row.is_tagged else row.function, n_words)
        n_words += 1
        if row.is_tagged:
            tag = add(row.label, Kind.PRETERMINAL, row.function)
            above[top[index]] = tag
            top[index] = tag
    for index, parent in enumerate(parents):
        if used[index] and parent >= 0:
            above[top[index]] = top[parent]
    return Tree.from_nodes(labels, positions, above, kinds, functions)
