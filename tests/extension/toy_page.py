"""A page that says how many sentences a run has."""

from __future__ import annotations

import streamlit as st

from evaltools.app.frame import enter
from evaltools.runs.store import Run


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Sizes")
    st.text(f"{run.n_sentences} sentences")


enter(render)
