"""Parts of a marked sentence: one repair alone, with what is correct, or without words far from any mark."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from evaltools.corpus import Span
from evaltools.marks import Mark, Marks, Word

_WORDS_KEPT = 2
"""Words kept on both sides of a mark in a shortened sentence."""


def numbers_of(marks: Marks, mark: Mark) -> tuple[int, ...]:
    """Return the numbers of the repairs that a mark is drawn with: its own, and those it is a parent of."""
    parents = (
        repair.number
        for repair in marks.repairs
        if mark.kind == "bracket" and mark.node == (repair.gold_parent, repair.test_parent)[mark.side == "test"]
    )
    return tuple(sorted({*mark.repairs, *parents}))


def focused(marks: Marks, number: int | None) -> Marks:
    """Return the marked sentence with the marks of one repair alone; with all if there is no such repair."""
    repairs = tuple(repair for repair in marks.repairs if repair.number == number)
    if not repairs:
        return marks
    return replace(
        marks,
        marks=tuple(mark for mark in marks.marks if number in numbers_of(marks, mark)),
        links=tuple(link for link in marks.links if number in link.repairs),
        repairs=repairs,
    )


def shortened(marks: Marks) -> Marks:
    """Return the marked sentence with an ellipsis for every stretch of words that is far from any mark.

    Examples
    --------
    >>> from evaltools.marks import Status
    >>> words = tuple(Word(letter, at) for at, letter in enumerate("abcdefgh"))
    >>> mark = Mark("bracket", "gold", 1, "X", (Span(6, 8),), Status.MISSING)
    >>> short = shortened(Marks(words, (mark,)))
    >>> [word.form for word in short.words], short.marks[0].stretches
    (['… 4 …', 'e', 'f', 'g', 'h'], (Span(start=3, end=5),))
    """
    causes = [mark for mark in marks.marks if not mark.follows] or marks.marks
    stretches = chain(*(mark.stretches for mark in causes), *(repair.moved for repair in marks.repairs))
    ends = {at for start, end in stretches for at in (start, end - 1)}
    ends |= {at for link in marks.links for at in (link.source, link.target) if at is not None}
    near = {at + shift for at in ends for shift in range(-_WORDS_KEPT, _WORDS_KEPT + 1)}
    own_row = len(marks.words) if marks.own_row is None else marks.own_row
    words: list[Word] = []
    index: list[int] = []  # New index of each word
    left_out = 0
    for at, word in enumerate(marks.words):
        if at in near or at >= own_row:
            left_out = 0
            words.append(word)
        else:
            left_out += 1
            form = f"… {left_out} …" if left_out > 1 else "…"
            words[-1 if left_out > 1 else len(words) :] = [Word(form, None)]
        index.append(len(words) - 1)

    def short(stretches: tuple[Span, ...]) -> tuple[Span, ...]:
        return tuple(Span(index[start], index[end - 1] + 1) for start, end in stretches)

    return replace(
        marks,
        words=tuple(words),
        marks=tuple(replace(mark, stretches=short(mark.stretches)) for mark in marks.marks),
        links=tuple(
            replace(link, source=None if link.source is None else index[link.source], target=index[link.target])
            for link in marks.links
        ),
        repairs=tuple(replace(repair, moved=short(repair.moved)) for repair in marks.repairs),
        own_row=None if marks.own_row is None else index[marks.own_row],
    )


def with_right(marks: Marks) -> Marks:
    """Return the marked sentence with what is correct among its marks."""
    drawn = {(mark.kind, mark.side, mark.node) for mark in marks.marks}
    right = tuple(mark for mark in marks.right if (mark.kind, mark.side, mark.node) not in drawn)
    return replace(marks, marks=(*marks.marks, *right), links=(*marks.links, *marks.right_links))
