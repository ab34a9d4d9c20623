"""Pictures of all objects that can be drawn, for export."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from evaltools.drawing import languages
from evaltools.drawing.blocks import Drawing
from evaltools.publishing.pictures import Picture, file_name

__all__ = ["drawings_of", "picture_of"]


def drawings_of(subject: object, **options: Any) -> dict[str, Callable[[], str]]:
    """Return the drawing functions of an object, by language.

    Parameters
    ----------
    subject : object
        Object accepted by :func:`evaltools.drawing.draw`.
    **options
        Options of `draw`; each language uses those it supports. LaTeX is a complete document.

    Returns
    -------
    dict of str to callable
        Functions by language; each draws when called.

    Raises
    ------
    TypeError
        If the object cannot be drawn.
    """
    drawing = Drawing(subject, options=options)
    return {language: partial(drawing.draw, language, standalone=True) for language in languages(subject)}


def picture_of(drawing: Drawing, name: str, caption: str) -> Picture:
    """Return a drawing as a picture that can be saved to files.

    Parameters
    ----------
    drawing : Drawing
        Object to draw, with options, title and the suffix of file names.
    name : str
        Prefix of file names.
    caption : str
        Caption with the run's signature.

    Returns
    -------
    Picture
        The picture.

    Raises
    ------
    TypeError
        If the object cannot be drawn.
    """
    drawings = drawings_of(drawing.subject, **drawing.options)
    if drawing.languages:
        drawings = {language: drawings[language] for language in drawing.languages}
    return Picture(file_name("-".join(filter(None, (name, drawing.suffix)))), caption, drawings, drawing.title)
