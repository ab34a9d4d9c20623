"""Pictures of graphs and of dependency trees: one scene for both, and their texts.

Two semantic graphs are drawn as one, over the words of the sentence or as an outline; of two dependency trees, the arcs
of gold are above one row of words and those of the parse below it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import starmap

from evaltools.corpus import DependencyTree
from evaltools.corpus.semantic_graph import Anchors
from evaltools.drawing.arc_content import ArcContent, arc_content
from evaltools.drawing.graph_content import Cell, DrawnArc, DrawnNode, Part, TextSegment, content_of
from evaltools.drawing.graph_outline import layout_outline
from evaltools.drawing.graph_placement import (
    LABEL_SIZE,
    LEADING,
    LINE_SIZES,
    MARK_ROOM,
    PART,
    ROWS_APART,
    TAG_SIZE,
    WORD_SIZE,
    GraphLayout,
    PlacedArc,
    layout_arcs,
    layout_graph,
    parts_width,
)
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.palette import MARKS, css_class
from evaltools.drawing.scene import (
    Box,
    Group,
    Item,
    LegendEntry,
    Line,
    Mark,
    Rectangle,
    Row,
    Scene,
    Segment,
    Table,
    Text,
    framed,
    handle,
    hit,
    legend_names,
    legend_scene,
    line_sample,
    outline,
    signed,
)
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment, EnhancedAlignment
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.marks import Status
from evaltools.text import excerpt

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
    parse_name: str = "parse",
    interactive: bool = False,
) -> Scene:
    """Place two aligned semantic graphs as one, over the words of the sentence."""
    content = content_of(alignment, fold, unfolded, properties)
    layout = layout_outline(content) if alignment.kind.is_mapped else layout_graph(content)
    names = {"gold": gold_name, "test": parse_name}
    remarks = [f"{name}: no graph" for side, name in names.items() if getattr(alignment, side) is None]
    if alignment.kind.is_mapped and alignment.text and not interactive:  # its words are not part of the picture
        remarks.insert(0, visible(alignment.text))
    meanings = {status: text.format(**names) for status, text in alignment.kind.legend.items()}
    items = _Items(layout, content.segments, meanings, interactive=interactive).all()
    entries = _entries(_seen(layout), legend_names(gold_name, parse_name), alignment.kind.legend, has_boxes=True)
    label = title or f"semantic graphs of {gold_name} and {parse_name}"
    return framed(
        Scene(layout.width, layout.height, tuple(items), "graph", label, layout.middle),
        title=title,
        above="; ".join(remarks) or None,
        legend=entries if legend else None,
        min_width=220.0,
    )


def arcs_scene(
    alignment: DependencyAlignment | EnhancedAlignment,
    *,
    legend: bool = True,
    title: str | None = None,
    gold_name: str = "gold",
    parse_name: str = "parse",
    interactive: bool = False,
) -> Scene:
    """Place two aligned trees, or enhanced graphs: arcs of gold above one row of words, those of the parse below it."""
    content = arc_content(alignment, gold_name, parse_name)
    layout = layout_arcs(content.cells, content.arcs)
    what = "enhanced dependencies" if isinstance(alignment, EnhancedAlignment) else "arcs"
    entries = _entries(_seen(layout), legend_names(gold_name, parse_name), content.meanings)
    return framed(
        _arc_scene(layout, title or f"{what} of {gold_name} and {parse_name}", content, interactive=interactive),
        title=title,
        above=content.names[0],
        below=content.names[1],
        legend=entries if legend else None,
        min_width=220.0,
    )


def dependency_scene(tree: DependencyTree) -> Scene:
    """Place one dependency tree: its arcs above its words."""
    content = arc_content(DependencyAlignment.of_one(tree), "tree", "tree")
    layout = layout_arcs(content.cells, [arc for arc in content.arcs if arc.side == "gold"])
    return _arc_scene(layout, "dependency tree", content)


def dependency_text(tree: DependencyTree) -> list[Table | str]:
    """Return every word of one dependency tree with its relation and its head, for a terminal."""
    return arcs_text(DependencyAlignment.of_one(tree), gold_name="relation", parse_name="")


def _arc_scene(layout: GraphLayout, label: str, content: ArcContent, *, interactive: bool = False) -> Scene:
    items = _Items(layout, (), content.meanings, interactive=interactive).all()
    return Scene(layout.width, layout.height, tuple(items), "arcs", label, layout.middle)


def _seen(layout: GraphLayout) -> set[Status | None]:
    """Return the statuses whose marks, lines or outlines are drawn."""
    parts = [part for placed in layout.arcs for part in placed.arc.parts]
    parts += [part for node, _ in layout.nodes for line in node.lines for part in line.parts]
    seen = {node.status for node, _ in layout.nodes} | {placed.arc.status for placed in layout.arcs}
    return seen | {mark for mark, _ in parts}


def arc_legends(
    meanings: Mapping[Status, str], gold_name: str, parse_name: str, *, has_boxes: bool = False
) -> tuple[Scene, ...]:
    """Return the line and mark of each status with its meaning.

    Parameters
    ----------
    meanings : mapping of Status to str
        The meaning of each status; ``{gold}`` and ``{test}`` stand for the names.
    gold_name, parse_name : str
        Names of the two trees or graphs.
    has_boxes : bool
        Whether nodes have boxes, too.

    Returns
    -------
    tuple of Scene
        An entry of the legend for each.
    """
    entries = _entries(meanings, legend_names(gold_name, parse_name), meanings, has_boxes=has_boxes)
    label, style = "what the lines and marks mean", "graph" if has_boxes else "arcs"
    return tuple(legend_scene([entry], label, style) for entry in entries)


def _entries(
    statuses: Collection[Status | None],
    names: Mapping[str, str],
    meanings: Mapping[Status, str],
    *,
    has_boxes: bool = False,
) -> list[LegendEntry]:
    entries = []
    for status in (status for status in meanings if status in statuses):
        if has_boxes:
            items: list[Item] = [line_sample(26.0, 18.0, status), outline(Box(13.0, 0.0, 24.0, 15.0), status)]
            ground: list[Item] = []
        else:
            items, ground = [line_sample(0.0, 30.0, status)], [Rectangle(Box(15.0, 0.0, 12.0, 12.0), "ground")]
        if status is not Status.RIGHT:
            items += [*ground, Mark(status, 13.0 if has_boxes else 15.0, 0.0, 0.85)]
        start = 50 if has_boxes else 36
        sample = Group(tuple(items), "key pred" if has_boxes else "key arc", status=status)
        entries.append(LegendEntry(meanings[status].format(**names), sample, start, start + 7))
    return entries


class _Items:
    """Makes the items of one layout."""

    def __init__(
        self, layout: GraphLayout, segments: Sequence[TextSegment], meanings: Mapping[Status, str], *, interactive: bool
    ) -> None:
        self.layout = layout
        self.segments = segments  # Of the text of graphs
        self.meanings = meanings
        self.interactive = interactive
        self.by_number = {node.number: node for node, _ in layout.nodes}
        self.arcs_of: dict[int, list[DrawnArc]] = defaultdict(list)
        for placed in layout.arcs:
            for end in {placed.arc.source, placed.arc.target}:
                self.arcs_of[end].append(placed.arc)

    def all(self) -> Iterator[Item]:
        """Yield everything, from back to front; a line that crosses a lower one goes under it."""
        for placed in self.layout.arcs:
            arc = placed.arc
            data = {"side": arc.side or "gold", "child": arc.number}
            yield Line(
                placed.points,
                "edge",
                css_class(arc.status),
                arc.side,
                8.0,
                arrow=6.0,
                halo=placed.halo,
                grip=self.interactive,
                data=data,
            )
        yield from starmap(self._node, self.layout.nodes)
        yield from map(self._arc, self.layout.arcs)
        yield from starmap(self._word, self.layout.words)

    def _node_title(self, node: DrawnNode) -> str:
        words = ""
        if node.first is not None and node.last is not None:
            segments = [segment.full for segment in self.segments[node.first : node.last + 1]]
            words = f" “{' '.join(segments[:4])}{' …' if len(segments) > 4 else ''}”"
        parts = [f"{node.name} {node.spans}".rstrip() + words, self.meanings[node.status]]
        for line in node.lines:
            if line.kind in ("constant", "property", "top"):
                remark = f" {self.meanings[line.status]}" if line.status in (Status.MISSING, Status.SPURIOUS) else ""
                parts.append(line.description + remark)
        return " · ".join(parts)

    def _group(
        self, role: str, side: str, status: Status | None, title: str, data: Mapping[str, object], items: list[Item]
    ) -> Group:
        return Group(
            tuple(items),
            f"node {role}",
            side,
            css_class(status),
            title=title,
            data=data,
            is_symbol=True,
            takes_focus=self.interactive,
        )

    def _node(self, node: DrawnNode, box: Box) -> Group:
        items: list[Item] = [] if node.status is Status.RIGHT else [Rectangle(box, "ground", radius=4)]
        items.append(outline(box, node.status))
        y = box.top + (box.height - sum(LINE_SIZES[line.kind] * LEADING for line in node.lines)) / 2
        for line in node.lines:
            size = LINE_SIZES[line.kind]
            role = "predicate" if line.kind == "predicate" else f"small {line.kind}"
            written = _marked_parts(line.parts, box, y + size * LEADING / 2, size, role)
            items.append(Group(tuple(written), status=line.status))
            y += size * LEADING
        linked = [
            number
            for arc in self.arcs_of[node.number]
            for number in (arc.number, arc.source, arc.target)
            if number != node.number
        ]
        data: dict[str, object] = {"side": "gold", "node": node.number, "with": " ".join(map(str, linked)) or None}
        if node.first is not None and node.last is not None:
            data["words"] = f"{node.first} {node.last}"
        origin = "surface" if node.surface else "grammar"
        return self._group(f"pred {origin}", "", node.status, self._node_title(node), data, items)

    def _arc(self, placed: PlacedArc) -> Group:
        """Return the label on its arc, with the marks."""
        arc, box = placed.arc, placed.box
        title, data, role = arc.title, arc.data, "arc"
        if arc.source in self.by_number:
            source, target = self.by_number[arc.source], self.by_number[arc.target]
            title = f"{source.name} {arc.description} {target.name} · {self.meanings[arc.status or Status.RIGHT]}"
            data = {"side": "gold", "node": arc.number, "with": f"{arc.source} {arc.target}"}
            role = "arc role"
        items: list[Item] = [Rectangle(box, "ground"), hit(box, 3)]
        items += _marked_parts(arc.parts, box, box.y, LABEL_SIZE, "label")
        return self._group(role, arc.side, arc.status, title, data, items)

    def _word(self, cell: Cell, box: Box) -> Group:
        """Return a word with its tag, once, or above and below where the words of two trees differ."""
        items: list[Item] = []
        height = (box.height + ROWS_APART) / len(cell.texts) - ROWS_APART
        for row, text in enumerate(cell.texts):
            if not text:
                continue
            tag = cell.tags[row] if cell.tags else ""
            y = box.top + height / 2 + row * (height + ROWS_APART)
            frame = "fold" if cell.folded or cell.is_added else "hit"
            items.append(Rectangle(Box(box.x, y, box.width, height - 4), frame, radius=4))
            items.append(Text(text, box.x, y - 6 if tag else y, WORD_SIZE, "form"))
            if tag:
                items.append(Text(tag, box.x, y + 9, TAG_SIZE, "soft tag"))
        if self.interactive and cell.opens:
            items.append(handle(box.right + 1, box.y, 2.5))
        return Group(tuple(items), "cell folded" if cell.folded else "cell", title=cell.full, data=cell.data)


def _marked_parts(parts: Sequence[Part], box: Box, y: float, size: float, role: str) -> list[Item]:
    """Return parts of a text, each with its mark before it, centered in a box."""
    x = box.x - parts_width(parts, size) / 2
    items: list[Item] = []
    for mark, text in parts:
        if mark:
            items.append(Mark(mark, x + MARK_ROOM / 2 - 1, y, 0.85))
            x += MARK_ROOM
        if text:
            width = text_width(text, size)
            items.append(Text(text, x + width / 2, y, size, role, is_name="constant" not in role))
            x += width + PART
    return items


def _distinct(texts: Iterable[str], between: str) -> str:
    """Join the texts that are not empty, equal ones once."""
    return between.join(dict.fromkeys(filter(None, texts)))


# ---------------------------------------------------------------------------------------------------------------- texts

_LEFT_OUT = "·"
"""Sign of what is not counted."""


def arcs_text(
    alignment: DependencyAlignment | EnhancedAlignment, *, gold_name: str = "gold", parse_name: str = "parse"
) -> list[Table | str]:
    """Return every word with its arcs in both analyses, and marks where they differ, for a terminal.

    Without the name of a parse, the arcs of the first analysis alone.
    """
    names = gold_name, parse_name
    sides = ("gold", "test") if parse_name else ("gold",)
    content = arc_content(alignment, *names)
    own: dict[tuple[str, int], list[DrawnArc]] = defaultdict(list)
    for arc in content.arcs:
        own[arc.side, arc.target].append(arc)
    rows = [Row(tuple(((text, ""),) for text in ("", "word", "tag", *content.names[: len(sides)])))]
    for at, row in enumerate(content.rows):
        tag = "" if row.is_empty else _distinct(row.tags, " ≠ ")
        texts = (_distinct(row.numbers, " / "), _distinct(row.forms, " ≠ "), tag)
        cells: list[tuple[Segment, ...]] = [((text, ""),) for text in texts]
        for index, side in enumerate(sides):
            segments: list[Segment] = []
            for arc in own[side, at]:
                segments += [(", ", "")] if segments else []
                segments.append(_arc_segment(arc, content, index))
            cells.append(tuple(segments) or (("_" if row.numbers[index] else "", ""),))
        rows.append(Row(tuple(cells)))
    seen = {mark for arc in content.arcs for mark, _ in arc.parts} | {arc.status for arc in content.arcs}
    titles = {"gold": names[0], "test": names[1]}
    legend = [
        f"{MARKS[mark]} {text.format(**titles)}"
        for mark, text in content.meanings.items()
        if mark in seen and MARKS[mark]
    ]
    legend += [f"{_LEFT_OUT} not counted"] if any(arc.status is None for arc in content.arcs) else []
    if not parse_name:
        return [Table(tuple(rows))]
    return [Table(tuple(rows)), "", "   ".join(legend) if legend else "no difference"]


def _arc_segment(arc: DrawnArc, content: ArcContent, side: int) -> Segment:
    head = "0"
    if arc.source >= 0:
        row = content.rows[arc.source]
        head = f"{row.numbers[side]} {row.forms[side]}"
    sign = f"{_LEFT_OUT} " if arc.status is None else ""
    status = arc.status if arc.status is not None and MARKS[arc.status] else ""
    return f"{sign}{signed(arc.parts)} ← {head}", status


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


def graph_text(alignment: GraphAlignment, *, gold_name: str = "gold", parse_name: str = "parse") -> list[Table | str]:
    """Return the triples of two semantic graphs as lines for a terminal, class by class.

    Without the name of a parse, the triples of the first graph alone.
    """
    names = {"gold": gold_name, "test": parse_name}
    page: list[Table | str] = [visible(alignment.text)] if alignment.text else []
    page += [f"{names[side]}: no graph" for side in names if getattr(alignment, side) is None]
    page += [f"EDM is undefined: {alignment.undefined}"] if alignment.undefined else []
    listed = {
        kind: [row for row in alignment.triples if row.kind == kind and row.weight] for kind in alignment.kind.titles
    }
    rows: list[Row | str] = []
    for kind, title in alignment.kind.titles.items():
        if not listed[kind]:
            continue
        number = Counter(row.status for row in listed[kind])
        counts = f"{number[Status.RIGHT]} right, {number[Status.MISSING]} missing, {number[Status.SPURIOUS]} spurious"
        rows += ["", f"{title}: {counts if parse_name else len(listed[kind])}"]
        rows += [_row(row, alignment) for row in listed[kind]]
    if not page and rows:
        del rows[0]
    seen = {row.status for triples in listed.values() for row in triples}
    legend = [
        f"{MARKS[status]} {alignment.kind.legend[status].format(**names)}"
        for status in (Status.MISSING, Status.SPURIOUS)
        if status in seen
    ]
    page += [Table(tuple(rows))] if rows else []
    if not parse_name:
        return page
    return [*page, *([""] if page else []), "   ".join(legend) if legend else "no difference"]


def _row(triple: TripleRow, alignment: GraphAlignment) -> Row:
    """Return the line of a triple: its words or node, its label, and its value, or those of its target."""

    def node_with_span(anchors: Anchors, *, is_target: bool = False) -> str:
        span = "" if alignment.kind.is_mapped else " ".join(f"<{start}:{end}>" for start, end in anchors)
        text = excerpt(visible(node_text(triple, alignment, is_target=is_target)), _MAX_LENGTH)
        return f"{span} {text}".strip()

    value = visible(triple.value) if triple.value else ""
    if triple.target is not None:
        value = f"→ {node_with_span(triple.target, is_target=True)}"
    status = triple.status
    cells = (f"{MARKS[status] or ' '} {node_with_span(triple.span)}", visible(triple.label), value)
    return Row(tuple(((cell, ""),) for cell in cells), "" if status is Status.RIGHT else status)


def node_text(triple: TripleRow, alignment: GraphAlignment, *, is_target: bool = False) -> str:
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
    if not alignment.kind.is_mapped:
        return surface((triple.target or ()) if is_target else triple.span, alignment.text)
    side = triple.side
    graph, index = getattr(alignment, side), getattr(triple, f"{side}_{'target' if is_target else 'node'}")
    node = graph.nodes[index]
    return f"{node.id} / {node.predicate}"
