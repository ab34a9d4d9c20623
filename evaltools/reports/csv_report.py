"""Figures as comma-separated values: one row per parser and metric, sentence, or label."""

from __future__ import annotations

from typing import Any

from evaltools.analysis.summary import summarize_run
from evaltools.reports.formats import csv_text
from evaltools.reports.run_figures import by_name
from evaltools.reports.selection import Selection
from evaltools.reports.summary_report import summary_rows
from evaltools.runs.store import Run


def report(run: Run, selection: Selection) -> str:
    """Return the CSV text; undefined values are empty."""
    if selection.sentences:
        rows = selection.sentence_rows(run)
        if run.framework.weights is None:
            rows = rows.astype(dict.fromkeys(selection.counts(run), "Int64"))
        return csv_text(by_name(rows))
    if selection.labels:
        return csv_text(selection.label_rows(run))
    import pandas as pd

    if selection.count_sums:
        return csv_text(pd.DataFrame(selection.count_rows(run)))

    parsers = selection.parsers(run)
    if selection.all_figures:
        return csv_text(by_name(pd.DataFrame([row for row in run.figures() if row["parser"] in parsers])))
    return csv_text(pd.DataFrame([_flat(row) for row in summary_rows(summarize_run(run)) if row["parser"] in parsers]))


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the summary with a column for each figure and its interval, as JSON has them."""
    flat = {"parser": row["parser"], "no_parse": row["no_parse"], "words_differ": row["words_differ"]}
    for metric, figure in row["figures"].items():
        flat |= {metric: figure["value"], f"{metric}_low": figure["low"], f"{metric}_high": figure["high"]}
        flat |= {f"{metric}_n": figure["n"], f"{metric}_best": figure["best"]}
    ahead = row["ahead"] or dict.fromkeys(("of", "difference", "low", "high", "p", "sure"))
    return flat | {f"ahead_{name}": value for name, value in ahead.items()}
