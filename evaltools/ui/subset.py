"""Downloads of exactly the sentences that are shown: as a table, as trees, and as a run of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.formats import FORMATS
from evaltools.formats.semantics import SemanticItem, write_mrp
from evaltools.reports.csv_cells import csv_text
from evaltools.runs.notes import Note, Notes
from evaltools.runs.sentence_columns import rows_of, trees_of
from evaltools.runs.store import Run
from evaltools.treebank import SemanticGraph
from evaltools.ui.part_run import open_part, zipped_part

__all__ = ["MOST", "subset_downloads", "subset_trees"]

MOST = 100_000
"""Most sentences in a download."""


def subset_trees(run: Run, parser: str | None, sentences: list[int]) -> tuple[str, str]:
    """Return the trees of some sentences as they were read, in the order given; and their format.

    Parameters
    ----------
    run : Run
        The run.
    parser : str or None
        Whose trees; None for the gold ones.
    sentences : list of int
        Which, from 1.
    """
    if run.kind == "semantics":
        return write_mrp(_items(run, parser, sentences)), "mrp"
    trees, notation = trees_of(run, parser, sentences)
    missing = FORMATS[notation].write([None]).strip()
    between = "\n\n" if FORMATS[notation].HOLDS == "dependency" else "\n"
    return "".join((trees.get(number) or missing) + between for number in sentences), notation


def _items(run: Run, parser: str | None, sentences: list[int]) -> list[SemanticItem]:
    """Return some items with their first graphs; those without a name are called by their number."""
    graphs, _ = trees_of(run, parser, sentences)
    rows = rows_of(run, run.parsers[0], sentences, ())
    known = run.query("select distinct sentence, item from sentences where item is not null")
    names = dict(zip(known["sentence"].tolist(), known["item"].tolist(), strict=True))
    items = []
    for number, text in zip(sentences, rows["text"].fillna("").tolist(), strict=True):
        said = graphs.get(number)
        results = () if said is None else (SemanticGraph.from_json(said),)
        items.append(SemanticItem(str(names.get(number, number)), 0, text, results))
    return items


def subset_downloads(
    run: Run, parser: str, shown: NDArray[np.int32], types: Callable[[int], str] | None = None
) -> None:
    """Offer the shown sentences for download.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser shown.
    shown : ndarray of int32
        The sentences shown, in their order.
    types : callable, optional
        Says which error types a sentence has, where the list shows that.
    """
    sentences = shown[:MOST].tolist()
    with st.popover("Download", icon=":material/download:"):
        first = f"first {MOST:,} of the " if len(shown) > MOST else ""
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
        ending = {"dependency": "conllu", "semantics": "mrp"}.get(run.kind, "ptb")
        what = "graphs" if run.kind == "semantics" else "trees"
        for label, whose, name in ((f"Gold {what}", None, "gold"), (f"Parser’s {what}", parser, "parser")):
            file = f"{name}.{ending}"
            st.download_button(
                label,
                partial(_trees, run, whose, sentences),
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
            help="a run folder of these sentences with all parsers, for evaltools and the app elsewhere",
            **common,
        )
        st.button(
            "Open them as a run",
            key="subset_run",
            width="stretch",
            on_click=open_part,
            args=(run, sentences),
            help="all parsers, in the order of this run; each sentence keeps the number it has here",
        )


def _table(run: Run, parser: str, sentences: list[int], types: Callable[[int], str] | None) -> bytes:
    kept = Notes(run).all()
    found = [kept.get(number, Note()) for number in sentences]
    rows = rows_of(run, parser, sentences, run.metrics)
    rows = rows.assign(marked=[one.marked for one in found], note=[one.text for one in found])
    if types is not None:
        rows.insert(len(rows.columns) - 2, "error_types", [types(number) for number in sentences])
    rows.insert(0, "parser", parser)
    return csv_text(rows).encode("utf-8")


def _trees(run: Run, parser: str | None, sentences: list[int]) -> bytes:
    return subset_trees(run, parser, sentences)[0].encode("utf-8", "surrogatepass")
