"""Checks that the tables of a run are complete and unchanged: digests of the files, columns, numbers of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evaltools.errors import RunError, shortage
from evaltools.frameworks.stored import Table
from evaltools.runs.folders.folder import Folder
from evaltools.runs.schema import columns_of
from evaltools.text import first_line

if TYPE_CHECKING:
    import duckdb

__all__ = ["check_files", "check_tables", "damaged_tables"]

Types = Mapping[str, str]
"""The columns of a table as it is stored, with the names of their types in DuckDB."""
_TEXTS = {"varchar", "enum"}
_FLAGS = {"boolean"}
_INTEGERS = {f"{sign}{size}" for sign in ("", "u") for size in ("tinyint", "smallint", "integer", "bigint")}
_NUMBERS = _INTEGERS | {"float", "double"}


def check_files(folder: Folder, meta: Mapping[str, Any]) -> None:
    """Raise RunError if the file of a table has another size, or was written after the run and has another content."""
    for table, written in meta["tables"].items():
        is_same = folder.size(table) == written["bytes"]
        if is_same and folder.is_newer(table):
            is_same = folder.entry(table)["sha256"] == written["sha256"]
        if not is_same:
            raise RunError(f"{folder} is damaged: its table {table} was changed after the run was written")


def damaged_tables(folder: Folder, meta: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Read all bytes of all tables; yield name and fault of each that is not what was written."""
    for table, written in meta["tables"].items():
        try:
            if folder.entry(table)["sha256"] != written["sha256"]:
                yield table, "another content"
        except RunError as error:
            yield table, str(error)


def check_tables(
    folder: Folder, tables: Mapping[str, Types], meta: Mapping[str, Any], database: duckdb.DuckDBPyConnection
) -> None:
    """Raise RunError if a table lacks a column or rows."""
    import duckdb

    columns = columns_of(meta)
    for name, types in tables.items():
        _check_columns(f"{folder} is damaged", name, types, columns[name])
        try:
            ((n_rows,),) = database.execute(f"select count(*) from {name}").fetchall()
        except (duckdb.Error, OSError) as error:
            message = f"{folder} is damaged: its table {name} cannot be read ({first_line(error)})"
            raise shortage(error) or RunError(message) from None
        expected = meta["tables"][name]["rows"]
        if n_rows != expected:
            raise RunError(f"{folder} is damaged: its table {name} has {n_rows} rows, not {expected}")


def _check_columns(damaged: str, name: str, types: Types, columns: Table) -> None:
    """Raise RunError if a column is missing, or has values of another type."""
    required = (
        (columns.texts, _TEXTS, "text"),
        (columns.numbers, _NUMBERS, "numbers"),
        (columns.flags, _FLAGS, "true or false"),
    )
    for names, valid, expected in required:
        for column in names:
            if column not in types:
                raise RunError(f"{damaged}: its table {name} has no column {column}")
            if types[column] not in valid:
                found = f"has values of type {types[column]}, not {expected}"
                raise RunError(f"{damaged}: column {column} of its table {name} {found}")
    for column in columns.integers:
        if column in types and types[column] not in _INTEGERS:
            raise RunError(f"{damaged}: column {column} of its table {name} is not a whole number")
