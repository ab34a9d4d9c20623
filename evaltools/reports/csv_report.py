"""Figures as comma-separated values: one row a parser and metric, sentence, or label."""

from __future__ import annotations

from evaltools.reports.csv_cells import csv_text
from evaltools.reports.run_figures import run_figures
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run

__all__ = ["report"]


def report(run: Run, selection: Selection) -> str:
    """Return the CSV text; undefined values are empty."""
    if selection.sentences:
        rows = selection.sentence_rows(run)
        for column in selection.counts(run):
            if run.kind != "semantics":  # where counts are sums of weights
                rows[column] = rows[column].astype("Int64")
        return csv_text(rows)
    if selection.labels or selection.distances:
        rows = selection.label_rows(run) if selection.labels else selection.distance_rows(run)
        return csv_text(rows)
    summary = run_figures(run)
    chosen = summary[summary["parser"].isin(selection.parsers(run))]
    return csv_text(chosen)
