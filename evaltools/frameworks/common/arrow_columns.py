"""Columns of Arrow tables, from arrays and lists.

``pa.array`` imports pandas, which takes longer than scoring a few sentences; these functions fill Arrow's buffers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = [
    "arrow_table",
    "coded",
    "constant",
    "integer_column",
    "integers",
    "number_column",
    "sentence_of",
    "text_column",
    "text_scalar",
]

_MAX_BYTES = 2**31 - 1
"""Length of all texts of a column of the type ``string``."""


def number_column(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """Make a column of numbers or truth values, null where missing."""
    is_flag = values.dtype == np.bool_
    data = _bits(values) if is_flag else np.ascontiguousarray(values)
    validity = None if missing is None else pa.py_buffer(_bits(~missing))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [validity, pa.py_buffer(data)])


def integer_column(values: Sequence[int | None]) -> pa.Array:
    """Make a column of 32-bit integers; None is null."""
    missing = np.array([value is None for value in values], dtype=np.bool_)
    return number_column(np.array([value or 0 for value in values], dtype=np.int32), missing)


def integers(column: pa.Array) -> NDArray[np.int32]:
    """Return the values of a column of 32-bit integers without nulls."""
    values = np.empty(0, dtype=np.int32)  # an empty column may have no buffer
    if len(column):
        values = np.frombuffer(column.buffers()[1], dtype=np.int32, count=len(column), offset=4 * column.offset)
    return values


def text_column(strings: Sequence[str | None]) -> pa.Array:
    """Make a column of strings; None is null."""
    encoded = [b"" if string is None else string.encode() for string in strings]
    ends = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(each) for each in encoded], out=ends[1:])
    if ends[-1] > _MAX_BYTES:
        return pa.array(strings, pa.string())  # in several chunks
    validity = pa.py_buffer(_bits(np.array([string is not None for string in strings], dtype=np.bool_)))
    buffers = [validity, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def text_scalar(string: str | None) -> pa.Scalar:
    """Make one string, or a null, for functions of ``pyarrow.compute``."""
    return text_column([string])[0]


def _bits(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.packbits(flags, bitorder="little")


def arrow_table(columns: Mapping[str, Any]) -> pa.Table:
    """Make a table of columns, which may be arrays without missing values."""
    return pa.table(
        {name: number_column(values) if isinstance(values, np.ndarray) else values for name, values in columns.items()}
    )


def constant(value: str | None, length: int) -> pa.Array:
    """Make a column of one string, or of nulls."""
    indices = number_column(np.zeros(length, dtype=np.int32), np.full(length, value is None))
    return pa.DictionaryArray.from_arrays(indices, text_column([value or ""]))


def coded(codes: NDArray[Any], names: Sequence[str]) -> pa.Array:
    """Make a column of strings from numbers; a negative number is null. Only names that occur are kept."""
    used, positions = np.unique(codes, return_inverse=True)
    names_used = [names[code] if code >= 0 else "" for code in used.tolist()]
    indices = number_column(positions.reshape(-1).astype(np.int32), codes < 0)
    return pa.DictionaryArray.from_arrays(indices, text_column(names_used))


def sentence_of(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the number of every element's sentence, from 0."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
