"""The table of the summary on pages: a cell that is clicked becomes the page's parser and metric."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.comparison.significance import SIGNIFICANT
from evaltools.analysis.summary import Summary
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.summary import summary_caption, summary_table, table_columns
from evaltools.runs.store import Run
from evaltools.text import decimals
from evaltools.ui.session import data, state
from evaltools.ui.widgets.choice_table import selected_in
from evaltools.ui.widgets.column_widths import text_width
from evaltools.ui.widgets.saving import save_table

_GREY = "#757F8A"
_BEST = "rgba(30, 127, 194, 0.2)"
"""Both are legible on white and on dark: Python is not notified when the reader changes the theme."""
_FILES = {
    "pooled": "figures_micro",
    "mean": "figures_macro",
    "pooled_all": "figures_micro_all",
    "mean_all": "figures_macro_all",
}
"""Names of the saved tables, in the words of the page."""


def leaderboard_table(
    run: Run,
    summary: Summary,
    *,
    parser: str,
    metric: str,
    rules: str = "",
    more: Mapping[str, Mapping[str, str]] | None = None,
    fragments: Sequence[str] = (),
) -> None:
    """Show the table of a summary, as ``report`` prints it.

    `more`: columns of texts by parser; `fragments`: the parts of the page that depend on the chosen cell, the whole
    page if empty.
    """
    columns = table_columns(summary, summary.rows)
    metrics = [name for name in columns if name in METRICS]
    values = _values(summary, columns)
    for index, (title, by_parser) in enumerate((more or {}).items(), start=1):
        values.insert(index, title, values["parser"].map(by_parser))
    best = pd.DataFrame("", index=values.index, columns=values.columns)
    best[[name for name in columns if name not in (*metrics, "parser")]] = f"color: {_GREY}"
    for index, row in enumerate(summary.rows):
        best.loc[index, [name for name in metrics if row.figures[name].is_best]] = f"background-color: {_BEST}"
    counts = [name for name in ("no_parse", "words_differ") if name in values]
    formats: dict[Any, Any] = dict.fromkeys(counts, "{:,}") | dict.fromkeys(metrics, decimals)
    styled = values.style.format(formats)
    styled = styled.apply(lambda _: best, axis=None)

    content = repr((data.run_key(run) + rules, list(values["parser"]), metrics, summary.figure))
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    cell = (list(values["parser"]).index(parser), metric) if metric in metrics else None
    # another cell may have been chosen elsewhere: only a new key resets the selection
    key = state.renewed_key(f"leaderboard_{digest}", lambda key: _chosen(key) not in (None, cell))

    def select() -> None:
        chosen = _chosen(key)
        if chosen is not None:
            row, column = chosen
            state.put(parser=values["parser"].iloc[row], **({"metric": column} if column in metrics else {}))
            if fragments:
                st.rerun(list(fragments))

    st.dataframe(
        styled,
        key=key,
        hide_index=True,
        placeholder="–",
        on_select=select,
        selection_mode="single-cell",
        selection_default={"selection": {"rows": [], "columns": [], "cells": [cell] if cell else []}},
        column_config={name: _column(name, column) for name, column in columns.items()},
        height="content",
        alt="figures of every parser",
    )
    table, bold = summary_table(summary)
    caption = f"{summary_caption(summary)}.\n{run.signature}{rules}"
    save_table(table, _FILES[summary.figure], caption, decimals=2, best=bold)


def _values(summary: Summary, columns: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Return the columns, figures and counts as numbers to sort by."""
    rows = summary.rows
    values: dict[str, list[Any]] = {name: list(column[1:]) for name, column in columns.items()}
    values["parser"] = [row.parser for row in rows]
    for name in (name for name in columns if name in METRICS):
        values[name] = [(100 if METRICS[name].is_share else 1) * row.figures[name].value for row in rows]
    values["no_parse"] = [row.no_parse for row in rows]
    if "words_differ" in values:
        values["words_differ"] = [row.words_differ for row in rows]
    return pd.DataFrame(values)


def _column(name: str, column: Sequence[str]) -> Any:
    if name == "parser":
        return st.column_config.TextColumn("parser", pinned=True)
    width = text_width(max(map(len, column)))
    if name in METRICS:
        return st.column_config.NumberColumn(column[0], help=METRICS[name].hint)
    hints = {
        "no_parse": "gold sentences without a parse",
        "words_differ": "sentences that are not scored because their words differ from those of gold",
    }
    if name in hints:
        return st.column_config.NumberColumn(column[0], help=hints[name], width=width)
    return st.column_config.TextColumn(column[0] or "sure", width=width)


def table_notes(run: Run, summary: Summary) -> list[str]:
    """Return notes on the order and colors of a table of figures."""
    if len(run.parsers) == 1:
        return []
    pairs = [pair for standing in summary.standings.values() for pair in standing.comparisons if pair.cluster]
    units = f" over {pairs[0].units}" if pairs else ""
    notes = [
        f"A figure is colored if its parser is significantly better than every other parser (paired permutation test"
        f"{units}, p < {SIGNIFICANT} after Holm’s correction, and a 95 % interval without 0)."
    ]
    return notes + ([f"Ahead: {summary.standing.over}."] if summary.standing.over else [])


def _chosen(key: str) -> tuple[int, str] | None:
    """Return the cell chosen in the table with a key, if any."""
    selection = selected_in(key)
    cells = selection.get("cells", [])
    return (int(cells[0][0]), str(cells[0][1])) if cells else None
