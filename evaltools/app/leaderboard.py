"""The table of parsers, best first, and their charts; lists of several parses of a sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.nbest import best_ranks_of, tree_lists
from evaltools.analysis.summary import Summary
from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import data, library, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.saving import chart, save_table
from evaltools.app.widgets.tables import selected_in, text_width
from evaltools.charts.nbest import oracle_chart
from evaltools.drawing.blocks import answer, note
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.summary import summary_caption, summary_table, table_columns
from evaltools.runs.store import Run
from evaltools.text import column_format, decimals

_TITLES = {
    "rank": "Rank",
    "parses": "Analyses",
    "own": "This rank",
    "best_so_far": "Best so far",
    "best": "Best is here",
}


@cached_by_run(16)
def _ranks(run: Run, parser: str) -> pd.Series[int]:
    return best_ranks_of(run, parser)


def ranks_of_best(run: Run, parser: str, sentences: NDArray[np.int32]) -> list[int | None] | None:
    """Return the rank of the best analysis of some sentences; None for a run without n-best lists."""
    if "nbest" not in run.meta:
        return None
    ranks = _ranks(run, parser)
    return [int(ranks[item]) if item in ranks.index else None for item in sentences.tolist()]


def nbest_lists(run: Run, figure: str) -> None:
    """Show what the best choice from the lists of a run would reach; nothing where there are none."""
    lists = tree_lists(run)
    if not lists:
        return
    st.subheader("Lists of analyses", anchor=False)
    show_blocks(*[note(item.description) for item in lists], key="nbest_says")
    metric = lists[0].metric
    title = METRICS[metric].title
    percent = ", in percent" if METRICS[metric].is_share else ""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart(
            oracle_chart([(item.parser, item.curve) for item in lists], metric, figure),
            key="nbest_chart",
            description=f"{title} of the best among the first analyses, and of the analyses of each rank.",
            signature=run.signature,
        )
    with right:
        unit = 100 if METRICS[metric].is_share else 1
        for index, item in enumerate(lists):
            rows = item.curve.assign(own=unit * item.curve[f"own_{figure}"], best_so_far=unit * item.curve[figure])
            form = {"own": column_format(), "best_so_far": column_format()}
            st.dataframe(
                rows[list(_TITLES)],
                hide_index=True,
                height=min(38 + 35 * len(rows), 388),
                column_config={
                    name: st.column_config.NumberColumn(title, format=form.get(name, "%d"), width="small")
                    for name, title in _TITLES.items()
                },
                placeholder="–",
                key=f"nbest_table_{index}",
            )
            caption = f"{title} of the analyses of {item.parser} by rank{percent}.\n{run.signature}"
            save_table(rows[list(_TITLES)].rename(columns=_TITLES), f"nbest_table_{index}", caption, decimals=2)
        show_blocks(
            note(
                f"{title}{percent}. Best so far: each sentence’s best analysis up to this rank. Best is here: "
                "sentences whose best analysis has this rank, the first in a tie."
            ),
            key="nbest_note",
        )


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


def offer_sample(page: str, absence: str, command: str) -> None:
    """Show that the run is none that a page is about, the command that writes one, and the sample that is one."""
    known = library.sample_for(page)
    show_blocks(answer(absence), note(command), key=f"{page}_explain")
    st.button(
        f"Open the {known.name}",
        icon=":material/folder_open:",
        key=f"{page}_sample",
        on_click=lambda: library.show(known),
    )


def _chosen(key: str) -> tuple[int, str] | None:
    """Return the cell chosen in the table with a key, if any."""
    selection = selected_in(key)
    cells = selection.get("cells", [])
    return (int(cells[0][0]), str(cells[0][1])) if cells else None
