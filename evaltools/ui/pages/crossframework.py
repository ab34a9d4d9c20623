"""Cross-framework: how parsers compare, whatever their theory, and which differences are significant."""

from __future__ import annotations

import streamlit as st

from evaltools.analysis.standing import describe
from evaltools.charts.intervals import shown
from evaltools.metrics import METRICS
from evaltools.runs.projectivized import describe_projectivized
from evaltools.runs.store import Run
from evaltools.ui import data, library, overview_charts, sidebar, state
from evaltools.ui.charting import chart
from evaltools.ui.leaderboard_table import leaderboard_table, table_notes
from evaltools.ui.overview_coverage import coverage_of
from evaltools.ui.pickers import choice_picker, parser_picker, sentence_picker
from evaltools.ui.plain import answer, facts, note, plain
from evaltools.ui.protocol_view import protocol_view
from evaltools.ui.saving import Origin
from evaltools.ui.significance_view import significance

__all__ = ["render"]

_FIGURE = "pooled_all"
"""Parsers are compared on all sentences: one that fails on some must not gain by it."""

_ORDER = ("tedeval", "tedeval2011")


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Cross-framework", anchor=False)
    if run.kind != "crossframework":
        _explain(run)
        return
    top = st.container()
    board = overview_charts.board(run)
    metrics = sorted((one for one in run.metrics if METRICS[one].family in _ORDER), key=_place)
    metrics = [metric for metric in metrics if board.loc[board["metric"] == metric, _FIGURE].notna().any()]
    wanted = state.get("metric", "tedeval_multiple_unlabelled")
    metric = wanted if wanted in metrics else "tedeval_multiple_unlabelled"
    standings = data.standings(run, list(dict.fromkeys((*metrics, metric))), _FIGURE)
    theories = {entry["name"]: entry["theory"] for entry in run.meta["parsers"]}
    with top:
        titles = {name: f"{name} ({theory})" for name, theory in theories.items()}
        plain(answer(describe(standings[metric], titles)), key="cross_answer")
    parser = state.get("parser", data.leader(run, metric))
    parser = parser if parser in run.parsers else run.parsers[0]
    leaderboard_table(
        board,
        coverage_of(run),
        metrics,
        _FIGURE,
        standings,
        parser=parser,
        metric=metric,
        run=run,
        more={"theory": theories},
    )
    plain(
        note(
            "Percentages, counts summed over all sentences, of a missing parse nothing matched; ± is half the width of "
            "the 95 % interval. Own gold (single): against the gold of the parser’s own theory. All golds (multiple): "
            "against what they have in common, the only figure by which parsers of different theories may be compared. "
            "2011: the earlier measure, by the edit distance of trees, also against all golds."
        ),
        *([note(said)] if (said := describe_projectivized(run.meta)) else []),
        *map(note, table_notes(run, {name: standings[name] for name in metrics})),
        key="cross_note",
    )
    _significance(run, metric, metrics)
    _overlap(run)
    _sentence(run, parser)


def _place(metric: str) -> tuple[int, bool]:
    return _ORDER.index(METRICS[metric].family), "single" in metric


def _explain(run: Run) -> None:
    """Say what this page needs, and lead to the sample that has it."""
    what = "semantic graphs" if run.kind == "semantics" else f"{run.kind} trees"
    plain(
        answer(f"This run compares {what} with one gold file; here parsers of different theories meet."),
        note("evaltools crossframework --gold THEORY=FILE… --parser NAME:THEORY=FILE… -o RUN writes such a run."),
        key="cross_explain",
    )
    known = library.across_frameworks()
    st.button(
        "Open the sample across frameworks",
        icon=":material/folder_open:",
        key="cross_sample",
        on_click=lambda: sidebar.show(known),
    )


def _significance(run: Run, metric: str, metrics: list[str]) -> None:
    st.subheader("Significance", anchor=False)
    titles = {name: METRICS[name].title for name in metrics}
    with st.container(width=320):
        choice_picker("Metric", list(titles), name="metric", default="tedeval_multiple_unlabelled", titles=titles)
    significance(run, metric, over="all")


def _overlap(run: Run) -> None:
    st.subheader("What the golds have in common", anchor=False)
    rows = []
    for pair, shares in run.meta["overlap"].items():
        values = [shown(shares[one], share=True) for one in ("unlabelled", "labelled")]
        rows.append((pair.replace("+", " and "), f"{values[0]} of the nodes", f"{values[1]} of the functions"))
    if not rows:
        plain(note("There is one gold treebank; single and multiple are the same."), key="cross_overlap")
        return
    left, right = st.columns([2, 3], gap="large")
    with left:
        remark = "The rest is theory, and is counted against nobody under multiple."
        origin = Origin("overlap", "1 − |A △ B| / (|A| + |B|), per cent", run.signature)
        plain(
            facts(rows, "Overlap of the golds"),
            note(f"1 − |A △ B| / (|A| + |B|), per cent. {remark}"),
            key="cross_overlap",
            origin=origin,
        )
    with right:
        chart(
            overview_charts.intervals(run, "tedeval_multiple_unlabelled", _FIGURE),
            key="cross_intervals",
            signature=run.signature,
            says="TedEval of every parser against all golds, unlabelled, with intervals.",
        )


def _sentence(run: Run, parser: str) -> None:
    st.subheader("One sentence, step by step", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = sentence_picker(run)
        with st.container(width=260):
            parser = parser_picker(run, default=parser)
    protocol_view(run, number, parser, key="protocol")
