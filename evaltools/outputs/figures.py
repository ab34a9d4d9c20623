"""Figures of a run, its sentences, labels and counts as text, JSON and CSV; also by a column of the metadata."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaltools.analysis.bootstrap import RESAMPLES, SEED
from evaltools.analysis.summary import summarize_run
from evaltools.errors import ParameterError
from evaltools.frameworks.pairing.paired_stream import pairing_lines
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.stored import NoteTable
from evaltools.outputs.counts import count_frame, count_rows, count_table
from evaltools.outputs.official import conll18_report, evalb_report
from evaltools.outputs.selection import Selection
from evaltools.outputs.summary import (
    all_figures,
    as_json,
    describe_aligned,
    describe_incomplete,
    describe_left_out,
    headline,
    micro_title,
    summary_latex,
    summary_rows,
    table_lines,
)
from evaltools.outputs.tables import console_text, csv_text, json_rows, json_text, json_value, table_latex
from evaltools.runs.metadata import plural_of
from evaltools.runs.store import Run
from evaltools.text import percent, printable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["REPORTS"]


_HEAD_WIDTH = 10
_WIDTH = 200
"""Columns of characters beside the names of parsers."""


def _head(metric: str) -> str:
    """Return the head of a metric's column, on several lines where it is long."""
    return textwrap.fill(METRICS[metric].heading, _HEAD_WIDTH, break_long_words=False)


def _text(value: object) -> Text:
    return Text(printable(str(value)))


def text_report(run: Run, selection: Selection) -> str:
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
    heads, cells, remarks = count_table(run, count_rows(run, selection.parsers(run)))
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for index, head in enumerate(heads):
        table.add_column(head, justify="left" if index < 2 else "right")
    for row in cells:
        table.add_row(*map(_text, row))
    return [Text(remarks[0]), table, *(Text(f"{remark}\n") for remark in remarks[1:])]


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
    sort = selection.sort_metric(run)
    if sort is not None and sort not in metrics:
        metrics.append(sort)
    table.add_column("parser")
    for heading in ("sentence", "words"):
        table.add_column(heading, justify="right")
    table.add_column("status")
    for name in metrics:
        table.add_column(_head(name), justify="right")
    for row in rows.to_dict("records"):
        cells = [METRICS[name].text(row[name], whole=True) for name in metrics]
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


def csv_report(run: Run, selection: Selection) -> str:
    """Return the CSV text; undefined values are empty."""
    if selection.sentences:
        rows = selection.sentence_rows(run)
        if not run.framework.weighted:
            rows = rows.astype(dict.fromkeys(selection.counts(run), "Int64"))
        return csv_text(rows)
    if selection.labels:
        return csv_text(selection.label_rows(run))
    if selection.count_sums:
        return csv_text(count_frame(count_rows(run, selection.parsers(run))))
    import pandas as pd

    parsers = selection.parsers(run)
    if selection.all_figures:
        return csv_text(pd.DataFrame([row for row in run.figures() if row["parser"] in parsers]))
    return csv_text(pd.DataFrame([_flat(row) for row in summary_rows(summarize_run(run)) if row["parser"] in parsers]))


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the summary with a column for each figure and its interval, as JSON has them."""
    flat = {"parser": row["parser"], "no_parse": row["no_parse"], "words_differ": row["words_differ"]}
    for metric, figure in row["figures"].items():
        flat |= {metric: figure["value"], f"{metric}_low": figure["low"], f"{metric}_high": figure["high"]}
        flat |= {f"{metric}_n": figure["n"], f"{metric}_best": figure["best"]}
    ahead = row["ahead"] or dict.fromkeys(("of", "difference", "low", "high", "p", "sure"))
    return flat | {f"ahead_{name}": value for name, value in ahead.items()}


_NO_FIGURES = ("parser", "metric", "n_words_differ")


def all_as_json(run: Run, selection: Selection) -> dict[str, Any]:
    """Return ``signature``, ``preset``, and under ``parsers`` every figure; undefined values are None."""
    summary = run.figures()
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    parsers: dict[str, Any] = {}
    for name in selection.parsers(run):
        entry = entries[name]
        metrics = {
            row["metric"]: {key: json_value(value) for key, value in row.items() if key not in _NO_FIGURES}
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
        parsers[name] |= {key: run.meta[key][name] for key in run.framework.parser_figures}
    more: dict[str, Any] = {name: run.meta[name] for name in ("overlap", "projectivized") if name in run.meta}
    return {"signature": run.signature, "preset": run.preset, "parsers": parsers, **more}


def json_report(run: Run, selection: Selection) -> str:
    """Return the JSON text: the figures, or rows under ``sentences``, ``labels`` or ``counts``."""
    rows: dict[str, Any]
    if selection.sentences:
        rows = {"sentences": json_rows(selection.sentence_rows(run))}
    elif selection.labels:
        rows = {"labels": json_rows(selection.label_rows(run))}
    elif selection.count_sums:
        rows = {"counts": count_rows(run, selection.parsers(run))}
    elif selection.all_figures:
        return json_text(all_as_json(run, selection))
    else:
        return as_json(run, selection.parsers(run))
    return json_text({"signature": run.signature, "preset": run.preset, **rows})


def latex_report(run: Run, selection: Selection) -> str:
    """Return the main figures, or the counts, as a table in LaTeX."""
    if selection.sentences or selection.labels or selection.all_figures:
        raise ParameterError(
            "--format latex is for the main figures and for --counts; other tables are text, json or csv"
        )
    parsers = selection.parsers(run)
    if not selection.count_sums:
        return summary_latex(run, parsers)
    rows = count_rows(run, parsers)
    heads, cells, remarks = count_table(run, rows)
    titled = [{**row, "metric": title} for row, (title, *_) in zip(rows, cells, strict=True)]
    return table_latex(count_frame(titled).set_axis(heads, axis=1), "\n".join([*remarks, run.signature]))


_FIGURES = ("pooled", "mean", "pooled_all", "mean_all")


def _rows(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> pd.DataFrame:
    from evaltools.analysis.leaderboard import figures_by_group

    metrics = [name for name in run.metrics if METRICS[name].shown.reports] if metric is None else [metric]
    board = figures_by_group(run, by, metrics, cluster=cluster, parsers=selection.parsers(run))
    ends = [f"{figure}{end}" for figure in _FIGURES for end in ("", "_low", "_high")]
    return board[["group", "parser", "metric", "sentences", "units", *ends, *(f"n_{name}" for name in _FIGURES)]]


def group_json(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> str:
    """Return ``by``, ``cluster``, and under ``groups`` the figures of every group, parser and metric."""
    rows = _rows(run, selection, by, cluster, metric)
    content = {"signature": run.signature, "by": by or None, "cluster": cluster or None, "groups": json_rows(rows)}
    return json_text(content | {"resamples": RESAMPLES, "seed": SEED})


def group_csv(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> str:
    """Return one row a group, parser and metric; ``units`` is the number of documents, or sentences, that are drawn."""
    return csv_text(_rows(run, selection, by, cluster, metric))


def group_text(run: Run, selection: Selection, by: str, cluster: str, metric: str | None) -> str:
    """Return one row a group, with each parser's figure and interval by one metric."""
    from evaltools.analysis.leaderboard import FEW_UNITS, few_units, figures_by_group

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
GROUP_REPORTS: dict[str, GroupReport] = {"text": group_text, "json": group_json, "csv": group_csv}
"""The reports by the name of their format."""


REPORTS: dict[str, Callable[[Run, Selection], str]] = {
    "text": text_report,
    "json": json_report,
    "csv": csv_report,
    "latex": latex_report,
    "evalb": evalb_report,
    "conll18": conll18_report,
}
"""Reports by format name."""
