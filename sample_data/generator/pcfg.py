"""Probabilistic context-free grammars read off a treebank: estimation with unknown words by shape.

Log-probabilities are whole numbers (thousandths of a nat), so that scores, and with them ties, are the same everywhere.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from .tagging import is_first, shape
from .trees import Node

SCALE = 1000
MARK = "@"  # begins the symbols that binarisation makes


@dataclass(frozen=True, slots=True)
class Style:
    """How symbols are made: whether the parent is part of a label, and how many sisters a binarised symbol remembers.

    ``sisters`` None keeps them all: the grammar has exactly the rules of the treebank.
    """

    parent: bool
    sisters: int | None


@dataclass(slots=True)
class Pcfg:
    """Rules and words with their scores."""

    binary: dict[tuple[str, str, str], int] = field(default_factory=dict)
    unary: dict[tuple[str, str], int] = field(default_factory=dict)
    words: dict[str, dict[str, int]] = field(default_factory=dict)
    shapes: dict[str, dict[str, int]] = field(default_factory=dict)
    root: str = "ROOT"

    def emissions(self, words: list[str], position: int) -> dict[str, int]:
        """Return the score of every tag for a word."""
        word = words[position]
        first = is_first(words, position)
        known = self.words.get(word) or (self.words.get(word[0].lower() + word[1:]) if first else None)
        if known:
            return known
        return self.shapes.get(shape(word, first)) or self.shapes["plain"]


def score(part: float, whole: float) -> int:
    """Return a log-probability in thousandths."""
    return round(SCALE * math.log(part / whole))


def estimate(trees: list[Node], style: Style) -> Pcfg:
    """Read a grammar off a treebank by relative frequency.

    Parameters
    ----------
    trees
        Trees without function tags, top label ROOT.
    style
        How symbols are made.

    Returns
    -------
    Pcfg
    """
    rules: Counter[tuple[str, ...]] = Counter()
    lexical: Counter[tuple[str, str]] = Counter()
    for tree in trees:
        words = tree.words()
        _count(tree, "", style, rules)
        for position, leaf in enumerate(tree.preterminals()):
            word = words[position]
            if is_first(words, position) and leaf.label not in ("NNP", "NNPS", "PRP"):
                word = word[0].lower() + word[1:]
            lexical[leaf.label, word] += 1
    parents: Counter[str] = Counter()
    for rule, times in rules.items():
        parents[rule[0]] += times
    grammar = Pcfg()
    for rule, times in rules.items():
        if len(rule) == 3:
            grammar.binary[rule[0], rule[1], rule[2]] = score(times, parents[rule[0]])
        else:
            grammar.unary[rule[0], rule[1]] = score(times, parents[rule[0]])
    _lexicon(grammar, lexical)
    return grammar


def _lexicon(grammar: Pcfg, lexical: Counter[tuple[str, str]]) -> None:
    """Fill in the words, and the shapes from words seen at most twice."""
    tags: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for (tag, word), times in lexical.items():
        tags[tag] += times
        seen[word] += times
    rare: Counter[tuple[str, str]] = Counter()
    for (tag, word), times in lexical.items():
        grammar.words.setdefault(word, {})[tag] = score(times, tags[tag])
        if seen[word] <= 2:
            rare[tag, shape(word)] += times
    open_tags = sorted({tag for tag, _ in rare})
    for name in sorted({name for _, name in rare} | {"plain"}):
        grammar.shapes[name] = {tag: score(rare[tag, name] + 0.05, 8 * tags[tag]) for tag in open_tags}


def _count(node: Node, parent: str, style: Style, rules: Counter[tuple[str, ...]]) -> str:
    """Count the rules of a tree; return the symbol of its top."""
    if node.is_preterminal:
        return node.label
    symbol = f"{node.label}^{parent}" if style.parent and parent else node.label
    children = [_count(child, node.label, style, rules) for child in node.children]
    left = symbol
    for position in range(len(children) - 2):
        remembered = (
            children[position + 1 :]
            if style.sisters is None
            else children[max(0, position + 1 - style.sisters) : position + 1]
        )
        direction = "rest" if style.sisters is None else "after"
        rest = f"{MARK}{symbol} {direction} {' '.join(remembered)}"
        rules[left, children[position], rest] += 1
        left = rest
    rules[(left, *children[-2:])] += 1
    return symbol


def without_marks(node: Node) -> Node:
    """Undo binarisation and parent annotation."""
    if node.is_preterminal:
        return node
    children: list[Node] = []
    for child in map(without_marks, node.children):
        children += child.children if child.label.startswith(MARK) else [child]
    label = node.label if node.label.startswith(MARK) else node.label.split("^")[0]
    return Node(label, tuple(children))
