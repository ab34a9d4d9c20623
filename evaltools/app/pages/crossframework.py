"""Cross-framework: how parsers compare, whatever their theory, and which differences are significant."""

from __future__ import annotations

import streamlit as st

from evaltools.analysis.standing import describe
from evaltools.app.components.blocks import show_blocks
from evaltools.app.report import leaderboard_table, offer_sample, report, section, show_section
from evaltools.app.sentence import show_run_sentence
from evaltools.app.session import data
from evaltools.app.significance import significance
from evaltools.app.widgets.pickers import (
    chosen_metric,
    chosen_parser,
    few,
    metric_picker,
    parser_picker,
    sentence_picker,
    units_picker,
)
from evaltools.blocks import Text, answer, note
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.sections import intervals, table_notes
from evaltools.outputs.summary import describe_left_out
from evaltools.runs.store import Run

_PAGE = "crossframework"
_FIGURE = "pooled_all"
"""Parsers are compared on all sentences: one that fails on some must not gain by it."""


_ABOUT = (
    "Percentages, micro over all sentences. Own gold (single): compared with the gold of the parser’s own theory. All "
    "golds (multiple): compared with what the golds have in common; only this figure compares parsers of different "
    "theories. 2011: the earlier measure, by tree edit distance, also compared with all golds."
)


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Cross-framework", anchor=False)
    if not run.theories:
        offer_sample(
            _PAGE,
            f"This run compares {run.framework.title} with one gold file. This page compares parsers of different "
            "theories.",
            "evaltools crossframework --gold THEORY=FILE… --parser NAME:THEORY=FILE… -o RUN writes such a run.",
        )
        return
    top = st.container()
    cluster = units_picker(run)
    board = data.board(run, cluster)
    main = run.framework.figures.main
    metrics = sorted(run.metrics, key=lambda one: _place(METRICS[one], METRICS[main]))
    metrics = [metric for metric in metrics if board.loc[board["metric"] == metric, _FIGURE].notna().any()]
    metric = chosen_metric(metrics, main)
    summary = data.summary(run, metrics, _FIGURE, metric, cluster)
    theories = {entry["name"]: entry["theory"] for entry in run.meta["parsers"]}
    with top:
        titles = {name: f"{name} ({theory})" for name, theory in theories.items()}
        show_blocks(answer(describe(summary.standing, titles)), key="cross_answer")
    parser = chosen_parser(run, metric)
    leaderboard_table(run, summary, parser=parser, metric=metric, more={"theory": theories})
    notes = [_ABOUT, *describe_left_out(run), *run.framework.runs.notes(run.meta), *table_notes(summary)]
    show_blocks(*map(note, filter(None, (*notes, few(run, cluster)))), key="cross_note")
    _significance(run, metric, metrics, cluster)
    _overlap(run)
    _sentence(run, parser)


def _place(metric: Metric, main: Metric) -> tuple[bool, bool]:
    """Sort first what Overview shows, and there what compares with the same gold trees as the main metric."""
    norms = {item.place.norm for item in (metric, main) if item.place.mapping}
    return not metric.place.overview, len(norms) > 1


def _significance(run: Run, metric: str, metrics: list[str], cluster: str) -> None:
    st.subheader("Significance", anchor=False)
    with st.container(width=320):
        metric_picker(run, default=run.framework.figures.main, metrics=metrics)
    significance(run, metric, over="all", cluster=cluster)


def _overlap(run: Run) -> None:
    st.subheader("What the golds have in common", anchor=False)
    blocks = section(run, "details", _FIGURE, run.framework.figures.main)
    if not blocks:
        show_blocks(note("There is one gold treebank; own gold and all golds are the same."), key="cross_overlap")
        return
    left, right = st.columns([2, 3], gap="large")
    with left:
        remark = "The rest is theory-specific; scores against all golds do not count it."
        show_section(run, [*blocks, Text(remark)], "cross_overlap")
    with right:
        main = run.framework.figures.main
        show_section(run, [intervals(report(run, [main], _FIGURE, main))], "cross_intervals")


def _sentence(run: Run, parser: str) -> None:
    st.subheader("One sentence, step by step", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = sentence_picker(run)
        with st.container(width=260):
            parser = parser_picker(run, default=parser)
    show_run_sentence(run, number, parser, key="protocol")
