"""N-best lists of analyses or trees: F1 by rank, oracle F1, and the ranks of the best analyses.

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
from evaltools.frameworks.metric import ratio
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics.edm import CONFIGURATIONS
from evaltools.runs.meta import RANK
from evaltools.runs.store import Run
from evaltools.text import percentage

_EQUAL = 1e-12


@dataclass(frozen=True)
class NBest:
    """F1 by rank and oracle F1 of n-best lists."""

    # ``metric`` (of CONFIGURATIONS), ``rank`` from 1, ``mean`` F1 of the analyses of this rank with ``low``
    # and ``high`` of its interval, and ``n``, the number of sentences that have one with a score.
    by_rank: pd.DataFrame
    # ``metric``, ``rank``: mean F1 of the best analysis of each sentence up to that rank, with ``low``, ``high`` and
    # ``n``. Sentences with fewer analyses go on with the best that they have.
    oracle: pd.DataFrame
    # ``sentence``, ``results`` (number of analyses), ``first`` and ``best`` (EDM F1 of the first, and of the best),
    # ``place_of_first`` (1 + the number of analyses with a higher F1), ``rank_of_best`` (the first of them) and
    # ``rank_of_exact`` (the first that equals gold; missing where none does).
    sentences: pd.DataFrame

    @property
    def longest(self) -> int:
        """Length of the longest list."""
        return int(self.sentences["results"].max()) if len(self.sentences) else 0

    def figures(self, metric: str = CONFIGURATIONS[0]) -> dict[str, float]:
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
) -> NBest:
    """Compute F1 by rank and oracle F1 of a parser's lists."""
    ranks = ranks.sort_values(["sentence", "rank"], kind="stable")
    lists = ranks.groupby("sentence")["rank"].transform("size")
    ranks = ranks[lists >= least]
    names, sentence = np.unique(ranks["sentence"].to_numpy(), return_inverse=True)
    index = sentence.reshape(-1).astype(np.int64)
    at = np.asarray(ranks.groupby("sentence").cumcount(), dtype=np.int64)  # a damaged run may skip a rank
    maximum = int(at.max()) + 1 if len(at) else 0
    grids = {metric: _grid(ranks, metric, index, at, (len(names), maximum)) for metric in metrics}
    best = {metric: np.fmax.accumulate(grid, axis=1) if grid.size else grid for metric, grid in grids.items()}
    by_rank, oracle = _means([grids, best], resamples, seed)
    exact = np.zeros((len(names), maximum), dtype=np.bool_)
    exact[index, at] = ranks["edm_exact_match"].to_numpy(dtype=np.float64, na_value=0.0) > 0
    return NBest(
        by_rank,
        oracle,
        _sentences(names, grids.get(CONFIGURATIONS[0]), exact, np.bincount(index, minlength=len(names))),
    )


def _grid(
    ranks: pd.DataFrame, metric: str, sentence: NDArray[np.int64], rank: NDArray[np.int64], shape: tuple[int, int]
) -> NDArray[np.float64]:
    """Return the scores, a row a sentence and a column a rank; NaN where there is no analysis, or no score."""
    item = METRICS[metric]
    counts = {name: ranks[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in item.columns}
    grid = np.full(shape, np.nan)
    grid[sentence, rank] = item.score(counts)
    return grid


def _means(tables: Sequence[Mapping[str, NDArray[np.float64]]], resamples: int, seed: int) -> list[pd.DataFrame]:
    """Return the means of the columns of each table's grids, with intervals, all from the same draws."""
    has_score = {id(grid): ~np.isnan(grid) for grids in tables for grid in grids.values()}
    columns = [
        part
        for grids in tables
        for grid in grids.values()
        for part in (np.where(has_score[id(grid)], grid, 0.0), has_score[id(grid)].astype(np.float64))
    ]
    drawn = resampled_sums(np.hstack(columns), resamples, seed) if columns else np.zeros((resamples, 0))
    names = ["metric", "rank", "mean", "low", "high", "n"]
    at, means = 0, []
    for grids in tables:
        rows = [pd.DataFrame(columns=names)]
        for metric, grid in grids.items():
            maximum = grid.shape[1]
            scored = has_score[id(grid)]
            n = scored.sum(axis=0)
            mean = ratio(np.where(scored, grid, 0.0).sum(axis=0), n.astype(np.float64))
            low, high = interval(ratio(drawn[:, at : at + maximum], drawn[:, at + maximum : at + 2 * maximum]))
            low[n < 2], high[n < 2] = np.nan, np.nan
            at += 2 * maximum
            values = {
                "metric": metric,
                "rank": np.arange(1, maximum + 1),
                "mean": mean,
                "low": low,
                "high": high,
                "n": n,
            }
            rows.append(pd.DataFrame(values)[n > 0])
        means.append(pd.concat([item for item in rows if len(item)] or rows[:1], ignore_index=True))
    return means


def _sentences(
    names: NDArray[np.int64], grid: NDArray[np.float64] | None, exact: NDArray[np.bool_], results: NDArray[np.int64]
) -> pd.DataFrame:
    n, maximum = exact.shape
    nothing = np.full((n, 1), np.nan)
    grid = nothing if grid is None or not maximum else grid
    exact = exact if maximum else np.zeros((n, 1), dtype=np.bool_)
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


@dataclass(frozen=True)
class TreeLists:
    """The n-best lists of a parser."""

    parser: str  # The run's names for the first analyses, and for the best ones
    oracle: str
    metric: str  # Id of the metric by which the best ones were chosen
    longest: int  # Length of the longest list
    lists: int  # Number of sentences with a list
    paired: str  # ``"id"``, ``"number"`` or ``"position"``: how lists and gold sentences were paired
    curve: pd.DataFrame  # Figures by length of the list

    @property
    def description(self) -> str:
        """The figures of the first analyses and of the best ones, in one line."""
        first, last = self.curve.iloc[0], self.curve.iloc[-1]
        item = METRICS[self.metric]
        figures = [item.text(float(row["pooled"]), sign=True) for row in (first, last)]
        many = f"{self.lists:,} sentences"
        share = float(first["best"]) / max(float(self.curve["best"].sum()), 1.0)
        return (
            f"{self.parser}: the first analyses reach {item.title} {figures[0]}, the best of up to "
            f"{self.longest} {figures[1]}; of {many} {percentage(share, 0)} have their best analysis first."
        )


def tree_lists(run: Run) -> list[TreeLists]:
    """Return the n-best lists of a run of trees; none of other runs, and of a part of a run, which has no curves."""
    stored = run.meta.get("nbest", {"lists": ()})
    lists = []
    for item in stored["lists"]:
        if "curve" in item:
            curve = pd.DataFrame(item["curve"])
            names = item["parser"], item["oracle"], stored["metric"]
            lists.append(TreeLists(*names, len(curve), item["lists"], item["paired"], curve))
    return lists


def best_ranks_of(run: Run, parser: str) -> pd.Series[int]:
    """Return the rank of the best analysis of each sentence that has a list, by the number of the sentence."""
    rows = run.query(
        f"select sentence, {RANK} from sentences where parser = ? and {RANK} is not null order by sentence", [parser]
    )
    return rows.set_index("sentence")[RANK].astype("int64")
