"""One chunk of a corpus: a run of sentences, read from every file, scored for each parser and written as parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.normalize import Normalized, Preset, Status, normalize_gold, normalize_pair
from evaltools.normalize.empty_words import with_empty_words
from evaltools.runs import tables
from evaltools.runs.checks import evalb_lengths, pair_problems
from evaltools.runs.dependency_chunks import DependencyChunk
from evaltools.runs.evalb_rows import with_evalb_rows
from evaltools.runs.parts import PartResult, Parts, part_name
from evaltools.runs.passes import Options, Passes, Progress, ranges
from evaltools.runs.remote import UrlParts
from evaltools.runs.sentence_texts import labels_in
from evaltools.runs.texts import Texts
from evaltools.treebank import Dependencies, Treebank

__all__ = ["Chunk", "ReadChunk", "make_chunk"]


@dataclass(frozen=True)
class ReadChunk:
    """A chunk as it was read, and the text it was read from.

    Parameters
    ----------
    number, gold, tests, preset, options
        As for :class:`Chunk`.
    texts : dict
        The text of every file: by parser, and under None of the gold file.
    """

    number: int
    gold: Treebank | Dependencies
    tests: dict[str, Any]
    preset: Preset
    options: Options
    texts: dict[str | None, Texts]

    def normalized(self) -> Chunk | DependencyChunk:
        """Apply the preset to the gold trees."""
        return make_chunk(self.number, self.gold, self.tests, self.preset, self.options)


def make_chunk(
    number: int, gold: Treebank | Dependencies, tests: dict[str, Any], preset: Preset, options: Options
) -> Chunk | DependencyChunk:
    """Return a chunk of the gold trees' kind, ready to be scored."""
    if isinstance(gold, Dependencies):
        return DependencyChunk(number, gold, tests, options)
    return Chunk(number, gold, tests, preset, options)


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
    lengths: tuple[NDArray[np.int32], NDArray[np.int32]] = field(init=False)

    def __post_init__(self) -> None:
        if self.preset.evalb is not None:
            object.__setattr__(self, "gold", with_empty_words(self.gold))
            object.__setattr__(self, "tests", {name: with_empty_words(test) for name, test in self.tests.items()})
        # what all parsers share of the gold trees
        object.__setattr__(self, "normalized", normalize_gold(self.gold, self.preset))
        read = self.normalized.read
        object.__setattr__(self, "lengths", (read.n_words, evalb_lengths(read, self.preset)))

    def score(self, place: int, name: str, parts: Parts | UrlParts, progress: Progress) -> PartResult:
        """Score one parser and write its parts; different parsers may run in different threads."""
        gold, test = self.gold, self.tests[name]
        pair = normalize_pair(gold, test, self.preset, self.normalized)
        passes = Passes.prepare(pair, self.preset, self.options)
        for first, last in ranges(len(gold)):
            progress.at("scoring", passes.run(first, last))
        made = tables.parser_tables(name, test, passes, *self.lengths)
        if self.preset.evalb is not None:
            made["sentences"] = with_evalb_rows(made["sentences"], gold, test, self.preset.evalb)
        problems = [replace(problem, parser=name) for problem in test.problems]
        problems += pair_problems(name, passes)
        if problems:
            made["problems"] = tables.problems_table(problems)
        part = part_name(self.number, place)
        digests = {table: parts.write(table, part, rows) for table, rows in made.items()}
        statuses = np.bincount(pair.status, minlength=len(Status)).tolist()
        n_rows = {table: rows.num_rows for table, rows in made.items()}
        n_words_aligned = 0 if pair.alignment is None else int(np.count_nonzero(pair.alignment.aligned))
        labels = labels_in(made["sentences"]["labels"])
        result = PartResult(part, statuses, len(problems), n_rows, digests, labels, n_words_aligned)
        parts.finish(result)
        return result
