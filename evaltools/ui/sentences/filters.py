"""Filters over the sentences of a parser: widgets in, masks out, each with the words that say what it asks for."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui.sentences import ranking
from evaltools.ui.sentences.errors import Filter, error_type_picker, error_types_toggle
from evaltools.ui.sentences.ranking import Spread
from evaltools.ui.session import state
from evaltools.ui.significance.pairs import class_mask, comparisons, pair_named
from evaltools.ui.widgets.pickers import choice_picker

__all__ = ["Filter", "reset_filters", "sentence_filters"]

_STATUSES = {"": "any", "ok": "same words", "words_differ": "words differ", "missing": "parse missing"}


def reset_filters() -> None:
    """Take all filters out of the URL."""
    state.put(**dict.fromkeys(state.FILTERS))


def sentence_filters(run: Run, parser: str, metric: str, marked: set[int]) -> list[Filter]:
    """Draw the filters and return those in use, but for the one by error type, which needs to know the others.

    Parameters
    ----------
    run : Run
        The run.
    parser, metric : str
        What is shown.
    marked : set of int
        Bookmarked sentences.
    """
    facts = ranking.facts(run, parser)
    used = sum(bool(state.get(name)) for name in state.FILTERS[3:])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = _text("q", "Text", "part of the sentence", width=340)
        regex = st.toggle("regular expression", **state.bind("regex", state.get("regex") == "1", False, write=int))
        if run.kind == "constituency":
            error_types_toggle()
        with st.popover(f"More filters ({used} in use)" if used else "More filters", icon=":material/filter_list:"):
            word = _text("word", "Word", "one whole word")
            labels = ["", *run.meta["labels"]]
            called = {"dependency": "Relation", "semantics": "Predicate"}.get(run.kind, "Label")
            label = choice_picker(f"{called}, in either tree", labels, name="label", default="", titles={"": "any"})
            length = _range("length", "Length in words", 0, int(facts.words.max(initial=0)), 1)
            score = _score_range(metric, ranking.spread(run, parser, metric))
            if run.kind == "constituency":
                error_type_picker()
            status = choice_picker("Status", list(_STATUSES), name="status", default="", titles=_STATUSES)
            differ = st.toggle(
                "parsers differ (not the same score for all)",
                **state.bind("differ", state.get("differ") == "1", False, write=int),
            )
            only_marked = st.toggle(
                "bookmarked only", **state.bind("marked", state.get("marked") == "1", False, write=int)
            )
    found = [Filter(*one) for one in [_chosen_class(run, metric)] if one is not None]
    if search:
        _add_search(run, search, regex, found)
    if word:
        found.append(Filter(f"word “{word}”", ranking.with_text(run, word, word=True)))
    if label:
        found.append(Filter(f"{called.lower()} {label}", ranking.with_label(run, parser, label)))
    if length is not None:
        inside = (facts.words >= length[0]) & (facts.words <= length[1])
        found.append(Filter(f"{length[0]:.0f} to {length[1]:.0f} words", inside))
    if score is not None:
        scores = ranking.scores(run, parser, metric)
        inside = (scores >= score[0]) & (scores <= score[1])
        found.append(Filter(f"{METRICS[metric].title} from {score[0]:g} to {score[1]:g}", inside))
    if status:
        found.append(Filter(_STATUSES[status], facts.has_status(status)))
    if differ:
        found.append(Filter("parsers differ", ranking.differing(run, metric)))
    if only_marked:
        keep = np.zeros(run.n_sentences, dtype=np.bool_)
        keep[[number - 1 for number in marked if 1 <= number <= run.n_sentences]] = True
        found.append(Filter("bookmarked", keep))
    return found


def _add_search(run: Run, search: str, regex: bool, found: list[Filter]) -> None:
    try:
        keep = ranking.with_text(run, search, regex=regex)
    except ParameterError as error:
        st.error("The regular expression cannot be read; it is left out.")
        st.code(str(error), language=None, wrap_lines=True)
        return
    found.append(Filter(f"text matches {search}" if regex else f"text contains “{search}”", keep))


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
    whole = (low, high)
    value = whole
    first, _, last = state.get(name).partition("~")
    try:
        ends = sorted((min(max(float(first), low), high), min(max(float(last), low), high)))
        value = (type(low)(ends[0]), type(low)(ends[1]))
    except ValueError:
        value = whole
    bound = state.bind(name, value, whole, write=lambda ends: f"{ends[0]:g}~{ends[1]:g}")
    chosen: tuple[float, float] = st.slider(label, low, high, step=type(low)(step), format=format, **bound)
    return None if tuple(chosen) == whole else chosen


def _score_range(metric: str, spread: Spread) -> tuple[float, float] | None:
    if METRICS[metric].is_share:
        low = min(0.0, float(np.floor(spread.low * 10) / 10)) if spread.scored else 0.0
        return _range("score", METRICS[metric].title, low, 1.0, 0.01, "%.2f")
    return _range("score", METRICS[metric].title, 0.0, spread.high if spread.scored else 0.0, 1.0, "%.0f")


def _chosen_class(run: Run, metric: str) -> tuple[str, NDArray[np.bool_]] | None:
    """Return what the URL's class of sentences asks for, and its sentences; None if it names none.

    The class carries the difference of two parsers; only links set it.
    """
    name = state.get("class")
    if not name:
        return None
    over = "all" if state.get("over") == "all" else "scored"
    figure = "mean" if state.get("average") == "mean" else "pooled"
    pair = pair_named(comparisons(run, metric, figure, over), state.get("pair"))
    found = None if pair is None else class_mask(run, pair, over, name)
    if pair is None or found is None:
        return None
    says, mask = found
    return f"{says} (where {pair.one} and {pair.other} are compared)", mask
