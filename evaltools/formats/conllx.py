"""CoNLL-X: ten columns a word, the last two a projective head and its relation; an empty line after each sentence.

There may be several roots. There are no multiword tokens and no empty nodes. Comments are not in the format; they are
read and written as in CoNLL-U, where there are some, and so is a missing parse.

References
----------
Sabine Buchholz and Erwin Marsi (2006). CoNLL-X shared task on multilingual dependency parsing. CoNLL.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaltools.formats.blocks import BLOCKS, cut_blocks
from evaltools.formats.dependency_rows import guess_notation, read_rows, write_rows
from evaltools.formats.source import Source
from evaltools.treebank import Dependencies, DependencyTree, Vocabulary

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "conllx"
TITLE = "CoNLL-X"
HOLDS = "dependency"
DISCONTINUOUS = True


def looks_like(source: Source) -> bool:
    """Tell whether the first lines are ten columns, without comments and with tags that are not UPOS."""
    return guess_notation(source.data) == NAME


def layout(data: bytes) -> str:
    """Return how sentences are told apart: by empty lines."""
    return BLOCKS


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end; see :func:`evaltools.formats.blocks.cut_blocks`."""
    return cut_blocks(data, most, last=last)


def read(source: Source, vocabulary: Vocabulary) -> Dependencies:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    return read_rows(source, vocabulary, NAME)


def write(trees: Iterable[DependencyTree | None]) -> str:
    """Write sentences, a missing one as ``# no parse``."""
    return write_rows(trees, NAME)
