"""The tree editor: one tree, or the lower one of two in one picture, is edited with pointer, finger or keyboard.

The script sends the edit, such as a node dropped on another one; Python applies it. The drawing is inserted as XML,
never as HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltools.app.components import Component
from evaltools.classroom.exercises import editor_data
from evaltools.corpus import Tree
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.marks import Status

if TYPE_CHECKING:
    from evaltools.app.lab import EditedTree

_COMPONENT = Component("tree_editor", "classroom/web/editor")
_HINT = "Drag a node of {} to another parent. Click one to relabel or delete it, or to insert a node above it."


def tree_editor(alignment: Alignment, edited: EditedTree, *, key: str) -> None:
    """Show the T-mapping of two trees and let the reader change the lower one, whose edits are given."""
    drawing = draw(
        alignment,
        mapping="t",
        fold=False,
        theme="auto",
        legend=False,
        interactive=True,
    )
    statuses = {*alignment.t.gold_status, *alignment.t.test_status}
    legend = [draw(tree_legend((status,)), theme="auto") for status in LEGEND if status in statuses]
    _mount(alignment.test, edited, drawing, legend, _HINT.format("the parse"), key)


def one_tree_editor(edited: EditedTree, statuses: Sequence[Status], *, key: str) -> None:
    """Show an edited tree and let the reader change it; without statuses nothing is marked."""
    drawing = draw(edited.tree, statuses=statuses, side="test", name="your tree", interactive=True, theme="auto")
    there = set(statuses) - {Status.RIGHT}
    legend = [
        draw(tree_legend((status,), parse_name="your tree"), theme="auto") for status in LEGEND if status in there
    ]
    _mount(edited.tree, edited, drawing, legend, _HINT.format("the tree"), key)


def _mount(tree: Tree, edited: EditedTree, drawing: str, legend: list[str], hint: str, key: str) -> None:
    """Mount the editor of a tree as it is drawn."""
    data = editor_data(
        tree,
        drawing,
        message=edited.message,
        hint=hint,
        can_undo=edited.done > 0,
        can_redo=edited.done < len(edited.edits),
        legend=legend,
    )

    def changed(value: object) -> None:
        if isinstance(value, dict) and value.get("subject") == data["subject"] and isinstance(value.get("text"), str):
            edited.apply(value["text"])

    _COMPONENT.mount(data, key=key, listeners={"edit": changed})
