"""Filters over the sentences of a parser: widgets in, masks with descriptions out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sentence_counts import OVER
from evaltools.runs.store import Run
from evaltools.text import column_format, significant
from evaltools.ui.sentences import ranking
from evaltools.ui.sentences.errors import Filter, error_type_picker, error_types_toggle
from evaltools.ui.sentences.ranking import Spread
from evaltools.ui.session import state
from evaltools.ui.significance.pairs import class_mask, comparisons, pair_named
from evaltools.ui.widgets.metadata import group_mask, group_pickers
from evaltools.ui.widgets.pickers import choice_picker

__all__ = ["Filter", "length_filter", "reset_filters", "search_matches", "sentence_filters"]

_STATUSES = {
    "": "any",
    "ok": "same tokens",
    "words_differ": "tokens differ",
    "missing": "no parse",
    "left_out": "left out",
}
_FOLDED = tuple(name for name in state.FILTERS if name not in ("q", "regex", "class", "length", "key"))
"""The filters behind the button *More filters*."""
_NUMBER_WIDTH = 96


def reset_filters() -> None:
    """Remove all filters from the URL."""
    state.put(**dict.fromkeys(state.FILTERS))


def sentence_filters(run: Run, parser: str, metric: str, marked: set[int]) -> list[Filter]:
    """Draw the filters and return those in use, except the one by error type, which depends on the others."""
    facts, types = ranking.facts(run, parser), run.framework.error_types
    used = sum(bool(state.get(name)) for name in _FOLDED)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sentence_filters"):
        search = _text("q", "Text", "search words")
        length = length_filter(run, parser)
        regex = st.toggle("regular expression", **state.bind("regex", state.get("regex") == "1", False, write=int))
        if types is not None:
            error_types_toggle(types)
        with st.popover(f"More filters ({used} in use)" if used else "More filters", icon=":material/filter_list:"):
            word = _text("word", "Word", "one whole word")
            labels = ["", *run.meta["labels"]]
            called = run.framework.label
            title = f"{called.capitalize()}, in either tree"
            label = choice_picker(title, labels, name="label", default="", titles={"": "any"})
            score = _score_range(metric, ranking.spread(run, parser, metric))
            if types is not None:
                error_type_picker(types)
            group = group_pickers(run)
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
        filters.append(length)
    if score is not None:
        scores = ranking.scores(run, parser, metric)
        inside = (scores >= score[0]) & (scores <= score[1])
        filters.append(
            Filter(f"{METRICS[metric].title} from {significant(score[0])} to {significant(score[1])}", inside)
        )
    if group is not None:
        filters.append(Filter(str(group), group_mask(run, group)))
    if status:
        filters.append(Filter(_STATUSES[status], facts.has_status(status)))
    if differ:
        filters.append(Filter("parsers differ", ranking.differing(run, metric)))
    if only_marked:
        keep = np.zeros(run.n_sentences, dtype=np.bool_)
        keep[[number - 1 for number in marked if 1 <= number <= run.n_sentences]] = True
        filters.append(Filter("bookmarked", keep))
    return filters


def length_filter(run: Run, parser: str, also: Callable[[], None] | None = None) -> Filter | None:
    """Let the reader choose the minimum and maximum number of words; None if all lengths are shown."""
    words = ranking.facts(run, parser).words
    longest = int(words.max(initial=0))
    ends = state.get("length").split("~")
    limits = [_whole(text, longest) for text in (ends if len(ends) == 2 else ("", ""))]
    if None not in limits:
        limits.sort(key=lambda limit: limit or 0)  # and the fields show it
    keys = ("length_from", "length_to")
    for key, limit in zip(keys, limits, strict=True):
        st.session_state[key] = limit

    def changed() -> None:
        texts = ["" if st.session_state[key] is None else str(st.session_state[key]) for key in keys]
        state.put(length="~".join(texts) if any(texts) else None)
        if also is not None:
            also()

    for key, label, placeholder in zip(keys, ("Min. words", "Max. words"), ("0", str(longest)), strict=True):
        st.number_input(
            label,
            min_value=0,
            max_value=max(longest, 1),
            step=1,
            value=None,
            placeholder=placeholder,
            width=_NUMBER_WIDTH,
            key=key,
            on_change=changed,
        )
    low, high = limits
    if low is None and high is None:
        return None
    if low is not None and high is not None:
        text = f"{low:,} to {high:,} words"
    else:
        text = f"at least {low:,} words" if low is not None else f"at most {high:,} words"
    keep = (words >= (low or 0)) & (words <= (longest if high is None else high))
    return Filter(text, keep)


def _whole(text: str, high: int) -> int | None:
    """Return a whole number of the URL, at most `high`; None for any other text."""
    try:
        return min(max(int(float(text)), 0), high)
    except (ValueError, OverflowError):
        return None


def search_matches(run: Run, sentences: NDArray[np.int32]) -> list[tuple[str, str, str]] | None:
    """Return the texts of sentences cut at what is searched for; None if nothing is."""
    search, word = state.get("q"), state.get("word").strip()
    if not (search or word):
        return None
    regex = bool(search) and state.get("regex") == "1"
    try:
        return ranking.matches(run, sentences, search or word, regex=regex, word=not search)
    except ParameterError:  # an invalid expression, which the filter explains
        return None


def _add_search(run: Run, search: str, regex: bool, filters: list[Filter]) -> None:
    try:
        keep = ranking.with_text(run, search, regex=regex)
    except ParameterError as error:
        st.error("Invalid regular expression; this filter is ignored.")
        st.code(str(error), language=None, wrap_lines=True)
        return
    filters.append(Filter(f"text matches {search}" if regex else f"text contains “{search}”", keep))


def _text(name: str, label: str, placeholder: str) -> str:
    bound = state.bind(name, state.get(name), "")
    shown = str(st.text_input(label, placeholder=placeholder, **bound) or "")
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
    bound = state.bind(name, value, limits, write=lambda ends: "~".join(map(significant, ends)))
    chosen: tuple[float, float] = st.slider(label, low, high, step=type(low)(step), format=format, **bound)
    return None if tuple(chosen) == limits else chosen


def _score_range(metric: str, spread: Spread) -> tuple[float, float] | None:
    if METRICS[metric].is_share:
        low = min(0.0, float(np.floor(spread.low * 10) / 10)) if spread.scored else 0.0
        return _range("score", METRICS[metric].title, low, 1.0, 0.01, column_format())
    return _range("score", METRICS[metric].title, 0.0, spread.high if spread.scored else 0.0, 1.0, column_format(0))


def _chosen_class(run: Run, metric: str) -> Filter | None:
    """Return the filter by a class of sentences of *Significance*, which only links set."""
    name = state.get("class")
    if not name:
        return None
    over = state.get("over", run.default_over)
    over = over if over in OVER else run.default_over
    figure = "mean" if state.get("average") == "mean" else "pooled"
    pair = pair_named(comparisons(run, metric, figure, over), state.get("pair"))
    titled_mask = None if pair is None else class_mask(run, pair, over, name)
    if pair is None or titled_mask is None:
        return None
    title, mask = titled_mask
    return Filter(f"{title} (where {pair.parser_a} and {pair.parser_b} are compared)", mask)
