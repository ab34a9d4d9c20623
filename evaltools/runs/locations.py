"""Where the app and the sample are, which come with the package, and the folders of the user."""

from __future__ import annotations

import atexit
import functools
import logging
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import platformdirs

import evaltools
from evaltools.errors import RunError

_LOG = logging.getLogger(__name__)


def app_folder() -> Path:
    """Return the folder that holds ``app.py``, ``pages/`` and ``sample_data/``: in the package, or the checkout."""
    package = Path(evaltools.__file__).parent
    for folder in (package / "_app", package.parent):
        if (folder / "app.py").is_file():
            return folder
    raise RunError(f"the installation is incomplete: no app.py in {package / '_app'}")


def sample_folder() -> Path:
    """Return the folder of the sample treebank."""
    return app_folder() / "sample_data"


def user_cache() -> Path:
    """Return the folder of what can be computed again."""
    return _folder(usual_folder(platformdirs.user_cache_dir))


def user_data() -> Path:
    """Return the folder of what the user has made: runs, notes, lessons, votes."""
    return _folder(usual_folder(platformdirs.user_data_dir))


def usual_folder(find: Callable[[str], str]) -> str:
    """Return the usual path of a folder, or a path that is none, for a user without a home."""
    with suppress(RuntimeError):
        return find("evaltools")
    return "the home folder"


@functools.cache
def _folder(path: str) -> Path:
    """Return a folder, created if it is missing, or a temporary one if it cannot be written, as in a container."""
    with suppress(OSError):
        if Path(path).is_absolute():
            Path(path).mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=path).close()
            return Path(path)
    folder = tempfile.mkdtemp(prefix="evaltools-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _LOG.warning("evaltools: %s cannot be written; until the program ends, %s is used", path, folder)
    return Path(folder)
