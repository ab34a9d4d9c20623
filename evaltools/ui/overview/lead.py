"""The lines below the first one of *Overview*: the leader's costliest error types, and the metrics that disagree."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaltools.analysis.costliest_types import CostlyType, costliest_types, describe_types
from evaltools.analysis.metric_pairs import MetricPair, describe_pair, most_different
from evaltools.drawing.blocks import answer, note
from evaltools.frameworks.error_types import ErrorTypes
from evaltools.frameworks.wording import count_of
from evaltools.runs.store import Run
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.hotspots.parts import part_of, sizes
from evaltools.ui.sentences import ranking
from evaltools.ui.session import kernels, state
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.widgets.folding import folded

__all__ = ["errors_by_parser", "lead"]

_MAX_RANKED = 20_000
"""Runs of up to so many sentences are ranked by every two metrics."""
_ERRORS_VIEW = "errors"
_NOT_CARRIED: dict[str, None] = dict.fromkeys(("sentence", "box", "cell", "view", "group"))
"""What the URL may say of another page, and links from here leave out."""
_ARROW = ":material/arrow_forward:"


@cached_by_run(64)
def _costliest(run: Run, parser: str) -> list[CostlyType]:
    types = run.framework.error_types
    if types is None:
        return []
    part = part_of(run, _n_analyzed(run))
    n_words = dict(enumerate(ranking.facts(run, parser).words.tolist(), start=1))
    return costliest_types(types, part, parser, n_words)


@cached_by_run(32)
def _furthest(run: Run, parser: str, metrics: tuple[str, ...]) -> MetricPair | None:
    _, scores = ranking.read(run, parser, metrics)
    return most_different(dict(zip(metrics, scores, strict=True)), ranking.metric_distances(run, parser))


def _n_analyzed(run: Run) -> int:
    return sizes(run.n_sentences)[1]


def _limits(run: Run) -> str:
    size = _n_analyzed(run)
    return f" in the first {size:,} sentences" if size < run.n_sentences else ""


def lead(run: Run, parser: str, metrics: list[str]) -> None:
    """Show the lines; they wait for the kernels without holding up the page."""
    # the server loads the kernels after its first page, and repairs and rankings need them
    every = 0.7 if kernels.compiling() else None

    @st.fragment(run_every=every, key="overview_lead")
    def lines() -> None:
        if kernels.compiling():
            show_blocks(note("Loading the kernels for error types and rankings …"), key="lead_waiting")
            return
        if every is not None:
            st.rerun()  # only a run of the page ends the repetition
        types = run.framework.error_types
        if types is not None:
            _types_line(run, types, parser)
        if len(metrics) > 1 and run.n_sentences <= _MAX_RANKED:
            _pair_line(run, parser, metrics)

    lines()


def _types_line(run: Run, types: ErrorTypes, parser: str) -> None:
    """Show the costliest error types of a parser, each with an example and a link."""
    costliest = _costliest(run, parser)
    show_blocks(answer(describe_types(costliest, parser, _limits(run))), key="lead_types")
    if not costliest:
        return
    with st.container(key="lead_examples"):
        for column, item in zip(st.columns(len(costliest), gap="medium"), costliest, strict=True):
            with column.container(gap="xxsmall"):
                _type_link(run, parser, item.title, item.title)
                text = f"Largest part: {item.part} ({count_of(item.part_repaired, 'bracket')}). "
                text += f"Sentence {item.sentence}, repaired: {item.example}."
                show_blocks(note(text), key=f"lead_example_{item.title}")


def _type_link(run: Run, parser: str, title: str, label: str) -> None:
    query = state.link(parser=parser, view=_ERRORS_VIEW, group=title, other=None, sentence=None)
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


@st.fragment(key="overview_errors")
def errors_by_parser(run: Run, parsers: Sequence[str]) -> None:
    """Show the three costliest error types of every parser, each a link, when the section is opened."""
    if run.framework.error_types is None:
        return
    section = folded("Where the errors are: the costliest error types of every parser", "errors")
    if section is None:
        return
    with section:
        kernels.wait_for_kernels()
        for parser in parsers:
            with st.spinner("Repairing the trees …"):
                costliest = _costliest(run, parser)
            name, *columns = st.columns([2, 3, 3, 3], gap="small", vertical_alignment="center")
            name.text(parser)
            for column, item in zip(columns, costliest, strict=False):
                with column:
                    _type_link(run, parser, item.title, f"{item.title}: {item.repaired:,}, {100 * item.share:.0f} %")
        limits = f",{_limits(run)}" if _limits(run) else ""
        show_blocks(
            note(f"Brackets repaired{limits}, and their share of all brackets repaired."), key="errors_by_parser_note"
        )
