"""Function trees in round brackets: ``(root (sbj John) (hd loves) (obj Mary))``.

Every bracket is a grammatical function, also one around a single word; there are no part-of-speech tags. The head's own
bracket is ``hd``, or ``*``, which agrees with any function. A multi-function tree has a set in every bracket,
``({root} ({sbj} John) ({} ({hd} loves) ({obj} Mary)))``; ``{}`` is a bracket without a function, in function trees,
too. A missing parse is a blank line or ``(())``.

References
----------
Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP.

Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2012). Cross-framework evaluation for statistical parsing. EACL.
"""

from __future__ import annotations

from collections.abc import Iterable

from evaltools.formats.bracket_words import first_labels
from evaltools.formats.brackets import bracket_layout, cut_bracketed, read_bracketed, write_bracketed
from evaltools.formats.source import Source
from evaltools.treebank import Tree, Treebank, Vocabulary

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "functions"
TITLE = "function trees"
HOLDS = "functions"
DISCONTINUOUS = False

_HEADS = (b"hd", b"*", b"{}")


def looks_like(source: Source) -> bool:
    """Tell whether the first brackets are ``root`` or ``hd`` or ``*`` or ``{}``, or all of them sets."""
    labels = first_labels(source.data)
    if not labels:
        return False
    sets = all(label.startswith(b"{") for label in labels)
    return sets or labels[0] == b"root" or any(label in _HEADS for label in labels)


def layout(data: bytes) -> str:
    """Return how sentences are told apart; see :func:`evaltools.formats.brackets.bracket_layout`."""
    return bracket_layout(data, "()")


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end; see :func:`evaltools.formats.brackets.cut_bracketed`."""
    return cut_bracketed(data, "()", layout, most, last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    return read_bracketed(source, vocabulary, "()", format_name=NAME, preterminals=False)


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees one a line, a missing one as ``(())``."""
    return write_bracketed(trees, NAME, "(())")
