"""The cache of machine code; imports numba."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

__all__ = ["KernelCache"]


class KernelCache(FunctionCache):  # type: ignore[misc] # without type information
    """Numba's cache, which loads only what machine code needs, and notices changes of all its sources."""

    def __init__(self, function: Any, sources: Iterable[Path]) -> None:
        super().__init__(function)
        stats = [path.stat() for path in sorted(sources)]
        self._cache_file._source_stamp = tuple((stat.st_mtime, stat.st_size) for stat in stats)

    def has(self, signature: str) -> bool:
        """Return whether the cache has the machine code for a signature."""
        return self._index_key(signature, cpu_target.target_context.codegen()) in self._cache_file._load_index()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature, or None if there is none."""
        # Numba's own method imports all types and functions that could be compiled, and scipy with them: half a second.
        rtsys.initialize(target_context)  # memory of arrays
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
