"""Resuming an interrupted run: the identity of a job, and a lock on its folder."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

import evaltools
from evaltools.errors import InputError, ParameterError, Problem, RunError
from evaltools.formats import Source
from evaltools.formats.reading.byte_stream import open_bytes
from evaltools.formats.reading.locations import can_reopen, is_url, open_url, without_file_scheme
from evaltools.frameworks.scoring import Plan

if sys.platform != "win32":  # Windows has no such locks
    import fcntl

__all__ = ["FolderLock", "check_unchanged", "describe_change", "identify"]

_CHANGES = {
    "gold": "the gold file has changed",
    "parsers": "the parsers or their files have changed",
    "preset": "the preset is another",
    "metadata": "the metadata have changed",
    "evaltools": "it was begun with another version",
}


def identify(plan: Plan, parsers: Mapping[str, Any], **choices: Any) -> dict[str, Any]:
    """Return the identity of a job: digests of the inputs, preset, options, versions."""
    return {
        "evaltools": evaltools.__version__,
        "pyarrow": pa.__version__,
        "preset": plan.rules,
        "gold": _content(plan.gold),
        "parsers": [[name, *_content(source)] for name, source in parsers.items()],
        **choices,
    }


def _content(source: Any) -> list[str]:
    """Return an input's name and the SHA-256 of its bytes as stored."""
    if isinstance(source, Source):
        return [source.name, source.digest]
    source = without_file_scheme(source) if isinstance(source, str | os.PathLike) else source
    if not can_reopen(source):
        raise ParameterError("--resume reads each file twice, which is impossible for a pipe or standard input")
    open_bytes(source).close()  # raises an error if it cannot be read
    with open_url(source)[0] if is_url(source) else Path(source).open("rb") as file:
        return [str(source), hashlib.file_digest(file, "sha256").hexdigest()]  # type: ignore[arg-type]


def describe_change(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return in words why an interrupted job cannot be continued."""
    if not before:
        return "there is no record of the unfinished run"
    changes = [text for key, text in _CHANGES.items() if before.get(key) != now.get(key)]
    return ", ".join(changes) or "the options are others"


def check_unchanged(job: Mapping[str, Any], digests: Sequence[tuple[str, str]]) -> None:
    """Raise InputError if a file was changed while it was read, given name and digest of each."""
    before = [job["gold"][-1], *(entry[-1] for entry in job["parsers"])]
    for (name, digest), digest_before in zip(digests, before, strict=True):
        if digest != digest_before:
            found = "content that changed while it was read"
            raise InputError(Problem("changed", name, None, None, found, "an unchanged file"))


class FolderLock:
    """Locks a folder against other writers, until it is released or this program ends.

    Parameters
    ----------
    folder : Path
        The folder.
    wait : bool
        Whether to wait while another program has locked it, or raise RunError.
    """

    def __init__(self, folder: Path, *, wait: bool = False) -> None:
        self._descriptor: int | None = None
        if sys.platform == "win32":
            return
        self._descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            self.release()
            raise RunError(f"another program is writing {folder}; wait for it, or end it") from None
        except OSError:  # a file system without locks
            self.release()

    @property
    def is_held(self) -> bool:
        """Whether the folder is locked; never on Windows, and on a file system without locks."""
        return self._descriptor is not None

    def release(self) -> None:
        """Release the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
