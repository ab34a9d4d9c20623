"""The words of trees as text, without building the trees."""

from __future__ import annotations

import re

from evaltools.treebank.arrangement import disc_words
from evaltools.treebank.bracket_text import Kind

__all__ = ["words_of"]

_ROUND = re.compile(r"\([ ]*[^ ()]*|([^ ()]+)")
_LABEL_OR_WORD = {
    "ptb": _ROUND,
    "functions": _ROUND,
    "discbracket": _ROUND,
    "sampson": re.compile(r"\[[ ]*[^ \[\]]*|([^ \[\]]+)"),
}


def words_of(text: str, notation: str) -> list[str]:
    """Return the words of a tree's text.

    Parameters
    ----------
    text : str
        A tree on one line, with no white space but blanks between its parts.
    notation : {"ptb", "sampson", "functions", "discbracket"}
        Its brackets.

    Examples
    --------
    >>> words_of("(S (NP it) (VP (V rains)))", "ptb")
    ['it', 'rains']
    """
    found = [word for word in _LABEL_OR_WORD[notation].findall(text) if word]
    if notation != "discbracket":
        return found
    kinds = [Kind.WORD] * len(found)
    forms, positions = disc_words(found, kinds)
    return [form for _, form in sorted(zip(positions, forms, strict=True))]
