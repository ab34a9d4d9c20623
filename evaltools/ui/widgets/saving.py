"""Taking charts, tables and pictures out of the app, for papers: what they show and the signature go with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools import __version__
from evaltools.publishing.pictures import PICTURE_FILES, Picture, file_name, picture_file
from evaltools.publishing.tables import TABLE_FILES
from evaltools.publishing.vega import CHART_FILES, captioned
from evaltools.runs.store import Run

__all__ = [
    "Origin",
    "Saving",
    "chart_files",
    "made_here",
    "picture_files",
    "save",
    "save_chart",
    "save_table",
    "table_files",
]

_WIDE = 380

File = tuple[str, str, str, Callable[[], str | bytes]]
"""What a kind of file is called, the end of its name, its media type, and what makes it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where pictures and tables come from.

    Parameters
    ----------
    name : str
        Begins the names of their files.
    says : str
        Which sentence, which parsers.
    signature : str
        How the figures came about.
    """

    name: str
    says: str
    signature: str

    def caption(self, title: str) -> str:
        """Return the caption of one of them.

        Parameters
        ----------
        title : str
            What it is called.
        """
        return f"{title}: {self.says}.\n{self.signature}"

    @classmethod
    def of_sentence(cls, run: Run, sentence: int, upper: str, lower: str) -> Origin:
        """Return the origin of what shows a sentence of a run.

        Parameters
        ----------
        run : Run
            The run.
        sentence : int
            Which, from 1.
        upper, lower : str
            Whose trees, or graphs, are compared.
        """
        return cls(f"sentence-{sentence}-{lower}", f"sentence {sentence}, {upper} and {lower}", run.signature)


def made_here(name: str, says: str, preset: str = "") -> Origin:
    """Return the origin of what was typed, or is an example, and so belongs to no run.

    Parameters
    ----------
    name : str
        Begins the names of files.
    says : str
        What they are about.
    preset : str
        The preset, if there is one.
    """
    return Origin(name, says, f"evaltools:{__version__}" + (f"|preset:{preset}" if preset else ""))


@dataclass(frozen=True, slots=True)
class Saving:
    """One thing in all its kinds of files.

    Parameters
    ----------
    name : str
        Of the files, without the end.
    title : str
        What it is called beside others.
    files : mapping of str to File
        By kind; nothing is made before a file is asked for.
    """

    name: str
    title: str
    files: Mapping[str, File]


def chart_files(picture: Mapping[str, Any], name: str, caption: str, title: str = "Chart") -> Saving:
    """Return a chart as files.

    Parameters
    ----------
    picture : mapping
        Vega-Lite.
    name : str
        The files' name, without its end.
    caption : str
        What it shows, and how the figures came about; it stands below the chart.
    title : str
        What it is called beside others.
    """
    whole = captioned(picture, caption)
    files: dict[str, File] = {
        kind: (label, suffix, mime, partial(make, whole)) for kind, (label, suffix, mime, make) in CHART_FILES.items()
    }
    return Saving(file_name(name.replace("_", "-")), title, files)


def table_files(
    frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str, caption: str, title: str = "Table", decimals: int = 3
) -> Saving:
    """Return a table as files.

    Parameters
    ----------
    frame : DataFrame or callable
        The table, its columns called as in a paper; or what makes it.
    name : str
        The files' name, without its end.
    caption : str
        What it shows, and how the figures came about.
    title : str
        What it is called beside others.
    decimals : int
        Of figures that are no whole numbers.
    """

    def written(make: Callable[[pd.DataFrame, str, int], str]) -> str:
        return make(frame() if callable(frame) else frame, caption, decimals)

    files: dict[str, File] = {
        kind: (label, suffix, mime, partial(written, make)) for kind, (label, suffix, mime, make) in TABLE_FILES.items()
    }
    return Saving(file_name(name.replace("_", "-")), title, files)


def picture_files(picture: Picture) -> Saving:
    """Return a picture as files.

    Parameters
    ----------
    picture : Picture
        The picture.
    """
    files = {kind: (*PICTURE_FILES[kind][:3], partial(picture_file, picture, kind)) for kind in picture.kinds}
    return Saving(picture.name, picture.title, files)


def save_chart(picture: Mapping[str, Any], name: str, caption: str) -> None:
    """Offer a chart as files.

    Parameters
    ----------
    picture : mapping
        Vega-Lite.
    name : str
        The files' name, without its end; no two charts or tables of a page have the same.
    caption : str
        What it shows, and how the figures came about; it stands below the chart.
    """
    save(name, chart_files(picture, name, caption))


def save_table(frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str, caption: str, *, decimals: int = 3) -> None:
    """Offer a table as files.

    Parameters
    ----------
    frame : DataFrame or callable
        The table, its columns called as in a paper; or what makes it.
    name : str
        The files' name, without its end; no two charts or tables of a page have the same.
    caption : str
        What it shows, and how the figures came about.
    decimals : int
        Of figures that are no whole numbers.
    """
    save(name, table_files(frame, name, caption, decimals=decimals))


def save(key: str, *things: Saving) -> None:
    """Offer charts, tables and pictures that stand together as files, under one button.

    Parameters
    ----------
    key : str
        Ends the keys of what is drawn; another for each place of a page.
    *things : Saving
        What is offered; without any, nothing is drawn.
    """
    if not things:
        return
    with st.popover("Save", icon=":material/download:", key=f"save_{key}", type="tertiary"):
        for place, thing in enumerate(things):
            begin = f"save_{key}" if not place else f"save_{key}_{place + 1}"
            if len(things) > 1:
                st.text(thing.title)
            with st.container(horizontal=True, gap="xsmall", width=_WIDE, key=f"files_{begin}"):
                for kind, (label, suffix, mime, make) in thing.files.items():
                    st.download_button(
                        label,
                        partial(_bytes, make),
                        f"{thing.name}.{suffix}",
                        mime,
                        key=f"{begin}_{kind}",
                        on_click="ignore",
                    )


def _bytes(make: Callable[[], str | bytes]) -> bytes:
    made = make()
    return made.encode("utf-8", "backslashreplace") if isinstance(made, str) else made
