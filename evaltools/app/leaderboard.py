"""The table of parsers, best first, and their charts; lists of several parses of a sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.nbest import best_ranks_of
from evaltools.analysis.summary import Summary
from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import data, library, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.saving import save_table
from evaltools.app.widgets.tables import cells_in, columns_of, selection, with_signs
from evaltools.blocks import Column, Table, answer, note
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.summary import figures_table, summary_caption
from evaltools.runs.store import Run


@cached_by_run(16)
def _ranks(run: Run, parser: str) -> pd.Series[int]:
    return best_ranks_of(run, parser)


def ranks_of_best(run: Run, parser: str, sentences: NDArray[np.int32]) -> list[int | None] | None:
    """Return the rank of the best analysis of some sentences; None for a run without n-best lists."""
    if "nbest" not in run.meta:
        return None
    ranks = _ranks(run, parser)
    return [int(ranks[item]) if item in ranks.index else None for item in sentences.tolist()]


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
) -> None:
    """Show the table of a summary, as ``report`` prints it; `more`: columns of texts by parser."""
    board = figures_table(summary, summary.rows)
    for title, by_parser in (more or {}).items():
        board = _with_texts(board, title, by_parser)
    values = board.frame(titled=False)
    metrics = [column.name for column in board.columns if column.name in METRICS]
    best = pd.DataFrame("", index=values.index, columns=values.columns)
    for name in (column.name for column in board.columns if column.name not in (*metrics, "parser")):
        best[name] = f"color: {_GREY}"
    for index, at in board.best:
        best.iloc[index, at] = f"background-color: {_BEST}"
    styled, columns = with_signs(values, columns_of(board))
    styled = (values.style if styled is values else styled).apply(lambda _: best, axis=None)

    content = repr((data.run_key(run) + rules, list(values["parser"]), metrics, summary.figure))
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    cell = (list(values["parser"]).index(parser), metric) if metric in metrics else None
    key = f"leaderboard_{digest}"

    def choose() -> None:
        for row, column in cells_in(key):
            state.put(parser=values["parser"].iloc[row], **({"metric": column} if column in metrics else {}))

    st.dataframe(
        styled,
        key=key,
        hide_index=True,
        placeholder="–",
        on_select=choose,
        selection_mode="single-cell",
        selection_default=selection(key, cells=[cell] if cell else []),
        column_config={**columns, "parser": st.column_config.TextColumn("parser", pinned=True)},
        height="content",
        alt="figures of every parser",
    )
    caption = f"{summary_caption(summary)}.\n{run.signature}{rules}"
    save_table(board.frame(), _FILES[summary.figure], caption, decimals=2, best=board.best_titles)


def _with_texts(table: Table, title: str, by_parser: Mapping[str, str]) -> Table:
    """Return a table with a column of texts after the names of the parsers."""
    rows = [[row[0], by_parser[row[0]], *row[1:]] for row in table.rows]
    columns = [table.columns[0], Column(title, title, "text"), *table.columns[1:]]
    return replace(table, columns=columns, rows=rows, best={(row, at + 1) for row, at in table.best})


def offer_sample(kind: str, absence: str, command: str) -> None:
    """Show that a page is about runs of a framework only, the command that writes one, and the sample that is one."""
    known = library.sample_for(kind)
    show_blocks(answer(absence), note(command), key=f"{kind}_explain")
    st.button(
        f"Open the {known.name}",
        icon=":material/folder_open:",
        key=f"{kind}_sample",
        on_click=lambda: library.show(known),
    )
