"""Continuing an interrupted run: what makes it the same job, and how others are kept away meanwhile."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

import evaltools
from evaltools.errors import InputError, ParameterError, Problem, RunError
from evaltools.formats import Source
from evaltools.formats.byte_stream import open_bytes
from evaltools.formats.locations import is_url, open_url, without_file_scheme
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.normalize import Preset
from evaltools.runs.rereading import is_file

if sys.platform != "win32":  # there, two programs must not be told to continue the same run at one time
    import fcntl

__all__ = ["FolderLock", "check_unchanged", "identify", "what_changed"]

_WORDS = {
    "gold": "the gold file has changed",
    "parsers": "the parsers or their files have changed",
    "preset": "the preset is another",
    "evaltools": "it was begun with another version",
}


def identify(gold: Any, parsers: Mapping[str, Any], preset: Preset, **choices: Any) -> dict[str, Any]:
    """Say what a job is, so that it can be told from another: inputs by content, preset, options, versions.

    Parameters
    ----------
    gold, parsers
        The sources, as for :func:`evaltools.score`.
    preset : Preset
        The rules.
    **choices
        Everything else that the result depends on; values that JSON keeps as they are.

    Raises
    ------
    InputError
        If a file cannot be opened.
    ParameterError
        If a source cannot be read a second time.
    """
    return {
        "evaltools": evaltools.__version__,
        "pyarrow": pa.__version__,
        "preset": [preset.name, preset.source or preset.to_dict()],
        "gold": _content(gold),
        "parsers": [[name, *_content(source)] for name, source in parsers.items()],
        **choices,
    }


def _content(source: Any) -> list[str]:
    """Return an input's name and the SHA-256 of its bytes as stored."""
    if isinstance(source, Source):
        return [source.name, source.digest]
    source = without_file_scheme(source) if isinstance(source, str | os.PathLike) else source
    if not is_file(source):
        raise ParameterError("only files can be read a second time: --resume does not go with a pipe or standard input")
    open_bytes(source).close()  # says what is wrong with it
    with open_url(source)[0] if is_url(source) else Path(source).open("rb") as file:
        return [str(source), hashlib.file_digest(file, "sha256").hexdigest()]  # type: ignore[arg-type]


def what_changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Say in words why an interrupted job cannot be continued."""
    if not before:
        return "there is no record of what was begun"
    words = [text for key, text in _WORDS.items() if before.get(key) != now.get(key)]
    return ", ".join(words) or "the options are others"


def check_unchanged(job: Mapping[str, Any], gold: CorpusStream, parsers: Mapping[str, CorpusStream]) -> None:
    """Raise an error if a file was changed while it was read."""
    digests = [job["gold"][-1], *(entry[-1] for entry in job["parsers"])]
    for stream, digest in zip((gold, *parsers.values()), digests, strict=True):
        if stream.digest != digest:
            found = "another content than a moment before"
            raise InputError(Problem("changed", stream.name, None, None, found, "a file that stays as it is"))


class FolderLock:
    """Keeps other programs of this kind out of a folder, until it is released or this program ends.

    Parameters
    ----------
    folder : Path
        The folder.

    Raises
    ------
    RunError
        If another program holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._held: int | None = None
        if sys.platform == "win32":
            return
        self._held = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise RunError(f"another program is writing {folder}; wait for it, or end it") from None
        except OSError:  # a file system without locks
            self.release()

    @property
    def is_held(self) -> bool:
        """Whether there is a lock: on Windows, and on a file system without locks, there is none."""
        return self._held is not None

    def release(self) -> None:
        """Let others in."""
        if self._held is not None:
            os.close(self._held)
            self._held = None
