"""Relational-realizational trees: ``(S ({sbj,prd} (sbj (NP ({hd} (hd (NN John))))) (prd (V sleeps))))``.

Three kinds of nodes take turns from the root down: a phrase; a projection, the set of grammatical functions in it, in
braces; the functions, each of which is realised by a phrase or a part-of-speech tag. A missing parse is a blank line or
``(())``.

References
----------
Reut Tsarfaty and Khalil Sima'an (2008). Relational-realizational parsing. COLING.

Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2012). Cross-framework evaluation for statistical parsing. EACL.
Figure 1 (c).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evaltools.formats.bracket_words import first_labels
from evaltools.formats.brackets import bracket_layout, cut_bracketed, read_bracketed, write_bracketed
from evaltools.formats.source import Source
from evaltools.treebank import Tree, Treebank, Vocabulary

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "rr"
TITLE = "relational-realizational trees"
HOLDS = "constituency"
DISCONTINUOUS = False


def looks_like(source: Source) -> bool:
    """Tell whether some of the first brackets are sets and some are not; ``{}`` does not count."""
    labels = [label for label in first_labels(source.data) if label != b"{}"]
    sets = [label.startswith(b"{") for label in labels]
    return any(sets) and not all(sets)


def layout(data: bytes) -> str:
    """Return how sentences are told apart; see :func:`evaltools.formats.brackets.bracket_layout`."""
    return bracket_layout(data, "()")


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end; see :func:`evaltools.formats.brackets.cut_bracketed`."""
    return cut_bracketed(data, "()", layout, most, last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    treebank = read_bracketed(source, vocabulary, "()", format_name=NAME, preterminals=True)
    return replace(treebank, notation="ptb")


def write(trees: Iterable[Tree | None]) -> str:
    """Write trees one a line, a missing one as ``(())``."""
    return write_bracketed(trees, "ptb", "(())")
