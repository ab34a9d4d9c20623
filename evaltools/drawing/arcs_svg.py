"""Two dependency trees as standalone SVG: gold arcs above the words, test arcs below."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from evaltools.drawing.arcs_layout import LABEL_SIZE, MARK_ROOM, TAG_SIZE, WORD_SIZE, layout_arcs
from evaltools.drawing.arcs_shapes import ARC_LEGEND, PlacedArc, PlacedColumn, kind_of, marks_of
from evaltools.drawing.markup import arrow_head, document, element, mark_element, number, rounded_path, text_element
from evaltools.drawing.measure import shorten, text_width, visible
from evaltools.drawing.shapes import Box
from evaltools.metrics.dependency_alignment import align_dependencies
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.metrics.mapping import NodeStatus
from evaltools.treebank import DependencyTree

__all__ = ["ARC_RULES", "arc_legend_svg", "arc_text", "arcs_svg"]

_CAPTION = 16.0
_CORNER = 8.0

ARC_RULES = """\
.evaltools .edge.deleted{stroke:DELETED;stroke-width:1.7;stroke-dasharray:5 3}
.evaltools .edge.inserted{stroke:INSERTED;stroke-width:3.8}
.evaltools .grip{fill:none;stroke:transparent;stroke-width:9}
.evaltools .core{fill:none;stroke:PAPER;stroke-width:1.4}
.evaltools .edge.swapped{stroke:SWAPPED;stroke-width:1.6}
.evaltools .edge.left_out{stroke:FAINT}
.evaltools .tip{fill:LINE}
.evaltools .tip.deleted{fill:DELETED}
.evaltools .tip.inserted{fill:INSERTED}
.evaltools .tip.swapped{fill:SWAPPED}
.evaltools .tip.left_out{fill:FAINT}
.evaltools .arc>.ground{fill:PAPER}
.evaltools .arc.matched>.label,.evaltools .arc.left_out>.label{fill:SOFT}
.evaltools .arc>.label{font-weight:500}
.evaltools .arc>.mark.deleted{stroke:DELETED}
.evaltools .arc>.mark.inserted{stroke:INSERTED}
.evaltools .arc>.mark.swapped{stroke:SWAPPED}
.evaltools .cell>.fold{fill:FAINT;stroke:LINE;stroke-width:1}
"""
"""How the lines of arcs look, by status."""


def arcs_svg(
    alignment: DependencyAlignment,
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
    """Draw two aligned dependency trees: gold arcs above one row of words, test arcs below it.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees and what the comparison says of their arcs.
    fold : bool, optional
        Fold parts that are equal in both trees; by default in sentences of more than 25 words.
    unfolded : frozenset of int
        Gold words whose folded parts are opened one step.
    theme : {"light", "dark", "auto"}
        Colours; ``"auto"`` follows the page it stands in.
    legend : bool
        Explain the marks that occur, under the drawing.
    title : str, optional
        A heading in the drawing.
    gold_name, test_name : str
        What the two trees are called.
    interactive : bool
        Add what the viewer needs: arcs that take the focus, handles that fold.

    Returns
    -------
    str
        An SVG document.
    """
    layout = layout_arcs(alignment, fold, unfolded)
    painter = _Painter(alignment, interactive, {"gold": gold_name, "test": test_name})
    top = (26.0 if title else 0.0) + _CAPTION
    content = [text_element(title, 12.0, 16.0, 14.0, "heading", anchor="start")] if title else []
    content.append(text_element(gold_name, 12.0, top - 5, 11.0, "soft", anchor="start"))
    bottom = top + layout.height
    below = test_name if len(alignment.test) else f"{test_name}: no parse"
    content.append(text_element(below, 12.0, bottom + 4, 11.0, "soft", anchor="start"))
    width = max(layout.width, 24 + max(text_width(text or "", 14.0) for text in (title, gold_name, below)))
    if legend:
        width = max(width, 220.0)
    aside = number((width - layout.width) / 2)
    drawing = [*painter.lines(layout.arcs), *map(painter.arc, layout.arcs), *map(painter.cell, layout.columns)]
    content.append(element("g", *drawing, transform=f"translate({aside} {number(top)})"))
    bottom += _CAPTION
    if legend:
        seen = {kind_of(arc.side, arc.status) for arc in layout.arcs}
        seen |= {mark for arc in layout.arcs for mark in marks_of(arc.side, arc.status)}
        drawn, height = _legend([kind for kind in ARC_LEGEND if kind in seen], width, bottom + 6)
        content += drawn
        bottom += height
    label = title or f"arcs of {gold_name} and {test_name}"
    middle = top + layout.middle
    return document(
        width, bottom, content, theme=theme, label=label, class_="arcs", middle=middle, more_rules=ARC_RULES
    )


def dependency_svg(tree: DependencyTree, *, theme: str = "light") -> str:
    """Draw one dependency tree: its arcs above its words.

    Parameters
    ----------
    tree : DependencyTree
        What to draw.
    theme : {"light", "dark", "auto"}
        Colours.

    Returns
    -------
    str
        An SVG document.
    """
    alignment = align_dependencies(tree, tree, subtypes=True)
    layout = layout_arcs(alignment, False)
    painter = _Painter(alignment, False, {"gold": "tree", "test": "tree"})
    arcs = [arc for arc in layout.arcs if arc.side == "gold"]
    boxes = [box for column in layout.columns for box in (column.gold_box, column.test_box) if box is not None]
    height = max((box.bottom for box in boxes), default=layout.middle) + 8.0
    drawn = [*painter.lines(arcs), *map(painter.arc, arcs), *map(painter.cell, layout.columns)]
    return document(
        layout.width, height, drawn, theme=theme, label="dependency tree", class_="arcs", more_rules=ARC_RULES
    )


def arc_legend_svg(theme: str = "light", kinds: tuple[str, ...] = tuple(ARC_LEGEND)) -> str:
    """Draw the lines and marks of arcs and what they mean, in one row.

    Parameters
    ----------
    theme : {"light", "dark", "auto"}
        Colours.
    kinds : tuple of str
        Which ones to explain, as the palette calls them.

    Returns
    -------
    str
        An SVG document.
    """
    width = 24 + sum(text_width(ARC_LEGEND[kind], 11.0) + 54 for kind in kinds)
    drawn, height = _legend(kinds, width, 4.0)
    label = "what the lines and marks mean"
    return document(width, height, drawn, theme=theme, label=label, class_="legend", more_rules=ARC_RULES)


class _Painter:
    """Writes the elements of one layout."""

    def __init__(self, alignment: DependencyAlignment, interactive: bool, names: dict[str, str]) -> None:
        self.alignment = alignment
        self.interactive = interactive
        self.names = names

    def _tree(self, side: str) -> DependencyTree:
        return self.alignment.gold if side == "gold" else self.alignment.test

    def lines(self, arcs: Iterable[PlacedArc]) -> list[str]:
        """Draw the lines; one that crosses a lower one goes under it."""
        drawn = []
        for arc in arcs:
            kind = kind_of(arc.side, arc.status)
            named = {"data_side": arc.side, "data_child": arc.word}
            way = rounded_path(arc.points, _CORNER)
            drawn.append(element("path", class_="halo", d=way))
            drawn.append(element("path", class_=f"edge {arc.side} {kind}", d=way, **named))
            if kind == "inserted":
                drawn.append(element("path", class_="core", d=way))
            drawn.append(element("polygon", class_=f"tip {kind}", points=arrow_head(arc.points, 6.0)))
            if self.interactive:
                drawn.append(element("path", class_="grip", d=way, **named))
        return drawn

    def says(self, arc: PlacedArc) -> str:
        """Say in words what an arc is and what is wrong with it."""
        tree, other_side = self._tree(arc.side), "test" if arc.side == "gold" else "gold"
        other = self._tree(other_side)
        parts = [f"{visible(tree.forms[arc.word])} · {arc_text(tree, arc.word)}"]
        there, name = self.names[arc.side], self.names[other_side]
        if arc.status is ArcStatus.RIGHT:
            parts.append("right")
        elif arc.status is ArcStatus.LEFT_OUT:
            parts.append("not counted")
        elif arc.partner is None:
            parts.append(f"only {there} has this word" if len(other) else f"{name} has no parse")
        else:
            parts.append(
                {
                    ArcStatus.WRONG_LABEL: "other relation",
                    ArcStatus.WRONG_HEAD: "other head",
                    ArcStatus.BOTH_WRONG: "other head and relation",
                }.get(arc.status, "other word")
            )
            parts.append(f"{name} has {arc_text(other, arc.partner)}")
        return " · ".join(parts)

    def arc(self, arc: PlacedArc) -> str:
        """Draw the relation on its arc, with the marks."""
        box, kind, says = arc.box, kind_of(arc.side, arc.status), self.says(arc)
        marks = marks_of(arc.side, arc.status)
        content = [f"<title>{escape(says)}</title>"]
        content.append(element("rect", class_="ground", x=box.left, y=box.top, width=box.width, height=box.height))
        content.append(element("rect", class_="hit", x=box.left, y=box.top, width=box.width, height=box.height, rx=3))
        for place, mark in enumerate(marks):
            drawn = mark_element(NodeStatus(mark), box.left + 3 + MARK_ROOM * (place + 0.5), box.y, 0.85)
            content.append(drawn.replace('class="mark"', f'class="mark {mark}"', 1))
        middle = box.x + MARK_ROOM * len(marks) / 2
        content.append(text_element(arc.label, middle, box.y, LABEL_SIZE, "label"))
        return element(
            "g",
            *content,
            class_=f"node arc {arc.side} {kind}",
            data_side=arc.side,
            data_node=arc.word,
            data_parent=arc.head,
            data_partner=arc.partner,
            data_status=arc.status,
            tabindex=0 if self.interactive else None,
            role="graphics-symbol",
            aria_label=says,
        )

    def cell(self, placed: PlacedColumn) -> str:
        """Draw a word with its tag, once, or above and below where the words of the trees differ."""
        column = placed.column
        content = [f"<title>{escape(column.full)}</title>"]
        rows = [placed.gold_box, placed.test_box] if column.differs else [placed.gold_box or placed.test_box]
        for box, text, tag in zip(rows, column.texts, column.tags, strict=True):
            if box is not None:
                content += self._word(box, text, tag, folded=column.folded)
        box = placed.box
        if self.interactive and column.opens:
            content.append(_handle(box))
        return element(
            "g",
            *content,
            class_="cell folded" if column.folded else "cell",
            data_word=column.gold if not column.folded else None,
            data_gold=column.gold,
            data_test=column.test,
            data_fold=column.gold if column.folded or column.opens else None,
        )

    def _word(self, box: Box, text: str, tag: str, *, folded: bool) -> list[str]:
        size = {"x": box.left, "y": box.top + 1, "width": box.width, "height": box.height - 2}
        drawn = [element("rect", class_="fold" if folded else "hit", rx=4, **size)]
        y = box.y if folded or not tag else box.y - 6
        drawn.append(text_element(text, box.x, y, WORD_SIZE, "form"))
        if tag and not folded:
            drawn.append(text_element(tag, box.x, box.y + 9, TAG_SIZE, "soft tag"))
        return drawn


def arc_text(tree: DependencyTree, word: int) -> str:
    """Say in words from which word a word hangs, and how.

    Parameters
    ----------
    tree : DependencyTree
        The tree.
    word : int
        The word's position, from 0.
    """
    head = tree.heads[word]
    of = f"of “{shorten(visible(tree.forms[head]), 40)}”" if head >= 0 else "(no head)"
    return f"{visible(tree.relations[word])} {of}"


def _handle(box: Box) -> str:
    """Return the small triangle at a word by which the viewer folds its part again."""
    x, y = box.right + 1, box.y
    corners = ((x, y - 2.5), (x + 4, y + 2.5), (x - 4, y + 2.5))
    return element("polygon", class_="handle", points=" ".join(f"{number(a)},{number(b)}" for a, b in corners))


def _legend(kinds: Iterable[str], width: float, y: float) -> tuple[list[str], float]:
    """Return the entries of the legend, in as many rows as they need, and their height."""
    x, rows, drawn = 12.0, 0, []
    for kind in kinds:
        size = text_width(ARC_LEGEND[kind], 11.0) + 44
        if x + size > width and x > 12:
            x, rows = 12.0, rows + 1
        middle = y + rows * 20 + 6
        line = f"M{number(x)} {number(middle)}H{number(x + 30)}"
        sample = [element("path", class_=f"edge {kind}", d=line)]
        if kind == "inserted":
            sample.append(element("path", class_="core", d=line))
        if kind != "matched":
            ground = element("rect", class_="ground", x=x + 9, y=middle - 6, width=12.0, height=12.0)
            mark = mark_element(NodeStatus(kind), x + 15, middle, 0.85)
            sample += [ground, mark.replace('class="mark"', f'class="mark {kind}"', 1)]
        drawn.append(element("g", *sample, class_=f"key arc {kind}"))
        drawn.append(text_element(ARC_LEGEND[kind], x + 36, middle, 11.0, "soft plain", anchor="start"))
        x += size + 10
    return drawn, (rows + 1) * 20.0 + 6 if drawn else 0.0
