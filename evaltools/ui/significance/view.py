"""Significance: the matrix of all pairs of parsers, and the test, effect size and classes of one pair."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.analysis.comparison.significance import SIGNIFICANT, Comparison
from evaltools.analysis.comparison.standing import compared_over
from evaltools.analysis.rankings import AVERAGES
from evaltools.charts.significance import matrix_width
from evaltools.drawing.blocks import answer, facts, note
from evaltools.frameworks.figures import figure_over
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.runs.sums import MAX_SINGLE
from evaltools.text import P_VALUES, capitalized, column_format, decimals, interval_text, p_value, percentage
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session import data, state
from evaltools.ui.significance.differences import difference_view
from evaltools.ui.significance.pairs import comparisons, findings, matrix, pair_named, parsers_of
from evaltools.ui.widgets.charting import scroll_below
from evaltools.ui.widgets.choice_table import choice_name, choice_table, selected_in
from evaltools.ui.widgets.folding import folded
from evaltools.ui.widgets.saving import Origin, save_chart

__all__ = ["significance"]

_MAX_BESIDE = 5
"""Maximum number of parsers whose matrix leaves space for the table beside it."""


def significance(run: Run, metric: str, *, figure: str = "pooled", over: str = "scored", cluster: str = "") -> None:
    """Show the matrix of differences, and the pair that is chosen; with `cluster`, documents are drawn as a whole."""
    pairs = comparisons(run, metric, figure, over, cluster)
    if not pairs:
        show_blocks(note("This needs two parsers with a figure."), key="pairs_alone")
        return
    order = parsers_of(pairs)
    chosen = pair_named(pairs, state.get("pair"))
    pair = chosen or pairs[0]
    beside = len(order) <= _MAX_BESIDE
    with st.container(key="pairs_beside"):
        left, right = st.columns([17, 23], gap="medium") if beside else (st.container(), st.container())
    with left:
        marked = "" if chosen is None else choice_name((pair.parser_a, pair.parser_b))
        _matrix(run, pair, order, matrix(run, metric, figure, over, cluster, marked))
    with right:
        _table(run, pairs, 410 if beside else 250, over)
    _words(run, pair, len(pairs), over)
    if run.n_sentences > MAX_SINGLE and chosen is None:
        st.button(
            "Analyze this difference",
            key="pair_look",
            on_click=lambda: state.put(pair=choice_name((pair.parser_a, pair.parser_b))),
        )
        return
    looks_inside = any(state.get(name) for name in ("pair", "by", "carrier"))
    section = folded("Effect size, and where the difference comes from", "pair", default=looks_inside)
    if section is not None:
        with section:
            detail = findings(run, pair, over)
            _effect(run, pair, detail.effect)
            difference_view(run, detail, over)


def _matrix(run: Run, pair: Comparison, order: list[str], picture: dict[str, Any]) -> None:
    content = repr((order, pair.metric, pair.figure, pair.parser_a, pair.parser_b, pair.cluster))
    # another key for every choice, because Python cannot set a chart's selection
    key = f"pairs_matrix_{blake2b(content.encode(), digest_size=8).hexdigest()}"

    def clicked() -> None:
        cells = selected_in(key).get("cell", [])
        if cells and {"row", "column"} <= set(cells[0]):
            state.put(pair=choice_name((cells[0]["row"], cells[0]["column"])), carrier=None)

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
    scroll_below("pairs_frame", matrix_width(len(order)))
    save_chart(
        picture, "pairs_matrix", f"{_about(pair)}: row minus column, p after Holm’s correction.\n{run.signature}"
    )
    show_blocks(
        note(
            "Row minus column. Blue: the row’s parser is significantly better; orange: the column’s. Significant: "
            f"p < {SIGNIFICANT} after Holm’s correction, and an interval without 0. The shade grows with the "
            "difference. Click a cell for its pair."
        ),
        key="pairs_matrix_note",
    )


def _table(run: Run, pairs: list[Comparison], height: int, over: str) -> None:
    unit = 100 if METRICS[pairs[0].metric].is_share else 1
    rows = pd.DataFrame(
        {
            "parser_a": [pair.parser_a for pair in pairs],
            "parser_b": [pair.parser_b for pair in pairs],
            "difference": [unit * pair.difference for pair in pairs],
            "interval": [interval_text(unit * pair.low, unit * pair.high) for pair in pairs],
            "p": [pair.p for pair in pairs],
            "holm": [pair.p_adjusted for pair in pairs],
            "significant": ["yes" if pair.significant else "no" for pair in pairs],
        }
    )
    chosen = pair_named(pairs, state.get("pair"))
    if chosen is not None and choice_name((chosen.parser_b, chosen.parser_a)) == state.get("pair"):
        state.put(pair=choice_name((chosen.parser_a, chosen.parser_b)))
    choice_table(
        rows,
        ("parser_a", "parser_b"),
        key="pairs",
        name="pair",
        columns={
            "parser_a": st.column_config.TextColumn("A"),
            "parser_b": st.column_config.TextColumn("B"),
            "difference": st.column_config.NumberColumn("A − B", format=column_format(), width=60),
            "interval": st.column_config.TextColumn("95 % interval", width=112),
            **_p_columns(len(pairs)),
            "significant": st.column_config.TextColumn(
                "signif.", width=60, help=f"p, Holm, below {SIGNIFICANT}, and an interval without 0"
            ),
        },
        height=height,
        also=("carrier",),
        caption=f"{_about(pairs[0])}: every two parsers.\n{run.signature}",
    )
    show_blocks(note(_method(run, pairs[0], over)), key="pairs_note")


def _p_columns(n_pairs: int) -> dict[str, Any]:
    """Return the columns of p-values; shown are those after the correction if there is one, saved are both."""
    test = "paired permutation test, two-sided"
    corrected = f"{test}, corrected for {n_pairs} pairs"
    p = st.column_config.NumberColumn("p", format=P_VALUES, width=60, help=test)
    holm = st.column_config.NumberColumn("p, Holm", format=P_VALUES, width=65, help=corrected)
    return {"p": {**p, "hidden": n_pairs > 1}, "holm": {**holm, "hidden": n_pairs == 1}}


def _method(run: Run, pair: Comparison, over: str) -> str:
    """Describe the test: the sentences, and the numbers of permutations and resamples."""
    figure = figure_over(pair.figure, over)
    sentences = compared_over({pair.metric: data.standing(run, pair.metric, figure, pair.cluster)})
    return (
        f"Paired permutation test over {pair.units}, {pair.iterations:,} iterations; intervals from "
        f"{pair.resamples:,} paired resamples." + "".join(f" {capitalized(text)}." for text in sentences)
    )


def _about(pair: Comparison) -> str:
    item = METRICS[pair.metric]
    return f"Differences by {item.title}, {AVERAGES[pair.figure]}{', in points' if item.is_share else ''}"


def _words(run: Run, pair: Comparison, n_pairs: int, over: str) -> None:
    """Report whether the difference is significant."""
    metric = METRICS[pair.metric]
    points = "points " if metric.is_share else ""
    values = f"{metric.text(pair.value)} and {metric.text(pair.value_b)}"
    count = f"{pair.n_sentences:,} sentences"
    where = f"all {count}" if pair.n_sentences == run.n_counted else f"the {count} both have"
    about = f"{metric.title}, {AVERAGES[pair.figure]} over {where}"
    if pair.difference != pair.difference:
        value = f"{pair.parser_a} and {pair.parser_b} cannot be compared by {about}: {values}."
    elif pair.difference == 0:
        value = f"{pair.parser_a} and {pair.parser_b} have the same figure by {about}: {values}."
    else:
        low, high = (metric.text(bound) for bound in (pair.low, pair.high))
        size = metric.text(abs(pair.difference))
        if not metric.higher_is_better:
            low, high = (metric.text(-bound) for bound in (pair.high, pair.low))
        corrected = f", {p_value(pair.p_adjusted)} after Holm’s correction for {n_pairs} pairs" if n_pairs > 1 else ""
        value = (
            f"{pair.parser_a} {'has' if pair.ahead is None else 'is significantly better:'} {size} "
            f"{points}{'more' if metric.higher_is_better else 'less'} than {pair.parser_b} by {about} ({values}), "
            f"95 % interval {low} to {high}, p = {p_value(pair.p)}{corrected}."
            f"{'' if pair.significant else ' The difference is not significant.'}"
        )
    if pair.n_different is not None:
        value += f" Their counts differ in {pair.n_different:,} sentences."
    show_blocks(answer(value), key="pair_words")


def _effect(run: Run, pair: Comparison, effect: Any) -> None:
    """Show the effect size of the difference."""
    metric = METRICS[pair.metric]
    if not effect.n:
        show_blocks(note("No sentence has a score from both parsers, so there is no effect size."), key="pair_effect")
        return
    mean, deviation = (metric.text(value) for value in (effect.mean_difference, effect.deviation))
    size = decimals(effect.d_z)
    made_of = f"mean of the sentence differences, {mean}, divided by their standard deviation, {deviation}"

    def part(count: int) -> tuple[str, str]:
        return f"{count:,} of {effect.n:,} sentences", percentage(count / effect.n, 2)

    signs = f"{text}. " if (text := effect.explain_sign(pair.difference, pair.figure)) else ""
    sizes = [
        ("effect size d_z", made_of, size),
        (f"{pair.parser_a} better", *part(effect.better)),
        ("equal", *part(effect.equal)),
        (f"{pair.parser_b} better", *part(effect.worse)),
    ]
    with st.container(width=820):
        show_blocks(
            facts(sizes, "Effect size over sentences"),
            note(
                f"{signs}d_z is Cohen’s d for pairs (Cohen 1988, 2.3.5). p shrinks as the sample grows; effect sizes "
                "do not."
            ),
            key="pair_effect",
            origin=Origin(
                "effect", f"{pair.parser_a} and {pair.parser_b}, {METRICS[pair.metric].title}", run.signature
            ),
        )
