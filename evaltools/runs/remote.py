"""Writing a run to a URL: nothing can be renamed there, so ``meta.json`` comes last."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pyarrow as pa

from evaltools.errors import RunError
from evaltools.formats.locations import file_system
from evaltools.runs.contents import Contents
from evaltools.runs.digests import PartDigest, digest_of
from evaltools.runs.folder import META, meta_bytes
from evaltools.runs.kinds import tables_of
from evaltools.runs.parts import RECORD, PartResult, write_parquet
from evaltools.runs.tables import TABLES

__all__ = ["UrlParts", "UrlWriter"]

_BEGUN = f"{RECORD}/begun"


class UrlParts:
    """Writes parts below a URL, each in one go.

    Parameters
    ----------
    url : str
        The run's folder.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._system, self._root = file_system(url)

    def write(self, table: str, part: str, rows: pa.Table) -> PartDigest:
        """Write one part of a table and return its size and digests."""
        content = io.BytesIO()
        write_parquet(rows, content)
        self.put(f"{table}/{part}.parquet", content.getvalue())
        return digest_of(content)

    def put(self, name: str, content: bytes) -> None:
        """Write a file."""
        try:
            self._system.pipe_file(f"{self._root}/{name}", content)
        except Exception as error:  # each kind of file system has errors of its own
            raise RunError(f"cannot write to {self.url}: {error}") from None

    def shared(self) -> UrlParts:
        """Return what writes to the same place from another machine."""
        return self

    def finish(self, result: PartResult) -> None:
        """Nothing is written down: a run at a URL is not continued."""

    def finished(self, part: str) -> PartResult | None:
        """Return nothing: a run at a URL is not continued."""

    def check(self, result: PartResult) -> None:
        """Raise an error if what another program has written cannot be seen from here."""
        self._system.invalidate_cache()
        for table, digest in result.digests.items():
            try:
                there = self._system.size(f"{self._root}/{table}/{result.part}.parquet") == digest["bytes"]
            except FileNotFoundError:
                there = False
            if not there:
                raise RunError(f"a worker's parts do not arrive at {self.url}: it must be the same place for all")


class UrlWriter:
    """Writes a run to a URL; it is a run only after :meth:`finish`.

    Parameters
    ----------
    url : str
        The run's folder.
    force : bool
        Whether an older run there may be replaced; it is removed at once. A folder that is no run never is.
    """

    def __init__(self, url: str, *, force: bool = False) -> None:
        self.parts = UrlParts(url)
        self._system, self._root = file_system(url)
        self._contents = Contents()
        try:
            if self._system.exists(self._root) and self._system.ls(self._root):
                old, left = (self._system.exists(f"{self._root}/{name}") for name in (META, _BEGUN))
                if not old and not left:
                    raise RunError(f"{url} exists and is no run of evaltools; it is left alone")
                if old and not left and not force:
                    raise RunError(f"{url} exists; replace it with --force (force=True), or choose another name")
                self._system.rm(self._root, recursive=True)
            for name in (*TABLES, RECORD):
                self._system.makedirs(f"{self._root}/{name}", exist_ok=True)
        except RunError:
            raise
        except Exception as error:  # each kind of file system has errors of its own
            raise RunError(f"cannot write to {url}: {error}") from None
        self.parts.put(_BEGUN, b"")

    def write(self, table: str, part: str, rows: pa.Table) -> None:
        """Write one part of a table."""
        self._contents.add(part, {table: rows.num_rows}, {table: self.parts.write(table, part, rows)})

    def add_part(self, result: PartResult) -> None:
        """Count the rows, and keep the digests, of parts that were written by others."""
        self._contents.add(result.part, result.rows, result.digests)

    def finish(self, meta: dict[str, Any]) -> None:
        """Write ``meta.json`` and take the mark away that the run is unfinished."""
        meta = self._contents.described(meta)
        for table in set(TABLES) - set(tables_of(meta)):
            self._system.rm(f"{self._root}/{table}", recursive=True)
        self.parts.put(META, meta_bytes(meta))
        self._system.rm(f"{self._root}/{RECORD}", recursive=True)

    def abandon(self) -> None:
        """Remove what was written."""
        with contextlib.suppress(Exception):  # it is no run in any case
            self._system.rm(self._root, recursive=True)

    def interrupt(self) -> None:
        """Remove what was written."""
        self.abandon()
