"""A run's folder, on this machine or anywhere a URL points to."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, Any

import duckdb
import pyarrow.dataset as ds

from evaltools.errors import EvaltoolsError, RunError, shortage
from evaltools.formats.locations import file_system, is_url, without_file_scheme
from evaltools.runs.digests import ANSWERS
from evaltools.runs.parts import RECORD

__all__ = ["ANSWERS", "META", "Folder", "check_name", "is_run", "meta_bytes", "parquet_list", "parquet_sql"]

META = "meta.json"


def is_run(path: Path) -> bool:
    """Tell whether a folder of this machine holds a run."""
    # false also for a path that is too long or may not be looked at
    return os.path.isfile(path / META) and not os.path.exists(path / RECORD)


def check_name(place: str | Path) -> None:
    """Raise RunError if the name of a run's folder is not UTF-8, as Arrow and DuckDB need it."""
    try:
        str(place).encode("utf-8")
    except UnicodeEncodeError:
        raise RunError(f"{place}: the name of a run's folder must be UTF-8") from None


def meta_bytes(meta: Any) -> bytes:
    """Return the content of a ``meta.json``; bytes of file names that are not UTF-8 are kept as escapes."""
    return (json.dumps(meta, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _quoted(place: str) -> str:
    """Write a file's name as DuckDB takes it: neither as SQL nor as a pattern."""
    return "'" + re.sub(r"[*?\[]", r"[\g<0>]", place).replace("'", "''") + "'"


def parquet_list(places: Iterable[str]) -> str:
    """Write Parquet files of this machine as a list in DuckDB's SQL."""
    return f"[{', '.join(map(_quoted, places))}]"


def parquet_sql(places: Iterable[str]) -> str:
    """Write Parquet files of this machine as DuckDB's SQL takes them, in a ``from``."""
    return f"read_parquet({parquet_list(places)}, hive_partitioning=false)"


class Folder:
    """Reads what lies in a folder.

    Parameters
    ----------
    place : str or path
        A path of this machine, or a URL.

    Attributes
    ----------
    path : Path
        The path; for a URL, of use for its last part only.
    """

    def __init__(self, place: str | Path) -> None:
        self.place = str(without_file_scheme(place))
        check_name(self.place)
        self.path = Path(self.place)
        self._system: Any = None
        self._root = self.place
        if is_url(place):
            self._system, self._root = file_system(self.place)
            self.path = Path(self._root)

    def __str__(self) -> str:
        return self.place

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine, or looks so."""
        return self._system is None

    def is_run(self) -> bool:
        """Tell whether it holds a run."""
        if self._system is None:
            return is_run(self.path)
        try:
            exists = [self._system.exists(f"{self._root}/{name}") for name in (META, RECORD)]
        except Exception as error:  # each kind of file system has errors of its own
            raise RunError(f"{self.place} cannot be read: {error}") from None
        return exists == [True, False]

    def meta(self) -> Any:
        """Return the content of ``meta.json``."""
        try:
            if self._system is None:
                return json.loads(self._inside(self.path / META).read_text("utf-8"))
            return json.loads(self._system.cat_file(f"{self._root}/{META}").decode("utf-8"))
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            raise shortage(error) or RunError(f"{self.place}/{META} cannot be read: {error}") from None

    def parts(self, table: str) -> list[str]:
        """Return the places of a table's parts, in order."""
        if self._system is None:
            try:
                return sorted(str(self._inside(file)) for file in (self.path / table).glob("*.parquet"))
            except OSError as error:
                message = f"{self.place} cannot be read: {table}: {error.strerror or error}"
                raise shortage(error) or RunError(message) from None
        return sorted(map(str, self._system.glob(f"{self._root}/{table}/*.parquet")))

    def _inside(self, file: Path) -> Path:
        """Return a file of the folder; a folder that comes from anyone must not lead out of itself."""
        if (file.is_symlink() or file.parent.is_symlink()) and not file.resolve().is_relative_to(self.path.resolve()):
            raise RunError(f"{self.place} is damaged: {file.relative_to(self.path)} is a link that leads out of it")
        return file

    @contextmanager
    def open(self, place: str) -> Iterator[IO[bytes]]:
        """Open one of its files for reading; whatever goes wrong is a RunError, or a ResourceError."""
        try:
            with Path(place).open("rb") if self._system is None else self._system.open(place, "rb") as file:
                yield file
        except EvaltoolsError:
            raise
        except Exception as error:  # each kind of file system has errors of its own
            name = "/".join(PurePath(place).parts[-2:])
            raise shortage(error) or RunError(f"{self.place} is damaged: {name} cannot be read ({error})") from None

    def dataset(self, table: str) -> ds.Dataset:
        """Open a table; its pages are checked when they are read."""
        options = ds.ParquetFragmentScanOptions(page_checksum_verification=True)
        form = ds.ParquetFileFormat(default_fragment_scan_options=options)
        return ds.dataset(self.parts(table), format=form, filesystem=self._system)

    def attach(
        self, database: duckdb.DuckDBPyConnection, table: str, added: Mapping[str, str] | None = None
    ) -> ds.Dataset:
        """Let a database read a table under its name, and return the table.

        DuckDB reads the files of this machine itself, only those of their row groups that may hold what is asked for.

        Parameters
        ----------
        database : DuckDBPyConnection
            The database.
        table : str
            The table.
        added : mapping of str to str, optional
            Columns that an older table lacks, with those whose values they have then.
        """
        dataset = self.dataset(table)
        known = set(dataset.schema.names)
        columns = [f"{old} as {new}" for new, old in (added or {}).items() if new not in known and old in known]
        source = f"{table}_as_stored"
        if self._system is None:
            source = parquet_sql(self.parts(table))
        else:
            database.register(source, dataset)
        database.execute(f"create view {table} as select {', '.join(['*', *columns])} from {source}")
        return dataset

    def copy(self, place: str, target: Path) -> None:
        """Copy one of its files."""
        if self._system is None:
            shutil.copyfile(place, target)
        else:
            self._system.get_file(place, str(target))
