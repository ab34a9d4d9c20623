"""Figures of a run as text, JSON, CSV, or in the layout of evalb or of the CoNLL 2018 evaluation."""

from __future__ import annotations

from collections.abc import Callable

from evaltools.reports import conll18_report, csv_report, evalb_report, json_report, text_report
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run

__all__ = ["REPORTS", "Selection"]

REPORTS: dict[str, Callable[[Run, Selection], str]] = {
    "text": text_report.report,
    "json": json_report.report,
    "csv": csv_report.report,
    "evalb": evalb_report.report,
    "conll18": conll18_report.report,
}
"""Reports by format name."""
