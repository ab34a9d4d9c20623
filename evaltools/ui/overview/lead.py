"""The lines below the first one of *Overview*: the leader's costliest errors, and the metrics that disagree."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaltools.analysis.costliest import CostlyRow, costliest_rows, describe_rows, leading_group, remainder
from evaltools.analysis.metric_pairs import MetricPair, describe_pair, most_different
from evaltools.drawing.blocks import answer, note, sentence
from evaltools.frameworks.groups import GroupBy
from evaltools.runs.store import Run
from evaltools.text import number, percentage
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.hotspots.agreed import agreed_line
from evaltools.ui.hotspots.parts import part_of, sizes
from evaltools.ui.sentences import ranking
from evaltools.ui.session import kernels, state
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.session.fragments import page_fragment
from evaltools.ui.widgets.choice_table import choice_name
from evaltools.ui.widgets.folding import folded

__all__ = ["LEAD", "costliest", "errors_by_parser", "lead"]

LEAD = "overview_lead"
"""The fragment of the lines, which follow the parser of the URL."""

_MAX_RANKED = 20_000
"""Runs of up to so many sentences are ranked by every two metrics."""
_NOT_CARRIED: dict[str, None] = dict.fromkeys(("sentence", "box", "cell", "view", "group"))
"""What the URL may say of another page, and links from here leave out."""
_ARROW = ":material/arrow_forward:"


@cached_by_run(64)
def _rest(run: Run, parser: str) -> str:
    """Return a sentence on uninformative rows that cost as much as the costliest ones."""
    group = leading_group(run.framework.groups)
    return "" if group is None else remainder(group, part_of(run, _n_analyzed(run)), parser, costliest(run, parser))


@cached_by_run(64)
def costliest(run: Run, parser: str) -> list[CostlyRow]:
    """Return the costliest rows of a parser."""
    group = leading_group(run.framework.groups)
    return [] if group is None else costliest_rows(group, part_of(run, _n_analyzed(run)), parser)


@cached_by_run(32)
def _furthest(run: Run, parser: str, metrics: tuple[str, ...]) -> MetricPair | None:
    _, scores = ranking.read(run, parser, metrics)
    return most_different(dict(zip(metrics, scores, strict=True)), ranking.metric_distances(run, parser))


def _n_analyzed(run: Run) -> int:
    return sizes(run.n_sentences)[1]


def _limits(run: Run) -> str:
    size = _n_analyzed(run)
    return f" in the first {size:,} sentences" if size < run.n_sentences else ""


def lead(run: Run, leader: str, metrics: list[str]) -> None:
    """Show the lines of the URL's parser, or the leader; they wait for the kernels without holding up the page."""
    # the server loads the kernels after its first page, and repairs and rankings need them
    every = 0.7 if kernels.compiling() else None

    @st.fragment(run_every=every, key=LEAD)
    def lines() -> None:
        parser = state.get("parser", leader)
        parser = parser if parser in run.parsers else leader
        if kernels.compiling():
            show_blocks(note("Loading the kernels for error types and rankings …"), key="lead_waiting")
            return
        if every is not None:
            st.rerun()  # only a run of the page ends the repetition
        group = leading_group(run.framework.groups)
        if group is not None:
            _costliest_line(run, group, parser)
        if len(metrics) > 1 and run.n_sentences <= _MAX_RANKED:
            _pair_line(run, parser, metrics)
        agreed_line(run, "lead")

    lines()


def _costliest_line(run: Run, group: GroupBy, parser: str) -> None:
    """Show the costliest rows of a parser, each with an example and a link."""
    rows = costliest(run, parser)
    rest = _rest(run, parser)
    remarks = [note(rest)] if rest else []
    finest = next(iter(run.framework.groups.values()))
    with st.container(horizontal=True, vertical_alignment="center", key="lead_types_row"):
        show_blocks(answer(describe_rows(rows, group, parser, _limits(run))), *remarks, key="lead_types")
        if finest is not group:
            query = state.link(parser=parser, view=finest.id, other=None, sentence=None)
            st.page_link("pages/hotspots.py", label=finest.title, icon=_ARROW, query_params=query)
    if not rows:
        return
    with st.container(key="lead_examples"):
        columns = st.columns(len(rows), gap="medium")
        for number, (column, item) in enumerate(zip(columns, rows, strict=True)):
            with column.container(gap="xxsmall"):
                quoted = sentence(item.words, item.marked, f"Sentence {item.sentence}:")
                show_blocks(answer(item.title), note(f"{item.figures}."), quoted, key=f"lead_example_{number}")
                _link(group, parser, item, f"Examples of this {group.row_name}")


def _link(group: GroupBy, parser: str, item: CostlyRow, label: str) -> None:
    row = {"group": choice_name(item.keys), "part": item.part, "sentence": item.sentence}
    query = state.link(parser=parser, view=group.id, other=None, **row)
    st.page_link("pages/hotspots.py", label=label, icon=_ARROW, query_params=query)


def _pair_line(run: Run, parser: str, metrics: list[str]) -> None:
    """Show which two metrics disagree most, with a link to their disagreement."""
    pair = _furthest(run, parser, tuple(metrics))
    if pair is None:
        return
    query = state.link(parser=parser, other=None, metric=pair.metric_a, metric2=pair.metric_b, **_NOT_CARRIED)
    with st.container(horizontal=True, vertical_alignment="center", key="lead_pair_row"):
        show_blocks(answer(describe_pair(pair, parser)), key="lead_pair")
        st.page_link("pages/disagreement.py", label="Disagreement", icon=_ARROW, query_params=query)


@page_fragment("overview_errors")
def errors_by_parser(run: Run, parsers: Sequence[str]) -> None:
    """Show the three costliest rows of every parser, each a link, when the section is opened."""
    group = leading_group(run.framework.groups)
    if group is None:
        return
    section = folded(f"Where the errors are: the costliest {group.row_name}s of every parser", "errors")
    if section is None:
        return
    with section:
        kernels.wait_for_kernels()
        for parser in parsers:
            with st.spinner("Repairing the trees …"):
                rows = costliest(run, parser)
            name, *columns = st.columns([2, 3, 3, 3], gap="small", vertical_alignment="center")
            name.text(parser)
            for column, item in zip(columns, rows, strict=False):
                with column.container(gap=None):
                    st.text(f"{item.title}: {number(item.cost)}, {percentage(item.share)}")
                    _link(group, parser, item, "Examples")
        limits = f",{_limits(run)}" if _limits(run) else ""
        show_blocks(
            note(f"{group.unit.capitalize()}{limits}, and their share of all {group.whole}."),
            key="errors_by_parser_note",
        )
