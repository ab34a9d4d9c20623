"""Cached reads of a run: shared between sessions and reruns, so callers must not change them.

Scores, ranks and filters of a parser's sentences are arrays: long lists are sorted without their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.disagreement import DIGITS, RankedValues, compared_metrics, metric_distances as distances_of
from evaltools.analysis.leaderboard import leaderboard
from evaltools.analysis.standing import Standing, order_of, standings as standings_of
from evaltools.analysis.summary import Summary, summarize
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.views import Sentence, sentence_of
from evaltools.runs import sentences as stored
from evaltools.runs.sentences import Facts
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]
P = ParamSpec("P")
R = TypeVar("R")


def run_key(run: Run) -> str:
    """Return the cache key of a run, which changes when it is scored again."""
    return "\n".join((str(run.path), run.signature, str(run.meta.get("created", ""))))


def cached_by_run(max_entries: int, spinner: str | bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that keeps what a function computes from runs, which are known by `run_key`.

    It returns the object itself, where ``st.cache_data`` would copy it each time.
    """
    return st.cache_resource(max_entries=max_entries, show_spinner=spinner, hash_funcs={Run: run_key})


@cached_by_run(8)
def sums(run: Run, cluster: str = "") -> Sums:
    """Return the sums of all counts and scores over groups of sentences, or over the values of a column, `cluster`."""
    return sum_sentences(run, run.metrics, cluster=cluster)


@cached_by_run(8)
def board(run: Run, cluster: str = "") -> pd.DataFrame:
    """Return all figures of all parsers, with intervals over sentences or over the values of a column."""
    return leaderboard(sums(run, cluster), run.parsers, run.metrics)


@cached_by_run(64)
def leader(run: Run, metric: str = "") -> str:
    """Return the parser to begin with: the best default figure, by the main metric if none is given; else the first."""
    metric = metric or run.main_metric
    metric = metric if metric in run.metrics else run.metrics[0]
    metric_sums = sum_sentences(run, [metric])
    figures = {name: metric_sums.of(name).figure(METRICS[metric], run.default_figure) for name in run.parsers}
    order = order_of(figures, metric)
    return order[0] if order else run.parsers[0]


@cached_by_run(32, "Comparing the parsers …")
def _standings(run: Run, metrics: tuple[str, ...], figure: str, cluster: str) -> dict[str, Standing]:
    return standings_of(sums(run, cluster), run.parsers, metrics, figure)


@cached_by_run(32, "Comparing the parsers …")
def summary(run: Run, metrics: Sequence[str], figure: str, main: str, cluster: str = "") -> Summary:
    """Return the table of the parsers, as ``report`` prints it, by one figure of several metrics."""
    ranked = standings(run, list(dict.fromkeys((*metrics, main))), figure, cluster)
    return summarize(run, sums(run, cluster), ranked, main)


@cached_by_run(256)
def sentence(run: Run, number: int, parser: str, other: str = "") -> Sentence:
    """Return a sentence of the run, aligned: gold and parser, or two parsers."""
    return sentence_of(run, number, parser, other)


def standings(run: Run, metrics: Sequence[str], figure: str, cluster: str = "") -> dict[str, Standing]:
    """Return where the parsers stand by one figure of several metrics, compared together.

    With `cluster`, a column of the metadata, its values (documents) are swapped and drawn as a whole.
    """
    usual = tuple(run.headline_metrics)
    table = dict(_standings(run, usual, figure, cluster)) if set(metrics) & set(usual) else {}
    for metric in metrics:
        if metric not in table:
            table |= _standings(run, (metric,), figure, cluster)
    return {metric: table[metric] for metric in metrics}


def standing(run: Run, metric: str, figure: str, cluster: str = "") -> Standing:
    """Return where the parsers stand by one figure."""
    return standings(run, [metric], figure, cluster)[metric]


@cached_by_run(8)
def facts(run: Run, parser: str) -> Facts:
    """Return length and status of every sentence."""
    return stored.columns(run, parser, ())[0]


@cached_by_run(64)
def scores(run: Run, parser: str, metric: str) -> Scores:
    """Return the score of every sentence, NaN where undefined."""
    return stored.columns(run, parser, (metric,))[1][metric]


def aligned(run: Run, parser: str, metric: str) -> Mask:
    """Return which of the sentences that have a score have other words than the gold tree."""
    values = scores(run, parser, metric)
    if not next(entry["words_differ"] for entry in run.meta["parsers"] if entry["name"] == parser):
        return np.zeros(len(values), dtype=np.bool_)
    differ: Mask = facts(run, parser).has_status(SentenceStatus.WORDS_DIFFER.label) & ~np.isnan(values)
    return differ


@cached_by_run(16)
def errors(run: Run, parser: str) -> Scores | None:
    """Return the number of errors of every sentence, NaN where undefined; None if the run does not count them."""
    return stored.error_counts(run, parser)


@cached_by_run(16)
def largest_repairs(run: Run, parser: str) -> Scores | None:
    """Return how many errors the largest repair of every sentence mends; None if the run has no repairs."""
    return stored.largest_repairs(run, parser)


def first_sentence(run: Run, parser: str) -> int:
    """Return the sentence to begin with: the most instructive one; without errors, or their numbers, the first."""
    counts = errors(run, parser)
    if counts is None or not np.nanmax(counts, initial=0):
        return 1
    return int(in_order(run, parser, run.main_metric, "", "instructive")[0])


@cached_by_run(8)
def ranks(run: Run, parser: str, metric: str) -> Scores:
    """Return the rank of every sentence; 1 is the worst, and equal scores share the mean of their ranks."""
    values = scores(run, parser, metric)
    defined = ~np.isnan(values)
    values_worst_first = values[defined] if METRICS[metric].higher_is_better else -values[defined]
    result = np.full(len(values), np.nan)
    result[defined] = RankedValues.of(values_worst_first).mean_ranks()
    return result


@cached_by_run(16)
def metric_distances(run: Run, parser: str) -> pd.DataFrame:
    """Return Kendall's distances of the headline metrics; of a long run, over evenly spaced sentences."""
    return distances_of({metric: scores(run, parser, metric) for metric in compared_metrics(run, parser)})


@cached_by_run(12)
def differences(run: Run, parser: str, metric: str, against: str) -> Scores:
    """Return by how many ranks each sentence is worse by one metric than by another."""
    return ranks(run, parser, against) - ranks(run, parser, metric)


@cached_by_run(16)
def in_order(run: Run, parser: str, metric: str, against: str, order: str) -> NDArray[np.int32]:
    """Return the numbers of all sentences in an order; those without a value come last."""
    if order == "file":
        return np.arange(1, run.n_sentences + 1, dtype=np.int32)
    words = facts(run, parser).words
    if order == "instructive":
        counts = errors(run, parser)
        assert counts is not None
        return stored.instructive_first(words, counts, largest_repairs(run, parser))
    sort_key = _sort_key(run, parser, metric, against, order, words)
    undefined = np.isnan(sort_key)
    sort_key = np.where(undefined, sort_key[~undefined].max(initial=0) + 1, sort_key)
    # among equal sentences the longer one first: it has more errors
    places = np.lexsort((-words, np.round(sort_key, DIGITS)))
    return places.astype(np.int32) + np.int32(1)


def _sort_key(run: Run, parser: str, metric: str, against: str, order: str, words: NDArray[np.int32]) -> Scores:
    """Return a value for every sentence, the lowest for the first."""
    if order in ("errors", "per_word"):
        counts = errors(run, parser)
        assert counts is not None
        return -counts if order == "errors" else -counts / np.maximum(words, 1)
    if order in ("either", "first", "second"):
        difference = differences(run, parser, metric, against)
        by_order: dict[str, Scores] = {"either": -np.abs(difference), "first": -difference, "second": difference}
        return by_order[order]
    values = scores(run, parser, metric)
    return values if METRICS[metric].higher_is_better == (order == "worst") else -values


def rows(run: Run, parser: str, sentences: NDArray[np.int32], metrics: Sequence[str]) -> pd.DataFrame:
    """Return ``sentence``, ``words``, ``status``, ``text`` and scores of some sentences, in the order given."""
    indices = sentences - 1
    known = facts(run, parser)
    columns: dict[str, Any] = {"sentence": sentences, "words": known.words[indices], "status": known.labels(indices)}
    columns["text"] = stored.texts_of(run, sentences)
    return pd.DataFrame(columns | {metric: scores(run, parser, metric)[indices] for metric in metrics})


@cached_by_run(8)
def differing(run: Run, metric: str) -> Mask:
    """Return the sentences that not all parsers have the same score on."""
    first, *others = (scores(run, parser, metric).round(12) for parser in run.parsers)
    differ = np.zeros(run.n_sentences, dtype=np.bool_)
    for values in others:
        differ |= (first != values) & ~(np.isnan(first) & np.isnan(values))
    return differ


@cached_by_run(32)
def with_text(run: Run, text: str, *, regex: bool = False) -> Mask:
    """Return the sentences that hold a text, or match a regular expression."""
    return stored.with_text(run, text, regex=regex)


@cached_by_run(32)
def with_label(run: Run, parser: str, label: str) -> Mask:
    """Return the sentences with a phrase of a label in either tree."""
    return stored.with_label(run, parser, label)
