"""The dependency gold in both schemes: by hand where the sentence is by hand, by rule where the grammar made it."""

from __future__ import annotations

from .convert import by_rule
from .corpus import HANDWRITTEN, Sentence
from .dependency import Dependencies, Word, check
from .trees import Node

SCHEMES = ("lexical", "functional")
Both = tuple[Dependencies, Dependencies]


def gold(sentences: list[Sentence]) -> list[Both]:
    """Return the lexical and the functional tree of every gold sentence.

    Raises
    ------
    ValueError
        If ``handwritten/dependencies.txt`` has other words, or what it holds is no tree.
    """
    by_hand = iter(_handwritten())
    made = [
        by_rule(sentence.tree) if ":" in sentence.source else _tagged(sentence.tree, next(by_hand, []))
        for sentence in sentences
    ]
    if next(by_hand, None) is not None:
        raise ValueError("handwritten/dependencies.txt has more sentences than the gold set")
    return made


def _handwritten() -> list[list[list[str]]]:
    """Read the file: sentences of rows of fields."""
    text = (HANDWRITTEN / "dependencies.txt").read_text(encoding="utf-8")
    blocks = [
        [line.split("\t") for line in block.splitlines() if not line.startswith("# ")] for block in text.split("\n\n")
    ]
    return [block for block in blocks if block]


def _tagged(tree: Node, rows: list[list[str]]) -> Both:
    """Return both trees of a sentence written by hand."""
    words = tree.words()
    if [row[0] for row in rows] != words or any(len(row) != 4 for row in rows):
        raise ValueError(f"handwritten/dependencies.txt differs: {' '.join(words)}")
    schemes = []
    for column in (2, 3):
        arcs = [row[column].split(":", 1) for row in rows]
        made = tuple(
            Word(row[0], row[1], tag, int(head), relation)
            for row, tag, (head, relation) in zip(rows, tree.tags(), arcs, strict=True)
        )
        check(made)
        schemes.append(made)
    return schemes[0], schemes[1]
