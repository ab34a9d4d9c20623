"""Labels with function tags: ``PP-LOC-CLR-2`` is a PP with the functions LOC and CLR."""

from __future__ import annotations

import re

__all__ = ["split_label"]

_LABEL = re.compile("(-[^-=]*-|[^-=]+|)(.*)", re.DOTALL)
_PARTS = re.compile("[-=]")


def split_label(label: str) -> tuple[str, tuple[str, ...]]:
    """Split a label into its category and its functions; numbers, which are indices, are left out.

    Parameters
    ----------
    label : str
        A label as in the Penn Treebank.

    Returns
    -------
    (str, tuple of str)
        The category, and the functions in their order.

    Examples
    --------
    >>> split_label("PP-LOC-CLR-2"), split_label("NP=1"), split_label("S-root"), split_label("-NONE-")
    (('PP', ('LOC', 'CLR')), ('NP', ()), ('S', ('root',)), ('-NONE-', ()))
    """
    match = _LABEL.fullmatch(label)
    assert match is not None  # it fits every text
    category, rest = match.groups()
    return category, tuple(part for part in _PARTS.split(rest) if part and not (part.isascii() and part.isdigit()))
