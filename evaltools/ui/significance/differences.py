"""Which sentences carry the difference of two parsers: classes with what each contributes, and the way to them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.run_pairs import PairFindings, carriers
from evaltools.analysis.sentence_classes import ERRORS
from evaltools.charts.contributions import contributions_chart
from evaltools.charts.intervals import between, shown
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui.components.plain import answer, note, plain
from evaltools.ui.session import state
from evaltools.ui.significance.pairs import findings, has_errors
from evaltools.ui.widgets.charting import chart
from evaltools.ui.widgets.choice_table import choice_name, choice_table

__all__ = ["difference_view"]


def difference_view(run: Run, found: PairFindings, over: str) -> None:
    """Show the classes of one family, and lead to the sentences of the one that is chosen.

    Parameters
    ----------
    run : Run
        The run.
    found : PairFindings
        The pair.
    over : {"scored", "all"}
        Sentences that have a score, or all.
    """
    pair = found.comparison
    titles = {one.id: one.title for one in found.families if (found.classes["family"] == one.id).any()}
    if not titles or pair.difference != pair.difference:
        return
    titles |= {"error": ERRORS} if has_errors(run) else {}
    st.markdown("**Which sentences carry the difference**")
    said = state.get("by")
    first = next(iter(titles))
    family = str(
        st.segmented_control(
            "Sentences by",
            list(titles),
            format_func=lambda one: titles[one],
            required=True,
            **state.bind("by", said if said in titles else first, first),
        )
        or first
    )
    if family == "error":
        found = findings(run, pair, over, errors=True)
    rows = carriers(found.classes)
    shown_rows = rows[rows["family"] == family].reset_index(drop=True)
    if shown_rows.empty:
        plain(note("Neither parse of these sentences has an error."), key="classes_none")
        return
    plain(answer(_said(found, shown_rows)), key="classes_answer")
    share = METRICS[pair.metric].is_share
    left, right = st.columns([13, 8], gap="medium")
    with left:
        row = _table(run, found, shown_rows)
        if row is not None:
            _way(run, found, row, over)
    with right:
        chart(
            contributions_chart(shown_rows, pair.difference, share=share),
            key="classes_chart",
            signature=run.signature,
            says="What each class of sentences carries of the difference, with intervals.",
        )
        plain(
            note(
                "Point: what the class carries, with its 95 % interval; upright line: what it would carry if the "
                "parsers were equally far apart everywhere."
            ),
            key="classes_chart_note",
        )


def _said(found: PairFindings, rows: pd.DataFrame) -> str:
    """Name the class that carries most beyond its weight."""
    whole = found.comparison.difference
    overlap = bool(rows["overlap"].iloc[0])
    adds = "A sentence has several; those with one and those without add up to the difference. " if overlap else ""
    if abs(whole) < 1e-12 or rows["family"].iloc[0] == "better":
        return f"{adds}What the classes carry adds up to the difference." if not overlap else adds.strip()
    beyond = (rows["share"] - rows["weight"]).fillna(0.0)
    one = rows.iloc[int(beyond.to_numpy().argmax())]
    if beyond.max() < 0.005:
        return f"{adds}Every class carries about as much as its share of the counts."
    return (
        f"{adds}Most beyond its weight: {one['name']}, {100 * one['share']:.1f} % of the difference with "
        f"{100 * one['weight']:.1f} % of the counts, in {int(one['sentences']):,} sentences."
    )


def _table(run: Run, found: PairFindings, rows: pd.DataFrame) -> pd.Series | None:
    pair = found.comparison
    title, share = METRICS[pair.metric].title, METRICS[pair.metric].is_share
    unit = 100 if share else 1
    table = rows.assign(
        apart=unit * rows["difference"],
        carries=unit * rows["contribution"],
        interval=[between(unit * low, unit * high) for low, high in zip(rows["low"], rows["high"], strict=True)],
        part=100 * rows["share"],
        counts=100 * rows["weight"],
    )

    def number(title: str, says: str) -> Any:
        return st.column_config.NumberColumn(title, help=says, format="%.2f", width=70)

    return choice_table(
        table,
        ("family", "name"),
        key="carriers",
        name="carrier",
        columns={
            "name": st.column_config.TextColumn("Class", width=150),
            "sentences": st.column_config.NumberColumn("Sentences", format="localized", width=75),
            "apart": number("Inside", "difference inside the class"),
            "carries": number("Carries", "what the class adds to the whole difference, see About the metrics"),
            "interval": st.column_config.TextColumn("95 % interval", help="of what it carries", width=105),
            "part": number("% of it", "share of the whole difference"),
            "counts": number("% counts", "share of what is divided by"),
        },
        caption=f"What classes of sentences carry of {pair.one} minus {pair.other}, {title}.\n{run.signature}",
    )


def _way(run: Run, found: PairFindings, row: pd.Series, over: str) -> None:
    """Lead to the sentences of a class."""
    pair = found.comparison
    query = state.link(
        **{
            "parser": pair.other,
            "metric": pair.metric,
            "pair": choice_name((pair.one, pair.other)),
            "class": choice_name((row["family"], row["name"])),
            "over": "all" if over == "all" else None,
            "average": "mean" if pair.figure == "mean" else None,
        }
    )
    count = int(row["sentences"])
    st.page_link(
        "pages/worst_parses.py",
        label=f"{'This sentence' if count == 1 else f'These {count:,} sentences'} in Worst parses",
        icon=":material/arrow_forward:",
        query_params=query,
    )
    whole = shown(pair.difference, share=METRICS[pair.metric].is_share)
    plain(note(f"The whole difference is {whole}."), key="classes_whole")
