"""Columns of Arrow tables, from arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["coded", "constant", "sentence_of"]


def constant(value: str | None, length: int) -> pa.Array:
    """Make a column of one string, or of nulls."""
    indices = pa.array(np.zeros(length, dtype=np.int32), mask=np.full(length, value is None))
    return pa.DictionaryArray.from_arrays(indices, pa.array([value or ""], pa.string()))


def coded(codes: NDArray[Any], names: Sequence[str]) -> pa.Array:
    """Make a column of strings from numbers; a negative number is null. Only names that occur are kept."""
    used, positions = np.unique(codes, return_inverse=True)
    names_used = [names[code] if code >= 0 else "" for code in used.tolist()]
    indices = pa.array(positions.reshape(-1).astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(names_used, pa.string()))


def sentence_of(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the number of every element's sentence, from 0."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
