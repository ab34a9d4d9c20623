"""Categorical columns: the features of words and brackets as pandas keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["categories", "classes", "coded"]


def categories(codes: NDArray[Any], names: Sequence[str], *, ordered: bool = False) -> Any:
    """Return a categorical of names, given their indices."""
    return pd.Categorical.from_codes(codes.astype(np.intp), dtype=pd.CategoricalDtype(list(names), ordered=ordered))


def coded(codes: NDArray[Any], names: Sequence[str]) -> Any:
    """Return a categorical of names, given their indices, ordered by first occurrence."""
    # So they depend on the values alone, and not on how the strings are numbered.
    used, first, indices = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return categories(rank[indices.reshape(-1)], [names[code] for code in used[order].tolist()])


def classes(values: NDArray[Any], begins: tuple[int, ...]) -> Any:
    """Put numbers into classes that begin at some of them; those below the first join it."""
    names = [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(begins)]
    names.append(f"{begins[-1]} and more")
    codes = np.clip(np.searchsorted(begins, values, side="right") - 1, 0, len(begins) - 1)
    return categories(codes, names, ordered=True)
