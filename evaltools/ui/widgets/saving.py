"""Saving charts, tables and pictures as files, with captions that name the content and the signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools import __version__
from evaltools.drawing.blocks import Drawing
from evaltools.outputs.pictures import PICTURE_FILES, Picture, file_name, picture_file, picture_of
from evaltools.outputs.tables import TABLE_FILES, Best, TableWriter
from evaltools.outputs.vega import CHART_FILES, chart_file
from evaltools.runs.store import Run

__all__ = [
    "Origin",
    "Saving",
    "drawing_files",
    "made_here",
    "picture_files",
    "save",
    "save_chart",
    "save_table",
    "table_files",
]

_WIDTH = 380
_ROOM, _MAX_ROOM = 90, 540
"""Pixels of what one file needs, and at most all: the browser decides with these whether to open upwards."""
_CAPTION_HELP = "Without it, for figures of papers, caption and signature are a comment inside the file."
_TEXTS_HELP = "With them the picture can be understood alone, such as on a slide."

File = tuple[str, str, str, Callable[[bool], str | bytes]]
"""A file format: label, ending, media type, and the function that writes the file, with its caption or without."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where pictures and tables come from."""

    name: str  # Begins the names of their files
    content: str  # Which sentence, which parsers
    signature: str  # Signature of the run

    def caption(self, title: str) -> str:
        """Return the caption of one of them."""
        return f"{title}: {self.content}.\n{self.signature}"

    @classmethod
    def of_sentence(cls, run: Run, sentence: int, upper: str, lower: str) -> Origin:
        """Return the origin of what shows a sentence of a run."""
        return cls(f"sentence-{sentence}-{lower}", f"sentence {sentence}, {upper} and {lower}", run.signature)


def made_here(name: str, content: str, preset: str = "") -> Origin:
    """Return the origin of a typed analysis or an example, which belong to no run."""
    return Origin(name, content, f"evaltools:{__version__}" + (f"|preset:{preset}" if preset else ""))


@dataclass(frozen=True, slots=True)
class Saving:
    """A chart, table or picture in all its file formats."""

    name: str  # File name without its ending
    title: str
    files: Mapping[str, File]  # By format; written on request
    plain: Mapping[str, File] | None = None  # The same of a picture without the texts around it


def _chart_files(picture: Mapping[str, Any], name: str, caption: str, title: str = "Chart") -> Saving:
    """Return a chart as files."""

    def written(kind: str, visible: bool) -> bytes:
        return chart_file(picture, kind, caption, visible=visible)

    files: dict[str, File] = {kind: (*CHART_FILES[kind][:3], partial(written, kind)) for kind in CHART_FILES}
    return Saving(file_name(name.replace("_", "-")), title, files)


def table_files(
    frame: pd.DataFrame | Callable[[], pd.DataFrame],
    name: str,
    caption: str,
    title: str = "Table",
    decimals: int = 3,
    best: Best = (),
) -> Saving:
    """Return a table as files; captions are comments in CSV, and signatures in LaTeX."""
    label = file_name(name.replace("_", "-"))

    def written(make: TableWriter, _: bool) -> str:
        return make(frame() if callable(frame) else frame, caption, decimals, best=best, label=label)

    files: dict[str, File] = {
        kind: (title_, suffix, mime, partial(written, make))
        for kind, (title_, suffix, mime, make) in TABLE_FILES.items()
    }
    return Saving(label, title, files)


def picture_files(picture: Picture) -> Saving:
    """Return a picture as files."""

    def written(kind: str, visible: bool) -> bytes:
        return picture_file(picture, kind, caption=visible)

    files: dict[str, File] = {kind: (*PICTURE_FILES[kind][:3], partial(written, kind)) for kind in picture.kinds}
    return Saving(picture.name, picture.title, files)


def drawing_files(drawing: Drawing, origin: Origin, plain: Drawing | None = None) -> Saving:
    """Return a drawing as files; `plain` is the same without errors in words and legend, if it has these."""
    caption = origin.caption(drawing.heading or drawing.title)
    saving = picture_files(picture_of(drawing, origin.name, caption))
    if plain is None:
        return saving
    return replace(saving, plain=picture_files(picture_of(plain, origin.name, caption)).files)


def save_chart(picture: Mapping[str, Any], name: str, caption: str) -> None:
    """Offer a chart as files."""
    save(name, _chart_files(picture, name, caption))


def save_table(
    frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str, caption: str, *, decimals: int = 3, best: Best = ()
) -> None:
    """Offer a table as files; cells in `best` are in bold type."""
    save(name, table_files(frame, name, caption, decimals=decimals, best=best))


def save(key: str, *things: Saving) -> None:
    """Offer neighboring charts, tables and pictures as files under one button."""
    if things:
        _save(key, things)


@st.fragment
def _save(key: str, things: tuple[Saving, ...]) -> None:
    """Draw the button, and what it opens only while that is open: half of a page's elements are in there."""
    popover = st.popover("Save", icon=":material/download:", key=f"save_{key}", type="tertiary", on_change="rerun")
    with popover:
        if not popover.open:
            st.space(min(_ROOM * (1 + len(things)), _MAX_ROOM))
            return
        with_pictures = any("svg" in thing.files for thing in things)
        visible = not with_pictures or st.toggle(
            "Caption in the picture", True, key=f"save_{key}_caption", help=_CAPTION_HELP
        )
        with_texts = any(thing.plain for thing in things)
        complete = not with_texts or st.toggle(
            "Errors in words and legend", True, key=f"save_{key}_texts", help=_TEXTS_HELP
        )
        for index, thing in enumerate(things):
            begin = f"save_{key}" if not index else f"save_{key}_{index + 1}"
            if len(things) > 1:
                st.text(thing.title)
            with st.container(horizontal=True, gap="xsmall", width=_WIDTH, key=f"files_{begin}"):
                files = thing.files if complete or thing.plain is None else thing.plain
                for kind, (label, suffix, mime, make) in files.items():
                    st.download_button(
                        label,
                        partial(_bytes, make, visible),
                        f"{thing.name}.{suffix}",
                        mime,
                        key=f"{begin}_{kind}",
                        on_click="ignore",
                    )


def _bytes(make: Callable[[bool], str | bytes], visible: bool) -> bytes:
    made = make(visible)
    return made.encode("utf-8", "backslashreplace") if isinstance(made, str) else made
