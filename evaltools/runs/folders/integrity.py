"""Checks that the tables of a run are complete and unchanged: digests of the files, columns, numbers of rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from evaltools.errors import RunError, shortage
from evaltools.frameworks.stored import Table
from evaltools.runs.folders.digests import PartDigest, digest_of, footer_of, has_digests, valid_answers
from evaltools.runs.folders.folder import Folder
from evaltools.runs.folders.names import ANSWERS
from evaltools.runs.schema import columns_of

if TYPE_CHECKING:
    import duckdb
    import pyarrow.dataset as ds

__all__ = ["MAX_BYTES_CHECKED", "check_part", "check_parts", "check_tables", "damaged_parts", "first_line"]

MAX_BYTES_CHECKED = 1 << 23
"""A table, or a part, of at most this many bytes is read completely and compared with its digest."""
_CHANGED = "was changed after the run was written"

Types = Mapping[str, str]
"""The columns of a table as it is stored, with the names of their types in DuckDB."""
_TEXTS = {"varchar", "enum"}
_FLAGS = {"boolean"}
_INTEGERS = {f"{sign}{size}" for sign in ("", "u") for size in ("tinyint", "smallint", "integer", "bigint")}
_NUMBERS = _INTEGERS | {"float", "double"}


def first_line(error: Exception) -> str:
    """Return what an error says without the SQL that DuckDB prints below it."""
    return next(iter(str(error).splitlines()), "")


def _name(path: str) -> str:
    return "/".join(PurePath(path).parts[-2:])


def check_part(folder: Folder, path: str, expected: PartDigest) -> None:
    """Raise RunError if a part, or a cached result, differs from its digest."""
    with folder.open(path) as file:
        found = digest_of(file)
    if found != expected:
        raise RunError(f"{folder} is damaged: {_name(path)} {_CHANGED}")


def check_parts(folder: Folder, meta: Mapping[str, Any], tables: Sequence[str]) -> None:
    """Compare size and footer of all parts with their digests, and all bytes of small tables on this machine."""
    for table in tables:
        expected = _digests_of(meta, table)
        paths = {_name(path): path for path in folder.parts(table)}
        for name in sorted(expected.keys() ^ paths.keys()):
            reason = "is missing" if name in expected else "is not part of this run"
            raise RunError(f"{folder} is damaged: {name} {reason}")
        is_small = folder.is_local and sum(entry["bytes"] for entry in expected.values()) <= MAX_BYTES_CHECKED
        for name, path in paths.items():
            if is_small:
                check_part(folder, path, expected[name])
                continue
            with folder.open(path) as file:
                found = footer_of(file)
            if found != (expected[name]["bytes"], expected[name]["footer"]):
                raise RunError(f"{folder} is damaged: {name} {_CHANGED}")


def _digests_of(meta: Mapping[str, Any], table: str) -> dict[str, PartDigest]:
    return {name: entry for name, entry in meta["digests"]["parts"].items() if name.startswith(f"{table}/")}


def damaged_parts(folder: Folder, meta: Mapping[str, Any], tables: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Read all bytes of all parts and cached results; yield name and fault of each that differs from its digest."""
    for table in (*tables, ANSWERS):
        expected = _digests_of(meta, table)
        if table == ANSWERS:
            expected = {f"{ANSWERS}/{name}": entry for name, entry in valid_answers(meta).items()}
        paths = {_name(path): path for path in folder.parts(table)}
        for name in sorted(expected.keys() | paths.keys()):
            if name not in paths:
                if table != ANSWERS:  # cached results may be deleted
                    yield name, "no such file"
            elif name not in expected:
                yield name, "a file of another run"
            else:
                with folder.open(paths[name]) as file:
                    if digest_of(file) != expected[name]:
                        yield name, "another content"


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
            if not has_digests(meta):
                _check_pages(folder.dataset(name))
        except (duckdb.Error, OSError) as error:
            message = f"{folder} is damaged: its table {name} cannot be read ({first_line(error)})"
            raise shortage(error) or RunError(message) from None
        if n_rows != meta["rows"][name]:
            raise RunError(f"{folder} is damaged: its table {name} has {n_rows} rows, not {meta['rows'][name]}")


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
    optional = ((columns.integers, _INTEGERS, "a whole number"), (columns.newer_texts, _TEXTS, "text"))
    for names, valid, expected in optional:
        for column in names:
            if column in types and types[column] not in valid:
                raise RunError(f"{damaged}: column {column} of its table {name} is not {expected}")


def _check_pages(table: ds.Dataset) -> None:
    """Read a small table of this machine, which compares the checksums of its pages."""
    import pyarrow as pa
    import pyarrow.fs as fs

    files = table.files if isinstance(table.filesystem, fs.LocalFileSystem) else []
    if sum(map(os.path.getsize, files)) <= MAX_BYTES_CHECKED:
        try:
            for _ in table.to_batches():
                pass
        except pa.ArrowException as error:
            raise OSError(str(error)) from None
