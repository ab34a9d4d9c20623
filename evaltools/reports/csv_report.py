"""Figures as comma-separated values: one row per parser and metric, sentence, or label."""

from __future__ import annotations

from evaltools.reports.formats import csv_text
from evaltools.reports.run_figures import by_name
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run

__all__ = ["report"]


def report(run: Run, selection: Selection) -> str:
    """Return the CSV text; undefined values are empty."""
    if selection.sentences:
        rows = selection.sentence_rows(run)
        if run.framework.weights is None:
            rows = rows.astype(dict.fromkeys(selection.counts(run), "Int64"))
        return csv_text(by_name(rows))
    if selection.labels:
        return csv_text(selection.label_rows(run))
    if selection.distances:
        return csv_text(selection.distance_rows(run))
    import pandas as pd

    parsers = selection.parsers(run)
    return csv_text(by_name(pd.DataFrame([row for row in run.figures() if row["parser"] in parsers])))
