"""Downloads of exactly the sentences that are shown: as a table, as trees, and as a run of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.frameworks.stored import trees_of
from evaltools.outputs.tables import csv_text
from evaltools.runs.notes import Note, Notes
from evaltools.runs.sentence_columns import rows_of
from evaltools.runs.store import Run
from evaltools.ui.sentences.part import open_part, zipped_part

__all__ = ["subset_downloads", "subset_trees"]

_MAX_SENTENCES = 100_000
"""Maximum number of sentences in a download."""


def subset_trees(run: Run, parser: str | None, sentences: list[int]) -> tuple[str, str]:
    """Return the trees of some sentences as they were read, in the order given; and their format."""
    return run.framework.file_of(run, *trees_of(run, parser, sentences), sentences)


def subset_downloads(
    run: Run, parser: str, shown: NDArray[np.int32], types: Callable[[int], str] | None = None
) -> None:
    """Offer the shown sentences for download."""
    sentences = shown[:_MAX_SENTENCES].tolist()
    with st.popover("Download", icon=":material/download:"):
        first = f"first {_MAX_SENTENCES:,} of the " if len(shown) > _MAX_SENTENCES else ""
        st.text(f"The {first}{len(shown):,} sentences shown, in this order")
        common: dict[str, Any] = {"on_click": "ignore", "width": "stretch"}
        st.download_button(
            "Table (CSV)",
            partial(_table, run, parser, sentences, types),
            "sentences.csv",
            "text/csv",
            key="subset_csv",
            **common,
        )
        ending, trees = run.framework.file_ending, f"{run.framework.tree}s"
        for label, source, name in ((f"Gold {trees}", None, "gold"), (f"Parser’s {trees}", parser, "parser")):
            file = f"{name}.{ending}"
            st.download_button(
                label,
                partial(_trees, run, source, sentences),
                file,
                "text/plain",
                key=f"subset_{file}",
                **common,
            )
        name = f"{len(sentences)} of {run.path.name}"
        st.download_button(
            "Run (ZIP)",
            partial(zipped_part, run, sentences, name),
            f"{name}.zip",
            "application/zip",
            key="subset_zip",
            help="a run folder with these sentences and all parsers",
            **common,
        )
        st.button(
            "Open as a run",
            key="subset_run",
            width="stretch",
            on_click=_open,
            args=(run, sentences),
            help="with all parsers, in the order of this run; sentences keep their numbers",
        )


def _open(run: Run, sentences: list[int]) -> None:
    open_part(run, sentences)
    st.rerun()  # the sidebar shows the progress


def _table(run: Run, parser: str, sentences: list[int], types: Callable[[int], str] | None) -> bytes:
    kept = Notes(run).all()
    notes = [kept.get(number, Note()) for number in sentences]
    rows = rows_of(run, parser, sentences, run.metrics)
    rows = rows.assign(marked=[item.marked for item in notes], note=[item.text for item in notes])
    if types is not None:
        rows.insert(len(rows.columns) - 2, "error_types", [types(number) for number in sentences])
    rows.insert(0, "parser", parser)
    return csv_text(rows).encode("utf-8")


def _trees(run: Run, parser: str | None, sentences: list[int]) -> bytes:
    return subset_trees(run, parser, sentences)[0].encode("utf-8", "surrogatepass")
