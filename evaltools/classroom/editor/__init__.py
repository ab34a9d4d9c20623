"""The tree editor: its script and style, which the app and the phones' server send, and the data of a tree for it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from evaltools.corpus import Tree
from evaltools.corpus.editing import move_targets, node_text

__all__ = ["editor_data"]


def editor_data(
    tree: Tree, svg: str, *, message: str, hint: str, can_undo: bool, can_redo: bool, legend: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the data of a tree for the script.

    Parameters
    ----------
    tree : Tree
        The tree to edit.
    svg : str
        Its drawing, whose nodes are on the side ``test``; what else it has cannot be edited.
    message, hint : str
        What to say about the last edit; how to begin where there is nothing to say.
    can_undo, can_redo : bool
        Whether edits can be undone and done again.
    legend : sequence of str
        Drawings of the marks.

    Examples
    --------
    >>> tree = Tree.from_string("(S (N dogs) (VP (V bark)))")
    >>> data = editor_data(tree, "<svg/>", message="", hint="", can_undo=False, can_redo=False)
    >>> [(node["label"], node["targets"]) for node in data["nodes"]][:2]
    [('dogs', [4]), ('N', [4])]
    """
    return {
        "subject": blake2b(tree.to_string().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        "svg": svg,
        "nodes": [_node(tree, node) for node in range(len(tree))],
        "undo": can_undo,
        "redo": can_redo,
        "message": message,
        "hint": hint,
        "legend": list(legend),
    }


def _node(tree: Tree, node: int) -> dict[str, Any]:
    parent = tree.parents[node]
    return {
        "parent": parent,
        "kind": tree.kinds[node].name.lower(),
        "label": tree.labels[node],
        "name": node_text(tree, node),
        "siblings": list(tree.children(parent) if parent >= 0 else tree.roots),
        "targets": list(move_targets(tree, node)),
    }
