"""The strings a reader has met, as bytes, so that those of the next file are found without making Python strings."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaltools.treebank import Vocabulary

__all__ = ["KnownStrings"]

_FIRST_ROOM = 1 << 15


@dataclass(slots=True)
class KnownStrings:
    """A hash table over bytes for the reader kernel, and each string's number in the vocabulary.

    Attributes
    ----------
    table, keys, start, length, is_word, pool : ndarray
        As the kernel takes them.
    numbers : ndarray of int32
        For each known string its number among the vocabulary's labels or words.
    count, used : int
        Strings, and bytes of the pool in use.
    """

    table: NDArray[np.int64] = field(default_factory=lambda: np.full(2 * _FIRST_ROOM, -1, dtype=np.int64))
    keys: NDArray[np.uint64] = field(default_factory=lambda: np.empty(_FIRST_ROOM, dtype=np.uint64))
    start: NDArray[np.int64] = field(default_factory=lambda: np.empty(_FIRST_ROOM, dtype=np.int64))
    length: NDArray[np.int64] = field(default_factory=lambda: np.empty(_FIRST_ROOM, dtype=np.int64))
    is_word: NDArray[np.uint8] = field(default_factory=lambda: np.empty(_FIRST_ROOM, dtype=np.uint8))
    pool: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, dtype=np.uint8))
    numbers: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    count: int = 0
    used: int = 0

    @property
    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        """The arrays in the kernel's order."""
        return self.table, self.keys, self.start, self.length, self.is_word, self.pool

    def make_room(self, n_bytes: int, *, more_strings: bool) -> None:
        """Make room for the bytes of one more file; with `more_strings`, also for eight times the strings.

        Whatever a failed reading left in the table beyond the known strings is forgotten.
        """
        pool = np.empty(self.used + n_bytes, dtype=np.uint8)
        pool[: self.used] = self.pool[: self.used]
        self.pool = pool
        if not more_strings:
            return
        from evaltools.kernels.string_table import rehash

        room = 8 * len(self.keys)
        for name in ("keys", "start", "length", "is_word"):
            old = getattr(self, name)
            new = np.empty(room, dtype=old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)
        self.table = np.full(2 * room, -1, dtype=np.int64)
        rehash(self.table, self.keys, self.length, self.is_word, self.count)

    def learn(self, vocabulary: Vocabulary, count: int, used: int) -> NDArray[np.int32]:
        """Give the new strings their numbers in the vocabulary; return the numbers of all.

        Parameters
        ----------
        vocabulary : Vocabulary
            Where new strings are added, in the order in which they were met.
        count, used : int
            Strings and bytes of the pool after reading.
        """
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
        for table, is_word in ((vocabulary.labels, 0), (vocabulary.words, 1)):
            chosen = np.flatnonzero(self.is_word[new] == is_word)
            numbers[self.count + chosen] = table.add_all([strings[i] for i in chosen.tolist()])
        self.numbers, self.count, self.used = numbers, count, used
        return numbers
