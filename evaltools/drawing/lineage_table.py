"""The edit-distance table of two lineages as a picture, with the cheapest path through it."""

from __future__ import annotations

from xml.sax.saxutils import escape

from evaltools.drawing.markup import document, element, mark_element, number, text_element
from evaltools.drawing.measure import shorten, text_width, visible
from evaltools.metrics.lineage_table import LineageTable
from evaltools.metrics.mapping import NodeStatus

__all__ = ["lineage_table_svg"]

_SIZE, _ROW, _LONGEST = 13.0, 30.0, 12

_RULES = """\
.evaltools .grid{fill:none;stroke:FAINT;stroke-width:1}
.evaltools .way{fill:none;stroke:LINE;stroke-width:2.4;stroke-linejoin:round;stroke-linecap:round}
.evaltools .number{font-variant-numeric:tabular-nums}
.evaltools .cell .field{fill:PAPER;stroke:LINE;stroke-width:1.2}
.evaltools .cell.matched .field{fill:FAINT;stroke:LINE}
.evaltools .cell text{font-weight:600}
.evaltools .result .field{stroke:INK;stroke-width:2}
"""


def _status(table: LineageTable, place: int) -> NodeStatus:
    """Return by what kind of step the path comes to its cell at a place."""
    (i, j), (k, m) = table.path[place - 1], table.path[place]
    if k > i and m > j:
        return NodeStatus.MATCHED if table.costs[k][m] == table.costs[i][j] else NodeStatus.SWAPPED
    return NodeStatus.DELETED if k > i else NodeStatus.INSERTED


def lineage_table_svg(
    table: LineageTable, *, theme: str = "light", gold_name: str = "gold", test_name: str = "test"
) -> str:
    """Draw the table of two lineages: the gold one downwards, the test one across.

    Parameters
    ----------
    table : LineageTable
        The table.
    theme : {"light", "dark", "auto"}
        Colours.
    gold_name, test_name : str
        What the two trees are called.

    Returns
    -------
    str
        An SVG document. Cells on the path have the colour and the mark of their step.
    """
    names = [shorten(visible(symbol), _LONGEST) for symbol in table.gold]
    heads = [shorten(visible(symbol), _LONGEST) for symbol in table.test]
    first = max([text_width(name, _SIZE) for name in names] + [text_width(gold_name, 11.0) + 8, 24.0]) + 18
    widths = [46.0, *(max(46.0, text_width(head, _SIZE) + 16) for head in heads)]
    edges = [first]
    for width in widths:
        edges.append(edges[-1] + width)
    top = 46.0

    def middle(i: int, j: int) -> tuple[float, float]:
        return (edges[j] + edges[j + 1]) / 2, top + _ROW * (i + 0.5)

    parts = [
        text_element(f"{test_name} →", edges[1] + 4, 12.0, 11.0, "soft", anchor="start"),
        text_element(f"{gold_name} ↓", 8.0, 34.0, 11.0, "soft", anchor="start"),
    ]
    parts += [text_element(head, middle(0, j)[0], 34.0, _SIZE, "symbol") for j, head in enumerate(heads, start=1)]
    parts += [text_element(name, first / 2, middle(i, 0)[1], _SIZE, "symbol") for i, name in enumerate(names, start=1)]
    bottom = top + _ROW * (len(names) + 1)
    lines = [f"M{number(edge)} {number(top)}V{number(bottom)}" for edge in edges]
    lines += [f"M{number(first)} {number(top + _ROW * row)}H{number(edges[-1])}" for row in range(len(names) + 2)]
    parts.append(element("path", class_="grid", d="".join(lines)))
    way = "L".join(f"{number(x)} {number(y)}" for x, y in (middle(*cell) for cell in table.path))
    parts.append(element("path", class_="way", d=f"M{way}"))
    on_path = {cell: place for place, cell in enumerate(table.path)}
    for i, row in enumerate(table.costs):
        for j, cost in enumerate(row):
            x, y = middle(i, j)
            if (i, j) in on_path:
                parts.append(_cell(table, on_path[i, j], x, y))
            else:
                parts.append(text_element(f"{cost:g}", x, y, _SIZE, "number soft"))
    label = f"edit distance of two lineages: {table.distance:g}"
    return document(edges[-1] + 10, bottom + 10, parts, theme=theme, label=label, class_="table", more_rules=_RULES)


def _cell(table: LineageTable, place: int, x: float, y: float) -> str:
    """Draw a cell of the path: how much it costs up to there, and by what step the path came."""
    i, j = table.path[place]
    status = _status(table, place) if place else NodeStatus.MATCHED
    gold, test = (shorten(visible(line[at - 1]), 24) if at else "" for line, at in ((table.gold, i), (table.test, j)))
    says = {
        NodeStatus.MATCHED: f"{gold} in both: no cost" if place else "the beginning",
        NodeStatus.SWAPPED: f"{gold} replaced by {test}",
        NodeStatus.DELETED: f"{gold} deleted: 1",
        NodeStatus.INSERTED: f"{test} inserted: 1",
    }[status]
    field = {"x": x - 20, "y": y - 11, "width": 40.0, "height": 22.0, "rx": 4}
    marked = status is not NodeStatus.MATCHED
    return element(
        "g",
        f"<title>{escape(says)}</title>",
        element("rect", class_="field", **field),
        element("rect", class_="box", **field),
        mark_element(status, x - 12, y, 0.8) if marked else "",
        text_element(f"{table.costs[i][j]:g}", x + (6 if marked else 0), y, _SIZE, "number"),
        class_=f"cell {status}" + (" result" if place == len(table.path) - 1 else ""),
        role="graphics-symbol",
        aria_label=says,
    )
