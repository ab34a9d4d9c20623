"""Downloads of exactly the sentences that are shown: as a table, as trees, and as a run of their own."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.formats import FORMATS, Source
from evaltools.metrics.leaf_ancestor import CostTable
from evaltools.runs.store import Run
from evaltools.ui.new_run import begin_scoring

__all__ = ["subset_downloads", "subset_trees"]


def subset_trees(run: Run, parser: str | None, sentences: list[int]) -> tuple[str, str]:
    """Return the trees of some sentences as they were read, one a line, in the order given; and their format.

    Parameters
    ----------
    run : Run
        The run.
    parser : str or None
        Whose trees; None for the gold ones.
    sentences : list of int
        Which, from 1.
    """
    rows = run.query("select sentence, tree, notation from trees where parser is not distinct from ?", [parser])
    notation = str(rows["notation"].iloc[0])
    missing = FORMATS[notation].write([None]).strip()
    trees = dict(zip(rows["sentence"].tolist(), rows["tree"].tolist(), strict=True))
    lines = [tree if isinstance(tree := trees.get(number), str) else missing for number in sentences]
    return "\n".join(lines) + "\n", notation


def subset_downloads(run: Run, parser: str, rows: pd.DataFrame) -> None:
    """Offer the shown sentences for download.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser shown.
    rows : DataFrame
        What is shown, in its order.
    """
    sentences = [int(number) for number in rows["sentence"]]
    with st.popover("Download", icon=":material/download:"):
        st.text(f"The {len(sentences):,} sentences shown, in this order")
        common: dict[str, Any] = {"on_click": "ignore", "width": "stretch"}
        st.download_button(
            "Table (CSV)",
            lambda: rows.to_csv(index=False).encode("utf-8"),
            "sentences.csv",
            "text/csv",
            key="subset_csv",
            **common,
        )
        for label, whose, file in (("Gold trees", None, "gold.ptb"), ("Parser’s trees", parser, "parser.ptb")):
            st.download_button(
                label,
                partial(_trees, run, whose, sentences),
                file,
                "text/plain",
                key=f"subset_{file}",
                **common,
            )
        st.button(
            "Score them as a run of their own",
            key="subset_run",
            width="stretch",
            on_click=_score,
            args=(run, sentences),
            help="all parsers of this run, the same preset and options",
        )


def _trees(run: Run, parser: str | None, sentences: list[int]) -> bytes:
    return subset_trees(run, parser, sentences)[0].encode("utf-8", "surrogatepass")


def _score(run: Run, sentences: list[int]) -> None:
    def source(parser: str | None) -> Source:
        text, notation = subset_trees(run, parser, sentences)
        file = f"{parser or 'gold'} ({len(sentences):,} sentences of {run.path.name}).{notation}"
        return Source.from_bytes(text.encode("utf-8", "surrogatepass"), file)

    kept = run.meta["options"]
    table = kept["la_table"]
    options = {
        "la_preterminals": kept["la_preterminals"],
        "la_table": None if table is None else CostTable({(one, other): cost for one, other, cost in table}),
        "engine": kept["engine"],
        "metrics": run.metrics,
    }
    name = f"{len(sentences)} of {run.path.name}"
    begin_scoring(name, source(None), {parser: source(parser) for parser in run.parsers}, run.rules, options)
