"""What a drawing of semantic graphs means: its marks explained, texts with their marks, and how it looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaltools.drawing.arcs_svg import ARC_RULES
from evaltools.drawing.graph_labels import MARK_ROOM, PART, parts_width
from evaltools.drawing.graph_shapes import GRAPH_LEGEND
from evaltools.drawing.markup import document, element, mark_element, number, text_element
from evaltools.drawing.measure import text_width
from evaltools.drawing.pieces import outline
from evaltools.drawing.shapes import Box
from evaltools.metrics.mapping import NodeStatus

__all__ = ["GRAPH_RULES", "graph_legend_rows", "graph_legend_svg", "marked_parts"]

_SIZE = 11.0

GRAPH_RULES = (
    ARC_RULES
    + """\
.evaltools .pred>.ground{fill:PAPER}
.evaltools .pred.matched>.box{fill:FAINT;stroke:LINE;stroke-width:.8}
.evaltools .pred.matched.grammar>.box{fill:PAPER;stroke-dasharray:none}
.evaltools .pred .predicate{font-weight:500}
.evaltools .pred.grammar .matched>.predicate{fill:SOFT;font-weight:400}
.evaltools .node .mark.deleted{stroke:DELETED}
.evaltools .node .mark.inserted{stroke:INSERTED}
.evaltools .pred .matched>.small{fill:SOFT}
.evaltools .role>.label{font-size:10.5px}
"""
)
"""The style of such a drawing."""


def graph_legend_svg(
    theme: str = "light",
    kinds: tuple[str, ...] = tuple(GRAPH_LEGEND),
    gold_name: str = "gold",
    test_name: str = "test",
) -> str:
    """Draw the marks of nodes and roles and what they mean, in one row.

    Parameters
    ----------
    theme : {"light", "dark", "auto"}
        Colours.
    kinds : tuple of str
        Which ones to explain, as the palette calls them.
    gold_name, test_name : str
        What the two graphs are called.

    Returns
    -------
    str
        An SVG document.
    """
    names = {"gold": gold_name, "test": test_name}
    width = 24 + sum(text_width(GRAPH_LEGEND[kind].format(**names), _SIZE) + 66 for kind in kinds)
    drawn, height = graph_legend_rows(kinds, names, width, 4.0)
    label = "what the marks mean"
    return document(width, height, drawn, theme=theme, label=label, class_="legend", more_rules=GRAPH_RULES)


def marked_parts(parts: Sequence[tuple[str, str]], x: float, y: float, size: float, class_: str) -> list[str]:
    """Return parts of a text, each with its mark before it, centred together."""
    at = x - parts_width(parts, size) / 2
    drawn = []
    for mark, text in parts:
        if mark:
            shown = mark_element(NodeStatus(mark), at + MARK_ROOM / 2 - 1, y, 0.85)
            drawn.append(shown.replace('class="mark"', f'class="mark {mark}"', 1))
            at += MARK_ROOM
        width = text_width(text, size)
        drawn.append(text_element(text, at + width / 2, y, size, class_, is_name="constant" not in class_))
        at += width + PART
    return drawn


def graph_legend_rows(
    kinds: Iterable[str], names: Mapping[str, str], width: float, y: float
) -> tuple[list[str], float]:
    """Return the entries of the legend, in as many rows as they need, and their height."""
    x, rows, drawn = 12.0, 0, []
    for kind in kinds:
        said = GRAPH_LEGEND[kind].format(**names)
        size = text_width(said, _SIZE) + 56
        if x + size > width and x > 12:
            x, rows = 12.0, rows + 1
        middle = y + rows * 20 + 6
        line = f"M{number(x + 26)} {number(middle)}H{number(x + 44)}"
        sample = [element("path", class_=f"edge {kind}", d=line)]
        if kind == "inserted":
            sample.append(element("path", class_="core", d=line))
        place = Box(x + 13, middle, 24, 15)
        mark = mark_element(NodeStatus(kind), place.x, place.y, 0.85)
        sample += [*outline(place, NodeStatus(kind)), *([mark] if mark else [])]
        drawn.append(element("g", *sample, class_=f"key pred {kind}"))
        drawn.append(text_element(said, x + 50, middle, _SIZE, "soft plain", anchor="start"))
        x += size + 10
    return drawn, (rows + 1) * 20.0 + 6 if drawn else 0.0
