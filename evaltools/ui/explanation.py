"""One figure explained: formula, counts put in, what it is over, signature and rules; and the way to the sentences."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.analysis.explain import COUNT_NAMES, SYMBOLS, number
from evaltools.charts.intervals import shown
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, ranking, state
from evaltools.ui.plain import facts, formulas, plain
from evaltools.ui.saving import Origin

__all__ = ["FIGURE_NAMES", "explanation"]

_TOGETHER = "\u00a0"  # a blank at which no line ends
_ENDS = ("gold", "test", "matched")
FIGURE_NAMES = {
    "pooled": "pooled, scored sentences",
    "mean": "mean, scored sentences",
    "pooled_all": "pooled, all sentences",
    "mean_all": "mean, all sentences",
}
"""What the four figures are called."""


def explanation(run: Run, parser: str, metric: str, figure: str, board: pd.DataFrame) -> None:
    """Show where a figure comes from.

    Parameters
    ----------
    run : Run
        The run.
    parser, metric : str
        Whose figure, by which metric.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        Which figure.
    board : DataFrame
        From :func:`evaltools.analysis.leaderboard`.
    """
    one = METRICS[metric]
    said = analysis.explain(data.sums(run), parser, metric, figure)
    rows = board[(board["parser"] == parser) & (board["metric"] == metric)].to_dict("records")[0]
    unit = " %" if one.is_share else ""

    def written(value: float) -> str:
        text = shown(value, share=one.is_share)
        return text if text == "–" else text + unit

    origin = Origin(f"{parser}-{metric}", f"{parser}, {one.title}", run.signature)
    with st.container(border=True, key="explanation"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            formula = one.formula if figure.startswith("pooled") else "sum of sentence scores / sentences with a score"
            heading = f"{one.title}: {parser}, {FIGURE_NAMES[figure]}"
            counts = [
                (SYMBOLS.get(name, ""), COUNT_NAMES[name], number(total)) for name, total in _counted(said.counts)
            ]
            plain(
                formulas([(one.title, formula, said.numbers, written(said.value))], heading),
                facts(counts, "Counts, summed over these sentences"),
                key="explanation_formula",
                origin=origin,
            )
            _ways(run, parser, metric)
        with right:
            figures = [
                (
                    name,
                    written(rows[each]).replace(" ", _TOGETHER),
                    _between(rows[f"{each}_low"], rows[f"{each}_high"], share=one.is_share),
                )
                for each, name in FIGURE_NAMES.items()
            ]
            over = [("sentences", f"{said.n:,} of {said.sentences:,}", "")]
            differ = ranking.n_aligned(run, parser, metric)
            if differ:
                over.append(("words differ", f"{differ:,}", one.where_words_differ))
            if said.without_score:
                over.append(("undefined", f"{said.without_score:,}", "nothing to count: denominator 0"))
            with_intervals = ", with 95 % intervals" if any(between for _, _, between in figures) else ""
            plain(
                facts(figures, f"All figures{with_intervals}"),
                facts(over, "Over"),
                key="explanation_figures",
                origin=origin,
            )
        with st.expander("Signature and rules of the preset"):
            st.code(run.signature, language=None, wrap_lines=True)
            st.code(str(run.meta["preset_rules"]), language=None, wrap_lines=True)


def _counted(counts: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the counts without classes of triples that do not count at all, and W of the T formulas once."""
    if counts.get("t_words_test") == counts.get("t_words_gold"):
        counts = {name: total for name, total in counts.items() if name != "t_words_test"}
    idle = [f"edm_{letter}_" for letter in "ct" if not any(counts.get(f"edm_{letter}_{end}", 0) for end in _ENDS)]
    return [(name, total) for name, total in counts.items() if not name.startswith(tuple(idle))]


def _between(low: float, high: float, *, share: bool) -> str:
    text = shown(low, share=share)
    return "" if text == "–" else f"{text} to {shown(high, share=share)}".replace(" ", _TOGETHER)


def _ways(run: Run, parser: str, metric: str) -> None:
    """Lead on to the sentences behind the figure."""
    st.page_link(
        "pages/worst_parses.py",
        label="Worst parses by this metric",
        icon=":material/arrow_forward:",
        query_params=state.link(parser=parser, metric=metric),
    )
