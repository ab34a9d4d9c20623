"""What a series of edits by hand made of a tree, step by step, and what each step costs in tree distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaltools.errors import ParameterError
from evaltools.metrics.alignment import align
from evaltools.treebank import Tree
from evaltools.treebank.edits import Edit

__all__ = ["EditedTree", "HistoryStep", "edit_history", "tree_cost"]


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One edit that was done.

    Parameters
    ----------
    edit : Edit
        The edit.
    text : str
        The edit in words.
    tree : Tree
        The tree after it.
    cost : int
        Tree distance from the tree before it to the one after it.
    """

    edit: Edit
    text: str
    tree: Tree
    cost: int


@dataclass(frozen=True, slots=True)
class EditedTree:
    """A tree and the edits done to it.

    Parameters
    ----------
    start : Tree
        The tree as it was.
    steps : tuple of HistoryStep
        The edits that could be done, in order.
    refused : str
        Why the next edit could not be done; empty if all could.
    """

    start: Tree
    steps: tuple[HistoryStep, ...]
    refused: str = ""

    @property
    def tree(self) -> Tree:
        """The tree that came out."""
        return self.steps[-1].tree if self.steps else self.start

    @property
    def cost(self) -> int:
        """Tree distance from the tree as it was to the one that came out; at most the sum over the steps."""
        return tree_cost(self.start, self.tree) if self.steps else 0


def edit_history(start: Tree, edits: Sequence[Edit], notation: str = "ptb") -> EditedTree:
    """Do edits one after the other, up to the first that cannot be done.

    Parameters
    ----------
    start : Tree
        The tree to begin with.
    edits : sequence of Edit
        What to do.
    notation : {"ptb", "sampson"}
        How the tree is written.

    Returns
    -------
    EditedTree

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> made = edit_history(tree, [Edit("relabel", 5, label="NP"), Edit("delete", 2), Edit("delete", 0)])
    >>> [(step.text, step.cost) for step in made.steps], made.cost, made.refused != ""
    ([('relabel VP over “bark” as NP', 1), ('delete NP over “dogs”', 1)], 2, True)
    """
    tree = start
    steps: list[HistoryStep] = []
    for edit in edits:
        try:
            after = edit.apply(tree, notation)
        except ParameterError as error:
            return EditedTree(start, tuple(steps), str(error))
        steps.append(HistoryStep(edit, edit.describe(tree), after, tree_cost(tree, after)))
        tree = after
    return EditedTree(start, tuple(steps))


def tree_cost(one: Tree, other: Tree) -> int:
    """Return the tree distance of two trees: nodes to delete, to insert and to relabel.

    Parameters
    ----------
    one, other : Tree
        The trees.
    """
    counts = align(one, other).counts
    return int(sum(counts[f"t_{name}"] for name in ("deleted", "inserted", "swapped")))
