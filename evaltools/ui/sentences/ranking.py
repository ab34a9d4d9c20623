"""The sentences of a parser in an order, as arrays: long lists are sorted and filtered without their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.ranked_values import RankedValues
from evaltools.metrics import METRICS
from evaltools.normalize import Status
from evaltools.runs import search, sentence_columns
from evaltools.runs.search import GoldTexts
from evaltools.runs.sentence_columns import Facts
from evaltools.runs.store import Run
from evaltools.ui.session.data import run_key

__all__ = [
    "Spread",
    "differences",
    "differing",
    "facts",
    "in_order",
    "n_aligned",
    "read",
    "rows",
    "scores",
    "spread",
    "with_label",
    "with_text",
]

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MOST_COLUMNS = 12
"""Most metrics of a parser whose scores are kept."""


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


@dataclass(slots=True)
class _Read:
    """What has been read of a parser: of long runs all that a page needs is read at once."""

    facts: Facts | None = None
    scores: dict[str, Scores] = field(default_factory=dict)


@st.cache_resource(max_entries=8, show_spinner=False)
def _read(key: str, parser: str) -> _Read:
    return _Read()


def read(run: Run, parser: str, metrics: Sequence[str]) -> tuple[Facts, list[Scores]]:
    """Return facts, and scores by some metrics; what is not known yet is read at once."""
    known = _read(run_key(run), parser)
    facts, scores = known.facts, {metric: known.scores.get(metric) for metric in metrics}
    missing = [metric for metric, values in scores.items() if values is None]
    if missing or facts is None:
        more, found = sentence_columns.columns(run, parser, missing, with_facts=facts is None)
        scores |= found
        known.facts = facts = facts or more
        known.scores |= found
        for oldest in list(known.scores)[:-_MOST_COLUMNS]:
            known.scores.pop(oldest, None)
    assert facts is not None
    return facts, [values for values in scores.values() if values is not None]


@st.cache_resource(max_entries=2, show_spinner=False)
def _texts(key: str, _run: Run) -> GoldTexts:
    return GoldTexts.of(_run)


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
    return _ranks(key, parser, against, _run) - _ranks(key, parser, metric, _run)


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
    longest_first = RankedValues.of(-facts(_run, parser).words.astype(np.float64)).order()
    unknown = np.isnan(by)
    by = np.where(unknown, by[~unknown].max(initial=0) + 1, by)
    # among equals the longer sentence first: more went wrong in it
    return RankedValues.of(by).order(longest_first) + np.int32(1)


@st.cache_resource(max_entries=8, show_spinner=False)
def _differing(key: str, metric: str, _run: Run) -> Mask:
    first, *others = (scores(_run, parser, metric).round(12) for parser in _run.parsers)
    differ = np.zeros(_run.n_sentences, dtype=np.bool_)
    for other in others:
        differ |= (first != other) & ~(np.isnan(first) & np.isnan(other))
    return differ


@st.cache_resource(max_entries=32, show_spinner=False)
def _with_text(key: str, text: str, regex: bool, word: bool, _run: Run) -> Mask:
    texts = _texts(key, _run)
    return texts.with_word(text) if word else texts.with_text(text, regex=regex)


@st.cache_resource(max_entries=32, show_spinner=False)
def _with_label(key: str, parser: str, label: str, _run: Run) -> Mask:
    return search.with_label(_run, parser, label)


@st.cache_resource(max_entries=8, show_spinner=False)
def _ranks(key: str, parser: str, metric: str, _run: Run) -> Scores:
    """Rank 1 is the worst; equal scores share the mean of their ranks."""
    values = scores(_run, parser, metric)
    known = ~np.isnan(values)
    ranks = np.full(len(values), np.nan)
    ranks[known] = RankedValues.of(values[known] if METRICS[metric].higher_is_better else -values[known]).mean_ranks()
    return ranks


def facts(run: Run, parser: str) -> Facts:
    """Return length and status of every sentence."""
    return read(run, parser, ())[0]


def scores(run: Run, parser: str, metric: str) -> Scores:
    """Return the score of every sentence, NaN where undefined."""
    return read(run, parser, (metric,))[1][0]


def spread(run: Run, parser: str, metric: str) -> Spread:
    """Return how the scores lie."""
    return _spread(run_key(run), parser, metric, run)


def n_aligned(run: Run, parser: str, metric: str) -> int:
    """Return how many of the sentences that have a score have other words than the gold tree."""
    if not next(entry["words_differ"] for entry in run.meta["parsers"] if entry["name"] == parser):
        return 0
    differ = facts(run, parser).has_status(Status.WORDS_DIFFER.label)
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


def rows(run: Run, parser: str, sentences: NDArray[np.int32], metrics: Sequence[str]) -> pd.DataFrame:
    """Return ``sentence``, ``words``, ``status``, ``text`` and scores of some sentences, in the order given."""
    places = sentences - 1
    known, found = read(run, parser, metrics)
    columns: dict[str, Any] = {"sentence": sentences, "words": known.words[places], "status": known.labels(places)}
    columns["text"] = _texts(run_key(run), run).at(places)
    return pd.DataFrame(columns | {metric: one[places] for metric, one in zip(metrics, found, strict=True)})


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
