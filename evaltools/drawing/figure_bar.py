"""A figure as a bar from 0 with its 95 % interval, for a cell of a table."""

from __future__ import annotations

import math
from urllib.parse import quote

FIGURE_BAR_WIDTH = 142
"""Width of a column of them in pixels."""
_WIDTH, _HEIGHT, _THICKNESS, _CAP = 130.0, 24.0, 9.0, 20.0
_BAR, _INTERVAL = "rgba(127, 169, 201, 0.7)", "#1E7FC2"
"""Both are legible on white and on dark: a picture in a cell does not know the theme."""


def figure_bar(value: float, low: float, high: float, end: float) -> str:
    """Return the address (``data:``) of an SVG.

    Parameters
    ----------
    value : float
        The length of the bar.
    low, high : float
        The ends of the interval; NaN for none.
    end : float
        What the whole width stands for.

    Returns
    -------
    str
        The address.
    """

    def at(number: float) -> float:
        return round(_WIDTH * min(max(number / end, 0.0), 1.0), 1) if end else 0.0

    middle = _HEIGHT / 2
    parts = [f'<rect y="{middle - _THICKNESS / 2}" width="{at(value)}" height="{_THICKNESS}" fill="{_BAR}"/>']
    if not math.isnan(low):
        top, bottom = middle - _CAP / 2, middle + _CAP / 2
        line = f"M{at(low)} {top}V{bottom}M{at(high)} {top}V{bottom}M{at(low)} {middle}H{at(high)}"
        parts.append(f'<path d="{line}" stroke="{_INTERVAL}" stroke-width="2"/>')
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}">{"".join(parts)}</svg>'
    return f"data:image/svg+xml,{quote(svg)}"
