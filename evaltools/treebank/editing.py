"""Changing a tree by hand: hang a node elsewhere, relabel, delete or insert one; the words stay and keep their order.

Every function takes a tree and returns another one, or says in a :class:`~evaltools.errors.ParameterError` why that
cannot be. A tree that comes out is one that can be written in its notation and read again.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.errors import ParameterError
from evaltools.treebank.bracket_text import BLANKS, BRACKETS
from evaltools.treebank.tree import Kind, Tree

__all__ = ["delete_node", "insert_node", "move_node", "move_targets", "moved_with", "named", "relabel_node"]


def move_node(tree: Tree, node: int, parent: int, notation: str = "ptb") -> Tree:
    """Hang a node, with all that is below it, from another parent.

    The words keep their order, which fixes the place among the children of the new parent. Phrases that are left
    without words go; a word takes its tag along.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        The node to move.
    parent : int
        The phrase that it is to hang from.
    notation : {"ptb", "sampson"}
        How the tree is written, which decides what a preterminal is.

    Returns
    -------
    Tree
        The new tree.

    Raises
    ------
    ParameterError
        If that would change the order of the words or take a phrase apart, or the new parent is no phrase or stands
        below the node.

    Examples
    --------
    >>> tree = Tree.from_string("(VP (V saw) (NP (NP (N men)) (PP (P with) (N hats))))")
    >>> print(move_node(tree, 9, 11))
    (VP (V saw) (NP (NP (N men))) (PP (P with) (N hats)))
    """
    _check(tree, node, parent)
    node = moved_with(tree, node)
    if tree.parents[node] < 0:
        raise ParameterError("the root of the tree has no other place")
    if tree.kinds[parent] is not Kind.PHRASE:
        raise ParameterError(f"{named(tree, parent)} is no phrase: nothing can hang from it")
    if node == parent or node in tree.ancestors(parent):
        raise ParameterError(f"{named(tree, node)} cannot hang from what is below it")
    if tree.parents[node] == parent:
        raise ParameterError(f"{named(tree, node)} hangs from there already")
    parents = list(tree.parents)
    parents[node] = parent
    emptied = _emptied(tree, node, parent)
    moved = _made(tree, [place for place in range(len(tree)) if place not in emptied], tree.labels, parents, notation)
    if moved is None:
        raise ParameterError(
            f"{named(tree, node)} cannot hang from {named(tree, parent)}: words between them would change places"
        )
    return moved


def relabel_node(tree: Tree, node: int, label: str, notation: str = "ptb") -> Tree:
    """Give a node another label.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        A phrase or a tag.
    label : str
        Its new label.
    notation : {"ptb", "sampson"}
        How the tree is written.

    Returns
    -------
    Tree
        The new tree.

    Raises
    ------
    ParameterError
        If the node is a word, or no label can be written so.

    Examples
    --------
    >>> print(relabel_node(Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"), 5, "NP"))
    (S (NP (N dogs)) (NP (V bark)))
    """
    _check(tree, node)
    if tree.kinds[node] is Kind.WORD:
        raise ParameterError("words stay as they are")
    if tree.labels[node] == _label(label, notation):
        raise ParameterError(f"{named(tree, node)} has that label already")
    labels = list(tree.labels)
    labels[node] = label
    return _written(tree, range(len(tree)), labels, tree.parents, notation)


def delete_node(tree: Tree, node: int, notation: str = "ptb") -> Tree:
    """Take a node out; its children move up to its parent.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        A phrase or a tag.
    notation : {"ptb", "sampson"}
        How the tree is written.

    Returns
    -------
    Tree
        The new tree.

    Raises
    ------
    ParameterError
        If the node is a word, or what is left would be no single tree.

    Examples
    --------
    >>> print(delete_node(Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"), 5))
    (S (NP (N dogs)) (V bark))
    """
    _check(tree, node)
    if tree.kinds[node] is Kind.WORD:
        raise ParameterError("words stay: they are what the two trees have in common")
    children = tree.children(node)
    above = tree.parents[node]
    if above < 0 and (len(tree.roots) > 1 or len(children) != 1 or tree.kinds[children[0]] is Kind.WORD):
        raise ParameterError(f"without {named(tree, node)} there would be no single tree over all words")
    parents = [above if parent == node else parent for parent in tree.parents]
    return _written(tree, [place for place in range(len(tree)) if place != node], tree.labels, parents, notation)


def insert_node(tree: Tree, first: int, last: int, label: str, notation: str = "ptb") -> Tree:
    """Put a new node over neighbouring children of one node.

    Parameters
    ----------
    tree : Tree
        The tree.
    first, last : int
        The first and the last of the children; the same for a node over a single one.
    label : str
        The new node's label.
    notation : {"ptb", "sampson"}
        How the tree is written.

    Returns
    -------
    Tree
        The new tree.

    Raises
    ------
    ParameterError
        If the two are no children of one node in this order, or no label can be written so.

    Examples
    --------
    >>> print(insert_node(Tree.from_string("(NP (D a) (A red) (N hat))"), 3, 5, "NX"))
    (NP (D a) (NX (A red) (N hat)))
    """
    _check(tree, first, last)
    _label(label, notation)
    parent = tree.parents[first]
    siblings = tree.children(parent) if parent >= 0 else tree.roots
    if tree.parents[last] != parent or last < first:
        raise ParameterError(f"{named(tree, first)} and {named(tree, last)} are not children of one node in this order")
    covered = siblings[siblings.index(first) : siblings.index(last) + 1]
    new = len(tree)
    parents = [new if place in covered else above for place, above in enumerate(tree.parents)]
    return _written(tree, range(new + 1), [*tree.labels, label], [*parents, parent], notation)


def move_targets(tree: Tree, node: int) -> tuple[int, ...]:
    """Return the phrases that a node could hang from.

    Parameters
    ----------
    tree : Tree
        A tree without empty phrases.
    node : int
        The node to move; a word stands for its tag.

    Returns
    -------
    tuple of int
        Those for which :func:`move_node` gives a tree.

    Examples
    --------
    >>> tree = Tree.from_string("(VP (V saw) (NP (NP (N men)) (PP (P with) (N hats))))")
    >>> [tree.labels[place] for place in move_targets(tree, 9)]
    ['NP', 'VP']
    """
    node = moved_with(tree, node)
    if tree.parents[node] < 0:
        return ()
    start, end = tree.span(node)
    above = list(tree.ancestors(node))
    lines = set(above)
    found = []
    for parent in range(len(tree)):
        if tree.kinds[parent] is not Kind.PHRASE or tree.leftmost[node] <= parent <= node or parent == above[0]:
            continue
        if parent not in lines and tree.ends[parent] != start and tree.starts[parent] != end:
            continue
        line = [parent, *tree.ancestors(parent)]
        left = [place for place in above if place not in line]
        gained = [place for place in line if place not in lines]
        at_edge = all(tree.starts[place] == start or tree.ends[place] == end for place in left)
        if at_edge and all(tree.ends[place] == start or tree.starts[place] == end for place in gained):
            found.append(parent)
    return tuple(found)


def moved_with(tree: Tree, node: int) -> int:
    """Return what moves when a node is moved: the tag in the place of its word."""
    above = tree.parents[node]
    if tree.kinds[node] is Kind.WORD and above >= 0 and tree.kinds[above] is Kind.PRETERMINAL:
        return above
    return node


def named(tree: Tree, node: int) -> str:
    """Name a node by its label and its words."""
    words = tree.words[tree.starts[node] : tree.ends[node]] if tree.is_continuous else ()
    text = " ".join(words if len(words) <= 5 else (*words[:3], "…", words[-1]))
    if tree.kinds[node] is Kind.WORD:
        return f"“{tree.labels[node]}”"
    return f"{tree.labels[node] or '∅'} over “{text}”" if text else tree.labels[node] or "∅"


def _check(tree: Tree, *nodes: int) -> None:
    if not tree.is_continuous:
        raise ParameterError("only trees without discontinuous phrases can be changed here")
    for node in nodes:
        if not 0 <= node < len(tree):
            raise ParameterError(f"there is no node {node}; expected 0 to {len(tree) - 1}")


def _label(label: str, notation: str) -> str:
    if notation not in ("ptb", "sampson"):
        raise ParameterError.unknown("notation", notation, ("ptb", "sampson"))
    if not label or any(char in label for char in (*BLANKS, *BRACKETS[notation], "\xa0")):
        raise ParameterError("a label is one word without brackets")
    return label


def _emptied(tree: Tree, node: int, parent: int) -> set[int]:
    """Return the ancestors that a node leaves without children."""
    emptied: set[int] = set()
    kept = {parent, *tree.ancestors(parent)}
    for above in tree.ancestors(node):
        if above in kept or any(child != node and child not in emptied for child in tree.children(above)):
            break
        emptied.add(above)
    return emptied


def _made(tree: Tree, kept: Sequence[int], labels: Sequence[str], parents: Sequence[int], notation: str) -> Tree | None:
    """Build a tree of the nodes that are kept; None if a phrase of it would be discontinuous."""
    number = {place: at for at, place in enumerate(kept)}
    kinds = [*tree.kinds, Kind.PHRASE]
    positions = [*tree.starts, 0]
    made = Tree.from_nodes(
        [labels[place] for place in kept],
        [positions[place] for place in kept],
        [number.get(parents[place], -1) for place in kept],
        [kinds[place] for place in kept],
    )
    if not made.is_continuous:
        return None
    again = Tree.from_string(made.to_string(notation), notation)  # what is a tag follows from the notation
    if again.labels != made.labels or again.parents != made.parents:
        raise ParameterError("a bracket without a label would take a word for its label")
    return again


def _written(tree: Tree, kept: Sequence[int], labels: Sequence[str], parents: Sequence[int], notation: str) -> Tree:
    made = _made(tree, kept, labels, parents, notation)
    assert made is not None  # no word has another place than before
    return made
