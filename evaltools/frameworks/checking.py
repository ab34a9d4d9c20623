"""Checks of a file before it is scored: what it holds, and what is wrong with it."""

from __future__ import annotations

import sys
from collections.abc import Collection

from evaltools.corpus import Treebank, Vocabulary
from evaltools.formats import FORMATS, Source, guess_format, require_constituency
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.frameworks.framework import Content, Framework

__all__ = ["content_of"]


def content_of(
    source: Source, frameworks: Collection[Framework], like: str | None = None, *, as_evalb: bool = False
) -> Content:
    """Read a file of one of some frameworks, and return its content; `like` is the gold format, for a parser's file."""
    for framework in frameworks:
        if (files := framework.own_files) is not None and files.claims(source, None, like=like)[1]:
            return files.content(source, like)
    format_name = guess_format(source, like if like in FORMATS else None)
    stream = CorpusStream(source, format_name, as_evalb=as_evalb)
    corpus = stream.read(sys.maxsize, Vocabulary())
    if isinstance(corpus, Treebank):
        require_constituency(corpus.format, source.name)
    module = FORMATS[corpus.format]
    reader = next(framework for framework in frameworks if framework.reads is module.HOLDS)
    trees = int((corpus.n_words > 0).sum())
    description = f"{module.TITLE}, {trees:,} trees in {corpus.n_filled:,} sentences"
    return Content(
        reader, corpus.format, corpus.n_filled, trees, (*corpus.problems, *stream.problems_of_file()), description
    )
