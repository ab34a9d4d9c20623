"""What is in the folder of a run, by name, and whether a folder holds a run."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["ANSWERS", "META", "RECORD", "is_run"]

META = "meta.json"
"""The file that says what the run is; the tables are subfolders."""

RECORD = "record"
"""Subfolder with the state of an unfinished run; a complete run has none."""

ANSWERS = "answers"
"""Subfolder of cached query results."""


def is_run(path: Path) -> bool:
    """Return whether a folder of this machine holds a run."""
    # os.path, because Path raises an error for a path that is too long or must not be read
    return os.path.isfile(path / META) and not os.path.exists(path / RECORD)
