"""The cross-experiment table of a run across frameworks as LaTeX."""

from __future__ import annotations

import pandas as pd

from evaltools.analysis.experiments import Experiments
from evaltools.publishing.tables import table_latex
from evaltools.reports.experiments_report import blocks_of, describe_figures, heading_of, sizes_of
from evaltools.runs.store import Run

__all__ = ["as_latex"]


def as_latex(run: Run, result: Experiments) -> str:
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
