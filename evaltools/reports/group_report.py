"""Figures by a column of the metadata, with intervals over sentences or documents, as text, JSON or CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.analysis.by_group import FEW_UNITS, few_units, figures_by_group
from evaltools.analysis.comparison.bootstrap import RESAMPLES, SEED
from evaltools.frameworks.registry import METRICS
from evaltools.reports.formats import console_text, csv_text, json_rows, json_text
from evaltools.reports.run_figures import by_name, micro_title
from evaltools.reports.selection import Selection
from evaltools.runs.metadata import plural_of
from evaltools.runs.store import Run
from evaltools.text import printable

__all__ = ["GROUP_REPORTS"]

_FIGURES = ("pooled", "mean", "pooled_all", "mean_all")


def _rows(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> pd.DataFrame:
    metrics = [name for name in run.metrics if METRICS[name].reported] if metric is None else [metric]
    board = figures_by_group(run, by, metrics, cluster=cluster, parsers=selection.parsers(run))
    ends = [f"{figure}{end}" for figure in _FIGURES for end in ("", "_low", "_high")]
    return by_name(
        board[["group", "parser", "metric", "sentences", "units", *ends, *(f"n_{name}" for name in _FIGURES)]]
    )


def as_json(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> str:
    """Return ``by``, ``cluster``, and under ``groups`` the figures of every group, parser and metric."""
    rows = _rows(run, selection, by, cluster, metric)
    content = {"signature": run.signature, "by": by or None, "cluster": cluster or None, "groups": json_rows(rows)}
    return json_text(content | {"resamples": RESAMPLES, "seed": SEED})


def as_csv(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> str:
    """Return one row a group, parser and metric; ``units`` is the number of documents, or sentences, that are drawn."""
    return csv_text(_rows(run, selection, by, cluster, metric))


def as_text(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> str:
    """Return one row a group, with each parser's figure and interval by one metric."""
    item = METRICS[metric or run.main_metric]
    parsers = selection.parsers(run)
    rows = figures_by_group(run, by, [item.id], cluster=cluster, parsers=parsers)
    number = item.text
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(printable(by) or "sentences", overflow="fold")
    table.add_column("sentences", justify="right")
    if cluster:
        table.add_column(printable(plural_of(cluster)), justify="right")
    for parser in parsers:
        table.add_column(printable(parser), justify="right")
    records = rows.to_dict("records")
    for start in range(0, len(records), len(parsers)):  # not by name: a value may be called as all sentences are
        own = records[start : start + len(parsers)]
        if 0 < start == len(records) - len(parsers):
            table.add_section()
        units = [f"{own[0]['units']:,}"] if cluster else []
        cells = [_figure(row, run.default_figure, number) for row in own]
        table.add_row(Text(printable(own[0]["group"])), f"{own[0]['sentences']:,}", *units, *cells)
    drawn = plural_of(cluster) if cluster else "sentences"
    notes = [f"In brackets: 95 % interval, {RESAMPLES:,} resamples of {printable(drawn)}, seed {SEED}"]
    if not cluster:
        notes.append("Sentences of one document are alike: --cluster document draws documents as a whole")
    elif (rows["units"] < FEW_UNITS).any():
        notes.append(few_units(printable(drawn)))
    base = "all sentences" if run.default_over == "all" else "parsed sentences only"
    head = f"{micro_title(item)}, {base}{f', by {printable(by)}' if by else ''}"
    return console_text([Text(head), table, *map(Text, notes), Text("")], run.signature, 40 + 40 * (1 + len(parsers)))


def _figure(row: Mapping[Any, Any], figure: str, number: Callable[[float], str]) -> str:
    """Return a figure with its interval, and its number of sentences if not all of the group have it."""
    low, high, size = row[f"{figure}_low"], row[f"{figure}_high"], row[f"n_{figure}"]
    interval = "" if low != low else f" [{number(low)}, {number(high)}]"
    n = "" if size == row["sentences"] else f" (n {size:,})"
    return f"{number(row[figure])}{interval}{n}"


GroupReport = Callable[[Run, Selection, str, str, str | None], str]
GROUP_REPORTS: dict[str, GroupReport] = {"text": as_text, "json": as_json, "csv": as_csv}
"""The reports by the name of their format."""
