"""The charts of *Overview*, made once for a run and a choice; what is kept is their Vega-Lite."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools import analysis, charts
from evaltools.analysis.standing import order_of
from evaltools.charts.theme import specification
from evaltools.runs.length_bins import LengthBins, length_bins
from evaltools.runs.store import Run
from evaltools.runs.sums import STEPS, Sums, length_counts, score_steps, sum_by_length
from evaltools.ui import data

__all__ = ["board", "bump", "by_variant", "distribution", "intervals", "length"]

Specification = dict[str, Any]


@st.cache_resource(max_entries=8, show_spinner=False)
def _board(key: str, _run: Run) -> pd.DataFrame:
    return analysis.leaderboard(data.sums(_run), _run.parsers, _run.metrics)


def board(run: Run) -> pd.DataFrame:
    """Return the leaderboard with intervals, of all metrics of the run."""
    return _board(data.run_key(run), run)


@st.cache_resource(max_entries=16, show_spinner=False)
def _by_variant(key: str, every: bool, _run: Run) -> tuple[pd.DataFrame, tuple[analysis.Variant, ...]]:
    return analysis.figures_by_variant(board(_run), every=every)


def by_variant(run: Run, *, every: bool) -> tuple[pd.DataFrame, tuple[analysis.Variant, ...]]:
    """Return the figures under every variant, and the variants; `every`: over all sentences."""
    return _by_variant(data.run_key(run), every, run)


@st.cache_resource(max_entries=32, show_spinner=False)
def _bump(key: str, every: bool, _run: Run) -> Specification:
    figures, variants = by_variant(_run, every=every)
    found = analysis.crossings(figures)
    texts = [analysis.describe_crossing(crossing, variants) for crossing in found]
    ranks = analysis.rank_parsers(figures)
    chart = charts.bump_chart(figures, ranks, variants, found, texts, parsers=_run.parsers)
    return specification(chart)


@st.cache_resource(max_entries=128, show_spinner=False)
def _intervals(key: str, metric: str, figure: str, _run: Run) -> Specification:
    chart = charts.intervals_chart(board(_run), metric, parsers=_run.parsers, figure=figure)
    return specification(chart)


@st.cache_resource(max_entries=64, show_spinner=False)
def _distribution(key: str, metric: str, _run: Run) -> Specification:
    steps = score_steps(_run.answer, metric, STEPS)
    rows = board(_run)
    rows = rows[rows["metric"] == metric]
    chart = charts.distribution_chart(
        analysis.score_histogram(steps, _run.parsers, metric),
        metric,
        parsers=_run.parsers,
        means=dict(zip(rows["parser"], rows["mean"], strict=True)),
        perfect=analysis.perfect_share(steps, _run.parsers),
        order=order_of(dict(zip(rows["parser"], rows["mean_common"], strict=True)), metric),
    )
    return specification(chart)


@st.cache_resource(max_entries=8, show_spinner=False)
def _bins(key: str, _run: Run) -> LengthBins:
    return length_bins(length_counts(_run.answer))


@st.cache_resource(max_entries=32, show_spinner=False)
def _sums_by_length(key: str, metric: str, _run: Run) -> Sums:
    return sum_by_length(_run.answer, metric, _run.n_sentences, _bins(key, _run))


@st.cache_resource(max_entries=128, show_spinner=False)
def _by_length(key: str, metric: str, every: bool, _run: Run) -> pd.DataFrame:
    sums = _sums_by_length(key, metric, _run)
    return analysis.score_by_length(sums, _bins(key, _run), _run.parsers, metric, every=every)


@st.cache_resource(max_entries=128, show_spinner=False)
def _length(key: str, metric: str, average: str, every: bool, _run: Run) -> Specification:
    rows = _by_length(key, metric, every, _run)
    height = charts.distribution_height(len(_run.parsers))
    chart = charts.length_chart(rows, metric, parsers=_run.parsers, figure=average, height=height)
    return specification(chart)


def bump(run: Run, *, every: bool) -> Specification:
    """Return the ranks under every variant; `every`: over all sentences."""
    return _bump(data.run_key(run), every, run)


def intervals(run: Run, metric: str, figure: str) -> Specification:
    """Return figures and intervals under a metric."""
    return _intervals(data.run_key(run), metric, figure, run)


def distribution(run: Run, metric: str) -> Specification:
    """Return the distribution of sentence scores under a metric."""
    return _distribution(data.run_key(run), metric, run)


def length(run: Run, metric: str, average: str, *, every: bool) -> Specification:
    """Return the score by sentence length under a metric."""
    return _length(data.run_key(run), metric, average, every, run)
