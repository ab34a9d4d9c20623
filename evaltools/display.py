"""The registry of notebook displays: a base class for objects, and the functions that return them as HTML.

The functions need pictures and tables, so that modules of higher layers register them. The package's ``__init__`` names
the module that is imported when an object is displayed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TypeVar

from evaltools.text import short_repr

V = TypeVar("V")

_imports: list[Callable[[], object]] = []


class NotebookObject:
    """Base of objects that notebooks show as pictures or tables."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the object as HTML for light and dark notebooks."""
        for import_writers in _imports:
            import_writers()
        return notebook_repr(self)


class NamedTable(dict[str, V]):
    """A table by name, shown as its names."""

    def __repr__(self) -> str:
        return short_repr(self, f"{len(self)}: {', '.join(self)}")


@singledispatch
def notebook_repr(subject: object) -> str:
    """Return an object as HTML; ``notebook_repr.register`` adds the function of a class."""
    raise TypeError(f"{type(subject).__name__} has no notebook display")


def import_before_display(import_writers: Callable[[], object]) -> None:
    """Add a function that imports writers, called before an object is shown."""
    _imports.append(import_writers)
