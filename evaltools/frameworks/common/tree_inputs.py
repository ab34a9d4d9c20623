"""Inputs of trees: streams of a gold file and of parsers' files, paired sentence by sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Vocabulary
from evaltools.corpus.folding import folded
from evaltools.corpus.sentence_ids import CommentReader
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, content_of, opened, require_trees_like
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.formats.source import open_bytes
from evaltools.frameworks.common.labels import equated_entry, signed
from evaltools.frameworks.framework import (
    Chunk,
    Description,
    Inputs,
    Plan,
    ReadChunk,
    Request,
    Sample,
)
from evaltools.frameworks.options import changed, described, options_for, options_of, signature_of
from evaltools.frameworks.pairing.aligned_stream import AlignedStream
from evaltools.frameworks.pairing.paired_stream import GoldIds, PairedStream
from evaltools.frameworks.passes import Pass, families_of, select_metrics
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.presets.preset import recorded_preset
from evaltools.progress import Progress
from evaltools.text import count_of, excerpt, told_apart

if TYPE_CHECKING:
    from evaltools.frameworks.common.columns import Rows
    from evaltools.frameworks.framework import Framework


_OF_PRESET = ("label_map", "multiword_only")
"""The options that are rules of the preset once it is loaded, and stand there in a run."""


def plan_trees(gold: Any, parsers: Mapping[str, Any], request: Request, frameworks: Collection[Framework]) -> Plan:
    """Return how to score files of trees; the gold file determines the framework."""
    request = replace(request, preset=_tree_preset(request, frameworks))

    def open_inputs(progress: Progress) -> Inputs:
        as_evalb = request.preset.evalb is not None
        gold_stream = CorpusStream(gold, request.format, as_evalb=as_evalb)
        streams = {}
        for name, file in parsers.items():
            source = opened(file)
            require_trees_like(gold_stream.format, source, request.format, name)
            streams[name] = CorpusStream(source, request.format, gold_stream.format, as_evalb=as_evalb)
        framework = _common_framework(gold_stream, streams, frameworks)
        options = options_for(framework, request.options, frameworks)
        assert framework.streams is not None  # as it reads what the files hold
        return framework.streams.open(gold_stream, streams, request, options)

    return open_inputs


def plan_trees_again(meta: Mapping[str, Any], framework: Framework) -> Plan:
    """Return how to score the sources of a framework's run once more, by its ``meta.json``."""
    request = Request(
        preset=recorded_preset(meta),
        format=meta["options"]["format"],
        metrics=meta["metrics"],
        options=changed(options_of(framework.options, meta)),
    )
    encoding = meta["options"].get("encoding")
    gold = open_bytes(meta["gold"]["path"], meta["gold"]["file"], encoding)
    parsers = {entry["name"]: open_bytes(entry["path"], entry["file"], encoding) for entry in meta["parsers"]}
    return plan_trees(gold, parsers, request, [framework])


def sampled(framework: Framework, gold: Path, files: Iterable[Path], ending: str) -> Sample:
    """Return the sample of a gold file and of parsers' files, which are named after their parsers."""
    parsers = {path.name.removesuffix(ending): path for path in sorted(files)}
    return Sample(
        {"": gold},
        {name: ("", path) for name, path in parsers.items()},
        lambda: plan_trees(gold, parsers, Request(), [framework]),
    )


def _tree_preset(request: Request, frameworks: Iterable[Framework]) -> Preset:
    """Return the preset of the request, with the options that are rules of it."""
    preset = request.preset
    if isinstance(preset, str | Preset):
        for framework in frameworks:
            files = framework.own_files
            if files is not None and isinstance(preset, str) and preset in files.presets:
                raise ParameterError(f"preset {preset}: it applies to {framework.title}; these are trees")
        preset = load_preset(preset)
        rules = {name: request.options[name] for name in _OF_PRESET if name in request.options}
        preset = replace(preset, **rules)
        if preset.label_map and preset.evalb is not None:
            raise ParameterError(
                f"label_map: preset {preset.name} follows evalb; a parameter file equates labels by lines of EQ_LABEL"
            )
        return preset
    raise ParameterError(f"preset {preset.name}: it applies to semantic graphs; these are trees")


def _common_framework(
    gold: CorpusStream, parsers: Mapping[str, CorpusStream], frameworks: Collection[Framework]
) -> Framework:
    """Return the framework that reads what all files hold."""
    held: type = FORMATS[gold.format].holds
    framework = next((item for item in frameworks if item.reads is held), None)
    if framework is None:
        expected = " or ".join(item.title for item in frameworks if item.reads is not None)
        raise InputError(Problem("kind", gold.name, None, None, content_of(gold.format), expected))
    for name, stream in parsers.items():
        if held is not FORMATS[stream.format].holds:
            expected = f"{framework.title}, as in {gold.name}; evaltools crossframework compares different kinds"
            raise InputError(Problem("kind", stream.name, None, None, content_of(stream.format), expected, parser=name))
    return framework


def source_entry(stream: CorpusStream) -> dict[str, Any]:
    """Return the name, path, format, number of sentences and digest of an input that was read to its end."""
    return {
        "file": stream.name,
        "path": stream.path,
        "format": stream.format,
        "sentences": stream.n_read,
        "sha256": stream.digest,
    }


def described_rules(preset: Preset, rules: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of ``meta.json`` for a preset, its rules in words, and the options."""
    return {
        "preset": preset.name,
        "preset_rules": rules,
        "preset_source": preset.source,
        "preset_fields": None if preset.source and not preset.multiword_only else preset.to_dict(),
        "options": dict(options),
    }


class TreeInputs(Inputs):
    """Streams of trees; a subclass defines the table of gold trees and the class of chunks."""

    chunk: ClassVar[type[Chunk]]
    """The class of chunks; its rules are a preset, options, and the families of metrics."""
    reader: type[PairedStream | AlignedStream] = PairedStream
    """The class that pairs the sentences of a parser's file with the gold sentences."""
    passes: ClassVar[Mapping[str, type[Pass[Any]]]]
    """The passes of the framework, by family."""

    def __init__(
        self,
        gold: CorpusStream,
        parsers: Mapping[str, CorpusStream],
        request: Request,
        options: Any,
    ) -> None:
        self.request = request
        self.preset = self.preset_for(request.preset)
        self.metrics = select_metrics(request.metrics, self.passes.values(), options)
        # the preset has the other rules
        kept = {name: value for name, value in changed(options).items() if name not in _OF_PRESET}
        self.options = type(options)(**kept)
        self.parsers = list(parsers)
        self._gold = gold
        self._gold_ids = GoldIds(gold)
        self._comments = CommentReader()
        self._readers = {name: self.reader(stream, gold, self._gold_ids) for name, stream in parsers.items()}
        self._any_words = False
        self._first_problem = ""

    def preset_for(self, preset: Preset) -> Preset:
        """Return the preset to apply; raise an error for one that does not apply to these trees."""
        return preset

    @abstractmethod
    def gold_table(self, gold: Any) -> tuple[Rows, NDArray[np.int32]]:
        """Return the table of gold trees, and the number of words of each that are compared."""

    def rules(self) -> str:
        """Return the rules in words."""
        return self.preset.describe()

    @property
    def total(self) -> int:
        """Pairs of sentences to score, estimated from the part of the gold file that has been read."""
        share = self._gold.share_read
        return round(self._gold.n_read * len(self.parsers) / share) if share else 0

    def read(self, max_sentences: int) -> ReadChunk:
        """Read the next sentences of every file."""
        vocabulary = Vocabulary()
        # blank lines at the end of a file are sentences to evalb only
        gold = self._gold.read(max_sentences, vocabulary, drop_blank_end=self.preset.evalb is None)
        n = len(gold)
        self._gold_ids.note(gold)
        self._gold.count_missing(gold)
        parses = {name: reader.read(n, vocabulary) for name, reader in self._readers.items()}
        trees, n_words = self.gold_table(gold)
        self._any_words = self._any_words or bool((n_words > 0).any())
        if gold.problems:
            self._first_problem = self._first_problem or str(gold.problems[0])
        rules = self.preset, self.options, families_of(self.metrics, self.passes.values())
        metadata = []
        if isinstance(gold, Dependencies):
            metadata = self._comments.read(gold.text, gold.text_start, gold.text_end)
        return ReadChunk(n, self.chunk, gold, parses, rules, {"trees": trees}, list(gold.problems), metadata)

    def describe(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> Description:
        """Read all files to their end and describe the run."""
        gold = self._gold
        if not self._any_words:
            content = self._first_problem or "no tree"
            raise InputError(Problem("empty", gold.name, None, None, content, "a gold file with at least one tree"))
        problems = list(self.preset.evalb.problems) if self.preset.evalb is not None else []
        problems += gold.problems_of_file()
        by_parser = []
        for name, reader in self._readers.items():
            by_parser += reader.finish(name)
            by_parser += [replace(problem, parser=name) for problem in reader.stream.problems_of_file()]
        if any(reader.has_ids for reader in self._readers.values()):
            problems += self._gold_ids.problems()
        format_name = self.request.format
        # the gold file is the same for every parser
        of_gold = source_entry(gold) | equated_entry(next(iter(sums.values()), ()), "gold_equated")
        entries = [
            source_entry(reader.stream) | {"name": name} | reader.entry | equated_entry(sums.get(name, ()))
            for name, reader in self._readers.items()
        ]
        return Description(
            rules=described_rules(self.preset, self.rules(), {"format": format_name} | described(self.options)),
            signature=[
                *self.preset.signature(),
                *signature_of(self.options),
                *([f"format:{format_name}"] if format_name else []),
                *signed([of_gold, *entries]),
            ],
            n=gold.n_read,
            golds=[of_gold],
            parsers=entries,
            problems=[*problems, *by_parser],
            sources=[
                ["gold", gold.digest[:12]],
                *([name, reader.stream.digest[:12]] for name, reader in self._readers.items()),
            ],
        )


def with_rules(chunk: ReadChunk, preset: Preset, options: Any, families: tuple[str, ...]) -> ReadChunk:
    """Return a chunk of trees that is scored by another preset, other options, or other families of metrics."""
    return replace(chunk, rules=(preset, options, families))


def first_difference(test: Sequence[str], gold: Sequence[str], index: int | None = None) -> tuple[str, str]:
    """Return the first word that differs, or how many words there are, of both sides; `index`: that of the word.

    Examples
    --------
    >>> first_difference(["It", "rains"], ["it", "snows"]), first_difference(["It"], ["it", "snows"])
    (("word 2 'rains'", "word 2 'snows'"), ('1 word', "word 2 'snows'"))
    """
    if index is None:
        both = enumerate(zip(gold, test, strict=False))
        index = next((at for at, (a, b) in both if folded(a) != folded(b)), min(len(gold), len(test)))
    if index < min(len(gold), len(test)):
        found, expected = told_apart(test[index], gold[index])
        return f"word {index + 1} {found}", f"word {index + 1} {expected}"
    return _word_or_number(test, index), _word_or_number(gold, index)


def _word_or_number(words: Sequence[str], index: int) -> str:
    """Return the word at an index; if there is none, how many words there are."""
    if index < len(words):
        return f"word {index + 1} {excerpt(words[index])!r}"
    return f"{count_of(len(words), 'word')}"
