"""Figures as comma-separated values: one row a parser and metric, sentence, or label."""

from __future__ import annotations

from evaltools.reports.selection import COUNT_COLUMNS, Selection
from evaltools.runs.store import Run

__all__ = ["report"]


def report(run: Run, selection: Selection) -> str:
    """Return the CSV text; undefined values are empty."""
    if selection.sentences:
        rows = selection.sentence_rows(run)
        for column in COUNT_COLUMNS:
            rows[column] = rows[column].astype("Int64")
        return str(rows.to_csv(index=False, lineterminator="\n"))
    if selection.labels:
        return str(selection.label_rows(run).to_csv(index=False, lineterminator="\n"))
    summary = run.summary()
    chosen = summary[summary["parser"].isin(selection.parsers(run))]
    return str(chosen.to_csv(index=False, lineterminator="\n"))
