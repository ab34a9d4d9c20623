"""Worst parses: which sentences, and why."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, state
from evaltools.ui.filters import Filter, reset_filters, sentence_filters
from evaltools.ui.notes import Notes
from evaltools.ui.pickers import choice_picker, metric_picker, parser_picker
from evaltools.ui.plain import answer, facts, note, plain
from evaltools.ui.sentence_detail import sentence_detail
from evaltools.ui.sentence_list import sentence_list
from evaltools.ui.subset import subset_downloads

__all__ = ["render"]

_COMPANIONS = ("e_dice_roof", "t_dice", "la_partial")
_ORDERS = {"worst": "worst first", "best": "best first", "file": "as in the file"}
_RANK_ORDERS = {"either": "either way", "first": "worse by the metric", "second": "worse by the other"}


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Worst parses")
    top = st.container()
    parser, metric, against, order = _controls(run)
    notes = Notes(run)
    kept = notes.all()
    rows = _rows(run, parser, metric, against, order)
    rows = rows.assign(
        marked=rows["sentence"].map(lambda number: "★" if number in kept and kept[number].marked else ""),
        note=rows["sentence"].map(lambda number: kept[number].text if number in kept else ""),
    )
    filters = sentence_filters(run, rows, parser, metric, {number for number, one in kept.items() if one.marked})
    keep = np.logical_and.reduce([one.keep for one in filters]) if filters else np.ones(len(rows), dtype=np.bool_)
    shown = rows[keep]
    with top:
        plain(answer(_answer(run, parser, metric, against, rows)), key="worst_answer")
    if not len(shown):
        _nothing_left(filters, len(rows))
        return
    sentence = _sentence(shown)
    _table(shown, metric, against, sentence, kept=bool(kept))
    with st.container(horizontal=True, vertical_alignment="center"):
        plain(note(_coverage(filters, shown, rows)), key="worst_coverage")
        if filters:
            st.button("Reset filters", on_click=reset_filters, key="reset_filters", type="tertiary")
        subset_downloads(run, parser, shown)
    sentence_detail(run, parser, sentence, shown["sentence"].tolist(), notes)


def _controls(run: Run) -> tuple[str, str, str, str]:
    columns = st.columns([3, 3, 3, 2])
    with columns[0]:
        parser = parser_picker(run)
    with columns[1]:
        metric = metric_picker(run)
    with columns[2]:
        others = [one for one in run.metrics if one != metric]
        against = metric_picker(
            run, name="metric2", label="Rank against", default="", metrics=others, extra={"": "no other metric"}
        )
    with columns[3]:
        titles = _RANK_ORDERS if against else _ORDERS
        order = choice_picker("Order", list(titles), name="order", default=next(iter(titles)), titles=titles)
    return parser, metric, against, order


def _ranks(values: pd.Series, metric: str) -> pd.Series:
    """Rank 1 is the worst; equal scores share the mean of their ranks."""
    return values.rank(ascending=METRICS[metric].higher_is_better, na_option="keep")


def _rows(run: Run, parser: str, metric: str, against: str, order: str) -> pd.DataFrame:
    """Return the parser's sentences with their text, in the order wanted; those without a score come last."""
    rows = _with_texts(data.run_key(run), parser, run)
    ascending = METRICS[metric].higher_is_better
    if against:
        difference = _ranks(rows[against], against) - _ranks(rows[metric], metric)
        rows = rows.assign(difference=difference)
        key = {"either": -difference.abs(), "first": -difference, "second": difference}[order]
    elif order == "file":
        return rows
    else:
        key = rows[metric] if ascending == (order == "worst") else -rows[metric]
    # among equals the longer sentence first: more went wrong in it
    position = np.lexsort((rows["sentence"], -rows["words"], key.to_numpy()))
    return rows.iloc[position]


@st.cache_resource(max_entries=16, show_spinner=False)
def _with_texts(key: str, parser: str, _run: Run) -> pd.DataFrame:
    sentences = data.sentences(_run)
    rows = sentences[sentences["parser"] == parser].merge(data.texts(_run), on="sentence", how="left", sort=False)
    return rows.assign(text=rows["text"].fillna(""))


def _answer(run: Run, parser: str, metric: str, against: str, rows: pd.DataFrame) -> str:
    scores = rows[metric].dropna()
    title = METRICS[metric].title
    if not len(scores):
        return f"No sentence of {parser} has a score by {title}."
    missing = len(rows) - len(scores)
    without = f" {missing:,} of {len(rows):,} {'has' if missing == 1 else 'have'} no score." if missing else ""
    if against and rows["difference"].notna().any():
        first = rows.iloc[0]
        other = METRICS[against].title
        return (
            f"{title} and {other} disagree most on sentence {first['sentence']} of {parser}: "
            f"{first[metric]:.3f} against {first[against]:.3f}, {abs(first['difference']):,.0f} ranks apart "
            f"among {len(scores):,}.{without}"
        )
    by_score = scores.sort_values(ascending=METRICS[metric].higher_is_better, kind="stable")
    number = int((scores == by_score.iloc[0]).sum())
    if METRICS[metric].is_share:
        perfect = int((scores >= 1 - 1e-12).sum())
        quarter = float(scores.quantile(0.25))
        return (
            f"By {title}, {parser}’s worst score is {by_score.iloc[0]:.3f}"
            f"{f', shared by {number:,} sentences' if number > 1 else ''}; a quarter of its {len(scores):,} sentences "
            f"score {quarter:.3f} or less, {perfect:,} {'is' if perfect == 1 else 'are'} perfect.{without}"
        )
    clean = int((scores == 0).sum())
    return (
        f"By {title}, {parser}’s worst sentence has {by_score.iloc[0]:.0f}; {clean:,} of its {len(scores):,} sentences "
        f"have none.{without}"
    )


def _sentence(shown: pd.DataFrame) -> int:
    """Return the sentence of the URL, if it is among those shown; else the first."""
    said = state.get_number("sentence", 0, 0, 2**31 - 1)
    return said if (shown["sentence"] == said).any() else int(shown["sentence"].iloc[0])


def _table(shown: pd.DataFrame, metric: str, against: str, sentence: int, *, kept: bool) -> None:
    metrics = [metric, *([against] if against else [])]
    metrics += [one for one in _COMPANIONS if one in shown and one not in metrics]
    extra = {}
    if against:
        extra["difference"] = st.column_config.NumberColumn(
            "Rank difference",
            help="how many ranks worse by the first metric than by the second",
            format="%+.0f",
            width=110,
        )
    if kept:
        extra["marked"] = st.column_config.TextColumn("★", width=40)
        extra["note"] = st.column_config.TextColumn("Note", width=160)
    sentence_list(shown, key="worst", metrics=metrics, extra=extra, selected=sentence)


def _coverage(filters: list[Filter], shown: pd.DataFrame, rows: pd.DataFrame) -> str:
    if not filters:
        return f"{len(rows):,} sentences. The selected one is shown below; select another row to see it."
    return f"{len(shown):,} of {len(rows):,} sentences: " + ", ".join(one.says for one in filters) + "."


def _nothing_left(filters: list[Filter], total: int) -> None:
    st.subheader("No sentence is left")
    rows = [(one.says, f"{int(one.keep.sum()):,} of {total:,} sentences", "") for one in filters]
    plain(note("Each filter alone leaves:"), facts(rows), key="worst_empty")
    st.button("Reset filters", on_click=reset_filters, key="reset_filters")
