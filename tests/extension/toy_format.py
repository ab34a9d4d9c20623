"""Trees in braces: ``{S {NP {N dogs}} {VP {V bark}}}``; braces in words are ``~(`` and ``~)``."""

from __future__ import annotations

from collections.abc import Iterable

from evaltools.corpus import Tree, Treebank, Vocabulary
from evaltools.corpus.bracket_text import Notation
from evaltools.formats.brackets import bracket_layout, cut_bracketed, read_bracketed, write_bracketed
from evaltools.formats.source import Source

NAME = "braces"
TITLE = "braces"
HOLDS = Treebank
DISCONTINUOUS = False
NOTATION = Notation(NAME, "{", "}", ("~(", "~)"), is_tagged=True)


def looks_like(source: Source) -> bool:
    """Tell whether the file begins with a brace."""
    return source.data.lstrip().startswith(b"{")


def layout(data: bytes) -> str:
    """Return how sentences are told apart."""
    return bracket_layout(data, "{}")


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end."""
    return cut_bracketed(data, layout, most, brackets="{}", last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file."""
    return read_bracketed(source, vocabulary, brackets="{}", format_name=NAME, preterminals=True)


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees one a line, a missing one as ``{{}}``."""
    return write_bracketed(trees, notation=NOTATION, missing="{{}}")
