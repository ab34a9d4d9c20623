"""Precision, recall and F1 of each class of triples of semantic graphs: the same rows in every format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaltools.analysis.summary import base_in_words
from evaltools.blocks import Column, Table, text_columns
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import size_column
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run

_SHARES = ("precision", "recall")


def class_metrics(run: Run) -> list[str]:
    """Return the ids of the metrics, such as ``edm_n``, whose precision and recall are metrics, too."""
    return [name for name in run.metrics if all(f"{name}_{share}" in run.metrics for share in _SHARES)]


def class_rows(run: Run, parsers: Sequence[str]) -> list[dict[str, Any]]:
    """Return precision, recall and F1 by class.

    Parameters
    ----------
    run : Run
        The run.
    parsers : sequence of str
        The parsers.

    Returns
    -------
    list of dict
        ``metric``, ``parser``; ``precision``, ``recall`` and ``f1``, shares from 0 to 1, NaN where undefined, averaged
        as in tables (:attr:`evaltools.Run.default_figure`); ``n``, the number of sentences that they are over.

    Raises
    ------
    ParameterError
        If the run has no such classes.
    """
    figures = {(row["metric"], row["parser"]): row for row in run.figures()}
    figure = run.default_figure
    rows = [
        {"metric": name, "parser": parser}
        | {share: figures[f"{name}_{share}", parser][figure] for share in _SHARES}
        | {"f1": figures[name, parser][figure], "n": int(figures[name, parser][size_column(figure)])}
        for name in class_metrics(run)
        for parser in parsers
    ]
    if not rows:
        raise ParameterError("classes of triples are for runs of semantic graphs; --labels has figures by label")
    return rows


def class_table(run: Run, rows: Sequence[Mapping[str, Any]]) -> tuple[Table, str]:
    """Return rows of classes as a table, and which sentences the figures are over."""
    columns = [
        *text_columns("metric", "parser"),
        *(Column(share, share, "points") for share in _SHARES),
        Column("f1", "F1", "points"),
        Column("n", "n", help="sentences that the figures are over"),
    ]
    keys = [column.name for column in columns[1:]]
    cells = [[METRICS[row["metric"]].title.removesuffix(" (F1)"), *(row[key] for key in keys)] for row in rows]
    over = base_in_words(run.default_figure, run.n_counted)
    return Table(columns, cells), f"Precision, recall and F1 by class, percent, micro over {over}"
