"""The schema of a run: its tables, their required columns, and its metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evaltools.frameworks.registry import METRICS, framework_of
from evaltools.frameworks.stored import Table

__all__ = [
    "METADATA",
    "SCHEMA",
    "columns_of",
    "metadata_keys",
    "metrics_in",
    "tables_of",
]

SCHEMA = 7
"""Version of the schema of runs; others are scored again."""

METADATA = "metadata"
"""The table of the metadata of sentences: ``sentence``, ``key``, ``value``; only runs with metadata have it."""

_GENERIC: Mapping[str, Table] = {
    "sentences": Table(
        texts=("parser", "status"),
        numbers=("sentence", "line", "words", "words_scored", "words_aligned", "sentences"),
        counts=True,
    ),
    "trees": Table(texts=("parser", "notation", "tree", "text"), numbers=("sentence",)),
    "metadata": Table(texts=("key", "value"), numbers=("sentence",)),
    "problems": Table(texts=("kind", "parser", "file", "found", "expected"), numbers=("sentence", "line", "column")),
}


def tables_of(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of a run's tables, in their order."""
    more = (METADATA,) if metadata_keys(meta) else ()
    return (*_names(framework_of(meta).tables), *more)


def metadata_keys(meta: Mapping[str, Any]) -> list[str]:
    """Return the keys of the metadata of a run's sentences; none if it has no metadata."""
    return list(meta.get("metadata", {}).get("keys", ()))


def _names(tables: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(("sentences", *tables, "trees", "problems")))


def columns_of(meta: Mapping[str, Any]) -> dict[str, Table]:
    """Return the required columns of the tables of a run, with the counts of the run's metrics."""
    own_tables = framework_of(meta).tables
    counts = Table(numbers=_counts(metrics_in(meta)))
    tables = {name: _GENERIC.get(name, Table()).with_columns(own_tables.get(name, Table())) for name in tables_of(meta)}
    return {name: table.with_columns(counts) if table.counts else table for name, table in tables.items()}


def _counts(metrics: Iterable[str]) -> tuple[str, ...]:
    names = dict.fromkeys(column for name in metrics for column in METRICS[name].columns)
    return tuple(name for name in names if name != "sentences")


def metrics_in(meta: Mapping[str, Any]) -> list[str]:
    """Return the ids of a run's metrics that this version supports."""
    return [name for name in meta["metrics"] if name in METRICS]
