"""The leaderboard: every parser's figures with intervals and numbers of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from evaltools.analysis.comparison.bootstrap import RESAMPLES, SEED, interval, resampled_figures
from evaltools.frameworks.figures import FIGURES
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sums import Sums, figure_of, n_of

if TYPE_CHECKING:
    import pandas as pd


def leaderboard(
    sums: Sums,
    parsers: Sequence[str],
    metrics: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return every figure of every parser with its interval.

    Parameters
    ----------
    sums : Sums
        Sums over groups of sentences, from :func:`evaltools.runs.sums.sum_sentences`.
    parsers : sequence of str
        Names, in the order of the rows.
    metrics : sequence of str
        Metric ids.
    resamples, seed : int
        Number of bootstrap resamples of the sentences, and where the random numbers begin. All parsers and metrics see
        the same resamples.
    level : float
        Share of the resamples an interval holds.

    Returns
    -------
    DataFrame
        One row a parser and metric: ``parser``, ``metric``; the figures ``pooled``, ``mean``, ``pooled_all``,
        ``mean_all`` as in :meth:`evaltools.Run.summary`; for each ``<figure>_low`` and ``<figure>_high``, NaN where
        fewer than two sentences count;
        ``sentences``; ``scored``, the sentences whose status lets this metric score them; ``n``, those of them
        that have a score; and ``n_<figure>``, the sentences that a figure is over.

    Notes
    -----
    The interval shows how much a figure depends on the sample of sentences. It does not show whether two parsers
    differ: intervals can overlap although one parser is ahead on nearly every resample.
    """
    import pandas as pd

    chosen = [METRICS[name] for name in metrics]
    resampled = resampled_figures(sums, parsers, chosen, resamples=resamples, seed=seed)
    parts = {parser: sums.of(parser) for parser in parsers}
    pairs = [(parser, metric) for parser in parsers for metric in chosen]
    table = pd.DataFrame({"parser": [parser for parser, _ in pairs], "metric": [metric.id for _, metric in pairs]})
    for figure in FIGURES:
        table[figure] = np.array([figure_of(parts[parser], metric, figure) for parser, metric in pairs], dtype=float)
    for figure in FIGURES:
        drawn = [resampled[parser, metric.id, figure] for parser, metric in pairs]
        values = np.column_stack(drawn) if drawn else np.zeros((1, 0))
        table[f"{figure}_low"], table[f"{figure}_high"] = interval(values, level)
    table["sentences"] = [parts[parser].sentences for parser, _ in pairs]
    table["scored"] = [int(parts[parser].members(metric, "scored").sum()) for parser, metric in pairs]
    table["n"] = [int(parts[parser].defined(metric, "scored").sum()) for parser, metric in pairs]
    for figure in FIGURES:
        table[f"n_{figure}"] = [n_of(parts[parser], metric, figure) for parser, metric in pairs]
    return table
