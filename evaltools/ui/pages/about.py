"""About the metrics."""

from __future__ import annotations

import streamlit as st

from evaltools.runs.store import Run

__all__ = ["render"]


def render(run: Run) -> None:
    """Draw the page."""
    st.header("About the metrics", anchor=False)
