"""The leaderboard as a table: a cell that is clicked becomes the page's parser and metric."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.standing import Standing, compared_over
from evaltools.charts.intervals import shown
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, state
from evaltools.ui.metric_titles import column_hint, column_title
from evaltools.ui.saving import save_table

__all__ = ["leaderboard_table", "table_notes"]

_GREY = "#757F8A"
_BEST = "#1E7FC2"
"""Both can be read on white and on dark: nothing says here when the reader changes the theme."""
_WITH_N = 170
"""Pixels of a column whose figures have numbers of sentences beside them."""
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
    standings: Mapping[str, Standing],
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
    standings : mapping of str to Standing
        Where the parsers stand by this figure: the rows have the order of the first metric, and the parser that is
        significantly better than all others is colored.
    parser, metric : str
        The cell that is chosen now.
    run : Run
        Whose figures they are.
    rules : str
        What other rules they follow than those of the run.
    more : mapping, optional
        Further columns of text by their title: from parser to text.
    """
    values, texts, sizes = _cells(board, coverage, metrics, figure, standings)
    if METRICS[metrics[0]].family == "edm":  # graphs are compared whatever their words
        values = values.drop(columns="words_differ")
    for place, (title, by_parser) in enumerate((more or {}).items(), start=1):
        values.insert(place, title, values["parser"].map(by_parser))
    styled: Any = values.style.format("{:,}", subset=[name for name in _COVERAGE if name in values])
    for column in metrics:
        for row in values.index:
            styled = styled.format(partial(_constant, texts[row, column]), subset=([row], [column]))
    styled = styled.apply(_colours, axis=None, standings={name: standings[name] for name in metrics})

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
                column: st.column_config.NumberColumn(
                    column_title(column), help=column_hint(column), width=_WITH_N if column in sizes else None
                )
                for column in metrics
            },
            **_coverage_columns(aligned=bool(coverage["words_aligned"].any())),
        },
        height="content",
        alt="figures of every parser",
    )
    save_table(
        _paper(values, metrics, sizes),
        f"figures_{figure}",
        f"Figures of {run.n_sentences:,} sentences, per cent, {_FIGURES[figure]}. {run.signature}{rules}",
        decimals=2,
    )


def table_notes(run: Run, standings: Mapping[str, Standing]) -> list[str]:
    """Return what a table of figures says of its order and colors.

    Parameters
    ----------
    run : Run
        The run.
    standings : mapping of str to Standing
        Of the table's columns.
    """
    if len(run.parsers) == 1:
        return []
    notes = [
        f"A figure is colored if its parser is significantly better than every other one (paired permutation test, "
        f"p < {SIGNIFICANT} after Holm’s correction, and a 95 % interval without 0)."
    ]
    over = compared_over(standings)
    if over:
        notes.append(f"Not all parsers have every sentence; order and color: {'. '.join(over)}.")
    return notes


def _paper(values: pd.DataFrame, metrics: Sequence[str], sizes: Mapping[str, Sequence[int]]) -> pd.DataFrame:
    """Return the table with titles for a paper, and numbers of sentences beside figures that are over others."""
    titles = {name: METRICS[name].title for name in metrics} | {"words_differ": "words differ"}
    for metric, numbers in sizes.items():
        values.insert(list(values.columns).index(metric) + 1, f"{METRICS[metric].title}, n", list(numbers))
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
    board: pd.DataFrame,
    coverage: pd.DataFrame,
    metrics: Sequence[str],
    figure: str,
    standings: Mapping[str, Standing],
) -> tuple[pd.DataFrame, dict[tuple[object, str], str], dict[str, list[int]]]:
    """Return the numbers, which sort; what is shown for them; and by metric what they are over, where it must be said.

    How many sentences a figure is over is said where it is another number than that of the scored sentences, or of all.
    """
    first = standings[metrics[0]].parsers
    order = [*first, *(parser for parser in coverage["parser"] if parser not in first)]
    coverage = coverage.set_index("parser").reindex(order).reset_index()
    values = coverage[["parser"]].copy()
    usual = coverage["sentences" if figure.endswith("_all") else "scored"].to_numpy()
    texts: dict[tuple[object, str], str] = {}
    sizes: dict[str, list[int]] = {}
    for metric in metrics:
        share = METRICS[metric].is_share
        rows = board[board["metric"] == metric].set_index("parser").reindex(values["parser"])
        values[metric] = rows[figure].to_numpy() * (100 if share else 1)
        halves = ((rows[f"{figure}_high"] - rows[f"{figure}_low"]) / 2).to_numpy()
        numbers = rows[f"n_{figure}"].to_numpy()
        for at, value, half, n, known in zip(
            values.index, rows[figure].to_numpy(), halves, numbers, usual, strict=True
        ):
            text = shown(value, share=share)
            text = text if half != half else f"{text} ± {shown(half, share=share)}"
            texts[at, metric] = text if n == known or value != value else f"{text} (n {n:,})"
        if (rows[figure].notna().to_numpy() & (numbers != usual)).any():
            sizes[metric] = [int(n) for n in numbers]
    for column in _COVERAGE:
        values[column] = coverage[column]
    return values, texts, sizes


def _constant(text: str, _: object) -> str:
    return text


def _colours(values: pd.DataFrame, standings: Mapping[str, Standing]) -> pd.DataFrame:
    """Return the style of every cell: coverage in grey, significantly best figures in the accent color."""
    styles = pd.DataFrame("", index=values.index, columns=values.columns)
    styles[[name for name in _COVERAGE if name in styles]] = f"color: {_GREY}"
    for metric, standing in standings.items():
        styles.loc[values["parser"] == standing.best, metric] = f"color: {_BEST}"
    return styles


def _chosen(key: str) -> tuple[int, str] | None:
    """Return the cell chosen in the table with a key, if any."""
    selection = st.session_state.get(key, {}).get("selection", {})
    cells = selection.get("cells", [])
    return (int(cells[0][0]), str(cells[0][1])) if cells else None
