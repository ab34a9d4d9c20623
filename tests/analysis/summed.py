"""What DuckDB adds up of a run's table, of a table made by hand."""

from __future__ import annotations

import duckdb

from evaltools.runs.length_bins import length_bins
from evaltools.runs.sums import length_counts, score_steps, sum_by_length, sum_sentences


def query_of(frame):
    """Return what runs SQL over a sentences table."""
    database = duckdb.connect()
    database.register("sentences", frame)
    return lambda sql: database.execute(sql).df()


def sums_of(frame, metrics, *, common=False):
    """Add up the sentences of a table."""
    return sum_sentences(query_of(frame), metrics, int(frame["sentence"].nunique()), common=common)


def steps_of(frame, metric, steps=20):
    """Count the sentences of a table by score."""
    return score_steps(query_of(frame), metric, steps)


def lengths_of(frame):
    """Return the bins of the sentences' lengths."""
    return length_bins(length_counts(query_of(frame)))


def by_length_of(frame, metric):
    """Add up the sentences of a table by length; and the bins."""
    bins = lengths_of(frame)
    return sum_by_length(query_of(frame), metric, int(frame["sentence"].nunique()), bins), bins
