"""The line above the pages of a sample run: what the sample is, and scoring other files."""

from __future__ import annotations

import streamlit as st

from evaltools.runs.store import Run

__all__ = ["show_sample_line"]

_DISMISSED = "evaltools_sample_dismissed"


def show_sample_line(run: Run) -> None:
    """Describe the open sample run until the reader dismisses the line."""
    if st.session_state.get(_DISMISSED):
        return
    outputs = "output of 1 parser" if len(run.parsers) == 1 else f"outputs of {len(run.parsers)} parsers"
    sentences = f"{run.n_sentences:,} sentences with {run.framework.title}"
    with st.container(border=True, key="sample_line", horizontal=True, vertical_alignment="center"):
        st.text(f"This is the bundled sample: {sentences}, and the {outputs}.")
        if st.button("Score your own files", key="sample_score", type="tertiary", icon=":material/upload_file:"):
            from evaltools.ui.scoring.dialog import score_files_dialog

            score_files_dialog()
        st.button("Dismiss", key="sample_dismiss", type="tertiary", on_click=_dismiss)


def _dismiss() -> None:
    st.session_state[_DISMISSED] = True
