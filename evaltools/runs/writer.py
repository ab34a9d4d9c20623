"""Writing a run folder: to a temporary name, renamed when it is complete."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa

from evaltools.errors import RunError
from evaltools.runs.answers import keep_answers
from evaltools.runs.contents import Contents
from evaltools.runs.digests import has_digests
from evaltools.runs.folder import ANSWERS, META, Folder, check_name, is_run, meta_bytes
from evaltools.runs.integrity import damaged_parts
from evaltools.runs.kinds import tables_of
from evaltools.runs.parts import RECORD, PartResult, Parts, read_json, write_json
from evaltools.runs.resumption import FolderLock, what_changed
from evaltools.runs.tables import TABLES

__all__ = ["META", "RunWriter", "is_run"]

_JOB = "job.json"
_LEFTOVER = r"\.\d+-[0-9a-f]{8}\.(partial|old|removed)"


class RunWriter:
    """Writes the parts of a run; nothing stands at the final name before :meth:`finish`.

    Meanwhile they are in a folder ``.NAME.*.partial`` beside it, and an older run that is replaced in ``.NAME.*.old``.
    Where a program was killed these folders stay; the next writer of the same run removes them. The folders of a
    program that is still running are locked by it and left alone, as are all where there are no locks: on Windows,
    and on file systems without them.

    Parameters
    ----------
    path : Path
        The run's folder.
    force : bool
        Whether an older run there may be replaced. A folder that is no run never is.
    job : mapping, optional
        What the run depends on. With it, finished parts stay where they are after an interruption, and are taken over
        if the same job is begun again.
    note : callable, optional
        Is told whether an interrupted run is continued.

    Attributes
    ----------
    parts : Parts
        Where parts are written.
    """

    def __init__(
        self,
        path: Path,
        *,
        force: bool = False,
        job: Mapping[str, Any] | None = None,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self.path = path
        self._force = force
        check_name(path)
        self._remove_leftovers()
        self._check_place()
        # another thread of this program may write to the same place
        self._own = f".{path.name}.{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._partial = path.parent / (f"{self._own}.partial" if job is None else f".{path.name}.resume.partial")
        self._lock: FolderLock | None = None
        self._contents = Contents()
        self.parts = Parts(self._partial, record=job is not None)
        try:
            if job is not None:
                self._partial.mkdir(parents=True, exist_ok=True)
                self._lock = FolderLock(self._partial)
                self._take_over(job, note)
            else:
                unlocked = path.parent / f"{self._own}.new"  # no leftover to another writer while it has no lock
                unlocked.mkdir(parents=True)
                self._lock = FolderLock(unlocked)
                unlocked.rename(self._partial)
            for table in TABLES:
                (self._partial / table).mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:  # the latter for a NUL in the path
            raise RunError(f"cannot write to {path.parent}: {getattr(error, 'strerror', None) or error}") from None

    def _remove_leftovers(self) -> None:
        """Remove what killed programs left of this run; put an older run back that was not replaced any more."""
        name = re.compile(re.escape(f".{self.path.name}") + _LEFTOVER)
        with contextlib.suppress(OSError, ValueError):
            folders = [folder for folder in self.path.parent.iterdir() if name.fullmatch(folder.name)]
            for folder in sorted(folders):
                if folder.is_symlink() or not folder.is_dir():
                    continue
                with contextlib.suppress(RunError):
                    lock = FolderLock(folder)
                    if lock.is_held and folder.suffix == ".old" and is_run(folder) and not os.path.exists(self.path):
                        folder.rename(self.path)
                    elif lock.is_held:
                        shutil.rmtree(folder, ignore_errors=True)
                    lock.release()

    def _take_over(self, job: Mapping[str, Any], note: Callable[[str], None] | None) -> None:
        """Keep what an interrupted run of the same job left; remove what another one left."""
        record = self._partial / RECORD
        before = read_json(record / _JOB)
        text = ""
        if before == json.loads(json.dumps(job)):
            n = len(list(record.glob("*.json"))) - 1
            text = f"{self.path} is continued: {n} parts were finished before"
            for unfinished in self._partial.glob("*/.*.tmp"):
                unfinished.unlink(missing_ok=True)
            (self._partial / META).unlink(missing_ok=True)
        else:
            found = list(self._partial.iterdir())
            if found:
                text = f"{self.path} starts anew: {what_changed(before, job)}"
            for one in found:
                shutil.rmtree(one) if one.is_dir() else one.unlink()
            record.mkdir()
            write_json(record / _JOB, job)
        if text and note is not None:
            note(text)

    def write(self, table: str, part: str, rows: pa.Table) -> None:
        """Write one part of a table."""
        self._contents.add(part, {table: rows.num_rows}, {table: self.parts.write(table, part, rows)})

    def add_part(self, result: PartResult) -> None:
        """Count the rows, and keep the digests, of parts that were written by others."""
        self._contents.add(result.part, result.rows, result.digests)

    def copy(self, run: Folder) -> None:
        """Take over every table and answer of another run, and put the copy in its place."""
        try:
            for table in tables_of(run.meta()):
                for part in run.parts(table):
                    run.copy(part, self._partial / table / PurePath(part).name)
            if answers := run.parts(ANSWERS):
                (self._partial / ANSWERS).mkdir()
                for answer in answers:
                    run.copy(answer, self._partial / ANSWERS / PurePath(answer).name)
            meta = run.meta()
            self._remove_other_tables(meta)
            (self._partial / META).write_bytes(meta_bytes(meta))
        except OSError as error:
            raise RunError(f"cannot copy {run} to {self.path}: {error.strerror}") from None
        if has_digests(meta):
            for name, fault in damaged_parts(Folder(self._partial), meta, tables_of(meta)):
                raise RunError(f"cannot copy {run} to {self.path}: {name}: {fault}")
        self._put_in_place()

    def _remove_other_tables(self, meta: Any) -> None:
        """Remove the empty folders of tables that this kind of run does not have."""
        for table in set(TABLES) - set(tables_of(meta)):
            (self._partial / table).rmdir()

    def finish(self, meta: dict[str, Any]) -> None:
        """Write ``meta.json`` and put the run in its place."""
        try:
            self._remove_other_tables(meta)
            answers = keep_answers(self._partial, self._contents.described(meta))
            (self._partial / META).write_bytes(meta_bytes(self._contents.described(meta, answers)))
            if (self._partial / RECORD).exists():
                shutil.rmtree(self._partial / RECORD)
        except OSError as error:
            raise RunError(f"cannot write to {self.path.parent}: {error.strerror}") from None
        self._put_in_place()

    def _check_place(self) -> None:
        """Raise an error if something is there that may not be replaced."""
        if os.path.exists(self.path):
            if not is_run(self.path):
                raise RunError(f"{self.path} exists and is no run of evaltools; it is left alone")
            if not self._force:
                raise RunError(f"{self.path} exists; replace it with --force (force=True), or choose another name")

    def _put_in_place(self) -> None:
        self._check_place()  # another program may have been faster
        lock_of_old = None
        try:
            old = self.path.parent / f"{self._own}.old"
            if self.path.exists():
                with contextlib.suppress(RunError):  # another program may be replacing it, too
                    lock_of_old = FolderLock(self.path)
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
        finally:
            if lock_of_old is not None:
                lock_of_old.release()
        self._release()

    def abandon(self) -> None:
        """Remove what was written."""
        removed = self._partial.with_suffix(".removed")
        with contextlib.suppress(OSError):  # so that workers elsewhere, still at it, write no more
            self._partial.rename(removed)
        for folder in (removed, self._partial):
            shutil.rmtree(folder, ignore_errors=True)
        self._release()

    def interrupt(self) -> None:
        """Keep the finished parts if the job can be continued and there are any; else remove what was written."""
        if not self.parts.record or not any((self._partial / RECORD).glob("[0-9]*.json")):
            self.abandon()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
