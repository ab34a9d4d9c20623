"""Figures of a run as text, JSON, CSV, or in evalb's layout."""

from __future__ import annotations

from collections.abc import Callable

from evaltools.reports import csv_report, evalb_report, json_report, text_report
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run

__all__ = ["REPORTS", "Selection"]

REPORTS: dict[str, Callable[[Run, Selection], str]] = {
    "text": text_report.report,
    "json": json_report.report,
    "csv": csv_report.report,
    "evalb": evalb_report.report,
}
"""Reports by format name."""
