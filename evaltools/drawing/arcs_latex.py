"""Two dependency trees for LaTeX: a TikZ picture of our own layout."""

from __future__ import annotations

from evaltools.drawing.arcs_layout import LABEL_SIZE, TAG_SIZE, WORD_SIZE, layout_arcs
from evaltools.drawing.arcs_shapes import ARC_LEGEND, ArcLayout, PlacedArc, PlacedColumn, kind_of, marks_of
from evaltools.drawing.latex import colour_definitions, escape_latex, preamble
from evaltools.drawing.shapes import Point
from evaltools.metrics.dependency_mapping import DependencyAlignment

__all__ = ["arcs_latex"]

_MARKS = {"deleted": r"\ensuremath{<}", "inserted": r"\ensuremath{>}", "swapped": r"\ensuremath{\neq}"}
_LINES = {
    "matched": "draw=black!45, line width=.5pt",
    "left_out": "draw=black!15, line width=.5pt",
    "deleted": "draw=evaldeleted, dashed, line width=.9pt",
    "inserted": "draw=evalinserted, double, line width=.6pt",
    "swapped": "draw=evalswapped, line width=.9pt",
}
_PT = 0.75  # a CSS pixel in points


def arcs_latex(
    alignment: DependencyAlignment,
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    standalone: bool = False,
    legend: bool = True,
) -> str:
    """Return two aligned dependency trees as a TikZ picture with the colours and marks of the SVG.

    Parameters
    ----------
    alignment : DependencyAlignment
        The trees and what the comparison says of their arcs.
    fold : bool, optional
        Fold parts that are equal in both trees; by default in sentences of more than 25 words.
    unfolded : frozenset of int
        Gold words whose folded parts are opened one step.
    standalone : bool
        A whole document that compiles; otherwise the picture with its colours, for a document that loads ``tikz``.
    legend : bool
        Explain the marks that occur, under the picture.

    Returns
    -------
    str
        A picture, or a document.
    """
    layout = layout_arcs(alignment, fold, unfolded)
    picture = [
        r"\begin{tikzpicture}[x=.75pt, y=-.75pt, every node/.style={inner sep=0pt, font=\sffamily},",
        r"  evalarc/.style={->, >=stealth, rounded corners=4pt}]",
        *map(_line, layout.arcs),
        *map(_label, layout.arcs),
        *(line for column in layout.columns for line in _words(column)),
        *(_legend(layout) if legend else ()),
        r"\end{tikzpicture}",
    ]
    if not standalone:
        return "\n".join([*colour_definitions(), *picture])
    return "\n".join([*preamble("tikz"), *colour_definitions(), r"\begin{document}", *picture, r"\end{document}", ""])


def _at(point: Point) -> str:
    return f"({point[0]:.1f},{point[1]:.1f})"


def _font(size: float) -> str:
    return rf"\fontsize{{{size * _PT:.1f}}}{{{size * _PT * 1.2:.1f}}}\selectfont"


def _line(arc: PlacedArc) -> str:
    style = _LINES[kind_of(arc.side, arc.status)]
    return rf"\draw[evalarc, {style}] {' -- '.join(map(_at, arc.points))};"


def _label(arc: PlacedArc) -> str:
    marks = marks_of(arc.side, arc.status)
    shown = "".join(rf"\textcolor{{eval{mark}}}{{{_MARKS[mark]}}}\," for mark in marks)
    ground = "fill=white, inner xsep=1.5pt, inner ysep=0pt"
    text = rf"{_font(LABEL_SIZE)}\strut {shown}{escape_latex(arc.label)}"
    return rf"\node[{ground}] at {_at((arc.box.x, arc.box.y))} {{{text}}};"


def _words(placed: PlacedColumn) -> list[str]:
    column = placed.column
    rows = [placed.gold_box, placed.test_box] if column.differs else [placed.gold_box or placed.test_box]
    lines = []
    for box, text, tag in zip(rows, column.texts, column.tags, strict=True):
        if box is None:
            continue
        size = f"minimum width={box.width * _PT:.1f}pt, minimum height={(box.height - 2) * _PT:.1f}pt"
        style = f"draw=black!35, fill=black!8, rounded corners=2pt, {size}" if column.folded else ""
        y = box.y - 6 if tag else box.y
        lines.append(rf"\node[{style}] at {_at((box.x, y))} {{{_font(WORD_SIZE)}\strut {escape_latex(text)}}};")
        if tag:
            shown = rf"{_font(TAG_SIZE)}\color{{black!65}}\strut {escape_latex(tag)}"
            lines.append(rf"\node at {_at((box.x, box.y + 9))} {{{shown}}};")
    return lines


def _legend(layout: ArcLayout) -> list[str]:
    seen = {mark for arc in layout.arcs for mark in marks_of(arc.side, arc.status)}
    lines: list[str] = []
    x, y = 12.0, layout.height + 14
    for kind in (kind for kind in ARC_LEGEND if kind in seen):
        lines.append(rf"\draw[{_LINES[kind]}] {_at((x, y))} -- {_at((x + 30, y))};")
        mark = rf"\textcolor{{eval{kind}}}{{{_MARKS[kind]}}}"
        lines.append(rf"\node[fill=white, inner xsep=1.5pt] at {_at((x + 15, y))} {{\footnotesize {mark}}};")
        lines.append(rf"\node[anchor=west] at {_at((x + 36, y))} {{\footnotesize {escape_latex(ARC_LEGEND[kind])}}};")
        x += 190.0
    return lines
