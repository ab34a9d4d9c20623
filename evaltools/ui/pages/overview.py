"""Overview: the figures of the parsers, by every metric, and which differences are significant.

A click on a figure reruns the fragments that depend on it, and not the page.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.analysis.comparison.standing import describe
from evaltools.analysis.rankings import pair_orders
from evaltools.analysis.summary import Summary
from evaltools.analysis.verdict import describe_change
from evaltools.charts.distribution import UNDEFINED
from evaltools.drawing.blocks import answer, note
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.summary import describe_aligned, describe_incomplete, describe_left_out
from evaltools.runs.store import Run
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.overview import charts
from evaltools.ui.overview.attachments import attachments
from evaltools.ui.overview.explanation import explanation
from evaltools.ui.overview.groups import groups_section
from evaltools.ui.overview.lead import LEAD, errors_by_parser, lead
from evaltools.ui.overview.leaderboard import leaderboard_table, table_notes
from evaltools.ui.overview.nbest import nbest_lists
from evaltools.ui.session import data, state
from evaltools.ui.session.fragments import page_fragment
from evaltools.ui.significance.view import significance
from evaltools.ui.widgets.charting import chart
from evaltools.ui.widgets.folding import folded
from evaltools.ui.widgets.metadata import chosen_cluster, few, keys, over_units, units_picker
from evaltools.ui.widgets.pickers import figure_switches, metric_picker
from evaltools.ui.widgets.problems import problems_table
from evaltools.ui.widgets.saving import save_table

__all__ = ["render"]

_TABLE, _PANEL, _SECTIONS = "overview_table", "overview_panel", "overview_sections"
_DISTRIBUTION, _GROUPS, _ATTACHMENTS = "overview_distribution", "overview_by_group", "overview_attachments"
"""The fragments that depend on the chosen figure: opening one section draws no other."""
_SIGNIFICANCE = "significance"
_MAX_PAIRS = 6
"""Maximum number of pairs of parsers listed that swap ranks."""
_PROBLEM_WIDTHS = {
    **{"kind": 108, "parser": 150, "sentence": 72, "file": 154, "line": 48},
    **{"found": 244, "expected": 244},
}
"""Columns of the table of problems, in pixels."""
_RANKS = "See Significance for significant differences."


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Overview", anchor=False)
    first = st.container(gap="xsmall")
    average, every, metrics = _controls(run)
    figure, cluster = average + ("_all" if every else ""), chosen_cluster(run)
    figures, variants = charts.by_variant(run, every=every)
    main = run.main_metric
    main = main if main in metrics else metrics[0]
    summary = data.summary(run, metrics, figure, main, cluster)
    compares = len(run.parsers) > 1
    with first:
        verdict = analysis.verdict(figures, variants)
        remarks = [f"Interval and p {over_units(run, cluster)}."] if compares and cluster else []
        show_blocks(
            answer(describe(summary.standing)),
            *([note(" ".join(remarks))] if remarks else []),
            *([note(verdict)] if compares else []),
            key="verdict",
        )
        if compares:
            st.markdown(f":small[[:material/arrow_downward: Significance of all differences](#{_SIGNIFICANCE})]")
        below = st.container(gap="xsmall")

    parsers = [row.parser for row in summary.rows]
    _table(run, summary)
    show_blocks(
        note(" ".join([f"{METRICS[main].title}, {summary.base}. {_click(run)}", *table_notes(run, summary)])),
        *map(note, (*describe_aligned(run), *describe_left_out(run), *describe_incomplete(run, metrics))),
        key="leaderboard_note",
    )
    _panel(run, figure)
    errors_by_parser(run, parsers)
    if compares and variants:
        _bump(run, figures, variants, every=every)
    nbest_lists(run, average)
    _significance(run, average, every=every)
    _distribution(run, average, every=every)
    if keys(run):
        _groups(run, figure)
    if run.framework.has_attachments:
        _attachments(run)
    _trouble(run)
    with below:  # last, because the rest of the page need not wait for it
        lead(run, parsers[0], metrics)


def _chosen(run: Run) -> tuple[str, str]:
    """Return the parser and the metric of the URL, or the default ones."""
    metric = state.get("metric", run.main_metric)
    parser = state.get("parser", data.leader(run))
    return (
        parser if parser in run.parsers else run.parsers[0],
        metric if metric in run.metrics else run.main_metric,
    )


def _of_metric(run: Run) -> list[str]:
    """Return the fragments that depend on the chosen metric, but for the table, which shows which one that is."""
    return [_PANEL, _SECTIONS, _DISTRIBUTION, *([_GROUPS] if keys(run) else [])]


def _of_parser(run: Run) -> list[str]:
    """Return the fragments that depend on the chosen parser alone."""
    return [LEAD, *([_ATTACHMENTS] if run.framework.has_attachments else [])]


def _click(run: Run) -> str:
    """Describe what a click on a figure does, and what intervals are over."""
    cluster = chosen_cluster(run)
    over = f" {over_units(run, cluster)}" if cluster else ""
    text = f"Click a figure to see where it comes from, with its 95 % interval{over}."
    return " ".join(filter(None, [text, few(run, cluster)]))


@page_fragment(_TABLE)
def _table(run: Run, summary: Summary) -> None:
    """Draw the figures; one that is clicked is chosen."""
    parser, metric = _chosen(run)
    leaderboard_table(run, summary, parser=parser, metric=metric, fragments=(*_of_metric(run), *_of_parser(run)))


@page_fragment(_PANEL)
def _panel(run: Run, figure: str) -> None:
    """Explain the chosen figure."""
    cluster = chosen_cluster(run)
    explanation(run, *_chosen(run), figure, charts.board(run, cluster), over_units(run, cluster))


@page_fragment(_SECTIONS)
def _significance(run: Run, average: str, *, every: bool) -> None:
    """Let the reader choose the metric of all sections, and compare the parsers by it."""
    if len(run.parsers) > 1:
        st.subheader("Significance", anchor=_SIGNIFICANCE)
    with st.container(width=320):
        metric = metric_picker(run, fragments=(_TABLE, *_of_metric(run)))
    if len(run.parsers) > 1:
        significance(run, metric, figure=average, over="all" if every else "scored", cluster=chosen_cluster(run))


@page_fragment(_GROUPS)
def _groups(run: Run, figure: str) -> None:
    """Draw the figures of groups of sentences by the chosen metric."""
    metric = _chosen(run)[1]
    order = data.standing(run, metric, figure, chosen_cluster(run)).parsers
    groups_section(run, metric, figure, [*order, *(name for name in run.parsers if name not in order)])


@page_fragment(_ATTACHMENTS)
def _attachments(run: Run) -> None:
    """Draw where the words of the chosen parser are attached correctly."""
    attachments(run, _chosen(run)[0])


def _controls(run: Run) -> tuple[str, bool, list[str]]:
    """Let the reader choose figure, sentences and columns."""
    known, offered = list(run.metrics), run.table_metrics
    value = [metric for metric in state.get("columns").split(",") if metric in known]
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        average, every = figure_switches(run)
        units_picker(run)
        with st.popover(f"Columns: {len(value or offered)} of {len(known)}"):
            columns = st.multiselect(
                "Metrics in the table",
                known,
                format_func=lambda one: METRICS[one].title,
                **state.bind("columns", value or offered, offered, write=",".join),
            )
    return average, every, [metric for metric in run.metrics if metric in columns] or offered


@page_fragment("overview_ranks")
def _bump(run: Run, figures: pd.DataFrame, variants: tuple[analysis.Variant, ...], *, every: bool) -> None:
    """Draw the ranks under all variants if two parsers change places, and say which; else say so."""
    pairs = [pair for pair in pair_orders(figures) if pair.changes]
    if not pairs:
        number = "the only variant" if len(variants) == 1 else f"all {len(variants)} variants"
        show_blocks(note(f"The parsers have the same ranks on {number} of the metrics."), key="bump_note")
        return
    section = folded("Ranks by metric variant", "ranks")
    lines = [f"{pair.parser_a} and {pair.parser_b}: {describe_change(pair, variants)}." for pair in pairs]
    lines = [
        *lines[:_MAX_PAIRS],
        *([f"… and {len(lines) - _MAX_PAIRS} more pairs."] if len(lines) > _MAX_PAIRS else []),
    ]
    if section is None:
        return
    with section:
        chart(
            charts.bump(run, every=every),
            key="bump",
            signature=run.signature,
            description="Rank of every parser under every variant of the metrics.",
            min_width=900,
        )
        show_blocks(
            note(f"From column to column one choice changes; a ring marks where two parsers swap ranks. {_RANKS}"),
            *map(note, lines),
            key="bump_note",
        )


@page_fragment(_DISTRIBUTION)
def _distribution(run: Run, average: str, *, every: bool) -> None:
    """Draw intervals, distribution and score by length under the chosen metric, when the section is opened."""
    section = folded("Intervals, distribution of scores, score by sentence length", "distribution")
    if section is not None:
        with section:
            _charts(run, _chosen(run)[1], average, every=every)


def _charts(run: Run, metric: str, average: str, *, every: bool) -> None:
    title, cluster = METRICS[metric].title, chosen_cluster(run)
    over = f" {over_units(run, cluster)}" if cluster else ""
    if len(run.parsers) > 1:
        chart(
            charts.intervals(run, metric, average + ("_all" if every else ""), cluster),
            key="intervals",
            signature=run.signature,
            description=f"Figure and 95 % interval{over} of every parser, {title}.",
        )
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Distribution of sentence scores**")
        chart(
            charts.distribution(run, metric),
            key="distribution",
            signature=run.signature,
            description=f"Distribution of the sentence scores of every parser, {title}.",
            min_width=440,
        )
        board = charts.board(run)
        rows = board[board["metric"] == metric]
        left_out = " " + UNDEFINED if (rows["scored"] > rows["n"]).any() else ""
        text = f"Shares of the n parsed sentences with a score; the dashed line is their mean.{left_out}"
        show_blocks(note(text), key="distribution_note")
    with right:
        st.markdown("**Score by sentence length**")
        chart(
            charts.length(run, metric, average, cluster, every=every),
            key="length",
            signature=run.signature,
            description=f"Figures of every parser by sentence length, {title}.",
            min_width=420,
        )
        bands = f"Bands are 95 % intervals{over}, where two sentences or more have a score."
        show_blocks(note(bands), key="length_note")


def _trouble(run: Run) -> None:
    """List the problems of the files."""
    total, problems = data.problems(run)
    if not total:
        show_blocks(note("No problems were found in the files."), key="problems_note")
        return
    st.subheader(f"Problems in the files: {total:,}", anchor=False)
    rows = problems[list(_PROBLEM_WIDTHS)]
    problems_table(rows.assign(kind=rows["kind"].str.replace("_", " ")), _PROBLEM_WIDTHS, key="problems")
    save_table(rows, "problems", f"Problems in the files of the run.\n{run.signature}")
    if total > len(problems):
        show_blocks(note(f"The first {len(problems):,} are shown; the run's table has all."), key="problems_note")
