"""A link as a QR code, to be read from a projection by a phone."""

from __future__ import annotations

from collections.abc import Sequence

import segno

__all__ = ["qr_svg"]

_QUIET = 3
"""Modules of white around the code."""


def qr_svg(link: str, module: int = 5) -> str:
    """Draw a link as a QR code, black on white in both themes, which is what phones read.

    Parameters
    ----------
    link : str
        The link.
    module : int
        Width of the smallest square in pixels.

    Returns
    -------
    str
        SVG; one that says the link to those who do not see it.

    Raises
    ------
    ValueError
        If the link is too long for a QR code.

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
    """Return where dark modules begin and end."""
    edges = [
        place for place in range(len(row) + 1) if (place < len(row) and row[place]) != (place > 0 and row[place - 1])
    ]
    return list(zip(edges[::2], edges[1::2], strict=True))
