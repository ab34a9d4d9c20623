"""What is in the list of a parser's best analyses: F1 by rank, what a perfect choice would bring, where the best stand.

References
----------
R. Dridan and S. Oepen (2011). Parser evaluation using elementary dependency matching. IWPT 2011, section 5, Figure 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import RESAMPLES, SEED, interval, resampled_sums
from evaltools.errors import ParameterError
from evaltools.metrics import METRICS
from evaltools.metrics.base import ratio

__all__ = ["CONFIGURATIONS", "NBest", "nbest"]

CONFIGURATIONS = ("edm", "edm_n", "edm_a", "edm_p", "edm_na")
"""The figures that Figure 3 of the paper draws."""

_EQUAL = 1e-12


@dataclass(frozen=True)
class NBest:
    """What :func:`nbest` finds.

    Parameters
    ----------
    by_rank : DataFrame
        ``metric`` (of :data:`CONFIGURATIONS`), ``rank`` from 1, ``mean`` F1 of the analyses of this rank with ``low``
        and ``high`` of its interval, and ``n``, how many sentences have one with a score.
    oracle : DataFrame
        ``metric``, ``rank``: mean F1 of the best analysis of each sentence up to that rank, with ``low``, ``high`` and
        ``n``. Sentences with fewer analyses go on with the best that they have.
    sentences : DataFrame
        ``sentence``, ``results`` (how many analyses), ``first`` and ``best`` (EDM F1 of the first, and of the best),
        ``place_of_first`` (1 and how many have a higher F1), ``rank_of_best`` (the first of them) and ``rank_of_exact``
        (the first that equals gold; missing where none does).
    """

    by_rank: pd.DataFrame
    oracle: pd.DataFrame
    sentences: pd.DataFrame

    @property
    def most(self) -> int:
        """The longest list."""
        return int(self.sentences["results"].max()) if len(self.sentences) else 0

    def figures(self, metric: str = "edm") -> dict[str, float]:
        """Return ``first`` and ``oracle``, the mean F1 of the first analyses and of the best ones; NaN without any."""
        if metric not in CONFIGURATIONS:
            raise ParameterError.unknown("metric", metric, CONFIGURATIONS)
        rows = self.oracle[self.oracle["metric"] == metric]["mean"]
        return {
            "first": float(rows.iloc[0]) if len(rows) else float("nan"),
            "oracle": float(rows.iloc[-1]) if len(rows) else float("nan"),
        }


def nbest(
    ranks: pd.DataFrame,
    metrics: Sequence[str] = CONFIGURATIONS,
    *,
    least: int = 1,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 0.95,
) -> NBest:
    """Look through the lists of a parser.

    Parameters
    ----------
    ranks : DataFrame
        ``sentence``, ``rank`` from 1, the counts of the metrics, and ``edm_exact_match``, whether an analysis equals
        gold; one row an analysis, from :meth:`evaltools.Run.ranks`.
    metrics : sequence of str
        Which of :data:`CONFIGURATIONS`.
    least : int
        Only sentences with at least so many analyses. With 1, the means of different ranks are of different sentences:
        those with short lists drop out on the way.
    resamples, seed, level
        Of the intervals: sentences are drawn, and all ranks and metrics see the same draws. Where fewer than two
        sentences count, there is no interval.
    """
    ranks = ranks.sort_values(["sentence", "rank"], kind="stable")
    lists = ranks.groupby("sentence")["rank"].transform("size")
    ranks = ranks[lists >= least]
    names, sentence = np.unique(ranks["sentence"].to_numpy(), return_inverse=True)
    place = sentence.reshape(-1).astype(np.int64)
    at = np.asarray(ranks.groupby("sentence").cumcount(), dtype=np.int64)  # a damaged run may skip a rank
    most = int(at.max()) + 1 if len(at) else 0
    grids = {metric: _grid(ranks, metric, place, at, (len(names), most)) for metric in metrics}
    best = {metric: _running_best(grid) for metric, grid in grids.items()}
    by_rank, oracle = _means([grids, best], resamples, seed, level)
    exact = np.zeros((len(names), most), dtype=np.bool_)
    exact[place, at] = ranks["edm_exact_match"].to_numpy(dtype=np.float64, na_value=0.0) > 0
    return NBest(
        by_rank,
        oracle,
        _sentences(names, grids.get("edm"), exact, np.bincount(place, minlength=len(names))),
    )


def _grid(
    ranks: pd.DataFrame, metric: str, place: NDArray[np.int64], at: NDArray[np.int64], shape: tuple[int, int]
) -> NDArray[np.float64]:
    """Return the scores, a row a sentence and a column a rank; NaN where there is no analysis, or no score."""
    one = METRICS[metric]
    counts = {name: ranks[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in one.columns}
    grid = np.full(shape, np.nan)
    grid[place, at] = one.score(counts)
    return grid


def _running_best(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    best = np.fmax.accumulate(grid, axis=1) if grid.size else grid
    return np.asarray(best, dtype=np.float64)


def _means(
    tables: Sequence[Mapping[str, NDArray[np.float64]]], resamples: int, seed: int, level: float
) -> list[pd.DataFrame]:
    """Return the means of the columns of each table's grids, with intervals, all from the same draws."""
    known = {id(grid): ~np.isnan(grid) for grids in tables for grid in grids.values()}
    columns = [
        part
        for grids in tables
        for grid in grids.values()
        for part in (np.where(known[id(grid)], grid, 0.0), known[id(grid)].astype(np.float64))
    ]
    drawn = resampled_sums(np.hstack(columns), resamples, seed) if columns else np.zeros((resamples, 0))
    names = ["metric", "rank", "mean", "low", "high", "n"]
    at, found = 0, []
    for grids in tables:
        rows = [pd.DataFrame(columns=names)]
        for metric, grid in grids.items():
            most = grid.shape[1]
            there = known[id(grid)]
            n = there.sum(axis=0)
            mean = ratio(np.where(there, grid, 0.0).sum(axis=0), n.astype(np.float64))
            low, high = interval(ratio(drawn[:, at : at + most], drawn[:, at + most : at + 2 * most]), level)
            low[n < 2], high[n < 2] = np.nan, np.nan
            at += 2 * most
            values = {"metric": metric, "rank": np.arange(1, most + 1), "mean": mean, "low": low, "high": high, "n": n}
            rows.append(pd.DataFrame(values)[n > 0])
        found.append(pd.concat([one for one in rows if len(one)] or rows[:1], ignore_index=True))
    return found


def _sentences(
    names: NDArray[np.int64], grid: NDArray[np.float64] | None, exact: NDArray[np.bool_], results: NDArray[np.int64]
) -> pd.DataFrame:
    n, most = exact.shape
    nothing = np.full((n, 1), np.nan)
    grid = nothing if grid is None or not most else grid
    exact = exact if most else np.zeros((n, 1), dtype=np.bool_)
    first = grid[:, 0]
    filled = np.where(np.isnan(grid), -1.0, grid)
    best = filled.max(axis=1)
    higher = (filled > np.nan_to_num(first, nan=np.inf)[:, None] + _EQUAL).sum(axis=1)
    none = best < 0
    return pd.DataFrame(
        {
            "sentence": names,
            "results": results,
            "first": first,
            "best": np.where(none, np.nan, best),
            "place_of_first": np.where(np.isnan(first), np.nan, 1.0 + higher),
            "rank_of_best": np.where(none, np.nan, 1.0 + (filled >= best[:, None] - _EQUAL).argmax(axis=1)),
            "rank_of_exact": np.where(exact.any(axis=1), 1.0 + exact.argmax(axis=1), np.nan),
        }
    )
