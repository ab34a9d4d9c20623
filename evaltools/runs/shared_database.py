"""Small SQLite files that several people write into at once, and that may come from anyone."""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

Statement = tuple[str, Sequence[object]]
"""An SQL statement and its values."""

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
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise OSError(0, f"{path.name}: {error}") from None


def create(path: Path, statements: Iterable[Statement]) -> None:
    """Create a database by statements, completely or not at all; do nothing if there is one.

    Only its owner may read it.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        temporary.touch(0o600)
        with opened(temporary) as database:
            database.execute("begin immediate")
            for statement, values in statements:
                database.execute(statement, values)
            database.execute("commit")
        _rename_to_new(temporary, path)
    finally:
        for end in ("", "-journal"):
            temporary.with_name(temporary.name + end).unlink(missing_ok=True)


def _rename_to_new(temporary: Path, path: Path) -> None:
    """Give a file its name, unless somebody else was faster."""
    try:
        os.link(temporary, path)  # unlike renaming, this replaces nothing
    except OSError:  # a file system without hard links, unless there is a file
        if not path.exists():
            temporary.rename(path)


def is_linked(path: Path) -> bool:
    """Return whether a database, or one of the files that stand beside it while it is written, is a link."""
    return any(path.with_name(path.name + end).is_symlink() for end in ("", "-journal", "-wal", "-shm"))
