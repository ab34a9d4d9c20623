"""Worst parses: the sentences with the worst scores, and their errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.drawing.blocks import answer, facts, note
from evaltools.frameworks.registry import METRICS
from evaltools.runs.notes import Note, Notes
from evaltools.runs.store import Run
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.overview.nbest import ranks_of_best
from evaltools.ui.sentence.detail import sentence_detail
from evaltools.ui.sentences import ranking
from evaltools.ui.sentences.downloads import subset_downloads
from evaltools.ui.sentences.errors import Filter, ListedErrors, error_types
from evaltools.ui.sentences.filters import reset_filters, sentence_filters
from evaltools.ui.sentences.listing import PAGE, page_shown, page_turner, sentence_list
from evaltools.ui.sentences.part import originals
from evaltools.ui.session import data, state
from evaltools.ui.session.kernels import wait_for_kernels
from evaltools.ui.widgets.pickers import choice_picker, metric_picker, parser_picker

__all__ = ["render"]

_ORDERS = {"worst": "worst first", "best": "best first", "file": "as in the file"}
_RANK_ORDERS = {"either": "either direction", "first": "worse by the metric", "second": "worse by the second"}


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Worst parses")
    top = st.container()
    parser, metric, against, order = _controls(run)
    wait_for_kernels()
    metrics = _columns(run, metric, against)
    ranking.read(run, parser, metrics)
    notes = Notes(run)
    kept = notes.all()
    filters = sentence_filters(run, parser, metric, {number for number, item in kept.items() if item.marked})
    ordered = ranking.in_order(run, parser, metric, against, order)
    shown = ordered
    if filters:
        keep = np.logical_and.reduce([item.keep for item in filters])
        shown = ordered[keep[ordered - 1]]
    errors = error_types(run, parser, shown)
    if errors is not None and (item := errors.filter(run.n_sentences)) is not None:
        filters.append(item)
        shown = shown[item.keep[shown - 1]]
    with top:
        show_blocks(answer(_answer(run, parser, metric, against, order)), key="worst_answer")
    if not len(shown):
        _nothing_left(filters, run.n_sentences)
        return
    index = _selected(shown)
    identity = repr((data.run_key(run), parser, metric, against, order, [item.description for item in filters]))
    page = page_shown(identity, int(shown[index]), index)
    _table(run, parser, metrics, against, shown[page * PAGE : (page + 1) * PAGE], int(shown[index]), kept, errors)
    page_turner(shown, page)
    with st.container(horizontal=True, vertical_alignment="center"):
        show_blocks(note(_coverage(filters, len(shown), run.n_sentences)), key="worst_coverage")
        if filters:
            st.button("Reset filters", on_click=reset_filters, key="reset_filters", type="tertiary")
        subset_downloads(run, parser, shown, errors.describe if errors is not None else None)
    sentence_detail(run, parser, shown, index, notes)


def _controls(run: Run) -> tuple[str, str, str, str]:
    columns = st.columns([3, 3, 3, 2])
    with columns[0]:
        parser = parser_picker(run)
    with columns[1]:
        metric = metric_picker(run)
    with columns[2]:
        others = [item for item in run.metrics if item != metric]
        against = metric_picker(
            run, name="metric2", label="Compare with", default="", metrics=others, extra={"": "none"}
        )
    with columns[3]:
        titles = _RANK_ORDERS if against else _ORDERS
        order = choice_picker("Order", list(titles), name="order", default=next(iter(titles)), titles=titles)
    return parser, metric, against, order


def _columns(run: Run, metric: str, against: str) -> list[str]:
    """Return the metrics that the list shows."""
    first = [metric, *([against] if against else [])]
    return first + [item for item in (*run.metrics, *run.newer_metrics) if METRICS[item].summary and item not in first]


def _answer(run: Run, parser: str, metric: str, against: str, order: str) -> str:
    spread = ranking.spread(run, parser, metric)
    title = METRICS[metric].title
    if not spread.scored:
        return f"No sentence of {parser} has a score by {title}."
    total, scored = run.n_sentences, spread.scored
    missing = total - scored
    without = f" {missing:,} of {total:,} {'has' if missing == 1 else 'have'} no score." if missing else ""
    differ = ranking.n_aligned(run, parser, metric)
    if differ and METRICS[metric].over_aligned_words:
        without += f" In {differ:,} the tokens differ; they are scored over aligned words."
    if against:
        first = int(ranking.in_order(run, parser, metric, against, order)[0])
        apart = ranking.differences(run, parser, metric, against)[first - 1]
        if not np.isnan(apart):
            scores = [ranking.scores(run, parser, name)[first - 1] for name in (metric, against)]
            return (
                f"{title} and {METRICS[against].title} disagree most on sentence {first} of {parser}: "
                f"{scores[0]:.3f} against {scores[1]:.3f}, {abs(apart):,.0f} ranks apart among {scored:,}.{without}"
            )
    if METRICS[metric].is_share:
        shared = f", shared by {spread.n_worst:,} sentences" if spread.n_worst > 1 else ""
        return (
            f"By {title}, {parser}’s worst score is {spread.worst:.3f}{shared}; a quarter of its {scored:,} sentences "
            f"score {spread.quarter:.3f} or less, {spread.perfect:,} {'is' if spread.perfect == 1 else 'are'} perfect."
            f"{without}"
        )
    return (
        f"By {title}, {parser}’s worst sentence has {spread.worst:.0f}; {spread.perfect:,} of its {scored:,} sentences "
        f"have none.{without}"
    )


def _selected(shown: NDArray[np.int32]) -> int:
    """Return the index of the URL's sentence among those shown; 0 if it is not shown."""
    indices = np.flatnonzero(shown == state.get_number("sentence", 0, 0, 2**31 - 1))
    return int(indices[0]) if len(indices) else 0


def _table(
    run: Run,
    parser: str,
    metrics: list[str],
    against: str,
    sentences: NDArray[np.int32],
    selected: int,
    kept: dict[int, Note],
    errors: ListedErrors | None,
) -> None:
    """Show a page of the list."""
    metric = metrics[0]
    rows = ranking.rows(run, parser, sentences, [item for item in metrics if item in run.metrics])
    rows = rows.assign(**dict.fromkeys(set(metrics) - set(run.metrics), float("nan")))
    extra = {}
    if against:
        rows = rows.assign(difference=ranking.differences(run, parser, metric, against)[sentences - 1])
        extra["difference"] = st.column_config.NumberColumn(
            "Rank difference",
            help="how many ranks worse by the first metric than by the second",
            format="%+.0f",
            width=110,
        )
    if (numbers := originals(run)) is not None:
        rows = rows.assign(original=numbers[sentences - 1])
        extra["original"] = st.column_config.NumberColumn(
            "Original", help="its number in the original run", format="%d", width=70
        )
    if (best := ranks_of_best(run, parser, sentences)) is not None:
        rows = rows.assign(best_rank=pd.array(best, dtype="Int64"))
        extra["best_rank"] = st.column_config.NumberColumn(
            "Best", help="rank of the best analysis in the parser’s list", format="%d", width=60
        )
    if errors is not None:
        rows = rows.assign(types=[errors.describe(int(number)) for number in sentences])
        extra["types"] = st.column_config.TextColumn(
            "Error types", help="types of error, with the number of wrong brackets of each", width=260
        )
    if kept:
        notes = [kept.get(int(number), Note()) for number in sentences]
        rows = rows.assign(marked=["★" if item.marked else "" for item in notes], note=[item.text for item in notes])
        extra["marked"] = st.column_config.TextColumn("★", width=40)
        extra["note"] = st.column_config.TextColumn("Note", width=160)
    by = " and ".join(METRICS[item].title for item in (metric, against) if item)
    sentence_list(
        rows,
        key="worst",
        metrics=metrics,
        caption=f"Sentences of {parser} by {by}.\n{run.signature}",
        extra=extra,
        selected=selected,
    )


def _coverage(filters: list[Filter], n_shown: int, total: int) -> str:
    if not filters:
        return f"{total:,} sentences. The selected one is shown below; select another row to see it."
    return f"{n_shown:,} of {total:,} sentences: " + ", ".join(item.description for item in filters) + "."


def _nothing_left(filters: list[Filter], total: int) -> None:
    st.subheader("No sentence matches")
    rows = [(item.description, f"{int(item.keep.sum()):,} of {total:,} sentences", "") for item in filters]
    show_blocks(note("Each filter alone keeps:"), facts(rows), key="worst_empty")
    st.button("Reset filters", on_click=reset_filters, key="reset_filters")
