"""The history of a tree that is edited by hand: the tree after each edit, and its cost in tree distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaltools.corpus import Tree
from evaltools.corpus.editing import Edit
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.constituency.tree_distance import edit_cost


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One edit."""

    edit: Edit
    text: str  # The edit in words
    tree: Tree  # The tree after it
    cost: int  # Tree distance from the tree before it to the one after it


@dataclass(frozen=True, slots=True)
class EditedTree:
    """A tree and the edits done to it."""

    start: Tree  # The tree before all edits
    steps: tuple[HistoryStep, ...]  # The edits up to the first that is impossible
    refused: str = ""  # Why the next edit is impossible; empty if there is none

    @property
    def tree(self) -> Tree:
        """The tree after all edits."""
        return self.steps[-1].tree if self.steps else self.start

    @property
    def cost(self) -> int:
        """Tree distance from the first tree to the last; at most the sum over the steps."""
        return tree_cost(self.start, self.tree) if self.steps else 0


def edit_history(start: Tree, edits: Sequence[Edit], notation: str = "ptb") -> EditedTree:
    """Apply edits in order, up to the first that is impossible.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> edited = edit_history(tree, [Edit("relabel", 5, label="NP"), Edit("delete", 2), Edit("delete", 0)])
    >>> [(step.text, step.cost) for step in edited.steps], edited.cost, edited.refused != ""
    ([('relabeled VP over “bark” as NP', 1), ('deleted NP over “dogs”', 1)], 2, True)
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


def tree_cost(before: Tree, after: Tree) -> int:
    """Return the tree distance of two trees: nodes to delete, to insert and to relabel."""
    return edit_cost(align(before, after))
