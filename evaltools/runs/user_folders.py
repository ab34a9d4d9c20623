"""Folders of the user, or temporary ones where those cannot be written, as in a container without a home."""

from __future__ import annotations

import atexit
import functools
import logging
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

__all__ = ["user_cache", "user_data"]

_LOG = logging.getLogger(__name__)


def user_cache() -> Path:
    """Return the folder of what can be computed again."""
    return _folder(platformdirs.user_cache_dir("evaltools"))


def user_data() -> Path:
    """Return the folder of what the user has made: runs, notes, lessons, votes."""
    return _folder(platformdirs.user_data_dir("evaltools"))


@functools.cache
def _folder(path: str) -> Path:
    """Return a folder, created if it is missing, or a temporary one if it cannot be written."""
    with suppress(OSError):
        Path(path).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
        return Path(path)
    folder = tempfile.mkdtemp(prefix="evaltools-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _LOG.warning("evaltools: %s cannot be written; until the program ends, %s is used", path, folder)
    return Path(folder)
