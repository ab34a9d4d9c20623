"""Inputs of runs across frameworks: gold treebanks of several theories and parsers' outputs, read side by side."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.corpus.folding import MARKUP
from evaltools.corpus.sentence_ids import ID_NAMES, CommentReader
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.formats.export import EXPORT
from evaltools.formats.source import AnySource
from evaltools.frameworks.common.columns import Rows, SentenceStatus, concatenated, constant, n_rows, number_column
from evaltools.frameworks.common.labels import count_words, equated_entry, signed
from evaltools.frameworks.common.tables import count_statuses, sentences_table, stored_trees
from evaltools.frameworks.common.tree_inputs import first_difference, source_entry
from evaltools.frameworks.crossframework.function_columns import (
    FunctionColumns,
    FunctionComparison,
    FunctionVocabulary,
    Projectivized,
    corpus_functions,
    dependency_functions,
    has_functions_in_labels,
)
from evaltools.frameworks.crossframework.memberships import Segmentation, compare_words
from evaltools.frameworks.crossframework.tedeval import PASSES, Overlaps, Refusal, TedEval, TedEval2011
from evaltools.frameworks.framework import Chunk, Description, Inputs, Plan, ReadChunk, Scored
from evaltools.frameworks.pairing.paired_stream import GoldIds, PairedStream
from evaltools.frameworks.passes import Passes, select_metrics
from evaltools.frameworks.presets.filtering import count_left_out
from evaltools.progress import Progress


@dataclass(frozen=True, slots=True)
class Conversion:
    """How trees become function trees."""

    label_map: Mapping[str, str] = field(default_factory=dict)  # Labels of one inventory to those of another
    # Pairs of theories, or of parsers: trees of the first get the labels of trees of the second over the same words.
    tl_unify: tuple[tuple[str, str], ...] = ()
    count_root: bool = True  # Whether the node over the whole sentence counts
    free_labels: tuple[tuple[str, str], ...] = ()  # Pairs of labels that TedEval of 2011 treats as equal
    projectivize: bool = True  # Whether dependency trees are made projective for TedEval of 2011

    def unified(self, theories: Collection[str], *, parsers: bool = False) -> list[tuple[str, str]]:
        """Return the pairs of theories, or those of parsers; a pair of names that are both is one of theories."""
        return [pair for pair in self.tl_unify if set(pair).issubset(theories) != parsers]

    def check_unified(self, theories: Collection[str], parsers: Collection[str]) -> None:
        """Raise ParameterError if a pair is neither one of theories nor one of parsers."""
        for structure, labels in self.tl_unify:
            for name in (structure, labels):
                if name not in theories and name not in parsers:
                    raise ParameterError.unknown("theory or parser", name, [*theories, *parsers])
            if not any({structure, labels}.issubset(names) for names in (theories, parsers)):
                raise ParameterError(
                    f"{structure} and {labels} cannot be unified: expected two theories or two parsers"
                )
            if structure == labels:
                raise ParameterError(f"{structure} cannot be unified with itself")


def function_trees(
    trees: Treebank | Dependencies, vocabulary: FunctionVocabulary, conversion: Conversion
) -> tuple[FunctionColumns, FunctionColumns, int]:
    """Return the trees for the figures of 2012, those for 2011, and how many were made projective for these."""
    if isinstance(trees, Dependencies):
        return dependency_functions(trees, vocabulary, conversion.label_map, lifts=conversion.projectivize)
    functions = corpus_functions(trees, vocabulary, conversion.label_map)
    return functions, functions, 0


def enriched(trees: Mapping[str, FunctionColumns], pairs: Sequence[tuple[str, str]]) -> dict[str, FunctionColumns]:
    """Add to the first trees of each pair the labels of the second."""
    result = dict(trees)
    for structure, labels in pairs:
        result[structure] = tl_unified(result[structure], trees[labels])
    return result


def tl_unified(structure: FunctionColumns, labels: FunctionColumns) -> FunctionColumns:
    """Add to trees the labels that other trees have over the same words; :func:`~evaltools.tl_unify` for corpora."""
    same = compare_words([structure, labels]) == Segmentation.WORDS
    spans = np.unique(np.concatenate((structure.span, labels.span)))
    nodes, labeled_nodes = (
        item.sentence * np.int64(len(spans)) + np.searchsorted(spans, item.span) for item in (structure, labels)
    )
    added = np.flatnonzero((labels.label >= 0) & same[labels.sentence] & np.isin(labeled_nodes, nodes))
    kept = np.ones(len(structure.span), dtype=np.bool_)
    return structure.with_rows(kept, labels.sentence[added], labels.span[added], labels.label[added])


# -------------------------------------------------------------------------------------------------------------- tables

_STATUS = {
    Segmentation.WORDS: SentenceStatus.OK,
    Segmentation.CHARACTERS: SentenceStatus.WORDS_DIFFER,
    Segmentation.DIFFERENT: SentenceStatus.WORDS_DIFFER,
    Segmentation.MISSING: SentenceStatus.MISSING,
    Segmentation.NO_GOLD: SentenceStatus.MISSING,
}


def parser_tables(
    parser: str,
    trees: Treebank | Dependencies,
    gold: FunctionColumns,
    passes: Passes[FunctionComparison],
    *,
    details: bool = True,
) -> dict[str, Rows]:
    """Build the tables of one parser; without `details`, only that of sentences."""
    segmentation = passes[TedEval].status
    words = gold.n_words.astype(np.int32)
    sentences = sentences_table(
        parser,
        passes,
        first=trees.first_sentence,
        line=trees.line,
        words=words,
        words_scored=words,
        status=status_of(segmentation),
        counted=segmentation != Segmentation.NO_GOLD,
        words_aligned=number_column(words, segmentation != Segmentation.CHARACTERS),
    )
    return {"sentences": sentences} | ({"trees": tree_rows(parser, trees)} if details else {})


def status_of(segmentation: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the status of sentences from how their words compare with those of the gold trees."""
    statuses = np.array([_STATUS[item] for item in Segmentation], dtype=np.int64)
    return statuses[segmentation]


def word_problems(
    parser: str,
    trees: Treebank | Dependencies,
    sides: tuple[FunctionColumns, FunctionColumns],
    segmentation: NDArray[np.uint8],
    gold_name: str,
) -> list[Problem]:
    """List sentences whose characters differ from those of the gold tree, given the function trees of both sides."""
    problems = []
    for sentence in np.flatnonzero(segmentation == Segmentation.DIFFERENT).tolist():
        if not trees.has_whole_words(sentence):  # this is listed
            continue
        line, number = int(trees.line[sentence]) or None, sentence + 1 + trees.first_sentence
        gold, test = (side.forms(sentence) for side in sides)
        found, expected = first_difference(test, gold)
        expected = f"{expected}, as in {gold_name}"
        problems.append(Problem("words_differ", trees.name, line, None, found, expected, number, parser))
    return problems


_REFUSED: Mapping[Refusal, tuple[str, str]] = {
    Refusal.NOT_PROJECTIVE: ("{} with discontinuous constituents", "continuous constituents"),
    Refusal.TWO_LABELS: ("{} with two functions over the same words", "one function for the same words"),
    Refusal.TOO_LARGE: ("{} too large for an edit distance", "shorter sentences"),
}
_REFUSED_DEPENDENCIES = {
    **_REFUSED,
    Refusal.NOT_PROJECTIVE: ("{} that {verb} not projective", "projective trees, or projectivization"),
}


Refused = Mapping[str, Sequence[Any]]
"""For each reason (a number of :class:`Refusal`, as text) how many trees are refused, and the line of the first."""


def refused_trees(trees: Treebank | Dependencies, refused: NDArray[np.uint8]) -> dict[str, list[int | None]]:
    """Count the trees that TedEval of 2011 refuses."""
    counts: dict[str, list[int | None]] = {}
    for reason in _REFUSED:
        chosen = np.flatnonzero(refused == reason)
        if len(chosen):
            counts[str(int(reason))] = [len(chosen), int(trees.line[chosen[0]]) or None]
    return counts


def refusal_problems(stream: CorpusStream, parser: str | None, refused: Iterable[Refused]) -> list[Problem]:
    """Return one problem for each reason for which trees of a file are refused, with the line of the first tree."""
    counts: dict[Refusal, int] = {}
    lines: dict[Refusal, int | None] = {}
    for chunk in refused:
        for number, (count, line) in chunk.items():
            reason = Refusal(int(number))
            counts[reason] = counts.get(reason, 0) + count
            lines.setdefault(reason, line)
    descriptions = _REFUSED_DEPENDENCIES if FORMATS[stream.format].holds is Dependencies else _REFUSED
    problems = []
    for reason, count in sorted(counts.items()):
        description, fulfilled = descriptions[reason]
        trees, verb = ("1 tree", "is") if count == 1 else (f"{count:,} trees", "are")
        found = description.format(trees, verb=verb) + ("" if count == 1 else ", the first of them here")
        expected = f"{fulfilled}; TedEval 2011 is undefined for these sentences, TedEval 2012 is not"
        problems.append(Problem("tedeval2011", stream.name, lines[reason], None, found, expected, parser=parser))
    return problems


def tree_rows(parser: str | None, trees: Treebank | Dependencies) -> Rows:
    """Build one row a tree, in the notation of its format; a missing tree is null."""
    # The gold trees, with `parser` None, have their words as ``text``, separated by blanks.
    filled = (np.diff(trees.offsets) > 0).tolist()
    blocks = [_text(trees, index) if is_tree else None for index, is_tree in enumerate(filled)]
    words = None
    if parser is None:
        words = [" ".join(trees.tree(index).words) if is_tree else None for index, is_tree in enumerate(filled)]
    notation = trees.format if FORMATS[trees.format].stands_alone else EXPORT.name
    return stored_trees(parser, trees.first_sentence, trees.line, notation, blocks, words)


def _text(trees: Treebank | Dependencies, index: int) -> str:
    """Return a tree as it is stored: as in its file, or in NEGRA's export format."""
    if FORMATS[trees.format].stands_alone:
        return trees.source(index)
    return str(EXPORT.write([trees.tree(index)]))


def without_odd_trees(trees: Treebank) -> Treebank:
    """Return trees without those that cannot be stored, such as one with a bracket without words; they are listed."""
    if FORMATS[trees.format].stands_alone:
        return trees
    sentences = np.arange(len(trees))
    problems = list(trees.problems)
    for sentence in np.flatnonzero(np.diff(trees.offsets)).tolist():
        try:
            _text(trees, sentence)
        except ParameterError as error:
            sentences[sentence] = -1
            line, number = int(trees.line[sentence]) or None, sentence + 1 + trees.first_sentence
            found = f"a tree that is left out: {str(error).removeprefix('sentence 1: ')}"
            expected = f"trees that {EXPORT.title} can hold"
            problems.append(Problem("odd_tree", trees.name, line, None, found, expected, number))
    return replace(trees.select(sentences), line=trees.line, problems=problems)


def golds_table(golds: Mapping[str, Treebank | Dependencies]) -> Rows:
    """Build one row a gold tree of every theory."""
    parts = []
    for theory, trees in golds.items():
        rows = tree_rows("", trees)
        kept = {name: rows[name] for name in ("sentence", "line", "notation", "tree")}
        parts.append({"theory": constant(theory, n_rows(rows)), **kept})
    return concatenated(parts)


# -------------------------------------------------------------------------------------------------------------- inputs

_SENTENCES_AHEAD = 4096
_RULES = """\
Every tree becomes a function tree: a dependency's words with their relation, and the head by itself as hd; a
constituent with its functions (NP-SBJ: SBJ), or without any. Chains over the same words become one node with all their
functions. Single: against the parser's own gold. Multiple: against what all gold treebanks have in common."""


def plan_theories(
    golds: Mapping[str, AnySource], parsers: Mapping[str, tuple[str, AnySource]], conversion: Conversion
) -> Plan:
    """Return how to compare parsers of several theories."""
    if not golds:
        raise ParameterError("no gold treebank given; at least one is needed, as THEORY=FILE")
    if not parsers:
        raise ParameterError("no parser given; at least one output is needed, as NAME:THEORY=FILE")
    for name in (*golds, *parsers):
        if not name or not name.isprintable():
            raise ParameterError(f"a name must be printable text: {name!r}")
    for theory, _ in parsers.values():
        if theory not in golds:
            raise ParameterError.unknown("theory", theory, golds)
    conversion.check_unified(golds, parsers)

    return lambda progress: open_theories(golds, parsers, conversion)


def open_theories(
    golds: Mapping[str, AnySource],
    parsers: Mapping[str, tuple[str, AnySource]],
    conversion: Conversion,
    *,
    uses_ids: bool = True,
) -> TheoryInputs:
    """Open the files of parsers of several theories; sentences are paired by their ids, if these are to be used."""
    gold_streams = {theory: CorpusStream(source) for theory, source in golds.items()}
    streams = {name: (theory, CorpusStream(source)) for name, (theory, source) in parsers.items()}
    return TheoryInputs(gold_streams, streams, conversion, uses_ids=uses_ids)


@dataclass(frozen=True)
class _Trees:
    """Trees of some sentences: as read, as function trees, and as those for the figures of 2011."""

    read: Treebank | Dependencies
    functions: FunctionColumns
    star: FunctionColumns

    def count_equated(self) -> dict[str, int]:
        """Count the labels ROOT, those compared without features, and the nodes that are left out as markup."""
        if isinstance(self.read, Dependencies):
            return {"root": self.functions.n_root}
        left_out = count_left_out(self.read, MARKUP, cuts_features=has_functions_in_labels(self.read.format))
        return {"root_function": self.functions.n_root} | left_out


def _unified(trees: Mapping[str, _Trees], pairs: Sequence[tuple[str, str]]) -> dict[str, _Trees]:
    """Add to the first trees of each pair the labels of the second."""
    functions = enriched({name: item.functions for name, item in trees.items()}, pairs)
    stars = enriched({name: item.star for name, item in trees.items()}, pairs)
    return {name: _Trees(item.read, functions[name], stars[name]) for name, item in trees.items()}


@dataclass(frozen=True)
class _Rules:
    conversion: Conversion
    theories: Mapping[str, str]  # The theory that each parser follows
    labeled: Mapping[str, bool]  # Whether the trees of each parser carry functions


@dataclass(frozen=True)
class ReadTrees:
    """Some sentences of every file."""

    n: int  # Number of sentences; 0 at the end of the files
    golds: dict[str, _Trees]  # By theory
    parses: dict[str, _Trees]  # By parser
    rules: _Rules


@dataclass(frozen=True)
class TheoryChunk(Chunk):
    """Some sentences of the gold treebanks, by theory, and of every parser; all share a vocabulary."""

    gold: dict[str, _Trees]
    parses: dict[str, _Trees]
    rules: _Rules

    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser."""
        rules, trees = self.rules, self.parses[parser]
        theory = rules.theories[parser]
        comparison = FunctionComparison(
            trees.functions,
            [gold.functions for gold in self.gold.values()],
            trees.star,
            [gold.star for gold in self.gold.values()],
            list(self.gold).index(theory),
            rules.conversion.count_root,
            rules.conversion.free_labels,
            rules.labeled[parser],
        )
        passes = Passes(PASSES, comparison)
        progress.update("scoring", passes.run(0, len(trees.read)))
        segmentation = passes[TedEval].status
        tables = parser_tables(parser, trees.read, self.gold[theory].functions, passes, details=details)
        problems = [replace(problem, parser=parser) for problem in trees.read.problems]
        sides = self.gold[theory].functions, trees.functions
        problems += word_problems(parser, trees.read, sides, segmentation, self.gold[theory].read.name)
        of_parser, *of_golds = passes[TedEval2011].refused_trees
        sums: dict[str, Any] = {
            "refused": refused_trees(trees.read, of_parser),
            "equated": _count_words(*sides, segmentation) | trees.count_equated(),
        }
        if parser == next(reversed(self.parses)):  # what is said of gold trees is said once
            sums["refused_golds"] = [
                refused_trees(gold.read, refused) for gold, refused in zip(self.gold.values(), of_golds, strict=True)
            ]
            sums["equated_golds"] = {name: gold.count_equated() for name, gold in self.gold.items()}
        return Scored(
            tables,
            count_statuses(tables["sentences"]),
            [],
            problems,
            int(np.count_nonzero(segmentation == Segmentation.CHARACTERS)),
            sums,
        )


def _count_words(gold: FunctionColumns, test: FunctionColumns, segmentation: NDArray[np.uint8]) -> dict[str, int]:
    """Count the words that are the same but for their case or writing, in the sentences that have the same words."""
    same = segmentation == Segmentation.WORDS
    words, test_words = (side.form[np.repeat(same, side.n_words)] for side in (gold, test))
    return count_words(gold.vocabulary.words, words, test_words)


class _TheoryStream(PairedStream):
    advice = "sentences with ids (sent_id, #BOS, <s id>) in all files are paired by them"


class TheoryInputs(Inputs):
    """Gold treebanks and parsers' outputs of several theories."""

    framework = "crossframework"
    parallel = False  # the trees of a chunk share a vocabulary

    def __init__(
        self,
        golds: Mapping[str, CorpusStream],
        parsers: Mapping[str, tuple[str, CorpusStream]],
        conversion: Conversion,
        *,
        uses_ids: bool,
    ) -> None:
        self._uses_ids = uses_ids
        self.parsers = list(parsers)
        self.metrics = select_metrics(None, PASSES.values())
        self._golds, self._conversion = golds, conversion
        self._theories = {name: theory for name, (theory, _) in parsers.items()}
        self._comments = CommentReader()
        self._first, *_ = golds.values()
        self._gold_ids = {theory: GoldIds(stream) for theory, stream in golds.items()}
        self._gold_readers = {
            theory: _TheoryStream(stream, self._first, *self._ids_for(stream, list(golds)[:number]))
            for number, (theory, stream) in enumerate(golds.items())
            if number
        }
        self._readers = {
            name: _TheoryStream(stream, self._first, self._gold_ids[theory], *self._ids_for(stream, golds))
            for name, (theory, stream) in parsers.items()
        }
        self._labeled: dict[str, bool] = {}
        self._projectivized: Projectivized = {
            "golds": dict.fromkeys(golds, 0),
            "parsers": dict.fromkeys(parsers, 0),
        }
        self._overlaps = Overlaps(golds, count_root=conversion.count_root)
        self._any_words = False

    def _ids_for(self, stream: CorpusStream, theories: Iterable[str]) -> list[GoldIds]:
        """Return the ids of the gold files of some theories, those first that are called as in a file."""
        name = ID_NAMES.get(stream.format)
        return sorted((self._gold_ids[theory] for theory in theories), key=lambda gold: gold.ids.name != name)

    @property
    def total(self) -> int:
        """Pairs of sentences to score, estimated from the part of the first gold file that has been read."""
        share = self._first.share_read
        return round(self._first.n_read * len(self.parsers) / share) if share else 0

    def read(self, max_sentences: int) -> ReadChunk:
        """Read the next sentences of every file, and turn the trees into function trees."""
        read = self.read_trees(max_sentences)
        if not read.n:
            return ReadChunk(0, TheoryChunk, {}, {}, read.rules, {}, [])
        self._overlaps.add({theory: item.functions for theory, item in read.golds.items()})
        native = {theory: item.read for theory, item in read.golds.items()}
        tables = {"trees": tree_rows(None, native[next(iter(native))]), "golds": golds_table(native)}
        problems = [problem for item in native.values() for problem in item.problems]
        reordered = {theory for theory, reader in self._gold_readers.items() if reader.is_reordered}
        commented = (item for theory, item in native.items() if theory not in reordered)
        with_comments = next((item for item in commented if isinstance(item, Dependencies)), None)
        metadata = []
        if with_comments is not None:
            metadata = self._comments.read(with_comments.text, with_comments.text_start, with_comments.text_end)
        return ReadChunk(read.n, TheoryChunk, read.golds, read.parses, read.rules, tables, problems, metadata=metadata)

    def read_trees(self, max_sentences: int) -> ReadTrees:
        """Read the next sentences of every file, without what only a run needs of them."""
        trees = self._first.read(max_sentences, Vocabulary(), drop_blank_end=True)
        n = len(trees)
        rules = _Rules(self._conversion, self._theories, self._labeled)
        if not n:
            return ReadTrees(0, {}, {}, rules)
        self._any_words = self._any_words or bool((trees.n_words > 0).any())
        self._first.count_missing(trees)
        native = dict.fromkeys(self._golds, trees)
        if self._uses_ids:
            next(iter(self._gold_ids.values())).note(trees)
        for theory, reader in self._gold_readers.items():
            native[theory] = reader.read(n, Vocabulary())
            if self._uses_ids:
                reader.give_ids(self._gold_ids[theory], native[theory])
        vocabulary = FunctionVocabulary()
        golds = {theory: self._converted(item, vocabulary, "golds", theory) for theory, item in native.items()}
        golds = _unified(golds, self._conversion.unified(self._golds))
        parses = {
            name: self._converted(reader.read(n, Vocabulary()), vocabulary, "parsers", name)
            for name, reader in self._readers.items()
        }
        parses = _unified(parses, self._conversion.unified(self._golds, parsers=True))
        for name, item in parses.items():
            if name not in self._labeled:
                self._labeled[name] = item.functions.has_labels or self._has_functions_later(name)
        return ReadTrees(n, golds, parses, rules)

    def _has_functions_later(self, parser: str) -> bool:
        """Return whether a parser's trees carry functions in what has not been read of its file."""

        def has_functions(trees: Treebank | Dependencies) -> bool:
            return corpus_functions(trees, FunctionVocabulary(), self._conversion.label_map).has_labels

        pairs = self._conversion.unified(self._golds, parsers=True)
        streams = [
            self._readers[name].stream for name in (parser, *(source for name, source in pairs if name == parser))
        ]
        return any(
            FORMATS[stream.format].holds is Dependencies or stream.holds_later(has_functions, _SENTENCES_AHEAD)
            for stream in streams
        )

    def _converted(
        self, trees: Treebank | Dependencies, vocabulary: FunctionVocabulary, group: str, name: str
    ) -> _Trees:
        """Turn trees into function trees; count those made projective for the figures of 2011."""
        if not isinstance(trees, Dependencies):
            trees = without_odd_trees(trees)
        functions, star, n_changed = function_trees(trees, vocabulary, self._conversion)
        self._projectivized[group][name] += n_changed
        return _Trees(trees, functions, star)

    def describe(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> Description:
        """Read all files to their end and describe the run."""
        first, conversion = self._first, self._conversion
        if not self._any_words:
            raise InputError(Problem("empty", first.name, None, None, "no tree", "a gold file with at least one tree"))
        problems = self._problems(sums)
        golds = []
        of_golds = [chunk["equated_golds"] for chunk in sums[self.parsers[-1]]]
        for theory, stream in self._golds.items():
            pairing = self._gold_readers[theory].entry if theory in self._gold_readers else {}
            equated = equated_entry(of_golds, theory)
            golds.append(source_entry(stream) | {"theory": theory} | pairing | equated)
        parsers = [
            source_entry(reader.stream)
            | {"name": name, "theory": self._theories[name], "labeled": self._labeled[name]}
            | reader.entry
            | equated_entry(sums[name])
            for name, reader in self._readers.items()
        ]
        options = {
            "format": None,
            "label_map": [list(pair) for pair in conversion.label_map.items()],
            "tl_unify": [list(pair) for pair in conversion.tl_unify],
            "count_root": conversion.count_root,
            "free_labels": [list(pair) for pair in conversion.free_labels],
            "projectivize": conversion.projectivize,
        }
        return Description(
            rules={
                "preset": "none",
                "preset_rules": _RULES,
                "preset_source": None,
                "preset_fields": None,
                "options": options,
            },
            signature=[*_signed(conversion), *signed([*golds, *parsers])],
            n=first.n_read,
            golds=golds,
            parsers=parsers,
            problems=problems,
            more={
                "golds": golds,
                "overlap": self._overlaps.shares(),
                "projectivized": self._projectivized if conversion.projectivize else None,
            },
            sources=[
                *(["gold", theory, stream.digest[:12]] for theory, stream in self._golds.items()),
                *([name, self._theories[name], reader.stream.digest[:12]] for name, reader in self._readers.items()),
            ],
        )

    def _problems(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Problem]:
        """List the problems of whole files, once they have been read to their end."""
        problems = [problem for reader in self._gold_readers.values() for problem in reader.finish(None)]
        problems += [problem for name, reader in self._readers.items() for problem in reader.finish(name)]
        used = [reader.gold_ids for reader in (*self._gold_readers.values(), *self._readers.values()) if reader.has_ids]
        problems += [
            problem for gold_ids in self._gold_ids.values() if gold_ids in used for problem in gold_ids.problems()
        ]
        streams: list[tuple[str | None, CorpusStream]] = [(None, stream) for stream in self._golds.values()]
        streams += [(name, reader.stream) for name, reader in self._readers.items()]
        for name, stream in streams:
            problems += [replace(problem, parser=name) for problem in stream.problems_of_file()]
        for index, stream in enumerate(self._golds.values()):
            refused = [chunk["refused_golds"][index] for chunk in sums[self.parsers[-1]]]
            problems += refusal_problems(stream, None, refused)
        for name, reader in self._readers.items():
            problems += refusal_problems(reader.stream, name, [chunk["refused"] for chunk in sums[name]])
        for name, reader in self._readers.items():
            if not self._labeled[name]:
                found = "trees without functions; no labeled figures"
                expected = "functions, such as NP-SBJ, or relations, for labeled figures"
                problems.append(Problem("no_functions", reader.stream.name, None, None, found, expected, parser=name))
        return problems


def _signed(conversion: Conversion) -> list[str]:
    """Return the rules in the signature."""
    parts = ["crossframework"]
    if conversion.label_map:
        text = json.dumps(sorted(conversion.label_map.items()))
        parts.append(f"label_map:{hashlib.sha256(text.encode()).hexdigest()[:8]}")
    if conversion.free_labels:
        text = json.dumps(conversion.free_labels)
        parts.append(f"free_labels:{hashlib.sha256(text.encode()).hexdigest()[:8]}")
    parts += [f"tl_unify:{structure}+{labels}" for structure, labels in conversion.tl_unify]
    if not conversion.count_root:
        parts.append("root:not_counted")
    if not conversion.projectivize:
        parts.append("projectivize:no")
    return parts
