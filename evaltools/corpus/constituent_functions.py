"""Function trees of constituents: with functions, bare, or relational-realizational.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012. Figure 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.bracket_text import Kind
from evaltools.corpus.folding import NO_WORDS, replaced, without_features
from evaltools.corpus.function_trees import FunctionTree, Yield, build_function_tree
from evaltools.corpus.tree import Tree


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
    nonempty = [word for word in range(len(tree.words)) if tree.tag(word) not in NO_WORDS]
    index = {word: number for number, word in enumerate(nonempty)}
    covered = {
        node: frozenset(index[word] for word in tree.yield_(node) if word in index)
        for node in range(len(tree))
        if tree.kinds[node] is not Kind.WORD
    }
    return tuple(tree.words[word] for word in nonempty), {node: words for node, words in covered.items() if words}


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


def _relabeled_tree(tree: Tree, labels: Mapping[int, Iterable[str | None]]) -> FunctionTree:
    """Replace each node of a tree by a chain of nodes with the given labels, or by nothing."""
    words, covered = _nonempty_words(tree)
    nodes: list[tuple[str | None, Yield, int]] = []
    lowest: dict[int, int] = {}
    for node in reversed(range(len(tree))):  # parents before children
        parent = lowest.get(tree.parents[node], -1)
        for label in labels.get(node, ()) if node in covered else ():
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
    labels: dict[int, tuple[str | None, ...]] = {}
    for node, label in enumerate(tree.labels):
        apart = tree.functions[node] if tree.functions else ""
        functions = dict.fromkeys(replaced(item, mapped) for item in (*functions_of(label), apart) if item)
        labels[node] = tuple(functions) or (None,)
    return _relabeled_tree(tree, labels)


def labelled_function_tree(tree: Tree, *, label_map: Mapping[str, str] | None = None) -> FunctionTree:
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
    >>> print(labelled_function_tree(Tree.from_string("({root} ({sbj,nom} John) ({} loves))", "functions")))
    (root (nom (sbj John)) ({} loves))
    """
    mapped = label_map or {}
    return _relabeled_tree(
        tree,
        {
            node: tuple(replaced(item, mapped) for item in labels_of(label)) or (None,)
            for node, label in enumerate(tree.labels)
        },
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
    return _relabeled_tree(tree, dict.fromkeys(range(len(tree)), (None,)))


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
    labels: dict[int, tuple[str | None, ...]] = {}
    for node, parent in enumerate(tree.parents):
        if parent < 0:
            labels[node] = (root_label,)
        elif is_function[node] and tree.kinds[node] != Kind.WORD:
            label = tree.labels[node]
            labels[node] = (replaced(label, mapped),)
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
