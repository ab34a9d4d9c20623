"""Writing a run: a file for each table, in a temporary folder that gets the name of the run when it is complete."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evaltools.errors import RunError, shortage
from evaltools.outputs import replace_folder, unfinished_folder
from evaltools.runs.folders.folder import Folder, check_name, meta_bytes
from evaltools.runs.folders.names import META, is_run, table_file
from evaltools.runs.schema import tables_of

__all__ = ["RunWriter"]

_TEXT_COLUMNS = ("tree", "text")
"""Columns whose values rarely repeat: a dictionary of them would cost space and time."""


class _Table:
    """The file of a table, which grows by the rows of each chunk."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        coded = [name for name in schema.names if name not in _TEXT_COLUMNS]
        self._schema, self.n_rows = schema, 0
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", compression_level=1, use_dictionary=coded)

    def add(self, rows: pa.Table) -> None:
        """Add rows."""
        self.n_rows += rows.num_rows
        if rows.num_rows:
            self._writer.write_table(rows if rows.schema == self._schema else rows.cast(self._schema))

    def close(self) -> None:
        """Complete the file."""
        self._writer.close()

    def abandon(self) -> None:
        """Close the file as it is, to be removed."""
        with contextlib.suppress(OSError):
            self._writer.close()


class RunWriter:
    """Writes a run; the folder gets its name in :meth:`finish`, and is no run before. It is filled from one thread."""

    def __init__(self, path: Path, *, force: bool = False) -> None:
        self.path = path
        self._force = force
        self._tables: dict[str, _Table] = {}
        check_name(path)
        self._check_replaceable()
        try:
            self.folder = unfinished_folder(path)
        except (OSError, ValueError) as error:  # the latter for a NUL in the path
            raise self._unwritable(error) from None

    def _unwritable(self, error: Exception) -> Exception:
        reason = getattr(error, "strerror", None) or error
        return shortage(error) or RunError(f"cannot write to {self.path.parent}: {reason}")

    def write(self, table: str, rows: pa.Table) -> None:
        """Add rows to a table; all have the same columns."""
        try:
            if table not in self._tables:
                self._tables[table] = _Table(self.folder / table_file(table), rows.schema)
            self._tables[table].add(rows)
        except OSError as error:
            raise self._unwritable(error) from None

    def n_rows(self, table: str) -> int:
        """Return the number of rows of a table so far."""
        return self._tables[table].n_rows

    def copy(self, run: Folder, tables: Iterable[str]) -> None:
        """Copy the files of another run, and give the folder its name."""
        try:
            for name in (*map(table_file, tables), META):
                with run.open(name) as file, (self.folder / name).open("wb") as copy:
                    shutil.copyfileobj(file, copy)
            replace_folder(self.path, self.folder, self._check_replaceable)
        except OSError as error:
            raise self._unwritable(error) from None

    def finish(self, meta: Mapping[str, Any]) -> dict[str, Any]:
        """Write ``meta.json``, give the folder its name, and return the content of ``meta.json``."""
        try:
            entries = {table: self._complete(table) for table in tables_of(meta)}
            content = meta_bytes({**meta, "tables": entries})
            (self.folder / META).write_bytes(content)
            replace_folder(self.path, self.folder, self._check_replaceable)
        except OSError as error:
            raise self._unwritable(error) from None
        return json.loads(content)  # type: ignore[no-any-return]

    def _complete(self, table: str) -> dict[str, Any]:
        """Complete the file of a table, and return its entry in ``meta.json``."""
        self._tables[table].close()
        return {"rows": self.n_rows(table), **Folder(self.folder).entry(table)}

    def _check_replaceable(self) -> None:
        """Raise RunError if the path exists and must not be replaced."""
        if os.path.lexists(self.path):
            if not is_run(self.path):
                raise RunError(f"{self.path} exists and is not a run of evaltools; it is not replaced")
            if not self._force:
                raise RunError(f"{self.path} exists; replace it with --force (force=True), or choose another name")

    def abandon(self) -> None:
        """Remove everything that was written."""
        for table in self._tables.values():
            table.abandon()
        shutil.rmtree(self.folder, ignore_errors=True)
