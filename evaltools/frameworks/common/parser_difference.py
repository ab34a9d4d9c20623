"""Differences between two parsers, with intervals over sentences or documents.

A figure of a parser is a sum over the sentences, so the variance of a difference is that of the sum of the paired
differences of the sentences, or of documents, which are drawn as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.frameworks.common.group_difference import flags, two_sided
from evaltools.text import decimals

__all__ = ["paired_errors", "rows_of_both", "with_differences"]

_Z = 1.959963984540054


def rows_of_both(first: pd.DataFrame, second: pd.DataFrame, keys: Sequence[str], main: str) -> pd.DataFrame:
    """Return the rows that either of two tables has, with the second one's `main` as ``other``; 0 for no such row.

    Examples
    --------
    >>> first, second = pd.DataFrame({"k": ["a", "b"], "n": [3, 1]}), pd.DataFrame({"k": ["c", "a"], "n": [2, 1]})
    >>> rows_of_both(first, second, ["k"], "n").to_numpy().tolist()
    [['a', 3, 1.0], ['b', 1, 0.0], ['c', 0, 2.0]]
    """
    by = list(keys)
    rows: pd.DataFrame = first.merge(second[[*by, main]].rename(columns={main: "other"}), on=by, how="left")
    known = second[by].merge(first[by], on=by, how="left", indicator=True)["_merge"] == "both"
    more = second[~known.to_numpy()]
    if len(more):
        only_second = more.assign(other=more[main])
        only_second[main] = 0
        rows = pd.concat([rows, only_second], ignore_index=True)
    return rows.assign(other=rows["other"].infer_objects().fillna(0)).reset_index(drop=True)


def paired_errors(
    first: pd.DataFrame,
    second: pd.DataFrame,
    rows: pd.DataFrame,
    keys: Sequence[str],
    n_sentences: int,
    units: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Return the standard errors of the differences of some rows, given ``value`` by ``sentence`` of both parsers.

    `units` has the document of each sentence; the differences of its sentences are one.
    """
    n_units = n_sentences if units is None else len(np.unique(units[:n_sentences]))
    if n_units < 2:
        return np.full(len(rows), np.nan)
    by = list(keys)
    values = pd.concat([first, second.assign(value=-second["value"])])
    if units is not None:
        values = values.assign(sentence=units[values["sentence"].to_numpy(dtype=np.int64) - 1])
    values = values.astype(dict.fromkeys(by, object))
    values = values.groupby([*by, "sentence"], sort=False)["value"].sum().reset_index()
    sums = values.assign(square=values["value"] ** 2).groupby(by, sort=False)[["value", "square"]].sum().reset_index()
    own = rows[by].astype(object).merge(sums, on=by, how="left")
    value, square = (own[name].astype(np.float64).fillna(0).to_numpy() for name in ("value", "square"))
    variance = (square - value**2 / n_units) * n_units / (n_units - 1)
    return np.sqrt(np.maximum(variance, 0))


def with_differences(rows: pd.DataFrame, main: str, error: NDArray[np.float64]) -> pd.DataFrame:
    """Add differences, intervals and which are significant to rows of two parsers; the largest differences first."""
    more = (rows[main] - rows["other"]).to_numpy(dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(error > 0, two_sided(more / error), np.where(np.isnan(error), np.nan, 1.0))
    low, high = more - _Z * error, more + _Z * error
    intervals = [_interval(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True)]
    rows = rows.assign(more=rows[main] - rows["other"], low=low, high=high, interval=intervals)
    rows = rows.assign(flag=["✓" if flag else "" for flag in flags(p).tolist()])
    return rows.sort_values("more", key=np.abs, ascending=False, kind="stable", ignore_index=True)


def _interval(low: float, high: float) -> str:
    """Return an interval as text, its ends without decimals from ten on."""
    if low != low:
        return "–"
    return " to ".join(decimals(end, 0 if abs(end) >= 10 else 1, signed=True) for end in (low, high))
