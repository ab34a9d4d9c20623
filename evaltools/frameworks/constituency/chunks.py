"""One chunk of a treebank: sentences of the gold file and of every parser, scored for each parser; their problems."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind, Treebank, Vocabulary
from evaltools.corpus.folding import TRACES, are_punctuation
from evaltools.errors import Problem
from evaltools.formats import Source
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.frameworks.common.columns import Rows, SentenceStatus
from evaltools.frameworks.common.labels import EQUATED
from evaltools.frameworks.common.tables import count_statuses
from evaltools.frameworks.common.tree_inputs import TreeInputs, first_difference
from evaltools.frameworks.constituency import tables
from evaltools.frameworks.constituency.evalb_lines import with_empty_words, with_evalb_rows
from evaltools.frameworks.constituency.normalization import (
    ROOTS,
    WITHOUT_FUNCTIONS,
    Normalized,
    Pair,
    TreeComparison,
    normalize_gold,
    normalize_pair,
    word_offsets,
)
from evaltools.frameworks.constituency.options import ConstituencyOptions
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.repair import RepairCounts
from evaltools.frameworks.constituency.tree_distance import TreeDistance
from evaltools.frameworks.framework import Chunk, Compared, Description, Request, Scored
from evaltools.frameworks.pairing.aligned_stream import AlignedStream
from evaltools.frameworks.pairing.paired_stream import GoldIds, PairedStream, describe_pairing
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.filtering import count_left_out, tagged_words, without_empty_elements
from evaltools.progress import Progress, ranges


@dataclass(frozen=True)
class TreeChunk(Chunk):
    """Some sentences of a gold treebank and of every parser; all share the gold trees' vocabulary."""

    gold: Treebank
    parses: dict[str, Treebank]
    rules: tuple[Preset, ConstituencyOptions, tuple[str, ...]]
    normalized: Normalized = field(init=False)
    lengths: tuple[NDArray[np.int32], NDArray[np.int32]] = field(init=False)

    def __post_init__(self) -> None:
        preset, _, _ = self.rules
        if preset.evalb is not None:
            object.__setattr__(self, "gold", with_empty_words(self.gold))
            object.__setattr__(self, "parses", {name: with_empty_words(test) for name, test in self.parses.items()})
        object.__setattr__(self, "normalized", normalize_gold(self.gold, preset))
        read = self.normalized.read
        object.__setattr__(self, "lengths", (read.n_words, _evalb_lengths(read, preset)))

    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser."""
        gold, test = self.gold, self.parses[parser]
        preset, options, families = self.rules
        pair = normalize_pair(gold, test, preset, self.normalized)
        passes = Passes(PASSES, TreeComparison.of(pair, preset, options), options, families)
        for first, last in ranges(len(gold)):
            progress.update("scoring", passes.run(first, last))
        labels, sums, signs = list[str](), dict[str, Any](), dict[str, int]()
        if details:
            rows = tables.parser_tables(parser, test, passes, *self.lengths)
            labels = tables.labels_in(rows["sentences"]["labels"])
            left_out, gold_left_out = (
                count_left_out(side, preset.empty_tags, cuts_features=preset.cut == "functions")
                for side in (test, gold)
            )
            signs = _signs(pair, preset)
            sums = {"equated": {kind: signs[kind] for kind in EQUATED} | left_out, "gold_equated": gold_left_out}
        else:
            rows = {"sentences": tables.sentence_counts(parser, test, passes, *self.lengths)}
        if preset.evalb is not None:
            rows["sentences"] = with_evalb_rows(rows["sentences"], gold, test, preset)
        problems = [replace(problem, parser=parser) for problem in test.problems]
        problems += pair_problems(parser, passes)
        statuses = count_statuses(rows["sentences"])
        n_words_aligned = 0 if pair.alignment is None else int(np.count_nonzero(pair.alignment.aligned))
        return Scored(rows, statuses, labels, problems, n_words_aligned, sums, signs)

    def signs(self, parser: str) -> dict[str, int]:
        """Count signs that tags, labels or the rules are not what was meant."""
        preset, _, _ = self.rules
        return _signs(normalize_pair(self.gold, self.parses[parser], preset, self.normalized), preset)


_FUNCTION = re.compile(".[-=]")


def _signs(pair: Pair, preset: Preset) -> dict[str, int]:
    gold, test = pair.gold.treebank, pair.test.treebank
    same = (pair.status == SentenceStatus.OK) & (gold.n_words == test.n_words)
    tags, test_tags = (side.word_tags[np.repeat(same, side.n_words)] for side in (gold, test))
    signs = {
        **dict.fromkeys(EQUATED, 0),
        **pair.count_equated(),
        "tagged": int(np.count_nonzero(tags >= 0)),
        "wrongly_tagged": int(np.count_nonzero(tags != test_tags)),
    }
    labels = gold.vocabulary.labels.strings()
    has_function = np.array([_FUNCTION.search(label) is not None for label in labels], dtype=np.bool_)
    is_root = np.array([label in ROOTS for label in labels], dtype=np.bool_)
    for prefix, side in (("gold_", pair.gold), ("", pair.test)):
        brackets = side.treebank.label[side.kinds == Kind.PHRASE]
        signs[f"{prefix}words"] = int(side.treebank.n_words.sum())
        signs[f"{prefix}brackets"] = len(brackets)
        signs[f"{prefix}functions"] = int(np.count_nonzero(has_function[brackets]))
        signs[f"{prefix}roots"] = int(np.count_nonzero(is_root[brackets]))
        signs[f"{prefix}empty"] = int(np.count_nonzero(tagged_words(side.treebank, TRACES)))
    if preset.delete_tags:
        read = pair.gold.read
        marks = are_punctuation(read.vocabulary.words, read.label[read.word_nodes])
        signs["punctuation"] = int(np.count_nonzero(marks))
        signs["counted_punctuation"] = int(np.count_nonzero(marks & ~pair.gold.dropped))
    return signs


def _evalb_lengths(gold: Treebank, preset: Preset) -> NDArray[np.int32]:
    """Return the length of the gold sentences as evalb prints it: without words of ``DELETE_LABEL_FOR_LENGTH``."""
    if preset.evalb is None or not preset.evalb.delete_for_length:
        return gold.n_words
    is_counted = ~tagged_words(gold, preset.evalb.delete_for_length)
    cumulative = np.concatenate(([0], np.cumsum(is_counted, dtype=np.int32)))
    lengths: NDArray[np.int32] = np.diff(cumulative[word_offsets(gold)]).astype(np.int32)
    return lengths


class ConstituencyInputs(TreeInputs):
    """Treebanks, read side by side."""

    framework = "constituency"
    passes = PASSES
    chunk = TreeChunk

    def __init__(self, gold: CorpusStream, parsers: Mapping[str, CorpusStream], request: Request, options: Any) -> None:
        if options.align_sentences:
            self.reader = AlignedStream
        super().__init__(gold, parsers, request, options)

    def rules(self) -> str:
        """Return the rules in words."""
        return "\n".join([super().rules(), *([WITHOUT_FUNCTIONS] if self._realizational else [])])

    def describe(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> Description:
        """Read all files to their end and describe the run."""
        description = super().describe(sums)
        if self._realizational:
            description.signature.append("rr:no_functions")
        return description

    @property
    def _realizational(self) -> bool:
        """Whether the trees of a file are relational-realizational."""
        return "rr" in {self._gold.format, *(reader.stream.format for reader in self._readers.values())}

    def gold_table(self, gold: Any) -> tuple[Rows, NDArray[np.int32]]:
        """Return the table of gold trees, and how many words each has that are compared."""
        compared = without_empty_elements(gold, self.preset.empty_tags)
        return tables.trees_table(None, gold, compared), compared.n_words


def pair_problems(parser: str, passes: Passes[TreeComparison]) -> list[Problem]:
    """List the sentences whose words differ, and the pairs that are too large to align."""
    pair, t, r = passes.comparison.pair, passes.get(TreeDistance), passes.get(RepairCounts)
    problems = words_problems(pair, parser)
    for sentence in [] if t is None else np.flatnonzero(t.too_large).tolist():
        expected = "trees small enough for tree distance; the sentence has no T score"
        problems.append(
            _problem("too_large", pair, sentence, f"{_n_nodes(pair, sentence)} and more nodes", expected, parser)
        )
    for sentence in [] if r is None else np.flatnonzero(r.too_large).tolist():
        found = f"{_n_nodes(pair, sentence)} nodes, far from the gold tree"
        expected = "trees that can be repaired in about a second; the sentence has no number of errors (R)"
        problems.append(_problem("too_large", pair, sentence, found, expected, parser))
    return problems


def words_problems(pair: Pair, parser: str = "") -> list[Problem]:
    """List the sentences that have other words than the gold sentence, if both have all their words."""
    gold, test = pair.gold.read, pair.test.read
    differ = (pair.status == SentenceStatus.WORDS_DIFFER) & (gold.n_words > 0)
    return [
        _problem("words_differ", pair, sentence, *_difference(pair, sentence), parser)
        for sentence in np.flatnonzero(differ).tolist()
        if gold.has_whole_words(sentence) and test.has_whole_words(sentence)  # else this is listed
    ]


def _problem(kind: str, pair: Pair, sentence: int, found: str, expected: str, parser: str) -> Problem:
    test, number = pair.test.read, pair.gold.read.first_sentence + 1 + sentence
    return Problem(kind, test.name, int(test.line[sentence]) or None, None, found, expected, number, parser)


def _n_nodes(pair: Pair, sentence: int) -> int:
    gold = pair.gold.read
    return int(gold.offsets[sentence + 1] - gold.offsets[sentence])


def _difference(pair: Pair, sentence: int) -> tuple[str, str]:
    """Describe the first word of a sentence that differs, as it was compared: what was found and expected."""
    # an evalb preset compares what is left after deletion, the others the words as read
    treebanks = [side.read if pair.compared_as_read else side.treebank for side in (pair.test, pair.gold)]
    test, gold = (treebank.tree(sentence).words for treebank in treebanks)
    index = int(pair.first_difference[sentence])  # EQ_WORD may equate other forms
    found, expected = first_difference(test, gold, index if index >= 0 else None)
    return found, f"{expected}, as in {pair.gold.read.name}"


def compare_treebanks(
    gold_file: tuple[Source, str], test_file: tuple[Source, str], preset: Preset, *, align: bool
) -> Compared:
    """Pair the sentences of two treebanks and compare their words; the parameters are those of a framework's method."""
    vocabulary = Vocabulary()

    gold_stream, stream = (CorpusStream(*file, as_evalb=preset.evalb is not None) for file in (gold_file, test_file))
    gold = gold_stream.read(sys.maxsize, vocabulary, drop_blank_end=True)
    assert isinstance(gold, Treebank)
    ids = GoldIds(gold_stream)
    ids.note(gold)
    reader = (AlignedStream if align else PairedStream)(stream, gold_stream, ids)
    test = reader.read(len(gold), vocabulary)
    assert isinstance(test, Treebank)
    problems, entry, pairing = reader.finish(None), reader.entry, ""
    if "paired" in entry:
        pairing = describe_pairing(entry | {"format": stream.format})
    elif not align:  # other numbers of sentences are said in other words
        problems = []
    problems += words_problems(normalize_pair(gold, test, preset))
    return Compared(tuple(problems), pairing=pairing)
