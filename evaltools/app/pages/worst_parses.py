"""Worst parses: the sentences with most errors or the worst scores, and their errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.headlines import Sorting, worst_parses_headline
from evaltools.app.components.blocks import show_blocks
from evaltools.app.leaderboard import ranks_of_best
from evaltools.app.sentence import originals, sentence_detail
from evaltools.app.sentences import (
    PAGE,
    Filter,
    ListedErrors,
    absent_sentence,
    error_types,
    page_shown,
    page_turner,
    rank_difference_column,
    reset_filters,
    search_matches,
    sentence_filters,
    sentence_list,
    subset_downloads,
)
from evaltools.app.session import data, ranking, state
from evaltools.app.widgets.pickers import choice_picker, keys, metric_picker, parser_picker, values_of
from evaltools.app.widgets.tables import heading_width, number_format
from evaltools.blocks import answer, facts, note
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.formulas import hint
from evaltools.frameworks.registry import METRICS
from evaltools.runs.notes import Note, Notes
from evaltools.runs.store import Run
from evaltools.text import column_format

_ROWS = 6
"""Number of rows of the list in view: the picture of the sentence begins above the fold of a small screen."""
_BY_ERRORS = ("errors", "per_word")
_BY_RANKS = ("either", "first", "second")
_IN_FILE = "as in the file"


_NO_SCORE = {
    "missing": "without a parse",
    "words_differ": "with other tokens",
    "ok": "with nothing to count",
    "left_out": "left out",
}
"""Why a sentence has no score, by its status."""


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Worst parses")
    with st.container(gap="xsmall", key="worst_page"):
        _page(run)


def _page(run: Run) -> None:
    top = st.container()
    sorting = _controls(run)
    parser, metric = sorting.parser, sorting.metric.id
    against = sorting.against.id if sorting.against is not None else ""
    metrics = _columns(run, metric, against)
    marked = {number for number, item in Notes(run).all().items() if item.marked}
    filters = sentence_filters(run, parser, metric, marked)
    ordered = ranking.in_order(run, parser, metric, against, sorting.order)
    shown = ordered
    if filters:
        keep = np.logical_and.reduce([item.keep for item in filters])
        shown = ordered[keep[ordered - 1]]
    errors = error_types(run, parser)
    if errors is not None and (item := errors.filter(run.n_sentences)) is not None:
        filters.append(item)
        shown = shown[item.keep[shown - 1]]
    if not len(shown):
        _nothing_left(filters, run.n_sentences)
        return
    with top:
        headline = worst_parses_headline(_sorted(run, sorting, shown), sorting, ranked=_ranked(run, sorting))
        show_blocks(answer(headline), key="worst_answer")
    _list(run, sorting, metrics, shown, filters, errors)


def _list(
    run: Run,
    sorting: Sorting,
    metrics: list[str],
    shown: NDArray[np.int32],
    filters: list[Filter],
    errors: ListedErrors | None,
) -> None:
    """List sentences, and show the chosen one."""
    parser, metric = sorting.parser, sorting.metric.id
    against = sorting.against.id if sorting.against is not None else ""
    notes = Notes(run)
    index = _selected(shown)
    identity = repr((data.run_key(run), parser, metric, against, sorting.order, [item.description for item in filters]))
    page = page_shown(identity, int(shown[index]), index)
    table = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="worst_foot"):
        foot = st.container(width="content")
        page_turner(shown, page)
        show_blocks(note(_coverage(run, sorting, filters, shown)), key="worst_coverage")
        if filters:
            st.button("Reset filters", on_click=reset_filters, key="reset_filters", type="tertiary")
        subset_downloads(run, parser, shown, errors.describe if errors is not None else None)
    listed = shown[page * PAGE : (page + 1) * PAGE]
    with table:
        _table(run, sorting, metrics, listed, int(shown[index]), notes.all(), errors, foot)
    absence = absent_sentence(run, shown, lambda number: _absence(filters, number))
    if absence:
        show_blocks(note(f"{absence} The first of the list is shown."), key="worst_absent")
    title = ", ".join([parser, _ordered_by(sorting), *(item.description for item in filters)])
    sentence_detail(run, parser, shown, index, notes, page="worst_parses", title=title)


def _controls(run: Run) -> Sorting:
    """Draw the pickers; a new metric sorts by it, two metrics by the difference of their ranks."""
    is_by_errors = state.get("order") in ("", *_BY_ERRORS) and not state.get("metric2")
    count = run.framework.figures.errors
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="worst_controls"):
        parser = parser_picker(run)
        if ranking.errors(run, parser) is None:
            count = None
        metric = metric_picker(run, also={"order": "worst"} if is_by_errors else {})
        others = [item for item in run.metrics if item != metric]
        extra = {"": "none"}
        against = metric_picker(
            run, name="metric2", label="Second metric", default="", metrics=others, extra=extra, also={"order": None}
        )
        titles = {}
        if count is not None:
            titles = {"errors": f"most {count.plural}", "per_word": f"most {count.plural} per word"}
        titles |= {"worst": "worst by the metric", "best": "best by the metric"}
        if against:
            ranks = "rank difference, either direction", "rank difference, worse by the metric"
            titles |= dict(zip(_BY_RANKS, (*ranks, "rank difference, worse by the second"), strict=True))
        titles["file"] = _IN_FILE
        # A link of a metric, or of two, asks for the sentences that are bad by it, or that they rank differently.
        default = "either" if against else "worst" if state.get("metric") in run.metrics else next(iter(titles))
        order = choice_picker("Order", list(titles), name="order", default=default, titles=titles)
    second = METRICS[against] if against else None
    return Sorting(order, parser, run.n_sentences, METRICS[metric], second, count)


def _ordered_by(sorting: Sorting) -> str:
    """Return the order of the list in words, with the metrics it is by."""
    if sorting.order == "file":
        return _IN_FILE
    if sorting.order in _BY_ERRORS and sorting.count is not None:
        return f"most {sorting.count.plural}{' per word' if sorting.order == 'per_word' else ''}"
    if sorting.order in _BY_RANKS and sorting.against is not None:
        names = {"either": "", "first": ", worse by the first", "second": ", worse by the second"}
        metrics = f"{sorting.metric.title} and {sorting.against.title}"
        return f"rank difference of {metrics}{names[sorting.order]}"
    return f"{sorting.order} by {sorting.metric.title}"


def _columns(run: Run, metric: str, against: str) -> list[str]:
    """Return the metrics that the list shows."""
    first = [metric, *([against] if against else [])]
    return first + [item for item in run.metrics if METRICS[item].place.lists and item not in first]


def _sorted(run: Run, sorting: Sorting, sentences: NDArray[np.int32]) -> pd.DataFrame:
    """Return the columns of the list that its headline is made of."""
    indices, parser, metric = sentences - 1, sorting.parser, sorting.metric.id
    columns: dict[str, NDArray[Any]] = {"sentence": sentences, "words": ranking.facts(run, parser).words[indices]}
    columns["unparsed"] = ranking.facts(run, parser).has_status(SentenceStatus.MISSING.label)[indices]
    columns["score"] = ranking.scores(run, parser, metric)[indices]
    if sorting.count is not None and (errors := ranking.errors(run, parser)) is not None:
        columns["errors"] = errors[indices]
    if sorting.against is not None:
        columns["score_b"] = ranking.scores(run, parser, sorting.against.id)[indices]
        columns["rank_a"] = ranking.ranks(run, parser, metric)[indices]
        columns["rank_b"] = ranking.ranks(run, parser, sorting.against.id)[indices]
    return pd.DataFrame(columns, copy=False)


def _ranked(run: Run, sorting: Sorting) -> int | None:
    """Return how many sentences two metrics rank; None with one metric."""
    if sorting.against is None:
        return None
    ranks = [ranking.ranks(run, sorting.parser, metric.id) for metric in (sorting.metric, sorting.against)]
    return int((~np.isnan(ranks[0]) & ~np.isnan(ranks[1])).sum())


def _selected(shown: NDArray[np.int32]) -> int:
    """Return the index of the URL's sentence among those shown; 0 if it is not shown."""
    indices = np.flatnonzero(shown == state.get_number("sentence", 0, 0, 2**31 - 1))
    return int(indices[0]) if len(indices) else 0


def _absence(filters: list[Filter], number: int) -> str:
    """Return the filters that leave a sentence out."""
    return "filtered out by: " + ", ".join(item.description for item in filters if not item.keep[number - 1])


def _table(
    run: Run,
    sorting: Sorting,
    metrics: list[str],
    sentences: NDArray[np.int32],
    selected: int,
    kept: dict[int, Note],
    errors: ListedErrors | None,
    foot: Any,
) -> None:
    """Show a page of the list."""
    parser, metric = sorting.parser, metrics[0]
    rows = ranking.rows(run, parser, sentences, [item for item in metrics if item in run.metrics])
    rows = rows.assign(**dict.fromkeys(set(metrics) - set(run.metrics), float("nan")))
    leading, extra = {}, {}
    n_errors = ranking.errors(run, parser)
    if sorting.count is not None and n_errors is not None:
        rows = rows.assign(n_errors=n_errors[sentences - 1])
        counted = sorting.count.metric
        form = number_format(rows["n_errors"], decimals=2)
        width = heading_width(counted.title, 112)
        leading["n_errors"] = st.column_config.NumberColumn(counted.title, help=hint(counted), format=form, width=width)
        if sorting.order == "per_word":
            rows = rows.assign(per_word=rows["n_errors"] / rows["words"].clip(lower=1))
            leading["per_word"] = st.column_config.NumberColumn(
                "Per word",
                help=f"{sorting.count.plural} per word of the gold sentence, scored or not",
                format=column_format(),
                width=80,
            )
    if sorting.against is not None:
        rows = rows.assign(difference=ranking.differences(run, parser, metric, sorting.against.id)[sentences - 1])
        worse = "how many ranks worse by the first metric than by the second"
        extra["difference"] = rank_difference_column(rows["difference"], worse)
    if (numbers := originals(run)) is not None:
        rows = rows.assign(original=numbers[sentences - 1])
        extra["original"] = st.column_config.NumberColumn(
            "Original", help="its number in the original run", format="%i", width=70
        )
    if (best := ranks_of_best(run, parser, sentences)) is not None:
        rows = rows.assign(best_rank=pd.array(best, dtype="Int64"))
        extra["best_rank"] = st.column_config.NumberColumn(
            "Best", help="rank of the best analysis in the parser’s list", format="%d", width=60
        )
    if (key := state.get("key")) in keys(run):
        rows = rows.assign(metadata=values_of(run, key, sentences))
        extra["metadata"] = st.column_config.TextColumn(key, help="metadata of the sentence", width=120)
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
    by = " and ".join(item.title for item in (sorting.metric, sorting.against) if item is not None)
    if sorting.order in _BY_ERRORS and sorting.count is not None:
        by = f"number of {sorting.count.plural}{' per word' if sorting.order == 'per_word' else ''}"
    sentence_list(
        rows,
        key="worst",
        metrics=metrics,
        caption=f"Sentences of {parser} by {by}.\n{run.signature}",
        leading=leading,
        extra=extra,
        matches=search_matches(run, sentences),
        selected=selected,
        n_visible=_ROWS,
        foot=foot,
    )


def _coverage(run: Run, sorting: Sorting, filters: list[Filter], shown: NDArray[np.int32]) -> str:
    """Return how many sentences are listed, and which of them are not scored as the others."""
    total, metric = run.n_sentences, sorting.metric
    listed = f"{total:,} sentences"
    if filters:
        listed = f"{len(shown):,} of {listed}: " + ", ".join(item.description for item in filters)
    is_missing = np.isnan(ranking.scores(run, sorting.parser, metric.id)[shown - 1])
    if missing := int(is_missing.sum()):
        statuses = ranking.facts(run, sorting.parser)
        numbers = {
            title: int((is_missing & statuses.has_status(status)[shown - 1]).sum())
            for status, title in _NO_SCORE.items()
        }
        reasons = ", ".join(f"{number:,} {title}" for title, number in numbers.items() if number)
        listed += f". {missing:,} {'has' if missing == 1 else 'have'} no score{f' ({reasons})' if reasons else ''}"
    differ = int(ranking.aligned(run, sorting.parser, metric.id)[shown - 1].sum())
    if differ and metric.family.words == "aligned":
        listed += f". In {differ:,} the tokens differ; they are scored over aligned words"
    return f"{listed}."


def _nothing_left(filters: list[Filter], total: int) -> None:
    st.subheader("No sentence matches")
    rows = [(item.description, f"{int(item.keep.sum()):,} of {total:,} sentences", "") for item in filters]
    show_blocks(note("Each filter alone keeps:"), facts(rows), key="worst_empty")
    st.button("Reset filters", on_click=reset_filters, key="reset_filters")
