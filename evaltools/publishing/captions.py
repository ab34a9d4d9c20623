r"""What a picture shows, and how its figures came about, written into its file in every language.

Examples
--------
>>> print(caption_latex("Two trees.\nrun:1|x_1", "\\draw;"))
% Two trees.
% run:1|x_1
% \caption{Two trees. run:1\textbar{}x\_1}
\draw;
>>> print(caption_dot("Two trees.", "graph {}"))
// Two trees.
graph {}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.writers.latex import escape_latex
from evaltools.drawing.writers.svg import number, text_element

__all__ = ["caption_dot", "caption_json", "caption_latex", "caption_svg", "caption_text"]

_SIZE, _LEADING, _SIDE, _ABOVE = 10.5, 14.0, 12.0, 8.0
_NARROWEST = 340.0
_BREAKS = re.compile(r"[^\s|]+[|]?|[|]|\s+")
_BOX = re.compile(r' width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"')
_PAPER = re.compile(r'<rect class="paper" width="[\d.]+" height="[\d.]+"/>')


def _lines(caption: str) -> list[str]:
    return [visible(line.strip()) for line in caption.splitlines() if line.strip()]


def _wrapped(line: str, width: float) -> Iterator[str]:
    """Break a line at blanks and after bars, and a word that is too long for a line where it has to be."""
    row = ""
    for piece in _BREAKS.findall(line):
        if text_width(row + piece.rstrip(), _SIZE) <= width:
            row += piece
            continue
        if row.strip():
            yield row.rstrip()
        row = piece.lstrip()
        while text_width(row, _SIZE) > width:
            fits = next(at for at in range(len(row), 0, -1) if at == 1 or text_width(row[:at], _SIZE) <= width)
            yield row[:fits]
            row = row[fits:]
    if row.strip():
        yield row.rstrip()


def caption_svg(caption: str, svg: str) -> str:
    """Write a caption below a drawing, and into its description for those who do not see it.

    Parameters
    ----------
    caption : str
        The text; its lines are kept, long ones are broken.
    svg : str
        A drawing of :mod:`evaltools.drawing`; a narrow one gets wider paper.
    """
    said = _lines(caption)
    size = _BOX.search(svg)
    if not said or size is None:
        return svg
    width, height = float(size.group(1)), float(size.group(2))
    broad = max(width, _NARROWEST)
    rows = [row for line in said for row in _wrapped(line, broad - 2 * _SIDE)]
    tall = height + _ABOVE + _LEADING * len(rows) + _ABOVE
    sizes = {"w": number(broad), "h": number(tall)}
    svg = _BOX.sub(' width="{w}" height="{h}" viewBox="0 0 {w} {h}"'.format(**sizes), svg, count=1)
    svg = _PAPER.sub('<rect class="paper" width="{w}" height="{h}"/>'.format(**sizes), svg, count=1)
    svg = svg.replace("</title>", f"</title><desc>{escape(' '.join(said))}</desc>", 1)
    texts = [
        text_element(
            row, _SIDE, height + _ABOVE + _LEADING * (place + 0.5), _SIZE, "soft", anchor="start", is_name=True
        )
        for place, row in enumerate(rows)
    ]
    return f'{svg.removesuffix("</svg>")}<g class="caption">{"".join(texts)}</g></svg>'


def caption_latex(caption: str, source: str) -> str:
    """Write a caption above a drawing in LaTeX, as remarks: as it is, and ready to be copied.

    Parameters
    ----------
    caption : str
        The text.
    source : str
        The drawing.
    """
    said = _lines(caption)
    ready = [rf"\caption{{{escape_latex(' '.join(said)).replace('{-}', '-')}}}"] if said else []
    return "\n".join([*(f"% {line}" for line in (*said, *ready)), source])


def caption_dot(caption: str, source: str) -> str:
    """Write a caption above a drawing in DOT, as a remark.

    Parameters
    ----------
    caption : str
        The text.
    source : str
        The drawing.
    """
    return "\n".join([*(f"// {line}" for line in _lines(caption)), source])


def caption_text(caption: str, source: str) -> str:
    """Write a caption below a drawing that is text.

    Parameters
    ----------
    caption : str
        The text.
    source : str
        The drawing.
    """
    return "\n".join([source.rstrip("\n"), "", *_lines(caption), ""]) if caption else source


def caption_json(caption: str, source: str) -> str:
    """Write a caption as the first entry of a JSON object.

    Parameters
    ----------
    caption : str
        The text.
    source : str
        The object.
    """
    if not caption:
        return source
    return json.dumps({"caption": " ".join(_lines(caption))} | json.loads(source), ensure_ascii=False, indent=1) + "\n"
