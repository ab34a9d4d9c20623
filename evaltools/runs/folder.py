"""The folder of a run, on this machine or at a URL: its files, their names and digests."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from evaltools.errors import EvaltoolsError, RunError, shortage
from evaltools.formats.source import file_system, is_url, without_file_scheme
from evaltools.frameworks.stored import quoted

if TYPE_CHECKING:
    import duckdb


META = "meta.json"
"""How the run was made; it is written last."""


def table_file(table: str) -> str:
    """Return the name of a table's file."""
    return f"{table}.parquet"


def pattern_of(path: str) -> str:
    """Return a path as a string of SQL where DuckDB expects a pattern, whose special characters are escaped."""
    return quoted(re.sub(r"[*?\[]", r"[\g<0>]", path))


def is_run(path: Path) -> bool:
    """Return whether a folder of this machine holds a run."""
    # os.path, because Path raises an error for a path that is too long or must not be read
    return os.path.isfile(path / META)


def check_name(path: str | Path) -> None:
    """Raise RunError if the name of a run's folder is not UTF-8, as DuckDB needs it."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        raise RunError(f"{path}: the name of a run's folder must be UTF-8") from None


def meta_bytes(meta: Any) -> bytes:
    """Return the content of a ``meta.json``; bytes of file names that are not UTF-8 are kept as escapes."""
    return (json.dumps(meta, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


class Folder:
    """Reads the files of a run."""

    def __init__(self, path: str | Path) -> None:
        self.name = str(without_file_scheme(path))
        check_name(self.name)
        self.path = Path(self.name)
        self._system: Any = None
        if is_url(path):
            self._system, root = file_system(self.name)
            self.path = Path(root)

    def __str__(self) -> str:
        return self.name

    def is_run(self) -> bool:
        """Return whether it holds a run."""
        if self._system is None:
            return is_run(self.path)
        try:
            return bool(self._system.exists(f"{self.path}/{META}"))
        except Exception as error:  # each kind of file system has errors of its own
            raise RunError(f"{self.name} cannot be read: {error}") from None

    def meta(self) -> Any:
        """Return the content of ``meta.json``."""
        with self.open(META) as file:
            content = file.read()
        try:
            return json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError, MemoryError) as error:
            raise shortage(error) or RunError(f"{self.name}/{META} cannot be read: {error}") from None

    def _inside(self, name: str) -> Path:
        """Return a file of the folder; raise RunError for a pipe, or a link that leads out, as in an untrusted run."""
        file = self.path / name
        if file.is_symlink() and not file.resolve().is_relative_to(self.path.resolve()):
            raise RunError(f"{self.name} is damaged: {name} is a link that leads out of it")
        if file.exists() and not file.is_file():
            raise RunError(f"{self.name} is damaged: {name} is not a file")
        return file

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open one of its files for reading; all errors become a RunError or a ResourceError."""
        try:
            path = f"{self.path}/{name}"
            with self._inside(name).open("rb") if self._system is None else self._system.open(path, "rb") as file:
                yield file
        except EvaltoolsError:
            raise
        except Exception as error:  # each kind of file system has errors of its own
            reason = getattr(error, "strerror", None) or error
            raise shortage(error) or RunError(f"{self.name} is damaged: {name} cannot be read ({reason})") from None

    def entry(self, table: str) -> dict[str, Any]:
        """Return size and digest of a table's file, as ``meta.json`` has them."""
        with self.open(table_file(table)) as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
            return {"bytes": file.tell(), "sha256": digest}

    def size(self, table: str) -> int:
        """Return the size of a table's file in bytes."""
        with self.open(table_file(table)) as file:
            return file.seek(0, os.SEEK_END)

    def is_newer(self, table: str) -> bool:
        """Return whether the file of a table was written after ``meta.json``, which evaltools writes last."""
        if self._system is not None:
            return False
        return (self.path / table_file(table)).stat().st_mtime_ns > (self.path / META).stat().st_mtime_ns

    def source(self, database: duckdb.DuckDBPyConnection, table: str, *, with_row_numbers: bool = False) -> str:
        """Return a table as DuckDB's SQL has it after ``from``; with the column ``file_row_number``."""
        path = str(self._inside(table_file(table)))
        if self._system is not None:
            protocol = self._system.protocol
            if not database.filesystem_is_registered(protocol if isinstance(protocol, str) else protocol[0]):
                database.register_filesystem(self._system)
            path = self._system.unstrip_protocol(f"{self.path}/{table_file(table)}")
        return f"read_parquet({pattern_of(path)}, file_row_number = {str(with_row_numbers).lower()})"

    def attach(self, database: duckdb.DuckDBPyConnection, table: str, view: str = "") -> dict[str, str]:
        """Create a view of a table, for this connection alone; return the types of its columns."""
        view = view or table
        database.execute(f"create temp view {view} as select * from {self.source(database, table)}")
        return {name: kind.id for name, kind, *_ in database.execute(f"select * from {view} limit 0").description}


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
