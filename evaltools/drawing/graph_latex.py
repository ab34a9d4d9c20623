"""Two semantic graphs for LaTeX: a TikZ picture of our own layout."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.drawing.graph_labels import LEADING, LINE_SIZES, ROLE_SIZE, WORD_SIZE, parts_of
from evaltools.drawing.graph_layout import layout_graph
from evaltools.drawing.graph_shapes import GRAPH_LEGEND, GraphLayout, PlacedPiece, PlacedPredicate, PlacedRole
from evaltools.drawing.latex import colour_definitions, escape_latex, preamble
from evaltools.drawing.shapes import Point
from evaltools.metrics.edm_alignment import GraphAlignment

__all__ = ["graph_latex"]

_MARKS = {"deleted": r"\ensuremath{<}", "inserted": r"\ensuremath{>}", "swapped": r"\ensuremath{\neq}"}
_LINES = {
    "matched": "draw=black!45, line width=.5pt",
    "deleted": "draw=evaldeleted, dashed, line width=.9pt",
    "inserted": "draw=evalinserted, double, line width=.6pt",
    "swapped": "draw=evalswapped, line width=.9pt",
}
_BOXES = {
    "matched": "draw=black!35, fill=black!6, line width=.4pt",
    "deleted": "draw=evaldeleted, fill=evaldeleted!10, dashed, line width=.9pt",
    "inserted": "draw=evalinserted, fill=evalinserted!10, double, line width=.5pt",
    "swapped": "draw=evalswapped, fill=evalswapped!10, line width=.9pt",
}
_GRAMMAR = "draw=black!35, fill=white, line width=.4pt"
_PT = 0.75  # a CSS pixel in points


def graph_latex(
    alignment: GraphAlignment,
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    properties: str = "differing",
    standalone: bool = False,
    legend: bool = True,
    gold_name: str = "gold",
    test_name: str = "test",
) -> str:
    """Return two aligned semantic graphs as a TikZ picture with the colours and marks of the SVG.

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
    standalone : bool
        A whole document that compiles; otherwise the picture with its colours, for a document that loads ``tikz``.
    legend : bool
        Explain the marks that occur, under the picture.
    gold_name, test_name : str
        What the two graphs are called.

    Returns
    -------
    str
        A picture, or a document.
    """
    layout = layout_graph(alignment, fold, unfolded, properties)
    picture = [
        r"\begin{tikzpicture}[x=.75pt, y=-.75pt, every node/.style={inner sep=0pt, font=\sffamily},",
        r"  evalrole/.style={->, >=stealth, rounded corners=4pt}, evalbox/.style={rounded corners=2.5pt}]",
        *map(_line, layout.roles),
        *(line for placed in layout.nodes for line in _node(placed)),
        *map(_label, layout.roles),
        *map(_word, layout.words),
        *(_legend(layout, {"gold": gold_name, "test": test_name}) if legend else ()),
        r"\end{tikzpicture}",
    ]
    if not standalone:
        return "\n".join([*colour_definitions(), *picture])
    return "\n".join([*preamble("tikz"), *colour_definitions(), r"\begin{document}", *picture, r"\end{document}", ""])


def _at(point: Point) -> str:
    return f"({point[0]:.1f},{point[1]:.1f})"


def _font(size: float) -> str:
    return rf"\fontsize{{{size * _PT:.1f}}}{{{size * _PT * 1.2:.1f}}}\selectfont"


def _written(parts: Sequence[tuple[str, str]]) -> str:
    texts = [
        (rf"\textcolor{{eval{mark}}}{{{_MARKS[mark]}}}\," if mark else "") + escape_latex(text) for mark, text in parts
    ]
    return r"\ ".join(texts)


def _line(placed: PlacedRole) -> str:
    return rf"\draw[evalrole, {_LINES[placed.role.status]}] {' -- '.join(map(_at, placed.points))};"


def _label(placed: PlacedRole) -> str:
    role = placed.role
    text = rf"{_font(ROLE_SIZE)}\strut {_written(parts_of(role.status, role.label, role.other))}"
    return rf"\node[fill=white, inner xsep=1.5pt, inner ysep=0pt] at {_at((placed.box.x, placed.box.y))} {{{text}}};"


def _node(placed: PlacedPredicate) -> list[str]:
    node, box = placed.node, placed.box
    style = _GRAMMAR if node.status == "matched" and not node.surface else _BOXES[node.status]
    size = f"minimum width={box.width * _PT:.1f}pt, minimum height={box.height * _PT:.1f}pt"
    lines = [rf"\node[evalbox, {style}, {size}] at {_at((box.x, box.y))} {{}};"]
    y = box.y - sum(LINE_SIZES[line.kind] * LEADING for line in node.lines) / 2
    for line in node.lines:
        size_of = LINE_SIZES[line.kind]
        text = _written(parts_of(line.status, line.text, line.other, line.before))
        soft = "" if line.kind == "predicate" else r"\color{black!70}"
        lines.append(rf"\node at {_at((box.x, y + size_of * LEADING / 2))} {{{_font(size_of)}{soft}\strut {text}}};")
        y += size_of * LEADING
    return lines


def _word(placed: PlacedPiece) -> str:
    box = placed.box
    size = f"minimum width={box.width * _PT:.1f}pt, minimum height={(box.height - 4) * _PT:.1f}pt"
    style = f"draw=black!35, fill=black!8, rounded corners=2pt, {size}" if placed.folded else ""
    return rf"\node[{style}] at {_at((box.x, box.y))} {{{_font(WORD_SIZE)}\strut {escape_latex(placed.text)}}};"


def _legend(layout: GraphLayout, names: dict[str, str]) -> list[str]:
    seen = {line.status for placed in layout.nodes for line in placed.node.lines}
    seen |= {placed.node.status for placed in layout.nodes} | {placed.role.status for placed in layout.roles}
    lines: list[str] = []
    x, y = 12.0, layout.height + 14
    for kind in (kind for kind in GRAPH_LEGEND if kind in seen and kind in _MARKS):
        said = escape_latex(GRAPH_LEGEND[kind].format(**names))
        lines.append(rf"\draw[{_LINES[kind]}] {_at((x, y))} -- {_at((x + 30, y))};")
        mark = rf"\textcolor{{eval{kind}}}{{{_MARKS[kind]}}}"
        lines.append(rf"\node[fill=white, inner xsep=1.5pt] at {_at((x + 15, y))} {{\footnotesize {mark}}};")
        lines.append(rf"\node[anchor=west] at {_at((x + 36, y))} {{\footnotesize {said}}};")
        x += 170.0
    return lines
