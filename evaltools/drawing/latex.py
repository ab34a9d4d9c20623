"""Trees and alignments for LaTeX: forest for one tree, a TikZ picture of our own layout for two."""

from __future__ import annotations

from evaltools.drawing.layout import LABEL_SIZE, MARK_WIDTH, TAG_SIZE, WORD_SIZE, layout_alignment
from evaltools.drawing.measure import visible
from evaltools.drawing.palette import COLOURS, LEGEND, TIES
from evaltools.drawing.shapes import Box, Layout, Point, WordCell
from evaltools.metrics.mapping import Alignment, NodeStatus, WordMatch
from evaltools.treebank import Kind, Tree

__all__ = ["alignment_latex", "colour_definitions", "escape_latex", "preamble", "tree_latex"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": r"{-}",
    "…": r"\ldots{}",
    "∅": r"\ensuremath{\emptyset}",
}

_MARKS = {
    NodeStatus.DELETED: r"\ensuremath{<}",
    NodeStatus.INSERTED: r"\ensuremath{>}",
    NodeStatus.SWAPPED: r"\ensuremath{\neq}",
    NodeStatus.MOVED: r"\ensuremath{\gg}",
}

_STYLES = {
    NodeStatus.MATCHED: "",
    NodeStatus.DELETED: "draw=evaldeleted, fill=evaldeleted!10, dashed, line width=.9pt",
    NodeStatus.INSERTED: "draw=evalinserted, fill=evalinserted!10, double, line width=.5pt",
    NodeStatus.SWAPPED: "draw=evalswapped, fill=evalswapped!10, line width=.9pt",
    NodeStatus.MOVED: "draw=evalmoved, fill=evalmoved!10, line width=.9pt",
}

_PT = 0.75  # a CSS pixel in points


def escape_latex(text: str) -> str:
    r"""Return text that LaTeX prints as it is.

    Examples
    --------
    >>> print(escape_latex("-LRB- 50% of $x_1"))
    {-}LRB{-} 50\% of \$x\_1
    """
    return "".join(_SPECIAL.get(char, char) for char in visible(text))


def preamble(*packages: str) -> list[str]:
    """Return the beginning of a document that compiles.

    Parameters
    ----------
    *packages : str
        What to load besides fonts and colours.
    """
    lines = [
        r"\documentclass[border=4pt]{standalone}",
        "% Words in other scripts need XeLaTeX or LuaLaTeX and a \\setmainfont that has them.",
        r"\usepackage{iftex}",
        r"\iftutex\usepackage{fontspec}\else\usepackage[T1]{fontenc}\fi",
        r"\usepackage{textcomp}",
        r"\usepackage{xcolor}",
    ]
    return lines + [rf"\usepackage{{{package}}}" for package in packages]


def colour_definitions() -> list[str]:
    """Return the definitions of the colours ``evaldeleted``, ``evalinserted``, ``evalswapped`` and ``evalmoved``."""
    return [
        rf"\definecolor{{eval{status.value}}}{{HTML}}{{{colour.removeprefix('#')}}}"
        for status, colour in COLOURS.items()
    ]


def tree_latex(tree: Tree, *, standalone: bool = False) -> str:
    r"""Return one tree for the LaTeX package forest.

    Parameters
    ----------
    tree : Tree
        What to draw; a forest becomes several pictures beside one another.
    standalone : bool
        A whole document that compiles instead of the environment alone.

    Returns
    -------
    str
        A picture, or a document.

    Examples
    --------
    >>> print(tree_latex(Tree.from_string("(S (N dogs) (V bark))")))
    \begin{forest}
    [{S} [{N} [{dogs}]] [{V} [{bark}]]]
    \end{forest}
    """
    written: list[str] = []
    for node, label in enumerate(tree.labels):
        children = tree.children(node)
        inner = "".join(f" {written[child]}" for child in children)
        written.append(f"[{{{escape_latex(label)}}}{inner}]")
    pictures = [line for root in tree.roots for line in (r"\begin{forest}", written[root], r"\end{forest}")]
    if not standalone:
        return "\n".join(pictures)
    return "\n".join([*preamble("forest"), r"\begin{document}", *pictures, r"\end{document}", ""])


def alignment_latex(
    alignment: Alignment,
    mapping: str = "t",
    *,
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    standalone: bool = False,
    legend: bool = True,
) -> str:
    """Return two aligned trees as a TikZ picture with the colours and marks of the SVG.

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
    standalone : bool
        A whole document that compiles; otherwise the picture with its colours, for a document that
        loads ``tikz``.
    legend : bool
        Explain the marks that occur, under the picture.

    Returns
    -------
    str
        A picture, or a document.
    """
    layout = layout_alignment(alignment, mapping, fold, unfolded)
    colours = colour_definitions()
    picture = [
        r"\begin{tikzpicture}[x=.75pt, y=-.75pt, every node/.style={inner sep=0pt, font=\sffamily},",
        r"  evaledge/.style={draw=black!45, line width=.5pt, rounded corners=1.5pt},",
        r"  evaltie/.style={draw=black!65, line width=.7pt},",
        r"  evalbox/.style={rounded corners=2pt},",
        r"  evallink/.style={line width=1.1pt, rounded corners=3pt}]",
        *_lines(layout),
        *(line for node in layout.nodes for line in _node(node.box, node.label, node.status, _size(node.kind))),
        *(line for cell in layout.words for line in _cell(cell)),
        *(_legend(layout) if legend else ()),
        r"\end{tikzpicture}",
    ]
    if not standalone:
        return "\n".join([*colours, *picture])
    return "\n".join([*preamble("tikz"), *colours, r"\begin{document}", *picture, r"\end{document}", ""])


def _size(kind: Kind) -> float:
    return TAG_SIZE if kind is Kind.PRETERMINAL else LABEL_SIZE


def _at(point: Point) -> str:
    return f"({point[0]:.1f},{point[1]:.1f})"


def _lines(layout: Layout) -> list[str]:
    lines = [
        rf"\path[fill=black!8, draw=black!35] {' -- '.join(map(_at, node.triangle))} -- cycle;"
        for node in layout.nodes
        if node.triangle
    ]
    lines += [rf"\draw[evaledge] {' -- '.join(map(_at, edge.points))};" for edge in layout.edges]
    for link in layout.links:
        style = "dotted" if link.status is NodeStatus.SWAPPED else "->"
        lines.append(rf"\draw[evallink, eval{link.status}, {style}] {' -- '.join(map(_at, link.points))};")
    lines += [rf"\draw[evaltie, line width=.9pt] {' -- '.join(map(_at, ends))};" for ends in layout.braces]
    return lines + [line for tie in layout.ties for line in _tie(tie.how, *tie.points)]


def _tie(how: WordMatch, start: Point, end: Point) -> list[str]:
    """Return the line between two aligned words: plain, dotted, or with a ring for characters in common."""
    style = ", dotted" if how is WordMatch.FOLDED else ""
    lines = [rf"\draw[evaltie{style}] {_at(start)} -- {_at(end)};"]
    if how is WordMatch.CHARACTERS:
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        lines.append(rf"\draw[evaltie, fill=white] {_at(middle)} circle[radius=2.4pt];")
    return lines


def _node(box: Box, label: str | None, status: NodeStatus, size: float) -> list[str]:
    points = size * _PT
    font = rf"\fontsize{{{points:.1f}}}{{{points * 1.2:.1f}}}\selectfont"
    text = "" if label is None else escape_latex(label)
    if status in _MARKS:
        text = rf"\textcolor{{eval{status}}}{{{_MARKS[status]}}}\,{text}"
    style = f"evalbox, {_STYLES[status]}, " if _STYLES[status] else ""
    wide = f"minimum width={box.width * _PT:.1f}pt, minimum height={box.height * _PT:.1f}pt"
    return [rf"\node[{style}{wide}] at {_at((box.x, box.y))} {{{font}\strut {text}}};"]


def _cell(cell: WordCell) -> list[str]:
    statuses = {status for status in (cell.gold_status, cell.test_status) if status is not None}
    if len(statuses) < 2:
        return _node(cell.box, cell.text, statuses.pop() if statuses else NodeStatus.MATCHED, WORD_SIZE)
    lines = _node(cell.box, cell.text, NodeStatus.MATCHED, WORD_SIZE)
    for status, y, inward in ((cell.gold_status, cell.box.top, 2.5), (cell.test_status, cell.box.bottom, -2.5)):
        if status is None or status is NodeStatus.MATCHED:
            continue
        dashed = ", dashed" if status is NodeStatus.DELETED else ""
        for at in (y, y + inward) if status is NodeStatus.INSERTED else (y,):
            ends = f"{_at((cell.box.left, at))} -- {_at((cell.box.right, at))}"
            lines.append(rf"\draw[eval{status}, line width=.9pt{dashed}] {ends};")
        place = _at((cell.box.right + 4, y))
        lines.append(rf"\node[text=eval{status}] at {place} {{\tiny {_MARKS[status]}}};")
    return lines


def _legend(layout: Layout) -> list[str]:
    seen = {node.status for node in layout.nodes}
    seen |= {status for cell in layout.words for status in (cell.gold_status, cell.test_status) if status}
    lines: list[str] = []
    x, y = 12.0, layout.height + 14
    for status in (status for status in LEGEND if status in _MARKS and status in seen):
        lines += _node(Box(x + MARK_WIDTH, y, 24, 15), None, status, TAG_SIZE)
        lines.append(rf"\node[anchor=west] at {_at((x + 30, y))} {{\footnotesize {escape_latex(LEGEND[status])}}};")
        x += 150.0
    if x > 12 and layout.ties:
        x, y = 12.0, y + 20
    for how in (how for how in TIES if how in {tie.how for tie in layout.ties}):
        lines += _tie(how, (x + MARK_WIDTH, y - 8), (x + MARK_WIDTH, y + 8))
        lines.append(rf"\node[anchor=west] at {_at((x + 30, y))} {{\footnotesize {escape_latex(TIES[how])}}};")
        x += 190.0 if how is WordMatch.FOLDED else 150.0
    return lines
