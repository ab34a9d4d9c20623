"""Files of dependency trees, compared and scored chunk by chunk."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Vocabulary
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.folding import are_punctuation, folded
from evaltools.corpus.resegmented import ELSEWHERE, Resegmented
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import Source
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.frameworks.common.columns import Rows, SentenceStatus, coded, constant, joined, number_column
from evaltools.frameworks.common.labels import EQUATED, relabeled, sums_of
from evaltools.frameworks.common.leaf_ancestor import lineage_columns
from evaltools.frameworks.common.tables import count_statuses, sentences_table, stored_trees
from evaltools.frameworks.common.tree_inputs import TreeInputs, first_difference
from evaltools.frameworks.dependency.column_errors import stored_values
from evaltools.frameworks.dependency.errors import dependency_errors, head_tags
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.pair import (
    DependencyComparison,
    DependencyPair,
    pair_dependencies,
)
from evaltools.frameworks.dependency.passes import PASSES, Attachment, DependencyLineages
from evaltools.frameworks.dependency.universal import EMPTY, count_values, lacking_columns
from evaltools.frameworks.framework import Chunk, Compared, Description, ReadChunk, Scored
from evaltools.frameworks.pairing.paired_stream import GoldIds, describe_pairing
from evaltools.frameworks.pairing.text_pairing import TextPairedStream
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.progress import Progress, ranges
from evaltools.text import count_of

# -------------------------------------------------------------------------------------------------------------- tables


def dependency_sentences(parser: str, passes: Passes[DependencyComparison]) -> Rows:
    """Build one row a sentence: status and counts."""
    pair = passes.comparison.pair
    counts = passes[Attachment].counts
    scored, aligned = counts[:, 0], counts[:, 2]
    return sentences_table(
        parser,
        passes,
        first=pair.test.first_sentence,
        line=pair.test.line,
        words=pair.gold.n_words,
        words_scored=scored,
        status=pair.status,
        counted=scored > 0,
        words_aligned=number_column(aligned.astype(np.int32), pair.status != SentenceStatus.WORDS_DIFFER),
    )


def dependency_words(parser: str, passes: Passes[DependencyComparison]) -> Rows:
    """Build one row a gold word that counts: tags, heads, relations, which are right, and LA similarities."""
    # Heads are numbered from 1, 0 for the root, as in the files; those of the test tree by the words of that tree, and
    # null for a word without a head.
    pair = passes.comparison.pair
    gold, test = pair.gold, pair.test
    attachment, la = passes[Attachment], passes.get(DependencyLineages)
    vocabulary = gold.vocabulary
    words = np.flatnonzero(pair.counted)
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), gold.n_words)[words]
    partner = pair.partner[words].astype(np.int64)
    aligned = partner >= 0
    test_words = (test.offsets[sentence] + partner)[aligned]

    def of_test(column: NDArray[Any]) -> NDArray[np.int64]:
        values = np.full(len(words), -1, dtype=np.int64)
        values[aligned] = column[test_words]
        return values

    test_head = of_test(test.head)
    relations = vocabulary.labels.strings()
    columns: Rows = {
        "parser": constant(parser, len(words)),
        "sentence": (sentence + 1 + gold.first_sentence).astype(np.int32),
        "word": (words - gold.offsets[sentence] + 1).astype(np.int32),
        "position": (words - gold.offsets[sentence]).astype(np.int32),
        "form": coded(gold.form[words].astype(np.int64), vocabulary.words.strings()),
        "tag": coded(gold.tag[words].astype(np.int64), relations),
        "test_tag": coded(of_test(test.tag), relations),
        **stored_values(gold, words),
        "head": gold.head[words] + np.int32(1),
        "head_tag": head_tags(gold, gold.offsets[sentence], gold.head[words].astype(np.int64)),
        "relation": coded(gold.relation[words].astype(np.int64), relations),
        "test_word": number_column((partner + 1).astype(np.int32), ~aligned),
        "test_head": number_column((test_head + 1).astype(np.int32), ~aligned | (test_head == NO_HEAD)),
        "test_relation": coded(of_test(test.relation), relations),
        "head_right": attachment.head_right[words],
        "relation_right": attachment.relation_right[words],
    }
    return columns | lineage_columns(len(words), None if la is None else (la.similarity[words], la.length[words]))


def dependency_trees(parser: str | None, trees: Dependencies) -> Rows:
    """Build one row a tree as it was read; `parser` is None for the gold trees, a missing tree is null."""
    # The gold trees have their words as ``text``, separated by blanks.
    filled = np.diff(trees.offsets) > 0
    blocks = [trees.source(index) if is_tree else None for index, is_tree in enumerate(filled.tolist())]
    text = None
    if parser is None:
        text = joined(coded(trees.form, trees.vocabulary.words.strings()), trees.offsets, filled)
    return stored_trees(parser, trees.first_sentence, trees.line, trees.notation, blocks, text)


# -------------------------------------------------------------------------------------------------------------- chunks


@dataclass(frozen=True)
class _DependencyChunk(Chunk):
    """Some sentences of a gold corpus and of every parser; all share the gold trees' vocabulary."""

    gold: Dependencies
    parses: dict[str, Dependencies]
    rules: tuple[Preset, DependencyOptions, tuple[str, ...]]

    def __post_init__(self) -> None:
        label_map = self.rules[0].label_map
        object.__setattr__(self, "gold", relabeled(self.gold, label_map))
        object.__setattr__(self, "parses", {name: relabeled(test, label_map) for name, test in self.parses.items()})

    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser."""
        gold, test = self.gold, self.parses[parser]
        _, options, families = self.rules
        pair = pair_dependencies(gold, test, options)
        passes = Passes(PASSES, DependencyComparison(pair, options), options, families)
        for first, last in ranges(len(gold)):
            progress.update("scoring", passes.run(first, last))
        tables = {"sentences": dependency_sentences(parser, passes)}
        if details:
            tables |= {
                "words": dependency_words(parser, passes),
                "errors": dependency_errors(parser, passes, gold, test, self.rules[0].label_map),
                "trees": dependency_trees(parser, test),
            }
        problems = [replace(problem, parser=parser) for problem in (*test.problems, *_word_problems(pair))]
        statuses = count_statuses(tables["sentences"])
        labels = pair.gold.vocabulary.labels
        numbers = np.unique(np.concatenate((gold.relation, test.relation))).tolist()
        names = sorted(labels[number] for number in numbers)
        equated = pair.count_equated()
        sums = {"equated": equated, "gold_equated": {"root": pair.n_root[0]}}
        sums["values"] = count_values(pair.gold, pair.test)
        signs = _signs(pair, equated, options) if details else {}
        return Scored(tables, statuses, names, problems, statuses[SentenceStatus.WORDS_DIFFER], sums, signs)

    def signs(self, parser: str) -> dict[str, int]:
        """Count signs that tags or columns are not what was meant."""
        _, options, _ = self.rules
        pair = pair_dependencies(self.gold, self.parses[parser], options)
        return _signs(pair, pair.count_equated(), options)


def _signs(pair: DependencyPair, equated: Mapping[str, int], options: DependencyOptions) -> dict[str, int]:
    gold, test = pair.gold, pair.test
    words, partners = pair.aligned
    labels = gold.vocabulary.labels
    tagged = ~np.isin(gold.tag[words], [labels.find(empty) for empty in EMPTY])
    signs = {
        **{kind: equated.get(kind, 0) for kind in EQUATED},
        "gold_words": len(gold.form),
        "tagged": int(np.count_nonzero(tagged)),
        "wrongly_tagged": int(np.count_nonzero(tagged & (gold.tag[words] != test.tag[partners]))),
    }
    if options.punctuation != "keep":
        marks = are_punctuation(gold.vocabulary.words, gold.form)
        signs["punctuation"] = int(np.count_nonzero(marks))
        signs["counted_punctuation"] = int(np.count_nonzero(marks & pair.counted))
    return signs | count_values(gold, test)


class DependencyInputs(TreeInputs):
    """Corpora of dependency trees, read side by side."""

    framework = "dependency"
    reader = TextPairedStream
    passes = PASSES
    chunk = _DependencyChunk

    def __init__(self, gold: CorpusStream, parsers: Mapping[str, CorpusStream], *rest: Any) -> None:
        super().__init__(gold, parsers, *rest)
        if self.options.strict_conllu:
            for stream in (gold, *parsers.values()):
                stream.watch(_OfficialLines(stream.name))

    def preset_for(self, preset: Preset) -> Preset:
        """Return the preset that leaves trees as they are; raise ParameterError on one that deletes brackets."""
        if replace(preset, label_map={}) not in (load_preset("standard"), load_preset("none")):
            raise ParameterError(f"preset {preset.name}: presets delete brackets; dependency trees have none")
        return replace(load_preset("none"), label_map=preset.label_map)

    def read(self, max_sentences: int) -> ReadChunk:
        """Read the next sentences; if asked to, raise InputError where the official evaluation stops."""
        chunk = super().read(max_sentences)
        if self.options.strict_conllu and chunk.n:
            for trees in (chunk.gold, *chunk.parses.values()):
                _refuse(trees.problems, _OFFICIAL_ERRORS)
            for name, trees in chunk.parses.items():
                lacking = np.flatnonzero((chunk.gold.n_words > 0) & (trees.n_words == 0))
                if len(lacking):
                    number = chunk.gold.first_sentence + int(lacking[0]) + 1
                    found, expected = "no words of this sentence", f"those of sentence {number:,} of {chunk.gold.name}"
                    raise InputError(Problem("texts_differ", trees.name, None, None, found, expected, number, name))
        return chunk

    def describe(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> Description:
        """Read all files to their end and describe the run."""
        description = super().describe(sums)
        for entry in description.parsers:
            values = sums_of(chunk["values"] for chunk in sums[entry["name"]])
            description.problems.extend(lacking_columns(entry["name"], entry["file"], values))
        if self.options.strict_conllu:
            _refuse(description.problems, ("texts_differ", "surplus", "too_few", "column_blanks", "no_head"))
            for entry in description.parsers:
                if entry["paired"] == "id" and entry["pairing"]["shifted"]:
                    found = f"{entry['pairing']['shifted']:,} sentences at another position"
                    raise InputError(
                        Problem("texts_differ", entry["file"], None, None, found, "the order of the gold file")
                    )
        return description

    def rules(self) -> str:
        """Return the rules in words."""
        return "\n".join([*self.preset.describe_label_map(), self.options.describe()])

    def gold_table(self, gold: Any) -> tuple[Rows, NDArray[np.int32]]:
        """Return the table of gold trees, and how many words each has."""
        return dependency_trees(None, gold), gold.n_words


_WRONG_BLANK = re.compile(rb"\n\n\n|^[ \t\v\f]+\n", re.MULTILINE)
"""An empty line after an empty one, or a line of blanks."""


class _OfficialLines:
    """Refuses blank lines other than one empty line after each sentence; given a file part by part, then nothing."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._before, self._rest = b"\n\n", b""
        self._line = 1

    def __call__(self, part: bytes) -> None:
        data = self._rest + part.replace(b"\r", b"")
        end = data.rfind(b"\n") + 1 if part else len(data)
        lines, self._rest = self._before + data[:end], data[end:]
        if blank := _WRONG_BLANK.search(lines):
            self._refuse(self._line + lines.count(b"\n", 0, blank.end() - 1) - 2, "a blank line")
        if not part and not lines.endswith(b"\n\n"):
            self._refuse(None, "no empty line at the end")
        self._line += data.count(b"\n", 0, end)
        self._before = lines[-2:]

    def _refuse(self, line: int | None, found: str) -> None:
        raise InputError(Problem("blank", self._name, line, None, found, "one empty line after each sentence"))


_OFFICIAL_ERRORS = (
    *("columns", "ids", "duplicate_id", "multiword", "comment", "head", "head_range"),
    *("no_root", "cycle", "two_roots", "deps", "blank", "line_break"),
)
"""Problems at which the official evaluation stops."""


def _refuse(problems: Sequence[Problem], kinds: Sequence[str]) -> None:
    for problem in problems:
        if problem.kind in kinds:
            raise InputError(problem)


def _word_problems(pair: DependencyPair) -> list[Problem]:
    """List the sentences whose words differ, or that the parser divides elsewhere."""
    gold, test = pair.gold, pair.test
    is_here = np.ones(len(test.form), dtype=np.bool_)
    if isinstance(test, Resegmented):
        is_here = test.segmentation.gold_word != ELSEWHERE
    problems = []
    for sentence in np.flatnonzero(pair.status == SentenceStatus.WORDS_DIFFER).tolist():
        if not (gold.has_whole_words(sentence) and test.has_whole_words(sentence)):  # this is listed
            continue
        words = slice(int(test.offsets[sentence]), int(test.offsets[sentence + 1]))
        forms = _forms(gold, gold.form[gold.offsets[sentence] : gold.offsets[sentence + 1]])
        test_forms = _forms(test, test.form[words][is_here[words]])
        found, expected = first_difference(test_forms, forms)
        kind, n_other = "words_differ", int((~is_here[words]).sum())
        if [*map(folded, forms)] == [*map(folded, test_forms)]:
            kind = "sentence_split"
            found = f"a sentence with {count_of(n_other, 'more word')}, of other gold sentences"
            expected = f"a sentence of {len(forms)} words"
        line = int(test.line[sentence]) or None
        number = gold.first_sentence + 1 + sentence
        problems.append(Problem(kind, test.name, line, None, found, f"{expected}, as in {gold.name}", number))
    return problems


def _forms(side: Dependencies, numbers: NDArray[np.int32]) -> list[str]:
    return [side.vocabulary.words[form] for form in numbers.tolist()]


def compare_dependencies(gold_file: tuple[Source, str], test_file: tuple[Source, str]) -> Compared:
    """Pair the sentences of two files, given with their formats, and compare their words."""
    gold_stream, stream = CorpusStream(*gold_file), CorpusStream(*test_file)
    vocabulary, ids = Vocabulary(), GoldIds(gold_stream)
    reader = TextPairedStream(stream, gold_stream, ids)
    gold = gold_stream.read(sys.maxsize, vocabulary, drop_blank_end=True)
    ids.note(gold)
    test = reader.read(len(gold), vocabulary)
    assert isinstance(gold, Dependencies)
    assert isinstance(test, Dependencies)
    problems = _word_problems(pair_dependencies(gold, test, DependencyOptions()))
    problems += reader.finish(None)
    return Compared(tuple(problems), tuple(ids.problems()) if reader.has_ids else (), describe_pairing(reader.entry))
