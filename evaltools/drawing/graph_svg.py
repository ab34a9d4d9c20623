"""Two semantic graphs as one standalone SVG: what both have once, what one has marked as its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from xml.sax.saxutils import escape

from evaltools.drawing.graph_labels import LEADING, LINE_SIZES, ROLE_SIZE, WORD_SIZE, parts_of
from evaltools.drawing.graph_layout import layout_graph
from evaltools.drawing.graph_legend import GRAPH_RULES, graph_legend_rows, marked_parts
from evaltools.drawing.graph_shapes import (
    GRAPH_LEGEND,
    DrawnNode,
    GraphLayout,
    PlacedPiece,
    PlacedPredicate,
    PlacedRole,
)
from evaltools.drawing.markup import arrow_head, document, element, number, rounded_path, text_element
from evaltools.drawing.measure import text_width
from evaltools.drawing.pieces import outline
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.metrics.mapping import NodeStatus

__all__ = ["graph_svg"]

_CAPTION = 18.0
_CORNER = 8.0


def graph_svg(
    alignment: GraphAlignment,
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str = "differing",
    theme: str = "light",
    legend: bool = True,
    title: str | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
    interactive: bool = False,
) -> str:
    """Draw two aligned semantic graphs as one, over the words of the sentence.

    Parameters
    ----------
    alignment : GraphAlignment
        The graphs and what they share.
    fold : bool, optional
        Leave out what is the same in both and beside no difference; by default in texts of more than 25 words.
    unfolded : frozenset of int
        First pieces of the folded parts of the text that are opened.
    properties : {"differing", "all", "none"}
        Which properties stand in the boxes.
    theme : {"light", "dark", "auto"}
        Colours; ``"auto"`` follows the page it stands in.
    legend : bool
        Explain the marks that occur, under the drawing.
    title : str, optional
        A heading in the drawing.
    gold_name, test_name : str
        What the two graphs are called.
    interactive : bool
        Add what the viewer needs: nodes and roles that take the focus, handles that fold.

    Returns
    -------
    str
        An SVG document.
    """
    layout = layout_graph(alignment, fold, unfolded, properties)
    names = {"gold": gold_name, "test": test_name}
    painter = _Painter(layout, names, interactive=interactive)
    said = _missing(alignment, names)
    headings = [(title, 14.0, "heading"), (said, 11.0, "soft")]
    content, top = [], 0.0
    for text, size, class_ in headings:
        if text:
            top += _CAPTION
            content.append(text_element(text, 12.0, top - 2, size, class_, anchor="start"))
    width = max([layout.width, *(24 + text_width(text, 14.0) for text, _, _ in headings if text)])
    if legend:
        width = max(width, 220.0)
    aside = number((width - layout.width) / 2)
    content.append(element("g", *painter.drawing(), transform=f"translate({aside} {number(top)})"))
    bottom = top + layout.height
    if legend:
        drawn, height = graph_legend_rows(_seen(layout), names, width, bottom + 6)
        content += drawn
        bottom += height
    label = title or f"semantic graphs of {gold_name} and {test_name}"
    return document(
        width,
        bottom,
        content,
        theme=theme,
        label=label,
        class_="graph",
        middle=top + layout.middle,
        more_rules=GRAPH_RULES,
    )


def _missing(alignment: GraphAlignment, names: dict[str, str]) -> str:
    without = [names[side] for side in ("gold", "test") if getattr(alignment, side) is None]
    return "; ".join(f"{name}: no graph" for name in without)


def _seen(layout: GraphLayout) -> list[str]:
    """Return the marks and outlines that are drawn; a line that differs is drawn as gold text and parse text."""
    seen = {placed.node.status for placed in layout.nodes} | {placed.role.status for placed in layout.roles}
    texts = [(line.status, line.text, line.other, line.before) for placed in layout.nodes for line in placed.node.lines]
    texts += [(placed.role.status, placed.role.label, placed.role.other, "") for placed in layout.roles]
    seen |= {mark for text in texts for mark, _ in parts_of(*text) if mark}
    return [kind for kind in GRAPH_LEGEND if kind in seen]


class _Painter:
    """Writes the elements of one layout."""

    def __init__(self, layout: GraphLayout, names: dict[str, str], *, interactive: bool) -> None:
        self.layout = layout
        self.names = names
        self.interactive = interactive
        self.by_number = {placed.node.number: placed.node for placed in layout.nodes}
        self.roles_of: dict[int, list[PlacedRole]] = defaultdict(list)
        for placed in layout.roles:
            self.roles_of[placed.role.source].append(placed)
            if placed.role.target != placed.role.source:
                self.roles_of[placed.role.target].append(placed)

    def drawing(self) -> list[str]:
        """Return all elements, those below first."""
        layout = self.layout
        lines = [part for placed in layout.roles for part in self._line(placed)]
        return [
            *lines,
            *map(self._node, layout.nodes),
            *map(self._role, layout.roles),
            *map(self._word, layout.words),
        ]

    def _line(self, placed: PlacedRole) -> list[str]:
        kind = placed.role.status
        way = rounded_path(placed.points, _CORNER)
        named = {"data_side": "gold", "data_child": placed.role.number}
        drawn = [element("path", class_="halo", d=way), element("path", class_=f"edge {kind}", d=way, **named)]
        if kind == "inserted":
            drawn.append(element("path", class_="core", d=way))
        drawn.append(element("polygon", class_=f"tip {kind}", points=arrow_head(placed.points, 6.0)))
        if self.interactive:
            drawn.append(element("path", class_="grip", d=way, **named))
        return drawn

    def _whose(self, status: str) -> str:
        return GRAPH_LEGEND[status].format(**self.names)

    def _surface(self, node: DrawnNode) -> str:
        if node.first is None or node.last is None:
            return ""
        words = [piece.full for piece in self.layout.pieces[node.first : node.last + 1]]
        return f" “{' '.join(words[:4])}{' …' if len(words) > 4 else ''}”"

    def _node_says(self, node: DrawnNode) -> str:
        said = [f"{node.name} {node.spans}{self._surface(node)}", self._whose(node.status)]
        for line in node.lines:
            if line.kind in ("constant", "property", "top"):
                said.append(
                    line.says + (f" {self._whose(line.status)}" if line.status in ("deleted", "inserted") else "")
                )
        return " · ".join(said)

    def _group(self, number_: int, kind: str, says: str, together: Iterable[int], content: list[str]) -> str:
        return element(
            "g",
            f"<title>{escape(says)}</title>",
            *content,
            class_=f"node {kind}",
            data_side="gold",
            data_node=number_,
            data_with=" ".join(map(str, together)) or None,
            tabindex=0 if self.interactive else None,
            role="graphics-symbol",
            aria_label=says,
            **self._pieces(number_),
        )

    def _pieces(self, number_: int) -> dict[str, object]:
        node = self.by_number.get(number_)
        if node is None or node.first is None or node.last is None:
            return {}
        return {"data_words": f"{node.first} {node.last}"}

    def _node(self, placed: PlacedPredicate) -> str:
        node, box = placed.node, placed.box
        content = []
        if node.status != "matched":
            content.append(
                element("rect", class_="ground", x=box.left, y=box.top, width=box.width, height=box.height, rx=4)
            )
        content += outline(box, NodeStatus(node.status))
        y = box.top + (box.height - sum(LINE_SIZES[line.kind] * LEADING for line in node.lines)) / 2
        for line in node.lines:
            size = LINE_SIZES[line.kind]
            class_ = "predicate" if line.kind == "predicate" else f"small {line.kind}"
            parts = parts_of(line.status, line.text, line.other, line.before)
            written = marked_parts(parts, box.x, y + size * LEADING / 2, size, class_)
            content.append(element("g", *written, class_=line.status))
            y += size * LEADING
        origin = "surface" if node.surface else "grammar"
        together = [
            one
            for role in self.roles_of[node.number]
            for one in (role.role.number, role.role.source, role.role.target)
            if one != node.number
        ]
        return self._group(node.number, f"pred {origin} {node.status}", self._node_says(node), together, content)

    def _role(self, placed: PlacedRole) -> str:
        role, box = placed.role, placed.box
        source, target = self.by_number[role.source], self.by_number[role.target]
        says = f"{source.name} {role.says} {target.name} · {self._whose(role.status)}"
        size = {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
        content = [element("rect", class_="ground", **size), element("rect", class_="hit", rx=3, **size)]
        parts = parts_of(role.status, role.label, role.other)
        content += marked_parts(parts, box.x, box.y, ROLE_SIZE, "label")
        return self._group(role.number, f"arc role {role.status}", says, (role.source, role.target), content)

    def _word(self, placed: PlacedPiece) -> str:
        box = placed.box
        size = {"x": box.left, "y": box.top + 2, "width": box.width, "height": box.height - 4}
        content = [f"<title>{escape(placed.full)}</title>"]
        content.append(element("rect", class_="fold" if placed.folded else "hit", rx=4, **size))
        content.append(text_element(placed.text, box.x, box.y, WORD_SIZE, "form"))
        if self.interactive and placed.opens:
            x, y = box.x, box.bottom + 2
            corners = ((x, y - 2.5), (x + 4, y + 2.5), (x - 4, y + 2.5))
            points = " ".join(f"{number(a)},{number(b)}" for a, b in corners)
            content.append(element("polygon", class_="handle", points=points))
        return element(
            "g",
            *content,
            class_="cell folded" if placed.folded else "cell",
            data_first=placed.first,
            data_last=placed.last,
            data_fold=placed.first if placed.folded or placed.opens else None,
        )
