"""Strings as small integers, shared by every treebank of a run."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def used_numbers(numbers: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct numbers of a column of small numbers in ascending order, and for each row which one it is.

    Examples
    --------
    >>> [part.tolist() for part in used_numbers(np.array([7, 2, 7]))]
    [[2, 7], [1, 0, 1]]
    """
    is_used = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.bool_)
    is_used[numbers] = True
    return np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[numbers]


class StringTable:
    """Distinct strings numbered from 0 in the order of their first appearance."""

    # Adding is safe from several threads at once.

    __slots__ = ("_ids", "_lock", "_strings")

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self._strings: list[str] = []
        self._ids: dict[str, int] = {}
        self._lock = threading.Lock()
        self.add_all(strings)

    def __reduce__(self) -> tuple[type[StringTable], tuple[list[str]]]:
        return StringTable, (self._strings,)

    def __len__(self) -> int:
        return len(self._strings)

    def __getitem__(self, index: int) -> str:
        return self._strings[index]

    def __contains__(self, string: str) -> bool:
        return string in self._ids

    def strings(self) -> Sequence[str]:
        """Return every string, in order of its number."""
        return tuple(self._strings)

    def add(self, string: str) -> int:
        """Return the string's number, giving it one if it is new."""
        number = self._ids.get(string)
        if number is not None:
            return number
        with self._lock:
            number = self._ids.setdefault(string, len(self._strings))
            if number == len(self._strings):
                self._strings.append(string)
            return number

    def add_all(self, strings: Iterable[str]) -> NDArray[np.int32]:
        """Return the numbers of many strings, in their order."""
        with self._lock:
            ids, table_strings = self._ids, self._strings
            numbers: list[int] = []
            for string in strings:
                number = ids.get(string)
                if number is None:
                    number = ids[string] = len(table_strings)
                    table_strings.append(string)
                numbers.append(number)
        return np.array(numbers, dtype=np.int32)

    def find(self, string: str) -> int:
        """Return the string's number, or -1 if it has none."""
        return self._ids.get(string, -1)


class Vocabulary:
    """Labels apart from words: a word and a category are never the same symbol.

    Attributes
    ----------
    labels, words : StringTable
        The strings of the node labels and of the word forms.
    annotations : StringTable
        The strings of the other columns of words: lemmas, features, enhanced dependencies.
    reader_state : object or None
        Private state of a reader, kept to read the next file faster.
    """

    __slots__ = ("annotations", "labels", "reader_state", "words")

    def __init__(self) -> None:
        self.labels = StringTable()
        self.words = StringTable()
        self.annotations = StringTable()
        self.reader_state: object | None = None

    def __getstate__(self) -> tuple[StringTable, ...]:
        return self.labels, self.words, self.annotations

    def __setstate__(self, tables: tuple[StringTable, ...]) -> None:
        self.labels, self.words, self.annotations = tables
        self.reader_state = None
