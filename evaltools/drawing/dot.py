"""Trees and alignments in the DOT language, for small trees: Graphviz places the nodes."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.drawing.measure import visible
from evaltools.drawing.palette import COLOURS, MARKS
from evaltools.drawing.word_columns import drawn_mapping, placed_links
from evaltools.metrics.mapping import Alignment, NodeStatus, WordMatch
from evaltools.treebank import Kind, Tree

__all__ = ["alignment_dot", "quote", "tree_dot"]

_HEAD = """\
  graph [fontname="Helvetica", ranksep=0.25, nodesep=0.2];
  node [shape=plain, fontname="Helvetica", fontsize=12, margin=0.04];
  edge [arrowhead=none, color="#9ba4ae"];
"""

_SHAPES = {
    NodeStatus.DELETED: "shape=box, style=dashed",
    NodeStatus.INSERTED: "shape=box, peripheries=2",
    NodeStatus.SWAPPED: "shape=box, style=rounded",
    NodeStatus.MOVED: "shape=box, style=rounded",
}


_TIES = {
    WordMatch.EXACT: 'style=solid, color="#5b6470"',
    WordMatch.FOLDED: 'style=dotted, color="#5b6470"',
    WordMatch.CHARACTERS: 'style=dashed, color="#5b6470", arrowhead=odot, label="{}", fontsize=9',
}
"""Lines between aligned words; those of characters in common say how many."""


def quote(text: str) -> str:
    """Return a DOT string that shows the text literally (no escapes, no HTML labels, no entities)."""
    shown = visible(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}"'


def _nodes(tree: Tree, prefix: str, statuses: Sequence[NodeStatus], indent: str) -> list[str]:
    lines: list[str] = []
    for node, label in enumerate(tree.labels):
        status = statuses[node]
        attributes = [f"label={quote(f'{MARKS[status]} {visible(label)}' if MARKS[status] else label)}"]
        if status in _SHAPES:
            attributes += [_SHAPES[status], f'color="{COLOURS[status]}"']
        if tree.kinds[node] is Kind.WORD:
            attributes.append("fontsize=14")
        lines.append(f"{indent}{prefix}{node} [{', '.join(attributes)}];")
    return lines


def _edges(tree: Tree, prefix: str, indent: str) -> list[str]:
    lines: list[str] = []
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            lines.append(f"{indent}{prefix}{parent} -> {prefix}{node};")
    if len(tree.word_nodes) > 1:
        words = " -> ".join(f"{prefix}{node}" for node in tree.word_nodes)
        lines.append(f"{indent}{{ rank=same; {words} [style=invis]; }}")
    return lines


def tree_dot(tree: Tree) -> str:
    """Return one tree as a DOT graph with synthetic node names.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    str
        The graph in DOT.

    Examples
    --------
    >>> print(tree_dot(Tree.from_string("(S (N dogs))")).splitlines()[-6].strip())
    g0 [label="dogs", fontsize=14];
    """
    body = _nodes(tree, "g", (NodeStatus.MATCHED,) * len(tree), "  ") + _edges(tree, "g", "  ")
    return "digraph tree {\n" + _HEAD + "\n".join(body) + "\n}\n"


def alignment_dot(alignment: Alignment, mapping: str = "t") -> str:
    """Return two aligned trees as a DOT graph: a cluster each, and swapped and moved pairs and aligned words linked.

    Parameters
    ----------
    alignment : Alignment
        The trees and their mappings.
    mapping : {"t", "e"}
        Which mapping to show.

    Returns
    -------
    str
        The graph in DOT.
    """
    chosen = drawn_mapping(alignment, mapping)
    lines = ["digraph alignment {", _HEAD.rstrip()]
    for name, prefix, tree, statuses in (
        ("gold", "g", alignment.gold, chosen.gold_status),
        ("test", "t", alignment.test, chosen.test_status),
    ):
        lines.append(f'  subgraph cluster_{name} {{\n    label="{name}"; color="#c8cdd3"; fontcolor="#5b6470";')
        lines += _nodes(tree, prefix, statuses, "    ") + _edges(tree, prefix, "    ") + ["  }"]
    linked = 'style={}, color="{}", constraint=false'
    for gold, test in chosen.pairs:
        if chosen.gold_status[gold] is NodeStatus.SWAPPED:
            lines.append(f"  g{gold} -> t{test} [{linked.format('dotted', COLOURS[NodeStatus.SWAPPED])}];")
        elif alignment.gold.kinds[gold] is not Kind.WORD:  # words are linked below, if they differ at all
            lines.append(f"  g{gold} -> t{test} [{linked.format('dotted', '#c8cdd3')}];")
    for gold, test in chosen.moves:
        shown = linked.format("solid", COLOURS[NodeStatus.MOVED])
        lines.append(f"  g{gold} -> t{test} [{shown}, arrowhead=normal];")
    for link in placed_links(alignment):
        gold, test = alignment.gold.word_nodes[link.gold], alignment.test.word_nodes[link.test]
        lines.append(f"  g{gold} -> t{test} [{_TIES[link.how].format(link.characters)}, constraint=false];")
    return "\n".join([*lines, "}", ""])
