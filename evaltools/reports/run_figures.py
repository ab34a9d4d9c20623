"""All figures of a run as reports give them, those that parsers are ranked by among them."""

from __future__ import annotations

import pandas as pd

from evaltools.analysis.leaderboard import common_figures
from evaltools.errors import printable
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.runs.sums import sum_sentences

__all__ = ["describe_coverage", "run_figures"]


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


def describe_coverage(run: Run) -> list[str]:
    """Say of each metric how many sentences its figures are over, where parsers with an output differ.

    Parameters
    ----------
    run : Run
        The run.

    Returns
    -------
    list of str
        A line for each such metric.
    """
    rows = run_figures(run)
    lines = []
    for metric in run.metrics:
        own = rows[(rows["metric"] == metric) & (rows["n_pooled"] > 0)]
        sizes = dict(zip(own["parser"], own["n_pooled"].tolist(), strict=True))
        if len(set(sizes.values())) < 2:
            continue
        least, most = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        common = int(own["n_pooled_common"].max())
        lines.append(
            f"{METRICS[metric].title}: over {sizes[least]:,} ({printable(least)}) to {sizes[most]:,} "
            f"({printable(most)}) of {run.n_sentences:,} sentences; all {len(sizes)} parsers with this figure have "
            f"{common:,} of them, and are compared over these"
        )
    return lines
