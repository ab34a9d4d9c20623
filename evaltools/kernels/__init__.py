"""Arrays in, arrays out: the inner loops, compiled by numba.

Nothing here knows about files, labels as strings, or metrics. A kernel (``@njit(cache=CACHE, nogil=True)``) is compiled
when it is first called, and stays in numba's cache until its file changes; functions that only kernels of the same file
call are ``@register_jitable``, and become part of them. Other types of arguments compile a kernel again. Importing this
package imports numba, so that modules import kernels where they call them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numba
from numba.core.event import Event, Listener, install_listener

_ROOM = 1 << 23
"""Bytes: more than the machine code of all kernels has."""


def _any_kernel() -> None:
    """Stand for a kernel when numba looks for a folder."""


def _has_room() -> bool:
    """Return whether numba finds a folder for machine code, and as much can be written there."""
    if not numba.config.CACHE_DIR and not os.path.isabs(os.path.expanduser("~")):
        return False  # without a home numba would make a folder "~" wherever the program is started
    try:
        folder = numba.njit(cache=True)(_any_kernel).stats.cache_path
    except RuntimeError:  # numba finds no folder that can be written
        return False
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_ROOM))
    except OSError:  # a full disk or quota, with which numba would end
        return False
    return True


def _private_folder() -> Path | None:
    """Return a folder of the user's own among the temporary ones; None if there is none that only they can write."""
    if not hasattr(os, "getuid"):
        return None
    path = Path(tempfile.gettempdir(), f"evaltools-{os.getuid()}")
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()
    except OSError:
        return None
    # A folder that somebody else made or can write might hold machine code of theirs, which would be run.
    return path if status.st_uid == os.getuid() and status.st_mode == 0o40700 else None


def _temporary_cache() -> str:
    """Let numba keep machine code in a temporary folder, and return its path; empty if it cannot be kept there."""
    path = _private_folder()
    if path is None:
        return ""
    numba.config.CACHE_DIR = str(path)
    return str(path) if _has_room() else ""


_HAS_OWN_CACHE = _has_room()
TEMPORARY_CACHE = "" if _HAS_OWN_CACHE else _temporary_cache()
"""The folder of machine code where numba's usual folders cannot be written; otherwise empty."""
CACHE = _HAS_OWN_CACHE or bool(TEMPORARY_CACHE)
"""Whether numba keeps machine code for the next process."""


@contextmanager
def at_compilation(call: Callable[[], None]) -> Iterator[None]:
    """Call a function whenever a kernel is compiled in this block, in any thread."""

    class Compilation(Listener):  # type: ignore[misc] # without type information
        def on_start(self, event: Event) -> None:
            call()

        def on_end(self, event: Event) -> None:
            pass

    with install_listener("numba:compile", Compilation()):
        yield
