r"""Penn Treebank brackets: ``(S (NP (DT the) (NN dog)) (VP (VBZ barks)))``.

One tree a line or spread over lines; an unlabeled outer bracket, ``(TOP …)`` and ``(ROOT …)`` are brackets
like any other (the preset decides what becomes of them). A missing parse is a blank line or ``(())``.
Comments (``# 1``), markup (``<S ID=1>``), code fences and headings between trees, and blank lines beside them, are
skipped and counted in one note. In a file of one tree a line every other line that is not a tree, such as a refusal in
prose, counts as a missing parse and is listed as a problem. ``\(`` and ``\)`` in words, which NLTK writes, are read
as ``-LRB-`` and ``-RRB-``; other parentheses in words are listed in one problem a file. For a preset that follows evalb
such files are read as evalb reads them: every line is a sentence, and a backslash is a part of a word.
"""

from __future__ import annotations

from evaltools.formats.brackets import begins_tree, bracket_format
from evaltools.formats.discbracket import DISCBRACKET
from evaltools.formats.rr import RR


def looks_like(data: bytes) -> bool:
    """Return whether the text begins with a tree in round brackets that is of no more particular format."""
    return begins_tree(data, "()") and not (DISCBRACKET.looks_like(data) or RR.looks_like(data))


PTB = bracket_format("ptb", "Penn Treebank brackets", looks_like, suffixes=(".mrg",))
