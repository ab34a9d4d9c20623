"""Function trees in round brackets: ``(root (sbj John) (hd loves) (obj Mary))``.

Every bracket is a grammatical function, also one around a single word; there are no part-of-speech tags. The head's own
bracket is ``hd``, or ``*``, which agrees with any function. A multi-function tree has a set in every bracket,
``({root} ({sbj} John) ({} ({hd} loves) ({obj} Mary)))``; ``{}`` is a bracket without a function, in function trees,
too. Where a function's words do not stand side by side, all words of the tree have their positions before them,
``(root (vg (obj 0=who) (sbj 2=you) (hd 3=see)) (hd 1=did))``, as in discbracket. A missing parse is a blank line or
``(())``.

References
----------
Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP.

Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2012). Cross-framework evaluation for statistical parsing. EACL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from evaltools.formats.bracket_words import first_labels, first_tree
from evaltools.formats.brackets import bracket_layout, cut_bracketed, read_bracketed, write_bracketed
from evaltools.formats.numbered_words import with_positions
from evaltools.formats.source import Source
from evaltools.treebank import Tree, Treebank, Vocabulary

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "functions"
TITLE = "function trees"
HOLDS = "functions"
DISCONTINUOUS = True

_NUMBERED = re.compile(rb"[ \t\n\r\v\f][0-9]+=[^() \t\n\r\v\f]")
_HEAD = re.compile(rb"\((?:hd|\*)[ \t\n\r\v\f]+[^() \t\n\r\v\f]+\)")


def looks_like(source: Source) -> bool:
    """Tell whether the first tree begins with ``root``, has only sets, or ``{}`` or a head of one word in it."""
    labels = first_labels(source.data)
    if not labels:
        return False
    sets = all(label.startswith(b"{") for label in labels)
    return sets or labels[0] == b"root" or b"{}" in labels or _HEAD.search(first_tree(source.data)) is not None


def layout(data: bytes) -> str:
    """Return how sentences are told apart; see :func:`evaltools.formats.brackets.bracket_layout`."""
    return bracket_layout(data, "()")


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end; see :func:`evaltools.formats.brackets.cut_bracketed`."""
    return cut_bracketed(data, "()", layout, most, last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    if not _NUMBERED.search(source.data):
        return read_bracketed(source, vocabulary, "()", format_name=NAME, preterminals=False)
    raw = read_bracketed(source, Vocabulary(), "()", format_name=NAME, preterminals=False)
    return with_positions(raw, vocabulary, always=False, unescape=False)


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees one a line, a missing one as ``(())``."""
    return write_bracketed(trees, NAME, "(())")
