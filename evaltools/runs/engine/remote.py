"""Writing a run to a URL: nothing can be renamed there, so ``meta.json`` comes last."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

import pyarrow as pa

from evaltools.errors import RunError
from evaltools.formats.reading.locations import file_system
from evaltools.runs.engine.parts import PartResult, Parts, Writer, write_parquet
from evaltools.runs.folders.digests import PartDigest, digest_of
from evaltools.runs.folders.folder import meta_bytes
from evaltools.runs.folders.names import META, RECORD
from evaltools.runs.schema import all_tables, tables_of

__all__ = ["UrlParts", "UrlWriter"]

_UNFINISHED = f"{RECORD}/begun"


class UrlParts(Parts):
    """Writes parts below a URL."""

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

    def check_visible(self, result: PartResult) -> None:
        """Raise RunError if parts that another program has written are not visible here."""
        self._system.invalidate_cache()
        for table, digest in result.digests.items():
            try:
                visible = self._system.size(f"{self._root}/{table}/{result.part}.parquet") == digest["bytes"]
            except FileNotFoundError:
                visible = False
            if not visible:
                raise RunError(f"a worker's parts do not arrive at {self.url}: it must be the same place for all")


class UrlWriter(Writer):
    """Writes a run to a URL; it is a run only after :meth:`finish`."""

    def __init__(self, url: str, *, force: bool = False) -> None:
        parts = UrlParts(url)
        super().__init__(parts)
        self._put = parts.put
        self._system, self._root = file_system(url)
        try:
            if self._system.exists(self._root) and self._system.ls(self._root):
                is_run, is_unfinished = (self._system.exists(f"{self._root}/{name}") for name in (META, _UNFINISHED))
                if not is_run and not is_unfinished:
                    raise RunError(f"{url} exists and is not a run of evaltools; it is not replaced")
                if is_run and not is_unfinished and not force:
                    raise RunError(f"{url} exists; replace it with --force (force=True), or choose another name")
                self._system.rm(self._root, recursive=True)
            for name in (*all_tables(), RECORD):
                self._system.makedirs(f"{self._root}/{name}", exist_ok=True)
        except RunError:
            raise
        except Exception as error:  # each kind of file system has errors of its own
            raise RunError(f"cannot write to {url}: {error}") from None
        self._put(_UNFINISHED, b"")

    def finish(self, meta: dict[str, Any]) -> dict[str, Any]:
        """Write ``meta.json``, remove the mark of an unfinished run, and return the content of ``meta.json``."""
        content = meta_bytes(self._complete(meta))
        for table in set(all_tables()) - set(tables_of(meta)):
            self._system.rm(f"{self._root}/{table}", recursive=True)
        self._put(META, content)
        self._system.rm(f"{self._root}/{RECORD}", recursive=True)
        return json.loads(content)  # type: ignore[no-any-return]

    def abandon(self) -> None:
        """Remove everything that was written."""
        with contextlib.suppress(Exception):  # it is no run in any case
            self._system.rm(self._root, recursive=True)

    def interrupt(self) -> None:
        """Remove everything that was written: a run at a URL cannot be resumed."""
        self.abandon()
