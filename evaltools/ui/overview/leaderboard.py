"""The leaderboard as a table: a cell that is clicked becomes the page's parser and metric."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.comparison.significance import SIGNIFICANT
from evaltools.analysis.comparison.standing import Standing, compared_over
from evaltools.frameworks.metric import describe_units
from evaltools.frameworks.registry import METRICS
from evaltools.publishing.tables import HALF
from evaltools.runs.store import Run
from evaltools.text import decimals
from evaltools.ui.session import data, state
from evaltools.ui.widgets.choice_table import selected_in
from evaltools.ui.widgets.column_widths import text_width
from evaltools.ui.widgets.saving import save_table

__all__ = ["leaderboard_table", "table_notes"]

_GREY = "#757F8A"
_BEST = "rgba(30, 127, 194, 0.2)"
"""Both are legible on white and on dark: Python is not notified when the reader changes the theme."""
_TOKENS_DIFFER = 95
"""Pixels of the column *tokens differ*, whose title is wider than \"small\"."""
_COVERAGE = ("scored", "words_differ", "missing")
_NO_FIGURE = (float("nan"), float("nan"), float("nan"), 0)
"""Figure, ends of its interval and number of sentences, of a parser without a figure."""
_FILES = {
    "pooled": "figures_micro",
    "mean": "figures_macro",
    "pooled_all": "figures_micro_all",
    "mean_all": "figures_macro_all",
}
"""Names of the saved tables, in the words of the page."""
_FIGURES = {
    "pooled": "micro: counts of the parsed sentences summed, then divided",
    "mean": "macro: mean of the scores of the parsed sentences",
    "pooled_all": "micro: counts of all sentences summed, then divided",
    "mean_all": "macro: mean over all sentences, no parse counts as 0",
}


def leaderboard_table(
    board: pd.DataFrame,
    coverage: pd.DataFrame,
    metrics: Sequence[str],
    figure: str,
    standings: Mapping[str, Standing],
    *,
    parser: str,
    metric: str,
    run: Run,
    rules: str = "",
    more: Mapping[str, Mapping[str, str]] | None = None,
    newer: Sequence[str] = (),
    order: Sequence[str] = (),
    with_intervals: bool = True,
    fragments: Sequence[str] = (),
) -> None:
    """Show the figures of all parsers.

    `newer`: metrics that the run lacks, in empty columns; `order`: the parsers by rank, by the first metric if empty;
    `fragments`: the parts of the page that depend on the chosen cell, the whole page if empty.
    """
    order = order or standings[metrics[0]].parsers
    values, texts, sizes = _cells(board, coverage, metrics, figure, order, with_intervals=with_intervals)
    for index, name in enumerate(newer, start=1 + len(metrics)):
        values.insert(index, name, float("nan"))
    if not run.framework.compares_words or not coverage["words_differ"].any():
        values = values.drop(columns="words_differ")
    for index, (title, by_parser) in enumerate((more or {}).items(), start=1):
        values.insert(index, title, values["parser"].map(by_parser))
    # Styler.format is slow: one call for all columns, and one more for each cell with an interval or a number
    plain: dict[Any, Any] = {name: "{:,}" for name in _COVERAGE if name in values}
    styled: Any = values.style.format(plain | dict.fromkeys(metrics, decimals))
    for row, column in texts:
        styled = styled.format(partial(_constant, texts[row, column]), subset=([row], [column]))
    styled = styled.apply(_styles, axis=None, standings={name: standings[name] for name in metrics})

    content = repr((data.run_key(run) + rules, list(values["parser"]), [*metrics, *newer], figure))
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
        column_config={
            "parser": st.column_config.TextColumn("parser", pinned=True),
            **{
                column: st.column_config.NumberColumn(
                    METRICS[column].narrow,
                    help=METRICS[column].hint,
                    width=_width(texts, column) if column in sizes else None,
                )
                for column in (*metrics, *newer)
            },
            **_coverage_columns(aligned=bool(coverage["words_aligned"].any())),
        },
        height="content",
        alt="figures of every parser",
    )
    halves = _halves(board, list(values["parser"]), metrics, figure) if with_intervals else {}
    best = {
        (row, METRICS[name].heading)
        for name in metrics
        for row, name_of_row in enumerate(values["parser"])
        if name_of_row == standings[name].best
    }
    caption = [
        f"Figures of {run.n_counted:,} sentences in percent",
        *describe_units(METRICS[name] for name in metrics),
        _FIGURES[figure],
        *(["± is half the 95 % interval"] if halves else []),
        *(["bold: significantly better than every other parser"] if best else []),
    ]
    save_table(
        _paper(values.drop(columns=list(newer)), metrics, sizes, halves),
        _FILES[figure],
        f"{'; '.join(caption)}.\n{run.signature}{rules}",
        decimals=2,
        best=best,
    )


def table_notes(run: Run, standings: Mapping[str, Standing]) -> list[str]:
    """Return notes on the order and colors of a table of figures."""
    if len(run.parsers) == 1:
        return []
    pairs = [pair for standing in standings.values() for pair in standing.comparisons if pair.cluster]
    units = f" over {pairs[0].units}" if pairs else ""
    notes = [
        f"A figure is colored if its parser is significantly better than every other parser (paired permutation test"
        f"{units}, p < {SIGNIFICANT} after Holm’s correction, and a 95 % interval without 0)."
    ]
    if over := compared_over(standings):
        notes.append(f"Order and color: {'. '.join(over)}.")
    return notes


def _halves(
    board: pd.DataFrame, parsers: Sequence[str], metrics: Sequence[str], figure: str
) -> dict[str, NDArray[np.float64]]:
    """Return half the intervals of the figures of the metrics that have some, in the unit of the table."""
    halves = {}
    for metric in metrics:
        rows = board[board["metric"] == metric].set_index("parser").reindex(list(parsers))
        half = ((rows[f"{figure}_high"] - rows[f"{figure}_low"]) / 2).to_numpy(dtype=np.float64)
        if not np.isnan(half).all():
            halves[metric] = half * (100 if METRICS[metric].is_share else 1)
    return halves


def _paper(
    values: pd.DataFrame,
    metrics: Sequence[str],
    sizes: Mapping[str, Sequence[int]],
    halves: Mapping[str, NDArray[np.float64]],
) -> pd.DataFrame:
    """Return the table for a paper: short heads, intervals, and numbers of sentences where figures are over others."""
    titles = {name: METRICS[name].heading for name in metrics} | {
        "words_differ": "tokens differ",
        "missing": "no parse",
    }
    for metric in metrics:
        at, heading = list(values.columns).index(metric) + 1, METRICS[metric].heading
        if metric in sizes:
            values.insert(at, f"{heading}, n", list(sizes[metric]))
        if metric in halves:
            values.insert(at, heading + HALF, halves[metric])
    return values.rename(columns=titles)


def _coverage_columns(*, aligned: bool) -> dict[str, Any]:
    """Configure the columns in grey; `aligned`: whether sentences whose words differ are among the scored ones."""
    differ = "sentences whose tokens differ from the gold tree’s"
    if aligned:
        differ += "; they are scored over aligned words"
    return {
        "scored": st.column_config.NumberColumn(
            "scored", width=62, help="sentences with a parse" + ("" if aligned else " of the same tokens")
        ),
        "words_differ": st.column_config.NumberColumn("tokens differ", width=_TOKENS_DIFFER, help=differ),
        "missing": st.column_config.NumberColumn("no parse", width=68, help="gold sentences without a parse"),
    }


def _cells(
    board: pd.DataFrame,
    coverage: pd.DataFrame,
    metrics: Sequence[str],
    figure: str,
    order: Sequence[str],
    *,
    with_intervals: bool,
) -> tuple[pd.DataFrame, dict[tuple[object, str], str], dict[str, list[int]]]:
    """Return the numbers to sort by, their texts, and by metric the number of sentences where it differs."""
    # n is shown if it differs from the number of scored sentences, or of all sentences.
    order = [*order, *(parser for parser in coverage["parser"] if parser not in order)]
    coverage = coverage.set_index("parser").reindex(order).reset_index()
    values = coverage[["parser"]].copy()
    usual = coverage["sentences" if figure.endswith("_all") else "scored"].to_numpy()
    texts: dict[tuple[object, str], str] = {}
    sizes: dict[str, list[int]] = {}
    columns = ("metric", "parser", figure, f"{figure}_low", f"{figure}_high", f"n_{figure}")
    # tuples are faster than a search in the table for each metric
    figures = {row[:2]: row[2:] for row in board[[*columns]].itertuples(index=False, name=None)}
    for metric in metrics:
        item = METRICS[metric]
        unit = 100 if item.is_share else 1
        rows = [figures.get((metric, parser), _NO_FIGURE) for parser in order]
        values[metric] = [value * unit for value, *_ in rows]
        for row, ((value, low, high, n), usual_n) in enumerate(zip(rows, usual, strict=True)):
            text = item.text(value)
            if with_intervals and low == low and high == high:
                text += f" ± {item.text((high - low) / 2)}"
            text = text if n == usual_n or value != value else f"{text} (n {n:,})"
            if text != decimals(value * unit):
                texts[row, metric] = text
        if any(value == value and n != usual_n for (value, _, _, n), usual_n in zip(rows, usual, strict=True)):
            sizes[metric] = [int(n) for *_, n in rows]
    for column in _COVERAGE:
        values[column] = coverage[column]
    return values, texts, sizes


def _width(texts: Mapping[tuple[object, str], str], metric: str) -> int:
    """Return the pixels of a column whose figures stand with numbers of sentences."""
    longest = max(len(text) for (_, column), text in texts.items() if column == metric)
    return text_width(max(longest, len(METRICS[metric].narrow)))


def _constant(text: str, _: object) -> str:
    return text


def _styles(values: pd.DataFrame, standings: Mapping[str, Standing]) -> pd.DataFrame:
    """Return the style of every cell: coverage in grey, significantly best figures on the accent color."""
    styles = pd.DataFrame("", index=values.index, columns=values.columns)
    styles[[name for name in _COVERAGE if name in styles]] = f"color: {_GREY}"
    for metric, standing in standings.items():
        styles.loc[values["parser"] == standing.best, metric] = f"background-color: {_BEST}"
    return styles


def _chosen(key: str) -> tuple[int, str] | None:
    """Return the cell chosen in the table with a key, if any."""
    selection = selected_in(key)
    cells = selection.get("cells", [])
    return (int(cells[0][0]), str(cells[0][1])) if cells else None
