"""Explanation of one figure: formula with its counts, sentences, signature, rules, and a link to the sentences."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.drawing.blocks import facts, formulas
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import COUNTS, METRICS
from evaltools.runs.store import Run
from evaltools.text import number
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.sentences import ranking
from evaltools.ui.session import data, state
from evaltools.ui.widgets.saving import Origin

__all__ = ["explanation"]

_NO_BREAK = "\u00a0"
_ARROW = ":material/arrow_forward:"
_FIGURE_NAMES = {
    "pooled": "micro, parsed sentences only",
    "mean": "macro, parsed sentences only",
    "pooled_all": "micro, all sentences",
    "mean_all": "macro, all sentences",
}


def explanation(run: Run, parser: str, metric: str, figure: str, board: pd.DataFrame, over_units: str = "") -> None:
    """Show how a figure is computed; `over_units` names what intervals are over if not sentences."""
    item = METRICS[metric]
    explained = analysis.explain(data.sums(run), parser, metric, figure)
    rows = board[(board["parser"] == parser) & (board["metric"] == metric)].to_dict("records")[0]
    written = item.text_with_sign
    origin = Origin(f"{parser}-{metric}", f"{parser}, {item.title}", run.signature)
    with st.container(border=True, key="explanation"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            formula = item.formula if figure.startswith("pooled") else "sum of sentence scores / sentences with a score"
            heading = f"{item.title}: {parser}, {_FIGURE_NAMES[figure]}"
            counts = [
                (COUNTS[name].symbol, COUNTS[name].name, number(total)) for name, total in _counted(explained.counts)
            ]
            show_blocks(
                formulas([(item.title, formula, explained.numbers, written(explained.value))], heading),
                facts(counts, "Counts, summed over these sentences"),
                key="explanation_formula",
                origin=origin,
            )
            with st.container(horizontal=True):
                st.page_link(
                    "pages/worst_parses.py",
                    label="Worst parses by this metric",
                    icon=_ARROW,
                    query_params=state.link(parser=parser, metric=metric),
                )
                st.page_link(
                    "pages/hotspots.py",
                    label="Costliest errors of this parser",
                    icon=_ARROW,
                    query_params=state.link(parser=parser, other=None),
                )
        with right:
            figures = [
                (
                    name,
                    written(rows[key]).replace(" ", _NO_BREAK),
                    _between(item, rows[f"{key}_low"], rows[f"{key}_high"]),
                )
                for key, name in _FIGURE_NAMES.items()
            ]
            over = [("sentences", f"{explained.n:,} of {explained.sentences:,}", "")]
            differ = int(ranking.aligned(run, parser, metric).sum())
            if differ:
                over.append(("tokens differ", f"{differ:,}", item.where_words_differ))
            if explained.without_score:
                over.append(("undefined", f"{explained.without_score:,}", "nothing to count: denominator 0"))
            with_intervals = ", with 95 % intervals" if any(between for _, _, between in figures) else ""
            with_intervals += f" {over_units}" if with_intervals and over_units else ""
            show_blocks(
                facts(figures, f"All figures{with_intervals}"),
                facts(over, "Over"),
                key="explanation_figures",
                origin=origin,
            )


def _counted(counts: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the counts without those that repeat another, and without groups of counts that are all 0."""
    used = {COUNTS[name].group for name, total in counts.items() if total}
    return [
        (name, total)
        for name, total in counts.items()
        if counts.get(COUNTS[name].repeats) != total and (not COUNTS[name].group or COUNTS[name].group in used)
    ]


def _between(metric: Metric, low: float, high: float) -> str:
    text = metric.text(low)
    return "" if text == "–" else f"{text} to {metric.text(high)}".replace(" ", _NO_BREAK)
