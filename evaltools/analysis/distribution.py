"""The distribution of sentence scores, and scores by sentence length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from evaltools.analysis.bootstrap import RESAMPLES, interval, resampled_figures
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sums import STEPS, LengthBins, Sums

if TYPE_CHECKING:
    import pandas as pd

_FIGURES = ("pooled", "mean")


def score_histogram(steps: pd.DataFrame, parsers: Sequence[str], metric: str, bins: int = STEPS) -> pd.DataFrame:
    """Arrange each parser's sentences by score.

    Parameters
    ----------
    steps : DataFrame
        From :func:`evaltools.runs.sums.score_steps`, with as many steps to 1 as there are bins.
    parsers : sequence of str
        Names, in the order of the rows.
    metric : str
        A metric id.
    bins : int
        Number of bins from 0 to 1. A score on the border of two bins is in the upper one, and 1 in the last. Metrics
        that are no shares of 1 have one bin for each whole number, at most `bins`, the last of them open.

    Returns
    -------
    DataFrame
        ``parser``, ``low``, ``high`` (borders of the bin), ``open`` (whether the bin holds everything beyond ``low``),
        ``count``, ``share`` (of the sentences that have a score).
    """
    import pandas as pd

    if METRICS[metric].is_share:
        borders = np.linspace(0, 1, bins + 1)
        open_end = False
    else:
        maximum = int(steps["step"].max()) if len(steps) else 0
        open_end = maximum >= bins
        borders = np.arange(min(maximum + 1, bins) + 1, dtype=np.float64)
    n = len(borders) - 1
    rows = []
    for parser in parsers:
        part = steps[steps["parser"] == parser]
        indices = np.clip(part["step"].to_numpy(dtype=np.int64), 0, n - 1)
        counts = np.bincount(indices, part["count"].to_numpy(dtype=np.float64), n).astype(np.int64)
        rows.append(
            pd.DataFrame(
                {
                    "parser": parser,
                    "low": borders[:-1],
                    "high": borders[1:],
                    "open": open_end & (np.arange(n) == n - 1),
                    "count": counts,
                    "share": counts / counts.sum() if counts.any() else np.zeros(n),
                }
            )
        )
    columns = ["parser", "low", "high", "open", "count", "share"]
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=columns)


def bin_name(first: int, last: int | None) -> str:
    """Write a bin of lengths: ``"1–10"``, ``"7"``, or ``"41+"`` where it is open."""
    if last is None:
        return f"{first}+"
    return str(first) if first == last else f"{first}–{last}"


def score_by_length(
    sums: Sums,
    bins: LengthBins,
    parsers: Sequence[str],
    metric: str,
    *,
    every: bool = False,
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """Return each parser's figures by sentence length.

    Parameters
    ----------
    sums : Sums
        Sums over groups of sentences, kept apart by these bins, from :func:`evaltools.runs.sums.sum_by_length`.
    bins : list of (int, int or None)
        From the same.
    parsers : sequence of str
        Names, in the order of the rows.
    metric : str
        A metric id.
    every : bool
        Count sentences without a score as 0 instead of leaving them out.
    resamples
        As for :func:`evaltools.analysis.leaderboard`.

    Returns
    -------
    DataFrame
        One row a parser and bin of gold sentence lengths: ``parser``; ``bin``, its index; ``length``, its name;
        ``first``, ``last`` (NaN if open); ``words``, the mean length in it; ``sentences``; ``n``, those with a score;
        ``pooled``, ``mean`` and their ``_low`` and ``_high``.
    """
    import pandas as pd

    item = METRICS[metric]
    suffix = "_all" if every else ""
    figures = [f"{figure}{suffix}" for figure in _FIGURES]
    rows = []
    for index, (first, last) in enumerate(bins):
        inside = sums.within(index)
        resampled = resampled_figures(inside, parsers, [item], figures, resamples=resamples)
        for parser in parsers:
            part = inside.of(parser)
            low, high = interval(np.column_stack([resampled[parser, metric, figure] for figure in figures]))
            row = {
                "parser": parser,
                "bin": index,
                "length": bin_name(first, last),
                "first": first,
                "last": float("nan") if last is None else float(last),
                "words": part.words / part.sentences if part.sentences else float("nan"),
                "sentences": part.sentences,
                "n": part.n(item, "mean"),
            }
            for at, figure in enumerate(_FIGURES):
                row[figure] = part.figure(item, figures[at])
                row[f"{figure}_low"], row[f"{figure}_high"] = float(low[at]), float(high[at])
            rows.append(row)
    figures_of = [f"{figure}{end}" for figure in _FIGURES for end in ("", "_low", "_high")]
    columns = ["parser", "bin", "length", "first", "last", "words", "sentences", "n", *figures_of]
    return pd.DataFrame(rows, columns=columns)
