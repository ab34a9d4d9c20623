"""Compilation of kernels: at the first call a kernel is loaded from the cache on disk, or compiled and cached."""

from __future__ import annotations

import functools
import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Kernel", "compiling_with", "kernel"]

_before_compiling: list[Callable[[Kernel], None]] = []


class Kernel:
    """A function that numba compiles when it is first called, so that importing its module loads no numba.

    Parameters
    ----------
    function : function
        Its Python code.
    signature : str
        The types of arguments and result.
    inner : bool
        Whether only other kernels call it: it becomes part of their machine code, and has none of its own.
    options : object
        Further options of numba.
    """

    def __init__(self, function: Any, signature: str, *, inner: bool = False, **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.signature = signature
        self.inner = inner
        self._empty: Any = None
        self._compiled: Any = None
        self._options = {"nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": inner, **options}

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code."""
        if self.inner:
            raise TypeError(f"{self} is called by other kernels only")
        return self.dispatcher(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__name__}>"

    @property
    def _numba_type_(self) -> Any:
        """The type with which numba compiles calls in other kernels."""
        return self.dispatcher._numba_type_

    @property
    def dispatcher(self) -> Any:
        """Numba's object, with the machine code for the signature."""
        if self._compiled is None:
            with _lock():
                if self._compiled is None:
                    self._prepare_compiling()
                if self._compiled is None:
                    self._compiled = self._compile()
        return self._compiled

    def _compile(self) -> Any:
        from numba.core.typeinfer import register_dispatcher

        from evaltools.kernels.machine_code import compiling_part

        dispatcher = self._empty_dispatcher()
        with register_dispatcher(dispatcher), compiling_part(self.inner), _without_collecting():
            dispatcher.compile(self.signature)
        dispatcher.disable_compile()
        return dispatcher

    def load(self) -> None:
        """Load the machine code; compile it if it is not in the cache."""
        _ = self.dispatcher

    def is_cached(self) -> bool:
        """Return whether the machine code is loaded, or in the cache."""
        if self._compiled is not None or self.inner:
            return self._compiled is not None
        with _lock():
            return bool(self._empty_dispatcher()._cache.has(self.signature))

    def _empty_dispatcher(self) -> Any:
        """Return numba's object before its machine code is loaded; the lock is held."""
        if self._empty is None:
            from numba import njit

            from evaltools.kernels.machine_code import kernel_cache

            self._empty = njit(**self._options)(self.function)
            cache = None if self.inner else kernel_cache(self.function, self.sources())
            if cache is not None:  # the machine code of others contains an inner kernel
                self._empty._cache = cache
        return self._empty

    def _prepare_compiling(self) -> None:
        """Call the function that was given for kernels that are not in the cache, once."""
        if _before_compiling and not self.inner and not self.is_cached():
            function = _before_compiling[-1]
            _before_compiling.clear()
            function(self)

    def called(self) -> list[Kernel]:
        """Return the kernels that this one calls, which are part of its machine code."""
        names = self.function.__globals__
        return [names[name] for name in self.function.__code__.co_names if isinstance(names.get(name), Kernel)]

    def sources(self) -> set[Path]:
        """Return the files with the code of this kernel and of all that it calls."""
        reached: dict[int, Kernel] = {}
        waiting = [self]
        while waiting:
            each = waiting.pop()
            if id(each) not in reached:
                reached[id(each)] = each
                waiting += each.called()
        return {Path(each.function.__code__.co_filename) for each in reached.values()}


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause the garbage collection, which finds little while numba compiles, and takes a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


_importing = threading.Lock()


def _lock() -> Any:
    """Return numba's lock: numba takes it on the way, so that all threads must take it before anything else."""
    with _importing:  # the modules of numba import each other, which fails if two threads begin with different ones
        import numba
    return numba.core.compiler_lock.global_compiler_lock


@contextmanager
def compiling_with(function: Callable[[Kernel], None]) -> Iterator[None]:
    """Call a function before the first kernel is compiled in this block, in any thread."""
    _before_compiling.append(function)
    try:
        yield
    finally:
        if function in _before_compiling:
            _before_compiling.remove(function)


def kernel(signature: str, *, inner: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function that is compiled for the given types, and releases the GIL."""
    return lambda function: Kernel(function, signature, inner=inner, **options)
