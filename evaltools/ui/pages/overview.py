"""Overview: the figures of the parsers, by every metric, and which differences are significant."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools import analysis
from evaltools.analysis.comparison.bootstrap import RESAMPLES
from evaltools.analysis.comparison.standing import describe
from evaltools.analysis.rankings import pair_orders
from evaltools.analysis.verdict import describe_change
from evaltools.drawing.blocks import answer, note
from evaltools.frameworks.registry import METRICS
from evaltools.reports.run_figures import describe_newer
from evaltools.runs.store import Run
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.overview import charts
from evaltools.ui.overview.attachments import attachments
from evaltools.ui.overview.charts import aligned_note, coverage_of
from evaltools.ui.overview.explanation import explanation
from evaltools.ui.overview.leaderboard import leaderboard_table, table_notes
from evaltools.ui.overview.nbest import nbest_lists
from evaltools.ui.session import data, state
from evaltools.ui.significance.pairs import resampled_units
from evaltools.ui.significance.view import significance
from evaltools.ui.widgets.charting import chart
from evaltools.ui.widgets.pickers import figure_switches, metric_picker
from evaltools.ui.widgets.saving import save_table

__all__ = ["render"]

_RANKS = (
    "Ranks are by the figures over the sentences that all parsers have. See Significance for significant differences."
)


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Overview", anchor=False)
    first = st.container()
    average, every, metrics, newer = _controls(run)
    figure = average + ("_all" if every else "")
    board = charts.board(run)
    figures, variants = charts.by_variant(run, every=every)
    main = data.main_metric(run)
    main = main if main in metrics else metrics[0]
    standings = data.standings(run, list(dict.fromkeys((*metrics, main))), figure)
    with first:
        value = [describe(standings[main])] if len(run.parsers) > 1 else []
        show_blocks(answer(" ".join([*value, analysis.verdict(figures, variants)])), key="verdict")

    metric = state.get("metric", main)
    metric = metric if metric in run.metrics else main
    parser = state.get("parser", data.leader(run))
    parser = parser if parser in run.parsers else run.parsers[0]
    coverage = coverage_of(run)
    leaderboard_table(board, coverage, metrics, figure, standings, parser=parser, metric=metric, run=run, newer=newer)
    intervals = ""
    if board[f"{figure}_low"].notna().any():
        method = f"{RESAMPLES:,} resamples of {resampled_units(run)}"
        intervals = f"; ± is half the width of the 95 % interval ({method})"
    differ = aligned_note(coverage)
    show_blocks(
        note(f"Percentages{intervals}. Click a figure to see where it comes from."),
        *map(note, table_notes(run, {name: standings[name] for name in metrics})),
        *([note(differ)] if differ else []),
        *([note(f"{describe_newer(newer)}.")] if newer else []),
        key="leaderboard_note",
    )
    explanation(run, parser, metric, figure, board)
    if len(run.parsers) > 1 and variants:
        _bump(run, figures, variants, every=every)
    nbest_lists(run, average)
    compared, pairs = _sentences(run, average, every=every)
    if run.framework.has_attachments:
        attachments(run, parser)
    _trouble(run)
    if len(run.parsers) > 1:
        with pairs:  # last, because of long runs: all else is there by then
            st.markdown("**Significance**")
            significance(run, compared, figure=average, over="all" if every else "scored")


def _controls(run: Run) -> tuple[str, bool, list[str], list[str]]:
    """Let the reader choose figure, sentences and columns; the last list has the columns of metrics the run lacks."""
    known = [*run.metrics, *run.newer_metrics]
    computed = [metric for metric in run.metrics if METRICS[metric].headline] or list(run.metrics[:6])
    offered = [*computed, *(metric for metric in run.newer_metrics if METRICS[metric].headline)]
    value = [metric for metric in state.get("columns").split(",") if metric in known]
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        average, every = figure_switches()
        with st.popover(f"Columns: {len(value or offered)} of {len(known)}"):
            columns = st.multiselect(
                "Metrics in the table",
                known,
                format_func=lambda one: METRICS[one].title,
                **state.bind("columns", value or offered, offered, write=",".join),
            )
    metrics = [metric for metric in run.metrics if metric in columns] or computed
    return average, every, metrics, [metric for metric in run.newer_metrics if metric in columns]


def _bump(run: Run, figures: pd.DataFrame, variants: tuple[analysis.Variant, ...], *, every: bool) -> None:
    """Draw the ranks under all variants, and say who changes places."""
    st.subheader("Ranks by metric variant", anchor=False)
    pairs = [pair for pair in pair_orders(figures) if pair.changes]
    chart(
        charts.bump(run, every=every),
        key="bump",
        signature=run.signature,
        description="Rank of every parser under every variant of the metrics.",
        min_width=900,
    )
    if not pairs:
        show_blocks(note(f"From column to column one choice changes. No lines cross. {_RANKS}"), key="bump_note")
        return
    lines = [f"{pair.parser_a} and {pair.parser_b}: {describe_change(pair, variants)}." for pair in pairs]
    show_blocks(
        note(f"From column to column one choice changes; a ring marks where two parsers swap ranks. {_RANKS}"),
        *(note(line) for line in lines[:6]),
        *([note(f"… and {len(lines) - 6} more pairs.")] if len(lines) > 6 else []),
        key="bump_note",
    )


def _sentences(run: Run, average: str, *, every: bool) -> tuple[str, DeltaGenerator]:
    """Draw intervals, distribution and score by length under one metric; return it, and the place for its pairs."""
    st.subheader("One metric", anchor=False)
    with st.container(width=320):
        metric = metric_picker(run)
    title = METRICS[metric].title
    if len(run.parsers) > 1:
        chart(
            charts.intervals(run, metric, average + ("_all" if every else "")),
            key="intervals",
            signature=run.signature,
            description=f"Figure and 95 % interval of every parser, {title}.",
        )
    pairs = st.container()
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Distribution of sentence scores**")
        chart(
            charts.distribution(run, metric),
            key="distribution",
            signature=run.signature,
            description=f"Distribution of the sentence scores of every parser, {title}.",
        )
        show_blocks(note("Shares of the parsed sentences; the dashed line is their mean."), key="distribution_note")
    with right:
        st.markdown("**Score by sentence length**")
        chart(
            charts.length(run, metric, average, every=every),
            key="length",
            signature=run.signature,
            description=f"Figures of every parser by sentence length, {title}.",
            min_width=420,
        )
        show_blocks(note("Bands are 95 % intervals, where two sentences or more have a score."), key="length_note")
    return metric, pairs


def _trouble(run: Run) -> None:
    """List the problems of the files."""
    total, problems = data.problems(run)
    if not total:
        show_blocks(note("No problems were found in the files."), key="problems_note")
        return
    st.subheader(f"Problems in the files: {total:,}", anchor=False)
    columns = ["kind", "parser", "sentence", "file", "line", "found", "expected"]
    rows = problems[columns]
    st.dataframe(
        rows.assign(kind=rows["kind"].str.replace("_", " ")),
        hide_index=True,
        column_config={name: st.column_config.TextColumn(name, width="medium") for name in ("found", "expected")},
        key="problems",
    )
    save_table(rows, "problems", f"Problems in the files of the run.\n{run.signature}")
    if total > len(problems):
        show_blocks(note(f"The first {len(problems):,} are shown; the run's table has all."), key="problems_note")
