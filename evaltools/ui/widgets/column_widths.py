"""Widths of columns of tables in the browser, in pixels."""

from __future__ import annotations

__all__ = ["heading_width", "text_width"]

_EDGES, _LETTER = 18, 6.5
_FIGURE = 7


def heading_width(title: str, minimum: int = 58) -> int:
    """Return the width of a column that shows its heading and short figures.

    Examples
    --------
    >>> heading_width("F1"), heading_width("Tree edit (Dice)")
    (58, 122)
    """
    return max(minimum, round(_EDGES + _LETTER * len(title)))


def text_width(n_letters: int) -> int:
    """Return the width of a column of texts with figures, the longest of some number of letters.

    Examples
    --------
    >>> text_width(len("1.81 (n 223)"))
    102
    """
    return _EDGES + _FIGURE * n_letters
