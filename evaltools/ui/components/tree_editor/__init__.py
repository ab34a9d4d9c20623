"""The tree editor: two trees in one picture; the lower one can be edited with pointer, finger or keyboard.

The script sends the edit, such as a node dropped on another one; Python applies it. The drawing is inserted as XML,
never as HTML.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from evaltools.alignments.trees import Alignment
from evaltools.corpus import Tree
from evaltools.corpus.editing import move_targets, node_text
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.ui.components import Component

__all__ = ["tree_editor"]

_COMPONENT = Component("tree_editor")


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
    heading: str,
    can_undo: bool,
    can_redo: bool,
    message: str,
    on_edit: Callable[[str], None],
    gold_name: str = "gold",
    test_name: str = "test",
) -> None:
    """Show two trees and let the reader change the lower one."""
    tree = alignment.test
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
    subject = blake2b(str(tree.to_string()).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    statuses = {*alignment.mapping(mapping).gold_status, *alignment.mapping(mapping).test_status}

    def changed(value: object) -> None:
        if isinstance(value, dict) and value.get("subject") == subject and isinstance(value.get("text"), str):
            on_edit(value["text"])

    _COMPONENT.mount(
        {
            "subject": subject,
            "heading": heading,
            "svg": drawing,
            "nodes": [_node(tree, node) for node in range(len(tree))],
            "undo": can_undo,
            "redo": can_redo,
            "message": message,
            "legend": [draw(tree_legend((status,)), theme="auto") for status in LEGEND if status in statuses],
        },
        key=key,
        listeners={"edit": changed},
    )
