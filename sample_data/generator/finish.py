"""The last touches of a generated sentence: *a* or *an*, doubled punctuation, the capital letter."""

from __future__ import annotations

from collections.abc import Iterator

from .trees import Node

_AN_ANYWAY = ("hour", "honest", "heir")
_A_ANYWAY = ("useful", "useless", "uniform", "university", "one", "European", "unit")
_STRONGER = {",": 0, ".": 2, "?": 2, "!": 2, ";": 1, "''": 1, "-RRB-": 1}


def finished(tree: Node) -> Node:
    """Return the tree with its words put right."""
    leaves = list(tree.preterminals())
    words = [leaf.word or "" for leaf in leaves]
    keep = [True] * len(words)
    for here, word in enumerate(words):
        after = words[here + 1] if here + 1 < len(words) else ""
        if leaves[here].label == "DT" and word in ("a", "an"):
            words[here] = "an" if _takes_an(after) else "a"
        if word == "," and after in (",", ".", "?", "!", ";", "-RRB-"):
            keep[here] = False
    start = next(i for i, word in enumerate(words) if word[0].isalpha())
    words[start] = words[start][0].upper() + words[start][1:]
    if words[0] == "``":  # the text after an opening quotation mark, as well
        words[1] = words[1][0].upper() + words[1][1:]
    rebuilt = _rebuild(tree, iter(words), iter(keep))
    if rebuilt is None:
        raise ValueError("nothing is left of the sentence")
    return rebuilt


def _takes_an(word: str) -> bool:
    if word.startswith(_AN_ANYWAY):
        return True
    return word[:1].lower() in "aeiou" and not word.startswith(_A_ANYWAY)


def _rebuild(node: Node, words: Iterator[str], keep: Iterator[bool]) -> Node | None:
    if node.is_preterminal:
        word, kept = next(words), next(keep)
        return Node(node.label, word=word) if kept else None
    children = tuple(child for child in (_rebuild(child, words, keep) for child in node.children) if child is not None)
    return Node(node.label, children) if children else None
