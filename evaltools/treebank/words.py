"""The words of trees as text, without building the trees."""

from __future__ import annotations

import re

__all__ = ["words_of"]

_LABEL_OR_WORD = {
    "ptb": re.compile(r"\([ ]*[^ ()]*|([^ ()]+)"),
    "sampson": re.compile(r"\[[ ]*[^ \[\]]*|([^ \[\]]+)"),
}


def words_of(text: str, notation: str) -> list[str]:
    """Return the words of a tree's text.

    Parameters
    ----------
    text : str
        A tree on one line, with no white space but blanks between its parts.
    notation : {"ptb", "sampson"}
        Its brackets.

    Examples
    --------
    >>> words_of("(S (NP it) (VP (V rains)))", "ptb")
    ['it', 'rains']
    """
    return [word for word in _LABEL_OR_WORD[notation].findall(text) if word]
