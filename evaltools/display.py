"""The registry of notebook displays: a base class for objects, and the functions that return them as HTML.

The functions need pictures and tables, so that modules of higher layers register them. The package's ``__init__`` names
the module that is imported when an object is displayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch
from typing import TypeVar

__all__ = ["NamedTable", "NotebookObject", "import_before_display", "notebook_repr", "scores_in_line", "short_repr"]

_LONGEST = 120
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


def short_repr(subject: object, text: str) -> str:
    """Return ``<Class text>`` as one printable line that a console shows without a break."""
    line = "".join(letter if letter.isprintable() else "·" for letter in f"<{type(subject).__name__} {text}>")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 2]}…>"


def scores_in_line(scores: Mapping[str, float | None]) -> str:
    """Return scores by metric in one line; those that are undefined as a dash."""
    return ", ".join(f"{name} {'–' if value is None else format(value, '.3f')}" for name, value in scores.items())


@singledispatch
def notebook_repr(subject: object) -> str:
    """Return an object as HTML; ``notebook_repr.register`` adds the function of a class."""
    raise TypeError(f"{type(subject).__name__} has no notebook display")


def import_before_display(import_writers: Callable[[], object]) -> None:
    """Add a function that imports writers, called before an object is shown."""
    _imports.append(import_writers)
