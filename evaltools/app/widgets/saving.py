"""Saving what a page shows: tables, charts, pictures and blocks as files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools import __version__
from evaltools.blocks import Block, Picture, Table, Words
from evaltools.drawing import Drawing
from evaltools.outputs.pictures import PICTURE_FILES, file_kinds, file_name, picture_file
from evaltools.outputs.tables import TABLE_FILES, Best, TableWriter
from evaltools.outputs.vega import CHART_FILES, chart_file
from evaltools.runs.store import Run

_TEXTS_HELP = "With them, a picture can be understood alone, as on a slide; without, they are a comment in the file."

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
    def of_sentence(cls, run: Run, sentence: int, gold_name: str, parse_name: str) -> Origin:
        """Return the origin of what shows a sentence of a run."""
        return cls(
            f"sentence-{sentence}-{parse_name}", f"sentence {sentence}, {gold_name} and {parse_name}", run.signature
        )


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


def _chart_files(picture: Mapping[str, Any], name: str, caption: str) -> Saving:
    """Return a chart as files."""

    def written(kind: str, visible: bool) -> bytes:
        return chart_file(picture, kind, caption, visible=visible)

    files: dict[str, File] = {kind: (*CHART_FILES[kind][:3], partial(written, kind)) for kind in CHART_FILES}
    return Saving(file_name(name.replace("_", "-")), "Chart", files)


def table_files(
    frame: pd.DataFrame | Callable[[], pd.DataFrame],
    name: str,
    caption: str,
    title: str = "Table",
    decimals: int = 3,
    best: Best = (),
    made: Mapping[str, str] | None = None,
) -> Saving:
    """Return a table as files, some of which may be `made`; captions are comments in CSV, and signatures in LaTeX."""
    label = file_name(name.replace("_", "-"))

    def written(kind: str, make: TableWriter, _: bool) -> str:
        own = (made or {}).get(kind)
        return own or make(frame() if callable(frame) else frame, caption, decimals, best=best, label=label)

    files: dict[str, File] = {
        kind: (title_, suffix, mime, partial(written, kind, make))
        for kind, (title_, suffix, mime, make) in TABLE_FILES.items()
    }
    return Saving(label, title, files)


def drawing_files(drawing: Drawing, origin: Origin, plain: Drawing | None = None) -> Saving:
    """Return a drawing as files; `plain` is the same without errors in words and legend, if it has these."""
    caption = origin.caption(drawing.title)

    def files(picture: Drawing) -> dict[str, File]:
        def written(kind: str, visible: bool) -> bytes:
            return picture_file(picture, kind, caption, is_shown=visible)

        return {kind: (*PICTURE_FILES[kind][:3], partial(written, kind)) for kind in file_kinds(picture)}

    name = file_name("-".join(filter(None, (origin.name, drawing.suffix))))
    return Saving(name, drawing.title, files(drawing), None if plain is None else files(plain))


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
    if st.button("Save", icon=":material/download:", key=f"save_{key}", type="tertiary"):
        _dialog(key, things)


@st.dialog("Save")
def _dialog(key: str, things: tuple[Saving, ...]) -> None:
    _file_buttons(key, things)


def _file_buttons(key: str, things: tuple[Saving, ...]) -> None:
    """Draw a button for each file; it is written when its button is clicked."""
    with_pictures = any("svg" in thing.files for thing in things)
    texts = "Caption, errors in words and legend" if any(thing.plain for thing in things) else "Caption"
    visible = not with_pictures or st.toggle(f"{texts} in the picture", True, key=f"save_{key}_texts", help=_TEXTS_HELP)
    for index, thing in enumerate(things):
        begin = f"save_{key}" if not index else f"save_{key}_{index + 1}"
        if len(things) > 1:
            st.text(thing.title)
        with st.container(horizontal=True, gap="xsmall", key=f"files_{begin}"):
            files = thing.files if visible or thing.plain is None else thing.plain
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


_LONGEST = 80


def block_files(blocks: Iterable[Block], origin: Origin) -> list[Saving]:
    """Return what some blocks show as files; remarks and the like are left out."""
    things: list[Saving] = []
    for block in blocks:
        if isinstance(block, Picture | Words):
            things += [drawing_files(drawing, origin) for drawing in block.saved]
        if isinstance(block, Words) and block.form == "strip":
            things.append(_block_table(block.scores(), "Scores of the words", origin))
        elif isinstance(block, Table) and block.rows:
            things.append(_block_table(block, block.file_title or block.title or "Table", origin))
    return things


def _block_table(table: Table, title: str, origin: Origin) -> Saving:
    return table_files(table.frame, f"{origin.name}-{title}"[:_LONGEST], origin.caption(title), title=title)


# the keyframes, of a fading edge, are those of tables in the style of the frame
_SCROLLING = """
<style>
.st-key-{key} {{ overflow-x: auto; animation: goes-on linear both; animation-timeline: scroll(self inline); }}
.st-key-{key} > div {{ min-width: {width}px; }}
</style>
"""


def chart(picture: dict[str, Any], *, key: str, description: str, signature: str, min_width: int = 0) -> None:
    """Show a chart over the width of the page."""
    with st.container(gap=None):
        with st.container(key=f"{key}_frame"):
            st.vega_lite_chart(picture, width="stretch", theme=None, key=key, alt=description)
        save_chart(picture, key, f"{description}\n{signature}")
    if min_width:
        st.html(_SCROLLING.format(key=f"{key}_frame", width=min_width))
