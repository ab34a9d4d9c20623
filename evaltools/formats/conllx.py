"""CoNLL-X: ten columns a word, the last two a projective head and its relation; an empty line after each sentence.

There may be several roots. There are no multiword tokens and no empty nodes. Comments are not in the format; they are
read and written as in CoNLL-U, where there are some, and so is a missing parse.

References
----------
Sabine Buchholz and Erwin Marsi (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL.
"""

from __future__ import annotations

from functools import partial

from evaltools.corpus import Dependencies
from evaltools.formats.blocks import cut, layout
from evaltools.formats.conll import guess_notation, read_rows, write_rows
from evaltools.formats.detection import AT_TABS
from evaltools.formats.source import Source

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "conllx"
TITLE = "CoNLL-X"
HOLDS = Dependencies
DISCONTINUOUS = True
EDGES = AT_TABS

read = partial(read_rows, notation=NAME)
write = partial(write_rows, notation=NAME)


def looks_like(source: Source) -> bool:
    """Return whether the first lines are ten columns, without comments and with tags that are not UPOS."""
    return guess_notation(source.data) == NAME
