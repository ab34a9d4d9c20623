"""The sentences as running text, cut into words by a simple tokeniser: a parser that is given text has to.

It knows spaces and punctuation, and nothing of the treebank's conventions: *could n't*, *pianist 's*, *$ 48* and *12 %* are
one word each to it, and quotation marks are straight. Brackets are spelled as in the treebank, since the file format needs that.
"""

from __future__ import annotations

import re

__all__ = ["own_words", "running_text"]

_TO_THE_LEFT = {"n't", "'s", "'re", "'ll", "'ve", "'d", "'m", "%", ",", ".", "?", "!", ":", ";", "...", "-RRB-", "''"}
_TO_THE_RIGHT = {"$", "``", "-LRB-"}
_PRINTED = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}
_WORD = re.compile(r"\.\.\.|[.,;:?!](?=[\s\")]|$)|[()\"]|(?:(?![.,;:?!](?:[\s\")]|$))[^\s()\"])+")
_WRITTEN = {"(": "-LRB-", ")": "-RRB-"}


def running_text(words: list[str]) -> str:
    """Return a sentence as it would be printed.

    Examples
    --------
    >>> running_text(["It", "is", "the", "pianist", "'s", "aunt", "-LRB-", "12", "%", "-RRB-", "."])
    "It is the pianist's aunt (12%)."
    """
    text, after = "", ""
    for word in words:
        close = not text or word in _TO_THE_LEFT or after in _TO_THE_RIGHT
        text += ("" if close else " ") + _PRINTED.get(word, word)
        after = word
    return text


def own_words(words: list[str]) -> list[str]:
    """Return the words that the tokeniser finds in a sentence given by the treebank's words.

    Examples
    --------
    >>> own_words(["It", "costs", "$", "48", "-LRB-", "I", "could", "n't", "-RRB-", "."])
    ['It', 'costs', '$48', '-LRB-', 'I', "couldn't", '-RRB-', '.']
    """
    return [_WRITTEN.get(word, word) for word in _WORD.findall(running_text(words))]
