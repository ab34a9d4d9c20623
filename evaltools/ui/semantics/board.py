"""The leaderboard of a run of semantic graphs, with its own or with edited weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.analysis.comparison.standing import Standing, standings
from evaltools.frameworks.weights import Weights
from evaltools.runs.folders.database import FrameTables
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences
from evaltools.ui.overview import charts
from evaltools.ui.session import data

__all__ = ["Board", "board_of"]


@dataclass(frozen=True)
class Board:
    """Figures of all parsers under some weights, and the comparisons of the parsers."""

    figures: pd.DataFrame
    identity: str  # Of the weights; empty for those of the run
    standings: Callable[[Sequence[str], str], dict[str, Standing]]


def board_of(run: Run, weights: Weights, rules: Any, cluster: str = "") -> Board:
    """Return the leaderboard under the weights of some rules; None for those of the run.

    With `cluster`, a column of the metadata, its values (documents) are swapped and drawn as a whole.
    """
    if rules is None:
        return Board(charts.board(run, cluster), "", partial(data.standings, run, cluster=cluster))
    identity = weights.identity(rules)
    key = data.run_key(run)
    figures, sums = _reweighted(key, identity, cluster, run, weights, rules)
    return Board(
        figures,
        identity,
        lambda metrics, figure: _standings(f"{key}\n{identity}\n{cluster}", tuple(metrics), figure, sums, run),
    )


@st.cache_resource(max_entries=16, show_spinner="Weighing the triples …")
def _reweighted(
    key: str, identity: str, cluster: str, _run: Run, _weights: Weights, _rules: Any
) -> tuple[pd.DataFrame, Sums]:
    metadata = {"metadata": _run.query("select * from metadata")} if cluster else {}
    tables = FrameTables(_run.parsers, _run.n_sentences, _weights.sentences(_run, _rules), **metadata)
    sums = sum_sentences(tables, _run.metrics, cluster=cluster)
    return analysis.leaderboard(sums, _run.parsers, _run.metrics), sums


@st.cache_resource(max_entries=32, show_spinner="Comparing the parsers …")
def _standings(key: str, metrics: tuple[str, ...], figure: str, _sums: Sums, _run: Run) -> dict[str, Standing]:
    return standings(_sums, _run.parsers, metrics, figure)
