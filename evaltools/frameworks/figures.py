"""From count columns to scores: for each sentence, pooled, and as a mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.common.status import Status
from evaltools.frameworks.metric import Counts, Metric

if TYPE_CHECKING:
    import pandas as pd

    Rows = pd.DataFrame | Mapping[str, NDArray[Any]]
    """The table of sentences: a data frame, or columns by name, in which missing numbers are NaN."""

__all__ = [
    "FIGURES",
    "SUMMARY",
    "counted",
    "counts_of",
    "defined",
    "figure",
    "members",
    "parser_figures",
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


def _numbers(rows: Rows, name: str) -> NDArray[np.float64]:
    """Return a column of numbers, NaN where they are missing."""
    return np.asarray(rows[name], dtype=np.float64)


def counts_of(rows: Rows, metric: Metric, *, every: bool = False) -> dict[str, NDArray[np.float64]]:
    """Return the count columns a metric needs, as float arrays."""
    columns = {name: metric.over_all.get(name, name) if every else name for name in metric.columns}
    zeros = metric.zero_over_all if every else ()
    counts = {name: _numbers(rows, column) for name, column in columns.items()}
    return {name: np.nan_to_num(values) if name in zeros else values for name, values in counts.items()}


def defined(rows: Rows, metric: Metric) -> NDArray[np.bool_]:
    """Return for each sentence whether its status lets the metric score it, as it is or over aligned words."""
    both: NDArray[np.bool_] = np.logical_and(_has_status(rows, metric), counted(rows, metric))
    return both


def _has_status(rows: Rows, metric: Metric) -> NDArray[np.bool_]:
    statuses = np.asarray(rows["status"], dtype=object)
    mask = np.zeros(len(statuses), dtype=np.bool_)
    for status in metric.scored_on:
        mask |= statuses == status.label
    if Status.WORDS_DIFFER in metric.scored_on:
        mask &= _numbers(rows, "sentences") > 0
    return mask | ~np.isnan(_numbers(rows, "words_aligned")) if metric.scored_aligned else mask


def counted(rows: Rows, metric: Metric, *, every: bool = False) -> NDArray[np.bool_]:
    """Return which sentences have counts: not those whose trees are too large or refused."""
    # Over all sentences (`every`) other columns replace those of refused ones, or missing counts are 0.
    columns = [metric.over_all.get(name, name) if every else name for name in metric.columns]
    needed = [name for name in columns if not (every and name in metric.zero_over_all)]
    result = np.ones(len(rows["status"]), dtype=np.bool_)
    for name in needed:
        result &= ~np.isnan(_numbers(rows, name))
    if metric.too_large:
        result &= _numbers(rows, metric.too_large) >= 0
    return result


def members(rows: Rows, metric: Metric, *, every: bool = False) -> NDArray[np.bool_]:
    """Return which sentences a pooled figure includes, as the SQL of ``evaltools.runs.sums.condition``."""
    if not every:
        return defined(rows, metric)
    mask: NDArray[np.bool_] = (_numbers(rows, "sentences") > 0) & counted(rows, metric, every=True)
    return mask if metric.counts_every_sentence else mask & defined(rows, metric)


def scores_of(rows: Rows, metric: Metric, *, every: bool = False) -> NDArray[np.float64]:
    """Return the scores that a mean is over, NaN where undefined."""
    scores = np.array(metric.score(counts_of(rows, metric, every=every)), dtype=np.float64)
    if every and metric.higher_is_better:
        gold = [_numbers(rows, name) for name in metric.gold]
        at_fault = np.zeros(len(scores), dtype=np.bool_) if metric.gold_only else ~defined(rows, metric)
        at_fault |= (np.sum(gold, axis=0) > 0) if gold else False
        scores[np.isnan(scores) & at_fault] = 0.0
    scores[~members(rows, metric, every=every)] = np.nan
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


def figure(rows: Rows, metric: Metric, name: str) -> tuple[float, int]:
    """Return a figure of one parser, such as ``"pooled"`` or ``"mean_all"``, and its number of sentences."""
    every = name.endswith("_all")
    if name.startswith("pooled"):
        mask = members(rows, metric, every=every)
        return _pooled(metric, counts_of(rows, metric, every=every), mask), int(np.count_nonzero(mask))
    scores = scores_of(rows, metric, every=every)
    return _mean(scores), int(np.count_nonzero(~np.isnan(scores)))


def summarize(frame: pd.DataFrame, parsers: Iterable[str], metrics: Sequence[Metric]) -> pd.DataFrame:
    """Return the figures of every parser and metric."""
    import pandas as pd

    found = []
    for name in parsers:
        rows = frame[frame["parser"] == name]
        # not as a frame, which takes longer to find a column than to compute with it
        columns = {str(column): rows[column].to_numpy() for column in rows}
        found += parser_figures(columns, name, metrics)
    return pd.DataFrame(found, columns=["parser", "metric", *SUMMARY])


def parser_figures(rows: Rows, parser: str, metrics: Sequence[Metric]) -> list[dict[str, Any]]:
    """Return the figures of every metric over the sentences of one parser, with the keys of :data:`SUMMARY`."""
    statuses = np.asarray(rows["status"], dtype=object)
    differ = statuses == Status.WORDS_DIFFER.label
    found = []
    for metric in metrics:
        figures = {name: figure(rows, metric, name) for name in FIGURES}
        has_score = ~np.isnan(scores_of(rows, metric))
        n, n_status = np.count_nonzero(has_score), np.count_nonzero(_has_status(rows, metric))
        found.append(
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
                "n_unscored": len(statuses) - n_status,
            }
        )
    return found
