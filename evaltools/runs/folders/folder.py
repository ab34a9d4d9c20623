"""The folder of a run, on this machine or at a URL."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any

from evaltools.errors import EvaltoolsError, RunError, shortage
from evaltools.formats.reading.locations import file_system, is_url, without_file_scheme
from evaltools.runs.folders.names import META, RECORD, is_run
from evaltools.runs.schema import values_of

if TYPE_CHECKING:
    import duckdb
    import pyarrow.dataset as ds

__all__ = ["Folder", "check_name", "meta_bytes", "parquet_list", "parquet_sql"]


def check_name(path: str | Path) -> None:
    """Raise RunError if the name of a run's folder is not UTF-8, as Arrow and DuckDB need it."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        raise RunError(f"{path}: the name of a run's folder must be UTF-8") from None


def meta_bytes(meta: Any) -> bytes:
    """Return the content of a ``meta.json``; bytes of file names that are not UTF-8 are kept as escapes."""
    return (json.dumps(meta, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _quoted(path: str) -> str:
    """Return a path as a string of DuckDB's SQL, with its special and pattern characters escaped."""
    return "'" + re.sub(r"[*?\[]", r"[\g<0>]", path).replace("'", "''") + "'"


def parquet_list(paths: Iterable[str]) -> str:
    """Return paths of this machine as a list in DuckDB's SQL."""
    return f"[{', '.join(map(_quoted, paths))}]"


def parquet_sql(paths: Iterable[str]) -> str:
    """Return the SQL of a table that consists of Parquet files of this machine."""
    return f"read_parquet({parquet_list(paths)}, hive_partitioning=false)"


class Folder:
    """Reads the files of a run."""

    def __init__(self, path: str | Path) -> None:
        self.name = str(without_file_scheme(path))
        check_name(self.name)
        self.path = Path(self.name)
        self._system: Any = None
        self._root = self.name
        if is_url(path):
            self._system, self._root = file_system(self.name)
            self.path = Path(self._root)

    def __str__(self) -> str:
        return self.name

    @property
    def is_local(self) -> bool:
        """Whether it is a path of this machine, not a URL."""
        return self._system is None

    def is_run(self) -> bool:
        """Return whether it holds a run."""
        if self._system is None:
            return is_run(self.path)
        try:
            exists = [self._system.exists(f"{self._root}/{name}") for name in (META, RECORD)]
        except Exception as error:  # each kind of file system has errors of its own
            raise RunError(f"{self.name} cannot be read: {error}") from None
        return exists == [True, False]

    def meta(self) -> Any:
        """Return the content of ``meta.json``."""
        try:
            if self._system is None:
                return json.loads(self._inside(self.path / META).read_text("utf-8"))
            return json.loads(self._system.cat_file(f"{self._root}/{META}").decode("utf-8"))
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            raise shortage(error) or RunError(f"{self.name}/{META} cannot be read: {error}") from None

    def parts(self, table: str) -> list[str]:
        """Return the paths of a table's parts, in order."""
        if self._system is None:
            try:
                return sorted(str(self._inside(file)) for file in (self.path / table).glob("*.parquet"))
            except OSError as error:
                message = f"{self.name} cannot be read: {table}: {error.strerror or error}"
                raise shortage(error) or RunError(message) from None
        return sorted(map(str, self._system.glob(f"{self._root}/{table}/*.parquet")))

    def _inside(self, file: Path) -> Path:
        """Return a file of the folder; raise RunError for a pipe, or a link that leads out, as in an untrusted run."""
        if (file.is_symlink() or file.parent.is_symlink()) and not file.resolve().is_relative_to(self.path.resolve()):
            raise RunError(f"{self.name} is damaged: {file.relative_to(self.path)} is a link that leads out of it")
        if file.exists() and not file.is_file():
            raise RunError(f"{self.name} is damaged: {file.relative_to(self.path)} is not a file")
        return file

    @contextmanager
    def open(self, path: str) -> Iterator[IO[bytes]]:
        """Open one of its files for reading; all errors become a RunError or a ResourceError."""
        try:
            with Path(path).open("rb") if self._system is None else self._system.open(path, "rb") as file:
                yield file
        except EvaltoolsError:
            raise
        except Exception as error:  # each kind of file system has errors of its own
            name = "/".join(PurePath(path).parts[-2:])
            raise shortage(error) or RunError(f"{self.name} is damaged: {name} cannot be read ({error})") from None

    def dataset(self, table: str) -> ds.Dataset:
        """Open a table; reading a page compares its checksum."""
        import pyarrow.dataset as ds  # slow: it imports pandas

        options = ds.ParquetFragmentScanOptions(page_checksum_verification=True)
        form = ds.ParquetFileFormat(default_fragment_scan_options=options)
        return ds.dataset(self.parts(table), format=form, filesystem=self._system)

    def attach(self, database: duckdb.DuckDBPyConnection, table: str, meta: Mapping[str, Any]) -> dict[str, str]:
        """Create a view of a table, for this connection alone; return the types of its columns as they are stored."""
        # DuckDB reads files of this machine itself, and skips row groups that cannot have the rows of a query.
        source = f"{table}_as_stored"
        if self._system is None:
            source = parquet_sql(self.parts(table))
        else:
            database.register(source, self.dataset(table))
        stored: dict[str, str] = {
            name: kind.id for name, kind, *_ in database.execute(f"select * from {source} limit 0").description
        }
        columns = [f"{value} as {name}" for name, value in values_of(meta, table, list(stored)).items()]
        database.execute(f"create temp view {table} as select {', '.join(['*', *columns])} from {source}")
        return stored

    def copy(self, path: str, target: Path) -> None:
        """Copy one of its files."""
        if self._system is None:
            shutil.copyfile(path, target)
        else:
            self._system.get_file(path, str(target))
