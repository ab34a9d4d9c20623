"""The cross-experiment table of a run across frameworks, as text, JSON, CSV or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import pandas as pd

from evaltools.analysis.experiments import Experiment, Experiments
from evaltools.blocks import Block, Column, Table, Text, text_columns
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.stored import Figure
from evaltools.outputs.tables import console_text, csv_text, json_text, table_latex
from evaltools.runs.store import Run
from evaltools.text import percent

_NUMBERS = ("value", "n", "value_all", "n_all")
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
    lines = [f"Figures are over n of {run.n_counted:,} sentences; no parse counts as nothing matched"]
    if len(result.theories) > 1:
        several = "a+b, all" if len(result.theories) > 2 else "a+b"
        lines.append(f"{several}: against what these gold treebanks have in common, by the parsers of their theories")
    reasons = dict.fromkeys(item.reason for row in result.rows for item in row.figures.values() if item.reason)
    return [*lines, *(f"–: {reason}" for reason in reasons)]


def blocks_of(result: Experiments) -> list[list[Experiment]]:
    """Return the experiments by what parsers are compared with."""
    return [list(block) for _, block in groupby(result.rows, lambda row: row.golds)]


def sizes_of(block: list[Experiment], columns: Sequence[str]) -> list[int]:
    """Return the number of sentences of each column; 0 where no parser has a figure."""
    return [max(0 if (item := row.figures[column]).reason else item.n_all for row in block) for column in columns]


def experiments_table(result: Experiments) -> Table:
    """Return a block for each gold treebank, each pair, and all, with a row a parser and one of sentence numbers."""
    columns = text_columns("compared with", "parser", "theory")
    columns += [Column(name, heading_of(name), "interval") for name in result.columns]
    rows: list[list[str]] = []
    ends = set()
    for block in blocks_of(result):
        for index, row in enumerate(block):
            title = "" if index else result.title(row.golds)
            rows.append([title, row.parser, row.theory, *(percent(row.figures[name].shown) for name in result.columns)])
        rows.append(["", "n", "", *(f"{n:,}" if n else "" for n in sizes_of(block, result.columns))])
        ends.add(len(rows) - 1)
    return Table(columns, rows, ends=ends)


def experiments_report(run: Run, result: Experiments, kind: str) -> str:
    """Return the table, and what its figures are over; as JSON or CSV every figure with its n or the reason."""
    if kind == "latex":
        return _latex(run, result)
    if kind == "csv":
        rows = [
            ["+".join(row.golds), row.parser, row.theory, column, *_numbers(item).values(), item.reason]
            for row in result.rows
            for column, item in row.figures.items()
        ]
        return csv_text(pd.DataFrame(rows, columns=["golds", "parser", "theory", "metric", *_NUMBERS, "reason"]))
    if kind == "json":
        entries = [
            {
                "golds": list(row.golds),
                "parser": row.parser,
                "theory": row.theory,
                "figures": {
                    column: _numbers(item) | {"reason": item.reason or None} for column, item in row.figures.items()
                },
            }
            for row in result.rows
        ]
        return json_text({"signature": run.signature, "sentences": run.n_counted, "experiments": entries})
    title, table, *notes = experiments_blocks(run, result)
    lines = [replace(note, kind="line") if isinstance(note, Text) else note for note in notes]
    return console_text([title, table, *lines, ""], run.signature, 60 + 22 * len(result.columns))


def _numbers(figure: Figure) -> dict[str, float]:
    return {name: getattr(figure, name) for name in _NUMBERS}


def experiments_blocks(run: Run, result: Experiments) -> list[Block]:
    """Return the table, and what its figures are over."""
    notes = map(Text, describe_figures(run, result))
    return [Text("Parsers against gold treebanks: percent, micro"), experiments_table(result), *notes]


def _latex(run: Run, result: Experiments) -> str:
    """Return the table, with the number of sentences beside each figure where a column has several of them."""
    rows: list[dict[str, object]] = []
    sizes: dict[str, set[int]] = {column: set() for column in result.columns}
    for block in blocks_of(result):
        for column, n in zip(result.columns, sizes_of(block, result.columns), strict=True):
            sizes[column] |= {n} - {0}
        for row in block:
            cells: dict[str, object] = {"compared with": result.title(row.golds), "parser": row.parser}
            cells["theory"] = row.theory
            for column in result.columns:
                item = row.figures[column]
                cells[heading_of(column)] = 100 * item.shown
                cells[f"n, {heading_of(column)}"] = "" if item.reason else f"{item.n_all:,}"
            rows.append(cells)
    frame = pd.DataFrame(rows)
    alike = [heading_of(column) for column in result.columns if len(sizes[column]) < 2]
    numbers = [
        f"{heading_of(column)}: {n:,}" for column in result.columns for n in sizes[column] if len(sizes[column]) < 2
    ]
    caption = "Parsers against gold treebanks: percent, micro, over all sentences"
    lines = [f"{caption} ({'; '.join(numbers)})" if numbers else caption, *describe_figures(run, result), run.signature]
    return table_latex(frame.drop(columns=[f"n, {name}" for name in alike]), "\n".join(lines), 2, label="experiments")
