"""Objects that a notebook shows as pictures and tables, drawn by what is above them in the house."""

from __future__ import annotations

from importlib import import_module

__all__ = ["Shown"]


class Shown:
    """Base of objects that notebooks show well; how stands in :mod:`evaltools.publishing.notebook`."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return what a notebook shows, in both its themes."""
        shown: str = import_module("evaltools.publishing.notebook").html_of(self)
        return shown
