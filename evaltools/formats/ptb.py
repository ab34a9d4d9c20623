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

from functools import partial

from evaltools.corpus import Treebank
from evaltools.formats import discbracket, rr
from evaltools.formats.brackets import begins_tree, bracket_layout, cut_bracketed, read_bracketed, write_bracketed
from evaltools.formats.detection import IN_BRACKETS
from evaltools.formats.source import Source

__all__ = ["cut", "layout", "looks_like", "read", "write"]

NAME = "ptb"
TITLE = "Penn Treebank brackets"
HOLDS = Treebank
DISCONTINUOUS = False
EDGES = IN_BRACKETS
BRACKETS = "()"

layout = partial(bracket_layout, brackets=BRACKETS)
cut = partial(cut_bracketed, brackets=BRACKETS)
read = partial(read_bracketed, brackets=BRACKETS, format_name=NAME, preterminals=True)
write = partial(write_bracketed, notation=NAME, missing="(())")


def looks_like(source: Source) -> bool:
    """Return whether the text begins with a tree in round brackets that is of no more particular format."""
    return begins_tree(source.data, BRACKETS) and not (discbracket.looks_like(source) or rr.looks_like(source))
