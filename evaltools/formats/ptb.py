"""Penn Treebank brackets: ``(S (NP (DT the) (NN dog)) (VP (VBZ barks)))``.

One tree a line or spread over lines; an unlabelled outer bracket, ``(TOP …)`` and ``(ROOT …)`` are brackets
like any other (the preset decides what becomes of them). A missing parse is a blank line or ``(())``.
There are no comments: evalb takes every line for a sentence, and so does this reader; a line that is no tree
counts as a missing one and is listed as a problem.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaltools.formats.brackets import bracket_layout, cut_bracketed, read_bracketed, write_bracketed
from evaltools.formats.source import Source
from evaltools.treebank import Tree, Treebank, Vocabulary

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "ptb"
TITLE = "Penn Treebank brackets"
HOLDS = "constituency"
DISCONTINUOUS = False


def looks_like(source: Source) -> bool:
    """Tell whether the first bracket of the file is a round one."""
    start = source.data.lstrip()[:65536]
    return start.startswith(b"(") or (b"(" in start and b"[" not in start.split(b"(", 1)[0])


def layout(data: bytes) -> str:
    """Return how sentences are told apart; see :func:`evaltools.formats.brackets.bracket_layout`."""
    return bracket_layout(data, "()")


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end; see :func:`evaltools.formats.brackets.cut_bracketed`."""
    return cut_bracketed(data, "()", layout, most, last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    return read_bracketed(source, vocabulary, "()", format_name=NAME, preterminals=True)


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees one a line, a missing one as ``(())``."""
    return write_bracketed(trees, NAME, "(())")
