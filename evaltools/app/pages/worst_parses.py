"""Worst parses: the sentences with most errors or the worst scores, and their errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.headlines import BY_ERRORS, Sorting, instructive_in_words, worst_parses_headline
from evaltools.app.components.blocks import show_blocks
from evaltools.app.report import ranks_of_best
from evaltools.app.sentence import originals, sentence_detail
from evaltools.app.sentences import (
    MAX_LISTED,
    Filter,
    absent_sentence,
    rank_difference_column,
    reset_filters,
    sentence_filters,
    sentence_list,
    subset_downloads,
)
from evaltools.app.session import data, state
from evaltools.app.widgets.pickers import keys, menu, metric_picker, parser_picker, values_of
from evaltools.app.widgets.tables import heading_width, number_format
from evaltools.blocks import answer, facts, note
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.metric import ErrorCount, hint
from evaltools.frameworks.registry import METRICS
from evaltools.runs.notes import Note, Notes
from evaltools.runs.store import Run
from evaltools.text import column_format, count_of

_ROWS = 6
"""Number of rows of the list in view: the picture of the sentence begins above the fold of a small screen."""
_BY_RANKS = {"either": "either direction", "first": "worse by the metric", "second": "worse by the second"}
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
    parser, metric, against = sorting.parser, sorting.metric.id, _against(sorting)
    marked = [number for number, item in Notes(run).all().items() if item.marked]
    filters = sentence_filters(run, parser, metric, marked)
    shown = data.in_order(run, parser, metric, against, sorting.order)
    if filters:
        keep = np.logical_and.reduce([item.keep for item in filters])
        shown = shown[keep[shown - 1]]
    if not len(shown):
        _nothing_left(filters, run.n_sentences)
        return
    with top:
        headline = worst_parses_headline(_sorted(run, sorting, shown), sorting, ranked=_ranked(run, sorting))
        show_blocks(answer(headline), key="worst_answer")
    indices = np.flatnonzero(shown == state.get_number("sentence", 0, 0, 2**31 - 1))
    index = int(indices[0]) if len(indices) else 0
    listed = shown[:MAX_LISTED] if index < MAX_LISTED else np.append(shown[: MAX_LISTED - 1], shown[index])
    table = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="worst_foot"):
        foot = st.container(width="content")
        show_blocks(note(_coverage(run, sorting, filters, shown)), key="worst_coverage")
        if filters:
            st.button("Reset filters", on_click=reset_filters, key="reset_filters", type="tertiary")
        subset_downloads(run, parser, shown)
    with table:
        _table(run, sorting, listed, int(shown[index]), foot)

    def filtered_out(number: int) -> str:
        return "filtered out by: " + ", ".join(item.description for item in filters if not item.keep[number - 1])

    if absence := absent_sentence(run, shown, filtered_out):
        show_blocks(note(absence), key="worst_absent")
    title = ", ".join([parser, _ordered_by(sorting), *(item.description for item in filters)])
    sentence_detail(run, parser, shown, index, page="worst_parses", title=title)


def _controls(run: Run) -> Sorting:
    """Draw the pickers; a new metric sorts by it, two metrics by the difference of their ranks."""
    is_by_errors = state.get("order") in ("", *BY_ERRORS) and not state.get("metric2")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="worst_controls"):
        parser = parser_picker(run)
        count = run.framework.figures.errors if data.errors(run, parser) is not None else None
        metric = metric_picker(run, also={"order": "worst"} if is_by_errors else {})
        others = [item for item in run.metrics if item != metric]
        against = metric_picker(
            run,
            name="metric2",
            label="Second metric",
            default="",
            metrics=others,
            extra={"": "none"},
            also={"order": None},
        )
        titles = {}
        if count is not None:
            titles = {"instructive": "instructive first", "errors": f"most {count.plural}"}
            titles["per_word"] = f"most {count.plural} per word"
        titles |= {"worst": "worst by the metric", "best": "best by the metric"}
        if against:
            titles |= {name: f"rank difference, {which}" for name, which in _BY_RANKS.items()}
        titles["file"] = "as in the file"
        # A link of a metric, or of two, asks for the sentences that are bad by it, or that they rank differently.
        default = "either" if against else "worst" if state.get("metric") in run.metrics else ""
        order = menu("Order", titles, name="order", default=default, help=_order_hint(run, count))
    return Sorting(order, parser, run.n_sentences, METRICS[metric], METRICS[against] if against else None, count)


def _order_hint(run: Run, count: ErrorCount | None) -> str:
    """Return what instructive sentences are, if the page has them; empty if it has not."""
    return "" if count is None else f"Instructive: {instructive_in_words(run)}"


def _against(sorting: Sorting) -> str:
    return sorting.against.id if sorting.against is not None else ""


def _ordered_by(sorting: Sorting) -> str:
    """Return the order of the list in words, with the metrics it is by."""
    if sorting.order == "file":
        return "as in the file"
    if sorting.order in BY_ERRORS and sorting.count is not None:
        return "instructive first" if sorting.order == "instructive" else f"most {_errors_in_words(sorting)}"
    if sorting.order in _BY_RANKS and sorting.against is not None:
        names = {"either": "", "first": ", worse by the first", "second": ", worse by the second"}
        metrics = f"{sorting.metric.title} and {sorting.against.title}"
        return f"rank difference of {metrics}{names[sorting.order]}"
    return f"{sorting.order} by {sorting.metric.title}"


def _errors_in_words(sorting: Sorting) -> str:
    assert sorting.count is not None
    return f"{sorting.count.plural}{' per word' if sorting.order == 'per_word' else ''}"


def _sorted(run: Run, sorting: Sorting, sentences: NDArray[np.int32]) -> pd.DataFrame:
    """Return the columns of the list that its headline is made of."""
    parser, metric, against = sorting.parser, sorting.metric.id, _against(sorting)
    known = data.facts(run, parser)
    columns: dict[str, NDArray[Any] | None] = {
        "words": known.words,
        "unparsed": known.has_status(SentenceStatus.MISSING.label),
        "score": data.scores(run, parser, metric),
        "errors": data.errors(run, parser) if sorting.count is not None else None,
        "largest": data.largest_repairs(run, parser) if sorting.order == "instructive" else None,
    }
    if against:
        columns["score_b"] = data.scores(run, parser, against)
        columns["rank_a"] = data.ranks(run, parser, metric)
        columns["rank_b"] = data.ranks(run, parser, against)
    chosen = {name: values[sentences - 1] for name, values in columns.items() if values is not None}
    return pd.DataFrame({"sentence": sentences, **chosen}, copy=False)


def _ranked(run: Run, sorting: Sorting) -> int | None:
    """Return how many sentences two metrics rank; None with one metric."""
    if not (against := _against(sorting)):
        return None
    return int((~np.isnan(data.differences(run, sorting.parser, sorting.metric.id, against))).sum())


def _table(run: Run, sorting: Sorting, sentences: NDArray[np.int32], selected: int, foot: Any) -> None:
    """Show the list."""
    parser, metric, against = sorting.parser, sorting.metric.id, _against(sorting)
    metrics = list(dict.fromkeys([metric, *filter(None, [against])]))
    metrics += [item for item in run.metrics if METRICS[item].place.lists and item not in metrics]
    rows = data.rows(run, parser, sentences, metrics)
    numbers = sentences.tolist()
    leading: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    counts = data.errors(run, parser)
    if sorting.count is not None and counts is not None:
        rows["n_errors"] = counts[sentences - 1]
        counted = sorting.count.metric
        form, width = number_format(rows["n_errors"], decimals=2), heading_width(counted.title, 112)
        leading["n_errors"] = st.column_config.NumberColumn(counted.title, help=hint(counted), format=form, width=width)
        if sorting.order == "instructive" and (largest := data.largest_repairs(run, parser)) is not None:
            rows["largest"] = largest[sentences - 1]
            mended = f"{sorting.count.plural} that the largest repair mends"
            leading["largest"] = st.column_config.NumberColumn("One repair", help=mended, format="%d", width=88)
        if sorting.order == "per_word":
            rows["per_word"] = rows["n_errors"] / rows["words"].clip(lower=1)
            per_word = f"{sorting.count.plural} per word of the gold sentence, scored or not"
            leading["per_word"] = st.column_config.NumberColumn(
                "Per word", help=per_word, format=column_format(), width=80
            )
    if against:
        rows["difference"] = data.differences(run, parser, metric, against)[sentences - 1]
        worse = "how many ranks worse by the first metric than by the second"
        extra["difference"] = rank_difference_column(rows["difference"], worse)
    if (original := originals(run)) is not None:
        rows["original"] = original[sentences - 1]
        its_number = "its number in the original run"
        extra["original"] = st.column_config.NumberColumn("Original", help=its_number, format="%i", width=70)
    if (best := ranks_of_best(run, parser, sentences)) is not None:
        rows["best_rank"] = pd.array(best, dtype="Int64")
        rank = "rank of the best analysis in the parser’s list"
        extra["best_rank"] = st.column_config.NumberColumn("Best", help=rank, format="%d", width=60)
    if (key := state.get("key")) in keys(run):
        rows["metadata"] = values_of(run, key, sentences)
        extra["metadata"] = st.column_config.TextColumn(key, help="metadata of the sentence", width=120)
    if kept := Notes(run).all():
        notes = [kept.get(number, Note()) for number in numbers]
        rows["marked"] = ["★" if item.marked else "" for item in notes]
        rows["note"] = [item.text for item in notes]
        extra["marked"] = st.column_config.TextColumn("★", width=40)
        extra["note"] = st.column_config.TextColumn("Note", width=160)
    by = " and ".join(item.title for item in (sorting.metric, sorting.against) if item is not None)
    if sorting.order in BY_ERRORS and sorting.count is not None:
        by = "how instructive they are" if sorting.order == "instructive" else f"number of {_errors_in_words(sorting)}"
    sentence_list(
        rows,
        key="worst",
        metrics=metrics,
        caption=f"Sentences of {parser} by {by}.\n{run.signature}",
        leading=leading,
        extra=extra,
        selected=selected,
        n_visible=_ROWS,
        foot=foot,
    )


def _coverage(run: Run, sorting: Sorting, filters: list[Filter], shown: NDArray[np.int32]) -> str:
    """Return how many sentences are listed, and which of them are not scored as the others."""
    metric, statuses = sorting.metric, data.facts(run, sorting.parser)
    listed = count_of(run.n_sentences, "sentence")
    if filters:
        listed = f"{len(shown):,} of {listed}: " + ", ".join(item.description for item in filters)
    if len(shown) > MAX_LISTED:
        listed += f". The first {MAX_LISTED:,} are listed"
    is_missing = np.isnan(data.scores(run, sorting.parser, metric.id)[shown - 1])
    if missing := int(is_missing.sum()):
        numbers = {
            title: int((is_missing & statuses.has_status(status)[shown - 1]).sum())
            for status, title in _NO_SCORE.items()
        }
        reasons = ", ".join(f"{number:,} {title}" for title, number in numbers.items() if number)
        listed += f". {missing:,} {'has' if missing == 1 else 'have'} no score{f' ({reasons})' if reasons else ''}"
    differ = int(data.aligned(run, sorting.parser, metric.id)[shown - 1].sum())
    if differ and metric.family.words == "aligned":
        listed += f". In {differ:,} the tokens differ; they are scored over aligned words"
    return f"{listed}."


def _nothing_left(filters: list[Filter], total: int) -> None:
    st.subheader("No sentence matches")
    rows = [(item.description, f"{int(item.keep.sum()):,} of {count_of(total, 'sentence')}", "") for item in filters]
    show_blocks(note("Each filter alone keeps:"), facts(rows), key="worst_empty")
    st.button("Reset filters", on_click=reset_filters, key="reset_filters")
