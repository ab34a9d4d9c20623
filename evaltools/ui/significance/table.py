"""Significance of the difference of every two parsers, as a table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evaltools.analysis.comparison.significance import SIGNIFICANT, Comparison
from evaltools.analysis.comparison.standing import Standing, compared_over
from evaltools.drawing.blocks import note
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.text import P_VALUES, capitalized, column_format, interval_text
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.widgets.saving import save_table
from evaltools.ui.widgets.signed_numbers import with_signs

__all__ = ["significance_table"]

_COLUMNS = ("a", "b", "difference", "interval", "p", "significant", "on")


def significance_table(run: Run, standing: Standing, key: str, rules: str = "") -> None:
    """Show every pair, the largest difference first."""
    if not standing.comparisons:
        show_blocks(note("This needs two parsers with a figure."), key=f"{key}_alone")
        return
    rows = pd.DataFrame([_row(pair) for pair in standing.comparisons], columns=_COLUMNS)
    rows = rows.sort_values("difference", ascending=False, kind="stable").dropna(axis="columns", how="all")
    columns = {
        "a": st.column_config.TextColumn("A"),
        "b": st.column_config.TextColumn("B"),
        "difference": st.column_config.NumberColumn("A − B", format=column_format()),
        "interval": st.column_config.TextColumn("95 % interval", width=110),
        "p": st.column_config.NumberColumn(
            "p", format=P_VALUES, width=64, help="paired permutation test, after Holm’s correction"
        ),
        "significant": st.column_config.TextColumn(
            "significant", width=86, help=f"Holm: p below {SIGNIFICANT}, and a 95 % interval without 0"
        ),
        "on": st.column_config.NumberColumn("Differ on", width=74, help="sentences on which the two differ"),
    }
    written, configuration = with_signs(rows, columns)
    st.dataframe(
        written,
        hide_index=True,
        row_height=30,
        height=min(410, 34 + 30 * len(rows)),
        column_config=configuration,
        key=f"{key}_pairs_{standing.metric}",
    )
    titles = {"a": "A", "b": "B", "difference": "A − B", "interval": "95 % interval", "on": "differ on"}
    item = METRICS[standing.metric]
    points = ", in points" if item.is_share else ""
    caption = f"Differences by {item.title}{points}, p after Holm’s correction.\n{run.signature}{rules}"
    save_table(rows.rename(columns=titles), f"{key}_pairs", caption, decimals=4)
    first, n_pairs = standing.comparisons[0], len(standing.comparisons)
    corrected = f" p-values corrected for {n_pairs} pairs (Holm);" if n_pairs > 1 else ""
    text = (
        f"Paired permutation test over {first.units}, {first.iterations:,} iterations;{corrected} intervals "
        f"from {first.resamples:,} paired resamples."
    )
    text += "".join(f" {capitalized(item)}." for item in compared_over({standing.metric: standing}))
    show_blocks(note(text), key=f"{key}_pairs_note")


def _row(pair: Comparison) -> tuple[str, str, float, str, float, str, int | None]:
    unit = 100 if METRICS[pair.metric].is_share else 1
    pair = pair if pair.difference >= 0 else pair.turned()
    interval = interval_text(unit * pair.low, unit * pair.high)
    significant = "yes" if pair.significant else "no"
    return (
        pair.parser_a,
        pair.parser_b,
        unit * pair.difference,
        interval,
        pair.p_adjusted,
        significant,
        pair.n_different,
    )
