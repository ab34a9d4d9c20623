"""Enhanced dependencies: edges of gold above the words and the empty nodes, those of the parse below."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaltools.drawing.layouts.dependencies.arc_placement import (
    Column,
    PlacedArc,
    marks_of,
    place_arcs,
)
from evaltools.drawing.layouts.dependencies.arcs import LEFT_OUT, ArcItems, legend_entries
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import MARKS, css_class
from evaltools.drawing.parts import framed
from evaltools.drawing.scene import Diagram, DiagramEdge, DiagramNode, Row, Scene, Table
from evaltools.frameworks.dependency.aligned_arcs import EnhancedAlignment, EnhancedEdge, EnhancedNode
from evaltools.marks import Status
from evaltools.text import excerpt

ENHANCED_LEGEND = {
    Status.RIGHT: "right",
    Status.MISSING: "missing edge (only in {gold})",
    Status.SPURIOUS: "spurious edge (only in {test})",
    Status.RELABELED: "wrong relation",
}
"""Names of the marks of edges in the legend."""

_MAX_LENGTH = 30
_EMPTY = "∅"
_SAID = {
    Status.RIGHT: "right",
    Status.RELABELED: "different relation",
    None: "not counted: on no path to a word",
}


def enhanced_scene(
    alignment: EnhancedAlignment,
    *,
    legend: bool = True,
    title: str | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
    interactive: bool = False,
) -> Scene:
    """Place two enhanced graphs: gold edges above one row of words and empty nodes, those of the parse below it."""
    names = {"gold": gold_name, "test": test_name}
    sides = {side: [_arc(edge) for edge in alignment.edges if edge.side == side] for side in names}
    layout = place_arcs(_columns(alignment), sides, has_test=True)
    items = ArcItems(_titles(alignment, names), interactive=interactive).all(layout.arcs, layout.columns)
    seen = {arc.status for arc in layout.arcs}
    label = title or f"enhanced dependencies of {gold_name} and {test_name}"
    statuses = [status for status in ENHANCED_LEGEND if status in seen]
    return framed(
        Scene(layout.width, layout.height, tuple(items), "arcs", label, layout.middle),
        title=title,
        above=gold_name if sides["gold"] else f"{gold_name}: no enhanced dependencies",
        below=test_name if sides["test"] else f"{test_name}: no enhanced dependencies",
        legend=legend_entries(statuses, gold_name, test_name, ENHANCED_LEGEND) if legend else None,
        min_width=220.0,
    )


def _arc(edge: EnhancedEdge) -> PlacedArc:
    label = excerpt(visible(edge.relation), _MAX_LENGTH)
    return PlacedArc(edge.side, edge.dependent, edge.head, None, edge.status, label, edge.dependent, edge.head)


def _columns(alignment: EnhancedAlignment) -> list[Column]:
    nodes = alignment.nodes
    two_rows = any(node.forms[0] != node.forms[1] for node in nodes if not node.is_empty)
    columns = []
    for at, node in enumerate(nodes):
        texts = tuple(excerpt(_form(node, side), _MAX_LENGTH) for side in (0, 1))
        tags = tuple(excerpt(_tag(node, side), _MAX_LENGTH) for side in (0, 1))
        if not two_rows:
            texts, tags = (texts[0] or texts[1],), (tags[0] or tags[1],)
        there = [at if number is not None else None for number in (node.gold, node.test)]
        full = _form(node, 0) or _form(node, 1)
        columns.append(Column(there[0], there[1], texts, tags, full, is_empty=node.is_empty))
    return columns


def _form(node: EnhancedNode, side: int) -> str:
    if (node.gold, node.test)[side] is None:
        return ""
    form = node.forms[side]
    return _EMPTY if node.is_empty and form in ("", "_") else visible(form)


def _tag(node: EnhancedNode, side: int) -> str:
    number = (node.gold, node.test)[side]
    if node.is_empty:
        return number or ""
    return "" if node.tags[side] in ("", "_") else visible(node.tags[side])


def _named(node: EnhancedNode, side: str) -> str:
    number, form = (node.gold, _form(node, 0)) if side == "gold" else (node.test, _form(node, 1))
    return f"{number} {form}"


def _head(alignment: EnhancedAlignment, edge: EnhancedEdge | PlacedArc) -> str:
    return "0" if edge.head is None else _named(alignment.nodes[edge.head], edge.side)


def _titles(alignment: EnhancedAlignment, names: dict[str, str]) -> Callable[[PlacedArc], str]:
    def title(arc: PlacedArc) -> str:
        said = _SAID.get(arc.status, f"only in {names[arc.side]}")
        return f"{_named(alignment.nodes[arc.word], arc.side)} · {arc.label} of {_head(alignment, arc)} · {said}"

    return title


def enhanced_diagram(alignment: EnhancedAlignment) -> Diagram:
    """Return two enhanced graphs as nodes and edges; an edge that both have is one edge, also if it is not counted."""
    nodes = []
    for at, node in enumerate(alignment.nodes):
        forms = tuple(dict.fromkeys(form for side in (0, 1) if (form := _form(node, side))))
        numbers = tuple(dict.fromkeys(number for number in (node.gold, node.test) if number is not None))
        lines = (" ≠ ".join(forms), *((" / ".join(numbers),) if node.is_empty else ()))
        nodes.append(DiagramNode(f"n{at}", lines, "empty" if node.is_empty else ""))
    row = tuple(node.id for node in nodes)
    roots: dict[str, DiagramNode] = {}
    edges = []
    of_gold = {(edge.head, edge.dependent, edge.relation) for edge in alignment.edges if edge.side == "gold"}
    for edge in alignment.edges:
        is_difference = edge.status not in (Status.RIGHT, None)
        if edge.side == "test" and not is_difference and (edge.head, edge.dependent, edge.relation) in of_gold:
            continue
        if edge.head is None:
            start = f"root_{edge.side}"
            roots[start] = DiagramNode(start, (f"{edge.side} root",), "root")
        else:
            start = f"n{edge.head}"
        marks = "".join(f"{MARKS[mark]} " for mark in marks_of(edge.status))
        edges.append(
            DiagramEdge(start, f"n{edge.dependent}", "arc", css_class(edge.status), marks + visible(edge.relation))
        )
    return Diagram("arcs", (*nodes, *roots.values()), tuple(edges), row)


def enhanced_text(
    alignment: EnhancedAlignment, *, gold_name: str = "gold", test_name: str = "test"
) -> list[Table | str]:
    """Return every word and empty node with its edges in both analyses, for a terminal."""
    names = {"gold": gold_name, "test": test_name}
    rows = [Row(tuple(((text, ""),) for text in ("", "word", gold_name, test_name)))]
    for at, node in enumerate(alignment.nodes):
        numbers = dict.fromkeys(number for number in (node.gold, node.test) if number is not None)
        forms = dict.fromkeys(form for side in (0, 1) if (form := _form(node, side)))
        lists: dict[str, list[tuple[str, str]]] = {"gold": [], "test": []}
        for edge in alignment.edges:
            if edge.dependent == at:
                marks = marks_of(edge.status)
                sign = "".join(f"{MARKS[mark]} " for mark in marks)
                sign = sign or (f"{LEFT_OUT} " if edge.status is None else "")
                comma = ", " if lists[edge.side] else ""
                text = f"{comma}{sign}{visible(edge.relation)} ← {_head(alignment, edge)}"
                lists[edge.side].append((text, marks[0] if marks else ""))
        cells = (((" / ".join(numbers), ""),), ((" ≠ ".join(forms), ""),))
        rows.append(Row((*cells, *(tuple(lists[side]) or (("", ""),) for side in names))))
    seen = {edge.status for edge in alignment.edges}
    shown = [mark for mark in ENHANCED_LEGEND if mark in seen and mark is not Status.RIGHT]
    legend = [f"{MARKS[mark]} {ENHANCED_LEGEND[mark].format(gold=gold_name, test=test_name)}" for mark in shown]
    if any(edge.status is None for edge in alignment.edges):
        legend.append(f"{LEFT_OUT} {_SAID[None]}")
    return [Table(tuple(rows)), "", "   ".join(legend) if legend else "no difference"]


def enhanced_data(alignment: EnhancedAlignment) -> dict[str, Any]:
    """Return enhanced dependencies as dictionaries, lists, strings and numbers."""

    def number(edge: EnhancedEdge, at: int | None) -> str:
        node = None if at is None else alignment.nodes[at]
        return "0" if node is None else (node.gold if edge.side == "gold" else node.test) or ""

    return {
        "nodes": [
            {"gold": node.gold, "test": node.test, "forms": list(node.forms), "empty": node.is_empty}
            for node in alignment.nodes
        ],
        **{
            side: [
                {
                    "word": number(edge, edge.dependent),
                    "head": number(edge, edge.head),
                    "relation": edge.relation,
                    "status": edge.status,
                }
                for edge in alignment.edges
                if edge.side == side
            ]
            for side in ("gold", "test")
        },
    }
