"""Counts of confused labels as a matrix: gold labels by rows, the parser's by columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

REST = "(other)"
"""Stands for all labels that have no row and column of their own."""

_MAX_LABELS = 12


def commonest(rows: pd.DataFrame, none: str = "") -> list[str]:
    """Return the commonest labels of either side of ``gold``, ``test`` and ``count``, without the label `none`.

    Examples
    --------
    >>> rows = pd.DataFrame({"gold": ["A", "B", "-"], "test": ["A", "A", "B"], "count": [5, 2, 1]})
    >>> commonest(rows, "-")
    ['A', 'B']
    """
    sides = [rows.groupby(side)["count"].sum() for side in ("gold", "test")]
    totals = pd.concat(sides).groupby(level=0).sum().drop(index=none, errors="ignore")
    order = np.lexsort((totals.index.to_numpy(str), -totals.to_numpy(dtype=np.int64)))
    return [str(name) for name in totals.index[order][:_MAX_LABELS]]


def _with_rest(labels: pd.Series, common: Sequence[str], none: str) -> pd.Series:
    """Replace the labels that are neither common nor the label `none` by `REST`."""
    return labels.where(labels.isin([*common, none]), REST)


def confusion_matrix(rows: pd.DataFrame, common: Sequence[str], none: str = "") -> pd.DataFrame:
    """Return the counts of `none`, if there can be no label, of the common labels, and of all others together.

    Examples
    --------
    >>> rows = pd.DataFrame({"gold": ["A", "B", "-"], "test": ["A", "A", "B"], "count": [5, 2, 1]})
    >>> confusion_matrix(rows, ["A", "B"], "-").to_numpy().tolist()
    [[0, 0, 1, 0], [0, 5, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0]]
    """
    names = [*([none] if none else []), *common, REST]
    sides = rows.assign(**{side: _with_rest(rows[side], common, none) for side in ("gold", "test")})
    counts = sides.pivot_table(index="gold", columns="test", values="count", aggfunc="sum", fill_value=0)
    return counts.reindex(index=names, columns=names, fill_value=0).astype(np.int64)
