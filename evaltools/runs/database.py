"""The tables of a run as a DuckDB database: what is asked for is read from the Parquet parts, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from evaltools.errors import RunError, shortage
from evaltools.runs.checked import check_tables, readable
from evaltools.runs.digests import PartDigest, believed_answers, digest_of, has_digests
from evaltools.runs.folder import ANSWERS, Folder, parquet_list, parquet_sql
from evaltools.runs.integrity import MAX_BYTES_CHECKED, check_part, check_parts
from evaltools.runs.kinds import ADDED_COLUMNS, tables_of

__all__ = ["Database", "frame_query"]

_ROWS_OF_A_BATCH = 1 << 16
_ANY = 1 << 62


def _name_of(sql: str) -> str:
    """Return the name of the file with the answer to SQL."""
    return blake2b(sql.encode(), digest_size=16).hexdigest() + ".parquet"


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

    Attributes
    ----------
    answers : dict of str to PartDigest
        Digests of the kept answers that are believed, by file name.

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
        self._spans: dict[str, list[tuple[str, int, int]]] = {}
        self.answers: dict[str, PartDigest] = believed_answers(meta)
        self._whole: set[str] = set()
        for table in tables_of(meta):
            if not folder.parts(table):
                raise RunError(f"{path} is damaged: its table {table} is missing")
            try:
                self._unchecked[table] = folder.attach(self._connection, table, ADDED_COLUMNS.get(table))
            except Exception as error:
                message = f"{path} is damaged: its table {table} cannot be read ({error})"
                raise shortage(error) or RunError(message) from None

    def check(self) -> None:
        """Raise an error if a part of a table is missing or damaged; once is enough."""
        with self._lock:
            if self._unchecked:
                if has_digests(self._meta):
                    check_parts(self._folder, self._meta, list(self._unchecked))
                check_tables(self._folder, self._unchecked, self._meta, self._connection)
            self._unchecked = {}

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> pd.DataFrame:
        """Run SQL over the tables; ``?`` stands for a parameter."""
        self.check()
        with self._lock, readable(self._folder):
            return self._connection.execute(sql, list(parameters)).df()

    def answer(self, sql: str) -> pd.DataFrame:
        """Run SQL that pages put to every run: the answer may have been kept when the run was written."""
        kept = self._kept(sql)
        return self.query(sql if kept is None else f"select * from {kept}")

    def keep(self, sql: str) -> None:
        """Keep the answer to SQL in the run's folder, for :meth:`answer`."""
        place = self._folder.path / ANSWERS / _name_of(sql)
        quoted = str(place).replace("'", "''")
        self.query(f"copy ({sql}) to '{quoted}' (format parquet)")
        with place.open("rb") as file:
            self.answers[place.name] = digest_of(file)

    def _kept(self, sql: str) -> str | None:
        """Return the kept answer to SQL as SQL takes it; None if there is none that is believed."""
        name = _name_of(sql)
        if not self._folder.is_local or name not in self.answers:
            return None
        place = next((place for place in self._folder.parts(ANSWERS) if Path(place).name == name), None)
        if place is None:
            return None
        self._check_whole(place, self.answers[name])
        return parquet_sql([place])

    def _check_whole(self, place: str, expected: PartDigest) -> None:
        """Raise RunError if a part or an answer is not what was written; each is read once."""
        if place not in self._whole:
            check_part(self._folder, place, expected)
            self._whole.add(place)

    def arrow(self, sql: str, parameters: Sequence[Any] = ()) -> pa.Table:
        """Run SQL over the tables; texts stay where DuckDB put them."""
        self.check()
        with self._lock, readable(self._folder):
            return self._connection.sql(sql, params=list(parameters)).to_arrow_table(_ROWS_OF_A_BATCH)

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
        source = table if sentence is None else self._parts_with(table, sentence)
        rows = self.query(f"select {columns} from {source} where {' and '.join(conditions)}", parameters)
        if "parser" in rows and table != "problems":
            rows["parser"] = pd.Categorical(rows["parser"], categories=list(parsers))
            rows = rows.sort_values(["parser", *order.split()], kind="stable", ignore_index=True)
            rows["parser"] = rows["parser"].astype(object)
        return rows

    def tree(self, sentence: int, parser: str | None) -> pd.DataFrame:
        """Return ``tree``, ``notation`` and ``text`` of a parser's tree, or of the gold tree."""
        source = self._parts_with("trees", sentence)
        sql = f"select tree, notation, text from {source} where sentence = ? and parser is not distinct from ?"
        return self.query(sql, [sentence, parser])

    def _parts_with(self, table: str, sentence: int) -> str:
        """Return SQL of those parts of a table that may hold a sentence: of a long run all others stay closed."""
        if table not in self._spans:
            self._spans[table] = self._spans_of(table)
        places = [place for place, first, last in self._spans[table] if first <= sentence <= last]
        for place in places if has_digests(self._meta) else ():
            expected = self._meta["digests"]["parts"][f"{table}/{Path(place).name}"]
            if expected["bytes"] <= MAX_BYTES_CHECKED:
                self._check_whole(place, expected)
        return parquet_sql(places) if places else table

    def _spans_of(self, table: str) -> list[tuple[str, int, int]]:
        """Return the first and the last sentence of every part; nothing where the parts are not on this machine."""
        if not self._folder.is_local:
            return []
        ends = [f"try_cast(coalesce(stats_{end}_value, stats_{end}) as bigint)" for end in ("min", "max")]
        spans = self.query(
            f"select file_name, coalesce(min({ends[0]}), 0) as a, coalesce(max({ends[1]}), {_ANY}) as b "
            f"from parquet_metadata({parquet_list(self._folder.parts(table))}) where path_in_schema = 'sentence' "
            "group by file_name order by file_name"
        )
        return list(zip(spans["file_name"], spans["a"].tolist(), spans["b"].tolist(), strict=True))


def frame_query(frame: pd.DataFrame) -> Callable[[str], pd.DataFrame]:
    """Return a function that runs SQL over a data frame as the table ``sentences``.

    Parameters
    ----------
    frame : DataFrame
        Rows as of the table.
    """
    connection = duckdb.connect()
    connection.register("sentences", frame)
    return lambda sql: connection.execute(sql).df()
