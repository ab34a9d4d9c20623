"""Where the words of two sentences begin to differ, for problems."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.corpus.folding import folded
from evaltools.text import count_of, excerpt, told_apart

__all__ = ["first_difference"]


def first_difference(test: Sequence[str], gold: Sequence[str]) -> tuple[str, str]:
    """Return the first word that differs, or how many words there are, of both sides.

    Examples
    --------
    >>> first_difference(["It", "rains"], ["it", "snows"]), first_difference(["It"], ["it", "snows"])
    (("word 2 'rains'", "word 2 'snows'"), ('1 word', "word 2 'snows'"))
    """
    both = enumerate(zip(gold, test, strict=False))
    index = next((index for index, (a, b) in both if folded(a) != folded(b)), min(len(gold), len(test)))
    if index < min(len(gold), len(test)):
        found, expected = told_apart(test[index], gold[index])
        return f"word {index + 1} {found}", f"word {index + 1} {expected}"
    return _word_or_number(test, index), _word_or_number(gold, index)


def _word_or_number(words: Sequence[str], index: int) -> str:
    """Return the word at an index; if there is none, how many words there are."""
    if index < len(words):
        return f"word {index + 1} {excerpt(words[index])!r}"
    return f"{count_of(len(words), 'word')}"
