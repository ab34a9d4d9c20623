"""Checks of a file before it is scored: what it holds, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection

from evaltools.corpus import Treebank
from evaltools.formats import FORMATS, Source, guess_format, read_treebank, require_constituency
from evaltools.frameworks.framework import Content, Framework

__all__ = ["content_of"]


def content_of(source: Source, frameworks: Collection[Framework], like: str | None = None) -> Content:
    """Read a file of one of some frameworks, and return its content; `like` is the gold format, for a parser's file."""
    for framework in frameworks:
        if (files := framework.own_files) is not None and files.claims(source, None, like=like)[1]:
            return files.content(source, like)
    corpus = read_treebank(source, guess_format(source, like if like in FORMATS else None))
    if isinstance(corpus, Treebank):
        require_constituency(corpus.format, source.name)
    module = FORMATS[corpus.format]
    reader = next(framework for framework in frameworks if framework.reads is module.HOLDS)
    trees = int((corpus.n_words > 0).sum())
    description = f"{module.TITLE}, {trees:,} trees in {corpus.n_filled:,} sentences"
    return Content(reader, corpus.format, corpus.n_filled, trees, tuple(corpus.problems), description)
