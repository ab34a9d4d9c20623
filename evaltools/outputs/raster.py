"""Drawings as PNG and PDF, rendered without a browser or a network.

The renderer uses the first face of a list that the machine has and, for a text with a letter or sign missing there, any
face that has it, bold or not, with serifs or not. So texts with letters beyond Latin ones and rare signs ask first for
a face with many of them.
"""

from __future__ import annotations

import re
from html import unescape

from evaltools.drawing.svg import FONT
from evaltools.errors import missing_package

try:
    import vl_convert
except ImportError:
    raise missing_package("PNG and PDF", "vl-convert-python", "charts") from None


_POINTS = 0.75  # of a CSS pixel
_FACES = f"'DejaVu Sans',{FONT}"
_RARE = re.compile("[^\0-\u024f\u2000-\u206f←-↓−≠≤≥]")
"""What usual faces lack, or some of them."""
_TEXT = re.compile(r"<text( [^>]*)>([^<]*)</text>")
_OPENING = re.compile(r"<text( [^>]*)>")
_ANCHOR = re.compile(r' text-anchor="([^"]*)"')
_SIZE = re.compile(r'(?<= )(width|height)="([\d.]+)"')
_STYLED = re.compile(r' style="([^"]*?);?"')


def _with_faces(svg: str) -> str:
    """Add faces with many letters and signs to every text that has rare ones."""

    def with_faces(match: re.Match[str]) -> str:
        attributes, content = match.groups()
        if not _RARE.search(unescape(content)):
            return match.group()
        styled = _STYLED.search(attributes)
        style = f"{styled.group(1)};" if styled else ""
        return f'<text{_STYLED.sub("", attributes)} style="{style}font-family:{_FACES}">{content}</text>'

    return svg if svg.isascii() else _TEXT.sub(with_faces, svg)


def _from_left(svg: str) -> str:
    """Return a drawing whose texts from right to left name the end that is at the left or right of a point.

    In SVG they start at their right end; the renderer takes the start of every text for its left end.
    """

    def turned(match: re.Match[str]) -> str:
        attributes = match.group(1)
        anchor = _ANCHOR.search(attributes)
        if 'direction="rtl"' not in attributes or (anchor and anchor.group(1) == "middle"):
            return match.group()
        rest = _ANCHOR.sub("", attributes)
        return f'<text{rest} text-anchor="{"start" if anchor and anchor.group(1) == "end" else "end"}">'

    return _OPENING.sub(turned, svg)


def drawing_png(svg: str, *, scale: float = 2.0) -> bytes:
    """Turn a drawing into PNG."""
    return bytes(vl_convert.svg_to_png(_with_faces(_from_left(svg)), scale=scale))


def drawing_pdf(svg: str) -> bytes:
    """Turn a drawing into a PDF of one page that is as large as the drawing."""

    def points(match: re.Match[str]) -> str:
        return f'{match.group(1)}="{float(match.group(2)) * _POINTS:.2f}"'

    head, bracket, rest = _with_faces(_from_left(svg)).partition(">")
    return bytes(vl_convert.svg_to_pdf(_SIZE.sub(points, head) + bracket + rest))
