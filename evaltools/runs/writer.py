"""Writing a run folder: to a temporary name, renamed when it is complete."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evaltools.errors import RunError
from evaltools.runs.tables import TABLES

__all__ = ["META", "SCHEMA", "RunWriter", "is_run"]

META = "meta.json"
SCHEMA = 1
"""Version of the run's tables; another version is refused."""


def is_run(path: Path) -> bool:
    """Tell whether a folder holds a run."""
    return (path / META).is_file()


class RunWriter:
    """Writes the parts of a run; nothing stands at the final name before :meth:`finish`.

    Parameters
    ----------
    path : Path
        The run's folder.
    force : bool
        Whether an older run there may be replaced. A folder that is no run never is.
    """

    def __init__(self, path: Path, *, force: bool = False) -> None:
        self.path = path
        if path.exists():
            if not is_run(path):
                raise RunError(f"{path} exists and is no run of evaltools; it is left alone")
            if not force:
                raise RunError(f"{path} exists; replace it with --force (force=True), or choose another name")
        self._partial = path.parent / f".{path.name}.{os.getpid()}.partial"
        self._rows: dict[str, int] = dict.fromkeys(TABLES, 0)
        self._lock = threading.Lock()
        try:
            shutil.rmtree(self._partial, ignore_errors=True)
            for table in TABLES:
                (self._partial / table).mkdir(parents=True)
        except OSError as error:
            raise RunError(f"cannot write to {path.parent}: {error.strerror}") from None

    def write(self, table: str, part: str, rows: pa.Table) -> None:
        """Write one part of a table; different parts may be written from different threads."""
        try:
            pq.write_table(rows, self._partial / table / f"{part}.parquet", compression="zstd", compression_level=1)
        except OSError as error:
            raise RunError(f"cannot write to {self.path.parent}: {error.strerror or error}") from None
        with self._lock:
            self._rows[table] += rows.num_rows

    def copy(self, run: Path) -> None:
        """Take over every table of another run, and put the copy in its place."""
        try:
            for table in TABLES:
                for part in (run / table).glob("*.parquet"):
                    shutil.copyfile(part, self._partial / table / part.name)
            shutil.copyfile(run / META, self._partial / META)
        except OSError as error:
            raise RunError(f"cannot copy {run} to {self.path}: {error.strerror}") from None
        self._put_in_place()

    def finish(self, meta: dict[str, Any]) -> None:
        """Write ``meta.json`` and put the run in its place."""
        meta = {**meta, "rows": self._rows}
        try:
            (self._partial / META).write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n", "utf-8")
        except OSError as error:
            raise RunError(f"cannot write to {self.path.parent}: {error.strerror}") from None
        self._put_in_place()

    def _put_in_place(self) -> None:
        try:
            old = self.path.parent / f".{self.path.name}.{os.getpid()}.old"
            if self.path.exists():
                self.path.rename(old)
            try:
                self._partial.rename(self.path)
            except OSError:
                if old.exists():
                    old.rename(self.path)
                raise
            shutil.rmtree(old, ignore_errors=True)
        except OSError as error:
            raise RunError(f"cannot write {self.path}: {error.strerror}") from None

    def abandon(self) -> None:
        """Remove what was written."""
        shutil.rmtree(self._partial, ignore_errors=True)
