"""Overview: the figures of the parsers, by every metric, and which differences are significant."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools import analysis
from evaltools.analysis.bootstrap import RESAMPLES
from evaltools.analysis.rankings import pair_orders
from evaltools.analysis.standing import describe
from evaltools.analysis.verdict import describe_change
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.runs.sums import GROUPS
from evaltools.ui import data, overview_charts, state
from evaltools.ui.attachments import attachments
from evaltools.ui.charting import chart
from evaltools.ui.explanation import explanation
from evaltools.ui.leaderboard_table import leaderboard_table, table_notes
from evaltools.ui.nbest_lists import nbest_lists
from evaltools.ui.overview_coverage import coverage_of
from evaltools.ui.pickers import figure_switches, metric_picker
from evaltools.ui.plain import answer, note, plain
from evaltools.ui.saving import save_table
from evaltools.ui.significance_view import significance
from evaltools.ui.wording import aligned_note

__all__ = ["render"]

_NOT_AT_FIRST = ("tedeval2011_unlabelled", "tedeval2011_labelled", "edm_precision", "edm_recall")


_RANKS = "Ranks follow the figures over the sentences that all parsers have; see Significance for which are sure."


def render(run: Run) -> None:
    """Draw the page.

    Parameters
    ----------
    run : Run
        The open run.
    """
    st.header("Overview", anchor=False)
    first = st.container()
    average, every, metrics = _controls(run)
    figure = average + ("_all" if every else "")
    board = overview_charts.board(run)
    figures, variants = overview_charts.by_variant(run, every=every)
    main = data.main_metric(run)
    main = main if main in metrics else metrics[0]
    standings = data.standings(run, list(dict.fromkeys((*metrics, main))), figure)
    with first:
        said = [describe(standings[main])] if len(run.parsers) > 1 else []
        plain(answer(" ".join([*said, analysis.verdict(figures, variants)])), key="verdict")

    metric = state.get("metric", main)
    metric = metric if metric in run.metrics else main
    parser = state.get("parser", data.leader(run))
    parser = parser if parser in run.parsers else run.parsers[0]
    coverage = coverage_of(run)
    leaderboard_table(board, coverage, metrics, figure, standings, parser=parser, metric=metric, run=run)
    spread = board[f"{figure}_low"].notna().any()
    intervals = (
        f"; ± is half the width of the 95 % interval ({RESAMPLES:,} resamples of {_drawn(run)})" if spread else ""
    )
    differ = aligned_note(coverage)
    plain(
        note(f"Percentages{intervals}. Click a figure to see where it comes from."),
        *map(note, table_notes(run, {name: standings[name] for name in metrics})),
        *([note(differ)] if differ else []),
        key="leaderboard_note",
    )
    explanation(run, parser, metric, figure, board)
    if len(run.parsers) > 1 and variants:
        _bump(run, figures, variants, every=every)
    nbest_lists(run, average)
    compared, pairs = _sentences(run, average, every=every)
    if run.kind == "dependency":
        attachments(run, parser)
    _trouble(run)
    if len(run.parsers) > 1:
        with pairs:  # last, because of long runs: all else is there by then
            st.markdown("**Significance**")
            significance(run, compared, figure=average, over="all" if every else "scored")


def _drawn(run: Run) -> str:
    """Say what is resampled."""
    return f"{GROUPS:,} groups of the sentences" if data.sums(run).grouped else "the sentences"


def _controls(run: Run) -> tuple[str, bool, list[str]]:
    """Let the reader choose figure, sentences and columns."""
    usual = [metric for metric in data.COLUMNS if metric not in _NOT_AT_FIRST]
    offered = [metric for metric in usual if metric in run.metrics] or list(run.metrics[:6])
    said = [metric for metric in state.get("columns").split(",") if metric in run.metrics]
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        average, every = figure_switches()
        with st.popover(f"Columns: {len(said or offered)} of {len(run.metrics)}"):
            columns = st.multiselect(
                "Metrics in the table",
                run.metrics,
                format_func=lambda one: METRICS[one].title,
                **state.bind("columns", said or offered, offered, write=",".join),
            )
    return average, every, [metric for metric in run.metrics if metric in columns] or offered


def _bump(run: Run, figures: pd.DataFrame, variants: tuple[analysis.Variant, ...], *, every: bool) -> None:
    """Draw the ranks under all variants, and say who changes places."""
    st.subheader("Ranks under every variant of the metrics", anchor=False)
    pairs = [pair for pair in pair_orders(figures) if pair.changes]
    chart(
        overview_charts.bump(run, every=every),
        key="bump",
        signature=run.signature,
        says="Rank of every parser under every variant of the metrics.",
        narrowest=900,
    )
    if not pairs:
        plain(note(f"From column to column one choice changes. No lines cross. {_RANKS}"), key="bump_note")
        return
    lines = [f"{pair.one} and {pair.other}: {describe_change(pair, variants)}." for pair in pairs]
    plain(
        note(f"From column to column one choice changes; a ring marks where two parsers change places. {_RANKS}"),
        *(note(line) for line in lines[:6]),
        *([note(f"… and {len(lines) - 6} more pairs.")] if len(lines) > 6 else []),
        key="bump_note",
    )


def _sentences(run: Run, average: str, *, every: bool) -> tuple[str, DeltaGenerator]:
    """Draw intervals, distribution and score by length under one metric; return it, and the place for its pairs."""
    st.subheader("Under one metric", anchor=False)
    with st.container(width=320):
        metric = metric_picker(run)
    title = METRICS[metric].title
    if len(run.parsers) > 1:
        chart(
            overview_charts.intervals(run, metric, average + ("_all" if every else "")),
            key="intervals",
            signature=run.signature,
            says=f"Figure and 95 % interval of every parser, {title}.",
        )
    pairs = st.container()
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Distribution of sentence scores**")
        chart(
            overview_charts.distribution(run, metric),
            key="distribution",
            signature=run.signature,
            says=f"Distribution of the sentence scores of every parser, {title}.",
        )
        plain(note("Shares of the scored sentences; the dashed line is their mean."), key="distribution_note")
    with right:
        st.markdown("**Score by sentence length**")
        chart(
            overview_charts.length(run, metric, average, every=every),
            key="length",
            signature=run.signature,
            says=f"Figures of every parser by sentence length, {title}.",
            narrowest=420,
        )
        plain(note("Bands are 95 % intervals, where two sentences or more have a score."), key="length_note")
    return metric, pairs


def _trouble(run: Run) -> None:
    """List the problems of the files."""
    total, problems = data.problems(run)
    if not total:
        plain(note("No problems were found in the files."), key="problems_note")
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
        plain(note(f"The first {len(problems):,} are shown; the run's table has all."), key="problems_note")
