"""Sampson's square brackets: ``[S [N1 two [N1 tax revision ] bills ] were passed ]``.

Every bracket is a phrase, also one around a single word; there are no part-of-speech tags.
A missing parse is a blank line or ``[[]]``.

Other files have tags in square brackets: ``[S [NP [NNS Owls]] [VP [VBP hunt]]]``. They are read as the Penn Treebank
is, so that a bracket around one word and nothing else is a tag. Which of the two a file is follows from its beginning:
it has tags if more than half of the words there are alone in a bracket that closes right after them (``owls]``, not
``owls ]``, as Sampson writes).

References
----------
Geoffrey Sampson and Anna Babarczy (2003). A test of the leaf-ancestor metric for parse accuracy.
Natural Language Engineering 9(4), 365-380.
"""

from __future__ import annotations

import re
from dataclasses import replace

from evaltools.corpus import Treebank, Vocabulary
from evaltools.formats.brackets import (
    LINES,
    begins_tree,
    bracket_format,
    bracket_layout,
    cut_bracketed,
    read_bracketed,
    without_escapes,
)
from evaltools.formats.edges import is_between
from evaltools.formats.source import Source

_BEGINNING = 1 << 16
_TAGGED = "tagged "
"""What the layout of a file with tags begins with."""
_JSON = re.compile(rb'[\[\s]*"[^"\n]*"\s*[,\]]')
_TOKEN = re.compile(rb"[^\s\[\]]+")
_LABEL = re.compile(rb"\[\s*[^\s\[\]]+")
_TAGGED_WORD = re.compile(rb"\[[^\s\[\]]+\s+[^\s\[\]]+\]")
_ROUND = bytes.maketrans(b"[]", b"()")


def is_json(data: bytes) -> bool:
    """Return whether a text is a list in JSON, which may be a tree of HanLP."""
    return data.lstrip().startswith(b"[") and _JSON.match(data) is not None


def looks_like(data: bytes) -> bool:
    """Return whether the text begins with a tree in square brackets, and is not JSON."""
    return begins_tree(data, "[]") and not is_json(data)


def has_tags(data: bytes) -> bool:
    """Return whether more than half of the first words of a text are alone in brackets that close right after them.

    Examples
    --------
    >>> has_tags(b"[S [NP [NNS Owls]] [VP [VBP hunt]]]")
    True
    >>> has_tags(b"[S [N1 two [N1 tax revision ] bills ] were passed ]")
    False
    """
    beginning = b"\n".join(line for line in data[:_BEGINNING].split(b"\n") if not is_between(line, 0))
    n_words = len(_TOKEN.findall(beginning)) - len(_LABEL.findall(beginning))
    return 2 * len(_TAGGED_WORD.findall(beginning)) > n_words


def layout(data: bytes) -> str:
    """Return the layout of the sentences, and whether they have tags."""
    return _TAGGED * has_tags(data) + bracket_layout(data, "[]")


def layout_of_lines(data: bytes) -> str:
    """Return the layout of a text of one sentence a line."""
    return _TAGGED * has_tags(data) + LINES


def cut(data: bytes, layout: str, max_sentences: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences of a text end; return their number and the end."""
    return cut_bracketed(data, layout.removeprefix(_TAGGED), max_sentences, brackets="[]", last=last)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    tagged = has_tags(source.data) if source.layout is None else source.layout.startswith(_TAGGED)
    if not tagged:
        return read_bracketed(source, vocabulary, brackets="[]", format_name="sampson", preterminals=False)
    known = None if source.layout is None else source.layout.removeprefix(_TAGGED)
    data = without_escapes(source.data, "[]").replace(b"(", b"-LRB-").replace(b")", b"-RRB-")
    part = replace(source, data=data, layout=known)
    treebank = read_bracketed(part, vocabulary, brackets="[]", format_name="sampson", preterminals=True)
    return replace(treebank, notation="ptb", text=treebank.text.translate(_ROUND))


SAMPSON = bracket_format(
    "sampson", "Sampson's square brackets", looks_like, brackets="[]", layout=layout, cut=cut, read=read
)
