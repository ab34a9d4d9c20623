"""From count columns to scores: for each sentence, pooled, and as a mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.common.status import Status
from evaltools.frameworks.metric import Counts, Metric

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "FIGURES",
    "SUMMARY",
    "counted",
    "counts_of",
    "defined",
    "figure",
    "members",
    "scores_of",
    "sentence_scores",
    "summarize",
]

FIGURES = ("pooled", "mean", "pooled_all", "mean_all")
"""The four figures of a parser and metric: counts summed, then divided; mean of the sentence scores; and both over
every gold sentence, those without a score counted as nothing matched."""

SUMMARY = (
    *("pooled", "mean", "n", "n_words_differ", "pooled_all", "mean_all"),
    *("n_pooled", "n_pooled_all", "n_mean_all", "n_undefined", "n_unscored"),
)
"""The columns of :func:`summarize` beside parser and metric."""


def counts_of(frame: pd.DataFrame, metric: Metric, *, every: bool = False) -> dict[str, NDArray[np.float64]]:
    """Return the count columns a metric needs, as float arrays."""
    columns = {name: metric.over_all.get(name, name) if every else name for name in metric.columns}
    zeros = metric.zero_over_all if every else ()
    return {
        name: frame[column].to_numpy(dtype=np.float64, na_value=0.0 if name in zeros else np.nan)
        for name, column in columns.items()
    }


def defined(frame: pd.DataFrame, metric: Metric) -> NDArray[np.bool_]:
    """Return for each sentence whether its status lets the metric score it, as it is or over aligned words."""
    both: NDArray[np.bool_] = np.logical_and(_has_status(frame, metric), counted(frame, metric))
    return both


def _has_status(frame: pd.DataFrame, metric: Metric) -> NDArray[np.bool_]:
    labels = [status.label for status in metric.scored_on]
    mask: NDArray[np.bool_] = frame["status"].isin(labels).to_numpy()
    return mask | frame["words_aligned"].notna().to_numpy() if metric.scored_aligned else mask


def counted(frame: pd.DataFrame, metric: Metric, *, every: bool = False) -> NDArray[np.bool_]:
    """Return which sentences have counts: not those whose trees are too large or refused."""
    # Over all sentences (`every`) other columns replace those of refused ones, or missing counts are 0.
    columns = [metric.over_all.get(name, name) if every else name for name in metric.columns]
    needed = [name for name in columns if not (every and name in metric.zero_over_all)]
    result: NDArray[np.bool_] = np.all(frame[needed].notna().to_numpy(), axis=1)
    if metric.too_large:
        result &= frame[metric.too_large].to_numpy(dtype=np.float64, na_value=np.nan) >= 0
    return result


def members(frame: pd.DataFrame, metric: Metric, *, every: bool = False) -> NDArray[np.bool_]:
    """Return which sentences a pooled figure includes, as the SQL of ``evaltools.runs.sums.condition``."""
    if not every:
        return defined(frame, metric)
    mask: NDArray[np.bool_] = (frame["sentences"] > 0).to_numpy() & counted(frame, metric, every=True)
    return mask if metric.counts_every_sentence else mask & defined(frame, metric)


def scores_of(frame: pd.DataFrame, metric: Metric, *, every: bool = False) -> NDArray[np.float64]:
    """Return the scores that a mean is over, NaN where undefined."""
    scores = np.array(metric.score(counts_of(frame, metric, every=every)), dtype=np.float64)
    if every and metric.higher_is_better:
        gold = [frame[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in metric.gold]
        at_fault = np.full(len(frame), fill_value=False) if metric.gold_only else ~defined(frame, metric)
        at_fault |= (np.sum(gold, axis=0) > 0) if gold else False
        scores[np.isnan(scores) & at_fault] = 0.0
    scores[~members(frame, metric, every=every)] = np.nan
    return scores


def sentence_scores(frame: pd.DataFrame, metrics: Sequence[Metric]) -> pd.DataFrame:
    """Return one column of scores for each metric, NaN where undefined."""
    import pandas as pd

    return pd.DataFrame({metric.id: scores_of(frame, metric) for metric in metrics}, index=frame.index)


def _pooled(metric: Metric, counts: Counts, mask: NDArray[np.bool_]) -> float:
    sums = {name: np.array([values[mask].sum()]) for name, values in counts.items()}
    return float(metric.score(sums)[0])


def _mean(values: NDArray[np.float64]) -> float:
    defined_values = values[~np.isnan(values)]
    return float(defined_values.mean()) if len(defined_values) else float("nan")


def figure(frame: pd.DataFrame, metric: Metric, name: str) -> tuple[float, int]:
    """Return a figure of one parser, such as ``"pooled"`` or ``"mean_all"``, and its number of sentences."""
    every = name.endswith("_all")
    if name.startswith("pooled"):
        mask = members(frame, metric, every=every)
        return _pooled(metric, counts_of(frame, metric, every=every), mask), int(np.count_nonzero(mask))
    scores = scores_of(frame, metric, every=every)
    return _mean(scores), int(np.count_nonzero(~np.isnan(scores)))


def summarize(frame: pd.DataFrame, parsers: Iterable[str], metrics: Sequence[Metric]) -> pd.DataFrame:
    """Return the figures of every parser and metric."""
    import pandas as pd

    rows = []
    for parser in parsers:
        part = frame[frame["parser"] == parser]
        differ = (part["status"] == Status.WORDS_DIFFER.label).to_numpy()
        for metric in metrics:
            figures = {name: figure(part, metric, name) for name in FIGURES}
            has_score = ~np.isnan(scores_of(part, metric))
            n, n_status = np.count_nonzero(has_score), np.count_nonzero(_has_status(part, metric))
            rows.append(
                {
                    "parser": parser,
                    "metric": metric.id,
                    "pooled": figures["pooled"][0],
                    "mean": figures["mean"][0],
                    "n": n,
                    "n_words_differ": np.count_nonzero(has_score & differ),
                    "pooled_all": figures["pooled_all"][0],
                    "mean_all": figures["mean_all"][0],
                    "n_pooled": figures["pooled"][1],
                    "n_pooled_all": figures["pooled_all"][1],
                    "n_mean_all": figures["mean_all"][1],
                    "n_undefined": n_status - n,
                    "n_unscored": len(part) - n_status,
                }
            )
    return pd.DataFrame(rows, columns=["parser", "metric", *SUMMARY])
