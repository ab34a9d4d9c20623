"""Disagreement: the sentences that two metrics, or two parsers, rank most differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.disagreement import (
    TENTHS,
    Disagreement,
    compare_rankings,
    furthest_pair,
    worst_is_high,
)
from evaltools.analysis.headlines import RankPair, disagreement_headline
from evaltools.app.components.blocks import show_blocks
from evaltools.app.hotspots import agreed_line
from evaltools.app.sentence import sentence_detail
from evaltools.app.sentences import (
    Filter,
    absent_sentence,
    length_filter,
    rank_difference_column,
    score_format,
    sentence_list,
)
from evaltools.app.session import data, ranking, state
from evaltools.app.widgets.pickers import (
    chosen_group,
    folded,
    group_mask,
    group_pickers,
    keys,
    metric_picker,
    other_picker,
    parser_picker,
    values_of,
)
from evaltools.app.widgets.saving import save_chart, save_table
from evaltools.app.widgets.tables import cells_in, columns_of, selected_in, selection
from evaltools.blocks import answer, note
from evaltools.charts.disagreement import MAX_POINTS, disagreement_chart
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.disagreement import distance_table
from evaltools.runs.notes import Notes
from evaltools.runs.store import Run
from evaltools.text import count_of, decimals, percentage, significant

_MAX_LISTED = 1_000


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Disagreement", anchor=False)
    top = st.container()
    parser, metric, other, second, length = _controls(run)
    if not second:
        text = f"This run has no metric but {METRICS[metric].title}: choose a parser to compare with."
        show_blocks(answer(text), key="disagree_one_metric")
        return
    ranks = _ranking(run, parser, metric, other, second, length.description if length else "", length)
    titles = _titles(parser, metric, other, second)
    if ranks.kendall.n < 2:
        with top:
            show_blocks(answer(f"{titles[0]} and {titles[1]} cannot be compared here."), key="disagree_answer")
        st.subheader("Nothing to compare")
        show_blocks(note("Fewer than two sentences have both scores."), key="disagree_empty")
        return
    mask, selection = _chosen(ranks, titles)
    n_chosen = ranks.kendall.n if mask is None else int(mask.sum())
    listed = ranks.extremes(_MAX_LISTED, mask)
    with top:
        pair = RankPair(titles, (METRICS[metric], METRICS[second]), worst_first=False)
        named = ranks.extremes(1) if listed.empty else listed
        headline = disagreement_headline(named, pair, "" if other else parser, n=ranks.kendall.n)
        show_blocks(answer(headline), note(_distance(ranks, titles)), key="disagree_answer")
        agreed_line(run, "disagree")
    subject = ", ".join(filter(None, ["" if other else parser, count_of(ranks.kendall.n, "sentence")]))
    left, right = st.columns([1, 1], gap="large")
    with left:
        drawn = listed if selection and n_chosen == len(listed) else None
        _scatter(run, ranks, titles, subject, drawn, metric, second)
    with right:
        _tenths(run, ranks, titles, subject)
    if not other:
        _matrix(run, parser)
    _coverage(ranks, n_chosen, selection, length)
    _list(run, parser, metric, other, second, ranks, listed, mask, selection, length)


def _controls(run: Run) -> tuple[str, str, str, str, Filter | None]:
    """Draw the pickers; a change of one removes the selection, which belongs to its axes."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="disagree_controls"):
        parser = parser_picker(run, also=state.DESELECTED)
        other = state.get("other") if state.get("other") in run.parsers and state.get("other") != parser else ""
        first_default, second_default = _default_pair(run, parser, bool(other))
        metric = metric_picker(run, default=first_default, also=state.DESELECTED)
        other = other_picker(run, parser, "the same parser", also=state.DESELECTED)
        default = metric if other else second_default if metric != second_default else first_default
        if not other and metric != first_default:
            furthest = furthest_pair(ranking.metric_distances(run, parser), metric)
            default = furthest[1] if furthest is not None and furthest[0] == metric else default
        offered = [name for name in run.metrics if other or name != metric]
        if not offered:  # a run of one metric
            return parser, metric, other, "", None
        second = metric_picker(
            run,
            name="metric2",
            label="Second metric",
            default=default if default in offered else offered[0],
            metrics=offered,
            also=state.DESELECTED,
        )
        length = length_filter(run, parser, also=state.DESELECTED)
        group = group_pickers(run, state.DESELECTED)
    if group is not None:
        mask = group_mask(run, group)
        both = [item for item in (length.description if length else "", str(group)) if item]
        length = Filter(", ".join(both), mask if length is None else mask & length.keep)
    return parser, metric, other, second, length


def _default_pair(run: Run, parser: str, is_other: bool) -> tuple[str, str]:
    """Return the two headline metrics that rank a parser's sentences most differently; of two parsers, the main one."""
    main = run.main_metric
    if is_other:
        return main, main
    first, second = _furthest(run, parser)
    if state.get("metric2") == first:  # the metric that a link names stays the second
        return second, first
    return first, second


def _furthest(run: Run, parser: str) -> tuple[str, str]:
    """Return the two headline metrics that rank a parser's sentences most differently."""
    distances = ranking.metric_distances(run, parser)
    return furthest_pair(distances) or (run.main_metric, run.framework.figures.second)


@data.cached_by_run(8)
def _ranking(
    run: Run, parser: str, metric: str, other: str, second: str, length: str, _length: Filter | None
) -> Disagreement:
    """Rank the sentences of a length; `length` describes it for the cache."""
    if other:
        scores = [ranking.scores(run, parser, metric), ranking.scores(run, other, second)]
    else:
        scores = [ranking.scores(run, parser, name) for name in (metric, second)]
    if _length is not None:
        scores = [np.where(_length.keep, values, np.nan) for values in scores]
    return compare_rankings(
        np.arange(1, run.n_sentences + 1, dtype=np.int32),
        *scores,
        worst_high_a=worst_is_high(metric),
        worst_high_b=worst_is_high(second),
    )


def _titles(parser: str, metric: str, other: str, second: str) -> tuple[str, str]:
    if other:
        return f"{METRICS[metric].title}, {parser}", f"{METRICS[second].title}, {other}"
    return METRICS[metric].title, METRICS[second].title


def _distance(ranks: Disagreement, titles: tuple[str, str]) -> str:
    """Return how far the rankings are from each other."""
    kendall = ranks.kendall
    if reason := kendall.reason(titles):
        return f"Kendall distance –: {reason}. Rank 1 is the best sentence."
    tau_b = "" if np.isnan(kendall.tau_b) else f", tau-b {decimals(kendall.tau_b, 3)}"
    return (
        f"The two rank {percentage(kendall.distance, 2)} of the pairs of {kendall.n:,} sentences in opposite order "
        f"(Kendall distance {decimals(kendall.distance, 3)}{tau_b}). Rank 1 is the best sentence."
    )


def _matrix(run: Run, parser: str) -> None:
    """Show Kendall's distances of the headline metrics; a cell chooses its two metrics."""
    distances = ranking.metric_distances(run, parser)
    names = list(distances.columns)
    section = folded("Kendall distances of the metrics", "distances") if len(names) > 2 else None
    if section is None:
        return
    table = distance_table(parser, distances, {name: ranking.scores(run, parser, name) for name in names})
    key = f"disagree_matrix_{parser}"

    def select() -> None:
        for row, column in cells_in(key):
            if column in names and names[row] != column:
                state.put(**{"metric": names[row], "metric2": column, "sentence": None, **state.DESELECTED})

    with section:
        st.dataframe(
            table.frame(titled=False),
            hide_index=True,
            row_height=30,
            height=34 + 30 * len(names),
            on_select=select,
            selection_mode="single-cell",
            column_config=columns_of(table),
            key=key,
        )
        texts = f"{table.title}.", f"{table.note} Click a cell to compare its two metrics."
        show_blocks(*map(note, texts), key="disagree_matrix_note")
        save_table(table.frame(), "disagree_distances", f"{table.title}.\n{run.signature}")


def _chosen(ranks: Disagreement, titles: tuple[str, str]) -> tuple[NDArray[np.bool_] | None, str]:
    """Return a mask of the sentences to list, None for all, and a description of the selection."""
    rows = ranks.sentences
    box = _numbers(state.get("box"), 4)
    cell = _numbers(state.get("cell"), 2)
    if box is not None:
        x, y = sorted(box[:2]), sorted(box[2:])
        inside = rows["a"].between(x[0], x[1]) & rows["b"].between(y[0], y[1])
        return inside.to_numpy(), "in the box"
    if cell is not None and all(1 <= first <= TENTHS for first in cell):
        first, second = (int(value) for value in cell)
        inside = (rows["tenth_a"] == first) & (rows["tenth_b"] == second)
        return inside.to_numpy(), f"in decile {first} by {titles[0]} and decile {second} by {titles[1]}"
    return None, ""


def _numbers(text: str, count: int) -> list[float] | None:
    try:
        numbers = [float(part) for part in text.split("~")]
    except ValueError:
        return None
    return numbers if len(numbers) == count and np.isfinite(numbers).all() else None


def _show_all() -> None:
    state.put(**state.DESELECTED)


def _scatter(
    run: Run,
    ranks: Disagreement,
    titles: tuple[str, str],
    subject: str,
    chosen: pd.DataFrame | None,
    metric: str,
    second: str,
) -> None:
    alike = METRICS[metric].unit == METRICS[second].unit
    groups = None
    if (name := state.get("key")) in keys(run) and chosen_group(run) is None:
        groups = name, values_of(run, name, ranks.sentences["sentence"].to_numpy(dtype=np.int32))
    shares = METRICS[metric].is_share, METRICS[second].is_share
    picture = disagreement_chart(ranks.sentences, titles, shares=shares, chosen=chosen, alike=alike, groups=groups)
    axes = hash((*titles, metric, second, state.get("parser"), state.get("key")))
    # the box of a chart is removed by another key alone
    key = state.renewed_key(
        f"disagree_box_{axes}", lambda key: not state.get("box") and bool(selected_in(key).get("box"))
    )

    def drawn() -> None:
        box = dict(selected_in(key).get("box", {}) or {})
        if "a" in box and "b" in box:
            state.put(box="~".join(significant(value) for value in (*box["a"], *box["b"])), cell=None, sentence=None)
        else:
            state.put(box=None)

    st.vega_lite_chart(picture, width="stretch", theme=None, key=key, on_select=drawn, selection_mode="box")
    save_chart(picture, "disagreement", f"{titles[0]} and {titles[1]}, {subject}.\n{run.signature}")
    more = "Stronger tiles" if len(ranks.sentences) > MAX_POINTS else "Larger points"
    show_blocks(
        note(f"Draw a box to list its sentences. {more} are more sentences; on the dashed line both are equal."),
        key="disagree_scatter_note",
    )


def _tenths(run: Run, ranks: Disagreement, titles: tuple[str, str], subject: str) -> None:
    """Show how many sentences of each decile by one ranking are in each decile by the other."""
    names = [str(tenth) for tenth in range(1, TENTHS + 1)]
    table = pd.DataFrame(ranks.table, columns=names, index=pd.Index(names, name="tenth"))
    chosen = _numbers(state.get("cell"), 2)
    cell = (int(chosen[0]) - 1, str(int(chosen[1]))) if chosen is not None else None
    key = "disagree_cells"

    def select() -> None:
        for row, column in cells_in(key):
            if column in names:
                state.put(cell=f"{row + 1}~{column}", box=None, sentence=None)

    show_blocks(
        note(f"Deciles, best to worst. Rows: {titles[0]}. Columns: {titles[1]}. Click a cell to list its sentences."),
        key="disagree_tenths_note",
    )
    long = int(ranks.table.max()) > 999
    styled: Any = table.reset_index().style.apply(_shade(ranks.table), axis=None)
    st.dataframe(
        styled,
        hide_index=True,
        row_height=30,
        height=34 + 30 * TENTHS,
        on_select=select,
        selection_mode="single-cell",
        selection_default=selection(key, cells=[cell] if cell else []),
        column_config={
            name: st.column_config.NumberColumn(name, width=46 if long else 40, format="compact" if long else None)
            for name in names
        }
        | {"tenth": st.column_config.TextColumn(" ", width=34)},
        key=key,
    )
    ties = ranks.describe_split(titles)
    caption = f"Sentences by deciles, best to worst, {subject}. Rows: {titles[0]}. Columns: {titles[1]}."
    caption = " ".join(filter(None, [caption, ties])) + f"\n{run.signature}"
    save_table(table.reset_index(), "disagree_tenths", caption)
    worst = [
        f"Worst decile by {first}: {' · '.join(f'{count:,}' for count in counts)} in the deciles of {second}."
        for first, second, counts in ((titles[0], titles[1], ranks.a_in_b), (titles[1], titles[0], ranks.b_in_a))
    ]
    show_blocks(*map(note, filter(None, [*worst, ties])), key="disagree_worst")


def _shade(counts: NDArray[np.int64]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    maximum = max(int(counts.max()), 1)

    def shade(values: pd.DataFrame) -> pd.DataFrame:
        # lists, because a data frame takes long to be written cell by cell
        cells = [
            [
                "",
                *(
                    f"background-color: rgba(30, 127, 194, {round(0.08 + 0.5 * share**0.5, 2)})" if share else ""
                    for share in row
                ),
            ]
            for row in (counts / maximum).tolist()
        ]
        return pd.DataFrame(cells, index=values.index, columns=values.columns)

    return shade


def _with_linked(ranks: Disagreement, listed: pd.DataFrame, mask: NDArray[np.bool_] | None) -> pd.DataFrame:
    """Return the list with the sentence of the URL as its last row, if only the length of the list leaves it out."""
    number = state.get_number("sentence", 0, 0, 2**31 - 1)
    linked = (ranks.sentences["sentence"] == number).to_numpy() & (True if mask is None else mask)
    if not linked.any() or (listed["sentence"] == number).any():
        return listed
    return pd.concat([listed, ranks.sentences[linked]], ignore_index=True)


def _coverage(ranks: Disagreement, n_chosen: int, selection: str, length: Filter | None) -> None:
    """Say which sentences are listed."""
    with st.container(horizontal=True, vertical_alignment="center"):
        total = f"{n_chosen:,} of {ranks.kendall.n:,} sentences {selection}" if selection else f"{n_chosen:,} sentences"
        first = f"; the first {_MAX_LISTED:,} are listed" if n_chosen > _MAX_LISTED else ""
        of = f" ({length.description})" if length is not None else ""
        show_blocks(
            note(f"{total}{of}, those with the greatest difference of ranks first{first}."),
            key="disagree_coverage",
        )
        if selection:
            st.button("Show all", on_click=_show_all, key="disagree_all", type="tertiary")


def _list(
    run: Run,
    parser: str,
    metric: str,
    other: str,
    second: str,
    ranks: Disagreement,
    listed: pd.DataFrame,
    mask: NDArray[np.bool_] | None,
    selection: str,
    length: Filter | None,
) -> None:
    """List sentences, and show the chosen one."""
    if listed.empty:
        show_blocks(note("No sentences in this selection."), key="disagree_none")
        return
    n_listed = len(listed)
    listed = _with_linked(ranks, listed, mask)
    if len(listed) > n_listed:
        number = int(listed["sentence"].iloc[-1])
        text = f"Sentence {number} is not among the first {n_listed:,}: it stands last in the list."
        show_blocks(note(text), key="disagree_linked")
    order = listed["sentence"].to_numpy(dtype=np.int32)
    index = int(np.argmax(order == state.get_number("sentence", int(order[0]), 1, run.n_sentences)))

    def reason(number: int) -> str:
        if length is not None and not length.keep[number - 1]:
            return f"it does not have {length.description}"
        if not (ranks.sentences["sentence"] == number).any():
            return "it lacks one of the two scores"
        return f"it is not {selection}"

    if absence := absent_sentence(run, order, reason):
        show_blocks(note(f"{absence} The first of the list is shown."), key="disagree_absent")
    metrics = (metric,) if other else (metric, second)
    rows = ranking.rows(run, parser, order, metrics)
    extra: dict[str, Any] = {}
    if other:
        rows = rows.assign(against=listed["b"].to_numpy() * (100 if METRICS[second].is_share else 1))
        form = score_format(METRICS[second], rows["against"])
        extra["against"] = st.column_config.NumberColumn(f"{METRICS[second].title}, {other}", format=form, width=150)
    rows = rows.assign(difference=listed["rank_difference"].to_numpy())
    hint = "rank by the first metric minus rank by the second; rank 1 is the best"
    extra["difference"] = rank_difference_column(rows["difference"], hint)
    titles = _titles(parser, metric, other, second)
    caption = f"Sentences {selection + ' ' if selection else ''}that {titles[0]} and {titles[1]} rank most differently"
    sentence_list(
        rows,
        key="disagree",
        metrics=list(metrics),
        caption=f"{caption}.\n{run.signature}",
        extra=extra,
        selected=int(order[index]),
    )
    title = ", ".join(
        [
            *([] if other else [parser]),
            f"rank difference of {titles[0]} and {titles[1]}",
            *filter(None, [selection, length.description if length is not None else ""]),
        ]
    )
    compared = () if other else (metric, second)
    sentence_detail(run, parser, order, index, Notes(run), page="disagreement", title=title, compared=compared)
