"""The gold words of the first sentences of a run, on which errors are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.frameworks.common.gaps import words_of
from evaltools.frameworks.groups import Line

__all__ = ["GoldWords"]


@dataclass(frozen=True, eq=False)
class GoldWords:
    """Gold words, and which of them count."""

    forms: list[list[str]]  # The words as read, by sentence
    kept: list[NDArray[np.int64]]  # Positions among the words as read of those that count, by sentence

    @classmethod
    def of(cls, forms: NDArray[Any], n_words: NDArray[Any], dropped: NDArray[np.bool_] | None = None) -> GoldWords:
        """Cut the words of all sentences into sentences."""
        before = np.concatenate(([0], np.cumsum(n_words)))
        cut = [slice(int(first), int(last)) for first, last in pairwise(before)]
        if dropped is None:
            kept = [np.arange(n, dtype=np.int64) for n in n_words.tolist()]
        else:
            kept = [np.flatnonzero(~dropped[sentence]).astype(np.int64) for sentence in cut]
        return cls([forms[sentence].tolist() for sentence in cut], kept)

    def positions(self, sentence: int, start: int, end: int, gaps: str = "") -> list[int]:
        """Return the positions as read of a span of words that count, but for gaps; sentences are numbered from 1."""
        kept = self.kept[sentence - 1]
        return [int(kept[word]) for word in words_of(start, min(end, len(kept)), gaps)]

    def starts(self, words: pd.DataFrame) -> NDArray[np.int64]:
        """Return the positions, among those that count, of words by ``sentence`` and ``word``, both from 1."""
        sentences, positions = (words[name].to_numpy(dtype=np.int64) - 1 for name in ("sentence", "word"))
        n_kept = np.array([len(own) for own in self.kept], dtype=np.int64)
        kept = np.concatenate([np.zeros(0, dtype=np.int64), *self.kept])
        width = int(max(kept.max(initial=0), positions.max(initial=0))) + 1
        before = np.cumsum(n_kept) - n_kept
        # in order over all sentences
        kept += np.repeat(np.arange(len(n_kept)) * width, n_kept)
        starts: NDArray[np.int64] = np.searchsorted(kept, sentences * width + positions) - before[sentences]
        return starts

    def lines(self, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return sentences with the remark on their first error; the words of errors with that remark are marked."""
        listed = errors[errors["sentence"].isin(sentences)]
        gaps = listed["gaps"] if "gaps" in listed else [""] * len(listed)
        by_sentence: dict[int, list[list[Any]]] = {}
        # plain lists, because a data frame for each sentence takes long
        for sentence, *error in zip(
            listed["sentence"], listed["remark"], listed["start"], listed["end"], gaps, strict=True
        ):
            by_sentence.setdefault(sentence, []).append(error)
        lines = []
        for sentence in sentences:
            own = by_sentence[sentence]
            first, *others = dict.fromkeys(remark for remark, *_ in own)
            marked = {
                position for remark, *span in own if remark == first for position in self.positions(sentence, *span)
            }
            more = f" (and {len(others)} more)" if others else ""
            lines.append(Line(sentence, self.forms[sentence - 1], marked, first + more))
        return lines
