"""Two dependency trees in the DOT language: one row of words, the arcs of both trees between them."""

from __future__ import annotations

from evaltools.drawing.arcs_columns import side_by_side
from evaltools.drawing.arcs_shapes import kind_of, marks_of
from evaltools.drawing.dot import quote
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import COLOURS, MARKS
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.mapping import NodeStatus

__all__ = ["arcs_dot"]

_HEAD = """\
  graph [fontname="Helvetica", nodesep=0.2];
  node [shape=plain, fontname="Helvetica", fontsize=14, margin=0.04];
  edge [fontname="Helvetica", fontsize=11];
"""
_GREY = "#9ba4ae"
_STYLES = {"deleted": "dashed", "inserted": "bold", "swapped": "solid", "matched": "solid", "left_out": "dotted"}


def arcs_dot(alignment: DependencyAlignment) -> str:
    """Return two aligned dependency trees as a DOT graph; an arc that is right stands there once.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees and what the comparison says of their arcs.

    Returns
    -------
    str
        The graph in DOT.
    """
    names: dict[str, dict[int, str]] = {"gold": {}, "test": {}}
    lines = ["digraph arcs {", _HEAD.rstrip()]
    order = []
    for gold, test in side_by_side(alignment):
        name = f"g{gold}" if gold is not None else f"t{test}"
        forms = []
        if gold is not None:
            names["gold"][gold] = name
            forms.append(alignment.gold.forms[gold])
        if test is not None:
            names["test"][test] = name
            forms.append(alignment.test.forms[test])
        lines.append(f"  {name} [label={quote(' ≠ '.join(map(visible, dict.fromkeys(forms))))}];")
        order.append(name)
    if len(order) > 1:
        lines.append(f"  {{ rank=same; {' -> '.join(order)} [style=invis]; }}")
    sides = (("gold", alignment.gold, alignment.gold_status), ("test", alignment.test, alignment.test_status))
    for side, tree, statuses in sides:
        for word, status in enumerate(statuses):
            kind = kind_of(side, status)
            if kind in ("matched", "left_out") and side == "test":
                continue
            marks = "".join(f"{MARKS[NodeStatus(mark)]} " for mark in marks_of(side, status))
            colour = COLOURS[NodeStatus(kind)] if kind in ("deleted", "inserted", "swapped") else _GREY
            label = quote(marks + visible(tree.relations[word]))
            head = tree.heads[word]
            start = names[side][head] if head >= 0 else f"root_{side}"
            if head < 0:
                lines.append(f"  {start} [label={quote(side + ' root')}, fontsize=10];")
            style = f'style={_STYLES[kind]}, color="{colour}", fontcolor="{colour}"'
            lines.append(f"  {start} -> {names[side][word]} [label={label}, {style}, constraint=false];")
    return "\n".join([*lines, "}", ""])
