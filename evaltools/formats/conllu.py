"""CoNLL-U: ten columns a word, comments, multiword tokens and empty nodes; an empty line after each sentence.

Everything is kept: a file is written back as it was, but for the ends of its lines. A missing parse is a block of
comments alone, with ``# sent_id``, ``# text`` or ``# no parse`` among them. Metrics look at words only.

References
----------
https://universaldependencies.org/format.html
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from evaltools.formats.blocks import BLOCKS, cut_blocks
from evaltools.formats.dependency_rows import guess_notation, read_rows, write_rows
from evaltools.formats.source import Source
from evaltools.treebank import Dependencies, DependencyTree, Vocabulary

if TYPE_CHECKING:
    from conllu import TokenList

__all__ = ["cut", "layout", "looks_like", "read", "token_list", "write"]

NAME = "conllu"
TITLE = "CoNLL-U"
HOLDS = "dependency"
DISCONTINUOUS = True


def looks_like(source: Source) -> bool:
    """Tell whether the first lines are ten columns, and comments or UPOS tags are among them."""
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


def token_list(tree: DependencyTree) -> TokenList:
    """Return a sentence as the `conllu` library has it, with features, enhanced dependencies and MISC taken apart.

    Parameters
    ----------
    tree : DependencyTree
        The sentence.

    Returns
    -------
    conllu.TokenList
        Its words, multiword tokens and empty nodes in the order of the file.

    Examples
    --------
    >>> tree = DependencyTree(("dogs",), (-1,), ("root",), feats=("Number=Plur",), deps=("0:root",))
    >>> token = token_list(tree)[0]
    >>> token["feats"], token["deps"]
    ({'Number': 'Plur'}, [('root', 0)])
    """
    from conllu import parse_token_and_metadata

    return parse_token_and_metadata(tree.to_string())
