"""Edits of a tree in the lab: what the editor sends goes to the link, and what was done is said in words."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.corpus import Tree
from evaltools.corpus.editing import Edit
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.errors.edit_history import EditedTree
from evaltools.ui.lab.link import put_edits, put_message

__all__ = ["apply_edit", "last_edit"]


def apply_edit(text: str, edits: Sequence[Edit], done: int, tree: Tree | None, notation: str) -> None:
    """Do what the editor sends, an edit or a step in the history, or say why it is impossible."""
    moves = {"undo": done - 1, "redo": done + 1, "reset": 0}
    if text in moves:
        put_edits(edits, min(max(moves[text], 0), len(edits)))
        return
    try:
        new_edit = Edit.from_text(text)
        if tree is not None:
            new_edit.apply(tree, notation)
    except ParameterError as error:
        put_message(f"Not done: {error}.")
        return
    edits = (*edits[:done], new_edit)
    put_edits(edits, len(edits))


def last_edit(history: EditedTree) -> str:
    """Return what the last edit did, or why an edit of the link is impossible; empty without edits."""
    if history.refused:
        return f"The link holds an edit that cannot be done: {history.refused}"
    return f"Done: {history.steps[-1].text}." if history.steps else ""
