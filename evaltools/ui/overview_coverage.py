"""How many sentences of each parser have a score."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.runs.store import Run
from evaltools.runs.sums import status_counts
from evaltools.ui import data

__all__ = ["coverage_of"]


@st.cache_resource(max_entries=8, show_spinner=False)
def _coverage(key: str, _run: Run) -> pd.DataFrame:
    return analysis.coverage(status_counts(_run.answer), _run.parsers)


def coverage_of(run: Run) -> pd.DataFrame:
    """Return ``parser`` and how many of its sentences are scored, missing, or have other words."""
    return _coverage(data.run_key(run), run)
