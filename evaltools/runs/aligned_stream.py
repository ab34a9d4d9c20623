"""A parser's file read along the gold file, sentence by sentence as they were aligned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import InputError, Problem
from evaltools.formats import FORMATS, Source
from evaltools.formats.treebank_stream import CorpusStream, TreebankStream
from evaltools.normalize import Preset
from evaltools.runs.passes import Progress
from evaltools.runs.rereading import check_twice, first_reading
from evaltools.runs.sentence_alignment import Lines, Sentences, align_sentences, read_sentences
from evaltools.runs.sentence_shifts import shift_problems
from evaltools.runs.texts import Texts, chosen_sentences
from evaltools.treebank import Treebank, Vocabulary

__all__ = ["AlignedStream", "align_files"]

_MOST_AT_A_TIME = 8192
_MOST_LISTED = 1000


def align_files(
    gold: Any, parsers: Mapping[str, Any], format_name: str | None, preset: Preset, progress: Progress
) -> dict[str, tuple[Lines, Lines, NDArray[np.int64]]]:
    """Read every file once and align each parser's sentences with the gold sentences.

    Parameters
    ----------
    gold, parsers, format_name
        As for :func:`evaltools.score`.
    preset : Preset
        The rules.
    progress : Progress
        Can stop it.

    Returns
    -------
    dict
        For each parser where the sentences of the gold file and of its own are, and for each gold sentence the place
        of its own, or -1.

    Raises
    ------
    ParameterError
        If a source can be read only once.
    """

    def read(source: Any, otherwise: str | None, *, drop_blank_end: bool) -> tuple[Sentences, str]:
        back = source.tell() if hasattr(source, "seek") else None
        try:
            stream = TreebankStream(first_reading(source), format_name, otherwise, "sentences that are to be aligned")
        except InputError as error:
            raise _unneeded(error) from None
        sentences = read_sentences(stream, preset, progress, drop_blank_end=drop_blank_end)
        if back is not None:
            source.seek(back)
        return sentences, stream.format

    for source in (gold, *parsers.values()):
        check_twice(source, "--align-sentences")
    ours, gold_format = read(gold, None, drop_blank_end=preset.evalb is None)
    aligned = {}
    for name, source in parsers.items():
        its, _ = read(source, gold_format, drop_blank_end=True)
        aligned[name] = (ours.lines, its.lines, align_sentences(ours, its))
    return aligned


class AlignedStream:
    """A parser's file from which the sentences are read that belong to the next gold sentences.

    Parameters
    ----------
    stream : CorpusStream
        The file, at its beginning.
    gold : CorpusStream
        The gold file.
    gold_lines, lines : Lines
        Where the sentences of the gold file and of this one are.
    partner : ndarray of int64
        For each gold sentence the place of the parser's, which grow; -1 where there is none.
    """

    def __init__(
        self, stream: CorpusStream, gold: CorpusStream, gold_lines: Lines, lines: Lines, partner: NDArray[np.int64]
    ) -> None:
        self.stream = stream
        self.partner = partner
        self._gold_stream, self._gold, self._test = gold, gold_lines, lines
        self._n_gold = 0
        self._skipped: list[Problem] = []
        self.texts = Texts(stream.format, ())

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank:
        """Read what belongs to the next `n` gold sentences."""
        first = self._n_gold
        partner = self.partner[first : first + n]
        if len(partner) < n:
            raise _changed(self._gold_stream.name)
        self._n_gold += n
        wanted = partner[partner >= 0]
        parts: list[Treebank] = []
        sources: list[Source] = []
        places: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
        before = 0
        while len(wanted) or not parts:
            self._leave_out_until(int(wanted[0]) if len(wanted) else 0)
            at = self.stream.n_read
            part = self.stream.read(min(int(wanted[-1]) + 1 - at, _MOST_AT_A_TIME) if len(wanted) else 0, vocabulary)
            assert isinstance(part, Treebank)  # other kinds have been refused
            if len(wanted) and not len(part):
                raise _changed(self.stream.name)
            found = wanted[wanted < at + len(part)]
            places.append(found - at + before)
            before += len(part)
            wanted = wanted[len(found) :]
            parts.append(part)
            sources.append(self._text())
        chosen = np.full(n, -1, dtype=np.int64)
        chosen[partner >= 0] = np.concatenate(places)
        self.texts = Texts(self.stream.format, tuple(sources), chosen, first)
        return chosen_sentences(parts, chosen, first)

    def _text(self) -> Source:
        assert self.stream.text is not None
        return self.stream.text

    def _leave_out_until(self, place: int) -> None:
        while self.stream.n_read < place:
            part = self.stream.read(min(place - self.stream.n_read, _MOST_AT_A_TIME), Vocabulary())
            if not len(part):
                raise _changed(self.stream.name)
            room = max(_MOST_LISTED - len(self._skipped), 0)
            self._skipped += [replace(problem, sentence=None) for problem in part.problems[:room]]

    def finish(self, parser: str) -> list[Problem]:
        """Read the file to its end; return what was wrong with sentences left out, and what aligning did.

        Parameters
        ----------
        parser : str
            The parser's name. The gold file has been read to its end.

        Raises
        ------
        InputError
            If a file is not the one that was aligned.
        """
        gold = self._gold_stream
        self.stream.count_rest()
        for stream, known in ((gold, self._gold), (self.stream, self._test)):
            if stream.digest != known.digest:
                raise _changed(stream.name)
        skipped = [replace(problem, parser=parser) for problem in self._skipped]
        names = parser, gold.name, self.stream.name
        return skipped + list(shift_problems(self.partner, self._gold.line, self._test, *names))

    @property
    def has_ids(self) -> bool:
        """Whether its sentences have ids: those of constituency trees have none."""
        return False

    @property
    def entry(self) -> dict[str, Any]:
        """What ``meta.json`` says of the alignment.

        ``aligned``: how many gold sentences have a partner at another position, how many have none, and how many
        sentences of the file are left out; ``sentences``: how many the file has, but for blank lines at its end.
        """
        paired = np.flatnonzero(self.partner >= 0)
        counts = {
            "shifted": int(np.count_nonzero(self.partner[paired] != paired)),
            "without_partner": len(self.partner) - len(paired),
            "left_out": len(self._test) - len(paired),
        }
        return {"aligned": counts, "sentences": len(self._test)}


def _unneeded(error: InputError) -> InputError:
    """Say of files of dependency trees that their sentences need not be aligned."""
    if error.problem.found not in (f"dependencies ({FORMATS[name].TITLE})" for name in ("conllu", "conllx")):
        return error
    expected = f"{error.problem.expected}; those of dependency trees are paired by sent_id without --align-sentences"
    return InputError(replace(error.problem, expected=expected))


def _changed(name: str) -> InputError:
    found = "another content than a moment before"
    return InputError(Problem("changed", name, None, None, found, "a file that stays as it is"))
