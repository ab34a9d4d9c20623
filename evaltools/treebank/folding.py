"""Words as they are compared across tokenisations."""

from __future__ import annotations

import re

__all__ = ["folded"]

_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
_ESCAPED_BRACKET = re.compile("-([lr][rsc]b)-")
_OTHERS = (("``", '"'), ("''", '"'), ("\\/", "/"), ("\\*", "*"))
_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019`", "\"\"\"'''")


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
    text = word.casefold()
    if text.isalnum():
        return text
    text = _ESCAPED_BRACKET.sub(lambda found: _BRACKETS[found[1]], text)
    for escaped, plain in _OTHERS:
        text = text.replace(escaped, plain)
    return text.translate(_QUOTES)
