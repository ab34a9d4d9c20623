"""The sentences of a parser in an order, as arrays: long lists are sorted and filtered without their rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.metrics import METRICS
from evaltools.normalize import Status
from evaltools.runs import search, sentence_columns
from evaltools.runs.sentence_columns import Facts
from evaltools.runs.store import Run
from evaltools.ui.data import run_key

__all__ = [
    "Spread",
    "differences",
    "differing",
    "facts",
    "in_order",
    "n_aligned",
    "rows",
    "scores",
    "spread",
    "with_label",
    "with_text",
]

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Spread:
    """How the scores of a parser's sentences lie.

    Parameters
    ----------
    scored : int
        Sentences that have a score.
    worst : float
        The worst score, NaN if there is none.
    n_worst : int
        How many sentences share it.
    quarter : float
        The score that a quarter of them do not exceed.
    perfect : int
        How many have the best score there can be.
    low, high : float
        The lowest and the highest score.
    """

    scored: int
    worst: float
    n_worst: int
    quarter: float
    perfect: int
    low: float
    high: float


@st.cache_resource(max_entries=8, show_spinner=False)
def _facts(key: str, parser: str, _run: Run) -> Facts:
    return sentence_columns.facts(_run, parser)


@st.cache_resource(max_entries=24, show_spinner=False)
def _scores(key: str, parser: str, metric: str, _run: Run) -> Scores:
    return sentence_columns.scores(_run, parser, metric)


@st.cache_resource(max_entries=64, show_spinner=False)
def _spread(key: str, parser: str, metric: str, _run: Run) -> Spread:
    values = scores(_run, parser, metric)
    known = values[~np.isnan(values)]
    one = METRICS[metric]
    if not len(known):
        nothing = float("nan")
        return Spread(0, nothing, 0, nothing, 0, nothing, nothing)
    low, high = float(known.min()), float(known.max())
    worst = low if one.higher_is_better else high
    best = known >= 1 - 1e-12 if one.higher_is_better else known == 0
    quarter = float(np.quantile(known, 0.25))
    return Spread(len(known), worst, int((known == worst).sum()), quarter, int(best.sum()), low, high)


@st.cache_resource(max_entries=12, show_spinner=False)
def _differences(key: str, parser: str, metric: str, against: str, _run: Run) -> Scores:
    return _ranks(_run, parser, against) - _ranks(_run, parser, metric)


@st.cache_resource(max_entries=16, show_spinner=False)
def _in_order(key: str, parser: str, metric: str, against: str, order: str, _run: Run) -> NDArray[np.int32]:
    if order == "file":
        return np.arange(1, _run.n_sentences + 1, dtype=np.int32)
    if against:
        difference = differences(_run, parser, metric, against)
        by = {"either": -np.abs(difference), "first": -difference, "second": difference}[order]
    else:
        values = scores(_run, parser, metric)
        by = values if METRICS[metric].higher_is_better == (order == "worst") else -values
    # among equals the longer sentence first: more went wrong in it; two stable sorts are faster than one by both
    by_length = np.argsort(-facts(_run, parser).words, kind="stable")
    places = by_length[np.argsort(by[by_length], kind="stable")]
    return (places + 1).astype(np.int32)


@st.cache_resource(max_entries=16, show_spinner=False)
def _rows(key: str, parser: str, sentences: bytes, metrics: tuple[str, ...], _run: Run) -> pd.DataFrame:
    return sentence_columns.rows_of(_run, parser, np.frombuffer(sentences, dtype=np.int32).tolist(), metrics)


@st.cache_resource(max_entries=8, show_spinner=False)
def _differing(key: str, metric: str, _run: Run) -> Mask:
    first, *others = (scores(_run, parser, metric).round(12) for parser in _run.parsers)
    differ = np.zeros(_run.n_sentences, dtype=np.bool_)
    for other in others:
        differ |= (first != other) & ~(np.isnan(first) & np.isnan(other))
    return differ


@st.cache_resource(max_entries=32, show_spinner=False)
def _with_text(key: str, text: str, regex: bool, word: bool, _run: Run) -> Mask:
    return search.with_word(_run, text) if word else search.with_text(_run, text, regex=regex)


@st.cache_resource(max_entries=32, show_spinner=False)
def _with_label(key: str, parser: str, label: str, _run: Run) -> Mask:
    return search.with_label(_run, parser, label)


def _ranks(run: Run, parser: str, metric: str) -> Scores:
    """Rank 1 is the worst; equal scores share the mean of their ranks."""
    values = pd.Series(scores(run, parser, metric))
    ranks = np.asarray(values.rank(ascending=METRICS[metric].higher_is_better, na_option="keep"), dtype=np.float64)
    return ranks


def facts(run: Run, parser: str) -> Facts:
    """Return length and status of every sentence."""
    return _facts(run_key(run), parser, run)


def scores(run: Run, parser: str, metric: str) -> Scores:
    """Return the score of every sentence, NaN where undefined."""
    return _scores(run_key(run), parser, metric, run)


def spread(run: Run, parser: str, metric: str) -> Spread:
    """Return how the scores lie."""
    return _spread(run_key(run), parser, metric, run)


def n_aligned(run: Run, parser: str, metric: str) -> int:
    """Return how many of the sentences that have a score have other words than the gold tree."""
    differ = facts(run, parser).has_status(Status.WORDS_DIFFER.label)
    if not differ.any():
        return 0
    return int((differ & ~np.isnan(scores(run, parser, metric))).sum())


def differences(run: Run, parser: str, metric: str, against: str) -> Scores:
    """Return how many ranks worse each sentence is by a metric than by another."""
    return _differences(run_key(run), parser, metric, against, run)


def in_order(run: Run, parser: str, metric: str, against: str, order: str) -> NDArray[np.int32]:
    """Return the numbers of all sentences in an order; those without a score come last.

    Parameters
    ----------
    run : Run
        The run.
    parser, metric : str
        Whose scores, by which metric.
    against : str
        Another metric, whose ranks are compared; or nothing.
    order : str
        ``"file"``; ``"worst"`` or ``"best"``; with `against`, ``"either"``, ``"first"`` or ``"second"``: the largest
        differences of the ranks, either way or worse by the metric, or by the other.
    """
    return _in_order(run_key(run), parser, metric, against, order, run)


def rows(run: Run, parser: str, sentences: NDArray[np.int32], metrics: tuple[str, ...]) -> pd.DataFrame:
    """Return ``sentence``, ``words``, ``status``, ``text`` and scores of some sentences; not to be changed."""
    return _rows(run_key(run), parser, sentences.tobytes(), metrics, run)


def differing(run: Run, metric: str) -> Mask:
    """Return the sentences that not all parsers have the same score on."""
    return _differing(run_key(run), metric, run)


def with_text(run: Run, text: str, *, regex: bool = False, word: bool = False) -> Mask:
    """Return the sentences that hold a text, match a regular expression, or have a whole word.

    Raises
    ------
    ParameterError
        If the regular expression cannot be read.
    """
    return _with_text(run_key(run), text, regex, word, run)


def with_label(run: Run, parser: str, label: str) -> Mask:
    """Return the sentences with a phrase of a label in either tree."""
    return _with_label(run_key(run), parser, label, run)
