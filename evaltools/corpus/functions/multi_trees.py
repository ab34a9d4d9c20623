"""Multi-function trees: a set of functions for each set of words.

A multi-function tree states, for some sets of words, that they have certain functions; a chain of nodes over the same
words becomes one node with all their labels.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.

Notes
-----
Differences from the paper: the words of a node need not be contiguous. Two nodes cross if their words overlap and
neither's are within the other's, which for contiguous spans is the usual meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from evaltools.corpus.functions.trees import FunctionNode, FunctionTree, Yield
from evaltools.display import NotebookObject
from evaltools.errors import ParameterError, UnificationError
from evaltools.text import short_repr

__all__ = [
    "NO_LABELS",
    "MultiFunctionTree",
    "character_tree",
    "check_tree",
    "crossing",
    "multi_function_tree",
    "sorted_function_tree",
]

NO_LABELS: frozenset[str] = frozenset()
"""The label set of a node without a function."""


@dataclass(frozen=True)
class MultiFunctionTree(NotebookObject):
    """For each set of words that is a node, the set of its functions.

    Parameters
    ----------
    words : tuple of str
        The forms.
    labels : mapping of frozenset of int to frozenset of str
        The functions of each node, by the positions of its words; ∅ for a node without one.

    Examples
    --------
    >>> tree = MultiFunctionTree(("it", "rains"), {frozenset({0, 1}): {"root"}, frozenset({0}): set()})
    >>> print(tree)
    {root}[∅ it, rains]
    """

    words: tuple[str, ...]
    labels: Mapping[Yield, frozenset[str]]

    def __repr__(self) -> str:
        return short_repr(self, f"of {len(self.words)} words: {self}")

    def __post_init__(self) -> None:
        nodes = {frozenset(words): frozenset(labels) for words, labels in self.labels.items()}
        positions = range(len(self.words))
        for words in nodes:
            if not words or any(word not in positions for word in words):
                raise ParameterError(
                    f"a node over the words {sorted(words)}; expected one or more of 0 to {len(self.words) - 1}"
                )
        object.__setattr__(self, "labels", MappingProxyType(nodes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MultiFunctionTree):
            return NotImplemented
        return self.words == other.words and self.labels == other.labels

    def __hash__(self) -> int:
        return hash((self.words, frozenset(self.labels.items())))

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.labels)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, Yield]]:
        """Every function with the words that have it, the items of the labeled score."""
        return frozenset((label, words) for words, labels in self.labels.items() for label in labels)

    @cached_property
    def yields(self) -> frozenset[Yield]:
        """The words of every node, the items of the unlabeled score."""
        return frozenset(self.labels)

    @cached_property
    def is_tree(self) -> bool:
        """Whether no two nodes cross."""
        return next(crossing(self), None) is None

    @cached_property
    def _parents(self) -> dict[Yield, Yield | None]:
        """The smallest node around each node, from the outside in and from left to right."""
        parents: dict[Yield, Yield | None] = {}
        for words in sorted(self.labels, key=lambda words: (-len(words), sorted(words))):
            around = [item for item in parents if words < item]
            parents[words] = min(around, key=len) if around else None
        return parents

    def __str__(self) -> str:
        """Return ``{root}[{sbj} John, {hd} loves]``; nodes that cross are listed one by one."""
        if not self.is_tree:
            yields = sorted(self.labels, key=lambda words: (-len(words), sorted(words)))
            return ", ".join(f"{_format_set(self.labels[item])} {self._text(item)}" for item in yields)
        all_words = frozenset(range(len(self.words)))
        bare: dict[Yield | None, Yield] = {None: all_words, **{words: words for words in self.labels}}
        parts: dict[Yield | None, list[tuple[int, str]]] = {words: [] for words in bare}
        for words, parent in reversed(self._parents.items()):  # from the inside out
            inner = self._joined(parts[words], bare[words])
            text = (
                f"{_format_set(self.labels[words])} {inner}"
                if len(words) == 1
                else f"{_format_set(self.labels[words])}[{inner}]"
            )
            parts[parent].append((min(words), text))
            bare[parent] -= words
        return self._joined(parts[None], bare[None])

    def _joined(self, parts: list[tuple[int, str]], bare: Yield) -> str:
        return ", ".join(text for _, text in sorted([*parts, *((word, self.words[word]) for word in bare)]))

    def _text(self, words: Yield) -> str:
        return " ".join(self.words[word] for word in sorted(words))


def _format_set(labels: frozenset[str]) -> str:
    return f"{{{','.join(sorted(labels))}}}" if labels else "∅"


def multi_function_tree(tree: FunctionTree) -> MultiFunctionTree:
    """Collapse a function tree: all labels over the same words become one node's.

    Parameters
    ----------
    tree : FunctionTree
        The tree.

    Returns
    -------
    MultiFunctionTree

    Examples
    --------
    The trees (t1) and (t2) of the paper's Figure 2 are both (t3):

    >>> from evaltools.corpus import Tree, realizational_function_tree
    >>> for text in ("(root ({} (f1 ({} (f2 w)))))", "(root ({} (f2 ({} (f1 w)))))"):
    ...     print(multi_function_tree(realizational_function_tree(Tree.from_string(text), root_label=None)))
    {f1,f2} w
    {f1,f2} w
    """
    labels: dict[Yield, frozenset[str]] = {}
    for node in tree.nodes:
        functions = NO_LABELS if node.label is None else frozenset({node.label})
        labels[node.words] = labels.get(node.words, NO_LABELS) | functions
    return MultiFunctionTree(tree.words, labels)


def character_tree(tree: MultiFunctionTree) -> MultiFunctionTree:
    """Return the same tree over the characters of its words.

    Examples
    --------
    >>> print(character_tree(MultiFunctionTree(("ab", "c"), {frozenset({0}): {"x"}})))
    {x}[a, b], c
    """
    characters: list[str] = []
    indices: list[range] = []
    for word in tree.words:
        text = "".join(word.split())
        indices.append(range(len(characters), len(characters) + len(text)))
        characters += text
    labels: dict[Yield, frozenset[str]] = {}
    for words, functions in tree.labels.items():
        if covered := frozenset(index for word in words for index in indices[word]):
            labels[covered] = labels.get(covered, NO_LABELS) | functions
    return MultiFunctionTree(tuple(characters), labels)


def sorted_function_tree(tree: MultiFunctionTree, *, labelled: bool = True) -> FunctionTree:
    """Spread the label sets out: a chain of nodes in alphabetical order for each, and nothing for an empty set.

    Parameters
    ----------
    tree : MultiFunctionTree
        A tree in which no nodes cross.
    labelled : bool
        If False, each node becomes one node without a label instead.

    Returns
    -------
    FunctionTree

    Raises
    ------
    UnificationError
        If nodes cross.
    """
    check_tree(tree)
    children: dict[Yield | None, list[Yield]] = {}
    for words, parent in tree._parents.items():
        children.setdefault(parent, []).append(words)
    nodes: list[FunctionNode] = []
    waiting = [(words, -1) for words in sorted(children.get(None, []), key=min, reverse=True)]
    while waiting:
        words, at = waiting.pop()
        labels: list[str | None] = [*sorted(tree.labels[words])] if labelled else [None]
        for label in labels:
            nodes.append(FunctionNode(label, words, at))
            at = len(nodes) - 1
        waiting += [(child, at) for child in sorted(children.get(words, []), key=min, reverse=True)]
    return FunctionTree(tree.words, tuple(nodes))


def crossing(*trees: MultiFunctionTree) -> Iterator[tuple[Yield, Yield]]:
    """Yield the pairs of nodes, of one tree or of several, whose words overlap with neither's within the other's."""
    yields = sorted(frozenset[Yield]().union(*(tree.yields for tree in trees)), key=sorted)
    for index, first in enumerate(yields):
        for second in yields[index + 1 :]:
            if first & second and not first <= second and not second <= first:
                yield first, second


def check_tree(*trees: MultiFunctionTree) -> None:
    """Raise UnificationError if nodes cross."""
    pair = next(crossing(*trees), None)
    if pair is not None:
        raise UnificationError(pair)
