"""Writing a run: a file for each table, in a temporary folder that gets the name of the run when it is complete."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

import duckdb

from evaltools.errors import RunError, shortage
from evaltools.files import replace_folder, unfinished_folder
from evaltools.frameworks.common.columns import Rows, concatenated, n_rows
from evaltools.frameworks.stored import quoted
from evaltools.progress import Progress
from evaltools.runs.folder import META, Folder, is_run, meta_bytes, pattern_of, run_path, table_file
from evaltools.runs.meta import tables_of
from evaltools.text import first_line

_PARTS = "parts"
"""The folder of what is in no table yet."""
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {"threads": 1, "memory_limit": "256MB"}
"""With one thread, the same rows make the same bytes."""
_ROWS_PER_PART = 1 << 15
"""From how many rows on they are kept on disk; a table of fewer is written at once."""
_TYPES = {"bool": "boolean", "int32": "integer", "int64": "bigint", "float64": "double", "object": "varchar"}
"""The types of columns by those of arrays."""
STORED = "stored.* exclude (file_row_number)"
"""All columns of another run's table."""
_FORMAT = "format parquet, compression zstd, compression_level 1, row_group_size 122880"
_PART_FORMAT = "format parquet, compression snappy"


class RunWriter:
    """Writes a run in a ``with`` block, from one thread.

    The folder gets its name in :meth:`finish`, and is no run before; what is unfinished at the end of the block is
    removed. Without a folder the run is in a temporary one, which its :class:`Run` takes over.
    """

    def __init__(self, out: str | os.PathLike[str] | None, *, force: bool = False) -> None:
        self.temporary = TemporaryDirectory(prefix="evaltools-") if out is None else None
        self.path = Path(self.temporary.name, "run") if self.temporary else run_path(out or "")
        self._force = force
        self._check_replaceable()
        try:
            self.folder = unfinished_folder(self.path)
            (self.folder / _PARTS).mkdir()
        except (OSError, ValueError) as error:  # the latter for a NUL in the path
            raise self._unwritable(error) from None
        self._rows: dict[str, list[Rows]] = {}  # Rows that are in no file yet, by table
        self._parts: dict[str, list[str]] = {}  # Files of the rows before these
        self._n_rows: dict[str, int] = {}  # Of the tables that are complete
        self._database = duckdb.connect(config={**_SETTINGS, "temp_directory": str(self.folder / _PARTS)})

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything that was written, unless it is finished."""
        self._database.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _unwritable(self, error: Exception) -> Exception:
        number = re.search(r'"errno":"(\d+)"', str(error))  # DuckDB's errors of writing have it
        reason = os.strerror(int(number[1])) if number else getattr(error, "strerror", None) or first_line(error)
        return shortage(error) or RunError(f"cannot write to {self.path.parent}: {reason}")

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, duckdb.Error) as error:
            raise self._unwritable(error) from None

    def write(self, table: str, rows: Rows) -> None:
        """Add rows to a table; all have the same columns."""
        kept = self._rows.setdefault(table, [])
        kept.append(rows)
        if sum(map(n_rows, kept)) >= _ROWS_PER_PART:
            with self._named_errors():
                self._put_aside(table)

    def _put_aside(self, table: str) -> None:
        """Move rows from memory to disk."""
        parts = self._parts.setdefault(table, [])
        part = self.folder / _PARTS / f"{table}-{len(parts)}.parquet"
        self._copy_rows(self._rows.pop(table), part, _PART_FORMAT)
        parts.append(str(part))

    def _copy_rows(self, blocks: Sequence[Rows], file: Path, form: str) -> int:
        """Write rows to a file, and return their number."""
        rows = concatenated(blocks)
        columns = ", ".join(f'"{name}"::{_TYPES[column.dtype.name]} as "{name}"' for name, column in rows.items())
        self._database.register("rows", rows)
        try:
            return self._copied(f"select {columns} from rows", file, form)
        finally:
            self._database.unregister("rows")

    def _copied(self, sql: str, file: Path, form: str) -> int:
        ((n_copied,),) = self._database.execute(f"copy ({sql}) to {quoted(str(file))} ({form})").fetchall()
        return int(n_copied)

    def select(self, table: str, run: Folder, columns: str = STORED, joined: str = "", **more: Rows) -> None:
        """Make a table of rows of another run's table, named ``stored``, in their order; `more` can be joined."""
        with self._named_errors():
            for name, rows in more.items():
                self._database.register(name, rows)
            source = run.source(table, with_row_numbers=True)
            sql = f"select {columns} from {source} as stored {joined} order by file_row_number"
            self._n_rows[table] = self._copied(sql, self.folder / table_file(table), _FORMAT)
            for name in more:
                self._database.unregister(name)

    def query(self, table: str, sql: str) -> list[tuple[Any, ...]]:
        """Return what SQL selects from a table that is complete."""
        with self._named_errors():
            Folder(self.folder).attach(self._database, table)
            rows = self._database.execute(sql).fetchall()
            self._database.execute(f"drop view {table}")
            return rows

    def copy(self, run: Folder, tables: Iterable[str]) -> None:
        """Copy the files of another run, and give the folder its name."""
        with self._named_errors():
            for name in (*map(table_file, tables), META):
                with run.open(name) as file, (self.folder / name).open("wb") as copy:
                    shutil.copyfileobj(file, copy)
            self._rename()

    def finish(self, meta: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
        """Write the tables and ``meta.json``, give the folder its name, and return the content of ``meta.json``."""
        with self._named_errors():
            entries, run = {}, Folder(self.folder)
            tables = tables_of(meta)
            for table in tables:
                n_rows = self._n_rows[table] if table in self._n_rows else self._complete(table)
                columns = run.attach(self._database, table)
                entries[table] = {"rows": n_rows, "columns": columns, **run.entry(table)}
                progress.wrote(1 / len(tables))
            content = meta_bytes({**meta, "tables": entries})
            (self.folder / META).write_bytes(content)
            self._rename()
        return json.loads(content)  # type: ignore[no-any-return]

    def _complete(self, table: str) -> int:
        """Write the file of a table, and return its number of rows."""
        file = self.folder / table_file(table)
        if table not in self._parts:
            return self._copy_rows(self._rows[table], file, _FORMAT)
        if table in self._rows:
            self._put_aside(table)
        parts = self._parts[table]
        n_copied = self._copied(f"from read_parquet([{', '.join(map(pattern_of, parts))}])", file, _FORMAT)
        for part in parts:
            os.remove(part)
        return n_copied

    def _rename(self) -> None:
        self._database.close()
        shutil.rmtree(self.folder / _PARTS, ignore_errors=True)
        replace_folder(self.path, self.folder, self._check_replaceable)

    def _check_replaceable(self) -> None:
        """Raise RunError if the path exists and must not be replaced."""
        if os.path.lexists(self.path):
            if not is_run(self.path):
                raise RunError(f"{self.path} exists and is not a run of evaltools; it is not replaced")
            if not self._force:
                raise RunError(f"{self.path} exists; replace it with --force (force=True), or choose another name")
