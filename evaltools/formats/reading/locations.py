"""Paths and URLs; URLs are opened through fsspec."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import IO, Any

from evaltools.errors import InputError, ParameterError, Problem, missing_package

__all__ = ["can_reopen", "file_stem", "file_system", "is_url", "open_url", "without_file_scheme"]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_FILE = "file://"


def is_url(location: object) -> bool:
    """Return whether a location is a URL; ``file://…`` counts as a path of this machine."""
    return isinstance(location, str) and bool(_URL.match(location)) and not location.startswith(_FILE)


def without_file_scheme(location: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of a ``file://`` URL; anything else unchanged."""
    return location.removeprefix(_FILE) if isinstance(location, str) else location


def file_stem(file: str) -> str:
    """Return the name of a file without endings of its format and compression; empty for standard input."""
    if file == "-":
        return ""
    path = Path(file)
    return Path(path.stem if path.suffix.lower() in (".gz", ".zst") else path.name).stem


def can_reopen(source: object) -> bool:
    """Return whether a source is a path or URL that can be opened again; a pipe or standard input cannot."""
    if is_url(source):
        return True
    if not isinstance(source, str | os.PathLike):
        return False
    path = Path(without_file_scheme(source))
    return str(path) != "-" and (os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path))


def file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise missing_package(f"{url}: URLs", "fsspec", "dask") from None
    try:
        system, path = url_to_fs(url)
    except (ImportError, ValueError, OSError) as error:  # OSError if the host does not answer
        raise ParameterError(f"{url}: {error}") from None
    return system, str(path).rstrip("/")


def open_url(url: str) -> tuple[IO[bytes], int | None]:
    """Open what a URL points to for reading, and return its size where that is known."""
    system, path = file_system(url)
    try:
        if system.isdir(path):
            raise IsADirectoryError
        return system.open(path, "rb"), system.size(path)
    except FileNotFoundError:
        found = "no such file"
    except IsADirectoryError:
        found = "a folder"
    except Exception as error:  # each kind of file system has errors of its own
        found = str(error) or type(error).__name__
    raise InputError(Problem("file", url, None, None, found, "a readable file"))
