"""Two semantic graphs as one: scene, diagram, text and data."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaltools.corpus.semantic_graph import Anchors, SemanticGraph
from evaltools.drawing.layouts.graph_parts.columns import (
    LEADING,
    LINE_SIZES,
    MARK_ROOM,
    PART,
    ROLE_SIZE,
    WORD_SIZE,
    parts_of,
    parts_width,
)
from evaltools.drawing.layouts.graph_parts.content import DrawnNode, NodeLine, Piece, content_of
from evaltools.drawing.layouts.graph_parts.outline import layout_outline
from evaltools.drawing.layouts.graph_parts.placement import (
    GraphLayout,
    PlacedCell,
    PlacedNode,
    PlacedRole,
    layout_graph,
)
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.palette import MARKS
from evaltools.drawing.parts import LegendEntry, framed, handle, hit, legend_scene, line_sample, outline
from evaltools.drawing.scene import (
    Box,
    Diagram,
    DiagramEdge,
    DiagramNode,
    Group,
    Item,
    Line,
    Mark,
    Point,
    Rectangle,
    Row,
    Scene,
    Table,
    Text,
)
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.marks import Status
from evaltools.text import excerpt

GRAPH_LEGEND: dict[Status, str] = {
    Status.RIGHT: "in both",
    Status.MISSING: "only in {gold}",
    Status.SPURIOUS: "only in {test}",
    Status.RELABELED: "in both, different {name}",
}
"""Names of the marks in the legend, by status."""


# --------------------------------------------------------------------------------------------------------------- scenes


def graph_scene(
    alignment: GraphAlignment,
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str | None = None,
    legend: bool = True,
    title: str | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
    interactive: bool = False,
) -> Scene:
    """Place two aligned semantic graphs as one, over the words of the sentence."""
    if alignment.is_mapped:
        layout = layout_outline(content_of(alignment, fold, unfolded, properties))
    else:
        layout = layout_graph(alignment, fold, unfolded, properties)
    names = {"gold": gold_name, "test": test_name, "name": "name" if alignment.is_mapped else "name or span"}
    missing = [f"{names[side]}: no graph" for side in ("gold", "test") if getattr(alignment, side) is None]
    if alignment.is_mapped and alignment.text and not interactive:  # its words are not part of the picture
        missing.insert(0, visible(alignment.text))
    label = title or f"semantic graphs of {gold_name} and {test_name}"
    items = _Items(layout, names, interactive).all()
    return framed(
        Scene(layout.width, layout.height, tuple(items), "graph", label, layout.middle),
        title=title,
        above="; ".join(missing) or None,
        legend=_entries(_seen(layout), names) if legend else None,
        min_width=220.0,
    )


def _seen(layout: GraphLayout) -> list[Status]:
    """Return the statuses whose marks or outlines are drawn."""
    seen = {placed.node.status for placed in layout.nodes} | {placed.role.status for placed in layout.roles}
    texts = [
        (line.status, line.text, line.test_text, line.before) for placed in layout.nodes for line in placed.node.lines
    ]
    texts += [(placed.role.status, placed.role.label, placed.role.test_text, "") for placed in layout.roles]
    seen |= {mark for text in texts for mark, _ in parts_of(*text) if mark}
    return [status for status in GRAPH_LEGEND if status in seen]


def graph_legend(
    statuses: Sequence[Status] = tuple(GRAPH_LEGEND),
    gold_name: str = "gold",
    test_name: str = "test",
    name: str = "name or span",
) -> Scene:
    """Return the marks of nodes and roles and what they mean.

    Parameters
    ----------
    statuses : sequence of Status
        The statuses.
    gold_name, test_name : str
        Names of the two graphs.
    name : str
        What of a node may differ.

    Returns
    -------
    Scene
        The legend.
    """
    names = {"gold": gold_name, "test": test_name, "name": name}
    return legend_scene(_entries(statuses, names), "what the marks mean", "graph")


def _entries(statuses: Iterable[Status], names: Mapping[str, str]) -> list[LegendEntry]:
    def entry(status: Status) -> LegendEntry:
        def sample(start: Point) -> Group:
            x, y = start
            items: list[Item] = [line_sample(x + 26, y, 18, status), outline(Box(x + 13, y, 24, 15), status)]
            items += [Mark(status, x + 13, y, 0.85)] if status is not Status.RIGHT else []
            return Group(tuple(items), "key pred", status=status)

        return LegendEntry(GRAPH_LEGEND[status].format(**names), sample, 50, 56)

    return [entry(status) for status in statuses]


def _marked_parts(parts: Sequence[tuple[Status | None, str]], box: Box, y: float, size: float, role: str) -> list[Item]:
    """Return parts of a text, each with its mark before it, centered in a box."""
    x = box.x - parts_width(parts, size) / 2
    items: list[Item] = []
    for mark, text in parts:
        if mark:
            items.append(Mark(mark, x + MARK_ROOM / 2 - 1, y, 0.85))
            x += MARK_ROOM
        width = text_width(text, size)
        items.append(Text(text, x + width / 2, y, size, role, is_name="constant" not in role))
        x += width + PART
    return items


class _Items:
    """Makes the items of one layout."""

    def __init__(self, layout: GraphLayout, names: Mapping[str, str], interactive: bool) -> None:
        self.layout = layout
        self.names = names
        self.interactive = interactive
        self.by_number = {placed.node.number: placed.node for placed in layout.nodes}
        self.roles_of: dict[int, list[PlacedRole]] = defaultdict(list)
        for placed in layout.roles:
            self.roles_of[placed.role.source].append(placed)
            if placed.role.target != placed.role.source:
                self.roles_of[placed.role.target].append(placed)

    def all(self) -> Iterator[Item]:
        """Yield everything, from back to front."""
        for placed in self.layout.roles:
            role, data = placed.role, {"side": "gold", "child": placed.role.number}
            yield Line(
                placed.points,
                "edge",
                role.status,
                radius=8.0,
                arrow=6.0,
                halo=placed.halo,
                grip=self.interactive,
                data=data,
            )
        yield from map(self._node, self.layout.nodes)
        yield from map(self._role, self.layout.roles)
        yield from map(self._word, self.layout.words)

    def _meaning(self, status: Status) -> str:
        return GRAPH_LEGEND[status].format(**self.names)

    def _node_title(self, node: DrawnNode) -> str:
        words = ""
        if node.first is not None and node.last is not None:
            pieces = [piece.full for piece in self.layout.pieces[node.first : node.last + 1]]
            words = f" “{' '.join(pieces[:4])}{' …' if len(pieces) > 4 else ''}”"
        parts = [f"{node.name} {node.spans}".rstrip() + words, self._meaning(node.status)]
        for line in node.lines:
            if line.kind in ("constant", "property", "top"):
                remark = f" {self._meaning(line.status)}" if line.status in (Status.MISSING, Status.SPURIOUS) else ""
                parts.append(line.description + remark)
        return " · ".join(parts)

    def _group(
        self, number: int, role: str, status: str, title: str, linked: Iterable[int], items: list[Item]
    ) -> Group:
        data: dict[str, object] = {"side": "gold", "node": number, "with": " ".join(map(str, linked)) or None}
        node = self.by_number.get(number)
        if node is not None and node.first is not None and node.last is not None:
            data["words"] = f"{node.first} {node.last}"
        return Group(
            tuple(items),
            f"node {role}",
            status=status,
            title=title,
            data=data,
            is_symbol=True,
            takes_focus=self.interactive,
        )

    def _node(self, placed: PlacedNode) -> Group:
        node, box = placed.node, placed.box
        items: list[Item] = [] if node.status is Status.RIGHT else [Rectangle(box, "ground", radius=4)]
        items.append(outline(box, node.status))
        y = box.top + (box.height - sum(LINE_SIZES[line.kind] * LEADING for line in node.lines)) / 2
        for line in node.lines:
            size = LINE_SIZES[line.kind]
            role = "predicate" if line.kind == "predicate" else f"small {line.kind}"
            parts = parts_of(line.status, line.text, line.test_text, line.before)
            written = _marked_parts(parts, box, y + size * LEADING / 2, size, role)
            items.append(Group(tuple(written), status=line.status))
            y += size * LEADING
        origin = "surface" if node.surface else "grammar"
        linked = [
            item
            for role in self.roles_of[node.number]
            for item in (role.role.number, role.role.source, role.role.target)
            if item != node.number
        ]
        return self._group(node.number, f"pred {origin}", node.status, self._node_title(node), linked, items)

    def _role(self, placed: PlacedRole) -> Group:
        role, box = placed.role, placed.box
        source, target = self.by_number[role.source], self.by_number[role.target]
        title = f"{source.name} {role.description} {target.name} · {self._meaning(role.status)}"
        items: list[Item] = [Rectangle(box, "ground"), hit(box, 3)]
        items += _marked_parts(parts_of(role.status, role.label, role.test_text), box, box.y, ROLE_SIZE, "label")
        return self._group(role.number, "arc role", role.status, title, (role.source, role.target), items)

    def _word(self, placed: PlacedCell) -> Group:
        cell, box = placed.cell, placed.box
        items: list[Item] = [Rectangle(replace(box, height=box.height - 4), "fold" if cell.folded else "hit", radius=4)]
        items.append(Text(cell.text, box.x, box.y, WORD_SIZE, "form"))
        if self.interactive and cell.opens:
            items.append(handle(box.x, box.bottom + 2, 2.5))
        data = {"first": cell.first, "last": cell.last, "fold": cell.first if cell.folded or cell.opens else None}
        return Group(tuple(items), "cell folded" if cell.folded else "cell", title=cell.full, data=data)


# -------------------------------------------------------------------------------------------------- diagram, text, data


def graph_diagram(alignment: GraphAlignment) -> Diagram:
    """Return two aligned semantic graphs as nodes and edges."""
    content = content_of(alignment, fold=False)
    nodes = []
    for node in content.nodes:
        lines = [_line_text(line) for line in node.lines]
        if node.first is not None and node.last is not None:
            lines.append(f"“{_words(content.pieces[node.first : node.last + 1])}”")
        nodes.append(DiagramNode(f"n{node.number}", tuple(lines), "predicate", node.status))
    edges = []
    for role in content.roles:
        label = _line_text(NodeLine(role.label, role.status, "role", "", role.test_text))
        edges.append(DiagramEdge(f"n{role.source}", f"n{role.target}", "role", role.status, label))
    return Diagram("semantics", tuple(nodes), tuple(edges))


def _words(pieces: Sequence[Piece]) -> str:
    texts = [piece.full for piece in pieces]
    return " ".join(texts) if len(texts) < 5 else f"{texts[0]} … {texts[-1]}"


def _line_text(line: NodeLine) -> str:
    parts = parts_of(line.status, line.text, line.test_text, line.before)
    return " ".join(f"{MARKS[mark]} {text}" if mark else text for mark, text in parts)


KIND_TITLES: dict[str, str] = {
    "name": "Names",
    "argument": "Arguments",
    "property": "Properties",
    "constant": "Constants",
    "top": "Top",
}
"""Titles of the classes of triples, in the order of the list."""

_MAPPED_TITLES = KIND_TITLES | {"name": "Concepts", "argument": "Relations", "property": "Attributes"}


def kind_titles(alignment: GraphAlignment) -> Mapping[str, str]:
    """Return the titles of the classes of triples, in the terms of the graphs.

    Parameters
    ----------
    alignment : GraphAlignment
        Two aligned graphs.

    Returns
    -------
    mapping of str to str
        The titles by class.
    """
    return _MAPPED_TITLES if alignment.is_mapped else KIND_TITLES


_MAX_LENGTH = 30


def surface(anchors: Anchors, text: str) -> str:
    """Return the text of a span, or its numbers if there is no text.

    Examples
    --------
    >>> surface(((4, 10),), "Kim leaves."), surface(((4, 10),), "")
    ('leaves', '4:10')
    """
    words = " … ".join(text[start:end] for start, end in anchors if 0 <= start < end)
    return words if words.strip() else " ".join(f"{start}:{end}" for start, end in anchors) or "no span"


def graph_text(alignment: GraphAlignment, *, gold_name: str = "gold", test_name: str = "test") -> list[Table | str]:
    """Return the triples of two semantic graphs as lines for a terminal, class by class."""
    names = {"gold": gold_name, "test": test_name}
    page: list[Table | str] = [visible(alignment.text)] if alignment.text else []
    page += [f"{names[side]}: no graph" for side in names if getattr(alignment, side) is None]
    page += [f"EDM is undefined: {alignment.undefined}"] if alignment.undefined else []
    listed = {kind: [row for row in alignment.triples if row.kind == kind and row.weight] for kind in KIND_TITLES}
    rows: list[Row | str] = []
    for kind, title in kind_titles(alignment).items():
        if not listed[kind]:
            continue
        number = Counter(row.status for row in listed[kind])
        rows += [
            "",
            f"{title}: {number[Status.RIGHT]} right, {number[Status.MISSING]} missing, "
            f"{number[Status.SPURIOUS]} spurious",
        ]
        rows += [_row(row, alignment) for row in listed[kind]]
    if not page and rows:
        del rows[0]
    seen = {row.status for triples in listed.values() for row in triples}
    legend = [
        f"{MARKS[status]} {GRAPH_LEGEND[status].format(**names)}"
        for status in (Status.MISSING, Status.SPURIOUS)
        if status in seen
    ]
    page += [Table(tuple(rows))] if rows else []
    return [*page, *([""] if page else []), "   ".join(legend) if legend else "no difference"]


def _row(triple: TripleRow, alignment: GraphAlignment) -> Row:
    """Return the line of a triple: its words or node, its label, and its value, or those of its target."""

    def place(anchors: Anchors, *, is_target: bool = False) -> str:
        span = "" if alignment.is_mapped else " ".join(f"<{start}:{end}>" for start, end in anchors)
        text = excerpt(visible(place_of(triple, alignment, is_target=is_target)), _MAX_LENGTH)
        return f"{span} {text}".strip()

    value = visible(triple.value) if triple.value else ""
    if triple.target is not None:
        value = f"→ {place(triple.target, is_target=True)}"
    status = triple.status
    cells = (f"{MARKS[status] or ' '} {place(triple.span)}", visible(triple.label), value)
    return Row(tuple(((cell, ""),) for cell in cells), "" if status is Status.RIGHT else status)


def place_of(triple: TripleRow, alignment: GraphAlignment, *, is_target: bool = False) -> str:
    """Return the words of a triple's node, or of the node that it leads to; of an AMR, the variable and concept.

    Parameters
    ----------
    triple : TripleRow
        A triple of `alignment`.
    alignment : GraphAlignment
        Two aligned graphs.
    is_target : bool
        Whether to return those of the node that an argument leads to.

    Returns
    -------
    str
        The text; variables are those of the gold graph, or of the test graph if only that has the triple.
    """
    if not alignment.is_mapped:
        return surface((triple.target or ()) if is_target else triple.span, alignment.text)
    side = triple.side
    graph, index = getattr(alignment, side), getattr(triple, f"{side}_{'target' if is_target else 'node'}")
    node = graph.nodes[index]
    return f"{node.id} / {node.predicate}"


def graph_data(alignment: GraphAlignment) -> dict[str, Any]:
    """Return an alignment of semantic graphs as dictionaries, lists, strings and numbers."""
    return {
        "text": alignment.text,
        "gold": _graph_data(alignment.gold),
        "test": _graph_data(alignment.test),
        "triples": [
            {
                "kind": row.kind,
                "span": [list(span) for span in row.span],
                "label": row.label,
                "value": row.value,
                "target": None if row.target is None else [list(span) for span in row.target],
                "status": row.status,
                "weight": row.weight,
            }
            for row in alignment.triples
        ],
        "nodes": [{"gold": pair.gold, "test": pair.test, "status": pair.status} for pair in alignment.nodes],
        "edges": [{"gold": pair.gold, "test": pair.test, "status": pair.status} for pair in alignment.edges],
        "rules": alignment.rules.to_dict(),
        "counts": {name: None if math.isnan(count) else count for name, count in alignment.counts.items()},
        "scores": dict(alignment.scores),
    }


def _graph_data(graph: SemanticGraph | None) -> dict[str, Any] | None:
    if graph is None:
        return None
    return {
        "nodes": [
            {
                "id": node.id,
                "predicate": node.predicate,
                "anchors": [list(span) for span in node.anchors],
                "properties": dict(node.properties),
                "constant": node.constant,
            }
            for node in graph.nodes
        ],
        "edges": [{"source": edge.source, "role": edge.role, "target": edge.target} for edge in graph.edges],
        "tops": list(graph.tops),
        "framework": graph.framework,
    }
