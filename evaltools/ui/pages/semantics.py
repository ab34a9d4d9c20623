"""Semantics: how much of the meaning parsers find, what they lose, and how far a better choice would bring them."""

from __future__ import annotations

import streamlit as st

from evaltools.analysis.standing import Standing, describe
from evaltools.charts.intervals import shown
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, library, sidebar, state
from evaltools.ui.leaderboard_table import leaderboard_table, table_notes
from evaltools.ui.overview_coverage import coverage_of
from evaltools.ui.pickers import choice_picker, figure_switches, parsers_picker, sentence_picker
from evaltools.ui.plain import answer, facts, note, plain
from evaltools.ui.saving import Origin
from evaltools.ui.semantic_board import Board, board_of
from evaltools.ui.semantic_groups import rows_of, semantic_answer
from evaltools.ui.semantic_hotspots import semantic_controls, semantic_table
from evaltools.ui.semantic_nbest import nbest_section
from evaltools.ui.semantic_sentence import sentence_graphs, shown_pair
from evaltools.ui.semantic_weights import weights_editor
from evaltools.ui.significance_table import significance_table

__all__ = ["render"]

_COLUMNS = ("edm", "edm_precision", "edm_recall", "edm_na", "edm_n", "edm_a", "edm_p", "edm_exact")


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Semantics", anchor=False)
    if run.kind != "semantics":
        _explain(run)
        return
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        average, every = figure_switches()
    figure = average + ("_all" if every else "")
    table = st.container()
    rules, changed = weights_editor(run)
    weighed = rules if changed else None
    board = board_of(run, weighed)
    metrics = [one for one in _COLUMNS if one in run.metrics] or list(run.metrics[:8])
    wanted = state.get("metric", data.main_metric(run))
    metric = wanted if wanted in run.metrics else data.main_metric(run)
    standings = board.standings(list(dict.fromkeys((*metrics, metric))), figure)
    wanted = state.get("parser", data.leader(run, metric))
    parser = wanted if wanted in run.parsers else run.parsers[0]
    with top:
        plain(answer(_answer(board, standings[metric])), key="semantics_answer")
    with table:
        leaderboard_table(
            board.figures,
            coverage_of(run),
            metrics,
            figure,
            standings,
            parser=parser,
            metric=metric,
            run=run,
            rules=board.identity,
        )
        notes = table_notes(run, {name: standings[name] for name in metrics})
        plain(note(_note(every=every)), *map(note, notes), key="semantics_note")
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("Significance", anchor=False)
        titles = {name: METRICS[name].title for name in run.metrics}
        choice_picker("Metric", list(titles), name="metric", default=data.main_metric(run), titles=titles)
        significance_table(run, standings[metric], "semantics", board.identity)
    with right:
        _spans(run)
    st.subheader("One parser", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parser, other = parsers_picker(run, parser)
    nbest_section(run, parser)
    st.subheader("What is lost", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = semantic_controls(parser, other, every=every, rules=weighed)
    rows = rows_of(run, chosen)
    plain(answer(semantic_answer(chosen, rows)), key="semantics_lost")
    order = semantic_table(run, chosen, rows, "semantics", any_sentence=True)
    st.subheader("One sentence", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sentence = sentence_picker(run, order[0] if order else 1)
        pair = shown_pair(parser, other)
    sentence_graphs(run, sentence, *pair, key="semantics_graphs", rules=weighed)


def _explain(run: Run) -> None:
    """Say what this page needs, and lead to the sample that has it."""
    what = "trees of several frameworks" if run.kind == "crossframework" else f"{run.kind} trees"
    plain(
        answer(f"This run compares {what}; here semantic graphs are compared: EDS, DMRS, MRS, MRP."),
        note("evaltools score GOLD NAME=FILE… -o RUN writes such a run when the files hold semantic graphs."),
        key="semantics_explain",
    )
    known = library.sample_of("semantics")
    st.button(
        "Open the sample of semantic graphs",
        icon=":material/folder_open:",
        key="semantics_sample",
        on_click=lambda: sidebar.show(known),
    )


def _answer(board: Board, found: Standing) -> str:
    before = "Under the weights of this page: " if board.identity else ""
    return before + describe(found)


def _note(*, every: bool) -> str:
    missing = "of a missing analysis nothing matched" if every else "sentences without analysis left out"
    return (
        f"Percentages; {missing}; ± is half the width of the 95 % interval. Click a figure to choose parser and metric."
    )


def _spans(run: Run) -> None:
    """Say what it changes whether spans are compared exactly or without punctuation."""
    st.subheader("Exact and trimmed spans", anchor=False)
    rows = []
    for parser in run.parsers:
        under = run.meta["spans_change"][parser]
        exact, trimmed = under["exact"], under["trimmed"]
        more = "" if exact is None or trimmed is None else f"{100 * (trimmed - exact):+.2f}"
        rows.append((parser, f"{shown(exact, share=True)} → {shown(trimmed, share=True)}", more))
    spans = run.edm_rules.spans
    plain(
        facts(rows, remark="what trimming changes"),
        note(
            "EDM (F1) over the scored sentences, exact → trimmed. Trimmed: without white space, and without "
            "punctuation at the edges of spans, where both files have the text. This run was scored with "
            f"{spans} spans; evaltools score --spans says which."
        ),
        key="semantics_spans",
        origin=Origin("exact-and-trimmed-spans", "EDM (F1) of every parser, exact → trimmed", run.signature),
    )
