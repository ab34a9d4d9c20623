"""The leaderboard: every parser's figures with intervals, and how many sentences they are over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from evaltools.analysis.bootstrap import (
    FIGURES,
    RESAMPLES,
    SEED,
    interval,
    resampled_figures,
    sentence_masks,
)
from evaltools.metrics import METRICS
from evaltools.runs.figures import summarize

__all__ = ["FIGURES", "coverage", "leaderboard"]


def coverage(frame: pd.DataFrame, parsers: Sequence[str]) -> pd.DataFrame:
    """Count each parser's sentences by status.

    Parameters
    ----------
    frame : DataFrame
        Rows of the sentences table of a run.
    parsers : sequence of str
        Names, in the order wanted.

    Returns
    -------
    DataFrame
        Columns ``parser``, ``sentences`` (all of them), ``scored``, ``missing``, ``words_differ``.
    """
    counts = pd.crosstab(frame["parser"], frame["status"]) if len(frame) else pd.DataFrame()
    counts = counts.reindex(index=list(parsers), columns=["ok", "missing", "words_differ"], fill_value=0)
    return pd.DataFrame(
        {
            "parser": list(parsers),
            "sentences": counts.sum(axis=1).to_numpy(dtype=np.int64),
            "scored": counts["ok"].to_numpy(dtype=np.int64),
            "missing": counts["missing"].to_numpy(dtype=np.int64),
            "words_differ": counts["words_differ"].to_numpy(dtype=np.int64),
        }
    )


def leaderboard(
    frame: pd.DataFrame,
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
    frame : DataFrame
        Rows of the sentences table (``run.counts()`` or ``run.sentences()``), each parser's in the same order.
    parsers : sequence of str
        Names, in the order wanted.
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
        that have a score.

    Notes
    -----
    The interval says how far a figure depends on which sentences happen to be in the corpus. It does not say whether
    two parsers differ: intervals that overlap can belong to parsers of which one is ahead on nearly every resample.
    """
    table = summarize(frame, parsers, metrics)
    frames = {parser: frame[frame["parser"] == parser] for parser in parsers}
    chosen = [METRICS[name] for name in metrics]
    resampled = resampled_figures(frames, chosen, resamples=resamples, seed=seed)
    for figure in FIGURES:
        keys = [(parser, metric, figure) for parser, metric in zip(table["parser"], table["metric"], strict=True)]
        values = np.column_stack([resampled[key] for key in keys]) if keys else np.zeros((1, 0))
        table[f"{figure}_low"], table[f"{figure}_high"] = interval(values, level)
    masks = [
        sentence_masks(frames[parser], METRICS[metric])[0]
        for parser, metric in zip(table["parser"], table["metric"], strict=True)
    ]
    table["sentences"] = [len(mask) for mask in masks]
    table["scored"] = [int(np.count_nonzero(mask)) for mask in masks]
    return table
