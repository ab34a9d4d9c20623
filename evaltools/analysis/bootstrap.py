"""Resampling sentences: which sums of counts might as well have come out.

A resample draws as many sentences as there are, with replacement. All that a figure needs of it is how often each
sentence was drawn, so a resample is a row of a multinomial count matrix, and the sums of all count columns over all
resamples are one matrix product. Every column, of every parser and metric, sees the same draws: intervals are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.metrics import Metric
from evaltools.metrics.base import ratio
from evaltools.runs.figures import counts_of, defined

__all__ = ["FIGURES", "RESAMPLES", "SEED", "interval", "resampled_figures", "resampled_sums", "sentence_masks"]

FIGURES = ("pooled", "mean", "pooled_all", "mean_all")
"""The four figures of a parser and metric: counts summed, then divided; mean of the sentence scores; and both over
every gold sentence, those without a score counted as nothing matched."""

RESAMPLES = 1000
SEED = 20080528
"""The default seed: any will do, as long as it stays."""

_BLOCK = 4_000_000
"""Most entries of the count matrix that are held at once."""


def _draws(n: int, resamples: int, seed: int, block: int) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield blocks of the multinomial count matrix; where it is cut does not change the draws."""
    generator = np.random.default_rng(seed)
    step = max(1, block // max(n, 1))
    for first in range(0, resamples, step):
        rows = min(step, resamples - first)
        picks = generator.integers(0, n, size=(rows, n), dtype=np.int64)
        picks += np.arange(rows)[:, None] * n
        counts = np.bincount(picks.ravel(), minlength=rows * n).reshape(rows, n)
        yield slice(first, first + rows), counts.astype(np.float64)


def resampled_sums(
    columns: NDArray[np.float64], resamples: int = RESAMPLES, seed: int = SEED, *, block: int = _BLOCK
) -> NDArray[np.float64]:
    """Sum columns over resampled rows.

    Parameters
    ----------
    columns : ndarray of float64, shape (sentences, columns)
        What to sum.
    resamples : int
        How many resamples.
    seed : int
        The same seed and number of sentences give the same draws.
    block : int
        Most entries of the count matrix to hold at once; has no influence on the result.

    Returns
    -------
    ndarray of float64, shape (resamples, columns)
    """
    n, width = columns.shape
    sums = np.zeros((resamples, width))
    if n:
        for rows, counts in _draws(n, resamples, seed, block):
            sums[rows] = counts @ columns
    return sums


def interval(values: NDArray[np.float64], level: float = 0.95) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the percentile interval of each column; undefined resamples are left out.

    Parameters
    ----------
    values : ndarray of float64, shape (resamples, figures)
        Resampled figures.
    level : float
        Share of the resamples inside.

    Returns
    -------
    low, high : ndarray of float64, shape (figures,)
        NaN where no resample has a value.
    """
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    broken = np.isnan(values).any(axis=0)
    if not broken.all():
        low[~broken], high[~broken] = np.quantile(values[:, ~broken], tails, axis=0)
    for place in np.flatnonzero(broken):
        known = values[~np.isnan(values[:, place]), place]
        if len(known):
            low[place], high[place] = np.quantile(known, tails)
    return low, high


def sentence_masks(frame: pd.DataFrame, metric: Metric) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which sentences are scored, and which count where every sentence does.

    Parameters
    ----------
    frame : DataFrame
        Rows of the sentences table.
    metric : Metric
        The metric.

    Returns
    -------
    scored, every : ndarray of bool, shape (rows,)
        Gold sentences with nothing left, and pairs too large for tree distance, are in neither.
    """
    every: NDArray[np.bool_] = frame["sentences"].to_numpy() > 0
    if metric.family == "t":
        every = every & (frame["t_gold"].to_numpy(dtype=np.float64, na_value=np.nan) >= 0)
    return defined(frame, metric), every


class _Columns:
    """Columns to be summed; equal ones are kept once."""

    def __init__(self) -> None:
        self.values: list[NDArray[np.float64]] = []
        self._places: dict[bytes, int] = {}

    def add(self, column: NDArray[np.float64]) -> int:
        column = np.ascontiguousarray(np.nan_to_num(column, nan=0.0))
        place = self._places.setdefault(column.tobytes(), len(self.values))
        if place == len(self.values):
            self.values.append(column)
        return place


def resampled_figures(
    frames: Mapping[str, pd.DataFrame],
    metrics: Sequence[Metric],
    figures: Sequence[str] = FIGURES,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[tuple[str, str, str], NDArray[np.float64]]:
    """Resample the sentences and compute figures of every resample.

    Parameters
    ----------
    frames : dict of DataFrame
        Rows of the sentences table by parser, the same sentences in the same order in each.
    metrics : sequence of Metric
        The metrics.
    figures : sequence of str
        Of :data:`FIGURES`.
    resamples, seed : int
        As for :func:`resampled_sums`.

    Returns
    -------
    dict
        From (parser, metric id, figure) to an array of shape (resamples,), NaN where undefined, and throughout where
        fewer than two sentences count: drawing the same one again and again says nothing of chance.
    """
    columns = _Columns()
    wanted: dict[tuple[str, str, str], tuple[Metric, tuple[int, ...]]] = {}
    too_few: set[tuple[str, str, str]] = set()
    for parser, frame in frames.items():
        for metric in metrics:
            counts = counts_of(frame, metric)
            scores = np.asarray(metric.score(counts), dtype=np.float64)
            for suffix, mask in zip(("", "_all"), sentence_masks(frame, metric), strict=True):
                known = mask & ~np.isnan(scores)
                if np.count_nonzero(known) < 2:
                    too_few |= {(parser, metric.id, f"{figure}{suffix}") for figure in ("pooled", "mean")}
                if f"pooled{suffix}" in figures:
                    places = tuple(columns.add(np.where(mask, counts[name], 0.0)) for name in metric.columns)
                    wanted[parser, metric.id, f"pooled{suffix}"] = (metric, places)
                if f"mean{suffix}" in figures:
                    places = (columns.add(np.where(known, scores, 0.0)), columns.add(known.astype(np.float64)))
                    wanted[parser, metric.id, f"mean{suffix}"] = (metric, places)
    if not wanted:
        return {}
    sums = resampled_sums(np.column_stack(columns.values), resamples, seed)
    result = {}
    for key, (metric, places) in wanted.items():
        if key[2].startswith("pooled"):
            by_name = {name: sums[:, place] for name, place in zip(metric.columns, places, strict=True)}
            result[key] = np.asarray(metric.score(by_name), dtype=np.float64)
        else:
            result[key] = ratio(sums[:, places[0]], sums[:, places[1]])
        if key in too_few:
            result[key] = np.full_like(result[key], np.nan)
    return result
