"""Hotspots: where the errors are, from a table to the words, and on to the alignment."""

from __future__ import annotations

import numpy as np
import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.hotspots import (
    hotspots_picker,
    hotspots_table,
    limits,
    matrix_of,
    question_controls,
    question_of,
    question_picker,
)
from evaltools.app.sentence import sentence_detail
from evaltools.app.widgets.pickers import parsers_picker
from evaltools.blocks import answer, note
from evaltools.errors import ParameterError
from evaltools.runs.store import Run
from evaltools.text import capitalized

_ALL = "This view is of all parsers of the run together"


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Hotspots")
    if not run.framework.questions().hotspots:
        says = f"Hotspots need trees or graphs of one framework; this run compares {run.framework.title}."
        show_blocks(answer(says), key="hotspots_kind")
        return
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="hotspots_controls"):
        parser, other = parsers_picker(run, disabled=_ALL if question_of(run).kind.of_all_parsers else "")
        question = question_picker(run)
        other = "" if question.kind.of_all_parsers else other
        options = question_controls(question)
        try:
            table = hotspots_picker(run, question, parser, other, options)
        except ParameterError as error:
            with top:
                show_blocks(answer(f"{capitalized(str(error))}."), key="hotspots_answer")
            return
        after_controls = st.container(width="content")
    with st.spinner(f"Searching the {run.framework.nouns.tree}s …", show_time=True):
        headline = table.headline
    with after_controls:
        matrix = matrix_of(table)
    about = question.description
    if other:
        about = f"Below 0, {parser} has fewer. ✓: significant among all rows (FDR 5 %); each row has its own interval."
    remark = " ".join(filter(None, [(about + limits(table)).strip(), table.left_out]))
    with top:
        show_blocks(answer(headline), *([note(remark)] if remark else []), key="hotspots_answer")
    if table.rows.empty:
        st.subheader("No rows")
    chosen = hotspots_table(table, "hotspots", matrix=matrix)
    if chosen is not None:
        sentence_detail(
            run,
            chosen.parser,
            np.array(chosen.order, dtype=np.int32),
            chosen.order.index(chosen.sentence),
            page="hotspots",
            title=chosen.title,
            words=chosen.words if question.kind.marks_words else (),
            is_one_of=bool(other) or question.kind.of_all_parsers,
        )
