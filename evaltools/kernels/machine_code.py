"""The cache of machine code; imports numba."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

__all__ = ["KernelCache", "compiling_part"]


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
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


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
