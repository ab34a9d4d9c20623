"""How sure the differences between parsers are: every pair, tested together."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from evaltools.analysis.run_pairs import groups_of
from evaltools.analysis.significance import ITERATIONS, Comparison, compare_pairs
from evaltools.charts.intervals import shown
from evaltools.metrics import METRICS
from evaltools.runs.figures import counted, counts_of, defined
from evaltools.runs.store import Run
from evaltools.ui import data
from evaltools.ui.pair_data import ranked
from evaltools.ui.plain import note, plain
from evaltools.ui.saving import save_table

__all__ = ["SURE", "ahead_of", "comparisons_by", "p_of", "significance_table"]

SURE = 0.05
"""Differences with a p-value up to this are called sure."""


@st.cache_resource(max_entries=32, show_spinner="Shuffling the sentences …")
def _with_counts(
    key: str, metric: str, figure: str, over: str, _counts: Callable[[str], pd.DataFrame], _run: Run
) -> list[Comparison]:
    one, every = METRICS[metric], over == "all"
    counts, masks = {}, {}
    for parser in _run.parsers:
        frame = _counts(parser)
        mask = (frame["sentences"] > 0).to_numpy() & counted(frame, one, every=True) if every else defined(frame, one)
        if mask.any():
            counts[parser], masks[parser] = counts_of(frame, one, every=every), mask
    return compare_pairs(one, counts, masks=masks, figure=figure, groups=groups_of(_run))


def comparisons_by(
    run: Run, metric: str, figure: str, over: str, counts: Callable[[str], pd.DataFrame], identity: str
) -> list[Comparison]:
    """Compare every two parsers of a run by other counts than its own.

    Parameters
    ----------
    run : Run
        The run.
    metric : str
        A metric id.
    figure : {"pooled", "mean"}
        Which figure.
    over : {"scored", "all"}
        Sentences that have a score; or all, those without one counted as nothing matched.
    counts : callable
        From a parser to its counts by sentence.
    identity : str
        What tells these counts from others.
    """
    return ranked(_with_counts(f"{data.run_key(run)}\n{identity}", metric, figure, over, counts, run))


def p_of(found: list[Comparison], one: str, other: str) -> float:
    """Return the corrected p-value of a pair."""
    return next(pair.p_adjusted for pair in found if {pair.one, pair.other} == {one, other})


def ahead_of(found: list[Comparison], names: list[str], second: str) -> str:
    """Say how far the first of some parsers is ahead of the second, and of how many it surely differs.

    Parameters
    ----------
    found : list of Comparison
        From :func:`comparisons_by` or :func:`evaltools.ui.pair_data.comparisons`.
    names : list of str
        Two or more parsers, the best first.
    second : str
        What the second is called.
    """
    first = names[0]
    pair = next(one for one in found if {one.one, one.other} == {first, names[1]})
    sign = 1 if pair.one == first else -1
    low, high = sorted((sign * pair.low, sign * pair.high))
    sure = [name for name in names[1:] if p_of(found, first, name) <= SURE]
    ahead = "all others" if len(sure) == len(names) - 1 else f"{len(sure)} of {len(names) - 1} others"
    return (
        f"{shown(sign * pair.difference, share=True)} ahead of {second}, 95 % interval {shown(low, share=True)} to "
        f"{shown(high, share=True)}, p = {pair.p_adjusted:.2g}; it differs from {ahead} at p ≤ {SURE} after Holm’s "
        "correction."
    )


def significance_table(run: Run, found: list[Comparison], key: str, rules: str = "") -> None:
    """Show every pair, the greatest difference first.

    Parameters
    ----------
    run : Run
        The run.
    found : list of Comparison
        From :func:`comparisons_by` or :func:`evaltools.ui.pair_data.comparisons`.
    key : str
        Beginning of the elements' keys.
    rules : str
        What other rules the figures follow than those of the run.
    """
    if not found:
        plain(note("Two parsers with a figure are needed."), key=f"{key}_alone")
        return
    rows = pd.DataFrame([_pair(one) for one in found], columns=["better", "worse", "difference", "interval", "p", "on"])
    rows = rows.sort_values("difference", ascending=False, kind="stable").dropna(axis="columns", how="all")
    st.dataframe(
        rows,
        hide_index=True,
        row_height=30,
        height=min(410, 34 + 30 * len(rows)),
        column_config={
            "better": st.column_config.TextColumn("Ahead"),
            "worse": st.column_config.TextColumn("Behind"),
            "difference": st.column_config.NumberColumn("Difference", format="%.2f"),
            "interval": st.column_config.TextColumn("95 % interval", width=120),
            "p": st.column_config.NumberColumn(
                "p", format="%.4f", width=80, help="paired shuffling, after Holm’s correction"
            ),
            "on": st.column_config.NumberColumn("Differ on", width=80, help="sentences on which the two differ"),
        },
        key=f"{key}_pairs_{found[0].metric}",
    )
    titles = {"better": "ahead", "worse": "behind", "interval": "95 % interval", "on": "differ on"}
    caption = f"Differences by {METRICS[found[0].metric].title}, p after Holm’s correction.\n{run.signature}{rules}"
    save_table(rows.rename(columns=titles), f"{key}_pairs", caption, decimals=4)
    what = f"{groups_of(run):,} groups of the sentences" if groups_of(run) else "the sentences that both parsers have"
    text = f"Paired shuffling of {what}, {ITERATIONS:,} times; p-values corrected for {len(found)} pairs (Holm)."
    plain(note(text), key=f"{key}_pairs_note")


def _pair(one: Comparison) -> tuple[str, str, float, str, float, int | None]:
    sign, ahead, behind = (1, one.one, one.other) if one.difference >= 0 else (-1, one.other, one.one)
    low, high = sorted((100 * sign * one.low, 100 * sign * one.high))
    return ahead, behind, 100 * sign * one.difference, f"{low:.2f} to {high:.2f}", one.p_adjusted, one.n_different
