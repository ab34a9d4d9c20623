"""What is in the folder of a run, by name, and whether a folder holds a run."""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["META", "is_run", "pattern_of", "quoted", "table_file"]

META = "meta.json"
"""How the run was made; it is written last."""


def table_file(table: str) -> str:
    """Return the name of a table's file."""
    return f"{table}.parquet"


def quoted(text: str) -> str:
    """Return a text as a string of SQL."""
    return "'" + text.replace("'", "''") + "'"


def pattern_of(path: str) -> str:
    """Return a path as a string of SQL where DuckDB expects a pattern, whose special characters are escaped."""
    return quoted(re.sub(r"[*?\[]", r"[\g<0>]", path))


def is_run(path: Path) -> bool:
    """Return whether a folder of this machine holds a run."""
    # os.path, because Path raises an error for a path that is too long or must not be read
    return os.path.isfile(path / META)
