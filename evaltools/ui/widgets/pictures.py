"""Pictures on pages, each drawn once while it is in use."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from evaltools.drawing.blocks import Drawing

__all__ = ["drawn_once"]

_MAX_CHARACTERS = 4 << 20
"""Of all pictures that are kept; one of a sentence has some ten thousand."""


@dataclass
class _Pictures:
    """The pictures that were used last, each with its subject, so that no other object gets the subject's id."""

    kept: OrderedDict[Hashable, tuple[object, str]] = field(default_factory=OrderedDict)
    characters: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Hashable) -> str | None:
        with self.lock:
            if key not in self.kept:
                return None
            self.kept.move_to_end(key)
            return self.kept[key][1]

    def put(self, key: Hashable, subject: object, picture: str) -> None:
        with self.lock:
            self.characters += len(picture) - len(self.kept.pop(key, (None, ""))[1])
            self.kept[key] = subject, picture
            while self.characters > _MAX_CHARACTERS:
                self.characters -= len(self.kept.popitem(last=False)[1][1])


@st.cache_resource(show_spinner=False)
def _pictures() -> _Pictures:
    return _Pictures()


def drawn_once(drawing: Drawing, **options: Any) -> str:
    """Return the SVG of a drawing; it is kept for the same options of an equal subject, or of the same if it has dicts.

    A subject must not change once it is drawn.
    """
    given = (*drawing.options.items(), *options.items())
    try:
        hash(given)
    except TypeError:  # an option that is a list or the like
        return drawing.draw(**options)
    key = type(drawing.subject), _identity(drawing.subject), given
    pictures = _pictures()
    picture = pictures.get(key)
    if picture is None:
        picture = drawing.draw(**options)
        pictures.put(key, drawing.subject, picture)
    return picture


def _identity(subject: object) -> Hashable:
    """Return a subject itself if it can be compared by its content, else its id."""
    try:
        hash(subject)
    except TypeError:
        return id(subject)
    return subject
