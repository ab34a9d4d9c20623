"""Alignments and trees as standalone SVG."""

from __future__ import annotations

from xml.sax.saxutils import escape

from evaltools.drawing.layout import LABEL_SIZE, TAG_SIZE, WORD_SIZE, layout_alignment, layout_tree
from evaltools.drawing.legend import legend_rows
from evaltools.drawing.markup import (
    arrow_head,
    document,
    elbow_path,
    element,
    number,
    rounded_path,
    text_element,
)
from evaltools.drawing.measure import shorten, text_width, visible
from evaltools.drawing.pieces import bar, brace, handle, hit, marked, outline, tie_element, tie_says
from evaltools.drawing.shapes import Box, Layout, PlacedNode, WordCell
from evaltools.metrics.mapping import Alignment, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = ["alignment_svg", "tree_svg"]

_MATCHED = NodeStatus.MATCHED
_CAPTION = 16.0


def alignment_svg(
    alignment: Alignment,
    mapping: str = "t",
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    theme: str = "light",
    legend: bool = True,
    title: str | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
    interactive: bool = False,
) -> str:
    """Draw two aligned trees, the gold tree above and the test tree mirrored below.

    Parameters
    ----------
    alignment : Alignment
        The trees and their mappings.
    mapping : {"t", "e"}
        Which mapping to show.
    fold : bool, optional
        Fold what is identical into triangles; by default in sentences of more than 25 words.
    unfolded : frozenset of int
        Gold nodes whose triangles are opened one step.
    theme : {"light", "dark", "auto"}
        Colours; ``"auto"`` follows the page it stands in.
    legend : bool
        Explain the marks that occur, under the drawing.
    title : str, optional
        A heading in the drawing.
    gold_name, test_name : str
        What the two trees are called.
    interactive : bool
        Add what the alignment viewer needs: nodes that take the focus, handles that fold.

    Returns
    -------
    str
        An SVG document.
    """
    layout = layout_alignment(alignment, mapping, fold, unfolded)
    painter = _Painter(layout, {"gold": alignment.gold, "test": alignment.test}, interactive)
    painter.names = {"gold": gold_name, "test": test_name}
    top = (26.0 if title else 0.0) + _CAPTION
    content = [text_element(title, 12.0, 16.0, 14.0, "heading", anchor="start")] if title else []
    content.append(text_element(gold_name, 12.0, top - 5, 11.0, "soft", anchor="start"))
    bottom = top + layout.height
    below = test_name if len(alignment.test) else f"{test_name}: no parse"
    content.append(text_element(below, 12.0, bottom + 4, 11.0, "soft", anchor="start"))
    width = max(layout.width, 24 + max(text_width(text or "", 14.0) for text in (title, gold_name, below)))
    if legend:
        width = max(width, 190.0)
    aside = number((width - layout.width) / 2)
    content.append(element("g", *painter.drawing(), transform=f"translate({aside} {number(top)})"))
    bottom += _CAPTION
    if legend:
        seen = {node.status for node in layout.nodes}
        seen |= {status for cell in layout.words for status in (cell.gold_status, cell.test_status) if status}
        rows, legend_height = legend_rows(seen, {tie.how for tie in layout.ties}, width, bottom + 6)
        content += rows
        bottom += legend_height
    label = title or f"{mapping.upper()}-mapping of {gold_name} and {test_name}"
    return document(width, bottom, content, theme=theme, label=label, class_="alignment", middle=top + layout.middle)


def tree_svg(tree: Tree, *, theme: str = "light", title: str | None = None) -> str:
    """Draw one tree above its words.

    Parameters
    ----------
    tree : Tree
        What to draw.
    theme : {"light", "dark", "auto"}
        Colours.
    title : str, optional
        A heading in the drawing.

    Returns
    -------
    str
        An SVG document.
    """
    layout = layout_tree(tree)
    painter = _Painter(layout, {"gold": tree}, False)
    top = 26.0 if title else 0.0
    content = [text_element(title, 12.0, 16.0, 14.0, "heading", anchor="start")] if title else []
    content.append(element("g", *painter.drawing(), transform=f"translate(0 {number(top)})"))
    width = max(layout.width, 24 + text_width(title or "", 14.0))
    return document(width, layout.height + top, content, theme=theme, label=title or "tree", class_="tree")


class _Painter:
    """Writes the elements of one layout."""

    def __init__(self, layout: Layout, trees: dict[str, Tree], interactive: bool):
        self.layout = layout
        self.trees = trees
        self.interactive = interactive
        self.names = {"gold": "gold", "test": "test"}
        self.aligned: dict[tuple[str, int], list[str]] = {}
        for tie in layout.ties:
            how = tie_says(tie.how, tie.characters)
            for side, node, other, partner in (
                ("gold", tie.gold, "test", tie.test),
                ("test", tie.test, "gold", tie.gold),
            ):
                says = f"aligned with “{shorten(self._form(other, partner), 60)}”: {how}"
                self.aligned.setdefault((side, node), []).append(says)

    def drawing(self) -> list[str]:
        """Return everything, from back to front."""
        parts = [
            element("polygon", class_="triangle", points=" ".join(f"{number(x)},{number(y)}" for x, y in node.triangle))
            for node in self.layout.nodes
            if node.triangle
        ]
        for edge in self.layout.edges:
            parts.append(
                element(
                    "path",
                    class_=f"edge {edge.side}",
                    data_side=edge.side,
                    data_child=edge.child,
                    d=elbow_path(edge.points),
                )
            )
        for link in self.layout.links:
            way = rounded_path(link.points, 7)
            drawn = [element("path", class_="halo", d=way)]
            drawn.append(element("path", class_=f"link {link.status}", d=way))
            if link.status is NodeStatus.MOVED:
                drawn.append(element("polygon", class_="head", points=arrow_head(link.points)))
            parts.append(element("g", *drawn, class_="bond", data_gold=link.gold, data_test=link.test))
        parts += [brace(ends) for ends in self.layout.braces]
        for tie in self.layout.ties:
            words = (self._form("gold", tie.gold), self._form("test", tie.test))
            parts.append(tie_element(tie, words))
        parts += [self.node(node) for node in self.layout.nodes]
        parts += [self.cell(cell) for cell in self.layout.words]
        return parts

    def _says(self, side: str, node: int, status: NodeStatus, partner: int | None) -> str:
        tree = self.trees[side]
        words = self._form(side, node)
        parts = [visible(tree.labels[node])]
        if tree.kinds[node] is not Kind.WORD and words:
            parts.append(f"“{shorten(words, 60)}”")
        other = "test" if side == "gold" else "gold"
        where = self.names[side]
        if status is NodeStatus.DELETED:
            parts.append(f"deleted: only in {where}")
        elif status is NodeStatus.INSERTED:
            parts.append(f"inserted: only in {where}")
        elif partner is not None and other in self.trees:
            label = visible(self.trees[other].labels[partner])
            words_of = {NodeStatus.SWAPPED: f"swapped with {label}", NodeStatus.MOVED: "moved"}
            if status in words_of or (side, node) not in self.aligned:
                parts.append(words_of.get(status, f"matched with {label}"))
        return " · ".join([*parts, *self.aligned.get((side, node), ())])

    def _form(self, side: str, node: int) -> str:
        start, end = self.trees[side].span(node)
        return " ".join(map(visible, self.trees[side].words[start:end]))

    def _group(self, content: list[str], side: str, node: int, classes: str, **more: object) -> str:
        parent = self.trees[side].parents[node]
        return element(
            "g",
            *content,
            class_=f"node {side} {classes}",
            data_side=side,
            data_node=node,
            data_parent=parent if parent >= 0 else None,
            **more,
        )

    def node(self, node: PlacedNode) -> str:
        """Draw a phrase or preterminal with its mark and outline."""
        box, status = node.box, node.status
        says = self._says(node.side, node.node, status, node.partner)
        if node.triangle:
            says += f" · {len(node.hidden)} nodes folded"
        content = [f"<title>{escape(says)}</title>", *outline(box, status)]
        size = TAG_SIZE if node.kind is Kind.PRETERMINAL else LABEL_SIZE
        content += marked(node.label, box, size, "label", status)
        if self.interactive and node.fold is not None and not node.triangle:
            content.append(handle(box, node.side))
        classes = f"{status} {node.kind.name.lower()}" + (" folded" if node.triangle else "")
        return self._group(
            content,
            node.side,
            node.node,
            classes,
            data_partner=node.partner,
            data_fold=node.fold,
            data_hidden=" ".join(map(str, node.hidden)) or None,
            tabindex=0 if self.interactive else None,
            role="graphics-symbol",
            aria_label=says,
        )

    def cell(self, cell: WordCell) -> str:
        """Draw a word, or the words of a triangle; what each tree says of it stands above and below it."""
        box = cell.box
        text = text_element(cell.text, box.x, box.y, WORD_SIZE, "form")
        if cell.fold is not None:
            return element(
                "g",
                f"<title>{escape(cell.full)}</title>",
                hit(box),
                text,
                class_="cell folded",
                data_fold=cell.fold,
                data_hidden_gold=" ".join(map(str, cell.hidden_gold)) or None,
                data_hidden_test=" ".join(map(str, cell.hidden_test)) or None,
            )
        shows = [
            (side, node, status, partner)
            for side, node, status, partner in (
                ("gold", cell.gold, cell.gold_status, cell.gold_partner),
                ("test", cell.test, cell.test_status, cell.test_partner),
            )
            if node is not None and status is not None
        ]
        alike = len({status for _, _, status, _ in shows}) == 1
        groups = []
        for place, (side, node, status, partner) in enumerate(shows):
            says = self._says(side, node, status, partner)
            reach = box if place == 0 else Box(box.x, box.y + box.height / 3, box.width, box.height / 3)
            content = [f"<title>{escape(says)}</title>", hit(reach)]
            shown = _MATCHED
            if alike and place == 0:
                content += outline(box, status)
                shown = status
            elif not alike:
                content += bar(box, side, status)
            if place == 0:
                content += marked(cell.text, box, WORD_SIZE, "form", shown)
            focus = self.interactive and (place == 0 or status is not _MATCHED)
            groups.append(
                self._group(
                    content,
                    side,
                    node,
                    f"{status} word",
                    data_partner=partner,
                    tabindex=0 if focus else None,
                    role="graphics-symbol",
                    aria_label=says,
                )
            )
        if alike:  # one word to the eye: what stands for the gold tree is on top
            groups.reverse()
        return element("g", *groups, class_="cell", data_word=cell.position)
