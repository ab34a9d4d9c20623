"""The sentences of a file in blocks, to be read in any order."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import InputError, Problem
from evaltools.formats.blocks import find_blocks
from evaltools.treebank.sentence_ids import SentenceIds, sentence_ids

__all__ = ["BlockIndex", "Excerpt"]

_IN_MEMORY = 1 << 26
_READ_BLOCK = 1 << 22


class Excerpt(NamedTuple):
    """Some sentences of a file.

    Parameters
    ----------
    data : bytes
        Their text, in the order of the file.
    line : ndarray of int64, shape (stretches,)
        Line of `data` on which each stretch of the file begins, from 1.
    file_line : ndarray of int64, shape (stretches,)
        Line of the file on which it begins.
    """

    data: bytes
    line: NDArray[np.int64]
    file_line: NDArray[np.int64]


class BlockIndex:
    """Where the sentences of a file are, and their ids.

    Up to 64 MB of the text are held in memory, more in a temporary file; the index takes some 30 bytes a sentence
    beside its id.

    Parameters
    ----------
    name : str
        The file's name, for errors.
    first_line : int
        Number of the first line, from 1.
    """

    def __init__(self, name: str, first_line: int) -> None:
        self.ids = SentenceIds()
        self.line = first_line
        self._name = name
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed at the end
        weakref.finalize(self, self._file.close)  # also where reading stops half way
        self._size = 0
        # where each sentence's text ends, and the line after it; what stands before a sentence belongs to it
        self._ends = [np.zeros(1, np.int64)]
        self._lines_after = [np.full(1, first_line, np.int64)]

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, data: bytes) -> None:
        """Append text that begins where a sentence ends, and ends so.

        Raises
        ------
        InputError
            If there is no room for it.
        """
        blocks = find_blocks(data)
        chosen = np.flatnonzero(blocks.is_sentence)
        lines = (blocks.first[chosen] + self.line).astype(np.int32)
        self.ids.add(sentence_ids(data, blocks.start[chosen], blocks.end[chosen]), lines)
        ends = blocks.end[chosen] + self._size
        self._ends.append(ends)
        self._lines_after.append(blocks.last[chosen] + 1 + self.line)
        try:
            self._file.write(data)
        except OSError as error:
            found = f"{error.strerror or error} while it was copied to {tempfile.gettempdir()}"
            expected = "room for a temporary copy, because its sentences are in another order than the gold file's"
            raise InputError(Problem("file", self._name, None, None, found, expected)) from None
        self._size += len(data)
        if len(self):
            next(one for one in reversed(self._ends) if len(one))[-1] = self._size  # comments at the end of the file
        self.line += data.count(b"\n")

    def text(self) -> Iterator[bytes]:
        """Yield the text from its beginning to its end; nothing can be read after it."""
        with self._file:
            self._file.seek(0)
            while data := self._file.read(_READ_BLOCK):
                yield data

    def close(self) -> None:
        """Remove the copy."""
        self._file.close()

    def read(self, wanted: NDArray[np.int64]) -> Excerpt:
        """Return the text of some sentences.

        Parameters
        ----------
        wanted : ndarray of int64
            Their indices, from 0, in ascending order.
        """
        self._ends, self._lines_after = [np.concatenate(self._ends)], [np.concatenate(self._lines_after)]
        ends, lines = self._ends[0], self._lines_after[0]
        firsts = np.flatnonzero(np.diff(wanted, prepend=-2) != 1)
        lasts = np.append(firsts[1:], len(wanted))[: len(firsts)] - 1
        parts: list[bytes] = []
        line, line_in_data = 1, []
        for first, last in zip(wanted[firsts].tolist(), wanted[lasts].tolist(), strict=True):
            self._file.seek(int(ends[first]))
            data = self._file.read(int(ends[last + 1] - ends[first]))
            data += b"\n" if data.endswith(b"\n") else b"\n\n"  # so that the next stretch begins another block
            parts.append(data)
            line_in_data.append(line)
            line += data.count(b"\n")
        return Excerpt(b"".join(parts), np.array(line_in_data, np.int64), lines[wanted[firsts]])
