"""What a repair consists of: the steps, and the brackets and nodes they are about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from evaltools.treebank import Span, Tree

__all__ = ["Bracket", "Key", "Operation", "Part", "RepairStep"]


class Operation(StrEnum):
    """What a step does."""

    RELABEL = "relabel"
    MOVE = "move"
    ADD = "add"
    REMOVE = "remove"


Key = tuple[str, int, int]
"""A bracket: label, first word, word after the last."""

_NO_TREE = Tree((), (), (), (), ())


@dataclass(frozen=True, slots=True)
class Bracket:
    """A label over a span of words."""

    label: str
    span: Span


@dataclass(frozen=True, slots=True)
class Part:
    """A node as a step finds it: its label, or for a word its tag, and its span.

    Parameters
    ----------
    label : str
        The label; for a word its tag in the test tree, else in the gold tree, or the form where it has none.
    span : Span
        Its words.
    is_word : bool
        Whether it is a word.
    """

    label: str
    span: Span
    is_word: bool = False


@dataclass(frozen=True, slots=True)
class RepairStep:
    """One step of the repair.

    Parameters
    ----------
    operation : Operation
        What is done.
    repaired : int
        By how many the step makes the errors fewer.
    bracket : Bracket
        The bracket that gets a new label, is added or removed; for a move the bracket that the nodes leave.
    new_label : str or None
        The new label of a relabelling.
    target : Bracket or None
        For a move: the bracket, as it was, that the nodes become children of.
    moved : tuple of Part
        For a move: the nodes that move, left to right.
    added : Bracket or None
        A bracket that a move makes possible and that is added with it.
    parent : str or None
        Label of the bracket's parent before the step, None at the top.
    children : tuple of Part
        What stands directly in the bracket: in the one that is removed, relabelled or left before the step, in the one
        that is added after it.
    siblings : tuple of Part
        What stands beside the bracket, or for a move beside the nodes, in their old and their new place.
    changed : tuple of Bracket
        For a move: the brackets whose spans change, as they were.
    same_words : str or None
        For an addition: label of the outermost other bracket over the same words, None if there is none.
    tree : Tree
        The tree after the step; empty where trees were not asked for.
    """

    operation: Operation
    repaired: int
    bracket: Bracket
    new_label: str | None = None
    target: Bracket | None = None
    moved: tuple[Part, ...] = ()
    added: Bracket | None = None
    parent: str | None = None
    children: tuple[Part, ...] = ()
    siblings: tuple[Part, ...] = ()
    changed: tuple[Bracket, ...] = ()
    same_words: str | None = None
    tree: Tree = _NO_TREE

    def after(self, tree: Tree) -> RepairStep:
        """Return the step with the tree after it.

        Parameters
        ----------
        tree : Tree
            The tree.
        """
        return replace(self, tree=tree)
