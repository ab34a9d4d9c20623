"""How the scores of sentences are distributed, and how they depend on sentence length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import RESAMPLES, SEED, interval, resampled_sums, sentence_masks
from evaltools.metrics import METRICS, Metric
from evaltools.metrics.base import ratio
from evaltools.runs.figures import counts_of, sentence_scores

__all__ = ["length_bins", "perfect_share", "score_by_length", "score_histogram"]

_NICE = (1, 2, 5, 10, 20, 25, 50, 100)


def _scores(frame: pd.DataFrame, metric: str) -> NDArray[np.float64]:
    if metric in frame:
        return frame[metric].to_numpy(dtype=np.float64)
    return sentence_scores(frame, [metric])[metric].to_numpy(dtype=np.float64)


def score_histogram(frame: pd.DataFrame, parsers: Sequence[str], metric: str, bins: int = 20) -> pd.DataFrame:
    """Count each parser's sentences by score.

    Parameters
    ----------
    frame : DataFrame
        Rows of ``run.sentences()``.
    parsers : sequence of str
        Names, in the order wanted.
    metric : str
        A metric id.
    bins : int
        Number of bins from 0 to 1. A score on the border of two bins is in the upper one, and 1 in the last. Scores
        below 0 (T where words differ) are in the first. Metrics that are no shares of 1 have one bin for each whole
        number, at most `bins`, the last of them open.

    Returns
    -------
    DataFrame
        ``parser``, ``low``, ``high`` (borders of the bin), ``open`` (whether the bin holds everything beyond ``low``),
        ``count``, ``share`` (of the sentences that have a score).
    """
    values = _scores(frame, metric)
    names = frame["parser"].to_numpy()
    if METRICS[metric].is_share:
        borders = np.linspace(0, 1, bins + 1)
        open_end = False
    else:
        most = int(np.nanmax(values)) if np.isfinite(values).any() else 0
        open_end = most >= bins
        borders = np.arange(min(most + 1, bins) + 1, dtype=np.float64)
    rows = []
    for parser in parsers:
        known = values[(names == parser) & ~np.isnan(values)]
        # a score such as 0.15 lies on its border whatever its last bit says
        places = np.clip(np.searchsorted(borders, known + 1e-9, side="right") - 1, 0, len(borders) - 2)
        counts = np.bincount(places, minlength=len(borders) - 1)
        rows.append(
            pd.DataFrame(
                {
                    "parser": parser,
                    "low": borders[:-1],
                    "high": borders[1:],
                    "open": open_end & (np.arange(len(counts)) == len(counts) - 1),
                    "count": counts,
                    "share": counts / len(known) if len(known) else np.zeros(len(counts)),
                }
            )
        )
    columns = ["parser", "low", "high", "open", "count", "share"]
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=columns)


def perfect_share(frame: pd.DataFrame, parsers: Sequence[str], metric: str) -> dict[str, float]:
    """Return for each parser the share of scored sentences that have the best possible score (NaN if there are none).

    Parameters
    ----------
    frame : DataFrame
        Rows of ``run.sentences()``.
    parsers : sequence of str
        Names.
    metric : str
        A metric id; the best score is 1, or 0 for a metric that counts errors.
    """
    values, names = _scores(frame, metric), frame["parser"].to_numpy()
    best = 1.0 if METRICS[metric].higher_is_better else 0.0
    shares = {}
    for parser in parsers:
        known = values[(names == parser) & ~np.isnan(values)]
        shares[parser] = float(np.mean(np.abs(known - best) < 1e-9)) if len(known) else float("nan")
    return shares


def length_bins(lengths: NDArray[np.int64], most: int = 8) -> list[tuple[int, int | None]]:
    """Cut sentence lengths into bins of one round width.

    Parameters
    ----------
    lengths : ndarray of int
        Words of each sentence.
    most : int
        Most bins.

    Returns
    -------
    list of (int, int or None)
        First and last length of each bin; the last bin is open (None) if longer sentences are rare enough to share one.
        Bins go on to where less than 2 % of the sentences are left.

    Examples
    --------
    >>> length_bins(np.array([3, 8, 12, 19, 4]))
    [(1, 5), (6, 10), (11, 15), (16, 20)]
    """
    if not len(lengths):
        return []
    longest, usual = int(lengths.max()), int(np.quantile(lengths, 0.98))
    width = next((width for width in _NICE if width * most >= usual), -(-usual // most))
    number = max(1, -(-usual // width))
    bins: list[tuple[int, int | None]] = [(1 + place * width, (place + 1) * width) for place in range(number)]
    if longest > number * width:
        if number < most:
            bins.append((number * width + 1, None))
        else:
            bins[-1] = (bins[-1][0], None)
    return bins


def _bin_name(first: int, last: int | None) -> str:
    if last is None:
        return f"{first}+"
    return str(first) if first == last else f"{first}–{last}"


def score_by_length(
    frame: pd.DataFrame,
    parsers: Sequence[str],
    metric: str,
    *,
    every: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return each parser's figures by sentence length.

    Parameters
    ----------
    frame : DataFrame
        Rows of the sentences table, each parser's in the same order.
    parsers : sequence of str
        Names, in the order wanted.
    metric : str
        A metric id.
    every : bool
        Count sentences without a score as nothing matched, instead of leaving them out.
    resamples, seed, level
        As for :func:`evaltools.analysis.leaderboard`.

    Returns
    -------
    DataFrame
        One row a parser and bin of gold sentence lengths: ``parser``; ``bin``, its place; ``length``, its name;
        ``first``, ``last`` (NaN if open); ``words``, the mean length in it; ``sentences``; ``n``, those with a score;
        ``pooled``, ``mean`` and their ``_low`` and ``_high``.
    """
    one = METRICS[metric]
    words = frame["words"].to_numpy(dtype=np.int64)
    names = frame["parser"].to_numpy()
    sides = [_Side.of(frame[names == parser], one, every=every) for parser in parsers]
    rows = []
    for place, (first, last) in enumerate(length_bins(words[words > 0])):
        parts = [side.between(first, last) for side in sides]
        resampled = _resampled(parts, one, resamples, seed)
        for parser, part, values in zip(parsers, parts, resampled, strict=True):
            low, high = interval(values, level)
            totals = part.columns.sum(axis=0)
            rows.append(
                {
                    "parser": parser,
                    "bin": place,
                    "length": _bin_name(first, last),
                    "first": first,
                    "last": float("nan") if last is None else float(last),
                    "words": float(part.words.mean()) if len(part.words) else float("nan"),
                    "sentences": len(part.words),
                    "n": int(part.scored.sum()),
                    "pooled": float(_pooled(totals[None, :], one)[0]),
                    "pooled_low": float(low[0]),
                    "pooled_high": float(high[0]),
                    "mean": float(ratio(totals[-2:-1], totals[-1:])[0]),
                    "mean_low": float(low[1]),
                    "mean_high": float(high[1]),
                }
            )
    figures_of = [f"{figure}{end}" for figure in ("pooled", "mean") for end in ("", "_low", "_high")]
    columns = ["parser", "bin", "length", "first", "last", "words", "sentences", "n", *figures_of]
    return pd.DataFrame(rows, columns=columns)


@dataclass(frozen=True, slots=True)
class _Side:
    """One parser's sentences, as what is summed.

    Parameters
    ----------
    words : ndarray of int
        Their lengths.
    scored : ndarray of bool
        Those that have a score.
    columns : ndarray of float64, shape (sentences, counts + 2)
        The metric's counts, the score and 1 in each; 0 where they do not count.
    """

    words: NDArray[np.int64]
    scored: NDArray[np.bool_]
    columns: NDArray[np.float64]

    @classmethod
    def of(cls, frame: pd.DataFrame, metric: Metric, *, every: bool) -> _Side:
        counts = counts_of(frame, metric)
        scores = np.asarray(metric.score(counts), dtype=np.float64)
        scored, all_of_them = sentence_masks(frame, metric)
        mask = all_of_them if every else scored
        known = mask & ~np.isnan(scores)
        columns = [np.where(mask, counts[name], 0.0) for name in metric.columns]
        columns += [np.where(known, scores, 0.0), known.astype(np.float64)]
        return cls(frame["words"].to_numpy(dtype=np.int64), scored & ~np.isnan(scores), np.column_stack(columns))

    def between(self, first: int, last: int | None) -> _Side:
        inside = (self.words >= first) & (self.words <= (last or np.iinfo(np.int64).max))
        return _Side(self.words[inside], self.scored[inside], self.columns[inside])


def _pooled(sums: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    by_name = {name: sums[:, place] for place, name in enumerate(metric.columns)}
    return np.asarray(metric.score(by_name), dtype=np.float64)


def _resampled(sides: list[_Side], metric: Metric, resamples: int, seed: int) -> list[NDArray[np.float64]]:
    """Return for each parser its pooled figures and means, shape (resamples, 2); all see the same draws.

    Where fewer than two sentences have a score they are NaN, as in :func:`resampled_figures`.
    """
    if not sides:
        return []
    sums = resampled_sums(np.hstack([side.columns for side in sides]), resamples, seed)
    parts = np.split(sums, len(sides), axis=1)
    figures = [np.column_stack([_pooled(part, metric), ratio(part[:, -2], part[:, -1])]) for part in parts]
    enough = [np.count_nonzero(side.columns[:, -1]) > 1 for side in sides]
    return [values if known else np.full_like(values, np.nan) for values, known in zip(figures, enough, strict=True)]
