"""What is in a parser's lists of analyses: F1 by rank, what the best choice would reach, where the first ones stand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.nbest import NBest, nbest
from evaltools.charts.intervals import shown
from evaltools.charts.nbest import nbest_chart
from evaltools.runs.store import Run
from evaltools.ui.components.plain import facts, note, plain
from evaltools.ui.session import data
from evaltools.ui.widgets.charting import chart
from evaltools.ui.widgets.saving import Origin

__all__ = ["nbest_section"]


@st.cache_resource(max_entries=16, show_spinner=False)
def _found(key: str, parser: str, _run: Run) -> tuple[NBest, dict[str, Any]]:
    found = nbest(_run.ranks(parser))
    return found, nbest_chart(found.by_rank, found.oracle[found.oracle["metric"] == "edm"])


def nbest_section(run: Run, parser: str) -> None:
    """Show the lists of a parser; nothing in runs where no parser has any.

    Parameters
    ----------
    run : Run
        A run of semantic graphs.
    parser : str
        The parser.
    """
    longest = {name: int(most) for name, most in run.meta["n_best"].items() if int(most) > 1}
    if not longest:
        return
    st.subheader("F1 against rank", anchor=False)
    if parser not in longest:
        others = ", ".join(f"{name} (up to {most})" for name, most in longest.items())
        plain(note(f"{parser} gives one analysis of a sentence. Lists of analyses have: {others}."), key="nbest_none")
        return
    found, drawn = _found(data.run_key(run), parser, run)
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(
            drawn,
            key="nbest_chart",
            says=f"Mean F1 of the analyses of {parser} by their rank, with intervals.",
            signature=run.signature,
        )
        plain(
            note(
                "Means of sentence scores by the weights of the run, with 95 % intervals; sentences with short lists "
                "drop out on the way. The line of steps is the best analysis up to each rank."
            ),
            key="nbest_note",
        )
    with right:
        origin = Origin(f"lists-{parser}", "analyses by the weights of the run", run.signature)
        plain(facts(_facts(found), f"The lists of {parser}", "sentences"), key="nbest_facts", origin=origin)


def _facts(found: NBest) -> list[tuple[str, str, str]]:
    """Say what a better choice among the analyses would bring."""
    sentences, figures = found.sentences, found.figures()
    n = len(sentences)
    rows = [
        ("lists", f"up to {found.most} analyses", f"{n:,}"),
        ("first analysis", f"EDM {shown(figures['first'], share=True)}", ""),
        ("best of the list", f"EDM {shown(figures['oracle'], share=True)}", ""),
    ]
    is_best = sentences["place_of_first"] == 1
    rows.append(("the first is the best", shown(float(is_best.mean()), share=True) + " %", f"{int(is_best.sum()):,}"))
    for title, column in (
        ("place of the first by F1", "place_of_first"),
        ("rank of the best", "rank_of_best"),
        ("rank of the first exact", "rank_of_exact"),
    ):
        rows.append((title, *_middle(sentences[column])))
    return rows


def _middle(ranks: pd.Series[Any]) -> tuple[str, str]:
    known = ranks.dropna()
    if known.empty:
        return "–", "0"
    return f"median {known.median():g}, mean {known.mean():.2f}", f"{len(known):,}"
