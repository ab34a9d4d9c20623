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

from evaltools.errors import RunError
from evaltools.runs.engine.parts import FolderParts, Writer, read_json, write_json
from evaltools.runs.engine.resumption import FolderLock, describe_change
from evaltools.runs.folders.answers import write_answers
from evaltools.runs.folders.digests import has_digests
from evaltools.runs.folders.folder import Folder, check_name, meta_bytes
from evaltools.runs.folders.integrity import damaged_parts
from evaltools.runs.folders.names import ANSWERS, META, RECORD, is_run
from evaltools.runs.schema import all_tables, tables_of

__all__ = ["RunWriter"]

_JOB = "job.json"
_LEFTOVER = r"\.\d+-[0-9a-f]{8}\.(partial|old|removed)"


class RunWriter(Writer):
    """Writes a run to a folder, which gets its final name in :meth:`finish`."""

    # Until then the parts are in a folder ``.NAME.*.partial`` beside it, and an older run that is replaced is in
    # ``.NAME.*.old``. If a program is killed, these folders stay; the next writer of the same run removes them.
    # A running program locks its folders, which protects them. Without locks (on Windows, and on some file systems)
    # no such folder is removed.

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
        self._check_replaceable()
        # the process id is not enough: another thread of this program may write a run of the same name
        self._own = f".{path.name}.{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.folder = path.parent / (f"{self._own}.partial" if job is None else f".{path.name}.resume.partial")
        self._lock: FolderLock | None = None
        parts = FolderParts(self.folder, resumable=job is not None)
        super().__init__(parts)
        self._resumable = parts.resumable
        try:
            if job is not None:
                self.folder.mkdir(parents=True, exist_ok=True)
                self._lock = FolderLock(self.folder)
                self._resume(job, note)
            else:
                unlocked = path.parent / f"{self._own}.new"  # other writers do not remove a folder of this name
                unlocked.mkdir(parents=True)
                self._lock = FolderLock(unlocked)
                unlocked.rename(self.folder)
            for table in all_tables():
                (self.folder / table).mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:  # the latter for a NUL in the path
            raise RunError(f"cannot write to {path.parent}: {getattr(error, 'strerror', None) or error}") from None

    def _remove_leftovers(self) -> None:
        """Remove the folders that killed programs left of this run; restore an older run that was not replaced."""
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

    def _resume(self, job: Mapping[str, Any], note: Callable[[str], None] | None) -> None:
        """Keep the parts of an interrupted run of the same job; remove those of another job."""
        record = self.folder / RECORD
        before = read_json(record / _JOB)
        text = ""
        if before == json.loads(json.dumps(job)):
            n = len(list(record.glob("*.json"))) - 1
            text = f"{self.path} is continued: {n} parts were finished before"
            for unfinished in self.folder.glob("*/.*.tmp"):
                unfinished.unlink(missing_ok=True)
            (self.folder / META).unlink(missing_ok=True)
        else:
            leftovers = list(self.folder.iterdir())
            if leftovers:
                text = f"{self.path} starts over: {describe_change(before, job)}"
            for path in leftovers:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            record.mkdir()
            write_json(record / _JOB, job)
        if text and note is not None:
            note(text)

    def copy(self, run: Folder) -> dict[str, Any]:
        """Copy every table and cached result of another run, and finish; return the content of ``meta.json``."""
        try:
            for table in tables_of(run.meta()):
                for part in run.parts(table):
                    run.copy(part, self.folder / table / PurePath(part).name)
            if answers := run.parts(ANSWERS):
                (self.folder / ANSWERS).mkdir()
                for answer in answers:
                    run.copy(answer, self.folder / ANSWERS / PurePath(answer).name)
            meta: dict[str, Any] = run.meta()
            self._remove_other_tables(meta)
            (self.folder / META).write_bytes(meta_bytes(meta))
        except OSError as error:
            raise RunError(f"cannot copy {run} to {self.path}: {error.strerror}") from None
        if has_digests(meta):
            for name, fault in damaged_parts(Folder(self.folder), meta, tables_of(meta)):
                raise RunError(f"cannot copy {run} to {self.path}: {name}: {fault}")
        self._put_in_place()
        return meta

    def _remove_other_tables(self, meta: Any) -> None:
        """Remove the empty folders of tables that this framework does not have."""
        for table in set(all_tables()) - set(tables_of(meta)):
            (self.folder / table).rmdir()

    def finish(self, meta: dict[str, Any]) -> dict[str, Any]:
        """Write ``meta.json``, give the folder its final name, and return the content of ``meta.json``."""
        try:
            self._remove_other_tables(meta)
            answers = write_answers(self.folder, self._complete(meta))
            content = meta_bytes(self._complete(meta, answers))
            (self.folder / META).write_bytes(content)
            if (self.folder / RECORD).exists():
                shutil.rmtree(self.folder / RECORD)
        except OSError as error:
            raise RunError(f"cannot write to {self.path.parent}: {error.strerror}") from None
        self._put_in_place()
        return json.loads(content)  # type: ignore[no-any-return]

    def _check_replaceable(self) -> None:
        """Raise RunError if the path exists and must not be replaced."""
        if os.path.lexists(self.path):
            if not is_run(self.path):
                raise RunError(f"{self.path} exists and is not a run of evaltools; it is not replaced")
            if not self._force:
                raise RunError(f"{self.path} exists; replace it with --force (force=True), or choose another name")

    def _put_in_place(self) -> None:
        swapping = lock_of_old = None
        try:
            swapping = FolderLock(self.path.parent, wait=True)  # of several programs one renames after the other
            self._check_replaceable()  # another program may have written it meanwhile
            old = self.path.parent / f"{self._own}.old"
            if self.path.exists():
                with contextlib.suppress(RunError):  # another program may replace it at the same time
                    lock_of_old = FolderLock(self.path)
                self.path.rename(old)
            try:
                self.folder.rename(self.path)
            except OSError:
                if old.exists():
                    old.rename(self.path)
                raise
            if old.is_symlink():
                old.unlink()
            shutil.rmtree(old, ignore_errors=True)
        except OSError as error:
            raise RunError(f"cannot write {self.path}: {error.strerror}") from None
        finally:
            for lock in (lock_of_old, swapping):
                if lock is not None:
                    lock.release()
        self._release()

    def abandon(self) -> None:
        """Remove everything that was written."""
        removed = self.folder.with_suffix(".removed")
        with contextlib.suppress(OSError):  # so that workers on other machines cannot write any more
            self.folder.rename(removed)
        for folder in (removed, self.folder):
            shutil.rmtree(folder, ignore_errors=True)
        self._release()

    def interrupt(self) -> None:
        """Keep the finished parts if the run can be resumed and there are any; else remove everything."""
        if not self._resumable or not any((self.folder / RECORD).glob("[0-9]*.json")):
            self.abandon()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
