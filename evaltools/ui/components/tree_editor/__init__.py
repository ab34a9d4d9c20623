"""The tree editor: two trees in one picture; the lower one can be edited with pointer, finger or keyboard.

The script sends the edit, such as a node dropped on another one; Python applies it. The drawing is inserted as XML,
never as HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from evaltools.alignments.trees import Alignment, NodeStatus
from evaltools.corpus import Tree
from evaltools.corpus.editing import move_targets, node_text
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.ui.components import Component

__all__ = ["one_tree_editor", "tree_editor"]

_COMPONENT = Component("tree_editor")
_HINT = (
    "Drag a node of the lower tree to another parent. Click one to relabel or delete it, or to insert a node above it."
)


def _node(tree: Tree, node: int) -> dict[str, Any]:
    """Return the data of a node for the script."""
    parent = tree.parents[node]
    return {
        "parent": parent,
        "kind": tree.kinds[node].name.lower(),
        "label": tree.labels[node],
        "name": node_text(tree, node),
        "siblings": list(tree.children(parent) if parent >= 0 else tree.roots),
        "targets": list(move_targets(tree, node)),
    }


def tree_editor(
    alignment: Alignment,
    mapping: str,
    *,
    key: str,
    can_undo: bool,
    can_redo: bool,
    message: str,
    on_edit: Callable[[str], None],
    gold_name: str = "gold",
    test_name: str = "test",
) -> None:
    """Show two trees and let the reader change the lower one."""
    drawing = draw(
        alignment,
        mapping=mapping,
        fold=False,
        theme="auto",
        legend=False,
        gold_name=gold_name,
        test_name=test_name,
        interactive=True,
    )
    statuses = {*alignment.mapping(mapping).gold_status, *alignment.mapping(mapping).test_status}
    legend = [draw(tree_legend((status,)), theme="auto") for status in LEGEND if status in statuses]
    data = _data(alignment.test, drawing, legend, _HINT, message, can_undo=can_undo, can_redo=can_redo)
    _mount(data, key, on_edit)


def one_tree_editor(
    tree: Tree,
    statuses: Sequence[NodeStatus],
    *,
    key: str,
    can_undo: bool,
    can_redo: bool,
    message: str,
    on_edit: Callable[[str], None],
) -> None:
    """Show one tree and let the reader change it; nodes without a status are not marked."""
    drawing = draw(tree, statuses=statuses, side="test", name="your tree", interactive=True, theme="auto")
    there = set(statuses) - {NodeStatus.MATCHED}
    legend = [draw(tree_legend((status,), test_name="your tree"), theme="auto") for status in LEGEND if status in there]
    hint = _HINT.replace("the lower tree", "the tree")
    _mount(_data(tree, drawing, legend, hint, message, can_undo=can_undo, can_redo=can_redo), key, on_edit)


def _data(
    tree: Tree, drawing: str, legend: list[str], hint: str, message: str, *, can_undo: bool, can_redo: bool
) -> dict[str, Any]:
    """Return the data of a tree for the script."""
    return {
        "subject": blake2b(str(tree.to_string()).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        "svg": drawing,
        "nodes": [_node(tree, node) for node in range(len(tree))],
        "undo": can_undo,
        "redo": can_redo,
        "message": message,
        "hint": hint,
        "legend": legend,
    }


def _mount(data: dict[str, Any], key: str, on_edit: Callable[[str], None]) -> None:
    def changed(value: object) -> None:
        if isinstance(value, dict) and value.get("subject") == data["subject"] and isinstance(value.get("text"), str):
            on_edit(value["text"])

    _COMPONENT.mount(data, key=key, listeners={"edit": changed})
