"""Small SQLite files that several people write into at once, and that may come from anyone."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

__all__ = ["is_linked", "opened"]

_WAIT = 10.0
"""Seconds to wait for somebody else who writes."""


@contextmanager
def opened(path: Path, mode: str = "rwc") -> Iterator[sqlite3.Connection]:
    """Open a database that nobody has vouched for."""
    index = quote(os.fsencode(path.resolve()))
    try:
        with closing(sqlite3.connect(f"file:{index}?mode={mode}", timeout=_WAIT, uri=True)) as database:
            database.isolation_level = None
            database.execute("pragma trusted_schema = off")
            database.execute("pragma cell_size_check = on")
            yield database
    except (sqlite3.Error, OverflowError) as error:
        raise OSError(0, f"{path.name}: {error}") from None


def is_linked(path: Path) -> bool:
    """Return whether a database, or one of the files that stand beside it while it is written, is a link."""
    return any(path.with_name(path.name + end).is_symlink() for end in ("", "-journal", "-wal", "-shm"))
