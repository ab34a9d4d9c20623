"""From count columns to scores: for each sentence, pooled, and as a mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.metrics import METRICS, Metric
from evaltools.metrics.base import Counts, ratio
from evaltools.normalize import Status

__all__ = [
    "LABELS",
    "SUMMARY",
    "counted",
    "counts_of",
    "defined",
    "label_figures",
    "members",
    "scores_of",
    "sentence_scores",
    "summarize",
]

SUMMARY = (
    *("pooled", "mean", "n", "n_words_differ", "pooled_all", "mean_all"),
    *("n_pooled", "n_pooled_all", "n_mean_all", "n_undefined", "n_unscored"),
)
"""The columns of :func:`summarize` beside parser and metric."""

LABELS = """
select brackets.parser, label,
       count(*) filter (gold_kind = 'phrase') as gold,
       count(*) filter (test_kind = 'phrase') as test,
       count(*) filter (gold_kind = 'phrase' and test_kind = 'phrase') as matched
from brackets join sentences using (parser, sentence)
where 'phrase' in (gold_kind, test_kind) and (status = 'ok' or words_aligned is not null)
      and (? is null or brackets.parser = ?)
group by all
"""
"""Counts of brackets by label, over scored sentences; the parser, or null, is given twice."""


def counts_of(frame: pd.DataFrame, metric: Metric, *, every: bool = False) -> dict[str, NDArray[np.float64]]:
    """Return the count columns a metric needs, as float arrays.

    Parameters
    ----------
    frame : DataFrame
        Rows of the sentences table.
    metric : Metric
        The metric.
    every : bool
        Whether for figures over all sentences, where what is not aligned counts too.
    """
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
    """Return for which sentences there are counts: not where trees are too large, or are refused.

    Over all sentences (`every`) other columns stand for those of refused ones, or counts that are missing are 0.
    """
    columns = [metric.over_all.get(name, name) if every else name for name in metric.columns]
    needed = [name for name in columns if not (every and name in metric.zero_over_all)]
    result: NDArray[np.bool_] = np.all(frame[needed].notna().to_numpy(), axis=1)
    if metric.family == "t":
        result &= frame["t_gold"].to_numpy(dtype=np.float64, na_value=np.nan) >= 0
    return result


def members(frame: pd.DataFrame, metric: Metric, *, every: bool = False) -> NDArray[np.bool_]:
    """Return which sentences a pooled figure sums up, as :func:`evaltools.runs.sums.condition` has them in SQL."""
    if not every:
        return defined(frame, metric)
    mask: NDArray[np.bool_] = (frame["sentences"] > 0).to_numpy() & counted(frame, metric, every=True)
    return mask if metric.higher_is_better else mask & defined(frame, metric)


def scores_of(frame: pd.DataFrame, metric: Metric, *, every: bool = False) -> NDArray[np.float64]:
    """Return the scores that a mean is over, NaN where undefined.

    Parameters
    ----------
    frame : DataFrame
        Rows of the sentences table.
    metric : Metric
        The metric.
    every : bool
        Whether over all sentences: then a sentence without a parse, and one whose score is undefined by the parse
        alone, score 0.
    """
    scores = np.array(metric.score(counts_of(frame, metric, every=every)), dtype=np.float64)
    if every and metric.higher_is_better:
        gold = [frame[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in metric.gold]
        at_fault = ~defined(frame, metric) | ((np.sum(gold, axis=0) > 0) if gold else False)
        scores[np.isnan(scores) & at_fault] = 0.0
    scores[~members(frame, metric, every=every)] = np.nan
    return scores


def sentence_scores(frame: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Return one column of scores for each metric, NaN where undefined.

    Parameters
    ----------
    frame : DataFrame
        Rows of the sentences table.
    metrics : sequence of str
        Metric ids.
    """
    scores = {}
    for name in metrics:
        scores[name] = scores_of(frame, METRICS[name])
    return pd.DataFrame(scores, index=frame.index)


def _pooled(metric: Metric, counts: Counts, mask: NDArray[np.bool_]) -> float:
    sums = {name: np.array([values[mask].sum()]) for name, values in counts.items()}
    return float(metric.score(sums)[0])


def _mean(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def summarize(frame: pd.DataFrame, parsers: Iterable[str], metrics: Sequence[str]) -> pd.DataFrame:
    """Return the figures of every parser and metric.

    Parameters
    ----------
    frame : DataFrame
        Rows of the sentences table.
    parsers : iterable of str
        Names, in the order wanted.
    metrics : sequence of str
        Metric ids.

    Returns
    -------
    DataFrame
        Columns ``parser``, ``metric``; ``pooled``: counts summed over the ``n_pooled`` sentences that have them, then
        divided; ``mean``: mean of the ``n`` sentence scores, of which ``n_words_differ`` are of sentences whose words
        are not those of the gold tree; ``pooled_all`` and ``mean_all``: the same over every gold sentence
        (``n_pooled_all`` and ``n_mean_all`` of them), those without a score, and for LA words that are not aligned,
        counted as nothing matched; metrics that count errors leave those without a parse out. ``n_unscored``: sentences
        without a parse, or with other words that were not aligned; ``n_undefined``: those with a parse for which the
        metric is undefined. ``n``, ``n_undefined`` and ``n_unscored`` add up to the number of sentences.
    """
    rows = []
    for parser in parsers:
        part = frame[frame["parser"] == parser]
        differ = (part["status"] == Status.WORDS_DIFFER.label).to_numpy()
        for name in metrics:
            metric = METRICS[name]
            scored, every = members(part, metric), members(part, metric, every=True)
            scores, all_scores = scores_of(part, metric), scores_of(part, metric, every=True)
            has_score = ~np.isnan(scores)
            n, n_status = np.count_nonzero(has_score), np.count_nonzero(_has_status(part, metric))
            rows.append(
                {
                    "parser": parser,
                    "metric": name,
                    "pooled": _pooled(metric, counts_of(part, metric), scored),
                    "mean": _mean(scores),
                    "n": n,
                    "n_words_differ": np.count_nonzero(has_score & differ),
                    "pooled_all": _pooled(metric, counts_of(part, metric, every=True), every),
                    "mean_all": _mean(all_scores),
                    "n_pooled": np.count_nonzero(scored),
                    "n_pooled_all": np.count_nonzero(every),
                    "n_mean_all": np.count_nonzero(~np.isnan(all_scores)),
                    "n_undefined": n_status - n,
                    "n_unscored": len(part) - n_status,
                }
            )
    return pd.DataFrame(rows, columns=["parser", "metric", *SUMMARY])


def label_figures(rows: pd.DataFrame, parsers: Sequence[str]) -> pd.DataFrame:
    """Add recall, precision and F1 to counts of brackets by label, and put them in order.

    Parameters
    ----------
    rows : DataFrame
        ``parser``, ``label``, ``gold``, ``test``, ``matched``.
    parsers : sequence of str
        Names, in the order wanted.
    """
    gold, test, matched = (rows[name].to_numpy(dtype=np.float64) for name in ("gold", "test", "matched"))
    rows = rows.assign(
        e_recall=ratio(matched, gold), e_precision=ratio(matched, test), e_dice=ratio(2 * matched, gold + test)
    )
    place = {name: number for number, name in enumerate(parsers)}
    order = rows.assign(_place=rows["parser"].map(place)).sort_values(
        ["_place", "gold", "test", "label"], ascending=[True, False, False, True], kind="stable"
    )
    return order.drop(columns="_place").reset_index(drop=True)
