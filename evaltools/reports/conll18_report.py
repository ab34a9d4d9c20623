"""Figures in the layout of the official evaluation of Universal Dependencies: a table for each parser.

References
----------
D. Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 shared task, 1-21.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaltools.errors import ParameterError
from evaltools.frameworks.metric import OfficialFigure
from evaltools.reports.selection import Selection
from evaltools.runs.store import Run

__all__ = ["report"]

_HEAD = """\
Metric     | Precision |    Recall |  F1 Score | AligndAcc
-----------+-----------+-----------+-----------+-----------
"""


def report(run: Run, selection: Selection) -> str:
    """Return the table of the official program for each parser, with its name above it if there are several."""
    figures = run.framework.official_figures
    if not figures:
        raise ParameterError(f"conll18 is a layout for dependency trees, and this run compares {run.framework.title}")
    if not any(figure.metric in run.metrics for figure in figures):
        raise ParameterError("this run has no figures of Universal Dependencies; score it with --metrics ud")
    parsers = selection.parsers(run)
    tables = [_table(figures, _sums(run, figures, parser)) for parser in parsers]
    if len(parsers) == 1:
        return tables[0]
    return "\n".join(f"{parser}\n{table}" for parser, table in zip(parsers, tables, strict=True))


def _sums(run: Run, figures: tuple[OfficialFigure, ...], parser: str) -> Mapping[str, float]:
    """Add up the counts of all sentences, those without a parse among them."""
    columns = dict.fromkeys(column for figure in figures for column in figure.columns)
    sums = ", ".join(f"coalesce(sum({column}), 0) as {column}" for column in columns)
    row = run.query(f"select {sums} from sentences where parser = ?", [parser]).iloc[0]
    return {column: float(row[column]) for column in columns}


def _table(figures: tuple[OfficialFigure, ...], sums: Mapping[str, float]) -> str:
    lines = []
    for figure in figures:
        right, gold, test = (sums[column] for column in (figure.right, figure.gold, figure.test))
        shares = [_percent(right, test), _percent(right, gold), _percent(2 * right, gold + test)]
        accuracy = ""
        if figure.aligned:
            accuracy = f"{_percent(right, sums[figure.aligned]):10.2f}"
        cells = " |".join(f"{share:10.2f}" for share in shares)
        lines.append(f"{figure.name:11}|{cells} |{accuracy}\n")
    return _HEAD + "".join(lines)


def _percent(part: float, whole: float) -> float:
    return 100 * (part / whole) if whole else 0.0
