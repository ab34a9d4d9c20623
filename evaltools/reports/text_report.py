"""Figures as text for a terminal."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.frameworks.figures import size_column
from evaltools.frameworks.metric import describe_units
from evaltools.frameworks.pairing.pairing_lines import pairing_lines
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.stored import NoteTable
from evaltools.reports.formats import console_text
from evaltools.reports.run_figures import describe_left_out
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run
from evaltools.text import percent, printable

__all__ = ["report"]

_HEAD_WIDTH = 10
_WIDTH = 200
"""Columns of characters beside the names of parsers."""
_FIGURES = {
    "pooled": "Micro: counts summed over the parsed sentences, then divided",
    "mean": "Macro: mean over the parsed sentences",
    "pooled_all": "Micro over all sentences, no parse counts as 0",
    "mean_all": "Macro over all sentences, no parse counts as 0",
}
_ALIGNED = (
    "Sentences whose words differ are scored over aligned words: E over the aligned characters, LA over the aligned\n"
    "words (over all sentences, the others count 0), T over all nodes.\n"
)


def _head(metric: str) -> str:
    """Return the head of a metric's column, on several lines where it is long."""
    return textwrap.fill(METRICS[metric].heading, _HEAD_WIDTH, break_long_words=False)


def _text(value: object) -> Text:
    return Text(printable(str(value)))


def report(run: Run, selection: Selection) -> str:
    """Return the tables as text, with the run's signature."""
    if selection.sentences:
        parts: list[Table | Text] = [_sentence_table(run, selection)]
    elif selection.labels:
        parts = [_label_table(run, selection)]
    elif selection.distances:
        parts = [_distance_table(run, selection)]
    else:
        parts = _figure_tables(run, selection)
    return console_text(parts, run.signature, _WIDTH + max(len(name) for name in selection.parsers(run)))


def _figure_tables(run: Run, selection: Selection) -> list[Table | Text]:
    summary = {(row["parser"], row["metric"]): row for row in run.figures()}
    metrics = list(run.reported_metrics)
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    aligned = any(entries[parser]["words_aligned"] for parser in selection.parsers(run))
    headings = ["parsed", "no parse", "tokens\ndiffer", *(["of these\naligned"] if aligned else [])]
    parts: list[Table | Text] = [Text("; ".join(["Percentages", *describe_units(METRICS[name] for name in metrics)]))]
    for figure in sorted(_FIGURES, key=lambda name: name.endswith("_all") != (run.default_over == "all")):
        title = _FIGURES[figure]
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column("parser")
        if run.theories:
            table.add_column("theory")
        for heading in headings:
            table.add_column(heading, justify="right")
        for name in metrics:
            table.add_column(_head(name), justify="right")
        for parser in selection.parsers(run):
            entry = entries[parser]
            coverage = [f"{entry['scored']}/{run.n_counted}", str(entry["missing"]), str(entry["words_differ"])]
            coverage += [str(entry["words_aligned"])] if aligned else []
            usual = run.n_counted if figure.endswith("_all") else entry["scored"]
            values = [_figure(summary[parser, name], figure, usual) for name in metrics]
            theory = [_text(entry["theory"])] if run.theories else []
            table.add_row(Text(printable(parser)), *theory, *coverage, *values)
        parts += [Text(title), table]
    if aligned:
        parts.append(Text(_ALIGNED))
    for line in (*describe_left_out(run), *pairing_lines(run.meta, selection.parsers(run))):
        parts.append(Text(printable(line) + "\n"))
    for note in run.framework.stored.note_tables(run, selection.parsers(run)):
        parts += _note_table(note)
    parts += [Text(printable(note) + "\n") for note in run.framework.notes(run.meta)]
    if run.meta["problems"]:
        parts.append(Text(f"{run.meta['problems']} problems in the input; list them with --problems\n"))
    return parts


def _figure(row: Mapping[Any, Any], figure: str, usual: int) -> str:
    """Format a figure, with its number of sentences if that differs from the row's."""
    text = METRICS[row["metric"]].text(row[figure])
    n = int(row[size_column(figure)])
    return text if math.isnan(row[figure]) or n == usual else f"{text} (n {n:,})"


def _note_table(note: NoteTable) -> list[Table | Text]:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(note.headings):
        table.add_column(heading, justify="right" if number else "left")
    for row in note.rows:
        cells = [cell if isinstance(cell, str) else percent(math.nan if cell is None else cell) for cell in row]
        table.add_row(*map(_text, cells))
    return [Text(note.title), table]


def _sentence_table(run: Run, selection: Selection) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    rows = selection.sentence_rows(run)
    metrics = list(run.reported_metrics)
    if selection.sort is not None and selection.sort not in metrics:
        metrics.append(selection.sort)
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


def _distance_table(run: Run, selection: Selection) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("parser", "head", ""):
        table.add_column(heading)
    shares = ("uas_recall", "uas_precision", "las_recall", "las_precision")
    for heading in ("gold", "test", *(f"{name[:3].upper()}\n{name[4:]}" for name in shares)):
        table.add_column(heading, justify="right")
    for row in selection.distance_rows(run).to_dict("records"):
        cells = [str(row["gold"]), str(row["test"]), *(percent(row[name]) for name in shares)]
        table.add_row(_text(row["parser"]), row["by"], row["bin"], *cells)
    return table
