"""Which differences between parsers are significant: every pair, tested together."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evaltools.analysis.run_pairs import groups_of
from evaltools.analysis.significance import SIGNIFICANT, Comparison
from evaltools.analysis.standing import Standing, compared_over
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui.plain import note, plain
from evaltools.ui.saving import save_table

__all__ = ["significance_table"]

_COLUMNS = ("a", "b", "difference", "interval", "p", "significant", "on")


def significance_table(run: Run, found: Standing, key: str, rules: str = "") -> None:
    """Show every pair, the greatest difference first.

    Parameters
    ----------
    run : Run
        The run.
    found : Standing
        Where the parsers stand.
    key : str
        Beginning of the elements' keys.
    rules : str
        What other rules the figures follow than those of the run.
    """
    if not found.comparisons:
        plain(note("Two parsers with a figure are needed."), key=f"{key}_alone")
        return
    rows = pd.DataFrame([_pair(one) for one in found.comparisons], columns=_COLUMNS)
    rows = rows.sort_values("difference", ascending=False, kind="stable").dropna(axis="columns", how="all")
    st.dataframe(
        rows,
        hide_index=True,
        row_height=30,
        height=min(410, 34 + 30 * len(rows)),
        column_config={
            "a": st.column_config.TextColumn("A"),
            "b": st.column_config.TextColumn("B"),
            "difference": st.column_config.NumberColumn("A − B", format="%.2f"),
            "interval": st.column_config.TextColumn("95 % interval", width=120),
            "p": st.column_config.NumberColumn(
                "p", format="%.4f", width=80, help="paired permutation test, after Holm’s correction"
            ),
            "significant": st.column_config.TextColumn(
                "significant", width=80, help=f"p below {SIGNIFICANT}, and an interval without 0"
            ),
            "on": st.column_config.NumberColumn("Differ on", width=80, help="sentences on which the two differ"),
        },
        key=f"{key}_pairs_{found.metric}",
    )
    titles = {"a": "A", "b": "B", "difference": "A − B", "interval": "95 % interval", "on": "differ on"}
    caption = f"Differences by {METRICS[found.metric].title}, p after Holm’s correction.\n{run.signature}{rules}"
    save_table(rows.rename(columns=titles), f"{key}_pairs", caption, decimals=4)
    drawn = f"{groups_of(run):,} groups of the sentences" if groups_of(run) else "the sentences"
    first = found.comparisons[0]
    text = (
        f"Paired permutation test over {drawn}, {first.iterations:,} iterations; p-values corrected for "
        f"{len(found.comparisons)} pairs (Holm); intervals from {first.resamples:,} paired resamples."
    )
    text += "".join(f" {one[0].upper()}{one[1:]}." for one in compared_over({found.metric: found}))
    plain(note(text), key=f"{key}_pairs_note")


def _pair(one: Comparison) -> tuple[str, str, float, str, float, str, int | None]:
    unit = 100 if METRICS[one.metric].is_share else 1
    sign = 1 if one.difference >= 0 else -1
    low, high = sorted((unit * sign * one.low, unit * sign * one.high))
    pair = (one.one, one.other) if sign > 0 else (one.other, one.one)
    significant = "yes" if one.significant else "no"
    interval = f"{low:.2f} to {high:.2f}"
    return *pair, unit * sign * one.difference, interval, one.p_adjusted, significant, one.n_different
