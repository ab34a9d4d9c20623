"""All figures of a run as reports give them, those that parsers are ranked by among them."""

from __future__ import annotations

import pandas as pd

from evaltools.analysis.leaderboard import common_figures
from evaltools.runs.store import Run
from evaltools.runs.sums import sum_sentences

__all__ = ["run_figures"]


def run_figures(run: Run) -> pd.DataFrame:
    """Return ``run.summary()`` with the figures over the sentences that all parsers have.

    Parameters
    ----------
    run : Run
        The run.

    Returns
    -------
    DataFrame
        The columns of :meth:`evaltools.Run.summary` and those of :func:`evaltools.analysis.leaderboard.common_figures`.
    """
    sums = sum_sentences(run.answer, run.metrics, run.n_sentences, common=True)
    common = common_figures(sums, run.parsers, run.metrics)
    return run.summary().merge(common, on=["parser", "metric"], how="left", sort=False)
