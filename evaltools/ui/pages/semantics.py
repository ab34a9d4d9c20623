"""Semantics: how much of the meaning parsers find, what they lose, and how far a better choice would bring them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from evaltools.analysis.comparison.standing import Standing, describe
from evaltools.drawing.blocks import answer, facts, note
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.weights import Weights
from evaltools.runs.store import Run
from evaltools.text import percent
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.hotspots.table import group_controls, group_picker, group_rows, group_table, part_picker
from evaltools.ui.overview.leaderboard import leaderboard_table, table_notes
from evaltools.ui.semantics.board import Board, board_of
from evaltools.ui.semantics.nbest import nbest_section
from evaltools.ui.semantics.weights import weights_editor
from evaltools.ui.sentence.view import show_sentence
from evaltools.ui.session import data, library, state
from evaltools.ui.significance.table import significance_table
from evaltools.ui.widgets.metadata import few, units_picker
from evaltools.ui.widgets.pickers import choice_picker, figure_switches, parsers_picker, sentence_picker, switch
from evaltools.ui.widgets.saving import Origin

__all__ = ["render"]

_PAGE = "semantics"


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Semantics", anchor=False)
    weights = run.framework.weights
    if run.framework.own_page != _PAGE or weights is None:
        _explain(run)
        return
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        average, every = figure_switches(run)
        cluster = units_picker(run)
    figure = average + ("_all" if every else "")
    table = st.container()
    rules, changed = weights_editor(run, weights)
    weighed = rules if changed else None
    board = board_of(run, weights, weighed, cluster)
    metrics = [first for first in run.metrics if METRICS[first].reported] or list(run.metrics[:8])
    wanted = state.get("metric", run.main_metric)
    metric = wanted if wanted in run.metrics else run.main_metric
    summary = board.summary(metrics, figure, metric)
    wanted = state.get("parser", data.leader(run, metric))
    parser = wanted if wanted in run.parsers else run.parsers[0]
    with top:
        show_blocks(answer(_answer(board, summary.standing)), key="semantics_answer")
    with table:
        leaderboard_table(run, summary, parser=parser, metric=metric, rules=board.identity)
        notes = table_notes(run, summary)
        notes += [few(run, cluster)] if few(run, cluster) else []
        show_blocks(
            note(f"{METRICS[metric].title}, {summary.base}. Click a figure to choose parser and metric."),
            *map(note, notes),
            key="semantics_note",
        )
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("Significance", anchor=False)
        titles = {name: METRICS[name].title for name in run.metrics}
        choice_picker("Metric", list(titles), name="metric", default=run.main_metric, titles=titles)
        significance_table(run, summary.standing, "semantics", board.identity)
    with right:
        _spans(run)
    st.subheader("One parser", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parser, second = parsers_picker(run, parser)
    nbest_section(run, parser)
    st.subheader("Lost triples", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        group = group_picker(run)
        options = group_controls(group, over="all" if every else "scored", weights=weighed)
    part = part_picker(run, group, cluster if second else "")
    rows = group_rows(part, group, parser, second, options)
    show_blocks(answer(group.answer(rows, parser, options, second)), key="semantics_lost")
    chosen = group_table(part, group, parser, second, options, rows, "semantics", any_sentence=True)
    st.subheader("One sentence", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sentence = sentence_picker(run, chosen.order[0] if chosen is not None else 1)
        pair = _pair(parser, second)
    _sentence(run, sentence, *pair, weights, weighed)


def _pair(parser: str, other: str) -> tuple[str, str]:
    """Let the reader choose two of gold and two parsers; return parser and what it is compared with."""
    if not other:
        return parser, ""
    titles = {"": f"gold and {parser}", "other": f"gold and {other}", "both": f"{other} and {parser}"}
    return {"": (parser, ""), "other": (other, ""), "both": (parser, other)}[switch("Graphs", "graphs", titles)]


def _sentence(run: Run, number: int, parser: str, other: str, weights: Weights, rules: Any) -> None:
    """Show two graphs of a sentence, and their triples, under the weights of the page."""
    sentence = replace(data.sentence(run, number, parser, other), sources=())
    origin = Origin.of_sentence(run, number, sentence.upper, sentence.lower)
    if rules is not None:
        sentence = replace(sentence, alignment=weights.align(sentence.alignment, rules))
        origin = replace(origin, signature=f"{origin.signature}{weights.identity(rules)}")
    show_sentence(run.framework, sentence, origin, key="semantics_graphs")


def _explain(run: Run) -> None:
    """Say what this page needs, and lead to the sample that has it."""
    show_blocks(
        answer(
            f"This run compares {run.framework.title}; this page is about semantic graphs with spans: EDS, DMRS, MRS."
        ),
        note("evaltools score GOLD FILE… -o RUN writes such a run when the files hold such graphs."),
        key="semantics_explain",
    )
    known = library.sample_for(_PAGE)
    st.button(
        "Open the sample of semantic graphs",
        icon=":material/folder_open:",
        key="semantics_sample",
        on_click=lambda: library.show(known),
    )


def _answer(board: Board, found: Standing) -> str:
    before = "With the weights of this page: " if board.identity else ""
    return before + describe(found)


def _spans(run: Run) -> None:
    """Say what it changes whether spans are compared exactly or without punctuation."""
    st.subheader("Exact and trimmed spans", anchor=False)
    rows = []
    for parser in run.parsers:
        under = run.meta["spans_change"][parser]
        exact, trimmed = under["exact"], under["trimmed"]
        more = "" if exact is None or trimmed is None else percent(trimmed - exact, signed=True)
        rows.append((parser, f"{percent(exact)} → {percent(trimmed)}", more))
    spans = run.edm_rules.spans
    show_blocks(
        facts(rows, remark="what trimming changes"),
        note(
            "EDM (F1) over the parsed sentences, exact → trimmed. Trimmed: without white space, and without "
            "punctuation at the edges of spans, where both files have the text. This run was scored with "
            f"{spans} spans; evaltools score --spans sets them."
        ),
        key="semantics_spans",
        origin=Origin("exact-and-trimmed-spans", "EDM (F1) of every parser, exact → trimmed", run.signature),
    )
