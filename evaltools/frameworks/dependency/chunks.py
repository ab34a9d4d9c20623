"""Files of dependency trees, compared and scored chunk by chunk."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Vocabulary
from evaltools.errors import ParameterError, Problem, excerpt
from evaltools.formats import Source
from evaltools.formats.reading.treebank_stream import CorpusStream
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.common.tree_inputs import TreeInputs
from evaltools.frameworks.dependency.pair import (
    DependencyComparison,
    DependencyPair,
    DependencyRules,
    pair_dependencies,
    rules_of,
)
from evaltools.frameworks.dependency.passes import PASSES
from evaltools.frameworks.dependency.tables import dependency_sentences, dependency_trees, dependency_words
from evaltools.frameworks.framework import Compared
from evaltools.frameworks.options import Options
from evaltools.frameworks.pairing.paired_stream import GoldIds, PairedStream
from evaltools.frameworks.pairing.pairing_lines import describe_pairing
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.scoring import Chunk, Scored
from evaltools.progress import Progress, ranges

__all__ = ["DependencyInputs", "compare_dependencies"]


@dataclass(frozen=True)
class _DependencyChunk(Chunk):
    """Some sentences of a gold corpus and of every parser; all share the gold trees' vocabulary."""

    gold: Dependencies
    tests: dict[str, Dependencies]
    rules: tuple[Any, Options]

    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser."""
        gold, test = self.gold, self.tests[parser]
        _, options = self.rules
        pair = pair_dependencies(gold, test, rules_of(options))
        passes = Passes(PASSES, DependencyComparison(pair, options), options)
        for first, last in ranges(len(gold)):
            progress.update("scoring", passes.run(first, last))
        tables = {"sentences": dependency_sentences(parser, passes)}
        if details:
            tables |= {"words": dependency_words(parser, passes), "trees": dependency_trees(parser, test)}
        problems = [replace(problem, parser=parser) for problem in (*test.problems, *_word_problems(pair))]
        statuses = np.bincount(pair.status, minlength=len(Status)).tolist()
        labels = pair.gold.vocabulary.labels
        numbers = np.unique(np.concatenate((gold.relation, test.relation))).tolist()
        names = sorted(labels[number] for number in numbers)
        return Scored(tables, statuses, names, problems, statuses[Status.WORDS_DIFFER])


class DependencyInputs(TreeInputs):
    """Corpora of dependency trees, read side by side."""

    framework = "dependency"
    passes = PASSES
    chunk = _DependencyChunk

    def preset_for(self, preset: Preset) -> Preset:
        """Return the preset that leaves trees as they are; raise ParameterError on one that deletes brackets."""
        if preset not in (load_preset("standard"), load_preset("none")):
            raise ParameterError(f"preset {preset.name}: presets delete brackets; dependency trees have none")
        return load_preset("none")

    def options_for(self, options: Options) -> Options:
        """Return the options with all rules filled in; raise ParameterError on options for brackets."""
        if options.la_preterminals:
            raise ParameterError("lineages of dependency trees consist of relations and have no tags")
        if options.align_sentences:
            raise ParameterError(
                "dependency trees are paired by sent_id or by position; align_sentences does not apply to them"
            )
        rules = rules_of(options)
        return replace(options, punctuation=rules.punctuation, subtypes=rules.subtypes)

    def rules(self) -> str:
        """Return the rules in words."""
        return rules_of(self.options).describe()

    def gold_table(self, gold: Any) -> tuple[pa.Table, NDArray[np.int32]]:
        """Return the table of gold trees, and how many words each has."""
        return dependency_trees(None, gold), gold.n_words


def _word_problems(pair: DependencyPair) -> list[Problem]:
    """List the sentences whose words differ."""
    problems = []
    for sentence in np.flatnonzero(pair.status == Status.WORDS_DIFFER).tolist():
        sides = []
        for side in (pair.gold, pair.test):
            forms = side.form[side.offsets[sentence] : side.offsets[sentence + 1]].tolist()
            sides.append([side.vocabulary.words[form] for form in forms])
        gold, test = sides
        both = zip(gold, test, strict=False)
        index = next((index for index, (a, b) in enumerate(both) if a != b), min(len(gold), len(test)))
        found, expected = (
            f"word {index + 1} {excerpt(words[index])!r}" if index < len(words) else f"{len(words)} words"
            for words in (test, gold)
        )
        line = int(pair.test.line[sentence]) or None
        first = pair.gold.first_sentence + 1
        expected = f"{expected}, as in {pair.gold.name}"
        problems.append(Problem("words_differ", pair.test.name, line, None, found, expected, first + sentence))
    return problems


def compare_dependencies(gold_file: tuple[Source, str], test_file: tuple[Source, str]) -> Compared:
    """Pair the sentences of two files, given with their formats, and compare their words."""
    gold_stream, stream = CorpusStream(*gold_file), CorpusStream(*test_file)
    vocabulary, ids = Vocabulary(), GoldIds(gold_stream)
    reader = PairedStream(stream, gold_stream, ids)
    gold = gold_stream.read(sys.maxsize, vocabulary, drop_blank_end=True)
    ids.note(gold_stream, gold)
    test = reader.read(len(gold), vocabulary)
    assert isinstance(gold, Dependencies)
    assert isinstance(test, Dependencies)
    problems = _word_problems(pair_dependencies(gold, test, DependencyRules()))
    problems += reader.finish(None)
    return Compared(tuple(problems), tuple(ids.problems()) if reader.has_ids else (), describe_pairing(reader.entry))
