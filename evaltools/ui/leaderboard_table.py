"""The leaderboard as a table: a cell that is clicked becomes the page's parser and metric."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.charts.intervals import shown
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, state
from evaltools.ui.metric_titles import column_hint, column_title
from evaltools.ui.saving import save_table

__all__ = ["leaderboard_table"]

_GREY = "#757F8A"
_BEST = "#1E7FC2"
"""Both can be read on white and on dark: nothing says here when the reader changes the theme."""
_COVERAGE = ("scored", "words_differ", "missing")
_TURN = "evaltools_leaderboard_turn"
_FIGURES = {
    "pooled": "counts of the scored sentences summed, then divided",
    "mean": "mean of the sentences’ scores",
    "pooled_all": "counts of all sentences summed, then divided",
    "mean_all": "mean over all sentences",
}


def leaderboard_table(
    board: pd.DataFrame,
    coverage: pd.DataFrame,
    metrics: Sequence[str],
    figure: str,
    *,
    parser: str,
    metric: str,
    run: Run,
    rules: str = "",
    more: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Show the figures of all parsers.

    Parameters
    ----------
    board : DataFrame
        From :func:`evaltools.analysis.leaderboard`.
    coverage : DataFrame
        From :func:`evaltools.analysis.coverage`.
    metrics : sequence of str
        Ids of the columns.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        Which figure.
    parser, metric : str
        The cell that is chosen now.
    run : Run
        Whose figures they are.
    rules : str
        What other rules they follow than those of the run.
    more : mapping, optional
        Further columns of text by their title: from parser to text.
    """
    values, texts = _cells(board, coverage, metrics, figure)
    if METRICS[metrics[0]].family == "edm":  # graphs are compared whatever their words
        values = values.drop(columns="words_differ")
    for place, (title, by_parser) in enumerate((more or {}).items(), start=1):
        values.insert(place, title, values["parser"].map(by_parser))
    styled: Any = values.style.format("{:,}", subset=[name for name in _COVERAGE if name in values])
    for column in metrics:
        for row in values.index:
            styled = styled.format(partial(_constant, texts[row, column]), subset=([row], [column]))
    styled = styled.apply(_colours, axis=None, metrics=metrics)

    print_ = hashlib.sha256(
        repr((data.run_key(run) + rules, list(values["parser"]), list(metrics), figure)).encode()
    ).hexdigest()[:16]
    cell = (list(values["parser"]).index(parser), metric) if metric in metrics else None
    key = f"leaderboard_{print_}_{st.session_state.get(_TURN, 0)}"
    if _chosen(key) not in (None, cell):  # chosen elsewhere since: begin anew
        st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
        key = f"leaderboard_{print_}_{st.session_state[_TURN]}"

    def select() -> None:
        chosen = _chosen(key)
        if chosen is not None:
            row, column = chosen
            state.put(parser=values["parser"].iloc[row], **({"metric": column} if column in metrics else {}))

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
                column: st.column_config.NumberColumn(column_title(column), help=column_hint(column))
                for column in metrics
            },
            **_coverage_columns(aligned=bool(coverage["words_aligned"].any())),
        },
        height="content",
        alt="figures of every parser",
    )
    save_table(
        _paper(values, metrics),
        f"figures_{figure}",
        f"Figures of {run.n_sentences:,} sentences, per cent, {_FIGURES[figure]}. {run.signature}{rules}",
        decimals=2,
    )


def _paper(values: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Return the table with titles for a paper."""
    titles = {name: METRICS[name].title for name in metrics} | {"words_differ": "words differ"}
    return values.rename(columns=titles)


def _coverage_columns(*, aligned: bool) -> dict[str, Any]:
    """Configure the columns in grey; `aligned`: whether sentences whose words differ are among the scored ones."""
    differ = "sentences whose parse has other words than the gold tree"
    if aligned:
        differ += "; they are among those scored, over aligned words"
    return {
        "scored": st.column_config.NumberColumn(
            "scored", width="small", help="sentences with a parse" + ("" if aligned else " of the same words")
        ),
        "words_differ": st.column_config.NumberColumn("aligned" if aligned else "differ", width="small", help=differ),
        "missing": st.column_config.NumberColumn("missing", width="small", help="gold sentences without a parse"),
    }


def _cells(
    board: pd.DataFrame, coverage: pd.DataFrame, metrics: Sequence[str], figure: str
) -> tuple[pd.DataFrame, dict[tuple[object, str], str]]:
    """Return the numbers, which sort, and what is shown for them; the best by the first column above."""
    first = board[board["metric"] == metrics[0]].set_index("parser")[figure]
    lowest_first = not METRICS[metrics[0]].higher_is_better
    order = first.sort_values(ascending=lowest_first, kind="stable", na_position="last").index
    coverage = coverage.set_index("parser").reindex(order).reset_index()
    values = coverage[["parser"]].copy()
    texts: dict[tuple[object, str], str] = {}
    for metric in metrics:
        share = METRICS[metric].is_share
        rows = board[board["metric"] == metric].set_index("parser").reindex(values["parser"])
        values[metric] = rows[figure].to_numpy() * (100 if share else 1)
        halves = ((rows[f"{figure}_high"] - rows[f"{figure}_low"]) / 2).to_numpy()
        for at, value, half in zip(values.index, rows[figure].to_numpy(), halves, strict=True):
            text = shown(value, share=share)
            texts[at, metric] = text if half != half else f"{text} ± {shown(half, share=share)}"
    for column in _COVERAGE:
        values[column] = coverage[column]
    return values, texts


def _constant(text: str, _: object) -> str:
    return text


def _colours(values: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Return the style of every cell: coverage in grey, the best of a column in the accent colour."""
    styles = pd.DataFrame("", index=values.index, columns=values.columns)
    styles[[name for name in _COVERAGE if name in styles]] = f"color: {_GREY}"
    for metric in metrics:
        best = _best(values[metric], higher=METRICS[metric].higher_is_better)
        if len(values) > 1:
            styles.loc[best, metric] = f"color: {_BEST}"
    return styles


def _best(column: pd.Series[float], *, higher: bool) -> list[int]:
    known = column.dropna()
    if known.empty:
        return []
    best = known.max() if higher else known.min()
    return [int(at) for at in known.index[(known - best).abs() < 1e-9]]


def _chosen(key: str) -> tuple[int, str] | None:
    """Return the cell chosen in the table with a key, if any."""
    selection = st.session_state.get(key, {}).get("selection", {})
    cells = selection.get("cells", [])
    return (int(cells[0][0]), str(cells[0][1])) if cells else None
