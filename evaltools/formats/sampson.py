"""Sampson's square brackets: ``[S [N1 two [N1 tax revision ] bills ] were passed ]``.

Every bracket is a phrase, also one around a single word; there are no part-of-speech tags.
A missing parse is a blank line or ``[[]]``.

References
----------
Geoffrey Sampson and Anna Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy.
Natural Language Engineering 9(4), 365-380.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaltools.formats.brackets import bracket_layout, cut_bracketed, read_bracketed, write_bracketed
from evaltools.formats.source import Source
from evaltools.treebank import Tree, Treebank, Vocabulary

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "sampson"
TITLE = "Sampson's square brackets"
HOLDS = "constituency"
DISCONTINUOUS = False


def looks_like(source: Source) -> bool:
    """Tell whether the first bracket of the file is a square one."""
    return source.data.lstrip().startswith(b"[")


def layout(data: bytes) -> str:
    """Return how sentences are told apart; see :func:`evaltools.formats.brackets.bracket_layout`."""
    return bracket_layout(data, "[]")


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end; see :func:`evaltools.formats.brackets.cut_bracketed`."""
    return cut_bracketed(data, "[]", layout, most, last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    return read_bracketed(source, vocabulary, "[]", format_name=NAME, preterminals=False)


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees one a line, a missing one as ``[[]]``."""
    return write_bracketed(trees, NAME, "[[]]")
