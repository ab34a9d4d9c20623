"""One sentence below a list: its alignment, next and previous, bookmark and note."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.runs.notes import Note, Notes
from evaltools.runs.store import Run
from evaltools.ui.components.alignment_viewer import Marks, alignment_viewer
from evaltools.ui.components.alignment_viewer.arcs import arc_viewer
from evaltools.ui.components.plain import note as remark
from evaltools.ui.components.plain import plain
from evaltools.ui.sentence.protocol import protocol_view
from evaltools.ui.sentence.semantics import sentence_graphs
from evaltools.ui.sentences.part import origin_line
from evaltools.ui.session import data, state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.pickers import step_buttons
from evaltools.ui.widgets.saving import Origin
from evaltools.ui.wording.arcs import arcs_status
from evaltools.ui.wording.trees import status_note

__all__ = ["sentence_detail"]


def sentence_detail(
    run: Run, parser: str, order: NDArray[np.int32], place: int, notes: Notes, *, words: Sequence[int] = ()
) -> None:
    """Show a sentence's alignment under a list of sentences.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    order : ndarray of int32
        The sentences of the list, in its order.
    place : int
        Which of them to show.
    notes : Notes
        Where bookmarks and notes are kept.
    words : sequence of int
        Words to mark in the arcs of dependency trees, by their positions as read.
    """
    sentence = int(order[place])
    with st.container(horizontal=True, vertical_alignment="center", key="detail_head"):
        st.subheader(f"Sentence {sentence}", width="content")
        step_buttons(
            int(order[place - 1]) if place else None, int(order[place + 1]) if place + 1 < len(order) else None
        )
        plain_place = f"{place + 1:,} of {len(order):,} in this list"
        st.text(plain_place)
        st.page_link(
            "pages/sentence.py",
            label="Open in Sentence",
            icon=":material/open_in_full:",
            query_params=state.link(sentence=sentence, step=f"a{words[0]}" if words else None),
        )
    origin_line(run, sentence, parser, key="detail")
    _note_line(sentence, notes)
    if run.kind == "crossframework":
        protocol_view(run, sentence, parser, key="detail")
        return
    if run.kind == "semantics":
        sentence_graphs(run, sentence, parser, "", key="detail_graphs")
        return
    wait_for_kernels()
    origin = Origin.of_sentence(run, sentence, "gold", parser)
    if run.kind == "dependency":
        arcs = data.dependency_alignment(run, sentence, parser)
        if said := arcs_status(arcs, "gold", parser):
            plain(remark(said), key="detail_status")
        marks = Marks(tuple(words), tuple(words), tuple(words), "the words of the row") if words else None
        arc_viewer(arcs, key="detail_arcs", test_name=parser, highlight=marks, origin=origin)
        return
    alignment = data.alignment(run, sentence, parser)
    if said := status_note(alignment, "gold", parser):
        plain(remark(said), key="detail_status")
    alignment_viewer(alignment, key="detail_viewer", test_name=parser, origin=origin)


def _note_line(sentence: int, notes: Notes) -> None:
    kept = notes.all().get(sentence, Note())
    marked_key, text_key = f"marked_{sentence}", f"note_{sentence}"
    st.session_state[marked_key] = kept.marked
    st.session_state[text_key] = kept.text

    def keep() -> None:
        try:
            notes.put(sentence, Note(bool(st.session_state[marked_key]), str(st.session_state[text_key]).strip()))
        except OSError as error:
            st.toast(f"The note cannot be kept: {error.strerror}", icon=":material/error:")

    with st.container(horizontal=True, vertical_alignment="center"):
        st.toggle("Bookmark", key=marked_key, on_change=keep)
        st.text_input(
            "Note",
            key=text_key,
            on_change=keep,
            placeholder="a note that stays with the run",
            label_visibility="collapsed",
        )
