"""The cache of machine code; imports numba."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

__all__ = ["KernelCache", "compiling_part", "kernel_cache", "obstacles", "temporary_folder"]


obstacles: dict[str, str] = {}
"""Folders in which machine code could not be kept, and why."""


class KernelCache(FunctionCache):  # type: ignore[misc] # without type information
    """Numba's cache, which loads only what machine code needs, and notices changes of all its sources."""

    def __init__(self, function: Any, sources: Iterable[Path]) -> None:
        super().__init__(function)
        stats = [path.stat() for path in sorted(sources)]
        self._cache_file._source_stamp = tuple((stat.st_mtime, stat.st_size) for stat in stats)

    def has(self, signature: str) -> bool:
        """Return whether the cache has the machine code for a signature."""
        return self._index_key(signature, cpu_target.target_context.codegen()) in self._cache_file._load_index()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store machine code; where that is impossible, such as on a full disk, it is compiled again next time."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            obstacles[self.cache_path] = error.strerror or str(error)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, or None if there is none."""
        # Numba's own method imports all types and functions that could be compiled, and scipy with them: half a second.
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def kernel_cache(function: Any, sources: Iterable[Path]) -> KernelCache | None:
    """Return the cache of a kernel: beside its file, in the user's folders, or else in a temporary folder.

    None if there is not even a temporary folder.
    """
    sources = list(sources)
    try:
        return KernelCache(function, sources)
    except RuntimeError:  # numba finds no folder that can be written
        folder = temporary_folder()
        return None if folder is None else KernelCache(function, sources)


@functools.cache
def temporary_folder() -> Path | None:
    """Make a temporary folder the place of the cache of this process and of those that it starts."""
    try:
        folder = tempfile.mkdtemp(prefix="evaltools-kernels-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    obstacles[folder] = "a temporary folder, since no other can be written; NUMBA_CACHE_DIR names one"
    os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = folder
    return Path(folder)


class _Part(JITCodeLibrary):  # type: ignore[misc] # without type information
    """The code of a kernel that only other kernels call: it is optimized and translated where it is linked in."""

    @property
    def codegen(self) -> Any:
        """The generator of code, which has nothing to set in a part."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: a part is not called by Python."""

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


@contextmanager
def compiling_part(is_part: bool) -> Iterator[None]:
    """Load or compile a part, or a kernel that Python calls, in this block; numba's lock is held."""
    rtsys.initialize(cpu_target.target_context)  # memory of arrays
    generator = cpu_target.target_context.codegen()
    before = generator._library_class
    generator._library_class = _Part if is_part else JITCodeLibrary
    try:
        yield
    finally:
        generator._library_class = before
