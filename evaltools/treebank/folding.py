"""Words as they are compared across tokenisations."""

from __future__ import annotations

import re

__all__ = ["folded", "unescaped"]

_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
_ESCAPED_BRACKET = re.compile("-([lr][rsc]b)-", re.IGNORECASE)
_OTHERS = (("``", '"'), ("''", '"'), ("\\/", "/"), ("\\*", "*"))
_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019`", "\"\"\"'''")


def unescaped(word: str) -> str:
    r"""Return a word without the treebank's escapes, and with straight quotes.

    Parameters
    ----------
    word : str
        A word.

    Examples
    --------
    >>> [unescaped(word) for word in ("The", "-LRB-", "``", "1\\/2", "Governor-LRB-s-RRB-")]
    ['The', '(', '"', '1/2', 'Governor(s)']
    """
    if word.isalnum():
        return word
    word = _ESCAPED_BRACKET.sub(lambda found: _BRACKETS[found[1].lower()], word)
    for escaped, plain in _OTHERS:
        word = word.replace(escaped, plain)
    return word.translate(_QUOTES)


def folded(word: str) -> str:
    r"""Return a word without what tokenisers change in it: case, the treebank's escapes, the form of quotes.

    Parameters
    ----------
    word : str
        A word.

    Examples
    --------
    >>> [folded(word) for word in ("The", "-LRB-", "``", "1\\/2")]
    ['the', '(', '"', '1/2']
    """
    return unescaped(word.casefold())
