"""The leaderboard: every parser's figures with intervals and numbers of sentences, also by groups such as genres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from evaltools.analysis.bootstrap import RESAMPLES, SEED, interval, resampled_figures
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import FIGURES
from evaltools.frameworks.registry import METRICS
from evaltools.runs.metadata import MAX_GROUPS
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, metadata_groups, sum_sentences

if TYPE_CHECKING:
    import pandas as pd


def leaderboard(
    sums: Sums,
    parsers: Sequence[str],
    metrics: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> pd.DataFrame:
    """Return every figure of every parser with its 95 % interval.

    Parameters
    ----------
    sums : Sums
        Sums over groups of sentences, from :func:`evaltools.runs.sums.sum_sentences`.
    parsers : sequence of str
        Names, in the order of the rows.
    metrics : sequence of str
        Metric ids.
    resamples, seed : int
        Number of bootstrap resamples of the sentences, and where the random numbers begin. All parsers and metrics see
        the same resamples.

    Returns
    -------
    DataFrame
        One row a parser and metric: ``parser``, ``metric``; the figures ``pooled``, ``mean``, ``pooled_all``,
        ``mean_all`` as in :meth:`evaltools.Run.summary`; for each ``<figure>_low`` and ``<figure>_high``, NaN where
        fewer than two sentences count;
        ``sentences``; ``scored``, the sentences whose status lets this metric score them; ``n``, those of them
        that have a score; and ``n_<figure>``, the sentences that a figure is over.

    Notes
    -----
    The interval shows how much a figure depends on the sample of sentences. It does not show whether two parsers
    differ: intervals can overlap although one parser is ahead on nearly every resample.
    """
    import pandas as pd

    chosen = [METRICS[name] for name in metrics]
    resampled = resampled_figures(sums, parsers, chosen, resamples=resamples, seed=seed)
    parts = {parser: sums.of(parser) for parser in parsers}
    pairs = [(parser, metric) for parser in parsers for metric in chosen]

    table = pd.DataFrame({"parser": [parser for parser, _ in pairs], "metric": [metric.id for _, metric in pairs]})
    for figure in FIGURES:
        table[figure] = np.array([parts[parser].figure(metric, figure) for parser, metric in pairs], dtype=float)
    for figure in FIGURES:
        drawn = [resampled[parser, metric.id, figure] for parser, metric in pairs]
        values = np.column_stack(drawn) if drawn else np.zeros((1, 0))
        table[f"{figure}_low"], table[f"{figure}_high"] = interval(values)
    table["sentences"] = [parts[parser].sentences for parser, _ in pairs]
    table["scored"] = [parts[parser].n(metric, "pooled") for parser, metric in pairs]
    table["n"] = [parts[parser].n(metric, "mean") for parser, metric in pairs]
    for figure in FIGURES:
        table[f"n_{figure}"] = [parts[parser].n(metric, figure) for parser, metric in pairs]
    return table


ALL = "all"
"""The group of all sentences."""
NO_VALUE = "(none)"
"""The group of the sentences without a value."""
FEW_UNITS = 10
"""An interval over fewer documents is usually too narrow (Cameron, Gelbach and Miller 2008)."""


def few_units(drawn: str) -> str:
    """Return a remark on intervals over few documents, or what is drawn else."""
    return f"An interval over fewer than {FEW_UNITS} {drawn} is a rough guide, usually too narrow"


def figures_by_group(
    run: Run,
    by: str,
    metrics: Sequence[str],
    *,
    cluster: str = "",
    parsers: Sequence[str] = (),
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """Return the figures of every group of sentences and of all, with intervals.

    Parameters
    ----------
    run : Run
        The run.
    by : str
        Column of the metadata whose values are the groups; empty for all sentences only.
    metrics : sequence of str
        Metric ids.
    cluster : str
        Column whose values are drawn as a whole, such as ``document``; by default sentences are drawn.
    parsers : sequence of str
        Names; all parsers by default.
    resamples : int
        As in :func:`evaltools.analysis.leaderboard`.

    Returns
    -------
    DataFrame
        ``group``, ``units`` (the number of documents that are drawn, or of sentences), and the columns of
        :func:`evaltools.analysis.leaderboard`; groups in the order of their names, all sentences last.

    References
    ----------
    A. C. Cameron, J. B. Gelbach and D. L. Miller (2008). Bootstrap-based improvements for inference with clustered
    errors. Review of Economics and Statistics 90(3), 414-427.
    """
    names = list(parsers or run.parsers)
    tables = []

    def add(group: str, sums: Sums) -> None:
        board = leaderboard(sums, names, metrics, resamples=resamples)
        board.insert(0, "group", group)
        board.insert(1, "units", len(sums.rows))
        tables.append(board)

    if by:
        values, numbers = metadata_groups(run, by)
        if len(values) > MAX_GROUPS:
            raise ParameterError(f"{by} has {len(values):,} values; figures are by at most {MAX_GROUPS}")
        sums = sum_sentences(run, metrics, bins=numbers, cluster=cluster)
        for number, value in enumerate(values, start=1):
            add(value, sums.within(number))
        if (numbers == 0).any():
            add(NO_VALUE, sums.within(0))
    add(ALL, sum_sentences(run, metrics, cluster=cluster))
    import pandas as pd

    return pd.concat(tables, ignore_index=True)
