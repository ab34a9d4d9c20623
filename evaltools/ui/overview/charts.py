"""Cached Vega-Lite specifications of the charts of *Overview*, and the data frames beside them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from evaltools import analysis, charts
from evaltools.analysis.comparison.standing import order_of
from evaltools.charts.theme import specification
from evaltools.runs.length_bins import LengthBins, length_bins
from evaltools.runs.store import Run
from evaltools.runs.sums import STEPS, Sums, length_counts, score_steps, sum_by_length
from evaltools.ui.session import data
from evaltools.ui.session.data import cached_by_run

__all__ = ["board", "bump", "by_variant", "distribution", "intervals", "length"]

Specification = dict[str, Any]


@cached_by_run(8)
def board(run: Run, cluster: str = "") -> pd.DataFrame:
    """Return the leaderboard of all metrics of the run; intervals are over sentences, or the values of a column."""
    return analysis.leaderboard(data.sums(run, cluster), run.parsers, run.metrics)


@cached_by_run(16)
def by_variant(run: Run, *, every: bool) -> tuple[pd.DataFrame, tuple[analysis.Variant, ...]]:
    """Return the figures under every variant, and the variants; `every`: over all sentences."""
    return analysis.figures_by_variant(board(run), every=every)


@cached_by_run(32)
def bump(run: Run, *, every: bool) -> Specification:
    """Return the ranks under every variant; `every`: over all sentences."""
    figures, variants = by_variant(run, every=every)
    crossings = analysis.crossings(figures)
    texts = [analysis.describe_crossing(crossing, variants) for crossing in crossings]
    ranks = analysis.rank_parsers(figures)
    return specification(charts.bump_chart(figures, ranks, variants, crossings, texts, parsers=run.parsers))


@cached_by_run(128)
def intervals(run: Run, metric: str, figure: str, cluster: str = "") -> Specification:
    """Return figures and intervals under a metric."""
    return specification(charts.intervals_chart(board(run, cluster), metric, parsers=run.parsers, figure=figure))


@cached_by_run(64)
def distribution(run: Run, metric: str) -> Specification:
    """Return the distribution of sentence scores under a metric."""
    steps = score_steps(run, metric, STEPS)
    rows = board(run)
    rows = rows[rows["metric"] == metric]
    chart = charts.distribution_chart(
        analysis.score_histogram(steps, run.parsers, metric),
        metric,
        parsers=run.parsers,
        means=dict(zip(rows["parser"], rows["mean"], strict=True)),
        perfect=analysis.perfect_share(steps, run.parsers),
        undefined=dict(zip(rows["parser"], rows["scored"] - rows["n"], strict=True)),
        order=order_of(dict(zip(rows["parser"], rows["mean"], strict=True)), metric),
    )
    return specification(chart)


@cached_by_run(8)
def _bins(run: Run) -> LengthBins:
    return length_bins(length_counts(run))


@cached_by_run(32)
def _sums_by_length(run: Run, metric: str, cluster: str) -> Sums:
    return sum_by_length(run, metric, _bins(run), cluster)


@cached_by_run(128)
def _by_length(run: Run, metric: str, cluster: str, *, every: bool) -> pd.DataFrame:
    return analysis.score_by_length(_sums_by_length(run, metric, cluster), _bins(run), run.parsers, metric, every=every)


@cached_by_run(128)
def length(run: Run, metric: str, average: str, cluster: str = "", *, every: bool) -> Specification:
    """Return the score by sentence length under a metric."""
    rows = _by_length(run, metric, cluster, every=every)
    height = charts.distribution_height(len(run.parsers))
    return specification(charts.length_chart(rows, metric, parsers=run.parsers, figure=average, height=height))
