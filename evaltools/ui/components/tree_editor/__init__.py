"""The tree editor: two trees in one picture, whose lower one can be changed with pointer, finger or keyboard.

The script beside this module says which node was dropped on which, or which was to be relabelled, deleted or put in;
what becomes of the tree is decided in Python. The drawing is adopted as XML and never as HTML.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.metrics.mapping import Alignment
from evaltools.treebank import Tree
from evaltools.treebank.editing import move_targets, named
from evaltools.ui.components import Component

__all__ = ["tree_editor"]

_COMPONENT = Component("tree_editor")


def _node(tree: Tree, node: int) -> dict[str, Any]:
    """Return what the script must know of a node."""
    parent = tree.parents[node]
    return {
        "parent": parent,
        "kind": tree.kinds[node].name.lower(),
        "label": tree.labels[node],
        "says": named(tree, node),
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
    said: str,
    on_edit: Callable[[str], None],
    gold_name: str = "gold",
    test_name: str = "test",
) -> None:
    """Show two trees and let the reader change the lower one.

    Parameters
    ----------
    alignment : Alignment
        The trees as they are, that is, aligned under the preset ``"none"``.
    mapping : {"e", "t"}
        Which mapping colours the nodes.
    key : str
        The component's key.
    can_undo, can_redo : bool
        Whether there are edits to undo, or to do again.
    said : str
        What to tell the reader, such as why an edit was refused.
    on_edit : callable
        Gets an edit as :meth:`evaltools.treebank.edits.Edit.from_text` reads it, or ``"undo"``, ``"redo"`` or
        ``"reset"``, before the page runs again.
    gold_name, test_name : str
        What the two trees are called.
    """
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
    seen = {*alignment.mapping(mapping).gold_status, *alignment.mapping(mapping).test_status}

    def told(value: object) -> None:
        if isinstance(value, dict) and value.get("subject") == subject and isinstance(value.get("text"), str):
            on_edit(value["text"])

    _COMPONENT.mount(
        {
            "subject": subject,
            "svg": drawing,
            "nodes": [_node(tree, node) for node in range(len(tree))],
            "undo": can_undo,
            "redo": can_redo,
            "said": said,
            "legend": [draw(tree_legend((status,)), theme="auto") for status in LEGEND if status in seen],
        },
        key=key,
        told={"edit": told},
    )
