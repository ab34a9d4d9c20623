"""Links as QR codes, for phones to read from a projection."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import segno

_QUIET = 3
"""Modules of white around the code."""


def qr_svg(link: str, module: int = 5) -> str:
    """Draw a link as a QR code, black on white in both themes, which is what phones read.

    Examples
    --------
    >>> qr_svg("http://192.168.1.5:8501")[:34]
    '<svg xmlns="http://www.w3.org/2000'
    """
    code = segno.make_qr(link, error="m")
    rows = [list(row) for row in code.matrix_iter(border=_QUIET)]
    size = len(rows)
    path = "".join(
        f"M{start} {y}h{end - start}v1h-{end - start}z" for y, row in enumerate(rows) for start, end in _runs(row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qr" width="{size * module}" height="{size * module}" '
        f'viewBox="0 0 {size} {size}" role="img" aria-label="QR code of the link" shape-rendering="crispEdges">'
        f'<rect width="{size}" height="{size}" fill="#ffffff"/><path fill="#000000" d="{path}"/></svg>'
    )


def _runs(row: Sequence[int]) -> list[tuple[int, int]]:
    """Return the spans of dark modules."""
    edges = [index for index, (before, module) in enumerate(pairwise((0, *row, 0))) if before != module]
    return list(zip(edges[::2], edges[1::2], strict=True))
