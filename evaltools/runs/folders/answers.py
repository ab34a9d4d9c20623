"""Cached results of the queries that pages run on every run, written with a long run.

Each result is a Parquet file in the folder ``answers``, named by a digest of the SQL. If a formula or the bins change,
so does the SQL, and the query runs on the tables again. The files may be deleted at any time. ``meta.json`` has their
digests, and the digest of the tables that they were computed from; results without a digest, or of other tables, are
ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from evaltools.errors import RunError, shortage
from evaltools.frameworks.registry import framework_of
from evaltools.runs.folders.digests import PartDigest
from evaltools.runs.folders.folder import Folder
from evaltools.runs.folders.names import ANSWERS
from evaltools.runs.length_bins import length_bins
from evaltools.runs.schema import metrics_in
from evaltools.runs.sums import (
    MAX_SINGLE,
    STEPS,
    Columns,
    Query,
    length_counts,
    score_steps,
    status_counts,
    sum_by_length,
    sum_sentences,
)

__all__ = ["write_answers", "wrong_answers"]

ColumnQuery = Callable[[str], Columns]
"""A function that runs SQL on the tables of a run."""
_TOLERANCE = 1e-9
"""The last bits of a sum depend on the order of addition."""


def _run_all(query: Query, meta: Mapping[str, Any]) -> None:
    """Run every query whose result is cached."""
    metrics, n = metrics_in(meta), int(meta["sentences"])
    main = framework_of(meta).main_metric
    sum_sentences(query, metrics, n, common=True)
    sum_sentences(query, [main if main in metrics else metrics[0]], n, common=True)
    status_counts(query)
    bins = length_bins(length_counts(query))
    for metric in metrics:
        sum_by_length(query, metric, n, bins)
        score_steps(query, metric, STEPS)


def write_answers(folder: Path, meta: Mapping[str, Any]) -> dict[str, PartDigest]:
    """Cache query results of a run with more than ``MAX_SINGLE`` sentences; shorter runs are fast without."""
    if meta["sentences"] <= MAX_SINGLE:
        return {}
    import duckdb

    from evaltools.runs.folders.database import Database

    database = Database(folder, Folder(folder), meta)

    def query(sql: str) -> Columns:
        database.write_answer(sql)
        return database.answer(sql)

    try:
        (folder / ANSWERS).mkdir(exist_ok=True)
        _run_all(query, meta)
    except (OSError, duckdb.Error) as error:
        message = f"cannot write to {folder.parent}: {str(error).splitlines()[0]}"
        raise shortage(error) or RunError(message) from None
    return database.answers


def _are_equal(columns: Columns, expected: Columns) -> bool:
    """Return whether two tables have the same columns and, but for the last bits, the same values."""
    if list(columns) != list(expected):
        return False
    for name, values in expected.items():
        others = columns[name]
        if values.shape != others.shape or values.dtype != others.dtype:
            return False
        is_text = values.dtype == object
        if is_text and not (values == others).all():
            return False
        if not is_text and not np.allclose(others, values, rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True):
            return False
    return True


def wrong_answers(answer: ColumnQuery, query: ColumnQuery, meta: Mapping[str, Any]) -> list[str]:
    """Return the queries whose cached results differ from those computed from the tables."""
    wrong = []

    def compare(sql: str) -> Columns:
        expected = query(sql)
        if not _are_equal(answer(sql), expected):
            wrong.append(sql)
        return expected

    if meta["sentences"] > MAX_SINGLE:
        _run_all(compare, meta)
    return wrong
