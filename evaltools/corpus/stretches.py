"""Sets of words as stretches of adjacent ones: what lies between them is a gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from evaltools.corpus.tree import Span


def stretches_of(positions: Iterable[int]) -> tuple[Span, ...]:
    """Return the stretches of adjacent positions, which are in order.

    Examples
    --------
    >>> stretches_of([0, 2, 3])
    (Span(start=0, end=1), Span(start=2, end=4))
    """
    if isinstance(positions, range) and positions.step == 1:
        return (Span(positions.start, positions.stop),) if positions else ()
    found: list[Span] = []
    for at in positions:
        if found and found[-1].end == at:
            found[-1] = Span(found[-1].start, at + 1)
        else:
            found.append(Span(at, at + 1))
    return tuple(found)


def gaps_of(stretches: Sequence[Span]) -> tuple[Span, ...]:
    """Return what lies between stretches.

    Examples
    --------
    >>> gaps_of([Span(0, 1), Span(2, 4)])
    (Span(start=1, end=2),)
    """
    return tuple(Span(left.end, right.start) for left, right in pairwise(stretches))


def stretches_without(span: Span, gaps: Iterable[Span]) -> tuple[Span, ...]:
    """Return the stretches of a span that are left without gaps in it.

    Examples
    --------
    >>> stretches_without(Span(0, 4), [Span(1, 2)])
    (Span(start=0, end=1), Span(start=2, end=4))
    """
    edges = [span.start, *(edge for gap in gaps for edge in gap), span.end]
    return tuple(Span(*edges[at : at + 2]) for at in range(0, len(edges), 2))


def with_gaps(words: Sequence[str], positions: Iterable[int]) -> list[str]:
    """Return the words at some positions, which are in order, and … for each gap.

    Examples
    --------
    >>> with_gaps(["is", "John", "rich"], [0, 2])
    ['is', '…', 'rich']
    """
    with_dots: list[str] = []
    for start, end in stretches_of(positions):
        with_dots += ["…", *words[start:end]] if with_dots else words[start:end]
    return with_dots


def gap_text(gaps: Iterable[Span]) -> str:
    """Return gaps as a text, as tables and pictures have them.

    Examples
    --------
    >>> gap_text([Span(3, 5), Span(6, 7)])
    '3-5 6-7'
    """
    return " ".join(f"{start}-{end}" for start, end in gaps)


def gap_spans(text: str) -> tuple[Span, ...]:
    """Return the gaps of such a text.

    Examples
    --------
    >>> gap_spans("3-5 6-7")
    (Span(start=3, end=5), Span(start=6, end=7))
    """
    return tuple(Span(*map(int, gap.split("-"))) for gap in text.split())
