"""Function trees: trees of grammatical functions, from any framework.

Every node is labeled with the grammatical function of the words it covers, or carries none. A yield is a *set* of
words, so that discontinuous constituents and non-projective dependencies are function trees as they are.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP 2011.
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.

Notes
-----
Differences from the papers: yields need not be contiguous.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.folding import replaced
from evaltools.errors import ParameterError
from evaltools.text import short_repr

__all__ = [
    "HEAD",
    "WILDCARD",
    "FunctionNode",
    "FunctionTree",
    "Yield",
    "build_function_tree",
    "dependency_function_tree",
]

Yield = frozenset[int]
"""The words that a node covers, by position from 0."""

HEAD = "hd"
"""Label of a head word in its own phrase (2012)."""

WILDCARD = "*"
"""Label of a head word in 2011: it is compatible with every label."""


@dataclass(frozen=True, slots=True)
class FunctionNode:
    """A node of a function tree."""

    label: str | None  # Its function, None where it carries none
    words: Yield  # The words it covers
    parent: int  # Number of its parent, -1 for a root


@dataclass(frozen=True)
class FunctionTree:
    """A tree of functions over the words of one sentence.

    Parameters
    ----------
    words : tuple of str
        The forms.
    nodes : tuple of FunctionNode
        Parents before their children, left before right.

    Examples
    --------
    >>> tree = dependency_function_tree(["John", "loves", "Mary"], [1, -1, 1], ["sbj", "root", "obj"])
    >>> print(tree)
    (root (sbj John) (hd loves) (obj Mary))
    """

    words: tuple[str, ...]
    nodes: tuple[FunctionNode, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self.words)} words: {self}")

    @cached_property
    def is_projective(self) -> bool:
        """Whether every node covers a contiguous part of the sentence."""
        return all(not node.words or max(node.words) - min(node.words) < len(node.words) for node in self.nodes)

    def __str__(self) -> str:
        """Return the tree in brackets, {} for no label; words are numbered where yields are not contiguous."""
        bare = [set(node.words) for node in self.nodes]
        parts: list[list[tuple[int, str]]] = [[] for _ in self.nodes]
        covered = frozenset[int]().union(*(node.words for node in self.nodes))
        roots = [(word, self._word(word)) for word in range(len(self.words)) if word not in covered]
        for number in reversed(range(len(self.nodes))):
            node = self.nodes[number]
            inner = sorted([*parts[number], *((word, self._word(word)) for word in bare[number])])
            label = "{}" if node.label is None else node.label
            part = min(node.words), f"({label} {' '.join(text for _, text in inner)})"
            (parts[node.parent] if node.parent >= 0 else roots).append(part)
            if node.parent >= 0:
                bare[node.parent] -= node.words
        return " ".join(text for _, text in sorted(roots))

    def _word(self, word: int) -> str:
        return self.words[word] if self.is_projective else f"{word}={self.words[word]}"


def build_function_tree(words: Sequence[str], unordered: Sequence[tuple[str | None, Yield, int]]) -> FunctionTree:
    """Build a function tree of nodes in any order: label, words, and index of the parent, -1 for a root.

    Only nodes below a root are part of the tree.
    """
    children: dict[int, list[int]] = {}
    for index, (_, _, parent) in enumerate(unordered):
        children.setdefault(parent, []).append(index)
    for siblings in children.values():
        siblings.sort(key=lambda index: (min(unordered[index][1]), index))
    nodes: list[FunctionNode] = []
    waiting = [(index, -1) for index in reversed(children.get(-1, []))]
    while waiting:
        index, parent = waiting.pop()
        waiting += [(child, len(nodes)) for child in reversed(children.get(index, []))]
        nodes.append(FunctionNode(unordered[index][0], unordered[index][1], parent))
    return FunctionTree(tuple(words), tuple(nodes))


def dependency_function_tree(
    words: Sequence[str],
    heads: Sequence[int],
    relations: Sequence[str],
    *,
    head_label: str = HEAD,
    label_map: Mapping[str, str] | None = None,
) -> FunctionTree:
    """Turn a dependency tree into a function tree.

    Every word gives a node, labeled with its relation, over itself and all its descendants; where these are more than
    one word, the word itself gets a daughter labeled as the head.

    Parameters
    ----------
    words : sequence of str
        The forms.
    heads : sequence of int
        The head of each word by position from 0, -1 for the root, -2 for a word without a head, which gives no node.
    relations : sequence of str
        The relation of each word to its head.
    head_label : str
        Label of the head's own node: ``"hd"`` (2012) or ``"*"`` (2011).
    label_map : dict, optional
        Replacements of labels; not applied to `head_label`.

    Returns
    -------
    FunctionTree

    Raises
    ------
    ParameterError
        If the sequences differ in length, a head is out of range, or the heads form a cycle.

    Examples
    --------
    Figure 1 (a) of the paper of 2012:

    >>> print(dependency_function_tree(["John", "loves", "Mary"], [1, -1, 1], ["sbj", "root", "obj"]))
    (root (sbj John) (hd loves) (obj Mary))

    Yields are sets, so nothing is lost where an arc crosses another:

    >>> print(dependency_function_tree(["who", "did", "you", "see"], [3, -1, 3, 1], ["obj", "root", "sbj", "vg"]))
    (root (vg (obj 0=who) (sbj 2=you) (hd 3=see)) (hd 1=did))
    """
    n = len(words)
    if not n == len(heads) == len(relations):
        raise ParameterError(f"{n} words, {len(heads)} heads and {len(relations)} relations; expected as many of each")
    below: list[set[int]] = [set() for _ in range(n)]
    for word in range(n):
        node, steps = word, 0
        while node not in (-1, NO_HEAD):
            if not 0 <= node < n:
                raise ParameterError(f"head {node} is out of range; expected {NO_HEAD} to {n - 1}")
            below[node].add(word)
            node, steps = heads[node], steps + 1
            if steps > n:
                raise ParameterError(f"the heads above word {word} form a cycle; expected a tree")
    mapped = label_map or {}
    raw: list[tuple[str | None, Yield, int]] = [
        (replaced(relation, mapped), frozenset(below[word]), heads[word]) for word, relation in enumerate(relations)
    ]
    raw += [(head_label, frozenset({word}), word) for word in range(n) if len(below[word]) > 1]
    return build_function_tree(words, raw)
