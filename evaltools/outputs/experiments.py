"""The cross-experiment table of a run across frameworks, as text, JSON, CSV or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import pandas as pd

from evaltools.analysis.experiments import Experiment, Experiments
from evaltools.analysis.significance import ITERATIONS, SIGNIFICANT, Comparison
from evaltools.blocks import Block, Column, Table, Text, text_columns
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.tables import console_text, csv_text, json_text, table_csv, table_latex, terminal_width
from evaltools.runs.store import Run
from evaltools.text import interval_text, percent

_TITLE = Text("Parsers against gold treebanks: percent, micro")
_MARK = "*"
_TEST = (
    f"paired permutation test over all sentences, {ITERATIONS:,} iterations, p < {SIGNIFICANT} after Holm’s correction "
    "for the pairs of a block and a column, and a 95 % interval without 0"
)
_TEDEVAL = {"tedeval": "TedEval", "tedeval2011": "TedEval 2011"}
_LABELS = {"unlabeled": "unlab.", "labeled": "lab."}


def heading_of(column: str) -> str:
    """Return the head of a column.

    Examples
    --------
    >>> heading_of("las"), heading_of("tedeval2011_labeled")
    ('LAS', 'TedEval 2011, lab.')
    """
    if column in METRICS and not column.startswith("tedeval"):
        return METRICS[column].short
    family, _, labels = column.partition("_")
    return f"{_TEDEVAL[family]}, {_LABELS[labels]}"


def describe_figures(run: Run, result: Experiments) -> list[str]:
    """Return what the figures are over, and why some are undefined."""
    lines = [f"Figures are over n of {run.n_counted:,} sentences; no parse counts as 0"]
    if len(result.theories) > 1:
        several = "a+b, all" if len(result.theories) > 2 else "a+b"
        lines.append(f"{several}: against what these gold treebanks have in common, by the parsers of their theories")
    if result.tests:
        lines.append(f"{describe_mark(result, _MARK)}: {_TEST}")
    reasons = dict.fromkeys(item.reason for row in result.rows for item in row.figures.values() if item.reason)
    return [*lines, *(f"–: {reason}" for reason in reasons)]


def describe_mark(result: Experiments, mark: str) -> str:
    """Return what a mark at a figure means, or that no figure has one."""
    if any(item.best for item in result.tests):
        return f"{mark}: significantly better than every other parser of these theories"
    return "No parser is significantly better than every other one of these theories"


def blocks_of(result: Experiments) -> list[list[Experiment]]:
    """Return the experiments by what parsers are compared with."""
    return [list(block) for _, block in groupby(result.rows, lambda row: row.golds)]


def sizes_of(block: list[Experiment], columns: Sequence[str]) -> list[int]:
    """Return the number of sentences of each column; 0 where no parser has a figure."""
    return [max(0 if (item := row.figures[column]).reason else item.n_all for row in block) for column in columns]


def experiments_table(result: Experiments, best_mark: str = _MARK) -> Table:
    """Return a block for each gold treebank, each pair, and all, with a row a parser and one of sentence numbers."""
    columns = text_columns("compared with", "parser", "theory")
    columns += [Column(name, heading_of(name), "interval") for name in result.columns]
    n_keys = len(columns) - len(result.columns)
    marked = {item.column for item in result.tests if item.best and best_mark}
    rows: list[list[str]] = []
    ends, best = set(), set()
    for block in blocks_of(result):
        for index, row in enumerate(block):
            cells = ["" if index else result.title(row.golds), row.parser, row.theory]
            for at, name in enumerate(result.columns, n_keys):
                is_best = result.is_best(row.golds, row.parser, name)
                best |= {(len(rows), at)} if is_best else set()
                mark = best_mark if is_best else " " if name in marked else ""  # so that digits stand below digits
                cells.append(f"{percent(row.figures[name].shown)}{mark}")
            rows.append(cells)
        sizes = zip(result.columns, sizes_of(block, result.columns), strict=True)
        rows.append(["", "n", "", *(f"{n:,}{' ' if name in marked else ''}" if n else "" for name, n in sizes)])
        ends.add(len(rows) - 1)
    return Table(columns, rows, best=best, ends=ends)


def pairs_table(result: Experiments) -> Table:
    """Return a row for every two parsers of the theories of each block, by each column."""
    columns = [
        *text_columns("compared with", "metric", "parser A", "parser B"),
        Column("difference", "A − B", "points difference"),
        Column("interval", "95 % interval", "interval"),
        Column("p", "p", "p"),
        Column("holm", "p (Holm)", "p"),
        Column("significant", "significant", "interval"),
    ]
    rows = []
    for item in result.tests:
        for pair in item.pairs:
            keys = [result.title(item.golds), heading_of(item.column), pair.parser_a, pair.parser_b]
            between = interval_text(100 * pair.low, 100 * pair.high)
            figures = pair.difference, between, pair.p, pair.p_adjusted
            rows.append([*keys, *figures, "yes" if pair.significant else "no"])
    note = f"Percentage points. Significant: {_TEST}."
    return Table(columns, rows, "Differences of every two parsers", note, form="folded")


def experiments_report(run: Run, result: Experiments, kind: str) -> str:
    """Return the table, and what its figures are over; as JSON or CSV every figure with its n or the reason."""
    if kind == "latex":
        return experiments_latex(run, result)
    if kind == "csv":
        return csv_text(_frame(result))
    if kind == "json":
        entries = [
            {
                "golds": list(row.golds),
                "parser": row.parser,
                "theory": row.theory,
                "figures": _figures(result, row),
            }
            for row in result.rows
        ]
        pairs = [
            {"golds": list(item.golds), "metric": item.column} | _compared(pair)
            for item in result.tests
            for pair in item.pairs
        ]
        content = {"sentences": run.n_counted, "experiments": entries, "comparisons": pairs}
        return json_text({"signature": run.signature} | content)
    lines = [Text(text, "line") for text in describe_figures(run, result)]
    table = experiments_table(result)
    columns = [replace(column, title=column.title.replace(", ", ",\n")) for column in table.columns]
    return console_text([_TITLE, replace(table, columns=columns), *lines, ""], run.signature, terminal_width())


def _frame(result: Experiments) -> pd.DataFrame:
    """Return a row for each figure."""
    cells = [
        {"golds": "+".join(row.golds), "parser": row.parser, "theory": row.theory, "metric": column} | figure
        for row in result.rows
        for column, figure in _figures(result, row).items()
    ]
    return pd.DataFrame(cells)


def _figures(result: Experiments, row: Experiment) -> dict[str, dict[str, Any]]:
    """Return every figure of a row with its n, whether it is the best, and why it is undefined."""
    figures = {}
    for column, item in row.figures.items():
        numbers = {name: getattr(item, name) for name in ("value", "n", "value_all", "n_all")}
        best = result.is_best(row.golds, row.parser, column)
        figures[column] = {**numbers, "best": best, "reason": item.reason or None}
    return figures


def _compared(pair: Comparison) -> dict[str, object]:
    return {
        **{name: getattr(pair, name) for name in ("parser_a", "parser_b", "difference", "low", "high", "p")},
        "p_holm": pair.p_adjusted,
        "significant": pair.significant,
        "n": pair.n_sentences,
    }


def experiments_blocks(run: Run, result: Experiments) -> list[Block]:
    """Return the table, and what its figures are over."""
    notes = map(Text, describe_figures(run, result))
    pairs = [pairs_table(result)] if result.tests else []
    files = {"csv": table_csv(_frame(result), run.signature), "latex": experiments_latex(run, result)}
    return [_TITLE, replace(experiments_table(result), files=files), *notes, *pairs]


def experiments_latex(run: Run, result: Experiments) -> str:
    """Return the table in LaTeX, with a row of sentence numbers below each block."""
    table, is_marked = experiments_table(result, ""), f" {describe_mark(result, 'Bold')} (p < {SIGNIFICANT}, Holm)."
    caption = f"{_TITLE.text}, over n sentences; no parse counts as 0.{is_marked if result.tests else ''}"
    lines = [caption, *describe_figures(run, result), run.signature]
    return table_latex(table.frame(), "\n".join(lines), best=table.best_titles, label="experiments")
