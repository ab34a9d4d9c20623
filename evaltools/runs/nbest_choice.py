"""Choosing the best analysis of each list, and what that reaches with ever longer lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.metrics import METRICS
from evaltools.runs.figures import sentence_scores, summarize

__all__ = ["best_ranks", "curve"]


def best_ranks(scores: NDArray[np.float64], *, higher_is_better: bool = True) -> NDArray[np.int64]:
    """Return the rank of the best analysis among the first one, the first two, and so on.

    Parameters
    ----------
    scores : ndarray of float64, shape (sentences, ranks)
        NaN where there is none, or where it has no score.
    higher_is_better : bool
        Whether a higher score is better.

    Returns
    -------
    ndarray of int64, shape (sentences, ranks)
        From 1; among equals the first; 1 where none has a score.

    Examples
    --------
    >>> best_ranks(np.array([[0.5, 0.7, 0.7, np.nan]])).tolist()
    [[1, 2, 2, 2]]
    """
    values = np.where(np.isnan(scores), -np.inf, scores if higher_is_better else -scores)
    best = np.maximum.accumulate(values, axis=1)
    new = np.empty(values.shape, dtype=np.bool_)
    new[:, :1] = True
    new[:, 1:] = best[:, 1:] > best[:, :-1]
    ranks: NDArray[np.int64] = np.maximum.accumulate(np.where(new, np.arange(1, values.shape[1] + 1), 0), axis=1)
    return ranks


def curve(counts: pd.DataFrame, ranked: list[str], metric: str) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Return what each rank reaches, and what the best of the first so many would.

    Parameters
    ----------
    counts : DataFrame
        Counts of a run whose parsers are the ranks, in any order.
    ranked : list of str
        Names of these parsers, the first rank first.
    metric : str
        By which to choose.

    Returns
    -------
    DataFrame
        ``rank``; ``parses``: sentences with so many analyses; ``own_pooled``, ``own_mean``: the analyses of this rank
        alone; ``pooled``, ``mean``: the best of each sentence up to this rank; ``n``: sentences that have a score then;
        ``best``: sentences whose best analysis has this rank.
    ndarray of int64, shape (sentences,)
        The rank of the best analysis of each sentence.
    """
    one = METRICS[metric]
    sides = [counts[counts["parser"] == name].sort_values("sentence", ignore_index=True) for name in ranked]
    scores = np.stack([sentence_scores(side, [metric])[metric].to_numpy() for side in sides], axis=1)
    ranks = best_ranks(scores, higher_is_better=one.higher_is_better)
    every = pd.concat(sides, ignore_index=True)
    n = len(scores)
    rows: list[dict[str, Any]] = []
    for place, name in enumerate(ranked):
        chosen = every.iloc[(ranks[:, place] - 1) * n + np.arange(n)].assign(parser="best")
        best = summarize(chosen, ["best"], [metric]).iloc[0]
        own = summarize(sides[place], [name], [metric]).iloc[0]
        rows.append(
            {
                "rank": place + 1,
                "parses": int((sides[place]["status"] != "missing").sum()),
                "own_pooled": float(own["pooled"]),
                "own_mean": float(own["mean"]),
                "pooled": float(best["pooled"]),
                "mean": float(best["mean"]),
                "n": int(best["n"]),
                "best": int((ranks[:, -1] == place + 1).sum()),
            }
        )
    return pd.DataFrame(rows), ranks[:, -1]
