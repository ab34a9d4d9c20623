"""Words between the first and the last one of a bracket that are not in it, as tables have them."""

from __future__ import annotations

from evaltools.corpus.stretches import gap_spans

__all__ = ["words_of"]


def words_of(start: int, end: int, gaps: str) -> list[int]:
    """Return the positions of the words of a bracket.

    Examples
    --------
    >>> words_of(2, 8, "3-5 6-7"), words_of(2, 4, "")
    ([2, 5, 7], [2, 3])
    """
    left = set(range(start, end))
    for gap in gap_spans(gaps):
        left -= set(range(*gap))
    return sorted(left)
