"""Operations on multi-function trees from any framework.

Trees can be compared (subsumption), combined (unification), reduced to their common part (generalization), or labeled
by one another (TL-unification).

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.

Notes
-----
Differences from the paper: the words of a node need not be contiguous; nodes cross if their words overlap and neither's
are within the other's.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.corpus.functions.multi_trees import NO_LABELS, MultiFunctionTree, check_tree
from evaltools.corpus.functions.trees import Yield
from evaltools.errors import ParameterError

__all__ = ["generalize", "subsumes", "tl_unify", "unify"]


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
        structure.words,
        {words: own | labels.labels.get(words, NO_LABELS) for words, own in structure.labels.items()},
    )
