"""Disagreement: the sentences that two metrics, or two parsers, rank most differently."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
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
    tags_alone,
    worst_is_high,
)
from evaltools.analysis.headlines import RankPair, disagreement_headline
from evaltools.app.components.blocks import show_blocks
from evaltools.app.sentence import sentence_detail
from evaltools.app.sentences import (
    Filter,
    absent_sentence,
    length_filter,
    rank_difference_column,
    score_format,
    sentence_list,
)
from evaltools.app.session import data, state
from evaltools.app.widgets.pickers import (
    folded,
    group_mask,
    group_pickers,
    metric_picker,
    other_picker,
    parser_picker,
)
from evaltools.app.widgets.saving import save_chart, save_table
from evaltools.app.widgets.tables import cells_to_click, columns_of, selected_in, table_height, with_styles
from evaltools.blocks import answer, note
from evaltools.charts.disagreement import MAX_POINTS, disagreement_chart
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.disagreement import distance_table
from evaltools.runs.store import Run
from evaltools.text import count_of, decimals, percentage, significant

_MAX_LISTED = 1_000
_MIN_WORDS, _MIN_SENTENCES = 8, 10
"""Sentences of at least so many words are compared first, in runs with at least so many of them."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """What is compared: two metrics of a parser, or two parsers."""

    parser: str
    metric: str
    other: str  # The other parser; empty for the same
    second: str  # The second metric; empty if the run has none
    kept: Filter | None  # The sentences that are compared; None for all

    @property
    def titles(self) -> tuple[str, str]:
        """The titles of the two rankings."""
        first, second = METRICS[self.metric].title, METRICS[self.second].title
        return (f"{first}, {self.parser}", f"{second}, {self.other}") if self.other else (first, second)

    @property
    def kept_in_words(self) -> str:
        """Which sentences are compared; empty for all."""
        return self.kept.description if self.kept is not None else ""


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Disagreement", anchor=False)
    top = st.container()
    pair = _controls(run)
    if not pair.second:
        text = f"This run has no metric but {METRICS[pair.metric].title}: choose a parser to compare with."
        show_blocks(answer(text), key="disagree_one_metric")
        return
    parser, other, titles = pair.parser, pair.other, pair.titles
    ranks = _ranking(run, parser, pair.metric, other, pair.second, pair.kept_in_words, pair.kept)
    n = ranks.kendall.n
    if n < 2:
        with top:
            show_blocks(answer(f"{titles[0]} and {titles[1]} cannot be compared here."), key="disagree_answer")
        st.subheader("Nothing to compare")
        show_blocks(note("Fewer than two sentences have both scores."), key="disagree_empty")
        return
    mask, selection = _selected(ranks, titles)
    n_chosen = n if mask is None else int(mask.sum())
    by_tags = _by_tags(run, pair, ranks)
    listed = ranks.extremes(_MAX_LISTED, mask, by_tags)
    with top:
        measures = RankPair(titles, (METRICS[pair.metric], METRICS[pair.second]), worst_first=False)
        named = ranks.extremes(1, last=by_tags) if listed.empty else listed
        headline = disagreement_headline(named, measures, "" if other else parser, n=n)
        show_blocks(answer(headline), note(_distance(ranks, titles)), key="disagree_answer")
    subject = ", ".join(filter(None, ["" if other else parser, count_of(n, "sentence")]))
    subject += f" of {pair.kept_in_words}" if pair.kept is not None else ""
    left, right = st.columns([1, 1], gap="large")
    with left:
        _scatter(run, ranks, pair, subject, listed if selection and n_chosen == len(listed) else None)
    with right:
        _tenths(run, ranks, titles, subject)
    if not other:
        _matrix(run, parser)
    with st.container(horizontal=True, vertical_alignment="center"):
        total = (
            f"{n_chosen:,} of {count_of(n, 'sentence')} {selection}" if selection else count_of(n_chosen, "sentence")
        )
        first = f"; the first {_MAX_LISTED:,} are listed" if n_chosen > _MAX_LISTED else ""
        of = f" ({pair.kept_in_words})" if pair.kept is not None else ""
        by_difference = "those with the greatest difference of ranks first"
        if n_last := 0 if by_tags is None else int(by_tags[slice(None) if mask is None else mask].sum()):
            by_difference += f"; {n_last:,} that differ by tags alone last"
        show_blocks(note(f"{total}{of}, {by_difference}{first}."), key="disagree_coverage")
        if selection:
            st.button("Show all", on_click=lambda: state.put(**state.DESELECTED), key="disagree_all", type="tertiary")
    _list(run, pair, ranks, listed, mask, selection)


def _controls(run: Run) -> _Pair:
    """Draw the pickers; a change of one removes the selection, which belongs to its axes."""
    pairs = st.container(horizontal=True, vertical_alignment="center", gap="small", key="disagree_pairs")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="disagree_controls"):
        parser = parser_picker(run, also=state.DESELECTED)
        other = state.get("other") if state.get("other") in run.parsers and state.get("other") != parser else ""
        first_default, second_default = _default_pair(run, parser, bool(other))
        metric = metric_picker(run, default=first_default, also=state.DESELECTED)
        other = other_picker(run, parser, "the same parser", also=state.DESELECTED)
        offered = [name for name in run.metrics if other or name != metric]
        if not offered:  # a run of one metric
            return _Pair(parser, metric, other, "", None)
        default = metric if other else second_default if metric != second_default else first_default
        if not other and metric != first_default:
            furthest = furthest_pair(data.metric_distances(run, parser), metric)
            default = furthest[1] if furthest is not None and furthest[0] == metric else default
        second = metric_picker(
            run, name="metric2", label="Second metric", default=default, metrics=offered, also=state.DESELECTED
        )
        kept = length_filter(run, parser, also=state.DESELECTED, default=_lengths(run, parser))
        group = group_pickers(run, state.DESELECTED)
    with pairs:
        _pairs_of_papers(run, ("", "") if other else (metric, second))
    if group is not None:
        mask = group_mask(run, group)
        both = Filter(f"{kept.description}, {group}", mask & kept.keep) if kept is not None else None
        kept = both or Filter(str(group), mask)
    return _Pair(parser, metric, other, second, kept)


def _lengths(run: Run, parser: str) -> str:
    """Return the lengths to begin with: at least 8 words, which metrics rank by more than a bracket or two, if any."""
    is_long = data.facts(run, parser).words >= _MIN_WORDS
    return f"{_MIN_WORDS}~" if int(is_long.sum()) >= _MIN_SENTENCES else "~"


def _pairs_of_papers(run: Run, chosen: tuple[str, str]) -> None:
    """Draw a button for each pair of metrics that papers compare; the chosen one is marked."""
    for title, pair in run.framework.figures.pairs.items():
        if set(pair) <= set(run.metrics):
            names = " and ".join(METRICS[name].title for name in pair)
            new = {"metric": pair[0], "metric2": pair[1], "other": None, "sentence": None, **state.DESELECTED}
            st.button(
                title,
                key=f"disagree_pair_{'_'.join(pair)}",
                type="primary" if pair == chosen else "secondary",
                help=names,
                on_click=partial(state.put, **new),
            )


def _by_tags(run: Run, pair: _Pair, ranks: Disagreement) -> NDArray[np.bool_] | None:
    """Return which of the ranked sentences differ by tags alone; None if the run cannot tell."""
    metrics = run.framework.figures.tags_alone
    if pair.other or metrics is None or not set(metrics) <= set(run.metrics):
        return None
    return tags_alone(ranks, *(data.scores(run, pair.parser, name) for name in metrics))


def _default_pair(run: Run, parser: str, is_other: bool) -> tuple[str, str]:
    """Return the first two metrics of the run's framework; of two parsers, the main one twice."""
    if is_other:
        return run.main_metric, run.main_metric
    first, second = run.main_metric, run.framework.figures.second
    if not {first, second} <= set(run.metrics):
        first, second = furthest_pair(data.metric_distances(run, parser)) or (first, second)
    # the metric that a link names stays the second
    return (second, first) if state.get("metric2") == first else (first, second)


@data.cached_by_run(8)
def _ranking(
    run: Run, parser: str, metric: str, other: str, second: str, kept: str, _kept: Filter | None
) -> Disagreement:
    """Rank some sentences, or all; `kept` describes them for the cache."""
    scores = [data.scores(run, parser, metric), data.scores(run, other or parser, second)]
    if _kept is not None:
        scores = [np.where(_kept.keep, values, np.nan) for values in scores]
    return compare_rankings(
        np.arange(1, run.n_sentences + 1, dtype=np.int32),
        *scores,
        worst_high_a=worst_is_high(metric),
        worst_high_b=worst_is_high(second),
    )


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
    distances = data.metric_distances(run, parser)
    names = list(distances.columns)
    section = folded("Kendall distances of the metrics", "distances") if len(names) > 2 else None
    if section is None:
        return
    table = distance_table(parser, distances, {name: data.scores(run, parser, name) for name in names})

    def choose(row: int, column: str) -> None:
        if column in names and names[row] != column:
            state.put(**{"metric": names[row], "metric2": column, "sentence": None, **state.DESELECTED})

    with section:
        frame, key = table.frame(titled=False), f"disagree_matrix_{parser}"
        cells_to_click(frame, columns_of(table), choose, key=key, height=table_height(len(names)))
        texts = f"{table.title}.", f"{table.note} Click a cell to compare its two metrics."
        show_blocks(*map(note, texts), key="disagree_matrix_note")
        save_table(table.frame(), "disagree_distances", f"{table.title}.\n{run.signature}")


def _selected(ranks: Disagreement, titles: tuple[str, str]) -> tuple[NDArray[np.bool_] | None, str]:
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


def _scatter(run: Run, ranks: Disagreement, pair: _Pair, subject: str, chosen: pd.DataFrame | None) -> None:
    """Draw the sentences by their two scores; a box in the chart chooses some."""
    first, second, titles = METRICS[pair.metric], METRICS[pair.second], pair.titles
    picture = disagreement_chart(
        ranks.sentences,
        titles,
        shares=(first.is_share, second.is_share),
        chosen=chosen,
        alike=first.unit == second.unit,
    )
    axes = hash((*titles, first.id, second.id, state.get("parser")))
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
    text = f"Draw a box to list its sentences. {more} are more sentences; on the gold line both are equal."
    show_blocks(note(text), key="disagree_scatter_note")


_SHADE = "background-color: rgba(30, 127, 194, {})"


def _tenths(run: Run, ranks: Disagreement, titles: tuple[str, str], subject: str) -> None:
    """Show how many sentences of each decile by one ranking are in each decile by the other."""
    names = [str(tenth) for tenth in range(1, TENTHS + 1)]
    table = pd.DataFrame(ranks.table, columns=names, index=pd.Index(names, name="tenth")).reset_index()
    chosen = _numbers(state.get("cell"), 2)

    def choose(row: int, column: str) -> None:
        if column in names:
            state.put(cell=f"{row + 1}~{column}", box=None, sentence=None)

    text = f"Deciles, best to worst. Rows: {titles[0]}. Columns: {titles[1]}. Click a cell to list its sentences."
    show_blocks(note(text), key="disagree_tenths_note")
    shares = ranks.table / max(int(ranks.table.max()), 1)
    shades = [
        ["", *(_SHADE.format(round(0.08 + 0.5 * share**0.5, 2)) if share else "" for share in row)]
        for row in shares.tolist()
    ]
    is_long = int(ranks.table.max()) > 999
    form, width = ("compact", 46) if is_long else (None, 40)
    columns: dict[str, Any] = {name: st.column_config.NumberColumn(name, width=width, format=form) for name in names}
    cells_to_click(
        with_styles(table, shades),
        columns | {"tenth": st.column_config.TextColumn(" ", width=34)},
        choose,
        key="disagree_cells",
        chosen=(int(chosen[0]) - 1, str(int(chosen[1]))) if chosen is not None else None,
        height=table_height(TENTHS),
    )
    ties = ranks.describe_split(titles)
    caption = f"Sentences by deciles, best to worst, {subject}. Rows: {titles[0]}. Columns: {titles[1]}."
    save_table(table, "disagree_tenths", " ".join(filter(None, [caption, ties])) + f"\n{run.signature}")
    if ties:
        show_blocks(note(ties), key="disagree_ties")


def _list(
    run: Run, pair: _Pair, ranks: Disagreement, listed: pd.DataFrame, mask: NDArray[np.bool_] | None, selection: str
) -> None:
    """List sentences, and show the chosen one."""
    if listed.empty:
        show_blocks(note("No sentences in this selection."), key="disagree_none")
        return
    linked = state.get_number("sentence", 0, 0, 2**31 - 1)
    is_linked = (ranks.sentences["sentence"] == linked).to_numpy() & (True if mask is None else mask)
    if is_linked.any() and not (listed["sentence"] == linked).any():
        text = f"Sentence {linked} is not among the first {len(listed):,}: it stands last in the list."
        show_blocks(note(text), key="disagree_linked")
        listed = pd.concat([listed, ranks.sentences[is_linked]], ignore_index=True)
    order = listed["sentence"].to_numpy(dtype=np.int32)
    index = int(np.argmax(order == linked))

    def reason(number: int) -> str:
        if pair.kept is not None and not pair.kept.keep[number - 1]:
            return f"it does not have {pair.kept.description}"
        if not (ranks.sentences["sentence"] == number).any():
            return "it lacks one of the two scores"
        return f"it is not {selection}"

    if absence := absent_sentence(run, order, reason):
        show_blocks(note(absence), key="disagree_absent")
    metrics, titles = [pair.metric] if pair.other else [pair.metric, pair.second], pair.titles
    rows = data.rows(run, pair.parser, order, metrics)
    extra: dict[str, Any] = {}
    if pair.other:
        second = METRICS[pair.second]
        rows["against"] = listed["b"].to_numpy() * (100 if second.is_share else 1)
        form = score_format(second, rows["against"])
        extra["against"] = st.column_config.NumberColumn(titles[1], format=form, width=150)
    rows["difference"] = listed["rank_difference"].to_numpy()
    hint = "rank by the first metric minus rank by the second; rank 1 is the best"
    extra["difference"] = rank_difference_column(rows["difference"], hint)
    if "is_last" in listed and (by_tags := listed["is_last"].eq(True)).any():  # a linked one may have no value
        rows["tags"] = np.where(by_tags, "tags alone", "")
        of_tags = "all brackets are right; the metrics differ because of wrong tags"
        extra["tags"] = st.column_config.TextColumn("Because of", help=of_tags, width=90)
    which = f"Sentences {selection} that" if selection else "Sentences that"
    sentence_list(
        rows,
        key="disagree",
        metrics=metrics,
        caption=f"{which} {titles[0]} and {titles[1]} rank most differently.\n{run.signature}",
        extra=extra,
        selected=int(order[index]),
    )
    by = f"rank difference of {titles[0]} and {titles[1]}"
    title = ", ".join(filter(None, ["" if pair.other else pair.parser, by, selection, pair.kept_in_words]))
    compared = () if pair.other else (pair.metric, pair.second)
    sentence_detail(run, pair.parser, order, index, page="disagreement", title=title, compared=compared)
