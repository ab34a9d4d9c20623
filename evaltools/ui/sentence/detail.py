"""One sentence below a list: its alignment, next and previous, bookmark and note."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.runs.notes import Note, Notes
from evaltools.runs.store import Run
from evaltools.ui.sentence.opened_list import OpenedList, against_gold
from evaltools.ui.sentence.view import show_run_sentence
from evaltools.ui.sentences.part import origin_line
from evaltools.ui.session import state
from evaltools.ui.widgets.pickers import step_buttons

__all__ = ["sentence_detail"]

_KEY = "detail"


def sentence_detail(
    run: Run,
    parser: str,
    order: NDArray[np.int32],
    place: int,
    notes: Notes,
    *,
    page: str,
    title: str,
    words: Sequence[int] = (),
    is_one_of: bool = False,
) -> None:
    """Show a sentence's alignment under a list of sentences.

    `page`, `title`: where the list is, and what it lists. `is_one_of`: whether its page is about several parsers, of
    which this one is shown against the gold tree.
    """
    sentence = int(order[place])
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="detail_head"):
        of_parser = f", parsed by {parser}" if is_one_of else ""
        st.subheader(f"Sentence {sentence}{of_parser}", width="content", anchor=False)
        step_buttons(
            int(order[place - 1]) if place else None, int(order[place + 1]) if place + 1 < len(order) else None
        )
        st.text(f"{place + 1:,} of {len(order):,} in this list")
        st.page_link(
            "pages/sentence.py",
            label="Open in Sentence",
            icon=":material/open_in_full:",
            query_params=state.link(
                sentence=sentence,
                step=f"a{words[0]}" if words else None,
                **{name: state.get(name) for name in state.SELECTIONS}
                | OpenedList.around(page, title, order.tolist(), place).query
                | (against_gold(parser) if is_one_of else {}),
            ),
        )
        _note_line(sentence, notes)
    origin_line(run, sentence, parser, key=_KEY)
    show_run_sentence(run, sentence, parser, key=_KEY, words=words, is_brief=True)


def _note_line(sentence: int, notes: Notes) -> None:
    kept = notes.all().get(sentence, Note())
    marked_key, text_key = f"marked_{sentence}", f"note_{sentence}"
    st.session_state[marked_key] = kept.marked
    st.session_state[text_key] = kept.text

    def keep() -> None:
        try:
            notes.put(sentence, Note(bool(st.session_state[marked_key]), str(st.session_state[text_key]).strip()))
        except OSError as error:
            st.toast(f"The note cannot be saved: {error.strerror}", icon=":material/error:")
        st.rerun()  # lists show notes, and a filter asks for them

    st.toggle("Bookmark", key=marked_key, on_change=keep)
    st.text_input(
        "Note",
        key=text_key,
        on_change=keep,
        placeholder="Add a note",
        label_visibility="collapsed",
    )
