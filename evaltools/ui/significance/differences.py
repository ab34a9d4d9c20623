"""Where the difference of two parsers comes from: classes of sentences, their contributions, and links to them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.comparison.run_pairs import PairFindings, carriers
from evaltools.analysis.comparison.sentence_classes import ERRORS
from evaltools.charts.differences import contributions_chart
from evaltools.drawing.blocks import answer, note
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.text import column_format, interval_text, percentage
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session import state
from evaltools.ui.significance.pairs import findings, has_errors
from evaltools.ui.widgets.charting import chart
from evaltools.ui.widgets.choice_table import choice_name, choice_table

__all__ = ["difference_view"]


def difference_view(run: Run, found: PairFindings, over: str) -> None:
    """Show the classes of one family, and a link to the sentences of the chosen one."""
    pair = found.comparison
    titles = {family.id: family.title for family in found.families if (found.classes["family"] == family.id).any()}
    if not titles or pair.difference != pair.difference:
        return
    titles |= {"error": ERRORS} if has_errors(run) else {}
    st.markdown("**Where the difference comes from**")
    value = state.get("by")
    first = next(iter(titles))
    family = str(
        st.segmented_control(
            "Sentences by",
            list(titles),
            format_func=titles.__getitem__,
            required=True,
            **state.bind("by", value if value in titles else first, first),
        )
        or first
    )
    if family == "error":
        found = findings(run, pair, over, errors=True)
    rows = carriers(found.classes)
    shown_rows = rows[rows["family"] == family].reset_index(drop=True)
    if shown_rows.empty:
        show_blocks(note("Neither parse of these sentences has an error."), key="classes_none")
        return
    show_blocks(answer(_summary(found, shown_rows)), key="classes_answer")
    left, right = st.columns([13, 8], gap="medium")
    with left:
        row = _table(run, found, shown_rows)
        if row is not None:
            _link(run, found, row, over)
    with right:
        chart(
            contributions_chart(shown_rows, pair.difference, METRICS[pair.metric]),
            key="classes_chart",
            signature=run.signature,
            description="Contribution of each class of sentences to the difference, with intervals.",
        )
        show_blocks(
            note(
                "Point: contribution of the class, with its 95 % interval. Vertical line: its contribution if the "
                "difference were the same in all classes."
            ),
            key="classes_chart_note",
        )


def _summary(found: PairFindings, rows: pd.DataFrame) -> str:
    """Name the class that is most over-represented in the difference."""
    difference = found.comparison.difference
    overlap = bool(rows["overlap"].iloc[0])
    adds = (
        "A sentence can have several; the sentences with and without one add up to the difference. " if overlap else ""
    )
    if abs(difference) < 1e-12 or rows["family"].iloc[0] == "better":
        return f"{adds}The contributions of the classes add up to the difference." if not overlap else adds.strip()
    item = rows.iloc[int(rows["excess"].to_numpy().argmax())]
    if item["excess"] < 0.005 * abs(difference):
        return f"{adds}Every class contributes about as much as its share of the counts."
    share = f"{percentage(item['share'])} of the difference" if item["share"] == item["share"] else "all of it and more"
    return (
        f"{adds}Over-represented: {item['name']}, {share} with {percentage(item['weight'])} of the counts, in "
        f"{int(item['sentences']):,} sentences."
    )


def _table(run: Run, found: PairFindings, rows: pd.DataFrame) -> pd.Series | None:
    pair = found.comparison
    title, share = METRICS[pair.metric].title, METRICS[pair.metric].is_share
    unit = 100 if share else 1
    table = rows.assign(
        apart=unit * rows["difference"],
        carries=unit * rows["contribution"],
        interval=[interval_text(unit * low, unit * high) for low, high in zip(rows["low"], rows["high"], strict=True)],
        part=100 * rows["share"],
        counts=100 * rows["weight"],
    )

    def number(title: str, hint: str) -> Any:
        return st.column_config.NumberColumn(title, help=hint, format=column_format(), width=70)

    return choice_table(
        table,
        ("family", "name"),
        key="carriers",
        name="carrier",
        columns={
            "name": st.column_config.TextColumn("Class", width=150),
            "sentences": st.column_config.NumberColumn("Sentences", format="localized", width=75),
            "apart": number("Within", "difference within the class"),
            "carries": number("Contrib.", "contribution of the class to the whole difference, see About the metrics"),
            "interval": st.column_config.TextColumn("95 % interval", help="of the contribution", width=105),
            "part": number(
                "% of diff.",
                "share of the whole difference; none where a class works against it, or is more than all of it",
            ),
            "counts": number("% counts", "share of the denominator"),
        },
        caption=f"Contributions of classes of sentences to {pair.parser_a} minus {pair.parser_b}, {title}.\n"
        f"{run.signature}",
    )


def _link(run: Run, found: PairFindings, row: pd.Series, over: str) -> None:
    """Link to the sentences of a class."""
    pair = found.comparison
    query = state.link(
        **{
            "parser": pair.parser_b,
            "metric": pair.metric,
            "pair": choice_name((pair.parser_a, pair.parser_b)),
            "class": choice_name((row["family"], row["name"])),
            "over": None if over == run.default_over else over,
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
    difference = METRICS[pair.metric].text(pair.difference)
    show_blocks(note(f"The whole difference is {difference}."), key="classes_whole")
