"""Filters over the sentences of a parser: widgets in, masks out, each with the words that say what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st
from numpy.typing import NDArray

from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui import data, state
from evaltools.ui.pickers import choice_picker

__all__ = ["NAMES", "Filter", "reset_filters", "sentence_filters"]

NAMES = ("q", "regex", "word", "label", "length", "score", "status", "differ", "marked")
"""What the filters are called in the URL."""

_STATUSES = {"": "any", "ok": "scored", "missing": "parse missing", "words_differ": "words differ"}


@dataclass(frozen=True)
class Filter:
    """One condition on sentences.

    Parameters
    ----------
    says : str
        What it asks for.
    keep : ndarray of bool, shape (rows,)
        The rows that fulfil it.
    """

    says: str
    keep: NDArray[np.bool_]


def reset_filters() -> None:
    """Take all filters out of the URL."""
    state.put(**dict.fromkeys(NAMES))


@st.cache_resource(max_entries=32, show_spinner=False)
def _with_label(key: str, parser: str, label: str, _run: Run) -> NDArray[np.int32]:
    rows = _run.query(
        "select distinct sentence from brackets where parser = ? and label = ? and 'phrase' in (gold_kind, test_kind)",
        [parser, label],
    )
    return rows["sentence"].to_numpy(dtype=np.int32)


@st.cache_resource(max_entries=32, show_spinner=False)
def _that_differ(key: str, metric: str, _run: Run) -> NDArray[np.int32]:
    rows = data.sentences(_run)[["sentence", metric]].round(12)
    distinct = rows.groupby("sentence")[metric].nunique(dropna=False)
    return distinct[distinct > 1].index.to_numpy(dtype=np.int32)


def sentence_filters(run: Run, rows: pd.DataFrame, parser: str, metric: str, marked: set[int]) -> list[Filter]:
    """Draw the filters and return those in use.

    Parameters
    ----------
    run : Run
        The run.
    rows : DataFrame
        One row a sentence, with ``sentence``, ``words``, ``status``, ``text`` and the metric.
    parser, metric : str
        What is shown.
    marked : set of int
        Bookmarked sentences.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = _text("q", "Text", "part of the sentence", width=340)
        regex = st.toggle("regular expression", **state.bind("regex", state.get("regex") == "1", False, write=int))
        used = sum(bool(state.get(name)) for name in NAMES[2:])
        with st.popover(f"More filters ({used} in use)" if used else "More filters", icon=":material/filter_list:"):
            word = _text("word", "Word", "one whole word")
            labels = ["", *data.labels(run)]
            label = choice_picker("Label, in either tree", labels, name="label", default="", titles={"": "any"})
            length = _range("length", "Length in words", 0, int(rows["words"].max() if len(rows) else 0), 1)
            score = _score_range(metric, rows)
            status = choice_picker("Status", list(_STATUSES), name="status", default="", titles=_STATUSES)
            differ = st.toggle(
                "parsers differ (not the same score for all)",
                **state.bind("differ", state.get("differ") == "1", False, write=int),
            )
            only_marked = st.toggle(
                "bookmarked only", **state.bind("marked", state.get("marked") == "1", False, write=int)
            )
    found: list[Filter] = []

    def add(says: str, keep: Callable[[], NDArray[np.bool_] | pd.Series]) -> None:
        found.append(Filter(says, np.asarray(keep(), dtype=np.bool_)))

    sentence = rows["sentence"]
    if search:
        _add_search(search, regex, rows["text"], found)
    if word:
        add(f"word “{word}”", lambda: _contains_word(rows["text"], word))
    if label:
        add(f"label {label}", lambda: sentence.isin(_with_label(data.run_key(run), parser, label, run)))
    if length is not None:
        add(f"{length[0]:.0f} to {length[1]:.0f} words", lambda: rows["words"].between(*length))
    if score is not None:
        add(f"{METRICS[metric].title} from {score[0]:g} to {score[1]:g}", lambda: rows[metric].between(*score))
    if status:
        add(_STATUSES[status], lambda: rows["status"] == status)
    if differ:
        add("parsers differ", lambda: sentence.isin(_that_differ(data.run_key(run), metric, run)))
    if only_marked:
        add("bookmarked", lambda: sentence.isin(marked))
    return found


def _add_search(search: str, regex: bool, texts: pd.Series, found: list[Filter]) -> None:
    column = pa.array(texts, pa.string())
    if not regex:
        keep = pc.match_substring(column, search, ignore_case=True)
        found.append(Filter(f"text contains “{search}”", keep.to_numpy(zero_copy_only=False)))
        return
    try:  # RE2: linear in the text whatever the pattern
        keep = pc.match_substring_regex(column, search, ignore_case=True)
    except pa.ArrowInvalid as error:
        st.error("The regular expression cannot be read; it is left out.")
        st.code(str(error).removeprefix("Invalid regular expression: "), language=None, wrap_lines=True)
        return
    found.append(Filter(f"text matches {search}", keep.to_numpy(zero_copy_only=False)))


def _contains_word(texts: pd.Series, word: str) -> NDArray[np.bool_]:
    padded = pa.array([f" {text} " for text in texts], pa.string())
    keep: NDArray[np.bool_] = pc.match_substring(padded, f" {word} ", ignore_case=True).to_numpy(zero_copy_only=False)
    return keep


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


def _score_range(metric: str, rows: pd.DataFrame) -> tuple[float, float] | None:
    values = rows[metric].dropna()
    if METRICS[metric].is_share:
        low = min(0.0, float(np.floor(values.min() * 10) / 10)) if len(values) else 0.0
        return _range("score", METRICS[metric].title, low, 1.0, 0.01, "%.2f")
    return _range("score", METRICS[metric].title, 0.0, float(values.max() if len(values) else 0.0), 1.0, "%.0f")
