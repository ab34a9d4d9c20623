"""Bootstrap resampling of sentences.

A resample draws as many sentences as there are, with replacement. A figure depends only on how often each
sentence was drawn, so a resample is a row of a multinomial count matrix, and the sums of all count columns over all
resamples are one matrix product. Every column, of every parser and metric, sees the same draws: intervals are paired.

Of a long corpus groups of sentences are drawn instead, see :mod:`evaltools.runs.sums`: the variance of their sums is
that of as many sentences as they hold, and 1,024 groups estimate it to 4 per cent. Sentences of one document are more
alike than others, so that intervals over sentences are too narrow for new documents; then documents are drawn whole
(the cluster bootstrap).

References
----------
A. C. Davison and D. V. Hinkley (1997). Bootstrap methods and their application. Cambridge. Section 3.8.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.figures import FIGURES, figure_over, over_of
from evaltools.frameworks.metric import Metric
from evaltools.runs.sums import Sums, figure_from_sums

RESAMPLES = 1000
"""Number of resamples for intervals of single figures; a comparison has as many resamples as shuffles."""
SEED = 20080528
"""Default seed of the random numbers."""
_TAILS = (0.025, 0.975)

_MAX_ENTRIES = 4_000_000
"""Maximum number of entries of the count matrix that are held at a time."""
_AT_ONCE = 100_000
"""Number of entries that are drawn at once: few enough to stay in the processor's cache."""
_MAX_CACHED = 16_000_000
"""Maximum size of a matrix that is cached: all figures of a run draw the same sentences, and so do charts by length."""


@functools.lru_cache(maxsize=12)
def _kept_draws(n: int, resamples: int, seed: int, block: int) -> list[tuple[slice, NDArray[np.uint8]]]:
    return list(_draws(n, resamples, seed, block))


def _draws(n: int, resamples: int, seed: int, block: int) -> Iterator[tuple[slice, NDArray[np.uint8]]]:
    """Yield blocks of the multinomial count matrix; the size of blocks does not change the draws."""
    generator = np.random.default_rng(seed)
    step, at_once = (max(1, entries // max(n, 1)) for entries in (block, _AT_ONCE))
    for first in range(0, resamples, step):
        counts = np.empty((min(step, resamples - first), n), dtype=np.uint8)  # a sentence is never drawn more often
        for part in np.split(counts, range(at_once, len(counts), at_once)):
            picks = generator.integers(0, n, size=part.shape, dtype=np.int64)
            picks += np.arange(len(part))[:, None] * n
            part[:] = np.bincount(picks.ravel(), minlength=part.size).reshape(part.shape)
        yield slice(first, first + len(counts)), counts


def resampled_sums(
    columns: NDArray[np.float64], resamples: int = RESAMPLES, seed: int = SEED, *, block: int = _MAX_ENTRIES
) -> NDArray[np.float64]:
    """Sum columns over resampled rows."""
    n, width = columns.shape
    sums = np.zeros((resamples, width))
    if n:
        kept = n * resamples <= _MAX_CACHED
        for rows, counts in (_kept_draws if kept else _draws)(n, resamples, seed, block):
            sums[rows] = counts.astype(np.float64) @ columns
    return sums


def interval(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the 95 % percentile interval of each column; undefined resamples are left out."""
    low, high = np.full(values.shape[1], np.nan), np.full(values.shape[1], np.nan)
    broken = np.isnan(values).any(axis=0)
    if not broken.all():
        low[~broken], high[~broken] = np.quantile(values[:, ~broken], _TAILS, axis=0)
    for index in np.flatnonzero(broken):
        defined = values[~np.isnan(values[:, index]), index]
        if len(defined):
            low[index], high[index] = np.quantile(defined, _TAILS)
    return low, high


class Columns:
    """Columns to be summed over many samples; equal ones are stored once."""

    def __init__(self) -> None:
        self.values: list[NDArray[np.float64]] = []
        self._indices: dict[bytes, int] = {}

    def add(self, column: NDArray[np.float64]) -> int:
        """Keep a column; return its index."""
        column = np.ascontiguousarray(column)
        index = self._indices.setdefault(column.tobytes(), len(self.values))
        if index == len(self.values):
            self.values.append(column)
        return index


def resampled_figures(
    sums: Sums,
    parsers: Sequence[str],
    metrics: Sequence[Metric],
    figures: Sequence[str] = FIGURES,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[tuple[str, str, str], NDArray[np.float64]]:
    """Resample the sentences and compute figures of every resample."""
    columns = Columns()
    indices_of: dict[tuple[str, str, str], tuple[Metric, tuple[int, ...]]] = {}
    too_few: set[tuple[str, str, str]] = set()
    for parser in parsers:
        part = sums.of(parser)
        for metric in metrics:
            for figure in figures:
                if np.count_nonzero(part.members(metric, figure_over("mean", over_of(figure)))) < 2:
                    too_few.add((parser, metric.id, figure))
                indices = tuple(map(columns.add, part.columns(metric, figure)))
                indices_of[parser, metric.id, figure] = (metric, indices)
    if not indices_of:
        return {}
    resampled = resampled_sums(np.column_stack(columns.values), resamples, seed)
    return {
        key: np.full(resamples, np.nan) if key in too_few else figure_from_sums(key[2], metric, resampled[:, indices])
        for key, (metric, indices) in indices_of.items()
    }
