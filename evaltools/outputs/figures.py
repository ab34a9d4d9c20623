"""Figures of a run, its sentences, labels and counts as text, JSON and CSV; also by a column of the metadata."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from evaltools.analysis.bootstrap import RESAMPLES, SEED
from evaltools.analysis.leaderboard import FEW_UNITS, few_units, figures_by_group
from evaltools.analysis.summary import summarize_run
from evaltools.blocks import Block, Column, Table, Text, text_columns
from evaltools.frameworks.metric import Metric, figure_column
from evaltools.frameworks.pairing.paired_stream import pairing_lines
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.outputs.citation import table_remarks
from evaltools.outputs.classes import class_rows, class_table
from evaltools.outputs.counts import count_frame, count_rows, count_table
from evaltools.outputs.first_answer import as_json, first_answer
from evaltools.outputs.official import conll18_report, evalb_report
from evaltools.outputs.selection import Selection, counted
from evaltools.outputs.summary import (
    all_figures,
    describe_aligned,
    describe_heads,
    describe_incomplete,
    describe_left_out,
    flat_rows,
    headline,
    micro_title,
    summary_for_paper,
    summary_latex,
    table_lines,
)
from evaltools.outputs.tables import console_text, csv_text, json_text, table_latex, terminal_width
from evaltools.runs.metadata import plural_of
from evaltools.runs.store import Run
from evaltools.text import percent, phrase, printable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["REPORTS"]


def text_report(run: Run, selection: Selection) -> str:
    """Return the tables as text, with the run's signature."""
    if selection.table == "sentences":
        parts: list[Block | str] = [_sentence_table(run, selection)]
    elif selection.table == "labels":
        parts = [label_table(run, selection.label_rows(run))]
    elif selection.table == "counts":
        table, remarks = count_table(run, count_rows(run, selection.ranked(run)))
        parts = [Text(remarks[0]), replace(table, title=""), *map(_paragraph, remarks[1:])]
    elif selection.table == "classes":
        table, base = class_table(run, class_rows(run, selection.ranked(run)))
        parts = [Text(base), table]
    else:
        parts = _figure_tables(run, selection)
    return console_text(parts, run.signature)


def _paragraph(text: str) -> str:
    return f"{printable(text)}\n"


def _figure_tables(run: Run, selection: Selection) -> list[Block | str]:
    parsers, are_all = selection.ranked(run), selection.table == "all"
    parts: list[Block | str] = [
        replace(all_figures(run, parsers), title="") if are_all else _main_figures(run, parsers)
    ]
    metrics = run.metrics if are_all else run.headline_metrics
    remarks = (*describe_incomplete(run, metrics), *describe_aligned(run, parsers))
    parts += map(_paragraph, (*remarks, *describe_left_out(run), *pairing_lines(run.meta, parsers)))
    parts += detail_tables(run, parsers) if are_all else []
    parts += map(_paragraph, run.framework.runs.notes(run.meta))
    missing = sum(entry["missing"] for entry in run.meta["parsers"] if entry["name"] in parsers)
    nouns = ("problem in the input", "problems in the input"), ("missing parse", "missing parses")
    if listed := phrase([(run.meta["problems"], *nouns[0]), (missing, *nouns[1])], ""):
        parts.append(_paragraph(f"{listed}; list them with --problems"))
    return parts


def _main_figures(run: Run, parsers: Sequence[str]) -> str:
    """Return the table of the main figures: a row a parser, best first."""
    summary = summarize_run(run)
    rows = [row for row in summary.rows if row.parser in parsers]
    width = terminal_width()
    lines = [headline(run, summary, width), "", *table_lines(summary, rows, width), ""]
    if heads := describe_heads(run, summary.metrics):
        lines += [textwrap.fill(heads, width), ""]
    lines += [f"Ahead: {summary.standing.over}", ""] if summary.standing.over and len(rows) > 1 else []
    return "\n".join(line.rstrip() for line in lines)


def detail_tables(run: Run, parsers: Sequence[str]) -> list[Table]:
    """Return the framework's own tables, such as how spans or mappings change figures."""
    tables = []
    for note in run.framework.runs.note_tables(run, parsers):
        rows = [
            [cell if isinstance(cell, str) else percent(math.nan if cell is None else cell) for cell in row]
            for row in note.rows
        ]
        first, *others = (head.replace("\n", " ") for head in note.headings)
        columns = [*text_columns(first), *(Column(head, head, "interval") for head in others)]
        tables.append(Table(columns, rows, title=note.title))
    return tables


def _sentence_table(run: Run, selection: Selection) -> Table:
    metrics = list(run.reported_metrics)
    sort = selection.sort_metric(run)
    if sort is not None and sort not in metrics:
        metrics.append(sort)
    heads = {name: textwrap.fill(METRICS[name].short, _HEAD_WIDTH, break_long_words=False) for name in metrics}
    columns = [
        *text_columns("parser"),
        *(Column(name, name, "interval") for name in ("sentence", "words")),
        *text_columns("status"),
        *(figure_column(METRICS[name], title=head, whole=True) for name, head in heads.items()),
    ]
    return Table.of(selection.sentence_rows(run), columns)


_HEAD_WIDTH = 10
"""Characters of a line in the heads of a sentence's figures."""


def label_table(run: Run, rows: pd.DataFrame, **options: Any) -> Table:
    """Return the table of figures by label, such as those of `Run.labels`."""
    own = run.framework.runs.labels
    assert own is not None  # as there are figures
    rows = rows.assign(**{name: rows[name].fillna("").replace("", "(none)") for name in own.names.values()})
    titles = zip(("recall", "precision", "f1"), ("recall", "precision", "F1"), strict=True)
    columns = [
        *(text_columns("parser") if rows["parser"].nunique() > 1 else []),
        *(Column(name, head, "text") for head, name in own.names.items()),
        *(Column(name, name) for name in own.counts),
        *(Column(name, head, "points") for name, head in titles),
    ]
    return Table.of(rows, columns, **options)


def _rows(run: Run, selection: Selection) -> pd.DataFrame | None:
    """Return the rows of sentences, labels, classes or counts; None of figures."""
    import pandas as pd

    if selection.table == "sentences":
        return selection.sentence_rows(run)
    if selection.table == "labels":
        return selection.label_rows(run)
    if selection.table == "classes":
        return pd.DataFrame(class_rows(run, selection.ranked(run)))
    return count_frame(count_rows(run, selection.ranked(run))) if selection.table == "counts" else None


def csv_report(run: Run, selection: Selection) -> str:
    """Return the CSV text; undefined values are empty."""
    import pandas as pd

    if (rows := _rows(run, selection)) is not None:
        if selection.table == "sentences" and not run.framework.figures.weighted:
            counts = [column for column in counted(run) if (rows[column].dropna() % 1 == 0).all()]
            rows = rows.astype(dict.fromkeys(counts, "Int64"))
        return csv_text(rows)
    parsers = selection.parsers(run)
    figures = run.figures() if selection.table == "all" else flat_rows(summarize_run(run))
    return csv_text(pd.DataFrame([row for row in figures if row["parser"] in parsers]))


_NO_FIGURES = ("parser", "metric", "n_words_differ")


def all_as_json(run: Run, selection: Selection) -> dict[str, Any]:
    """Return ``signature``, ``preset``, and under ``parsers`` every figure; undefined values are None."""
    summary = run.figures()
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    parsers: dict[str, Any] = {}
    for name in selection.parsers(run):
        entry = entries[name]
        metrics = {
            row["metric"]: {key: value for key, value in row.items() if key not in _NO_FIGURES}
            for row in summary
            if row["parser"] == name
        }
        parsers[name] = {
            "sentences": run.n_counted,
            "scored": entry["scored"],
            "missing": entry["missing"],
            "words_differ": entry["words_differ"],
            "words_aligned": entry["words_aligned"],
            "metrics": metrics,
        }
        if "theory" in entry:
            parsers[name] |= {"theory": entry["theory"]}
        parsers[name] |= {key: entry[key] for key in ("paired", "pairing") if key in entry}
        parsers[name] |= {"n_best": run.meta["n_best"][name]} if "n_best" in run.meta else {}
    more: dict[str, Any] = {name: run.meta[name] for name in ("overlap", "projectivized") if name in run.meta}
    return {"signature": run.signature, "preset": run.preset, "parsers": parsers, **more}


def json_report(run: Run, selection: Selection) -> str:
    """Return the JSON text: the figures, or rows under ``sentences``, ``labels``, ``classes`` or ``counts``."""
    if (rows := _rows(run, selection)) is not None:
        return json_text({"signature": run.signature, "preset": run.preset, selection.table: rows})
    if selection.table == "all":
        return json_text(all_as_json(run, selection))
    return as_json(first_answer(run, selection.parsers(run)))


def latex_report(run: Run, selection: Selection) -> str:
    """Return the main figures, the counts or the classes as a table in LaTeX."""
    parsers = selection.ranked(run)
    if selection.table == "counts":
        table, remarks = count_table(run, count_rows(run, parsers))
        return table_latex(table.frame(), "\n".join([*remarks, table_remarks(run)]))
    if selection.table == "classes":
        table, base = class_table(run, class_rows(run, parsers))
        return table_latex(table.frame(), f"{base}\n{table_remarks(run)}", 2)
    return summary_latex(run, summary_for_paper(run), parsers)


_FIGURES = ("pooled", "mean", "pooled_all", "mean_all")


def group_report(
    run: Run,
    selection: Selection,
    by: str,
    cluster: str,
    metric: str | None,
    kind: str,
) -> str:
    """Return figures by group: as text, a row a group, with each parser's figure and interval by one metric.

    JSON and CSV have a row a group, parser and metric; ``units`` is the number of documents, or sentences, drawn.
    """
    parsers = selection.parsers(run)
    if metric is not None:
        metrics = [metric_id(metric, run.metrics)]
    elif kind == "text":
        metrics = [run.main_metric]
    else:
        metrics = [name for name in run.metrics if METRICS[name].place.reports]
    board = figures_by_group(run, by, metrics, cluster=cluster, parsers=parsers)
    if kind != "text":
        ends = [f"{figure}{end}" for figure in _FIGURES for end in ("", "_low", "_high")]
        columns = ["group", "parser", "metric", "sentences", "units", *ends, *(f"n_{name}" for name in _FIGURES)]
        if kind == "csv":
            return csv_text(board[columns])
        content = {"signature": run.signature, "by": by or None, "cluster": cluster or None, "groups": board[columns]}
        return json_text(content | {"resamples": RESAMPLES, "seed": SEED})
    item = METRICS[metrics[0]]
    table, notes = group_table(board, by, item, run.default_figure, cluster, parsers)
    if not cluster:
        notes.append("Sentences of one document are alike: --cluster document draws documents as a whole")
    base = "all sentences" if run.default_over == "all" else "parsed sentences only"
    head = f"{micro_title(item)}, {base}{f', by {by}' if by else ''}"
    return console_text([Text(head), table, *map(Text, notes), ""], run.signature)


def group_table(
    board: pd.DataFrame, by: str, metric: Metric, figure: str, cluster: str, parsers: Sequence[str]
) -> tuple[Table, list[str]]:
    """Return a row a group, with each parser's figure and interval by one metric, and what these are over."""
    records = board.to_dict("records")
    drawn = plural_of(cluster) if cluster else "sentences"
    columns = [Column("group", by or "sentences", "text"), Column("sentences", "sentences")]
    columns += [Column("units", drawn)] if cluster else []
    columns += [Column(f"parser_{index}", parser, "interval") for index, parser in enumerate(parsers)]
    rows = []
    for start in range(0, len(records), len(parsers)):  # not by name: a value may be called as all sentences are
        own = records[start : start + len(parsers)]
        figures = [_figure(row, figure, metric) for row in own]
        rows.append([own[0]["group"], own[0]["sentences"], *([own[0]["units"]] if cluster else []), *figures])
    notes = [f"In brackets: 95 % interval, {RESAMPLES:,} resamples of {drawn}, seed {SEED}"]
    if cluster and any(row["units"] < FEW_UNITS for row in records):
        notes.append(few_units(drawn))
    return Table(columns, rows, ends={len(rows) - 2}), notes


def _figure(row: Mapping[Any, Any], figure: str, metric: Metric) -> str:
    """Return a figure with its interval, and its number of sentences if not all of the group have it."""
    low, high, size = row[f"{figure}_low"], row[f"{figure}_high"], row[f"n_{figure}"]
    interval = "" if math.isnan(low) else f" [{metric.text(low)}, {metric.text(high)}]"
    n = "" if size == row["sentences"] else f" (n {int(size):,})"
    return f"{metric.text(row[figure])}{interval}{n}"


REPORTS: dict[str, Callable[[Run, Selection], str]] = {
    "text": text_report,
    "json": json_report,
    "csv": csv_report,
    "latex": latex_report,
    "evalb": evalb_report,
    "conll18": conll18_report,
}
"""Reports by format name."""
