"""Multi-function trees, brackets and the steps of TedEval as bars over the words, for LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.drawing.bars_layout import LABEL_SIZE, WORD_SIZE, Chip, FunctionBar, layout_bars
from evaltools.drawing.bracket_bars import bracket_bars
from evaltools.drawing.function_bars import protocol_bars
from evaltools.drawing.latex import colour_definitions, escape_latex, preamble
from evaltools.drawing.shapes import Point
from evaltools.errors import ParameterError
from evaltools.metrics.mapping import Alignment, NodeStatus
from evaltools.metrics.tedeval_protocol import TedEvalProtocol

__all__ = ["bracket_bars_latex", "function_bars_latex", "protocol_latex"]

_BOXES = {
    NodeStatus.MATCHED: "draw=black!45, line width=.4pt",
    NodeStatus.DELETED: "draw=evaldeleted, dashed, line width=.9pt",
    NodeStatus.INSERTED: "draw=evalinserted, double, line width=.5pt",
    NodeStatus.SWAPPED: "draw=evalswapped, line width=.9pt",
    NodeStatus.MOVED: "draw=evalmoved, line width=.9pt",
}
_DISCARDED = "draw=black!45, densely dotted, line width=.4pt"
_PT = 0.75  # a CSS pixel in points


def function_bars_latex(
    words: Sequence[str],
    bars: Sequence[FunctionBar],
    *,
    below: Sequence[FunctionBar] = (),
    standalone: bool = False,
) -> str:
    """Draw nodes as bars over the words, as a TikZ picture with the colours and marks of the SVG.

    Parameters
    ----------
    words : sequence of str
        The words.
    bars : sequence of FunctionBar
        The nodes.
    below : sequence of FunctionBar
        Nodes of another tree over the same words, which hang below them, mirrored.
    standalone : bool
        A whole document that compiles; otherwise the picture with its colours, for a document that loads ``tikz``.

    Returns
    -------
    str
        A picture, or a document.
    """
    layout = layout_bars(words, bars, below)
    picture = [
        r"\begin{tikzpicture}[x=.75pt, y=-.75pt, every node/.style={inner sep=0pt, font=\sffamily},",
        r"  evalbox/.style={fill=white, rounded corners=1.5pt}]",
        *(rf"\draw[draw=black!65, line width=.7pt] {' -- '.join(map(_at, span))};" for span in layout.spans),
        *(rf"\draw[draw=black!45, dotted, line width=.7pt] {' -- '.join(map(_at, gap))};" for gap in layout.gaps),
        *(_chip(chip) for chips in layout.chips for chip in chips),
        *(rf"\node at {_at(place)} {{{_font(WORD_SIZE)}\strut {escape_latex(form)}}};" for form, place in layout.words),
        r"\end{tikzpicture}",
    ]
    if not standalone:
        return "\n".join([*colour_definitions(), *picture])
    return "\n".join([*preamble("tikz"), *colour_definitions(), r"\begin{document}", *picture, r"\end{document}", ""])


def protocol_latex(protocol: TedEvalProtocol, *, standalone: bool = False) -> str:
    """Draw the steps of TedEval on a sentence for LaTeX.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.
    standalone : bool
        A whole document that compiles.

    Returns
    -------
    str
        A picture, or a document.
    """
    return function_bars_latex(protocol.parse.words, protocol_bars(protocol), standalone=standalone)


def bracket_bars_latex(alignment: Alignment, *, part: str = "roof", standalone: bool = False) -> str:
    """Draw the brackets of both trees, and which of them are in both, for LaTeX.

    Parameters
    ----------
    alignment : Alignment
        Two trees over the same words.
    part : {"roof", "whole"}
        Whether tags count.
    standalone : bool
        A whole document that compiles.

    Raises
    ------
    ParameterError
        If the words of the trees differ, or there is no such part.
    """
    gold, test = alignment.gold, alignment.test
    if gold.words != test.words:
        raise ParameterError("the words of the trees differ; bars can be drawn over the same words only")
    above, below = bracket_bars(gold, alignment.e.gold_status, part), bracket_bars(test, alignment.e.test_status, part)
    return function_bars_latex(gold.words, above, below=below, standalone=standalone)


def _at(point: Point) -> str:
    return f"({point[0]:.1f},{point[1]:.1f})"


def _font(size: float) -> str:
    return rf"\fontsize{{{size * _PT:.1f}}}{{{size * _PT * 1.2:.1f}}}\selectfont"


def _chip(chip: Chip) -> str:
    """Draw a function; one that is no error is struck through by a line of its own, which every LaTeX can draw."""
    box = chip.box
    style = _DISCARDED if chip.discarded else _BOXES[chip.status]
    size = f"minimum width={box.width * _PT:.1f}pt, minimum height={box.height * _PT:.1f}pt"
    soft = r"\color{black!65}" if chip.discarded or chip.is_empty else ""
    text = rf"{_font(LABEL_SIZE)}{soft}\strut {escape_latex(chip.text)}"
    drawn = rf"\node[evalbox, {style}, {size}] at {_at((box.x, box.y))} {{{text}}};"
    if not chip.discarded:
        return drawn
    ends = f"{_at((box.left + 4, box.y))} -- {_at((box.right - 4, box.y))}"
    return f"{drawn}\n" + rf"\draw[draw=black!65, line width=.4pt] {ends};"
