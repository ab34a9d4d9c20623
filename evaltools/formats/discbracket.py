"""Brackets with the position of each word before it: ``(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John) (? 3=?))``.

The positions of a tree are those from 0 on, each once; so phrases may be discontinuous. ``(`` and ``)`` in words and
labels are ``#LRB#`` and ``#RRB#``. A missing parse is a blank line or ``(())``. Siblings are put in the order of their
first words. The format is that of disco-dop.

References
----------
Andreas van Cranenburgh, Remko Scha and Rens Bod (2016). Data-Oriented Parsing with discontinuous constituents and
function tags. Journal of Language Modelling 4(1), 57-111.
"""

from __future__ import annotations

import re

from evaltools.corpus import Treebank, Vocabulary
from evaltools.formats.brackets import bracket_format, first_words, read_bracketed, with_positions
from evaltools.formats.source import Source

_WORD = re.compile(rb"[0-9]+=.")


def looks_like(data: bytes) -> bool:
    """Return whether all words of the first tree have a position before them."""
    words = first_words(data)
    return bool(words) and all(_WORD.match(word) for word in words)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    raw = read_bracketed(source, Vocabulary(), brackets="()", format_name="discbracket", preterminals=True)
    return with_positions(raw, vocabulary, always=True, unescape=True)


DISCBRACKET = bracket_format(
    "discbracket", "discbracket", looks_like, read=read, suffixes=(".dbr",), discontinuous=True
)
