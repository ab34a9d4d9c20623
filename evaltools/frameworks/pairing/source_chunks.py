"""The text of the sentences of a chunk, from which another machine reads the same sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.corpus.columns import Corpus, concatenate
from evaltools.errors import Problem
from evaltools.formats import FORMATS, Source

__all__ = ["Texts", "chosen_sentences"]


@dataclass(frozen=True)
class Texts:
    """The text of some sentences of a file, as another machine needs it to read them."""

    format: str  # Name of the format
    sources: tuple[Source, ...]  # The text, in one part or more
    # For each requested sentence its index in the text, -1 for a missing one; None for the first ones.
    chosen: NDArray[np.int64] | None = None
    first: int = 0  # Number of gold sentences before these
    # If the text consists of stretches of the file: the first line of each in the text and in the file; else None.
    lines: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank | Dependencies:
        """Read `n` sentences, missing ones among them."""
        parts: list[Treebank | Dependencies] = [
            FORMATS[self.format].read(source, vocabulary) for source in self.sources
        ]
        if self.chosen is None:
            return parts[0].resized(n)
        if self.lines is None:
            return chosen_sentences(parts, self.chosen, self.first)
        (part,) = parts
        problems = [
            problem if problem.line is None else replace(problem, line=int(self._in_file(np.array(problem.line))))
            for problem in part.problems
        ]
        part = replace(part, line=self._in_file(part.line).astype(np.int32), problems=problems)
        return chosen_sentences([part], self.chosen, self.first)

    def _in_file(self, line: NDArray[Any]) -> NDArray[np.int64]:
        assert self.lines is not None
        in_text, in_file = self.lines
        stretch = np.searchsorted(in_text, line, side="right") - 1
        result: NDArray[np.int64] = in_file[stretch] + line - in_text[stretch]
        return result


def chosen_sentences(parts: list[Corpus], chosen: NDArray[np.int64], first: int) -> Corpus:
    """Join the sentences that were chosen from several parts of a file."""
    in_file = np.concatenate([part.first_sentence + np.arange(len(part), dtype=np.int64) for part in parts])
    present = np.flatnonzero(chosen >= 0)
    number = dict(zip(in_file[chosen[present]].tolist(), (first + present).tolist(), strict=True))

    def numbered(problem: Problem) -> Problem:
        gold = None if problem.sentence is None else number.get(problem.sentence - 1)
        return replace(problem, sentence=None if gold is None else gold + 1)

    problems = [numbered(problem) for part in parts for problem in part.problems]
    return replace(concatenate(parts).select(chosen), problems=problems, first_sentence=first)
