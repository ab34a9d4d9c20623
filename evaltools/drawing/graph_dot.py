"""Two semantic graphs as one in the DOT language: what one has alone is coloured and marked."""

from __future__ import annotations

from evaltools.drawing.dot import quote
from evaltools.drawing.graph_content import content_of
from evaltools.drawing.graph_labels import parts_of
from evaltools.drawing.graph_shapes import DrawnNode, Line
from evaltools.drawing.palette import COLOURS, MARKS
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.metrics.mapping import NodeStatus

__all__ = ["graph_dot"]

_HEAD = """\
  graph [fontname="Helvetica", ranksep=0.35, nodesep=0.25];
  node [shape=box, style=rounded, fontname="Helvetica", fontsize=12, margin="0.08,0.04", height=0.3, color="#9ba4ae"];
  edge [fontname="Helvetica", fontsize=10, color="#9ba4ae", arrowsize=0.7];
"""
_SHAPES = {"deleted": 'style="rounded,dashed"', "inserted": "peripheries=2", "swapped": "penwidth=1.5"}
_LINES = {"deleted": "style=dashed", "inserted": "style=bold", "swapped": "style=solid"}


def graph_dot(alignment: GraphAlignment) -> str:
    """Return two aligned semantic graphs as a DOT graph.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.

    Returns
    -------
    str
        The graph in DOT.
    """
    content = content_of(alignment, fold=False)
    lines = ["digraph semantics {", _HEAD.rstrip()]
    for node in content.nodes:
        words = "" if node.first is None or node.last is None else _words(content.pieces[node.first : node.last + 1])
        lines.append(f"  n{node.number} [{', '.join(_attributes(node, words))}];")
    for role in content.roles:
        label = _written(Line(role.label, role.status, "role", "", role.other))
        attributes = [f'label="{label}"']
        if role.status in _LINES:
            colour = COLOURS[NodeStatus(role.status)]
            attributes += [_LINES[role.status], f'color="{colour}"', f'fontcolor="{colour}"']
        lines.append(f"  n{role.source} -> n{role.target} [{', '.join(attributes)}];")
    return "\n".join([*lines, "}", ""])


def _words(pieces: object) -> str:
    texts = [piece.full for piece in pieces]  # type: ignore[attr-defined]
    return " ".join(texts) if len(texts) < 5 else f"{texts[0]} … {texts[-1]}"


def _written(line: Line) -> str:
    parts = parts_of(line.status, line.text, line.other, line.before)
    texts = [f"{MARKS[NodeStatus(mark)]} {text}" if mark else text for mark, text in parts]
    return quote(" ".join(texts))[1:-1]


def _attributes(node: DrawnNode, words: str) -> list[str]:
    """Return the attributes of a node; its label has a line for each line of its box, and one for its words."""
    texts = [*map(_written, node.lines), *([quote(f"“{words}”")[1:-1]] if words else [])]
    label = "\\n".join(texts)
    attributes = [f'label="{label}"']
    if node.status in _SHAPES:
        attributes += [_SHAPES[node.status], f'color="{COLOURS[NodeStatus(node.status)]}"']
    return attributes
