"""N-best lists of a parser: F1 by rank, F1 of the best analysis of each list, rank of the first analysis."""

from __future__ import annotations

from typing import Any

import streamlit as st

from evaltools.analysis.nbest import CONFIGURATIONS, NBest, nbest
from evaltools.charts.nbest import nbest_chart
from evaltools.drawing.blocks import facts, note
from evaltools.runs.store import Run
from evaltools.text import decimals, number, percent, percentage
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session import data
from evaltools.ui.widgets.charting import chart
from evaltools.ui.widgets.saving import Origin

__all__ = ["nbest_section"]


@data.of_runs(16)
def _analyzed(key: str, parser: str, _run: Run) -> tuple[NBest, dict[str, Any]]:
    lists = nbest(_run.ranks(parser))
    return lists, nbest_chart(lists.by_rank, lists.oracle[lists.oracle["metric"] == CONFIGURATIONS[0]])


def nbest_section(run: Run, parser: str) -> None:
    """Show the lists of a parser; nothing if no parser of the run has any."""
    longest = {name: int(length) for name, length in run.meta["n_best"].items() if int(length) > 1}
    if not longest:
        return
    st.subheader("F1 against rank", anchor=False)
    if parser not in longest:
        others = ", ".join(f"{name} (up to {length})" for name, length in longest.items())
        show_blocks(
            note(f"{parser} gives one analysis of a sentence. Lists of analyses have: {others}."), key="nbest_none"
        )
        return
    lists, spec = _analyzed(data.run_key(run), parser, run)
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(
            spec,
            key="nbest_chart",
            description=f"Mean F1 of the analyses of {parser} by their rank, with intervals.",
            signature=run.signature,
        )
        show_blocks(
            note(
                "Macro (per sentence), by the weights of the run, with 95 % intervals; only sentences "
                "whose lists reach the rank. Stepped line: the best analysis up to each rank."
            ),
            key="nbest_note",
        )
    with right:
        origin = Origin(f"lists-{parser}", "analyses by the weights of the run", run.signature)
        show_blocks(facts(_facts(lists), f"The lists of {parser}", "sentences"), key="nbest_facts", origin=origin)


def _facts(lists: NBest) -> list[tuple[str, str, str]]:
    """Return EDM of the first and of the best analyses, and their ranks."""
    sentences, figures = lists.sentences, lists.figures()
    n = len(sentences)
    rows = [
        ("lists", f"up to {lists.longest} analyses", f"{n:,}"),
        ("first analysis", f"EDM {percent(figures['first'])}", ""),
        ("best of the list", f"EDM {percent(figures['oracle'])}", ""),
    ]
    is_best = sentences["place_of_first"] == 1
    rows.append(("the first is the best", percentage(float(is_best.mean()), 2), f"{int(is_best.sum()):,}"))
    for title, column in (
        ("rank of the first by F1", "place_of_first"),
        ("rank of the best", "rank_of_best"),
        ("rank of the first exact", "rank_of_exact"),
    ):
        ranks = sentences[column].dropna()
        text = "–" if ranks.empty else f"median {number(ranks.median())}, mean {decimals(ranks.mean())}"
        rows.append((title, text, f"{len(ranks):,}"))
    return rows
