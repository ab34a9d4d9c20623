"""The counts that figures are made of, and the costs of mappings: the same rows in every format."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaltools.analysis.summary import base_in_words
from evaltools.blocks import Column, Table, text_columns
from evaltools.frameworks.figures import figure_over, over_of
from evaltools.frameworks.metric import Metric, formula_as_fraction
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences

if TYPE_CHECKING:
    import pandas as pd

_FIRST = ("G", "T", "M", "D", "I", "S")
"""The first columns."""
_COST = "cost_"
_MEANINGS = {
    "G": "gold",
    "T": "parse",
    "M": "matched",
    "D": "deleted",
    "I": "inserted",
    "S": "relabeled",
    "W": "words in both",
    "A": "aligned",
    "|gen|": "in all gold trees",
}


def count_rows(run: Run, parsers: Sequence[str]) -> list[dict[str, Any]]:
    """Return the counts of the main kind of figure, over the same sentences.

    Parameters
    ----------
    run : Run
        The run.
    parsers : sequence of str
        The parsers.

    Returns
    -------
    list of dict
        ``metric``, ``parser``, the counts by their symbols, such as G, T, M, and the costs of mappings by their units,
        such as ``cost_nodes``; None where a metric has none. A row for each metric with counts of its own, and each
        parser; metrics of which nothing is in the data have no rows.
    """
    metrics = _metrics(run)
    sums = sum_sentences(run, [metric.id for metric in metrics], parsers=parsers)
    figure = figure_over("pooled", over_of(run.default_figure))
    rows = []
    for metric in metrics:
        own = [{"metric": metric.id, "parser": name} | _counts(sums.of(name), metric, figure) for name in parsers]
        if any(value for row in own for key, value in row.items() if key not in ("metric", "parser")):
            rows += own
    used = [key for row in rows for key in row if key not in ("metric", "parser")]
    order = [name for name in dict.fromkeys((*_FIRST, *used)) if name in used]
    order.sort(key=lambda name: name.startswith(_COST))
    heads = ["metric", "parser", *order]
    return [{head: row.get(head) for head in heads} for row in rows]


def count_table(run: Run, rows: Sequence[Mapping[str, Any]]) -> tuple[Table, list[str]]:
    """Return rows of counts as a table, and remarks: which sentences are counted, and what the heads stand for."""
    keys = list(rows[0])[2:] if rows else []
    columns = [Column(key, key.replace(_COST, "cost, "), "amount") for key in keys]
    cells = [[METRICS[row["metric"]].title, row["parser"], *(row[key] for key in keys)] for row in rows]
    remarks = [f"Counts over {base_in_words(run.default_figure, run.n_counted)}"]
    meanings = [f"{key}: {_MEANINGS[key]}" for key in keys if key in _MEANINGS]
    if any(key.startswith(_COST) for key in keys):
        meanings.append("cost: edits of the mapping, each counts 1")
    remarks += ["; ".join(meanings)] if meanings else []
    return Table([*text_columns("metric", "parser"), *columns], cells, title="Counts and costs"), remarks


def count_frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return rows of counts as a data frame in which integers stay integers."""
    import pandas as pd

    keys = list(rows[0]) if rows else []
    return pd.DataFrame({key: pd.Series([row[key] for row in rows], dtype=object) for key in keys})


def _metrics(run: Run) -> list[Metric]:
    """Return the metrics of a run that have counts of their own: no precision, no second norm over the same counts."""
    chosen: dict[frozenset[str], Metric] = {}
    for metric in (METRICS[name] for name in run.metrics):
        costs = frozenset(name for name in metric.columns if metric.family.count(name).cost)
        fraction = formula_as_fraction(metric)
        used = {*fraction.numerator.weights, *fraction.denominator.weights}
        is_whole = len({metric.family.count(name).symbol for name in used} - {""}) > 2
        own = costs or frozenset(name for name in metric.columns if metric.family.count(name).symbol)
        if (is_whole or costs) and (own not in chosen or (metric.place.reports and not chosen[own].place.reports)):
            chosen[own] = metric
    return list(chosen.values())


def _counts(sums: Sums, metric: Metric, figure: str) -> dict[str, float | None]:
    """Return the counts by symbol, and the cost by unit; edits that are the whole cost stand there alone."""
    edits = [name for name in metric.columns if metric.family.count(name).cost]
    counts: dict[str, float] = {}
    columns = sums.columns(metric, figure)
    totals = dict(zip(metric.columns, (float(column.sum()) for column in columns), strict=True))
    for name in metric.columns:
        count = metric.family.count(name)
        if not count.symbol or count.repeats or edits == [name]:
            continue
        counts[count.symbol] = counts.get(count.symbol, 0.0) + totals[name]
    if edits:
        total = sum(totals[name] for name in edits)
        counts[f"{_COST}{metric.family.count(edits[0]).cost}"] = total
    if {"G", "T", "M"} <= counts.keys() and "D" not in counts:  # as Emms (2008), Table 3
        counts |= {"D": counts["G"] - counts["M"], "I": counts["T"] - counts["M"]}
    return {name: _whole(value) for name, value in counts.items()}


def _whole(value: float) -> float | None:
    """Return a count as an integer, unless it is weighted; None if there is none."""
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() else value
