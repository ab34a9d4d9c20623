"""The leaderboard of a run of semantic graphs, by its own weights or by others."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.analysis.standing import Standing, standings
from evaltools.metrics.edm_rules import EdmRules
from evaltools.runs.database import frame_query
from evaltools.runs.reweighting import reweighted_sentences
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences
from evaltools.ui import data, overview_charts

__all__ = ["Board", "board_of"]


class Board:
    """Figures of all parsers, and where they stand.

    Parameters
    ----------
    figures : DataFrame
        From :func:`evaltools.analysis.leaderboard`.
    identity : str
        What tells it from boards of other weights; empty for the run's own.
    standings : callable
        From metric ids and a figure to where the parsers stand by it.
    """

    def __init__(
        self, figures: pd.DataFrame, identity: str, standings: Callable[[Sequence[str], str], dict[str, Standing]]
    ) -> None:
        self.figures, self.identity, self.standings = figures, identity, standings


def board_of(run: Run, rules: EdmRules | None) -> Board:
    """Return figures under the weights of some rules; None for those of the run."""
    if rules is None:
        return Board(overview_charts.board(run), "", lambda metrics, figure: data.standings(run, metrics, figure))
    identity = json.dumps(rules.to_dict(), sort_keys=True)
    key = data.run_key(run)
    figures, sums = _reweighted(key, identity, run, rules)
    return Board(
        figures,
        identity,
        lambda metrics, figure: _standings(f"{key}\n{identity}", tuple(metrics), figure, sums, run),
    )


@st.cache_resource(max_entries=16, show_spinner="Weighing the triples …")
def _reweighted(key: str, identity: str, _run: Run, _rules: EdmRules) -> tuple[pd.DataFrame, Sums]:
    query = frame_query(reweighted_sentences(_run, _rules))
    sums = sum_sentences(query, _run.metrics, _run.n_sentences, common=True)
    return analysis.leaderboard(sums, _run.parsers, _run.metrics), sums


@st.cache_resource(max_entries=32, show_spinner="Comparing the parsers …")
def _standings(key: str, metrics: tuple[str, ...], figure: str, _sums: Sums, _run: Run) -> dict[str, Standing]:
    return standings(_sums, _run.parsers, metrics, figure)
