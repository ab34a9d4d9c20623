"""The tables of a run as a DuckDB database: what is asked for is read from the Parquet parts, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow.dataset as ds

from evaltools.errors import RunError
from evaltools.runs.checked import check_tables, readable
from evaltools.runs.folder import Folder
from evaltools.runs.kinds import tables_of

__all__ = ["Database"]


class Database:
    """The tables of one run; several threads may ask.

    Parameters
    ----------
    path : path
        What messages call the run.
    folder : Folder
        Where its parts are.
    meta : mapping
        What its ``meta.json`` says.

    Raises
    ------
    RunError
        If a table is missing or cannot be read.
    """

    def __init__(self, path: str | Path, folder: Folder, meta: Mapping[str, Any]) -> None:
        self._folder, self._meta = folder, meta
        self._lock = threading.Lock()
        self._connection = duckdb.connect()
        self._connection.execute("set parquet_metadata_cache = true")
        self._unchecked: dict[str, ds.Dataset] = {}
        for table in tables_of(meta):
            if not folder.parts(table):
                raise RunError(f"{path} is damaged: its table {table} is missing")
            try:
                self._unchecked[table] = folder.attach(self._connection, table)
            except Exception as error:
                raise RunError(f"{path} is damaged: its table {table} cannot be read ({error})") from None

    def check(self) -> None:
        """Raise an error if a part of a table is missing or damaged; once is enough."""
        with self._lock:
            check_tables(self._folder, self._unchecked, self._meta, self._connection)
            self._unchecked = {}

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> pd.DataFrame:
        """Run SQL over the tables; ``?`` stands for a parameter."""
        self.check()
        with self._lock, readable(self._folder):
            return self._connection.execute(sql, list(parameters)).df()

    def rows(
        self,
        table: str,
        parser: str | None,
        sentence: int | None,
        order: str,
        columns: str,
        parsers: Sequence[str],
    ) -> pd.DataFrame:
        """Return rows of a table: those of a parser, or of a sentence, or all.

        Parameters
        ----------
        table : str
            The table.
        parser : str or None
            Only this one.
        sentence : int or None
            Only this one, from 1.
        order : str
            Columns to sort by, after the parser, separated by blanks.
        columns : str
            SQL of the columns wanted.
        parsers : sequence of str
            The parsers in their order.
        """
        conditions, parameters = ["true"], list[Any]()
        for column, value in (("parser", parser), ("sentence", sentence)):
            if value is not None:
                conditions.append(f"{column} = ?")
                parameters.append(value)
        rows = self.query(f"select {columns} from {table} where {' and '.join(conditions)}", parameters)
        if "parser" in rows and table != "problems":
            rows["parser"] = pd.Categorical(rows["parser"], categories=list(parsers))
            rows = rows.sort_values(["parser", *order.split()], kind="stable", ignore_index=True)
            rows["parser"] = rows["parser"].astype(object)
        return rows
