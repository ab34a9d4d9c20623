"""Sentence: how one parse differs from the gold analysis, or from another parser's, and its scores."""

from __future__ import annotations

import streamlit as st

from evaltools.app.sentence import list_line, opened_list, origin_line, show_run_sentence
from evaltools.app.session import data, state
from evaltools.app.widgets.pickers import chosen_parser, other_picker, parser_picker, sentence_picker
from evaltools.runs.store import Run


def render(run: Run) -> None:
    """Draw the page."""
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    above, top = st.container(), st.container()
    with controls:
        st.header("Sentence", width="content")
        opened = opened_list(run)
        first = data.first_sentence(run, chosen_parser(run))
        number = sentence_picker(run, first, around=(lambda _: None) if opened is None else opened.neighbors)
        with st.container(width=190):
            parser = parser_picker(run, also={**state.DESELECTED, "sentence": number})
        with st.container(width=160):
            other = other_picker(run, parser)
    if opened is not None:
        with above:
            list_line(opened, number)
    origin_line(run, number, parser, key="sentence")
    compared = () if opened is None else opened.compared
    show_run_sentence(run, number, parser, other, key="sentence", top=top, controls=controls, compared=compared)
