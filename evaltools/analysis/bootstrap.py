"""Resampling sentences: which sums of counts might as well have come out.

A resample draws as many sentences as there are, with replacement. All that a figure needs of it is how often each
sentence was drawn, so a resample is a row of a multinomial count matrix, and the sums of all count columns over all
resamples are one matrix product. Every column, of every parser and metric, sees the same draws: intervals are paired.

Of a long corpus groups of sentences are drawn instead, see :mod:`evaltools.runs.sums`: the variance of their sums is
that of as many sentences as they hold, and 1,024 groups tell it to 4 per cent.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics import Metric
from evaltools.metrics.base import ratio
from evaltools.runs.sums import Sums

__all__ = ["FIGURES", "RESAMPLES", "SEED", "Columns", "figure_of", "interval", "resampled_figures", "resampled_sums"]

FIGURES = ("pooled", "mean", "pooled_all", "mean_all")
"""The four figures of a parser and metric: counts summed, then divided; mean of the sentence scores; and both over
every gold sentence, those without a score counted as nothing matched."""

RESAMPLES = 1000
"""Of the intervals of single figures; a comparison resamples as often as it shuffles."""
SEED = 20080528
"""The default seed: any will do, as long as it stays."""

_BLOCK = 4_000_000
"""Most entries of the count matrix that are held at once."""
_KEPT = 2_000_000
"""Most entries of a matrix that is kept: charts by length draw the same groups again and again."""


@functools.lru_cache(maxsize=2)
def _kept_draws(n: int, resamples: int, seed: int) -> NDArray[np.float64]:
    ((_, counts),) = _draws(n, resamples, seed, n * resamples)
    return counts


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
    if 0 < n * resamples <= min(_KEPT, block):
        drawn: NDArray[np.float64] = _kept_draws(n, resamples, seed) @ columns
        return drawn
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


class Columns:
    """Columns to be summed over many samples; equal ones are kept once."""

    def __init__(self) -> None:
        self.values: list[NDArray[np.float64]] = []
        self._places: dict[bytes, int] = {}

    def add(self, column: NDArray[np.float64]) -> int:
        """Keep a column; return its index."""
        column = np.ascontiguousarray(column)
        place = self._places.setdefault(column.tobytes(), len(self.values))
        if place == len(self.values):
            self.values.append(column)
        return place


def resampled_figures(
    sums: Sums,
    parsers: Sequence[str],
    metrics: Sequence[Metric],
    figures: Sequence[str] = FIGURES,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[tuple[str, str, str], NDArray[np.float64]]:
    """Resample the sentences and compute figures of every resample.

    Parameters
    ----------
    sums : Sums
        Sums over groups of sentences.
    parsers : sequence of str
        Names.
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
    columns = Columns()
    wanted: dict[tuple[str, str, str], tuple[Metric, tuple[int, ...]]] = {}
    too_few: set[tuple[str, str, str]] = set()
    for parser in parsers:
        part = sums.of(parser)
        for metric in metrics:
            for suffix, over in (("", "scored"), ("_all", "all")):
                if part.defined(metric, over).sum() < 2:
                    too_few |= {(parser, metric.id, f"{figure}{suffix}") for figure in ("pooled", "mean")}
                if f"pooled{suffix}" in figures:
                    places = tuple(columns.add(part.count(metric, over, name)) for name in metric.columns)
                    wanted[parser, metric.id, f"pooled{suffix}"] = (metric, places)
                if f"mean{suffix}" in figures:
                    places = (columns.add(part.score(metric, over)), columns.add(part.defined(metric, over)))
                    wanted[parser, metric.id, f"mean{suffix}"] = (metric, places)
    if not wanted:
        return {}
    resampled = resampled_sums(np.column_stack(columns.values), resamples, seed)
    return {
        key: np.full(resamples, np.nan) if key in too_few else _figure(key[2], metric, resampled[:, places])
        for key, (metric, places) in wanted.items()
    }


def figure_of(sums: Sums, metric: Metric, figure: str) -> float:
    """Return one of :data:`FIGURES` of the sentences that were added up, NaN where undefined."""
    over = "all" if figure.endswith("_all") else "scored"
    if figure.startswith("pooled"):
        columns = [sums.count(metric, over, name) for name in metric.columns]
    else:
        columns = [sums.score(metric, over), sums.defined(metric, over)]
    return float(_figure(figure, metric, np.array([[column.sum() for column in columns]]))[0])


def _figure(figure: str, metric: Metric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute a figure from sums: of the metric's counts, or of scores and of their number; a row each."""
    if figure.startswith("pooled"):
        return np.asarray(metric.score(dict(zip(metric.columns, sums.T, strict=True))), dtype=np.float64)
    return ratio(sums[:, 0], sums[:, 1])
