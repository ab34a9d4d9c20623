"""Hotspots: where the errors are, from a table to the words, and on to the alignment."""

from __future__ import annotations

import numpy as np
import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.hotspots import (
    group_controls,
    group_of,
    group_picker,
    group_rows,
    group_table,
    keep_row,
    limits,
    part_picker,
    view_switch,
)
from evaltools.app.sentence import sentence_detail
from evaltools.app.session.fragments import page_fragment
from evaltools.app.session.kernels import wait_for_kernels
from evaltools.app.widgets.pickers import parsers_picker
from evaltools.drawing.blocks import answer, note
from evaltools.errors import ParameterError
from evaltools.runs.notes import Notes
from evaltools.runs.store import Run
from evaltools.text import capitalized

_ALL = "This view is of all parsers of the run together"


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Hotspots")
    if not run.framework.questions().groups:
        says = f"Hotspots need trees or graphs of one framework; this run compares {run.framework.title}."
        show_blocks(answer(says), key="hotspots_kind")
        return
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="hotspots_controls"):
        parser, other = parsers_picker(run, also=keep_row, disabled=_ALL if group_of(run).of_all_parsers else "")
        group = group_picker(run)
        other = "" if group.of_all_parsers else other
        options = group_controls(group)
        try:
            part = part_picker(run, group, compared=(parser, other) if other else None)
        except ParameterError as error:
            with top:
                show_blocks(answer(f"{capitalized(str(error))}."), key="hotspots_answer")
            return
        after_controls = st.container(width="content")
    wait_for_kernels()
    with st.spinner(f"Searching the {run.framework.nouns.tree}s …", show_time=True):
        rows = group_rows(part, group, parser, other, options)
    with after_controls:
        show = view_switch(part, group, parser, other, options, rows)
    about = group.description
    if other:
        about = f"Below 0, {parser} has fewer. ✓: significant among all rows (FDR 5 %); each row has its own interval."
    remark = " ".join(filter(None, [(about + limits(part)).strip(), group.left_out(part, parser)]))
    with top:
        show_blocks(
            answer(group.answer(rows, parser, options, other)),
            *([note(remark)] if remark else []),
            key="hotspots_answer",
        )
    if rows.empty:
        st.subheader("No rows")

    @page_fragment("hotspots_list")
    def listed() -> None:
        chosen = group_table(part, group, parser, other, options, rows, "hotspots", show=show)
        if chosen is not None:
            sentence_detail(
                run,
                chosen.parser,
                np.array(chosen.order, dtype=np.int32),
                chosen.order.index(chosen.sentence),
                Notes(run),
                page="hotspots",
                title=chosen.title,
                words=chosen.words if group.marks_words else (),
                is_one_of=bool(other) or group.of_all_parsers,
            )

    listed()
