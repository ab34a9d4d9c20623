"""Every parser against every other, and one pair in words: how sure the difference is, and how large."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.run_pairs import groups_of
from evaltools.analysis.significance import SIGNIFICANT, Comparison
from evaltools.analysis.standing import compared_over, p_text
from evaltools.charts.intervals import between, shown
from evaltools.charts.significance import matrix_rows, matrix_width, significance_chart
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, state
from evaltools.ui.charting import scrolls
from evaltools.ui.choice_table import choice_name, choice_table
from evaltools.ui.difference_view import difference_view
from evaltools.ui.pair_data import comparisons, findings, pair_named
from evaltools.ui.plain import answer, facts, note, plain
from evaltools.ui.saving import Origin, save_chart

__all__ = ["significance"]

_BESIDE = 5
"""Most parsers whose matrix leaves room for the table beside it."""


def significance(run: Run, metric: str, *, figure: str = "pooled", over: str = "scored") -> None:
    """Show the matrix of differences, and the pair that is chosen.

    Parameters
    ----------
    run : Run
        The run.
    metric : str
        A metric id.
    figure : {"pooled", "mean"}
        The figure.
    over : {"scored", "all"}
        Sentences that have a score, or all.
    """
    found = comparisons(run, metric, figure, over)
    if not found:
        plain(note("Two parsers with a figure are needed."), key="pairs_alone")
        return
    order = list(dict.fromkeys(name for one in found for name in (one.one, one.other)))
    named = pair_named(found, state.get("pair"))
    pair = named or found[0]
    beside = len(order) <= _BESIDE
    left, right = st.columns([9, 11], gap="medium") if beside else (st.container(), st.container())
    with left:
        _matrix(run, found, order, pair)
    with right:
        _table(run, found, 410 if beside else 250, over)
    _words(run, pair, len(found), over)
    if groups_of(run) and named is None:
        st.button(
            "Take this difference apart",
            key="pair_look",
            on_click=lambda: state.put(pair=choice_name((pair.one, pair.other))),
        )
        return
    detail = findings(run, pair, over)
    _effect(run, pair, detail.effect)
    difference_view(run, detail, over)


def _matrix(run: Run, found: list[Comparison], order: list[str], pair: Comparison) -> None:
    rows = matrix_rows(found, order, (pair.one, pair.other))
    print_ = blake2b(repr((order, pair.metric, pair.figure, pair.one, pair.other)).encode(), digest_size=8).hexdigest()
    key = f"pairs_matrix_{print_}"  # of every choice another: a chart's selection cannot be set from here

    def clicked() -> None:
        cells: Any = st.session_state[key].get("selection", {}).get("cell", [])
        if cells and {"row", "column"} <= set(cells[0]):
            state.put(pair=choice_name((cells[0]["row"], cells[0]["column"])), carrier=None)

    picture = significance_chart(rows, order)
    with st.container(key="pairs_frame"):
        st.vega_lite_chart(
            picture,
            width="stretch",
            theme=None,
            key=key,
            on_select=clicked,
            selection_mode="cell",
            alt="Difference of every two parsers, with its p-value.",
        )
    scrolls("pairs_frame", matrix_width(len(order)))
    save_chart(
        picture, "pairs_matrix", f"{_about(pair)}: row minus column, p after Holm’s correction.\n{run.signature}"
    )
    plain(
        note(
            "Row minus column. Blue: the row’s parser is significantly better; orange: the column’s. Significant: "
            f"p < {SIGNIFICANT} after Holm’s correction, and an interval without 0. The shade grows with the "
            "difference. Click a cell to see the pair below."
        ),
        key="pairs_matrix_note",
    )


def _table(run: Run, found: list[Comparison], height: int, over: str) -> None:
    share = METRICS[found[0].metric].is_share
    unit = 100 if share else 1
    rows = pd.DataFrame(
        {
            "parser_a": [one.one for one in found],
            "parser_b": [one.other for one in found],
            "difference": [unit * one.difference for one in found],
            "interval": [between(unit * one.low, unit * one.high) for one in found],
            "p": [one.p for one in found],
            "holm": [one.p_adjusted for one in found],
            "significant": ["yes" if one.significant else "no" for one in found],
        }
    )
    named = pair_named(found, state.get("pair"))
    if named is not None and choice_name((named.other, named.one)) == state.get("pair"):
        state.put(pair=choice_name((named.one, named.other)))
    choice_table(
        rows,
        ("parser_a", "parser_b"),
        key="pairs",
        name="pair",
        columns={
            "parser_a": st.column_config.TextColumn("A", width=105),
            "parser_b": st.column_config.TextColumn("B", width=105),
            "difference": st.column_config.NumberColumn("A − B", format="%.2f", width=60),
            "interval": st.column_config.TextColumn("95 % interval", width=110),
            "p": st.column_config.NumberColumn("p", format="%.4f", width=60, help="paired shuffling, two-sided"),
            "holm": st.column_config.NumberColumn(
                "p, Holm", format="%.4f", width=65, help=f"corrected for {len(found)} pairs"
            ),
            "significant": st.column_config.TextColumn(
                "signif.", width=60, help=f"p, Holm, below {SIGNIFICANT}, and an interval without 0"
            ),
        },
        height=height,
        also=("carrier",),
        caption=f"{_about(found[0])}: every two parsers.\n{run.signature}",
    )
    plain(note(tested(run, found, over)), key="pairs_note")


def tested(run: Run, found: list[Comparison], over: str) -> str:
    """Say how parsers were compared: over which sentences, how often shuffled and resampled."""
    drawn = f"{groups_of(run):,} groups of the sentences" if groups_of(run) else "the sentences"
    about = found[0]
    figure = about.figure if over == "scored" else f"{about.figure}_all"
    where = compared_over({about.metric: data.standing(run, about.metric, figure)})
    return (
        f"Paired permutation test over {drawn}, {about.iterations:,} iterations; intervals from {about.resamples:,} "
        f"paired resamples." + "".join(f" {one[0].upper()}{one[1:]}." for one in where)
    )


def _about(one: Comparison) -> str:
    return f"Differences by {METRICS[one.metric].title}, {'mean' if one.figure == 'mean' else 'pooled'}"


def _words(run: Run, pair: Comparison, n_pairs: int, over: str) -> None:
    """Say how sure the difference is."""
    metric = METRICS[pair.metric]
    share, points = metric.is_share, "points " if metric.is_share else ""
    values = f"{shown(pair.value, share=share)} against {shown(pair.other_value, share=share)}"
    count = f"{pair.n_sentences:,} sentences"
    own = data.standing(run, pair.metric, pair.figure if over == "scored" else f"{pair.figure}_all")
    who = "both" if len(own.own) == 2 else f"all {len(own.own)} parsers"
    where = f"all {count}" if pair.n_sentences == run.n_sentences else f"the {count} {who} have"
    about = f"{metric.title}, {'mean' if pair.figure == 'mean' else 'pooled'} over {where}"
    if pair.difference != pair.difference:
        said = f"{pair.one} and {pair.other} cannot be compared by {about}: {values}."
    elif pair.difference == 0:
        said = f"{pair.one} and {pair.other} have the same figure by {about}: {values}."
    else:
        low, high = (shown(bound, share=share) for bound in (pair.low, pair.high))
        size = shown(abs(pair.difference), share=share)
        if not metric.higher_is_better:
            low, high = (shown(-bound, share=share) for bound in (pair.high, pair.low))
        corrected = f", {p_text(pair.p_adjusted)} after Holm’s correction for {n_pairs} pairs" if n_pairs > 1 else ""
        said = (
            f"{pair.one} {'has' if pair.ahead is None else 'is significantly better:'} {size} {points}"
            f"{'more' if metric.higher_is_better else 'less'} than {pair.other} by {about} ({values}), 95 % interval "
            f"{low} to {high}, p = {p_text(pair.p)}{corrected}."
            f"{' The difference is not significant.' if pair.ahead is None else ''}"
        )
    if pair.n_different is not None:
        said += f" Their counts differ in {pair.n_different:,} sentences."
    plain(answer(said), key="pair_words")


def _effect(run: Run, pair: Comparison, effect: Any) -> None:
    """Say how large it is."""
    metric = METRICS[pair.metric]
    if not effect.n:
        plain(note("No sentence has a score of both, so there is no effect size."), key="pair_effect")
        return
    share = metric.is_share
    mean, deviation = (shown(value, share=share) for value in (effect.mean_difference, effect.deviation))
    size = "–" if effect.d_z != effect.d_z else f"{effect.d_z:.2f}"
    made_of = f"mean of the sentence differences, {mean}, over their deviation, {deviation}"

    def part(count: int) -> tuple[str, str]:
        return f"{count:,} of {effect.n:,} sentences", f"{100 * count / effect.n:.2f} %"

    sizes = [
        ("effect size d_z", made_of, size),
        (f"{pair.one} better", *part(effect.better)),
        ("equal", *part(effect.equal)),
        (f"{pair.other} better", *part(effect.worse)),
    ]
    with st.container(width=820):
        plain(
            facts(sizes, "How large the difference is, sentence by sentence"),
            note(
                "d_z is Cohen’s d for pairs (Cohen 1988, 2.3.5). p shrinks as the sample grows; d_z and the shares do "
                "not."
            ),
            key="pair_effect",
            origin=Origin("effect", f"{pair.one} and {pair.other}, {METRICS[pair.metric].title}", run.signature),
        )
