"""The strings of a vocabulary as the kernels that read files need them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Vocabulary

_FIRST_CAPACITY = 1 << 15


@dataclass(slots=True)
class ReaderStrings:
    """A hash table over bytes for the kernels that read, and each string's number in the vocabulary."""

    KINDS: ClassVar = ("labels", "words", "annotations")  # The tables of the vocabulary; a kind is a number of one
    table: NDArray[np.int64] = field(default_factory=lambda: np.full(2 * _FIRST_CAPACITY, -1, dtype=np.int64))
    keys: NDArray[np.uint64] = field(default_factory=lambda: np.empty(_FIRST_CAPACITY, dtype=np.uint64))
    start: NDArray[np.int64] = field(default_factory=lambda: np.empty(_FIRST_CAPACITY, dtype=np.int64))
    length: NDArray[np.int64] = field(default_factory=lambda: np.empty(_FIRST_CAPACITY, dtype=np.int64))
    kind: NDArray[np.uint8] = field(default_factory=lambda: np.empty(_FIRST_CAPACITY, dtype=np.uint8))
    pool: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, dtype=np.uint8))
    numbers: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    count: int = 0
    used: int = 0

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> ReaderStrings:
        """Return those of a vocabulary, which are kept with it."""
        strings = vocabulary.reader_state
        if not isinstance(strings, cls):
            strings = vocabulary.reader_state = cls()
        return strings

    @property
    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        """The arrays in the kernel's order."""
        return self.table, self.keys, self.start, self.length, self.kind, self.pool

    def grow(self, n_bytes: int, *, more_strings: bool) -> None:
        """Extend the arrays by the bytes of another file; with `more_strings`, also to eight times the strings."""
        # entries beyond `count`, left in the table by a reading that ran out of room, are dropped
        pool = np.empty(self.used + n_bytes, dtype=np.uint8)
        pool[: self.used] = self.pool[: self.used]
        self.pool = pool
        if not more_strings:
            return
        from evaltools.kernels.readers import rehash

        capacity = 8 * len(self.keys)
        for name in ("keys", "start", "length", "kind"):
            old = getattr(self, name)
            new = np.empty(capacity, dtype=old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)
        self.table = np.full(2 * capacity, -1, dtype=np.int64)
        rehash(self.table, self.keys, self.length, self.kind, self.count)

    def number(
        self,
        text: NDArray[np.uint8],
        begin: NDArray[np.int64],
        end: NDArray[np.int64],
        kinds: NDArray[np.uint8],
        vocabulary: Vocabulary,
    ) -> NDArray[np.int32]:
        """Return the numbers in the vocabulary of strings in a text; bounds are arrays of shape (columns, rows)."""
        from evaltools.kernels.readers import number_strings

        self.grow(len(text), more_strings=False)
        while True:
            numbers, count, used = number_strings(text, begin, end, kinds, *self.arrays, self.count, self.used)
            if count >= 0:
                in_vocabulary: NDArray[np.int32] = self.add_to_vocabulary(vocabulary, count, used)[numbers]
                return in_vocabulary
            self.grow(len(text), more_strings=True)

    def add_to_vocabulary(self, vocabulary: Vocabulary, count: int, used: int) -> NDArray[np.int32]:
        """Give the new strings their numbers in the vocabulary; return the numbers of all."""
        numbers = np.empty(count, dtype=np.int32)
        numbers[: self.count] = self.numbers[: self.count]
        new = slice(self.count, count)
        first = self.used
        data = self.pool[first:used].tobytes()
        ends = np.cumsum(self.length[new]).tolist()
        if data.isascii():
            text = data.decode("ascii")
            strings = [text[begin:end] for begin, end in pairwise([0, *ends])]
        else:
            strings = [data[begin:end].decode("utf-8", "backslashreplace") for begin, end in pairwise([0, *ends])]
        for kind, table in enumerate(self.KINDS):
            chosen = np.flatnonzero(self.kind[new] == kind)
            numbers[self.count + chosen] = getattr(vocabulary, table).add_all([strings[i] for i in chosen.tolist()])
        self.numbers, self.count, self.used = numbers, count, used
        return numbers
