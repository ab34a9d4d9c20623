"""The words under a drawing of semantic graphs: the text, cut where nodes begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaltools.drawing.measure import shorten, visible
from evaltools.treebank.semantic_graph import Anchors

__all__ = ["Piece", "pieces_of", "place_of"]

_LONGEST = 30


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of the text, or a part of one that nodes stand for.

    Parameters
    ----------
    start, end : int
        Its characters.
    text : str
        What is shown.
    full : str
        All of it.
    joined : bool
        Whether no white space comes before it.
    """

    start: int
    end: int
    text: str
    full: str
    joined: bool = False


def pieces_of(text: str, anchors: Iterable[Anchors]) -> tuple[Piece, ...]:
    """Cut a text into words, and words where a node begins or ends within them.

    Parameters
    ----------
    text : str
        The sentence; where it is empty, the ranges of the nodes stand in for words.
    anchors : iterable of Anchors
        What the nodes stand for.

    Examples
    --------
    >>> [piece.text for piece in pieces_of("We cannot go.", [((3, 6),), ((6, 9),), ((10, 12),)])]
    ['We', 'can', 'not', 'go.']
    """
    ranges = sorted({(start, end) for each in anchors for start, end in each if 0 <= start < end})
    if not text.strip():
        return _without_text(ranges)
    pieces: list[Piece] = []
    waiting = 0
    for word in re.finditer(r"\S+", text):
        while waiting < len(ranges) and ranges[waiting][0] < word.start():
            waiting += 1
        inside = []
        for start, end in ranges[waiting:]:
            if start >= word.end():
                break
            if end <= word.end():
                inside.append((start, end))
        pieces += _parts(text, word.start(), word.end(), inside)
    return tuple(pieces)


def _parts(text: str, first: int, last: int, inside: Sequence[tuple[int, int]]) -> list[Piece]:
    """Cut a word where nodes stand for its characters on both sides; punctuation stays with what it clings to."""
    parts = []
    start = first
    for cut in (*sorted({place for each in inside for place in each if first < place < last}), last):
        before = any(start <= low and high <= cut for low, high in inside)
        after = any(cut <= low for low, _ in inside)
        if cut != last and not (before and after and _says(text[start:cut]) and _says(text[cut:last])):
            continue
        parts.append(_piece(start, cut, text[start:cut], joined=start != first))
        start = cut
    return parts


def _says(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _piece(start: int, end: int, text: str, *, joined: bool = False) -> Piece:
    shown = visible(text)
    return Piece(start, end, shorten(shown, _LONGEST), shown, joined)


def _without_text(ranges: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """Let the ranges that contain no other stand in for words."""
    pieces = []
    covered = 0
    for start, end in sorted(ranges, key=lambda each: (each[1], -each[0])):
        if start >= covered:
            pieces.append(_piece(start, end, f"{start}–{end}"))
            covered = end
    return tuple(pieces)


def place_of(anchors: Anchors, pieces: Sequence[Piece]) -> tuple[int, int] | None:
    """Return the first and last piece that a node stands for; None for a node without characters.

    Parameters
    ----------
    anchors : Anchors
        The node's characters; where they are between words or beyond the text, the nearest word is taken.
    pieces : sequence of Piece
        The words.
    """
    anchors = tuple(each for each in anchors if each[0] >= 0)  # some programs write -1 where there are none
    if not anchors or not pieces:
        return None
    found = [
        place
        for place, piece in enumerate(pieces)
        if any(start < piece.end and piece.start < end for start, end in anchors)
    ]
    if not found:
        at = anchors[0][0]
        found = [min(range(len(pieces)), key=lambda place: abs(pieces[place].start - at))]
    return found[0], found[-1]
