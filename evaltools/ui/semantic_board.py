"""The leaderboard of a run of semantic graphs, by its own weights or by others."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from evaltools.analysis.bootstrap import FIGURES
from evaltools.metrics.edm_rules import EdmRules
from evaltools.runs.figures import summarize
from evaltools.runs.reweighting import reweighted_sentences
from evaltools.runs.store import Run
from evaltools.ui import data, overview_charts

__all__ = ["Board", "board_of"]


class Board:
    """Figures and counts of all parsers.

    Parameters
    ----------
    figures : DataFrame
        As of :func:`evaltools.analysis.leaderboard`; without intervals under other weights than the run's.
    identity : str
        What tells it from boards of other weights; empty for the run's own.
    counts : callable
        From a parser to its counts by sentence.
    """

    def __init__(self, figures: pd.DataFrame, identity: str, counts: Callable[[str], pd.DataFrame]) -> None:
        self.figures, self.identity, self.counts = figures, identity, counts


def board_of(run: Run, rules: EdmRules | None) -> Board:
    """Return figures and counts under the weights of some rules; None for those of the run."""
    if rules is None:
        return Board(overview_charts.board(run), "", run.counts)
    said = json.dumps(rules.to_dict(), sort_keys=True)
    figures, counts = _reweighted(data.run_key(run), said, run, rules)
    return Board(figures, said, lambda parser: counts[counts["parser"] == parser])


@st.cache_resource(max_entries=16, show_spinner="Weighing the triples …")
def _reweighted(key: str, said: str, _run: Run, _rules: EdmRules) -> tuple[pd.DataFrame, pd.DataFrame]:
    counts = reweighted_sentences(_run, _rules)
    figures = summarize(counts, _run.parsers, _run.metrics)
    none = {f"{figure}_{end}": np.nan for figure in FIGURES for end in ("low", "high")}
    return figures.assign(**none), counts
