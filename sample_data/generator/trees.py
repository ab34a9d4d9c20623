"""A small tree, its two notations, and the checks every sample file must pass.

The sample is built without evaltools, so that it can also serve as an independent check of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_TOKEN = re.compile(r"[()]|[^\s()]+")
_SELF_TAGGED = {"``", "''", ",", ".", "$", "#", "-LRB-", "-RRB-"}
_OTHER_TAGS = {"?": ".", "!": ".", ":": ":", ";": ":", "--": ":", "...": ":"}


@dataclass(frozen=True, slots=True)
class Node:
    """A labelled node: either a preterminal with one word or a phrase with children."""

    label: str
    children: tuple[Node, ...] = ()
    word: str | None = None

    @property
    def is_preterminal(self) -> bool:
        """Whether the node carries a word."""
        return self.word is not None

    def preterminals(self) -> Iterator[Node]:
        """Yield the preterminals from left to right."""
        if self.word is not None:
            yield self
        for child in self.children:
            yield from child.preterminals()

    def words(self) -> list[str]:
        """Return the words from left to right."""
        return [leaf.word or "" for leaf in self.preterminals()]

    def tags(self) -> list[str]:
        """Return the preterminal labels from left to right."""
        return [leaf.label for leaf in self.preterminals()]

    def phrases(self) -> Iterator[Node]:
        """Yield every node that is not a preterminal, from the root down."""
        if self.word is None:
            yield self
        for child in self.children:
            yield from child.phrases()

    def __str__(self) -> str:
        inside = self.word if self.word is not None else " ".join(map(str, self.children))
        return f"({self.label} {inside})"


def leaf(token: str) -> Node:
    """Read one token of the shorthand: ``dog_NN``, or punctuation that is its own tag."""
    word, underscore, tag = token.rpartition("_")
    if underscore and word:
        return Node(tag, word=word)
    if token in _SELF_TAGGED:
        return Node(token, word=token)
    if token in _OTHER_TAGS:
        return Node(_OTHER_TAGS[token], word=token)
    raise ValueError(f"the word {token!r} has no tag: write it as word_TAG")


def parse_all(text: str, *, shorthand: bool = True) -> list[Node]:
    """Read all trees of a text, in the shorthand of ``handwritten/`` or in PTB brackets.

    Parameters
    ----------
    text
        Trees, over any number of lines; lines that begin with ``#`` are skipped.
    shorthand
        True: words are written ``word_TAG`` directly under a phrase. False: ``(TAG word)``.

    Returns
    -------
    list of Node

    Raises
    ------
    ValueError
        If brackets do not balance, a phrase is empty or a preterminal has not exactly one word.
    """
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    tokens = _TOKEN.findall("\n".join(lines))
    trees: list[Node] = []
    stack: list[tuple[str, list[Node], list[str]]] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token == "(":
            if position >= len(tokens) or tokens[position] in "()":
                raise ValueError("a bracket without a label")
            stack.append((tokens[position], [], []))
            position += 1
        elif token == ")":
            if not stack:
                raise ValueError(f"one ) too many after {trees[-1] if trees else 'nothing'}")
            label, children, words = stack.pop()
            if words and (children or len(words) != 1):
                raise ValueError(f"preterminal {label} holds {words} and {len(children)} phrases")
            if not words and not children:
                raise ValueError(f"empty phrase {label}")
            node = Node(label, word=words[0]) if words else Node(label, tuple(children))
            (stack[-1][1] if stack else trees).append(node)
        elif not stack:
            raise ValueError(f"{token!r} stands outside every tree")
        elif shorthand:
            stack[-1][1].append(leaf(token))
        else:
            stack[-1][2].append(token)
    if stack:
        raise ValueError(f"unclosed bracket: {stack[0][0]} after {trees[-1] if trees else 'nothing'}")
    return trees


def parse(text: str) -> Node:
    """Read exactly one tree of the shorthand."""
    (tree,) = parse_all(text)
    return tree


def read_ptb(path: Path) -> list[Node | None]:
    """Read a file of one PTB tree a line; ``(())`` is None."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [None if line == "(())" else parse_all(line, shorthand=False)[0] for line in lines]


def write_ptb(trees: Iterable[Node | None]) -> str:
    """Return one tree a line; None becomes ``(())``, a sentence without a parse."""
    return "".join(f"{tree if tree is not None else '(())'}\n" for tree in trees)


def without_functions(node: Node) -> Node:
    """Cut function tags and indices: NP-SBJ-1 → NP, NP=2 → NP; -LRB- and other tags of words stay."""
    if node.is_preterminal:
        return node
    return Node(re.split("[-=]", node.label)[0], tuple(map(without_functions, node.children)))


def rooted(node: Node) -> Node:
    """Put the label ROOT on top."""
    return Node("ROOT", (node,))


def indented(node: Node, depth: int = 0) -> str:
    """Return the tree over several lines, for reading it."""
    pad = "  " * depth
    if node.is_preterminal or all(child.is_preterminal for child in node.children):
        return pad + str(node)
    inside = "\n".join(indented(child, depth + 1) for child in node.children)
    return f"{pad}({node.label}\n{inside})"
