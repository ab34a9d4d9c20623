"""The folder of a run: its files, their names and digests."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from evaltools.errors import ParameterError, RunError, shortage
from evaltools.formats.source import is_url, without_file_scheme
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


def run_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a run's folder; raise an error for a URL, or a name that is not UTF-8, as DuckDB needs it."""
    if is_url(path):
        raise ParameterError(f"{path}: a run is a folder of this machine, not a URL")
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        raise RunError(f"{path}: the name of a run's folder must be UTF-8") from None
    return Path(without_file_scheme(path))


def meta_bytes(meta: Any) -> bytes:
    """Return the content of a ``meta.json``; bytes of file names that are not UTF-8 are kept as escapes."""
    return (json.dumps(meta, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


class Folder:
    """Reads the files of a run."""

    def __init__(self, path: str | Path) -> None:
        self.path = run_path(path)

    def __str__(self) -> str:
        return str(self.path)

    def meta(self) -> Any:
        """Return the content of ``meta.json``."""
        with self.open(META) as file:
            content = file.read()
        try:
            return json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError, MemoryError) as error:
            raise shortage(error) or RunError(f"{self}/{META} cannot be read: {error}") from None

    def _inside(self, name: str) -> Path:
        """Return a file of the folder; raise RunError for a pipe, or a link that leads out, as in an untrusted run."""
        file = self.path / name
        if file.is_symlink() and not file.resolve().is_relative_to(self.path.resolve()):
            raise RunError(f"{self} is damaged: {name} is a link that leads out of it")
        if file.exists() and not file.is_file():
            raise RunError(f"{self} is damaged: {name} is not a file")
        return file

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open one of its files for reading; all errors become a RunError or a ResourceError."""
        try:
            with self._inside(name).open("rb") as file:
                yield file
        except OSError as error:
            reason = error.strerror or error
            raise shortage(error) or RunError(f"{self} is damaged: {name} cannot be read ({reason})") from None

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
        return (self.path / table_file(table)).stat().st_mtime_ns > (self.path / META).stat().st_mtime_ns

    def source(self, table: str, *, with_row_numbers: bool = False) -> str:
        """Return a table as DuckDB's SQL has it after ``from``; with the column ``file_row_number``."""
        path = str(self._inside(table_file(table)))
        return f"read_parquet({pattern_of(path)}, file_row_number = {str(with_row_numbers).lower()})"

    def attach(self, database: duckdb.DuckDBPyConnection, table: str, view: str = "") -> dict[str, str]:
        """Create a view of a table, for this connection alone; return the types of its columns."""
        view = view or table
        database.execute(f"create temp view {view} as select * from {self.source(table)}")
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
