"""Columns of strings for the tables of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["coded", "constant"]


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
