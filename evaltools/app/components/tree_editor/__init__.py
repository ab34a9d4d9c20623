"""The tree editor: one tree, or the lower one of two in one picture, is edited with pointer, finger or keyboard.

The script sends the edit, such as a node dropped on another one; Python applies it. The drawing is inserted as XML,
never as HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evaltools.app.components import Component
from evaltools.classroom.exercises import editor_data
from evaltools.corpus import Tree
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.marks import Status

_COMPONENT = Component("tree_editor", "classroom/web/editor")
_HINT = "Drag a node of {} to another parent. Click one to relabel or delete it, or to insert a node above it."


def tree_editor(
    alignment: Alignment,
    *,
    key: str,
    can_undo: bool,
    can_redo: bool,
    message: str,
    on_edit: Callable[[str], None],
) -> None:
    """Show the T-mapping of two trees and let the reader change the lower one."""
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
    data = editor_data(
        alignment.test,
        drawing,
        message=message,
        hint=_HINT.format("the lower tree"),
        can_undo=can_undo,
        can_redo=can_redo,
        legend=legend,
    )
    _mount(data, key, on_edit)


def one_tree_editor(
    tree: Tree,
    statuses: Sequence[Status],
    *,
    key: str,
    can_undo: bool,
    can_redo: bool,
    message: str,
    on_edit: Callable[[str], None],
) -> None:
    """Show one tree and let the reader change it; without statuses nothing is marked."""
    drawing = draw(tree, statuses=statuses, side="test", name="your tree", interactive=True, theme="auto")
    there = set(statuses) - {Status.RIGHT}
    legend = [
        draw(tree_legend((status,), parse_name="your tree"), theme="auto") for status in LEGEND if status in there
    ]
    data = editor_data(
        tree,
        drawing,
        message=message,
        hint=_HINT.format("the tree"),
        can_undo=can_undo,
        can_redo=can_redo,
        legend=legend,
    )
    _mount(data, key, on_edit)


def _mount(data: dict[str, Any], key: str, on_edit: Callable[[str], None]) -> None:
    def changed(value: object) -> None:
        if isinstance(value, dict) and value.get("subject") == data["subject"] and isinstance(value.get("text"), str):
            on_edit(value["text"])

    _COMPONENT.mount(data, key=key, listeners={"edit": changed})
