"""Figures as text for a terminal."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.analysis.summary import summarize_run
from evaltools.frameworks.pairing.paired_stream import pairing_lines
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.frameworks.stored import NoteTable
from evaltools.reports.formats import console_text
from evaltools.reports.run_figures import describe_aligned, describe_incomplete, describe_left_out
from evaltools.reports.selection import Selection
from evaltools.reports.summary_report import all_figures, headline, table_lines
from evaltools.runs.store import Run
from evaltools.text import number, percent, printable

_SYMBOLS = {"G": "gold", "T": "parse", "M": "matched", "D": "deleted", "I": "inserted", "S": "relabeled", "W": "words"}
_HEAD_WIDTH = 10
_WIDTH = 200
"""Columns of characters beside the names of parsers."""


def _head(metric: str) -> str:
    """Return the head of a metric's column, on several lines where it is long."""
    return textwrap.fill(METRICS[metric].heading, _HEAD_WIDTH, break_long_words=False)


def _text(value: object) -> Text:
    return Text(printable(str(value)))


def report(run: Run, selection: Selection) -> str:
    """Return the tables as text, with the run's signature."""
    if selection.sentences:
        parts: list[Table | Text | str] = [_sentence_table(run, selection)]
    elif selection.labels:
        parts = [_label_table(run, selection)]
    elif selection.count_sums:
        parts = _count_table(run, selection)
    else:
        parts = _figure_tables(run, selection)
    return console_text(parts, run.signature, _WIDTH + max(len(name) for name in selection.parsers(run)))


def _figure_tables(run: Run, selection: Selection) -> list[Table | Text | str]:
    metrics = list(run.headline_metrics)
    parsers = selection.parsers(run)
    parts: list[Table | Text | str] = (
        [_all_figures(run, parsers)] if selection.all_figures else _main_figures(run, parsers)
    )
    parts += [Text(f"{line}\n") for line in describe_incomplete(run, metrics)]
    for line in (*describe_aligned(run, parsers), *describe_left_out(run), *pairing_lines(run.meta, parsers)):
        parts.append(Text(printable(line) + "\n"))
    for note in run.framework.stored.note_tables(run, parsers) if selection.all_figures else ():
        parts += _note_table(note)
    parts += [Text(printable(note) + "\n") for note in run.framework.notes(run.meta)]
    if run.meta["problems"]:
        parts.append(Text(f"{run.meta['problems']} problems in the input; list them with --problems\n"))
    return parts


def _main_figures(run: Run, parsers: Sequence[str]) -> list[Table | Text | str]:
    """Return the table of the main figures: a row a parser, best first."""
    summary = summarize_run(run)
    rows = [row for row in summary.rows if row.parser in parsers]
    lines = [headline(run, summary, _WIDTH), "", *table_lines(summary, rows), ""]
    lines += [f"Ahead: {summary.standing.over}", ""] if summary.standing.over and len(rows) > 1 else []
    return ["\n".join(line.rstrip() for line in lines)]


def _all_figures(run: Run, parsers: Sequence[str]) -> Table:
    heads, rows = all_figures(run, parsers)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for index, head in enumerate(heads):
        table.add_column(head.replace(", ", ",\n"), justify="left" if index < 2 else "right")
    for row in rows:
        table.add_row(*map(_text, row))
    return table


def _count_table(run: Run, selection: Selection) -> list[Table | Text | str]:
    """Return a table with a row a metric and parser and a column a count, and what its symbols are."""
    rows = selection.count_rows(run)
    if not rows:
        return [Text("The figures of this run are no ratios of counts.\n")]
    known = {METRICS[name].name: METRICS[name] for name in run.metrics}
    symbols = [name for name in rows[0] if name not in ("metric", "parser")]
    symbols = [name for name in symbols if any(row[name] is not None for row in rows)]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("metric", "parser", *symbols):
        table.add_column(head, justify="right" if head in symbols else "left")
    for row in rows:
        cells = ["" if row[name] is None else number(row[name]) for name in symbols]
        table.add_row(_text(known[row["metric"]].title), _text(row["parser"]), *cells)
    meanings = [f"{name}: {_SYMBOLS[name]}" for name in symbols if name in _SYMBOLS]
    return [table, Text(f"{'; '.join(meanings)}\n")] if meanings else [table]


def _note_table(note: NoteTable) -> list[Table | Text]:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(note.headings):
        table.add_column(heading, justify="right" if index else "left")
    for row in note.rows:
        cells = [cell if isinstance(cell, str) else percent(math.nan if cell is None else cell) for cell in row]
        table.add_row(*map(_text, cells))
    return [Text(note.title), table]


def _sentence_table(run: Run, selection: Selection) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    rows = selection.sentence_rows(run)
    metrics = list(run.reported_metrics)
    sort = None if selection.sort is None else metric_id(selection.sort, run.metrics)
    if sort is not None and sort not in metrics:
        metrics.append(sort)
    table.add_column("parser")
    for heading in ("sentence", "words"):
        table.add_column(heading, justify="right")
    table.add_column("status")
    for name in metrics:
        table.add_column(_head(name), justify="right")
    for row in rows.to_dict("records"):
        cells = [METRICS[name].score_text(row[name]) for name in metrics]
        table.add_row(_text(row["parser"]), str(row["sentence"]), str(row["words"]), _text(row["status"]), *cells)
    return table


def _label_table(run: Run, selection: Selection) -> Table:
    rows = selection.label_rows(run).to_dict("records")
    columns = run.framework.stored.label_columns
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("parser", *columns.names):
        table.add_column(heading)
    for heading in (*columns.counts, "recall", "precision", "F1"):
        table.add_column(heading, justify="right")
    for row in rows:
        names = [_text(row[name] or "(none)") for name in columns.names.values()]
        cells = [*(str(row[name]) for name in columns.counts), *(percent(row[name]) for name in columns.shares)]
        table.add_row(_text(row["parser"]), *names, *cells)
    return table
