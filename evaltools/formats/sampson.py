"""Sampson's square brackets: ``[S [N1 two [N1 tax revision ] bills ] were passed ]``.

Every bracket is a phrase, also one around a single word; there are no part-of-speech tags.
A missing parse is a blank line or ``[[]]``.

References
----------
Geoffrey Sampson and Anna Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy.
Natural Language Engineering 9(4), 365-380.
"""

from __future__ import annotations

from functools import partial

from evaltools.corpus import Treebank
from evaltools.formats.brackets import bracket_layout, cut_bracketed, is_mostly_text, read_bracketed, write_bracketed
from evaltools.formats.reading.source import Source

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "sampson"
TITLE = "Sampson's square brackets"
HOLDS = Treebank
DISCONTINUOUS = False

layout = partial(bracket_layout, brackets="[]")
cut = partial(cut_bracketed, brackets="[]")
read = partial(read_bracketed, brackets="[]", format_name=NAME, preterminals=False)
write = partial(write_bracketed, notation=NAME, missing="[[]]")


def looks_like(source: Source) -> bool:
    """Return whether the file begins with a square bracket, and most of it is in brackets."""
    return source.data.lstrip().startswith(b"[") and not is_mostly_text(source.data, "[]")
