"""N-best lists of trees on pages: what the best choice would reach, and the rank of the best analysis."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.nbest_trees import best_ranks_of, tree_lists
from evaltools.charts.oracle import oracle_chart
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui.components.plain import note, plain
from evaltools.ui.session import data
from evaltools.ui.widgets.charting import chart
from evaltools.ui.widgets.saving import save_table

__all__ = ["nbest_lists", "ranks_of_best"]

_TITLES = {
    "rank": "Rank",
    "parses": "Analyses",
    "own": "This rank",
    "best_so_far": "Best so far",
    "best": "Best is here",
}


@st.cache_resource(max_entries=16, show_spinner=False)
def _ranks(key: str, parser: str, _run: Run) -> pd.Series[int]:
    return best_ranks_of(_run, parser)


def ranks_of_best(run: Run, parser: str, sentences: NDArray[np.int32]) -> list[int | None] | None:
    """Return the rank of the best analysis of some sentences; None for a run without n-best lists.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser, be it the first analyses or the best ones.
    sentences : ndarray of int32
        Which, from 1.
    """
    if "nbest" not in run.meta:
        return None
    ranks = _ranks(data.run_key(run), parser, run)
    return [int(ranks[one]) if one in ranks.index else None for one in sentences.tolist()]


def nbest_lists(run: Run, figure: str) -> None:
    """Show what the best choice from the lists of a run would reach; nothing where there are none.

    Parameters
    ----------
    run : Run
        Any run.
    figure : {"pooled", "mean"}
        Which figure.
    """
    lists = tree_lists(run)
    if not lists:
        return
    st.subheader("Lists of analyses", anchor=False)
    plain(*[note(one.says()) for one in lists], key="nbest_says")
    metric = lists[0].metric
    title = METRICS[metric].title
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart(
            oracle_chart([(one.parser, one.curve) for one in lists], metric, figure),
            key="nbest_chart",
            says=f"{title} of the best among the first analyses, and of the analyses of each rank.",
            signature=run.signature,
        )
    with right:
        unit = 100 if METRICS[metric].is_share else 1
        for place, one in enumerate(lists):
            rows = one.curve.assign(own=unit * one.curve[f"own_{figure}"], best_so_far=unit * one.curve[figure])
            form = {"own": "%.2f", "best_so_far": "%.2f"}
            st.dataframe(
                rows[list(_TITLES)],
                hide_index=True,
                height=min(38 + 35 * len(rows), 388),
                column_config={
                    name: st.column_config.NumberColumn(says, format=form.get(name, "%d"), width="small")
                    for name, says in _TITLES.items()
                },
                placeholder="–",
                key=f"nbest_table_{place}",
            )
            caption = f"{title} of the analyses of {one.parser} by rank.\n{run.signature}"
            save_table(rows[list(_TITLES)].rename(columns=_TITLES), f"nbest_table_{place}", caption, decimals=2)
        plain(
            note(
                f"{title}. Best so far: each sentence’s best analysis up to this rank. Best is here: sentences whose "
                "best analysis has this rank, the first among equals."
            ),
            key="nbest_note",
        )
