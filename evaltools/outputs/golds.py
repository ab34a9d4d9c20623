"""Runs with different golds in one table, such as two grammars: as text, JSON, CSV or LaTeX."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import PurePath

import pandas as pd

from evaltools.analysis.summary import Row, Summary, summarize_run
from evaltools.blocks import Column, Table, Text, text_columns
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import AVERAGES, average_of, over_of
from evaltools.frameworks.metric import figure_column
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.summary import flat_rows, head_of, summary_rows
from evaltools.outputs.tables import console_text, csv_text, json_text, table_latex
from evaltools.runs.store import Run
from evaltools.text import count_of


def golds_report(runs: Sequence[Run], kind: str) -> str:
    """Return the main figures of several runs: a row a parser, by gold, best first within each.

    Parsers of different golds parse different data: they are not ranked against each other, and have no differences.
    Raises ParameterError if the runs have different kinds of analyses or rules, or one is given twice.
    """
    _check_alike(runs)
    summaries = {_name(run, runs): summarize_run(run) for run in runs}
    signature = "; ".join(run.signature for run in runs)
    if kind == "json":
        listed = [
            {"run": name, "gold": run.meta["gold"]["file"], "signature": run.signature, "sentences": summary.n}
            | {"metric": summary.metric, "figure": summary.figure, "parsers": summary_rows(summary.rows)}
            for run, (name, summary) in zip(runs, summaries.items(), strict=True)
        ]
        return json_text({"runs": listed})
    if kind == "csv":
        rows = [{"run": name} | row for name, summary in summaries.items() for row in flat_rows(summary)]
        return csv_text(pd.DataFrame(rows))
    table = _table(summaries)
    first = next(iter(summaries.values()))
    over = "all sentences" if over_of(first.figure) == "all" else "parsed sentences only"
    title = f"{METRICS[first.metric].title}, {AVERAGES[average_of(first.figure)]} over {over} of each gold"
    if kind == "latex":
        return table_latex(table.frame(), f"{title}\n{signature}", 2)
    golds = [
        Text(f"{name}: gold {run.meta['gold']['file']}, {count_of(summary.n, 'sentence')}", "line")
        for run, (name, summary) in zip(runs, summaries.items(), strict=True)
    ]
    remark = "Parsers of different golds are not ranked against each other.\n"
    return console_text([Text(title, "line"), *golds, table, remark], signature)


def _check_alike(runs: Sequence[Run]) -> None:
    """Raise ParameterError if figures of the runs do not belong into one table."""
    first = runs[0]
    if len({run.path for run in runs}) < len(runs):
        raise ParameterError("--beside goes with other runs, each given once")
    for run in runs[1:]:
        if run.framework is not first.framework:
            raise ParameterError(f"{run.path} has {run.framework.title}, {first.path} has {first.framework.title}")
        rules = [(*item.framework.runs.facts(item.meta), item.default_figure) for item in (first, run)]
        if rules[0] != rules[1]:
            raise ParameterError(f"{run.path} and {first.path} are scored by different rules; score both alike")


def _name(run: Run, runs: Sequence[Run]) -> str:
    """Return the name of a run's folder, or its path if another one has that name."""
    name = PurePath(run.path).name
    return name if [PurePath(item.path).name for item in runs].count(name) == 1 else str(run.path)


def _value(row: Row, metric: str) -> float:
    return row.figures[metric].value if metric in row.figures else math.nan


def _table(summaries: dict[str, Summary]) -> Table:
    rows = [(name, row, summary.metric) for name, summary in summaries.items() for row in summary.rows]
    names = dict.fromkeys(metric for summary in summaries.values() for metric in summary.metrics)
    metrics = [METRICS[name] for name in names if not all(math.isnan(_value(row, name)) for _, row, _ in rows)]
    columns = [
        *text_columns("run", "parser"),
        *(figure_column(metric, title=head_of(metric)) for metric in metrics),
        *(Column("n", "n"), Column("no_parse", "no parse")),
    ]
    cells = [
        (name, row.parser, *(_value(row, metric.id) for metric in metrics), row.figures[main].n, row.no_parse)
        for name, row, main in rows
    ]
    return Table(columns, cells, ends={at for at in range(len(rows) - 1) if rows[at][0] != rows[at + 1][0]})
