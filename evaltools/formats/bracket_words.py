"""What the first tree of a file looks like, so that notations with the same brackets can be told apart."""

from __future__ import annotations

import re

__all__ = ["first_labels", "first_tree", "first_words"]

_BEGINNING = 1 << 16
_BRACKET = re.compile(rb"[()]")
_LABEL = re.compile(rb"\([ \t\n\r\v\f]*([^() \t\n\r\v\f]*)")
_WORD = re.compile(rb"(?<![(])[ \t\n\r\v\f]([^() \t\n\r\v\f]+)")


def first_tree(data: bytes) -> bytes:
    """Return the text of the first tree with labels; nothing if the file does not begin with a round bracket.

    Parameters
    ----------
    data : bytes
        The file.
    """
    text = data.lstrip()[:_BEGINNING]
    if not text.startswith(b"("):
        return b""
    depth = start = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] == b"(" else -1
        if depth <= 0:
            tree = text[start : bracket.end()]
            if tree.translate(None, b"() \t\n\r\v\f"):
                return tree
            start, depth = bracket.end(), 0
    return text[start:]


def first_labels(data: bytes) -> list[bytes]:
    """Return the labels of the first tree of a file in round brackets; none if it does not begin with one.

    Parameters
    ----------
    data : bytes
        The file.

    Examples
    --------
    >>> first_labels(b"(()) (S ( NP dogs)) (VP bark)")
    [b'S', b'NP']
    """
    return [label for label in _LABEL.findall(first_tree(data)) if label]


def first_words(data: bytes) -> list[bytes]:
    """Return the words of the first tree of a file in round brackets; none if it does not begin with one.

    Parameters
    ----------
    data : bytes
        The file.

    Examples
    --------
    >>> first_words(b"(()) (S (NP 0=dogs))")
    [b'0=dogs']
    """
    return _WORD.findall(first_tree(data))
