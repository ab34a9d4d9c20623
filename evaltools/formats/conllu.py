"""CoNLL-U: ten columns a word, comments, multiword tokens and empty nodes; an empty line after each sentence.

Everything is kept: a file is written back as it was, but for the ends of its lines. A missing parse is a block of
comments alone, with ``# sent_id``, ``# text`` or ``# no parse`` among them. Metrics look at words only.

References
----------
https://universaldependencies.org/format.html
"""

from __future__ import annotations

from functools import partial

from evaltools.corpus import Dependencies
from evaltools.formats.blocks import cut, layout
from evaltools.formats.conll import guess_notation, read_rows, write_rows
from evaltools.formats.detection import AT_TABS
from evaltools.formats.source import Source

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "conllu"
TITLE = "CoNLL-U"
HOLDS = Dependencies
DISCONTINUOUS = True
EDGES = AT_TABS

read = partial(read_rows, notation=NAME)
write = partial(write_rows, notation=NAME)


def looks_like(source: Source) -> bool:
    """Return whether the first lines are ten columns, and comments or UPOS tags are among them."""
    return guess_notation(source.data) == NAME
