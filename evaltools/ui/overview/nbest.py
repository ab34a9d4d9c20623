"""N-best lists of trees on pages: what the best choice would reach, and the rank of the best analysis."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.nbest_trees import best_ranks_of, tree_lists
from evaltools.charts.nbest import oracle_chart
from evaltools.drawing.blocks import note
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.text import column_format
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session.data import cached_by_run
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


@cached_by_run(16)
def _ranks(run: Run, parser: str) -> pd.Series[int]:
    return best_ranks_of(run, parser)


def ranks_of_best(run: Run, parser: str, sentences: NDArray[np.int32]) -> list[int | None] | None:
    """Return the rank of the best analysis of some sentences; None for a run without n-best lists."""
    if "nbest" not in run.meta:
        return None
    ranks = _ranks(run, parser)
    return [int(ranks[item]) if item in ranks.index else None for item in sentences.tolist()]


def nbest_lists(run: Run, figure: str) -> None:
    """Show what the best choice from the lists of a run would reach; nothing where there are none."""
    lists = tree_lists(run)
    if not lists:
        return
    st.subheader("Lists of analyses", anchor=False)
    show_blocks(*[note(item.description) for item in lists], key="nbest_says")
    metric = lists[0].metric
    title = METRICS[metric].title
    percent = ", in percent" if METRICS[metric].is_share else ""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart(
            oracle_chart([(item.parser, item.curve) for item in lists], metric, figure),
            key="nbest_chart",
            description=f"{title} of the best among the first analyses, and of the analyses of each rank.",
            signature=run.signature,
        )
    with right:
        unit = 100 if METRICS[metric].is_share else 1
        for index, item in enumerate(lists):
            rows = item.curve.assign(own=unit * item.curve[f"own_{figure}"], best_so_far=unit * item.curve[figure])
            form = {"own": column_format(), "best_so_far": column_format()}
            st.dataframe(
                rows[list(_TITLES)],
                hide_index=True,
                height=min(38 + 35 * len(rows), 388),
                column_config={
                    name: st.column_config.NumberColumn(title, format=form.get(name, "%d"), width="small")
                    for name, title in _TITLES.items()
                },
                placeholder="–",
                key=f"nbest_table_{index}",
            )
            caption = f"{title} of the analyses of {item.parser} by rank{percent}.\n{run.signature}"
            save_table(rows[list(_TITLES)].rename(columns=_TITLES), f"nbest_table_{index}", caption, decimals=2)
        show_blocks(
            note(
                f"{title}{percent}. Best so far: each sentence’s best analysis up to this rank. Best is here: "
                "sentences whose best analysis has this rank, the first in a tie."
            ),
            key="nbest_note",
        )
