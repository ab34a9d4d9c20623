"""Words as they are compared across tokenizations."""

from __future__ import annotations

import re

__all__ = ["folded", "unescaped"]

_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
_ESCAPED_BRACKET = re.compile("-([lr][rsc]b)-", re.IGNORECASE)
_ESCAPES = (("``", '"'), ("''", '"'), ("\\/", "/"), ("\\*", "*"))
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
    word = _ESCAPED_BRACKET.sub(lambda match: _BRACKETS[match[1].lower()], word)
    for escaped, plain in _ESCAPES:
        word = word.replace(escaped, plain)
    return word.translate(_QUOTES)


def folded(word: str) -> str:
    r"""Return a word without differences between tokenizers: case, the treebank's escapes, the form of quotes.

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
