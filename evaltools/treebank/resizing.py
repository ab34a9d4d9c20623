"""Cutting a corpus in columns to a number of sentences, or filling it up with missing ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["with_sentences"]

Corpus = TypeVar("Corpus")


def with_sentences(corpus: Corpus, count: int, columns: Iterable[str]) -> Corpus:
    """Return the first sentences of a corpus, with missing ones added at the end where there are fewer.

    Parameters
    ----------
    corpus : Treebank or Dependencies
        The corpus.
    count : int
        How many sentences the result has.
    columns : iterable of str
        Names of the columns that have one element a node, or a word; those that are None stay so.
    """
    whole: Any = corpus
    have = min(count, len(whole))
    elements = int(whole.offsets[have])
    extra = count - have
    at_end = len(whole.text)

    def sentences(column: NDArray[Any], fill: int) -> NDArray[Any]:
        return np.concatenate((column[:have], np.full(extra, fill, dtype=column.dtype)))

    cut = {name: getattr(whole, name) for name in columns}
    made: Corpus = replace(
        whole,
        **{name: None if column is None else column[:elements] for name, column in cut.items()},
        offsets=np.concatenate((whole.offsets[: have + 1], np.full(extra, elements, dtype=np.int64))),
        line=sentences(whole.line, 0),
        text_start=sentences(whole.text_start, at_end),
        text_end=sentences(whole.text_end, at_end),
    )
    return made
