"""The schema of a run: its tables, their required columns, and its metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evaltools.frameworks.registry import FRAMEWORKS, METRICS, framework_of
from evaltools.frameworks.stored import Table

__all__ = [
    "METADATA",
    "READABLE",
    "SCHEMA",
    "all_tables",
    "columns_of",
    "metadata_keys",
    "metrics_in",
    "newer_metrics",
    "tables_of",
    "unknown_metrics",
    "values_of",
]

SCHEMA = 5
"""Version of the schema of new runs."""

READABLE = (4, SCHEMA)
"""Versions of the schema that can be read."""

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


def all_tables() -> tuple[str, ...]:
    """Return the names of the tables of all frameworks, and of those that only some runs have."""
    names = (name for framework in FRAMEWORKS.values() for name in _names(framework.tables))
    return (*dict.fromkeys(names), METADATA)


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


def values_of(meta: Mapping[str, Any], table: str, columns: Iterable[str]) -> dict[str, str]:
    """Return the columns that an older table lacks, with the SQL of their values; `columns` are those it has."""
    present = set(columns)
    newer_texts = framework_of(meta).tables.get(table, Table()).newer_texts
    newer = {name: "null::varchar" for name in newer_texts if name not in present}
    if not _GENERIC.get(table, framework_of(meta).tables.get(table, Table())).counts:
        return newer
    metrics = framework_of(meta).metrics
    lacking = [name for metric in metrics for name in metric.all_columns if name not in present and name != "sentences"]
    values = newer | dict.fromkeys(lacking, "null::double")
    older = {name: column for metric in metrics for name, column in metric.older.items()}
    values |= {name: column for name, column in older.items() if name not in present and column in present}
    if table == "sentences":
        sources = {added: name for metric in metrics for name, added in metric.over_all.items()}
        values |= {added: name for added, name in sources.items() if added in values and name in present}
    return values


def _counts(metrics: Iterable[str]) -> tuple[str, ...]:
    items = [METRICS[name] for name in metrics]
    names = dict.fromkeys(column for item in items for column in item.columns if column not in item.older)
    return tuple(name for name in names if name != "sentences")


def metrics_in(meta: Mapping[str, Any]) -> list[str]:
    """Return the ids of a run's metrics that this version supports."""
    return [name for name in meta["metrics"] if name in METRICS]


def unknown_metrics(meta: Mapping[str, Any]) -> list[str]:
    """Return the ids of a run's metrics that only another version or a plugin supports."""
    return [name for name in meta["metrics"] if name not in METRICS]


def newer_metrics(meta: Mapping[str, Any]) -> list[str]:
    """Return the ids of the metrics of this version that a run lacks, without those that were not asked for."""
    known = {*meta["metrics"], *meta.get("metrics_left_out", ())}
    metrics = framework_of(meta).metrics
    return [item.id for item in metrics if item.id not in known and not (item.needs_costs or item.optional)]
