"""Which convention gives a figure: a dialog that scores the files of a parser again when it is opened."""

from __future__ import annotations

import streamlit as st

from evaltools.analysis.why import explain_figure
from evaltools.app.components.blocks import show_blocks
from evaltools.app.report import show_section
from evaltools.app.session.data import cached_by_run
from evaltools.blocks import note
from evaltools.errors import EvaltoolsError
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.why import why_blocks
from evaltools.runs.rescoring import Rescoring, explained_metrics, rescoring_of
from evaltools.runs.store import Run


@cached_by_run(2, "Scoring the files under other conventions …")
def _files(run: Run, parser: str, metric: str) -> Rescoring:
    return rescoring_of(run, parser, metric)


def why_button(run: Run, parser: str, metric: str) -> None:
    """Draw the button that opens the dialog about a figure, or about that by the main metric if it has conventions."""
    known = [item.id for item in explained_metrics(run.framework)]
    metric = metric if metric in known else run.main_metric
    if metric in known and st.button("Why this number?", icon=":material/help:", key="why", type="tertiary"):
        _dialog(run, parser, metric)


@st.dialog("Why this number?", width="large")
def _dialog(run: Run, parser: str, metric: str) -> None:
    share = "95.98" if METRICS[metric].is_share else "3.40"
    published = st.text_input(
        "Published figure",
        placeholder=f"such as {share}",
        help="Lists the conventions that give this figure, rounded as it is printed, and the steps that lead to it",
        key="why_published",
        width=220,
    )
    try:
        explained = explain_figure(_files(run, parser, metric), published.strip() or None)
    except EvaltoolsError as error:
        show_blocks(note(f"{error}."), key="why_error")
        return
    show_section(run, why_blocks(explained), "why_blocks")
