"""Reports on pages: the table of parsers, and the sections that command line and HTML files have, too."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from evaltools.analysis.nbest import best_ranks_of
from evaltools.analysis.summary import Summary
from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import data, library, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.saving import Origin, chart, drawing_files, save, save_table
from evaltools.app.widgets.tables import (
    cells_to_click,
    column_of,
    columns_of,
    key_of,
    show_table,
    with_signs,
    with_styles,
)
from evaltools.blocks import Block, Chart, Column, Picture, Table, Text, Words, answer, note, sentence
from evaltools.drawing.figure_bar import FIGURE_BAR_WIDTH, figure_bar
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.sections import SECTIONS, Report
from evaltools.outputs.summary import figures_table, summary_caption
from evaltools.runs.store import Run

_WIDTHS = 312, 470, 640, 740
"""Widths of the picture of an error in pixels: the page shows the widest one that it has room for."""
_ARROW = ":material/arrow_forward:"


@cached_by_run(16)
def _report(run: Run, metrics: tuple[str, ...], figure: str, main: str, cluster: str) -> Report:
    return Report(run, data.summary(run, metrics, figure, main, cluster), cluster)


def report(run: Run, metrics: Sequence[str], figure: str, main: str, cluster: str = "") -> Report:
    """Return the report of a run by one figure of some metrics."""
    return _report(run, tuple(metrics), figure, main, cluster)


@cached_by_run(64, "Computing …")
def section(
    run: Run, name: str, figure: str, metric: str, cluster: str = "", parser: str = "", by: str = ""
) -> list[Block]:
    """Return a section of the report by one figure of one metric, of one parser, by a column of the metadata."""
    return SECTIONS[name].blocks(replace(report(run, [metric], figure, metric, cluster), parser=parser, by=by))


def show_section(run: Run, blocks: Sequence[Block], key: str) -> None:
    """Show the blocks of a section, each as it is in a report."""
    for number, (form, group) in enumerate(groupby(blocks, _form)):
        own, part = list(group), f"{key}_{number}"
        if form == "texts":
            show_blocks(*own, key=part)
        elif form == "whole":
            for at, block in enumerate(own):
                _show_block(run, block, f"{part}_{at}")
        else:
            for at in range(0, len(own), 2):
                beside = zip(own[at : at + 2], st.columns(2, gap="large"), strict=False)
                for index, (block, column) in enumerate(beside, at):
                    with column:
                        _show_block(run, block, f"{part}_{index}")


def _form(block: Block) -> Literal["texts", "halves", "whole"]:
    """Return how a block stands: as one of some texts, beside another small table or chart, or alone."""
    if isinstance(block, Text):
        return "texts"
    is_half = block.is_half if isinstance(block, Chart) else isinstance(block, Table) and block.form == "small"
    return "halves" if is_half else "whole"


def _show_block(run: Run, block: Block, key: str) -> None:
    if isinstance(block, Picture):
        _show_picture(run, block, key)
        return
    assert not isinstance(block, Text | Words)
    if block.title and (isinstance(block, Table) or block.is_half):
        show_blocks(answer(block.title), key=f"{key}_title")
    if isinstance(block, Table):
        show_table(block, key, f"{block.title or key}\n{run.signature}")
    else:
        specification, about = dict(block.specification), f"{block.title}."
        chart(specification, key=key, signature=run.signature, description=about, min_width=block.width)
    if block.note:
        show_blocks(note(block.note), key=f"{key}_note")


def _show_picture(run: Run, item: Picture, key: str) -> None:
    """Show an error: what it is, with links, and beside it the picture of its sentence, or else the words."""
    texts, picture = st.columns([2, 3], gap="small")
    with texts, st.container(gap="xxsmall", key=f"picture_{key}"):
        remark = [note(f"Sentence {item.sentence}: {item.remark}")] if item.remark else []
        show_blocks(answer(item.title), *map(note, item.notes), *remark, key=f"{key}_texts")
        with st.container(horizontal=True, gap="small"):
            if item.query:
                query = state.link(other=None, **item.query)
                st.page_link("pages/hotspots.py", label="Examples", icon=_ARROW, query_params=query)
            origin = Origin(key.replace("_", "-"), f"{item.title}, sentence {item.sentence}", run.signature)
            save(key, *(drawing_files(drawing, origin) for drawing in item.drawings))
    with picture:
        words = [] if item.drawings else [sentence(item.words, item.marked, f"Sentence {item.sentence}:")]
        show_blocks(*words, *(Picture("", [drawing], widths=_WIDTHS) for drawing in item.drawings), key=key)


@cached_by_run(16)
def _ranks(run: Run, parser: str) -> pd.Series[int]:
    return best_ranks_of(run, parser)


def ranks_of_best(run: Run, parser: str, sentences: NDArray[np.int32]) -> list[int | None] | None:
    """Return the rank of the best analysis of some sentences; None for a run without n-best lists."""
    if "nbest" not in run.meta:
        return None
    ranks = _ranks(run, parser)
    return [int(ranks[item]) if item in ranks.index else None for item in sentences.tolist()]


_GRAY = "#757F8A"
_BEST = "rgba(30, 127, 194, 0.2)"
"""Both are legible on white and on dark: Python is not notified when the reader changes the theme."""
_BAR = "bar"
"""The column of bars."""
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
    foot: DeltaGenerator | None = None,
) -> None:
    """Show the table of a summary, as ``report`` prints it; `more`: columns of texts by parser.

    `foot`: where it is offered as files, instead of below it.
    """
    board = figures_table(summary, summary.rows)
    for title, by_parser in (more or {}).items():
        board = _with_texts(board, title, by_parser)
    metrics = [column.name for column in board.columns if column.name in METRICS]
    values, configured = _for_page(board, summary)
    is_pale = [name in ("no_parse", "words_differ") for name in values]
    styles = [[f"color: {_GRAY}" if pale else "" for pale in is_pale] for _ in board.rows]
    for index, at in board.best:
        styles[index][list(values).index(board.columns[at].name)] = f"background-color: {_BEST}"
    written, columns = with_signs(values, configured)
    styled = with_styles(written, styles)
    names = list(values["parser"])

    def choose(row: int, column: str) -> None:
        column = summary.metric if column == _BAR else column
        state.put(parser=names[row], **({"metric": column} if column in metrics else {}))

    cells_to_click(
        styled,
        {**columns, "parser": st.column_config.TextColumn("parser", pinned=True)},
        choose,
        key=key_of("leaderboard", repr((data.run_key(run) + rules, names, metrics, summary.figure))),
        chosen=(names.index(parser), metric) if metric in metrics else None,
        alt="figures of every parser",
    )
    caption = f"{summary_caption(summary)}\n{run.signature}{rules}"
    with foot or st.container():
        save_table(board.frame(), _FILES[summary.figure], caption, decimals=2, best=board.best_titles)


def _for_page(board: Table, summary: Summary) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the rows and columns of a page: bars beside the main figures, intervals beside the differences."""
    values, columns = board.frame(titled=False), columns_of(board)
    if "ahead" in columns:
        sizes = zip(values["ahead"], values.pop("interval"), strict=True)
        values["ahead"] = [f"{size} ({interval})" if interval else size for size, interval in sizes]
        ahead = next(column for column in board.columns if column.name == "ahead")
        hint = "with its 95 % interval"
        columns["ahead"] = column_of(replace(ahead, help=hint), list(values["ahead"]))
    main, figures = METRICS[summary.metric], [row.figures[summary.metric] for row in summary.rows]
    defined = [end for figure in figures for end in (figure.value, figure.high) if not math.isnan(end)]
    end = 1.0 if main.is_share else max(defined, default=0.0)
    bars = [None if math.isnan(item.value) else figure_bar(item.value, item.low, item.high, end) for item in figures]
    values.insert(list(values).index(summary.metric) + 1, _BAR, bars)
    hint = f"Bars: {main.short}, with its 95 % interval between ticks"
    title = "0 to 100 %" if main.is_share else f"0 to {main.text(end)}"
    return values, columns | {_BAR: st.column_config.ImageColumn(title, help=hint, width=FIGURE_BAR_WIDTH)}


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
