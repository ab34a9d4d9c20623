"""Figures of groups of sentences, such as genres, with intervals over sentences or over documents."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from evaltools.analysis.comparison.bootstrap import RESAMPLES, SEED
from evaltools.analysis.leaderboard import leaderboard
from evaltools.errors import ParameterError
from evaltools.runs.metadata import MAX_GROUPS, column_of
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences

__all__ = ["ALL", "FEW_UNITS", "NO_VALUE", "few_units", "figures_by_group"]

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
    seed: int = SEED,
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
    resamples, seed : int
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
        board = leaderboard(sums, names, metrics, resamples=resamples, seed=seed)
        board.insert(0, "group", group)
        board.insert(1, "units", len(sums.groups))
        tables.append(board)

    if cluster:
        column_of(run, cluster)  # raises an error if there is none
    if by:
        values, numbers = column_of(run, by)
        if len(values) > MAX_GROUPS:
            raise ParameterError(f"{by} has {len(values):,} values; figures are by at most {MAX_GROUPS}")
        sums = sum_sentences(run, metrics, by=by, cluster=cluster)
        for number, value in enumerate(values, start=1):
            add(value, sums.within(number))
        if (numbers == 0).any():
            add(NO_VALUE, sums.within(0))
    add(ALL, sum_sentences(run, metrics, cluster=cluster))
    return pd.concat(tables, ignore_index=True)
