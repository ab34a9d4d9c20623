"""Filters over the sentences of a parser: widgets in, masks with descriptions out."""

from __future__ import annotations

import numpy as np
import streamlit as st

from evaltools.errors import ParameterError
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.ui.sentences import ranking
from evaltools.ui.sentences.errors import Filter, error_type_picker, error_types_toggle
from evaltools.ui.sentences.ranking import Spread
from evaltools.ui.session import state
from evaltools.ui.significance.pairs import class_mask, comparisons, pair_named
from evaltools.ui.widgets.pickers import choice_picker

__all__ = ["Filter", "reset_filters", "sentence_filters"]

_STATUSES = {"": "any", "ok": "same tokens", "words_differ": "tokens differ", "missing": "no parse"}


def reset_filters() -> None:
    """Remove all filters from the URL."""
    state.put(**dict.fromkeys(state.FILTERS))


def sentence_filters(run: Run, parser: str, metric: str, marked: set[int]) -> list[Filter]:
    """Draw the filters and return those in use, except the one by error type, which depends on the others."""
    facts, types = ranking.facts(run, parser), run.framework.error_types
    used = sum(bool(state.get(name)) for name in state.FILTERS[3:])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = _text("q", "Text", "part of the sentence", width=340)
        regex = st.toggle("regular expression", **state.bind("regex", state.get("regex") == "1", False, write=int))
        if types is not None:
            error_types_toggle(types)
        with st.popover(f"More filters ({used} in use)" if used else "More filters", icon=":material/filter_list:"):
            word = _text("word", "Word", "one whole word")
            labels = ["", *run.meta["labels"]]
            called = run.framework.label
            title = f"{called.capitalize()}, in either tree"
            label = choice_picker(title, labels, name="label", default="", titles={"": "any"})
            length = _range("length", "Length in words", 0, int(facts.words.max(initial=0)), 1)
            score = _score_range(metric, ranking.spread(run, parser, metric))
            if types is not None:
                error_type_picker(types)
            status = choice_picker("Status", list(_STATUSES), name="status", default="", titles=_STATUSES)
            differ = st.toggle(
                "parsers differ (not the same score for all)",
                **state.bind("differ", state.get("differ") == "1", False, write=int),
            )
            only_marked = st.toggle(
                "bookmarked only", **state.bind("marked", state.get("marked") == "1", False, write=int)
            )
    chosen_class = _chosen_class(run, metric)
    filters = [] if chosen_class is None else [chosen_class]
    if search:
        _add_search(run, search, regex, filters)
    if word:
        filters.append(Filter(f"word “{word}”", ranking.with_text(run, word, word=True)))
    if label:
        filters.append(Filter(f"{called} {label}", ranking.with_label(run, parser, label)))
    if length is not None:
        inside = (facts.words >= length[0]) & (facts.words <= length[1])
        filters.append(Filter(f"{length[0]:.0f} to {length[1]:.0f} words", inside))
    if score is not None:
        scores = ranking.scores(run, parser, metric)
        inside = (scores >= score[0]) & (scores <= score[1])
        filters.append(Filter(f"{METRICS[metric].title} from {score[0]:g} to {score[1]:g}", inside))
    if status:
        filters.append(Filter(_STATUSES[status], facts.has_status(status)))
    if differ:
        filters.append(Filter("parsers differ", ranking.differing(run, metric)))
    if only_marked:
        keep = np.zeros(run.n_sentences, dtype=np.bool_)
        keep[[number - 1 for number in marked if 1 <= number <= run.n_sentences]] = True
        filters.append(Filter("bookmarked", keep))
    return filters


def _add_search(run: Run, search: str, regex: bool, filters: list[Filter]) -> None:
    try:
        keep = ranking.with_text(run, search, regex=regex)
    except ParameterError as error:
        st.error("Invalid regular expression; this filter is ignored.")
        st.code(str(error), language=None, wrap_lines=True)
        return
    filters.append(Filter(f"text matches {search}" if regex else f"text contains “{search}”", keep))


def _text(name: str, label: str, placeholder: str, width: int | None = None) -> str:
    bound = state.bind(name, state.get(name), "")
    shown = str(st.text_input(label, placeholder=placeholder, width=width or "stretch", **bound) or "")
    return shown.strip() if name == "word" else shown


def _range(
    name: str,
    label: str,
    low: float,
    high: float,
    step: float,
    format: str | None = None,  # noqa: A002 - streamlit's
) -> tuple[float, float] | None:
    """Draw a slider with two ends; None while it leaves everything in."""
    if high <= low:
        return None
    limits = value = (low, high)
    first, _, last = state.get(name).partition("~")
    try:
        ends = sorted((min(max(float(first), low), high), min(max(float(last), low), high)))
        value = (type(low)(ends[0]), type(low)(ends[1]))
    except ValueError:
        value = limits
    bound = state.bind(name, value, limits, write=lambda ends: f"{ends[0]:g}~{ends[1]:g}")
    chosen: tuple[float, float] = st.slider(label, low, high, step=type(low)(step), format=format, **bound)
    return None if tuple(chosen) == limits else chosen


def _score_range(metric: str, spread: Spread) -> tuple[float, float] | None:
    if METRICS[metric].is_share:
        low = min(0.0, float(np.floor(spread.low * 10) / 10)) if spread.scored else 0.0
        return _range("score", METRICS[metric].title, low, 1.0, 0.01, "%.2f")
    return _range("score", METRICS[metric].title, 0.0, spread.high if spread.scored else 0.0, 1.0, "%.0f")


def _chosen_class(run: Run, metric: str) -> Filter | None:
    """Return the filter by a class of sentences of *Significance*, which only links set."""
    name = state.get("class")
    if not name:
        return None
    over = "all" if state.get("over") == "all" else "scored"
    figure = "mean" if state.get("average") == "mean" else "pooled"
    pair = pair_named(comparisons(run, metric, figure, over), state.get("pair"))
    titled_mask = None if pair is None else class_mask(run, pair, over, name)
    if pair is None or titled_mask is None:
        return None
    title, mask = titled_mask
    return Filter(f"{title} (where {pair.parser_a} and {pair.parser_b} are compared)", mask)
