"""Disagreement: the sentences that two metrics, or two parsers, rank most differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.disagreement import TENTHS, Disagreement, compare_rankings
from evaltools.analysis.sentence_ranks import worst_is_high
from evaltools.charts.disagreement import MOST_POINTS, disagreement_chart
from evaltools.metrics import METRICS
from evaltools.runs.notes import Notes
from evaltools.runs.store import Run
from evaltools.ui.components.plain import answer, note, plain
from evaltools.ui.sentence.detail import sentence_detail
from evaltools.ui.sentences import ranking
from evaltools.ui.sentences.listing import sentence_list
from evaltools.ui.session import data, state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.pickers import choice_picker, metric_picker, parser_picker
from evaltools.ui.widgets.saving import save_chart, save_table

__all__ = ["render"]

_SECOND = {
    "constituency": "t_dice",
    "dependency": "la_partial",
    "crossframework": "tedeval_single_unlabelled",
    "semantics": "edm_a",
}
_LISTED = 1_000
_TURN = "evaltools_box_turn"
_CHOICE = ("box", "cell")


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Disagreement", anchor=False)
    top = st.container()
    parser, metric, other, second = _controls(run)
    wait_for_kernels()
    found = _found(data.run_key(run), parser, metric, other, second, run)
    titles = _titles(parser, metric, other, second)
    with top:
        plain(answer(_answer(found, titles)), key="disagree_answer")
    if found.kendall.n < 2:
        st.subheader("Nothing to compare")
        plain(note("Fewer than two sentences have both scores."), key="disagree_empty")
        return
    among, says = _chosen(found, titles)
    n_chosen = found.kendall.n if among is None else int(among.sum())
    listed = found.extremes(_LISTED, among)
    left, right = st.columns([1, 1], gap="large")
    with left:
        _scatter(run, found, titles, listed if says and n_chosen == len(listed) else None, metric, second)
    with right:
        _tenths(run, found, titles)
    _list(run, parser, metric, other, second, found, listed, n_chosen, says)


def _controls(run: Run) -> tuple[str, str, str, str]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parser = parser_picker(run, name="parser")
        metric = metric_picker(run, default=data.main_metric(run))
        others = {"": "the same parser"} | {one: one for one in run.parsers if one != parser}
        other = choice_picker("Against", list(others), name="other", default="", titles=others)
        default = _SECOND[run.kind] if not other else metric
        offered = [one for one in run.metrics if other or one != metric]
        second = metric_picker(
            run, name="metric2", label="By", default=default if default in offered else offered[0], metrics=offered
        )
    return parser, metric, other, second


@st.cache_resource(max_entries=8, show_spinner=False)
def _found(key: str, parser: str, metric: str, other: str, second: str, _run: Run) -> Disagreement:
    if other:
        scores = [ranking.scores(_run, parser, metric), ranking.scores(_run, other, second)]
    else:
        _, scores = ranking.read(_run, parser, (metric, second))
    return compare_rankings(
        np.arange(1, _run.n_sentences + 1, dtype=np.int32),
        *scores,
        worst_high_a=worst_is_high(metric),
        worst_high_b=worst_is_high(second),
    )


def _titles(parser: str, metric: str, other: str, second: str) -> tuple[str, str]:
    if other:
        return f"{METRICS[metric].title}, {parser}", f"{METRICS[second].title}, {other}"
    return METRICS[metric].title, METRICS[second].title


def _answer(found: Disagreement, titles: tuple[str, str]) -> str:
    kendall = found.kendall
    if kendall.n < 2:
        return f"{titles[0]} and {titles[1]} cannot be compared here."
    said = (
        f"{titles[0]} and {titles[1]} put {100 * kendall.distance:.2f} % of all pairs of {kendall.n:,} sentences in "
        f"opposite order (Kendall distance {kendall.distance:.3f}"
    )
    said += ")" if np.isnan(kendall.tau_b) else f", tau-b {kendall.tau_b:.3f})"
    first = found.extremes(1).iloc[0]
    if first["rank_difference"] == 0:
        return f"{said}; no sentence has another rank."
    ranks = [f"{first[name]:,.1f}".removesuffix(".0") for name in ("rank_a", "rank_b")]
    furthest = f"sentence {int(first['sentence'])} is furthest apart, of rank {ranks[0]} by the one"
    return f"{said}; {furthest} and {ranks[1]} by the other."


def _chosen(found: Disagreement, titles: tuple[str, str]) -> tuple[NDArray[np.bool_] | None, str]:
    """Return which sentences to list, all if None, and what chose them."""
    rows = found.sentences
    box = _numbers(state.get("box"), 4)
    cell = _numbers(state.get("cell"), 2)
    if box is not None:
        x, y = sorted(box[:2]), sorted(box[2:])
        inside = rows["a"].between(x[0], x[1]) & rows["b"].between(y[0], y[1])
        return inside.to_numpy(), "in the box"
    if cell is not None and all(1 <= one <= TENTHS for one in cell):
        one, other = (int(value) for value in cell)
        inside = (rows["tenth_a"] == one) & (rows["tenth_b"] == other)
        return inside.to_numpy(), f"in tenth {one} by {titles[0]} and tenth {other} by {titles[1]}"
    return None, ""


def _numbers(text: str, count: int) -> list[float] | None:
    try:
        numbers = [float(part) for part in text.split("~")]
    except ValueError:
        return None
    return numbers if len(numbers) == count and np.isfinite(numbers).all() else None


def _forget() -> None:
    """Drop the box and the cell; a drawn box goes only with a chart of another key."""
    state.put(**dict.fromkeys(_CHOICE))
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1


def _scatter(
    run: Run, found: Disagreement, titles: tuple[str, str], chosen: pd.DataFrame | None, metric: str, second: str
) -> None:
    shares = METRICS[metric].is_share and METRICS[second].is_share
    picture = disagreement_chart(found.sentences, titles, chosen=chosen, shares=shares)
    key = f"disagree_box_{st.session_state.get(_TURN, 0)}_{'_'.join((metric, second))}"

    def drawn() -> None:
        box = dict(st.session_state[key].get("selection", {}).get("box", {}) or {})
        if "a" in box and "b" in box:
            state.put(box="~".join(f"{value:.6g}" for value in (*box["a"], *box["b"])), cell=None, sentence=None)
        else:
            state.put(box=None)

    st.vega_lite_chart(picture, width="stretch", theme=None, key=key, on_select=drawn, selection_mode="box")
    save_chart(picture, "disagreement", f"{titles[0]} against {titles[1]}.\n{run.signature}")
    more = "Stronger tiles" if len(found.sentences) > MOST_POINTS else "Larger points"
    plain(
        note(f"Draw a box to list its sentences. {more} are more sentences; on the dashed line both are equal."),
        key="disagree_scatter_note",
    )


def _tenths(run: Run, found: Disagreement, titles: tuple[str, str]) -> None:
    """Show how many sentences of each tenth of the one fall in each tenth of the other; a click lists them."""
    names = [str(tenth) for tenth in range(1, TENTHS + 1)]
    table = pd.DataFrame(found.table, columns=names, index=pd.Index(names, name="tenth"))
    chosen = _numbers(state.get("cell"), 2)
    cell = (int(chosen[0]) - 1, str(int(chosen[1]))) if chosen is not None else None
    key = f"disagree_cells_{st.session_state.get(_TURN, 0)}_{hash(titles)}"

    def select() -> None:
        cells = st.session_state[key].get("selection", {}).get("cells", [])
        if cells and str(cells[0][1]) in names:
            row, column = int(cells[0][0]), str(cells[0][1])
            state.put(cell=f"{row + 1}~{column}", box=None, sentence=None)

    plain(
        note(f"Tenths, best to worst. Rows: {titles[0]}. Columns: {titles[1]}. Click a cell to list its sentences."),
        key="disagree_tenths_note",
    )
    long = int(found.table.max()) > 999
    styled: Any = table.reset_index().style.apply(_shade(found.table), axis=None)
    st.dataframe(
        styled,
        hide_index=True,
        row_height=30,
        height=34 + 30 * TENTHS,
        on_select=select,
        selection_mode="single-cell",
        selection_default={"selection": {"rows": [], "columns": [], "cells": [cell] if cell else []}},
        column_config={
            name: st.column_config.NumberColumn(name, width=46 if long else 40, format="compact" if long else None)
            for name in names
        }
        | {"tenth": st.column_config.TextColumn(" ", width=34)},
        key=key,
    )
    caption = f"Sentences by tenths, best to worst. Rows: {titles[0]}. Columns: {titles[1]}.\n{run.signature}"
    save_table(table.reset_index(), "disagree_tenths", caption)
    worst = [
        f"Worst tenth by {one}: {' · '.join(f'{count:,}' for count in counts)} in the tenths of {other}."
        for one, other, counts in ((titles[0], titles[1], found.a_in_b), (titles[1], titles[0], found.b_in_a))
    ]
    plain(*map(note, worst), key="disagree_worst")


def _shade(counts: NDArray[np.int64]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    most = max(int(counts.max()), 1)

    def shade(values: pd.DataFrame) -> pd.DataFrame:
        styles = pd.DataFrame("", index=values.index, columns=values.columns)
        for row in range(TENTHS):
            for column in range(TENTHS):
                share = float(counts[row, column]) / most
                if share:
                    styles.iloc[row, column + 1] = (
                        f"background-color: rgba(30, 127, 194, {0.08 + 0.5 * share**0.5:.2f})"
                    )
        return styles

    return shade


def _list(
    run: Run,
    parser: str,
    metric: str,
    other: str,
    second: str,
    found: Disagreement,
    listed: pd.DataFrame,
    n_chosen: int,
    says: str,
) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        total = f"{n_chosen:,} of {found.kendall.n:,} sentences {says}" if says else f"{n_chosen:,} sentences"
        first = f"; the first {_LISTED:,} are listed" if n_chosen > _LISTED else ""
        plain(note(f"{total}, those with the greatest difference of ranks first{first}."), key="disagree_coverage")
        if says:
            st.button("Show all", on_click=_forget, key="disagree_all", type="tertiary")
    if listed.empty:
        plain(note("No sentence is there."), key="disagree_none")
        return
    order = listed["sentence"].to_numpy(dtype=np.int32)
    place = int(np.argmax(order == state.get_number("sentence", int(order[0]), 1, run.n_sentences)))
    metrics = (metric,) if other else (metric, second)
    rows = ranking.rows(run, parser, order, metrics)
    extra: dict[str, Any] = {}
    if other:
        rows = rows.assign(against=listed["b"].to_numpy())
        extra["against"] = st.column_config.NumberColumn(f"{METRICS[second].title}, {other}", format="%.3f", width=150)
    rows = rows.assign(difference=listed["rank_difference"].to_numpy())
    hint = "rank by the first minus rank by the second; rank 1 is the best"
    extra["difference"] = st.column_config.NumberColumn("Rank difference", help=hint, format="%+.0f", width=110)
    titles = _titles(parser, metric, other, second)
    caption = f"Sentences {says + ' ' if says else ''}that {titles[0]} and {titles[1]} rank most differently"
    sentence_list(
        rows,
        key="disagree",
        metrics=list(metrics),
        caption=f"{caption}.\n{run.signature}",
        extra=extra,
        selected=int(order[place]),
    )
    sentence_detail(run, parser, order, place, Notes(run))
