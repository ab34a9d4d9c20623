"""Function trees and multi-function trees as trees of brackets, so that they can be written."""

from __future__ import annotations

from collections.abc import Mapping

from evaltools.errors import ParameterError, excerpt
from evaltools.treebank.bracket_text import Kind
from evaltools.treebank.function_trees import FunctionTree, Yield
from evaltools.treebank.tree import Tree

__all__ = ["function_brackets", "multi_function_brackets"]


def function_brackets(tree: FunctionTree) -> Tree:
    """Return a function tree as a tree whose labels are functions, ``{}`` for none.

    Parameters
    ----------
    tree : FunctionTree
        The function tree.

    Raises
    ------
    ParameterError
        If a function is called like a set of functions.

    Examples
    --------
    >>> from evaltools.treebank import dependency_function_tree
    >>> tree = dependency_function_tree(["who", "did", "you", "see"], [3, -1, 3, 1], ["obj", "root", "sbj", "vg"])
    >>> print(function_brackets(tree).to_string("functions"))
    (root (vg (obj 0=who) (sbj 2=you) (hd 3=see)) (hd 1=did))
    """
    labels = []
    for node in tree.nodes:
        if node.label is not None and (not node.label or node.label.startswith("{")):
            raise ParameterError(f"a function cannot be called {excerpt(node.label)!r} in a file of function trees")
        labels.append("{}" if node.label is None else node.label)
    return _brackets(tree.words, labels, [node.words for node in tree.nodes], [node.parent for node in tree.nodes])


def multi_function_brackets(tree: FunctionTree, labels: Mapping[Yield, frozenset[str]]) -> Tree:
    """Return a multi-function tree as a tree whose labels are sets of functions in braces.

    Parameters
    ----------
    tree : FunctionTree
        Says which nodes there are; those over the same words become one.
    labels : mapping of frozenset of int to frozenset of str
        The functions of each node, by the positions of its words.

    Raises
    ------
    ParameterError
        If the name of a function holds a comma or a brace.

    Examples
    --------
    >>> from evaltools.treebank import constituency_function_tree, multi_function_tree
    >>> tree = constituency_function_tree(Tree.from_string("(S-root (NP-sbj-nom it) (VP rains))"))
    >>> print(multi_function_brackets(tree, multi_function_tree(tree).labels).to_string("functions"))
    ({root} ({nom,sbj} it) ({} rains))
    """
    names: list[str] = []
    yields: list[Yield] = []
    parents: list[int] = []
    place: list[int] = []  # of each node of the function tree among those that are left
    for node in tree.nodes:
        above = place[node.parent] if node.parent >= 0 else -1
        if above >= 0 and yields[above] == node.words:
            place.append(above)
            continue
        place.append(len(names))
        functions = sorted(labels.get(node.words, ()))
        for function in functions:
            if not function or set(function) & set("{},"):
                raise ParameterError(f"a set of functions cannot hold {excerpt(function)!r}")
        names.append("{" + ",".join(functions) + "}")
        yields.append(node.words)
        parents.append(above)
    return _brackets(tree.words, names, yields, parents)


def _brackets(words: tuple[str, ...], labels: list[str], yields: list[Yield], parents: list[int]) -> Tree:
    n_nodes = len(labels)
    lowest = [-1] * len(words)
    for node, covered in enumerate(yields):  # parents come before their children
        for word in covered:
            lowest[word] = node
    return Tree.from_nodes(
        [*labels, *words],
        [*[-1] * n_nodes, *range(len(words))],
        [*parents, *lowest],
        [*[Kind.PHRASE] * n_nodes, *[Kind.WORD] * len(words)],
    )
