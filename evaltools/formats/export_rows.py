"""One sentence of NEGRA's export format: its tree, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaltools.errors import excerpt
from evaltools.treebank import Kind, Tree
from evaltools.treebank.dependency_text import Fault, find_cycle

__all__ = ["NODE", "parse_sentence"]

NODE = re.compile("#([0-9]{3,9})")
"""The number of a phrase."""

_BLANKS = re.compile(r"[ \t\r\v\f]+")
_PARENT = re.compile("0|[0-9]{3,9}")
_N_COLUMNS = {"3": 5, "4": 6}


def parse_sentence(lines: Sequence[str], version: str) -> tuple[Tree, list[Fault]]:
    """Read the lines between ``#BOS`` and ``#EOS``.

    Parameters
    ----------
    lines : sequence of str
        The lines without their ends.
    version : {"3", "4"}
        Whether a lemma stands after the word.

    Returns
    -------
    (Tree, list of Fault)
        The tree, without nodes if it cannot be used; and what is wrong.
    """
    n_columns = _N_COLUMNS[version]
    faults: list[Fault] = []
    rows: list[tuple[int, str, str, str, int]] = []  # line, word or number, label, function, parent
    number_of: dict[int, int] = {}  # a phrase's number in the file, and its place among the rows

    def fault(line: int, kind: str, found: str, expected: str, *, fatal: bool) -> None:
        faults.append(Fault(kind, line, found, expected, fatal))

    for at, line in enumerate(lines):
        columns = _BLANKS.split(line.strip(" \t\r\v\f"))
        if columns == [""] or columns[0] == "%%":
            continue
        comment = next((i for i, column in enumerate(columns) if i >= n_columns and column.startswith("%%")), None)
        columns = columns[:comment]
        if len(columns) < n_columns:
            found = f"{len(columns)} column{'s' if len(columns) != 1 else ''}"
            fault(at, "columns", found, f"at least {n_columns} (version {version})", fatal=True)
            continue
        word, (label, _, function, parent) = columns[0], columns[n_columns - 4 : n_columns]
        if not _PARENT.fullmatch(parent):
            fault(at, "parent", f"parent {excerpt(parent)!r}", "the number of a phrase, or 0", fatal=True)
            continue
        secondary = columns[n_columns:]
        for name, target in zip(secondary[::2], secondary[1::2], strict=False):
            found = f"a secondary edge {excerpt(name)} to {excerpt(target)}"
            fault(at, "secondary_edge", found, "one parent; the edge is left out", fatal=False)
        if len(secondary) % 2:
            found = f"{n_columns + len(secondary)} columns"
            fault(at, "columns", found, f"{n_columns}, and two for each secondary edge", fatal=False)
        if node := NODE.fullmatch(word):
            if int(node[1]) in number_of:
                fault(at, "duplicate_id", f"phrase {word} a second time", "each number once", fatal=True)
                continue
            number_of[int(node[1])] = len(rows)
        rows.append((at, word, label, function, int(parent)))
    parents = []
    for at, _, _, _, parent_number in rows:
        if parent_number and parent_number not in number_of:
            expected = f"a phrase #{parent_number} in the sentence"
            fault(at, "unknown_node", f"parent {parent_number}", expected, fatal=True)
        parents.append(number_of.get(parent_number, -1))
    if cycle := find_cycle(parents):
        names = [rows[place][1] for place in cycle[:8]]
        found = f"phrases that are above each other: {' → '.join(names)}"
        fault(rows[cycle[0]][0], "cycle", found, "phrases that lead to a root", fatal=True)
    nothing = Tree((), (), (), (), ())
    if any(one.fatal for one in faults):
        return nothing, faults
    used = _with_words(rows, parents)
    for place, (at, word, _, _, _) in enumerate(rows):
        if not used[place]:
            fault(at, "empty_bracket", f"phrase {word} without words", "at least one word in it", fatal=False)
    return _tree(rows, parents, used), faults


def _with_words(rows: Sequence[tuple[int, str, str, str, int]], parents: Sequence[int]) -> list[bool]:
    """Tell for each row whether it is a word or above one."""
    used = [False] * len(rows)
    for place, row in enumerate(rows):
        if not NODE.fullmatch(row[1]):
            while place >= 0 and not used[place]:
                used[place] = True
                place = parents[place]
    return used


def _tree(rows: Sequence[tuple[int, str, str, str, int]], parents: Sequence[int], used: Sequence[bool]) -> Tree:
    labels: list[str] = []
    kinds: list[Kind] = []
    functions: list[str] = []
    positions: list[int] = []
    above: list[int] = []
    top = [-1] * len(rows)  # the node that stands for a row in its parent

    def add(label: str, kind: Kind, function: str, position: int = -1) -> int:
        labels.append(label)
        kinds.append(kind)
        functions.append(function)
        positions.append(position)
        above.append(-1)
        return len(labels) - 1

    n_words = 0
    for place, (_, word, label, function, _) in enumerate(rows):
        function = "" if function == "--" else function
        if not used[place]:
            continue
        if NODE.fullmatch(word):
            top[place] = add("" if label == "--" else label, Kind.PHRASE, function)
            continue
        bare = label == "--"
        top[place] = add(word, Kind.WORD, function if bare else "", n_words)
        n_words += 1
        if not bare:
            tag = add(label, Kind.PRETERMINAL, function)
            above[top[place]] = tag
            top[place] = tag
    for place, parent in enumerate(parents):
        if used[place] and parent >= 0:
            above[top[place]] = top[parent]
    return Tree.from_nodes(labels, positions, above, kinds, functions)
