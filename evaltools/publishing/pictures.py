"""Pictures as files, in every language they can be drawn in; the caption with the run's signature goes with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evaltools.errors import ParameterError
from evaltools.publishing.captions import caption_dot, caption_json, caption_latex, caption_svg, caption_text
from evaltools.publishing.raster import boxed_scripts, drawing_pdf, drawing_png

__all__ = ["PICTURE_FILES", "Picture", "file_name", "picture_file"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that can be taken elsewhere; nothing is drawn before a file is asked for.

    Parameters
    ----------
    name : str
        Of its files, without the end.
    caption : str
        What it shows, and on a line of its own how the figures came about: the run's signature.
    drawings : mapping of str to callable
        What draws it in each language: ``"svg"``, in the light theme, and any of ``"latex"`` (a whole document),
        ``"text"``, ``"dot"`` and ``"json"`` (an object).
    title : str
        What it is called beside other pictures.
    """

    name: str
    caption: str
    drawings: Mapping[str, Callable[[], str]]
    title: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of files it can be written as."""
        return tuple(kind for kind, (_, _, _, language, _) in PICTURE_FILES.items() if language in self.drawings)


def _latex(caption: str, source: str) -> str:
    remark = "% A paper that loads the packages standalone and tikz (or forest) can \\input this file."
    return f"{remark}\n{caption_latex(caption, source)}"


def _png(caption: str, svg: str) -> bytes:
    return drawing_png(caption_svg(_with_boxes(caption, svg), svg))


def _pdf(caption: str, svg: str) -> bytes:
    return drawing_pdf(caption_svg(_with_boxes(caption, svg), svg))


def _with_boxes(caption: str, svg: str) -> str:
    """Say in the caption that the machine lacks fonts, where it does."""
    scripts = boxed_scripts(svg)
    if not scripts:
        return caption
    named = " and ".join(scripts)
    return f"{caption}\nBoxes stand for {named} letters: the machine that made this file has no font with them."


PICTURE_FILES: Mapping[str, tuple[str, str, str, str, Callable[[str, str], str | bytes]]] = {
    "svg": ("SVG", "svg", "image/svg+xml", "svg", caption_svg),
    "png": ("PNG", "png", "image/png", "svg", _png),
    "pdf": ("PDF", "pdf", "application/pdf", "svg", _pdf),
    "latex": ("LaTeX", "tex", "text/x-tex", "latex", _latex),
    "dot": ("DOT", "dot", "text/vnd.graphviz", "dot", caption_dot),
    "text": ("text", "txt", "text/plain", "text", caption_text),
    "json": ("JSON", "json", "application/json", "json", caption_json),
}
"""The kinds of files a picture is written as: what it is called, the end of its name, its media type, the language it
is drawn in, and what makes the file of caption and drawing."""


def picture_file(picture: Picture, kind: str) -> bytes:
    """Draw a picture and return it as a file.

    Parameters
    ----------
    picture : Picture
        What to draw.
    kind : str
        One of its kinds.

    Returns
    -------
    bytes
        What is in the file.

    Raises
    ------
    ParameterError
        If it has no such kind.
    """
    if kind not in picture.kinds:
        raise ParameterError.unknown("kind of file", kind, picture.kinds)
    _, _, _, language, make = PICTURE_FILES[kind]
    made = make(picture.caption, picture.drawings[language]())
    return made if isinstance(made, bytes) else made.encode("utf-8", "backslashreplace")


def file_name(text: str) -> str:
    """Return a text as the name of a file, without the end.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> file_name("sentence 12, <b>my parser</b>, T")
    'sentence-12-b-my-parser-b-T'
    """
    return re.sub(r"[^\w.+]+", "-", text).strip("-.") or "picture"
