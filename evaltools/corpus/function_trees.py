"""Function trees: trees of grammatical functions, from any framework.

Every node is labeled with the grammatical function of the words it covers, or carries none. A yield is a *set* of
words, so that discontinuous constituents and non-projective dependencies are function trees as they are.

A multi-function tree states, for some sets of words, that they have certain functions; a chain of nodes over the same
words becomes one node with all their labels.

Multi-function trees can be compared (subsumption), combined (unification), reduced to their common part
(generalization), or labeled by one another (TL-unification).

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP 2011.
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.

Notes
-----
Differences from the papers: the words of a node need not be contiguous. Two nodes cross if their words overlap and
neither's are within the other's, which for contiguous spans is the usual meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.bracket_text import Kind
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.folding import NO_WORDS, replaced, without_features
from evaltools.corpus.tree import Tree
from evaltools.display import NotebookObject
from evaltools.errors import ParameterError, UnificationError
from evaltools.text import short_repr

Yield = frozenset[int]
"""The words that a node covers, by position from 0."""

HEAD = "hd"
"""Label of a head word in its own phrase (2012)."""

WILDCARD = "*"
"""Label of a head word in 2011: it is compatible with every label."""


class FunctionNode(NamedTuple):
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
        Parents before their children, by the first of their words.

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

    def __str__(self) -> str:
        """Return the tree in brackets, {} for no label; words are numbered where yields are not contiguous."""
        labels = ["{}" if node.label is None else node.label for node in self.nodes]
        nodes = [(node.words, node.parent) for node in self.nodes]
        return brackets_of(self.words, labels, nodes).to_string("functions")


def brackets_of(words: Sequence[str], labels: Sequence[str], nodes: Sequence[tuple[Yield, int]]) -> Tree:
    """Return a tree with brackets for nodes, each with its words and its parent, which comes before it."""
    lowest = [-1] * len(words)
    for number, (covered, _) in enumerate(nodes):
        for word in covered:
            lowest[word] = number
    return Tree.from_nodes(
        [*labels, *words],
        [*[-1] * len(nodes), *range(len(words))],
        [*(parent for _, parent in nodes), *lowest],
        [*[Kind.PHRASE] * len(nodes), *[Kind.WORD] * len(words)],
    )


def build_function_tree(words: Sequence[str], unordered: Sequence[tuple[str | None, Yield, int]]) -> FunctionTree:
    """Build a function tree of nodes in any order: label, words, and index of the parent, -1 for a root.

    Of nodes over the same words, parents come before their children. Only nodes below a root are part of the tree.
    """
    n = len(words) + 1
    keys = [min(covered) * n - len(covered) for _, covered, _ in unordered]  # by the first word, the largest first
    nodes: list[FunctionNode] = []
    numbers = {-1: -1}
    for index in sorted(range(len(unordered)), key=keys.__getitem__):
        label, covered, parent = unordered[index]
        if parent in numbers:
            numbers[index] = len(nodes)
            nodes.append(FunctionNode(label, covered, numbers[parent]))
    return FunctionTree(tuple(words), tuple(nodes))


def dependency_function_tree(
    words: Sequence[str],
    heads: Sequence[int],
    relations: Sequence[str],
    *,
    head_label: str | None = HEAD,
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
    head_label : str or None
        Label of the head's own node: ``"hd"`` (2012) or ``"*"`` (2011), or none.
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


# ----------------------------------------------------------------------------------- function trees of constituents


@lru_cache(maxsize=1 << 16)
def functions_of(label: str) -> tuple[str, ...]:
    """Return the functions in the label of a constituent: the parts after dashes that are not numbers or features.

    Examples
    --------
    >>> functions_of("PP-LOC-CLR-2"), functions_of("NP=2"), functions_of("-LRB-"), functions_of("NP-SUJ##g=m##")
    (('LOC', 'CLR'), (), (), ('SUJ',))
    """
    label = without_features(label)
    if label[:1] in {"-", "="}:
        return ()
    parts = label.replace("=", "-").split("-")[1:]
    return tuple(dict.fromkeys(part for part in parts if part and not part.isdigit()))


def _nonempty_words(tree: Tree) -> tuple[tuple[str, ...], dict[int, Yield]]:
    """Return the words that are not empty elements, and the words that every node covers, counted among these."""
    empty = {
        node for node, label in enumerate(tree.labels) if label in NO_WORDS and tree.kinds[node] is Kind.PRETERMINAL
    }
    nonempty = [word for word, node in enumerate(tree.word_nodes) if tree.parents[node] not in empty]
    numbers = {word: number for number, word in enumerate(nonempty)}
    positions = range(len(tree.words)) if tree.positions is None else tree.positions
    before = [0, *accumulate(word in numbers for word in positions)]
    ordered = [numbers[word] for word in positions if word in numbers]
    word_kind = Kind.WORD
    covered = {
        node: frozenset(ordered[before[start] : before[end]])
        for node, (start, end, kind) in enumerate(zip(tree.starts, tree.ends, tree.kinds, strict=True))
        if kind is not word_kind and before[start] < before[end]
    }
    return tuple(tree.words[word] for word in nonempty), covered


def labels_of(label: str) -> tuple[str, ...]:
    """Return the functions in the label of a function tree or of a multi-function tree.

    Examples
    --------
    >>> labels_of("sbj"), labels_of("{sbj,hd}"), labels_of("{}"), labels_of("")
    (('sbj',), ('hd', 'sbj'), (), ())
    """
    if is_projection(label):
        return tuple(sorted({part.strip() for part in label[1:-1].split(",")} - {""}))
    return (label,) if label else ()


def _relabeled_tree(tree: Tree, labels: Callable[[int], Iterable[str | None]]) -> FunctionTree:
    """Replace each node of a tree by a chain of nodes with the labels of its number, or by nothing."""
    words, covered = _nonempty_words(tree)
    nodes: list[tuple[str | None, Yield, int]] = []
    lowest: dict[int, int] = {}
    for node in reversed(covered):  # parents before children
        parent = lowest.get(tree.parents[node], -1)
        for label in labels(node):
            nodes.append((label, covered[node], parent))
            parent = len(nodes) - 1
        lowest[node] = parent
    return build_function_tree(words, nodes)


def constituency_function_tree(tree: Tree, *, label_map: Mapping[str, str] | None = None) -> FunctionTree:
    """Turn a constituency tree with functions into a function tree.

    Each node keeps its functions, one above the other if it has several; nodes without a function carry none. Empty
    elements (``-NONE-``) and what is no word (``ID``, ``CODE``) are left out, and with them all nodes above nothing
    else.

    Parameters
    ----------
    tree : Tree
        A tree with labels such as ``NP-SBJ``, or with functions apart from its labels.
    label_map : dict, optional
        Replacements of labels.

    Returns
    -------
    FunctionTree

    Examples
    --------
    Figure 1 (b) of the paper of 2012:

    >>> tree = Tree.from_string("(S-root (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))")
    >>> print(constituency_function_tree(tree))
    (root (sbj (hd John)) (prd (hd loves) (obj (hd Mary))))
    """
    mapped = label_map or {}

    def labels(node: int) -> Iterable[str | None]:
        functions = functions_of(tree.labels[node])
        if tree.functions and tree.functions[node]:
            functions = (*functions, tree.functions[node])
        return dict.fromkeys(replaced(item, mapped) for item in functions) if functions else (None,)

    return _relabeled_tree(tree, labels)


def labeled_function_tree(tree: Tree, *, label_map: Mapping[str, str] | None = None) -> FunctionTree:
    """Return the function tree of a tree whose labels are functions, or sets of functions in braces.

    Parameters
    ----------
    tree : Tree
        Such as ``(root (sbj John) (hd loves))`` or ``({root} ({sbj,nom} John) ({} loves))``.
    label_map : dict, optional
        Replacements of labels.

    Returns
    -------
    FunctionTree

    Examples
    --------
    >>> print(labeled_function_tree(Tree.from_string("({root} ({sbj,nom} John) ({} loves))", "functions")))
    (root (nom (sbj John)) ({} loves))
    """
    mapped = label_map or {}
    return _relabeled_tree(
        tree, lambda node: [replaced(item, mapped) for item in labels_of(tree.labels[node])] or [None]
    )


def bare_function_tree(tree: Tree) -> FunctionTree:
    """Turn a bare phrase-structure tree into a function tree: its nodes, without functions.

    Parameters
    ----------
    tree : Tree
        Any tree; its labels do not matter.

    Returns
    -------
    FunctionTree

    Examples
    --------
    >>> print(bare_function_tree(Tree.from_string("(S (NP (NN John)) (VP (V loves)))")))
    ({} ({} ({} John)) ({} ({} loves)))
    """
    return _relabeled_tree(tree, lambda _: (None,))


def realizational_function_tree(
    tree: Tree, *, root_label: str | None = "root", label_map: Mapping[str, str] | None = None
) -> FunctionTree:
    """Turn a relational-realizational tree into a function tree.

    The children of projection sets, ``{…}``, are functions and stay; the sets themselves and the phrase labels go. In a
    tree without any set, every second node from the root down is a function. The
    phrase at the top realizes no function of the tree and is labeled as the root.

    Parameters
    ----------
    tree : Tree
        A tree in which phrases, projection sets and functions alternate.
    root_label : str or None
        What to label the top; None leaves it without a function.
    label_map : dict, optional
        Replacements of labels.

    Returns
    -------
    FunctionTree

    Examples
    --------
    Figure 1 (c) of the paper of 2012:

    >>> tree = Tree.from_string(
    ...     "(S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves)) (obj (NP ({hd} (hd (NN Mary)))))))"
    ... )
    >>> print(realizational_function_tree(tree))
    (root (sbj (hd John)) (prd loves) (obj (hd Mary)))
    """
    mapped = label_map or {}
    projections = [
        kind != Kind.WORD and is_projection(label) for label, kind in zip(tree.labels, tree.kinds, strict=True)
    ]
    sentence = np.zeros(len(tree), dtype=np.int64)
    is_function = realized_functions(np.array(tree.parents), np.array(projections), sentence).tolist()

    def labels(node: int) -> Iterable[str | None]:
        if tree.parents[node] < 0:
            return (root_label,)
        return (replaced(tree.labels[node], mapped),) if is_function[node] else ()

    return _relabeled_tree(tree, labels)


def realized_functions(
    parent: NDArray[np.int64], projection: NDArray[np.bool_], sentence: NDArray[np.integer[Any]]
) -> NDArray[np.bool_]:
    """Return which nodes of relational-realizational trees are functions: those below projection sets.

    In a tree that is written without any set, phrases and functions alternate from the root down.

    Parameters
    ----------
    parent : ndarray of int, shape (nodes,)
        Index of the node above, -1 for none.
    projection : ndarray of bool, shape (nodes,)
        Whether a node is a projection set.
    sentence : ndarray of int, shape (nodes,)
        Index of its sentence.

    Returns
    -------
    ndarray of bool, shape (nodes,)
        True also for words in the place of a function.

    Examples
    --------
    ``(S ({sbj,prd} (sbj John) (prd sleeps)))`` and ``(S (sbj John) (prd sleeps))``, in postorder:

    >>> realized_functions(np.array([1, 4, 3, 4, 5, -1]), np.array([0, 0, 0, 0, 1, 0], bool), np.zeros(6, int)).tolist()
    [False, True, False, True, False, False]
    >>> realized_functions(np.array([1, 4, 3, 4, -1]), np.zeros(5, bool), np.zeros(5, int)).tolist()
    [False, True, False, True, False]
    """
    is_function: NDArray[np.bool_] = ~projection & (parent >= 0) & projection[parent]
    has_sets = np.zeros(int(sentence[-1]) + 1 if len(sentence) else 0, dtype=np.bool_)
    has_sets[sentence[projection]] = True
    rest = np.flatnonzero(~has_sets[sentence])
    above = parent[rest]
    while (above >= 0).any():
        is_function[rest] ^= above >= 0
        above = np.where(above >= 0, parent[above], -1)
    return is_function


def is_projection(label: str) -> bool:
    """Return whether the label of a relational-realizational tree is a projection set, ``{…}``."""
    return label.startswith("{") and label.endswith("}")


# --------------------------------------------------------------------------------- trees with several functions a node

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


def sorted_function_tree(tree: MultiFunctionTree, *, labeled: bool = True) -> FunctionTree:
    """Spread the label sets out: a chain of nodes in alphabetical order for each, and nothing for an empty set.

    Parameters
    ----------
    tree : MultiFunctionTree
        A tree in which no nodes cross.
    labeled : bool
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
        labels: list[str | None] = [*sorted(tree.labels[words])] if labeled else [None]
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


# -------------------------------------------------------------------------------------- unification and generalization


def _check_words(trees: Sequence[MultiFunctionTree]) -> None:
    if not trees:
        raise ParameterError("no tree given; expected one or more")
    sizes = {len(tree.words) for tree in trees}
    if len(sizes) > 1:
        raise ParameterError(f"trees over {', '.join(map(str, sorted(sizes)))} words; expected the same words in all")


def subsumes(general: MultiFunctionTree, specific: MultiFunctionTree) -> bool:
    """Return whether another tree has all nodes and functions of a tree.

    Parameters
    ----------
    general : MultiFunctionTree
        The tree with fewer nodes and functions.
    specific : MultiFunctionTree
        The tree with more nodes and functions, over the same words.

    Returns
    -------
    bool
        True if every node of `general` is in `specific`, with its labels among those there.

    Examples
    --------
    >>> words = ("John", "slept")
    >>> flat = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}})
    >>> full = MultiFunctionTree(words, {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj"}})
    >>> subsumes(flat, full), subsumes(full, flat)
    (True, False)
    """
    _check_words((general, specific))
    return all(
        words in specific.labels and labels <= specific.labels[words] for words, labels in general.labels.items()
    )


def unify(*trees: MultiFunctionTree) -> MultiFunctionTree:
    """Return the most general tree with all nodes and functions of the given trees.

    Parameters
    ----------
    *trees : MultiFunctionTree
        One or more, over the same words.

    Returns
    -------
    MultiFunctionTree
        The nodes that are in any of them, each with the labels it has in any of them.

    Raises
    ------
    UnificationError
        If nodes cross, so that no such tree exists.

    Examples
    --------
    >>> words = ("John", "slept")
    >>> print(unify(MultiFunctionTree(words, {frozenset({0, 1}): {"root"}}),
    ...             MultiFunctionTree(words, {frozenset({0, 1}): {"S"}, frozenset({0}): {"sbj"}})))
    {S,root}[{sbj} John, slept]
    """
    _check_words(trees)
    check_tree(*trees)
    every = frozenset[Yield]().union(*(tree.yields for tree in trees))
    labels = {words: NO_LABELS.union(*(tree.labels.get(words, NO_LABELS) for tree in trees)) for words in every}
    return MultiFunctionTree(trees[0].words, labels)


def generalize(*trees: MultiFunctionTree) -> MultiFunctionTree:
    """Return the most specific tree with only nodes and functions that all given trees have.

    Parameters
    ----------
    *trees : MultiFunctionTree
        One or more, over the same words.

    Returns
    -------
    MultiFunctionTree
        The nodes that are in all of them, each with the labels it has in all of them, perhaps none.

    Examples
    --------
    >>> words = ("John", "slept")
    >>> print(generalize(MultiFunctionTree(words, {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj", "nom"}}),
    ...                  MultiFunctionTree(words, {frozenset({0, 1}): {"S"}, frozenset({0}): {"sbj"}})))
    ∅[{sbj} John, slept]
    """
    _check_words(trees)
    first, *others = trees
    labels = {
        words: own.intersection(*(tree.labels[words] for tree in others))
        for words, own in first.labels.items()
        if all(words in tree.labels for tree in others)
    }
    return MultiFunctionTree(first.words, labels)


def tl_unify(structure: MultiFunctionTree, labels: MultiFunctionTree) -> MultiFunctionTree:
    """Keep the nodes of one tree and add the labels that another has over the same words.

    Parameters
    ----------
    structure : MultiFunctionTree
        The tree whose nodes are kept.
    labels : MultiFunctionTree
        The tree whose labels are added, over the same words.

    Returns
    -------
    MultiFunctionTree

    Examples
    --------
    Figure 4 of the paper:

    >>> from evaltools import Tree, bare_function_tree, dependency_function_tree, multi_function_tree
    >>> ptb = bare_function_tree(Tree.from_string("(S (NP (NN John)) (VP (V loves) (NP (NN Mary))))"))
    >>> sd = dependency_function_tree(["John", "loves", "Mary"], [1, -1, 1], ["sbj", "root", "obj"])
    >>> print(multi_function_tree(ptb))
    ∅[∅ John, ∅[∅ loves, ∅ Mary]]
    >>> print(multi_function_tree(sd))
    {root}[{sbj} John, {hd} loves, {obj} Mary]
    >>> print(tl_unify(multi_function_tree(ptb), multi_function_tree(sd)))
    {root}[{sbj} John, ∅[{hd} loves, {obj} Mary]]
    """
    _check_words((structure, labels))
    return MultiFunctionTree(
        structure.words, {words: own | labels.labels.get(words, NO_LABELS) for words, own in structure.labels.items()}
    )
