"""Inputs that are read twice: which ones can be, and how."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from evaltools.errors import ParameterError
from evaltools.formats import Source
from evaltools.formats.byte_stream import ByteStream, open_bytes
from evaltools.formats.locations import is_url, without_file_scheme

__all__ = ["check_twice", "first_reading", "is_file"]


def is_file(source: Any) -> bool:
    """Tell whether a source is named by a path or URL that can be opened once more; no pipe, no standard input."""
    if is_url(source):
        return True
    if not isinstance(source, str | os.PathLike):
        return False
    place = without_file_scheme(source)
    path = Path(place)
    return str(place) != "-" and not (path.exists() and not path.is_file() and not path.is_dir())


def check_twice(source: Any, option: str) -> None:
    """Raise an error if a source can be read only once.

    Parameters
    ----------
    source : str, path, Source, ByteStream or binary file
        As for :func:`evaltools.score`.
    option : str
        What needs it to be read twice, for the message.

    Raises
    ------
    ParameterError
        If it is a pipe or standard input.
    """
    if isinstance(source, Source) or is_file(source):
        return
    if isinstance(source, ByteStream):
        if source.path is not None:
            return
    elif not isinstance(source, str | os.PathLike) and source.seekable():
        return
    raise ParameterError(f"only files can be read a second time: {option} does not go with a pipe or standard input")


def first_reading(source: Any) -> Any:
    """Return what to read first, so that the source itself can be read after it.

    A binary file is the same for both, and must be put back to where it stands now.

    Parameters
    ----------
    source : str, path, Source, ByteStream or binary file
        One that can be read twice.
    """
    if isinstance(source, ByteStream) and source.path is not None:
        return open_bytes(source.path, source.name)
    return source
