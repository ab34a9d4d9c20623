"""One chunk of a corpus: a run of sentences, read from every file, scored for each parser and written as parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import Problem
from evaltools.normalize import Normalized, Preset, Status, normalize_gold, normalize_pair
from evaltools.runs import tables
from evaltools.runs.checks import evalb_lengths, pair_problems
from evaltools.runs.passes import Options, Passes, Progress, ranges
from evaltools.runs.writer import RunWriter
from evaltools.treebank import Treebank

__all__ = ["Chunk", "ChunkResult"]


@dataclass(frozen=True)
class ChunkResult:
    """What scoring a parser on a chunk came to.

    Parameters
    ----------
    statuses : ndarray of int64, shape (3,)
        Number of sentences of each :class:`~evaltools.normalize.Status`.
    problems : list of Problem
        What was found wrong.
    """

    statuses: NDArray[np.int64]
    problems: list[Problem]


@dataclass(frozen=True)
class Chunk:
    """Some sentences of the gold file and of every parser.

    Parameters
    ----------
    number : int
        Its place among the chunks, from 0.
    gold : Treebank
        The gold trees.
    tests : dict
        The parsers' trees by name, as many as there are gold trees; all share the gold trees' vocabulary.
    preset : Preset
        The rules.
    options : Options
        What to compute.
    """

    number: int
    gold: Treebank
    tests: dict[str, Treebank]
    preset: Preset
    options: Options
    normalized: Normalized = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "normalized", normalize_gold(self.gold, self.preset))

    def part(self, place: int | None = None) -> str:
        """Return the name of a part: of the gold trees, or of the parser at a place."""
        return f"{self.number:05d}-" + ("gold" if place is None else f"{place:04d}")

    def write_gold(self, writer: RunWriter) -> None:
        """Write the gold trees."""
        writer.write("trees", self.part(), tables.trees_table(None, self.gold))

    def score(self, place: int, name: str, writer: RunWriter, progress: Progress) -> ChunkResult:
        """Score one parser and write its parts; different parsers may run in different threads."""
        gold, test = self.gold, self.tests[name]
        pair = normalize_pair(gold, test, self.preset, self.normalized)
        passes = Passes.prepare(pair, self.preset, self.options)
        for first, last in ranges(len(gold)):
            progress.at("scoring", passes.run(first, last))
        lengths = gold.n_words, evalb_lengths(gold, self.preset)
        for table, rows in tables.parser_tables(name, gold, test, passes, *lengths).items():
            writer.write(table, self.part(place), rows)
        problems = [replace(problem, parser=name) for problem in test.problems]
        problems += pair_problems(name, gold, test, passes)
        if problems:
            writer.write("problems", self.part(place), tables.problems_table(problems))
        return ChunkResult(np.bincount(pair.status, minlength=len(Status)).astype(np.int64), problems)
