"""The tables of a run as a DuckDB database, which reads only the needed columns and rows of the Parquet files.

Before the first query, the tables are checked: they are complete and unchanged.
"""

from __future__ import annotations

import atexit
import functools
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb

from evaltools.errors import RunError, shortage
from evaltools.frameworks.common.columns import plain
from evaltools.runs.folder import Folder, check_files
from evaltools.runs.meta import tables_of
from evaltools.text import first_line

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.sums import Columns


Types = Mapping[str, str]
"""The columns of a table as it is stored, with the names of their types in DuckDB."""


def check_tables(
    folder: Folder, tables: Mapping[str, Types], meta: Mapping[str, Any], database: duckdb.DuckDBPyConnection
) -> None:
    """Raise RunError if a table has other columns than were written, or another number of rows."""
    for name, types in tables.items():
        written = meta["tables"][name]["columns"]
        for column in {**written, **types}:
            if types.get(column) != written.get(column):
                found, expected = (side.get(column, "no such column") for side in (types, written))
                raise RunError(f"{folder} is damaged: column {column} of its table {name}: {found}, not {expected}")
        try:
            ((n_rows,),) = database.execute(f"select count(*) from {name}").fetchall()
        except (duckdb.Error, OSError) as error:
            message = f"{folder} is damaged: its table {name} cannot be read ({first_line(error)})"
            raise shortage(error) or RunError(message) from None
        expected_rows = meta["tables"][name]["rows"]
        if n_rows != expected_rows:
            raise RunError(f"{folder} is damaged: its table {name} has {n_rows} rows, not {expected_rows}")


_LOCK = threading.Lock()


@functools.cache
def _engine(process: int) -> duckdb.DuckDBPyConnection:
    """Return the DuckDB of a process, told by its number: a child has its own, and all runs of a process share one.

    It takes longer to start than most queries take.
    """
    engine = duckdb.connect()
    engine.execute("set parquet_metadata_cache = true")
    return engine


atexit.register(_engine.cache_clear)  # DuckDB prints that it has leaked if it outlives the interpreter


class Database:
    """The tables of one run; several threads may run queries."""

    def __init__(self, folder: Folder, meta: Mapping[str, Any]) -> None:
        self._folder, self._meta = folder, meta
        self._lock = threading.Lock()
        with _LOCK:
            self._connection = _engine(os.getpid()).cursor()
        self._unchecked: dict[str, Types] = {}
        with self._unless_replaced():
            for table in tables_of(meta):
                try:
                    self._unchecked[table] = folder.attach(self._connection, table)
                except Exception as error:
                    message = f"{folder} is damaged: its table {table} cannot be read ({first_line(error)})"
                    raise shortage(error) or RunError(message) from None

    @contextmanager
    def _unless_replaced(self) -> Iterator[None]:
        """Give errors about files of a run that another program has replaced meanwhile their true reason."""
        try:
            yield
        except RunError:
            try:
                is_same = self._folder.meta().get("tables") == self._meta["tables"]
            except (RunError, AttributeError):
                is_same = False
            if is_same:
                raise
            raise RunError(f"{self._folder} was replaced or removed since it was opened; open it again") from None

    def check(self) -> None:
        """Raise RunError if a part of a table is missing or damaged; later calls do nothing."""
        with self._lock, self._unless_replaced():
            if self._unchecked:
                check_files(self._folder, self._meta)
                check_tables(self._folder, self._unchecked, self._meta, self._connection)
            self._unchecked = {}

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> pd.DataFrame:
        """Run SQL over the tables; ``?`` stands for a parameter."""
        self.check()
        with self._lock, self._unless_replaced(), _named_errors(self._folder):
            return self._connection.execute(sql, list(parameters)).df()

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> Columns:
        """Run SQL over the tables, without pandas."""
        self.check()
        with self._lock, self._unless_replaced(), _named_errors(self._folder):
            return plain(self._connection.execute(sql, list(parameters)).fetchnumpy())


@contextmanager
def _named_errors(path: object) -> Iterator[None]:
    """Turn DuckDB's errors about damaged pages into a RunError that names the run."""
    try:
        yield
    except duckdb.Error as error:
        if (resource := shortage(error)) is not None:
            raise resource from None
        # for a header that is not Parquet, DuckDB raises its base class
        if not (type(error) is duckdb.Error or isinstance(error, duckdb.InvalidInputException | duckdb.IOException)):
            raise
        raise RunError(f"{path} is damaged: {first_line(error)}") from None


class FrameTables:
    """Data frames as the tables of a run, ``sentences`` and ``metadata``."""

    def __init__(
        self, parsers: Sequence[str], n_sentences: int, sentences: pd.DataFrame, metadata: pd.DataFrame | None = None
    ) -> None:
        self.parsers, self.n_sentences = list(parsers), n_sentences
        self.meta: dict[str, Any] = {}
        self._connection = duckdb.connect()
        self._connection.register("sentences", sentences)
        if metadata is not None:
            self.meta["metadata"] = {"keys": metadata["key"].unique().tolist()}
            self._connection.register("metadata", metadata)

    def columns(self, sql: str, parameters: Sequence[Any] | None = None) -> Columns:
        """Run SQL over the frames."""
        return plain(self._connection.execute(sql, list(parameters or ())).fetchnumpy())
