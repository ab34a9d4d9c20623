"""A treebank file read some sentences at a time: memory grows only with a file in another order than the gold file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from itertools import chain, pairwise
from typing import IO

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.corpus.sentence_ids import SentenceIds
from evaltools.errors import Problem
from evaltools.formats import FORMATS, format_of, opened, require_trees
from evaltools.formats.brackets import EVALB_LINES, LINES
from evaltools.formats.conll import beginning, column_order
from evaltools.formats.edges import without_edges
from evaltools.formats.source import ByteStream, ProblemLog, Source, check_text, split_character

_FIRST_BLOCK = 1 << 22
_SENTENCES_AHEAD = 1 << 14


_Read = Callable[[Source, Vocabulary], Treebank | Dependencies]


class CorpusIndex:
    """The sentences of the rest of a file, with their ids and tokens, to be read in any order."""

    # The text is held in memory; the index takes some 20 bytes a sentence beside its id.

    def __init__(self, name: str, layout: str, read: _Read, first_line: int, unfinished: Problem | None) -> None:
        self.ids = SentenceIds()
        self.tokens: list[str] = []  # Of each sentence, with a tab after each token
        self.line = first_line  # After the text that has been added
        self.unfinished = unfinished
        self._name, self._layout, self._read = name, layout, read
        self._text = bytearray()
        # where the text of each sentence ends in the file; what is before a sentence belongs to it
        self._ends = [np.zeros(1, np.int64)]

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, data: bytes, sentences: Treebank | Dependencies | None = None) -> None:
        """Append text that begins where a sentence ends, and ends so, with its sentences if they were read."""
        if sentences is None:
            log = ProblemLog(unfinished=self.unfinished)
            source = Source(self._name, data, "", layout=self._layout, first_line=self.line, log=log)
            sentences = self._read(source, Vocabulary())
            self.unfinished = log.unfinished
        size = len(self._text)
        self.ids.add(sentences.sent_ids(), sentences.line)
        self.tokens += sentences.tokens()
        self._ends.append(sentences.text_end + size)
        self._text += data
        if len(self):
            next(item for item in reversed(self._ends) if len(item))[-1] = size + len(data)  # comments at the end
        self.line += data.count(b"\n")

    def read(self, wanted: NDArray[np.int64], vocabulary: Vocabulary) -> Treebank | Dependencies:
        """Return some sentences, given in ascending order, with their lines in the file."""
        self._ends = [np.concatenate(self._ends)]
        ends = self._ends[0]
        firsts = np.flatnonzero(np.diff(wanted, prepend=-2) != 1)
        lasts = np.append(firsts[1:], len(wanted))[: len(firsts)] - 1
        parts: list[bytes] = []
        for first, last in zip(wanted[firsts].tolist(), wanted[lasts].tolist(), strict=True):
            data = bytes(self._text[int(ends[first]) : int(ends[last + 1])])
            data += b"\n" if data.endswith(b"\n") else b"\n\n"  # so that the next stretch begins another block
            parts += [beginning(parts[-1], data) if parts else b"", data]
        trees = self._read(Source(self._name, b"".join(parts), "", layout=self._layout), vocabulary)
        shift = self.ids.lines[wanted] - trees.line

        def in_file(problem: Problem) -> Problem:
            if problem.line is None:
                return problem
            following = min(int(np.searchsorted(trees.line, problem.line, side="right")), len(trees) - 1)
            sentence = following if problem.sentence is None else problem.sentence - 1
            return replace(problem, line=problem.line + int(shift[sentence]))

        return replace(trees, line=self.ids.lines[wanted], problems=[*map(in_file, trees.problems)])


class CorpusStream:
    """A treebank or a parser's output of any format, from its first sentence to its last."""

    def __init__(
        self,
        source: str | os.PathLike[str] | Source | ByteStream | IO[bytes],
        format_name: str | None = None,
        default_format: str | None = None,
        *,
        as_evalb: bool = False,
    ) -> None:
        stream = opened(source)
        self.name: str = stream.name if isinstance(stream, Source | ByteStream) else str(stream)
        self.format = format_of(stream, format_name, default_format)
        require_trees(self.format, self.name)
        self._format = FORMATS[self.format]
        self._source = stream if isinstance(stream, Source) else None
        self._bytes: ByteStream | None = None
        self._n_text = 0
        self._n_text_in_all: int | None = None
        self._buffer, self._last = b"", False
        if self._source is not None:
            data = self._source.data
            blocks: Iterator[bytes] = (data[at : at + _FIRST_BLOCK] for at in range(0, len(data), _FIRST_BLOCK))
        else:
            self._bytes = stream
            blocks = iter(stream.read_block, b"")
        self._unlisted: list[Problem] = []  # Of bytes, as far as the file has been read
        self._blocks = self._checked(blocks)
        self.n_read = 0
        self.line = 1
        self._read_last: tuple[Source, Treebank | Dependencies] | None = None
        self._column = 1
        self._log = ProblemLog()
        self._without_tree: list[tuple[int, int]] = []  # Number and line of sentences after which no tree has come yet
        as_evalb = as_evalb and self.format == "ptb"
        if not as_evalb:  # else spaces are parts of words
            self._blocks = without_edges(self._blocks, self._format.edges, self.name, self._log)
        self._fill(_FIRST_BLOCK)
        if self._format.holds is Dependencies:
            self._take_ten_columns()
        block = self._buffer if self._last else self._buffer[: self._buffer.rfind(b"\n") + 1] or self._buffer
        text = None if self._source is None else self._source.layout
        self.layout: str = text or self._format.layout(block)
        if as_evalb and self.layout == LINES:
            self.layout = EVALB_LINES

    def _checked(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the text of the file, in whole characters, and note the bytes in it that are not UTF-8 or are NUL."""
        line = column = 1
        rest = text = b""
        noted: set[tuple[str, int | None]] = set()  # once for each line, also if several blocks have parts of it
        has_encoding = False  # what is wrong with the encoding of the file is noted once
        for block, following in pairwise(chain(blocks, (b"",))):
            line += text.count(b"\n")
            column = len(text) - text.rfind(b"\n") + (0 if b"\n" in text else column - 1)
            noted = {(kind, number) for kind, number in noted if number == line}
            text, rest = split_character(rest + block) if following else (rest + block, b"")
            for problem in check_text(text, self.name, line, column):
                if (problem.kind, problem.line) not in noted and not (has_encoding and problem.kind == "encoding"):
                    self._unlisted.append(problem)
                has_encoding = has_encoding or "--encoding" in problem.expected
                noted.add((problem.kind, problem.line))
            if text:
                yield text

    def _take_ten_columns(self) -> None:
        """Read on in the columns of CoNLL-U, if the file has others."""
        order = column_order(self._buffer)
        if order is not None:
            order.note(self._log, self.name)
            self._blocks = order.rewritten(chain([self._buffer], self._blocks))
            self._buffer, self._last, self._n_text = b"", False, 0
            self._fill(_FIRST_BLOCK)

    @property
    def digest(self) -> str:
        """SHA-256 of the file as stored, once it has been read to its end."""
        if self._source is not None:
            return self._source.digest
        assert self._bytes is not None
        return self._bytes.digest

    @property
    def path(self) -> str | None:
        """Where the file is; None for an upload or standard input."""
        return (self._source or self._bytes).path  # type: ignore[union-attr]  # it is one of the two

    @property
    def share_read(self) -> float | None:
        """Share of the file that has been read, from 0 to 1; None if its size is unknown."""
        if self._last and (not self._buffer or self._buffer.isspace()):
            return 1.0
        n_used = self._n_text - len(self._buffer)
        n_in_all = self._n_text if self._last else self._n_text_in_all
        if n_in_all is None and self._source is not None:
            n_in_all = len(self._source.data)
        if n_in_all is not None:
            return n_used / n_in_all
        if self._bytes is None or not self._bytes.size:
            return None
        return n_used / self._n_text * self._bytes.n_stored / self._bytes.size

    def _fill(self, at_least: int) -> None:
        """Read until the buffer holds so many bytes, or all there are."""
        blocks = [self._buffer]
        size = len(self._buffer)
        while size < at_least:
            block = next(self._blocks, b"")
            if not block:
                self._last = True
                break
            blocks.append(block)
            size += len(block)
            self._n_text += len(block)
        self._buffer = b"".join(blocks)

    def watch(self, check: Callable[[bytes], None]) -> None:
        """Call a function with all text, part by part, and at the end with none."""

        def watched(blocks: Iterator[bytes]) -> Iterator[bytes]:
            for block in blocks:
                check(block)
                yield block
            check(b"")

        check(self._buffer)
        if self._last:
            check(b"")
        self._blocks = watched(self._blocks)

    def _rest_is_blank(self) -> bool:
        while not self._buffer.strip():
            if self._last:
                return True
            self._fill(len(self._buffer) + _FIRST_BLOCK)
        return False

    def read(
        self, max_sentences: int, vocabulary: Vocabulary, *, drop_blank_end: bool = False
    ) -> Treebank | Dependencies:
        """Read the next sentences."""
        while True:
            count, end = self._format.cut(self._buffer, self.layout, max_sentences, last=self._last)
            if count == max_sentences or self._last:
                break
            self._fill(2 * len(self._buffer) + _FIRST_BLOCK)
        data, self._buffer = self._buffer[:end], self._buffer[end:]
        next_line = self.line + data.count(b"\n")
        last_line = next_line - data.endswith(b"\n")
        problems = [problem for problem in self._unlisted if (problem.line or 0) <= last_line]
        self._unlisted = [problem for problem in self._unlisted if (problem.line or 0) > last_line]
        if self._source is not None and not self.n_read:
            problems += [problem for problem in self._source.problems if problem.kind == "object"]
        source = Source(self.name, data, "", problems, self.layout, self.line, self._column, self.n_read)
        source.log = self._log
        treebank: Treebank | Dependencies = self._format.read(source, vocabulary)
        self._read_last = source, treebank
        if drop_blank_end and self._rest_is_blank():
            treebank = treebank.resized(treebank.n_filled)
            self._buffer = b""
        self.n_read += len(treebank)
        self._log.check(self.n_read, self.name, self._format.title)
        self.line = next_line
        self._column = len(data) - data.rfind(b"\n") + (0 if b"\n" in data else self._column - 1)
        return treebank

    def count_missing(self, trees: Treebank | Dependencies) -> None:
        """Count the gold sentences without a tree that no problem says, to be listed once a file.

        Those after the last tree of the file are none: where they are sentences, evalb counts blank lines at the end.
        """
        if self._log.more.total():
            return
        listed = {problem.sentence for problem in trees.problems}
        first = trees.first_sentence + 1
        for index in np.flatnonzero(trees.n_words == 0).tolist():
            if first + index not in listed and trees.has_whole_words(index):
                self._without_tree.append((first + index, int(trees.line[index])))
        last = first + trees.n_filled if trees.n_filled else 0
        counted = [item for item in self._without_tree if item[0] < last]
        self._without_tree = [item for item in self._without_tree if item[0] >= last]
        if counted:
            number, line = counted[0]
            expected = "a gold tree for every sentence; without one it counts for no parser"
            found = "sentences without a tree: {n}, the first of them here"
            self._log.count(Problem("no_gold", self.name, line or None, None, found, expected, number), len(counted))

    def problems_of_file(self) -> list[Problem]:
        """Return what is listed once a file or not with sentences, and the numbers of problems that are not listed."""
        return [*self._unlisted, *self._log.rest(self.name)]

    def index_rest(self, *, with_last: bool = False) -> CorpusIndex:
        """Read to the end, and return the sentences to be read in any order; of formats with ids."""
        last = self._read_last if with_last else None
        first_line = self.line if last is None else last[0].first_line
        index = CorpusIndex(self.name, self.layout, self._format.read, first_line, self._log.unfinished)
        n_before = self.n_read
        if last is not None:
            index.add(last[0].data, last[1])
            n_before -= len(index)
        size = _FIRST_BLOCK
        while self._buffer or not self._last:
            n, end = self._format.cut(self._buffer, self.layout, len(self._buffer), last=self._last)
            if n or self._last:
                index.add(self._buffer[:end])
                self._buffer = self._buffer[end:]
                size = _FIRST_BLOCK
            if self._last and not n:
                self._buffer = b""
            if not self._last:
                self._fill(size := 2 * size)
        self._log.unfinished = index.unfinished
        self.n_read = n_before + len(index)
        self.line = index.line
        return index

    def look_ahead(self, *, drop_blank_end: bool = False) -> tuple[SentenceIds, list[str]]:
        """Return ids and tokens of the sentences that have not been read yet."""
        ids, tokens = SentenceIds(), list[str]()
        n_filled = 0

        def note(trees: Treebank | Dependencies) -> bool:
            nonlocal n_filled
            n_filled = len(tokens) + trees.n_filled if trees.n_filled else n_filled
            ids.add(trees.sent_ids(), trees.line)
            tokens.extend(trees.tokens())
            return False

        self.holds_later(note, _SENTENCES_AHEAD)
        return (ids.first(n_filled), tokens[:n_filled]) if drop_blank_end else (ids, tokens)

    def holds_later(self, condition: Callable[[Treebank | Dependencies], bool], max_sentences: int) -> bool:
        """Return whether a condition holds for some of the sentences that have not been read yet, so many at a time."""
        # what is read here is held in memory, to be read again
        blocks, blocks_ahead = self._blocks, list[bytes]()

        def copied() -> Iterator[bytes]:
            for block in blocks:
                blocks_ahead.append(block)
                yield block

        ahead = copy(self)
        ahead._blocks, ahead._log = copied(), ProblemLog()
        holds = False
        while not holds and len(trees := ahead.read(max_sentences, Vocabulary())):
            holds = condition(trees)
        self._blocks = chain(blocks_ahead, blocks)
        if ahead._last:
            self._n_text_in_all = ahead._n_text
        return holds

    def count_rest(self) -> tuple[int, int | None]:
        """Read to the end."""
        line: int | None = None
        last_filled = 0
        while not self._rest_is_blank():
            before = self.n_read
            treebank = self.read(1 << 14, Vocabulary())
            if line is None and len(treebank):
                line = int(treebank.line[0])
            if treebank.n_filled:
                last_filled = before + treebank.n_filled
            if not len(treebank):  # text that is no sentence, such as stray brackets at the end
                break
        return last_filled, line
