"""Edits of a tree as values: to be kept in a list, written on one line, undone and done again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaltools.errors import ParameterError
from evaltools.treebank.editing import delete_node, insert_node, move_node, moved_with, named, relabel_node
from evaltools.treebank.tree import Tree

__all__ = ["Edit", "edits_as_text", "read_edits"]

_FORMS = {
    "move": re.compile(r"m([0-9]{1,6}),([0-9]{1,6})"),
    "relabel": re.compile(r"r([0-9]{1,6}),(\S+)"),
    "delete": re.compile(r"d([0-9]{1,6})"),
    "insert": re.compile(r"i([0-9]{1,6}),([0-9]{1,6}),(\S+)"),
}


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a tree.

    Parameters
    ----------
    kind : {"move", "relabel", "delete", "insert"}
        What is done.
    node : int
        The node that it is done to; for a new node, the first of the children that it is put over.
    other : int or None
        The new parent of a node that moves; for a new node, the last of the children.
    label : str
        The new label.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> edit = Edit.from_text("r5,NP")
    >>> edit.describe(tree), str(edit.apply(tree)), str(edit)
    ('relabel VP over “bark” as NP', '(S (NP (N dogs)) (NP (V bark)))', 'r5,NP')
    """

    kind: str
    node: int
    other: int | None = None
    label: str = ""

    def __str__(self) -> str:
        """Return the edit as :meth:`from_text` reads it."""
        parts = (self.node, *(() if self.other is None else (self.other,)), *((self.label,) if self.label else ()))
        return self.kind[0] + ",".join(map(str, parts))

    @classmethod
    def from_text(cls, text: str) -> Edit:
        """Read an edit: ``m5,3`` moves node 5 to 3, ``r5,NP`` relabels, ``d5`` deletes, ``i2,4,NP`` inserts.

        Parameters
        ----------
        text : str
            The edit.

        Raises
        ------
        ParameterError
            If the text is no edit.
        """
        for kind, form in _FORMS.items():
            found = form.fullmatch(text)
            if found is None:
                continue
            parts = found.groups()
            label = parts[-1] if kind in ("relabel", "insert") else ""
            other = int(parts[1]) if kind in ("move", "insert") else None
            return cls(kind, int(parts[0]), other, label)
        raise ParameterError(f"{text!r} is no edit; expected such as m5,3 or r5,NP or d5 or i2,4,NP")

    def apply(self, tree: Tree, notation: str = "ptb") -> Tree:
        """Return the tree that comes out.

        Parameters
        ----------
        tree : Tree
            The tree.
        notation : {"ptb", "sampson"}
            How it is written.

        Raises
        ------
        ParameterError
            If the edit cannot be done.
        """
        if self.kind == "move":
            return move_node(tree, self.node, -1 if self.other is None else self.other, notation)
        if self.kind == "relabel":
            return relabel_node(tree, self.node, self.label, notation)
        if self.kind == "delete":
            return delete_node(tree, self.node, notation)
        return insert_node(tree, self.node, self.node if self.other is None else self.other, self.label, notation)

    def describe(self, tree: Tree) -> str:
        """Say in words what is done to a tree.

        Parameters
        ----------
        tree : Tree
            The tree before the edit.
        """
        node = self.node
        if self.kind == "move" and self.other is not None:
            node = moved_with(tree, node)
            return f"move {named(tree, node)} from {named(tree, tree.parents[node])} to {named(tree, self.other)}"
        if self.kind == "relabel":
            return f"relabel {named(tree, node)} as {self.label}"
        if self.kind == "delete":
            return f"delete {named(tree, node)}"
        last = node if self.other is None else self.other
        words = " ".join(tree.words[tree.starts[node] : tree.ends[last]])
        return f"insert {self.label} over “{words}”"


def edits_as_text(edits: Sequence[Edit]) -> str:
    """Write edits on one line.

    Parameters
    ----------
    edits : sequence of Edit
        The edits.
    """
    return " ".join(map(str, edits))


def read_edits(text: str) -> tuple[Edit, ...]:
    """Read what :func:`edits_as_text` wrote.

    Parameters
    ----------
    text : str
        Edits with blanks between them.

    Raises
    ------
    ParameterError
        If one of them is no edit.
    """
    return tuple(Edit.from_text(part) for part in text.split())
