"""Cached reads of a run: shared between sessions and reruns, so callers must not change them."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

import pandas as pd
import streamlit as st

from evaltools.analysis.standing import Standing, order_of
from evaltools.analysis.standing import standings as standings_of
from evaltools.analysis.summary import Summary, summarize
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.views import Sentence
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, figure_of, sum_sentences

P = ParamSpec("P")
R = TypeVar("R")

_MAX_PROBLEMS = 10_000
_MAX_BYTES = 32 << 20
"""Of the folders of runs whose results are kept; in memory these take about ten times as much."""

_CACHES: list[Any] = []
"""What is computed from runs."""


def run_key(run: Run) -> str:
    """Return the cache key of a run, which changes when it is scored again."""
    return "\n".join((str(run.path), run.signature, str(run.meta.get("created", ""))))


@dataclass
class _Kept:
    """The runs whose results may be kept, with the bytes of their folders."""

    bytes: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource(show_spinner=False)
def _kept() -> _Kept:
    return _Kept()


def bound(run: Run, size: int) -> None:
    """Forget what was computed from all runs, before that of one more would be too much; `size`: its folder's bytes."""
    kept, key = _kept(), run_key(run)
    with kept.lock:
        if key in kept.bytes:
            return
        kept.bytes[key] = size
        if len(kept.bytes) == 1 or sum(kept.bytes.values()) <= _MAX_BYTES:
            return
        kept.bytes = {key: kept.bytes[key]}
    for cached in _CACHES:
        cached.clear()


def of_runs(
    max_entries: int, spinner: str | bool = False, **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that caches what is computed from runs; see :func:`bound`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        # cache_resource returns the object itself; cache_data would copy it each time
        cached = st.cache_resource(max_entries=max_entries, show_spinner=spinner, **options)(function)
        _CACHES.append(cached)
        return cached

    return decorate


def cached_by_run(max_entries: int, spinner: str | bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that caches the results of a function; runs among its arguments are known by `run_key`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        cached = of_runs(max_entries, spinner, hash_funcs={Run: run_key})(function)
        signature = inspect.signature(function)

        @functools.wraps(function)
        def known(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()  # the cache would take a default that is left out for another call
            return cached(*bound.args, **bound.kwargs)

        return known

    return decorate


@cached_by_run(8)
def sums(run: Run, cluster: str = "") -> Sums:
    """Return the sums of all counts and scores over groups of sentences, or over the values of a column, `cluster`."""
    return sum_sentences(run, run.metrics, cluster=cluster)


@cached_by_run(64)
def _leader(run: Run, metric: str) -> str:
    metric = metric if metric in run.metrics else run.metrics[0]
    metric_sums = sum_sentences(run, [metric])
    figures = {name: figure_of(metric_sums.of(name), METRICS[metric], run.default_figure) for name in run.parsers}
    order = order_of(figures, metric)
    return order[0] if order else run.parsers[0]


@cached_by_run(32, "Comparing the parsers …")
def _standings(run: Run, metrics: tuple[str, ...], figure: str, cluster: str) -> dict[str, Standing]:
    return standings_of(sums(run, cluster), run.parsers, metrics, figure)


@cached_by_run(32, "Comparing the parsers …")
def _summary(run: Run, metrics: tuple[str, ...], figure: str, main: str, cluster: str) -> Summary:
    ranked = standings(run, list(dict.fromkeys((*metrics, main))), figure, cluster)
    return summarize(run, sums(run, cluster), ranked, main)


def summary(run: Run, metrics: Sequence[str], figure: str, main: str, cluster: str = "") -> Summary:
    """Return the table of the parsers, as ``report`` prints it, by one figure of several metrics."""
    return _summary(run, tuple(metrics), figure, main, cluster)


@cached_by_run(256)
def sentence(run: Run, number: int, parser: str, other: str = "") -> Sentence:
    """Return a sentence of the run, aligned: gold and parser, or two parsers."""
    return run.framework.sentence(run, number, parser, other)


@cached_by_run(8)
def problems(run: Run) -> tuple[int, pd.DataFrame]:
    """Return the number of problems in the inputs, and the first of them."""
    return int(run.meta["tables"]["problems"]["rows"]), run.query(f"select * from problems limit {_MAX_PROBLEMS}")


def leader(run: Run, metric: str | None = None) -> str:
    """Return the parser to begin with: the best default figure; the first if none has one."""
    return _leader(run, metric or run.main_metric)


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
