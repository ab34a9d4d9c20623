"""Leaf-ancestor scores in plain Python, as one would write them down: the slow twin that the kernel is measured by.

Written from the definition alone, with no code of evaltools in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.generate import Node, Word

Lineage = list[str]


def lineages(tree: Node) -> list[Lineage]:
    """Return the lineage of each word, from the leaf up, parts of speech left out.

    ``[`` stands before the label of the highest phrase that begins at the word, ``]`` behind that of the highest one
    that ends at it.

    >>> lineages(["S", ["NP", ("PRP", "it")], ("VBZ", "works")])
    [['NP', ']', '[', 'S'], ['S', ']']]
    """
    paths: list[list[tuple[str, int, int]]] = []  # per word, (label, start, end) from the root down

    def walk(node: Node | Word, above: list[list]) -> None:
        if isinstance(node, tuple):
            paths.append(above)
            return
        here = [node[0], len(paths), 0]
        for child in node[1:]:
            walk(child, [*above, here])
        here[2] = len(paths)

    walk(tree, [])
    found = []
    for position, path in enumerate(paths):
        begins = next((i for i, (_, start, _) in enumerate(path) if start == position), None)
        ends = next((i for i, (_, _, end) in enumerate(path) if end == position + 1), None)
        lineage = []
        for i in reversed(range(len(path))):
            if i == begins:
                lineage.append("[")
            lineage.append(path[i][0])
            if i == ends:
                lineage.append("]")
        found.append(lineage)
    return found


def similarity(gold: Lineage, test: Lineage) -> float:
    """Return 1 − distance / (sum of lengths), a replacement costing 2, an insertion or deletion 1.

    >>> similarity(["NP", "S"], ["NP", "S", "]"])
    0.8
    """
    if not gold and not test:
        return 1.0
    before = list(range(len(test) + 1))
    for i, symbol in enumerate(gold, start=1):
        row = [i]
        for j, other in enumerate(test, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (0 if symbol == other else 2)))
        before = row
    return 1 - before[-1] / (len(gold) + len(test))


def leaf_ancestor(gold: Sequence[Node], test: Sequence[Node]) -> list[float]:
    """Return each sentence's strict leaf-ancestor score: the mean over its words."""
    scores = []
    for gold_tree, test_tree in zip(gold, test, strict=True):
        pairs = zip(lineages(gold_tree), lineages(test_tree), strict=True)
        values = [similarity(one, other) for one, other in pairs]
        scores.append(sum(values) / len(values))
    return scores
