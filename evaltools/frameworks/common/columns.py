"""Columns of tables as arrays, the status of a sentence, and the columns of trees that kernels take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank


class SentenceStatus(IntEnum):
    """Whether a sentence can be scored as it is, or why not."""

    OK = 0
    MISSING = 1
    WORDS_DIFFER = 2

    @property
    def label(self) -> str:
        """The name used in tables: ``ok``, ``missing`` or ``words_differ``."""
        return self.name.lower()


Rows = dict[str, NDArray[Any]]
"""Rows of a table: an array a column, all of one length."""


def number_column(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> NDArray[Any]:
    """Make a column of numbers or truth values, null where missing."""
    if missing is None:
        return values
    return np.where(missing, np.nan, values) if values.dtype.kind == "f" else np.ma.MaskedArray(values, missing)


def integer_column(values: Sequence[int | None]) -> NDArray[np.int32]:
    """Make a column of 32-bit integers; None is null."""
    missing = np.array([value is None for value in values], dtype=np.bool_)
    return number_column(np.array([value or 0 for value in values], dtype=np.int32), missing)


def text_column(strings: Sequence[str | None] | NDArray[Any]) -> NDArray[Any]:
    """Make a column of texts; None is null."""
    return np.array(strings, dtype=object)


def constant(value: str | None, length: int) -> NDArray[Any]:
    """Make a column of one text, or of nulls."""
    return np.full(length, value, dtype=object)


def nothing(length: int) -> NDArray[np.int32]:
    """Make a column of 32-bit integers that are all null."""
    return number_column(np.zeros(length, dtype=np.int32), np.ones(length, dtype=np.bool_))


def coded(codes: NDArray[Any], names: Sequence[str]) -> NDArray[Any]:
    """Make a column of texts from their numbers; a negative number is null."""
    texts: NDArray[Any] = np.array([*names, None], dtype=object)[np.maximum(codes, -1)]
    return texts


def joined(words: NDArray[Any], ends: NDArray[np.int64], filled: NDArray[np.bool_]) -> list[str | None]:
    """Join the words of every sentence with blanks; None where there is no tree. `ends` has 0 and the end of each."""
    listed, bounds = words.tolist(), ends.tolist()
    spans = zip(filled.tolist(), bounds, bounds[1:], strict=False)
    return [" ".join(listed[first:last]) if is_tree else None for is_tree, first, last in spans]


def n_rows(rows: Mapping[str, NDArray[Any]]) -> int:
    """Return the number of rows."""
    return len(next(iter(rows.values()), ()))


def concatenated(parts: Sequence[Rows]) -> Rows:
    """Return the rows of parts with the same columns one after another."""
    columns: Rows = {}
    for name in parts[0]:
        arrays = [part[name] for part in parts]
        is_masked = any(isinstance(array, np.ma.MaskedArray) for array in arrays)
        columns[name] = np.ma.concatenate(arrays) if is_masked else np.concatenate(arrays)  # type: ignore[no-untyped-call]
    return columns


def plain(rows: Mapping[str, Any]) -> Rows:
    """Return columns with NaN, or None among texts, in place of masked values."""
    columns: Rows = {}
    for name, column in rows.items():
        columns[name] = column
        if isinstance(column, np.ma.MaskedArray):
            is_text = column.dtype == object
            values = np.array(column.data, dtype=object if is_text else np.float64)
            values[np.ma.getmaskarray(column)] = None if is_text else np.nan  # `filled` would write "?" for None
            columns[name] = values
    return columns


def sentence_of(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the number of every element's sentence, from 0."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))


NO_FREE = np.zeros((0, 0), dtype=np.uint8)
"""No two labels whose swap costs nothing."""

Columns = tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.uint8],
    NDArray[np.int64],
]


def columns_of(
    treebank: Treebank,
    symbols: NDArray[np.int32] | None = None,
    spans: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
    kinds: NDArray[np.uint8] | None = None,
) -> Columns:
    """Return the columns of a treebank as kernels take them, with other symbols for labels, spans or kinds if given."""
    start, end = (treebank.start, treebank.end) if spans is None else spans
    return (
        treebank.label if symbols is None else symbols,
        treebank.parent,
        treebank.leftmost,
        start,
        end,
        treebank.kind if kinds is None else kinds,
        treebank.offsets,
    )


def node_positions(treebank: Treebank) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sentence of every node, from 0, and the index of its parent among all nodes, -1 for a root."""
    sentence = np.repeat(np.arange(len(treebank), dtype=np.int64), np.diff(treebank.offsets))
    return sentence, np.where(treebank.parent >= 0, treebank.parent + treebank.offsets[sentence], -1)
