"""Checks of a file before it is scored: what it holds, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection

from evaltools.corpus import Treebank
from evaltools.formats import FORMATS, Source, read_treebank, require_constituency
from evaltools.frameworks.framework import Content, Framework

__all__ = ["content_of"]


def content_of(source: Source, frameworks: Collection[Framework]) -> Content:
    """Read a file of one of some frameworks, and return its content."""
    for framework in frameworks:
        if (files := framework.own_files) is not None and files.claims(source, None)[1]:
            return files.content(source)
    corpus = read_treebank(source)
    if isinstance(corpus, Treebank):
        require_constituency(corpus.format, source.name)
    module = FORMATS[corpus.format]
    reader = next(framework for framework in frameworks if framework.reads is module.HOLDS)
    trees = int((corpus.n_words > 0).sum())
    description = f"{module.TITLE}, {trees:,} trees in {corpus.n_filled:,} sentences"
    return Content(reader, corpus.format, corpus.n_filled, trees, tuple(corpus.problems), description)
