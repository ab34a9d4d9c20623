"""A part of the open run as a run of its own: opened at once, or as a file to take along; and the way back."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.runs.passes import Progress
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers, subset, subset_of
from evaltools.ui.components.plain import note, plain
from evaltools.ui.scoring.new_run import begin
from evaltools.ui.session import data, library, state
from evaltools.ui.session.library import Known

__all__ = ["open_part", "origin_line", "originals", "zipped_part"]


def open_part(run: Run, sentences: list[int]) -> None:
    """Write some sentences as a run in the background; the sidebar opens it when it is there.

    Parameters
    ----------
    run : Run
        The run.
    sentences : list of int
        Which, from 1.
    """

    def work(progress: Progress, folder: Path) -> Run:
        return subset(run, sentences, folder, progress=progress)

    begin(f"{len(sentences)} of {run.path.name}", work)


def zipped_part(run: Run, sentences: list[int], name: str) -> bytes:
    """Return some sentences as a run folder in a ZIP file.

    Parameters
    ----------
    run : Run
        The run.
    sentences : list of int
        Which, from 1.
    name : str
        What the folder is called in it.
    """
    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="evaltools-") as temporary:
        part = subset(run, sentences, Path(temporary) / "run")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:  # the tables are compressed
            for file in sorted(part.path.rglob("*")):
                if file.is_file():
                    archive.write(file, f"{name}/{file.relative_to(part.path).as_posix()}")
    return buffer.getvalue()


@st.cache_resource(max_entries=8, show_spinner=False)
def _originals(key: str, _run: Run) -> NDArray[np.int64] | None:
    return original_numbers(_run)


def originals(run: Run) -> NDArray[np.int64] | None:
    """Return the numbers that the sentences have in the run of which this one is a part; None for a whole run."""
    return _originals(data.run_key(run), run) if subset_of(run) is not None else None


def origin_line(run: Run, sentence: int, parser: str, *, key: str) -> None:
    """Say where a sentence of a part comes from, with the way back if that run is known here; else nothing.

    Parameters
    ----------
    run : Run
        The run.
    sentence : int
        The sentence, from 1.
    parser : str
        The parser shown.
    key : str
        Begins the keys of what is shown.
    """
    of, numbers = subset_of(run), originals(run)
    if of is None or numbers is None:
        return
    number = int(numbers[sentence - 1])
    name = Path(of["of"]).name
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_origin"):
        plain(note(f"It is sentence {number:,} of {of['sentences']:,} in {name}."), key=f"{key}_origin_note")
        known = library.find(library.id_of(Path(of["of"])))
        if known is not None:
            st.button(
                f"Show it in {known.name}",
                icon=":material/undo:",
                type="tertiary",
                key=f"{key}_origin_go",
                on_click=_show,
                args=(known, parser, number),
            )


def _show(known: Known, parser: str, sentence: int) -> None:
    library.show(known)
    state.put(parser=parser, sentence=sentence)
