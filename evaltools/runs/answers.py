"""Answers to the questions that pages put to every run, found once, when a long run is written, and kept in it.

Each answer is a Parquet file of the folder ``answers``; its name is a digest of the question, which is SQL. A question
that reads otherwise, because a formula or a bin has changed, has no answer and is put to the tables. So the answers of
a run are none of its tables: without them it says the same, only later. ``meta.json`` has their digests and that of the
tables they were made from; answers that were made from other tables, or have no digest, are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from evaltools.errors import RunError, shortage
from evaltools.metrics import MAIN_METRIC_OF
from evaltools.runs.database import Database
from evaltools.runs.digests import PartDigest
from evaltools.runs.folder import ANSWERS, Folder
from evaltools.runs.kinds import kind_of
from evaltools.runs.length_bins import length_bins
from evaltools.runs.sums import (
    MOST_SINGLE,
    STEPS,
    Query,
    length_counts,
    score_steps,
    status_counts,
    sum_by_length,
    sum_sentences,
)

__all__ = ["keep_answers", "wrong_answers"]

_NEAR = 1e-9
"""Sums of scores differ in their last bits with the order of addition."""


def _ask_all(ask: Query, meta: Mapping[str, Any]) -> None:
    """Put every question whose answer is kept.

    Parameters
    ----------
    ask : callable
        Runs SQL over the tables of a run.
    meta : mapping
        What the run's ``meta.json`` says.
    """
    metrics, n = list(meta["metrics"]), int(meta["sentences"])
    main = MAIN_METRIC_OF[kind_of(meta)]
    sum_sentences(ask, metrics, n, common=True)
    sum_sentences(ask, [main if main in metrics else metrics[0]], n, common=True)
    status_counts(ask)
    bins = length_bins(length_counts(ask))
    for metric in metrics:
        sum_by_length(ask, metric, n, bins)
        score_steps(ask, metric, STEPS)


def keep_answers(place: Path, meta: Mapping[str, Any]) -> dict[str, PartDigest]:
    """Write the answers of a run of more sentences than are added up one by one, and of no other.

    Parameters
    ----------
    place : Path
        The run's folder, complete but for them.
    meta : mapping
        What its ``meta.json`` says.

    Returns
    -------
    dict of str to PartDigest
        Their digests, by file name.

    Raises
    ------
    RunError
        If they cannot be written.
    """
    if meta["sentences"] <= MOST_SINGLE:
        return {}
    database = Database(place, Folder(place), meta)

    def ask(sql: str) -> pd.DataFrame:
        database.keep(sql)
        return database.answer(sql)

    try:
        (place / ANSWERS).mkdir(exist_ok=True)
        _ask_all(ask, meta)
    except (OSError, duckdb.Error) as error:
        message = f"cannot write to {place.parent}: {str(error).splitlines()[0]}"
        raise shortage(error) or RunError(message) from None
    return database.answers


def wrong_answers(answer: Query, query: Query, meta: Mapping[str, Any]) -> list[str]:
    """Return the questions that the tables of a run answer otherwise than what it has kept.

    Parameters
    ----------
    answer, query : callable
        The run's :meth:`~evaltools.Run.answer` and :meth:`~evaltools.Run.query`.
    meta : mapping
        What its ``meta.json`` says.
    """
    wrong = []

    def ask(sql: str) -> pd.DataFrame:
        found, expected = answer(sql), query(sql)
        try:
            pd.testing.assert_frame_equal(found, expected, rtol=_NEAR, atol=_NEAR)
        except AssertionError:
            wrong.append(sql)
        return expected

    if meta["sentences"] > MOST_SINGLE:
        _ask_all(ask, meta)
    return wrong
