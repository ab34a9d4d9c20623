"""A part of the open run as a run of its own: opened at once, or as a file to take along; and the way back."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.drawing.blocks import note
from evaltools.progress import Progress
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers, subset, subset_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.scoring.new_run import begin
from evaltools.ui.session import library, state
from evaltools.ui.session.data import cached_by_run
from evaltools.ui.session.library import Known

__all__ = ["open_part", "origin_line", "originals", "zipped_part"]


def open_part(run: Run, sentences: list[int]) -> None:
    """Write some sentences as a run in the background; the sidebar opens it when it is there."""

    def work(progress: Progress, folder: Path) -> Run:
        return subset(run, sentences, folder, progress=progress)

    begin(f"{len(sentences)} of {run.path.name}", work)


def zipped_part(run: Run, sentences: list[int], name: str) -> bytes:
    """Return some sentences as a run folder in a ZIP file."""
    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="evaltools-") as temporary:
        part = subset(run, sentences, Path(temporary) / "run")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:  # the tables are compressed
            for file in sorted(part.path.rglob("*")):
                if file.is_file():
                    archive.write(file, f"{name}/{file.relative_to(part.path).as_posix()}")
    return buffer.getvalue()


@cached_by_run(8)
def originals(run: Run) -> NDArray[np.int64] | None:
    """Return the numbers that the sentences have in the run of which this one is a part; None for a whole run."""
    return original_numbers(run)


def origin_line(run: Run, sentence: int, parser: str, *, key: str) -> None:
    """Say where a sentence of a part comes from, with the way back if that run is known here; else nothing."""
    of, numbers = subset_of(run), originals(run)
    if of is None or numbers is None:
        return
    number = int(numbers[sentence - 1])
    name = Path(of["of"]).name
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_origin"):
        show_blocks(note(f"This is sentence {number:,} of {of['sentences']:,} in {name}."), key=f"{key}_origin_note")
        known = library.find(library.id_of(Path(of["of"])))
        if known is not None:
            st.button(
                f"Show in {known.name}",
                icon=":material/undo:",
                type="tertiary",
                key=f"{key}_origin_go",
                on_click=_show,
                args=(known, parser, number),
            )


def _show(known: Known, parser: str, sentence: int) -> None:
    library.show(known)
    state.put(parser=parser, sentence=sentence)
    st.rerun()  # another run is another page
