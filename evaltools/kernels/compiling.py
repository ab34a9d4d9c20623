"""Compilation of kernels: at the first call a kernel is loaded from the cache on disk, or compiled and cached."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

__all__ = ["Kernel", "kernel"]


class Kernel:
    """A function that numba compiles when it is first called, so that importing its module loads no numba.

    Parameters
    ----------
    function : function
        Its Python code.
    signature : str or None
        The types of arguments and result; None if they follow from the calls in other kernels.
    options : object
        Further options of numba.
    """

    def __init__(self, function: FunctionType, signature: str | None, **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.signature = signature
        self._options = options

    def __call__(self, *arguments: Any) -> Any:
        """Run the machine code."""
        return self.dispatcher(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__name__}>"

    @property
    def _numba_type_(self) -> Any:
        """The type with which numba compiles calls in other kernels."""
        return self.dispatcher._numba_type_

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's object, with the machine code for the signature."""
        from numba.core.compiler_lock import global_compiler_lock

        with global_compiler_lock:  # several threads may call it first
            return self.__dict__.get("dispatcher") or self._make()

    def _make(self) -> Any:
        from numba import njit
        from numba.core.typeinfer import register_dispatcher

        from evaltools.kernels.machine_code import KernelCache

        dispatcher = njit(nogil=True, **self._options)(self.function)
        dispatcher._cache = KernelCache(self.function, self.sources())
        if self.signature is not None:
            with register_dispatcher(dispatcher):
                dispatcher.compile(self.signature)
            dispatcher.disable_compile()
        self.__dict__["dispatcher"] = dispatcher
        return dispatcher

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


def kernel(signature: str | None = None, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a function that is compiled, with its types pinned; it releases the GIL."""
    return lambda function: Kernel(function, signature, **options)  # type: ignore[arg-type]
