"""A parser's file read in step with the gold file, after its sentences were aligned with the gold sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank, Vocabulary
from evaltools.errors import InputError, Problem
from evaltools.formats import FORMATS, Source
from evaltools.formats.source import check_twice, first_reading
from evaltools.formats.treebank_stream import CorpusStream, TreebankStream
from evaltools.frameworks.pairing.pairing_lines import pairing_counts
from evaltools.frameworks.pairing.sentence_alignment import Lines, Sentences, align_sentences, read_sentences
from evaltools.frameworks.pairing.sentence_shifts import shift_problems
from evaltools.frameworks.pairing.source_chunks import Texts, chosen_sentences
from evaltools.frameworks.presets import Preset
from evaltools.progress import Progress

__all__ = ["AlignedStream", "align_files"]

_MAX_SENTENCES = 8192
_MAX_LISTED = 1000


def align_files(
    gold: Any, parsers: Mapping[str, Any], format_name: str | None, preset: Preset, progress: Progress
) -> dict[str, tuple[Lines, Lines, NDArray[np.int64]]]:
    """Read every file once and align each parser's sentences with the gold sentences."""

    def read(source: Any, default_format: str | None, *, drop_blank_end: bool) -> tuple[Sentences, str]:
        start = source.tell() if hasattr(source, "seek") else None
        try:
            stream = TreebankStream(
                first_reading(source),
                format_name,
                default_format,
                "sentences that are to be aligned",
                as_evalb=preset.evalb is not None,
            )
            sentences = read_sentences(stream, preset, progress, drop_blank_end=drop_blank_end)
        finally:
            if start is not None:
                source.seek(start)
        return sentences, stream.format

    for source in (gold, *parsers.values()):
        check_twice(source, "--align-sentences")
    try:
        gold_sentences, gold_format = read(gold, None, drop_blank_end=preset.evalb is None)
    except InputError as error:
        if not _holds_dependencies(error):
            raise
        progress.add_notes(
            ["dependency trees: sentences are paired by id and by the text; --align-sentences is not needed"]
        )
        return {}
    aligned = {}
    for name, source in parsers.items():
        sentences, _ = read(source, gold_format, drop_blank_end=True)
        aligned[name] = (gold_sentences.lines, sentences.lines, align_sentences(gold_sentences, sentences))
    return aligned


class AlignedStream:
    """A parser's file; returns the sentences that belong to the next gold sentences."""

    def __init__(
        self, stream: CorpusStream, gold: CorpusStream, gold_lines: Lines, lines: Lines, partner: NDArray[np.int64]
    ) -> None:
        self.stream = stream
        self.partner = partner
        self._gold_stream, self._gold_lines, self._lines = gold, gold_lines, lines
        self._n_gold = 0
        self._skipped: list[Problem] = []
        self.texts = Texts(stream.format, ())

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank:
        """Read the sentences of the next `n` gold sentences."""
        first = self._n_gold
        partner = self.partner[first : first + n]
        if len(partner) < n:
            raise _changed(self._gold_stream.name)
        self._n_gold += n
        wanted = partner[partner >= 0]
        parts: list[Treebank] = []
        sources: list[Source] = []
        indices: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
        before = 0
        while len(wanted) or not parts:
            self._skip_to(int(wanted[0]) if len(wanted) else 0)
            n_read = self.stream.n_read
            n_wanted = int(wanted[-1]) + 1 - n_read if len(wanted) else 0
            part = self.stream.read(min(n_wanted, _MAX_SENTENCES), vocabulary)
            assert isinstance(part, Treebank)  # other kinds have been refused
            if len(wanted) and not len(part):
                raise _changed(self.stream.name)
            in_part = wanted[wanted < n_read + len(part)]
            indices.append(in_part - n_read + before)
            before += len(part)
            wanted = wanted[len(in_part) :]
            parts.append(part)
            assert self.stream.text is not None
            sources.append(self.stream.text)
        chosen = np.full(n, -1, dtype=np.int64)
        chosen[partner >= 0] = np.concatenate(indices)
        self.texts = Texts(self.stream.format, tuple(sources), chosen, first)
        return chosen_sentences(parts, chosen, first)

    def _skip_to(self, index: int) -> None:
        """Read the sentences before the one with an index, and keep their problems."""
        while self.stream.n_read < index:
            part = self.stream.read(min(index - self.stream.n_read, _MAX_SENTENCES), Vocabulary())
            if not len(part):
                raise _changed(self.stream.name)
            n_more = max(_MAX_LISTED - len(self._skipped), 0)
            self._skipped += [replace(problem, sentence=None) for problem in part.problems[:n_more]]

    def finish(self, parser: str) -> list[Problem]:
        """Read the file to its end; return the problems of sentences left out, and those of the alignment."""
        gold = self._gold_stream
        self.stream.count_rest()
        for stream, lines in ((gold, self._gold_lines), (self.stream, self._lines)):
            if stream.digest != lines.digest:
                raise _changed(stream.name)
        skipped = [replace(problem, parser=parser) for problem in self._skipped]
        names = parser, gold.name, self.stream.name
        return skipped + list(shift_problems(self.partner, self._gold_lines.line, self._lines, *names))

    @property
    def has_ids(self) -> bool:
        """Whether its sentences have ids: those of constituency trees have none."""
        return False

    @property
    def entry(self) -> dict[str, Any]:
        """The alignment in ``meta.json``, and the number of sentences but for blank lines at the end of the file."""
        return {"aligned": pairing_counts(self.partner, len(self._lines)), "sentences": len(self._lines)}


def _holds_dependencies(error: InputError) -> bool:
    """Return whether a file is refused because it holds dependency trees."""
    return error.problem.found in (f"dependencies ({FORMATS[name].TITLE})" for name in ("conllu", "conllx"))


def _changed(name: str) -> InputError:
    found = "content that changed while it was read"
    return InputError(Problem("changed", name, None, None, found, "an unchanged file"))
