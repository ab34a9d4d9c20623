"""Rewrite what ``meta.json`` says of the files of a run, for tests of other checks than sizes and digests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from evaltools.runs.folder import META, Folder, meta_bytes, table_file

__all__ = ["change_column", "change_meta", "change_table", "reseal", "table_of", "write_meta"]


def write_meta(folder: Path, meta: dict[str, Any]) -> None:
    (folder / META).write_bytes(meta_bytes(meta))


def change_meta(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    meta = json.loads((folder / META).read_text("utf-8"))
    change(meta)
    write_meta(folder, meta)


def change_column(folder: Path, table: str, column: str, values: Callable[[int], Any]) -> None:
    """Replace a column of a table by values for its number of rows, and what ``meta.json`` says of the file."""
    file = folder / table_file(table)
    rows = pq.read_table(file)
    pq.write_table(rows.set_column(rows.schema.get_field_index(column), column, values(len(rows))), file)
    reseal(folder)


def table_of(run: Any, table: str) -> Path:
    """Return the file of a table."""
    file: Path = run.path / table_file(table)
    return file


def change_table(run: Any, table: str, change: Any) -> None:
    """Write a table of a run anew, after a change of its rows."""
    file = table_of(run, table)
    pq.write_table(change(pq.read_table(file)), file)


def reseal(folder: Path) -> None:
    """Rewrite size and digest of all tables, so that they match the files."""
    meta = json.loads((folder / META).read_bytes())
    for table, entry in meta["tables"].items():
        if (folder / table_file(table)).exists():
            entry.update(Folder(folder).entry(table))
    write_meta(folder, meta)
