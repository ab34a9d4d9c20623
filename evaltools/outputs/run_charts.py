"""Charts of a run, from its figures to Vega-Lite, for pages and HTML reports alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from evaltools import analysis, charts
from evaltools.analysis.standing import order_of
from evaltools.charts.theme import specification
from evaltools.runs.store import Run
from evaltools.runs.sums import STEPS, score_steps

Specification = dict[str, Any]


def ranks_of_variants(run: Run, figures: pd.DataFrame, variants: Sequence[analysis.Variant]) -> Specification:
    """Return the ranks of the parsers under every variant of the metrics."""
    crossings = analysis.crossings(figures)
    texts = [analysis.describe_crossing(crossing, variants) for crossing in crossings]
    ranks = analysis.rank_parsers(figures)
    return specification(charts.bump_chart(figures, ranks, variants, crossings, texts, parsers=run.parsers))


def score_distribution(run: Run, board: pd.DataFrame, metric: str) -> Specification:
    """Return the distribution of sentence scores under a metric; `board` is the leaderboard of the run."""
    steps = score_steps(run, metric, STEPS)
    rows = board[board["metric"] == metric]
    means = dict(zip(rows["parser"], rows["mean"], strict=True))
    return specification(
        charts.distribution_chart(
            analysis.score_histogram(steps, run.parsers, metric),
            metric,
            parsers=run.parsers,
            means=means,
            perfect=analysis.perfect_share(steps, run.parsers),
            undefined=dict(zip(rows["parser"], rows["scored"] - rows["n"], strict=True)),
            order=order_of(means, metric),
        )
    )
