"""The text of the sentences of a chunk, from which the same sentences are read on another machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.formats import FORMATS, Source
from evaltools.treebank import Dependencies, Treebank, Vocabulary
from evaltools.treebank.choosing import Corpus, joined, taken

__all__ = ["Texts", "chosen_sentences"]


@dataclass(frozen=True)
class Texts:
    """The text of some sentences of a file, as another machine needs it to read them.

    Parameters
    ----------
    format : str
        Name of the format.
    sources : tuple of Source
        The text, in one part or more.
    chosen : ndarray of int64 or None
        For each sentence wanted its place among those of the text, -1 for a missing one; None for the first ones.
    first : int
        Number of gold sentences before these.
    lines : pair of ndarray of int64, or None
        Where the text is put together from stretches of the file: for each of them its first line in the text and that
        in the file; None where the text knows its lines.
    """

    format: str
    sources: tuple[Source, ...]
    chosen: NDArray[np.int64] | None = None
    first: int = 0
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
        found: NDArray[np.int64] = in_file[stretch] + line - in_text[stretch]
        return found


def chosen_sentences(parts: list[Corpus], chosen: NDArray[np.int64], first: int) -> Corpus:
    """Put together the sentences that were chosen of several parts of a file.

    Parameters
    ----------
    parts : list of Treebank, or of one Dependencies
        The parts, read one after the other with one vocabulary.
    chosen : ndarray of int64
        For each sentence wanted its place among those of all parts, -1 for a missing one.
    first : int
        Number of gold sentences before these; problems get the gold sentences' numbers.
    """
    in_file = np.concatenate([part.first_sentence + np.arange(len(part), dtype=np.int64) for part in parts])
    there = np.flatnonzero(chosen >= 0)
    number = dict(zip(in_file[chosen[there]].tolist(), (first + there).tolist(), strict=True))

    def numbered(problem: Problem) -> Problem:
        gold = None if problem.sentence is None else number.get(problem.sentence - 1)
        return replace(problem, sentence=None if gold is None else gold + 1)

    problems = [numbered(problem) for part in parts for problem in part.problems]
    return replace(taken(joined(parts), chosen), problems=problems, first_sentence=first)
