"""Places that are not on this machine: URLs, opened through fsspec."""

from __future__ import annotations

import os
import re
from typing import IO, Any

from evaltools.errors import InputError, ParameterError, Problem

__all__ = ["file_system", "is_url", "open_url", "without_file_scheme"]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_FILE = "file://"


def is_url(place: object) -> bool:
    """Tell whether a place is a URL; ``file://…`` counts as a path of this machine.

    >>> is_url("s3://corpora/gold.ptb"), is_url("gold.ptb"), is_url("file:///tmp/gold.ptb")
    (True, False, False)
    """
    return isinstance(place, str) and bool(_URL.match(place)) and not place.startswith(_FILE)


def without_file_scheme(place: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path that a ``file://`` URL means; anything else as it is."""
    return place.removeprefix(_FILE) if isinstance(place, str) else place


def file_system(url: str) -> tuple[Any, str]:
    """Return what fsspec knows a URL's file system by, and the place in it.

    Parameters
    ----------
    url : str
        Such as ``s3://bucket/folder``; credentials are where its file system looks for them.

    Raises
    ------
    ParameterError
        If fsspec, or what it needs for this kind of URL, is not installed, or there is no such server.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ParameterError(f"{url}: URLs need fsspec; install evaltools[dask]") from None
    try:
        system, place = url_to_fs(url)
    except (ImportError, ValueError, OSError) as error:  # the last where nobody answers there
        raise ParameterError(f"{url}: {error}") from None
    return system, str(place).rstrip("/")


def open_url(url: str) -> tuple[IO[bytes], int | None]:
    """Open what a URL points to for reading, and return its size where that is known.

    Parameters
    ----------
    url : str
        The URL.

    Raises
    ------
    InputError
        If it cannot be opened.
    """
    system, place = file_system(url)
    try:
        if system.isdir(place):
            raise IsADirectoryError
        return system.open(place, "rb"), system.size(place)
    except FileNotFoundError:
        found = "no such file"
    except IsADirectoryError:
        found = "a folder"
    except Exception as error:  # each kind of file system has errors of its own
        found = str(error) or type(error).__name__
    raise InputError(Problem("file", url, None, None, found, "a readable file"))
