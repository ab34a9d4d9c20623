"""Cached reads of a run: shared between sessions and reruns, so callers must not change them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

import pandas as pd
import streamlit as st

from evaltools.analysis.standing import Standing, order_of, standings as standings_of
from evaltools.analysis.summary import Summary, summarize
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.views import Sentence, sentence_of
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences

P = ParamSpec("P")
R = TypeVar("R")

_MAX_PROBLEMS = 10_000


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


@cached_by_run(8)
def problems(run: Run) -> tuple[int, pd.DataFrame]:
    """Return the number of problems in the inputs, and the first of them."""
    return int(run.meta["tables"]["problems"]["rows"]), run.query(f"select * from problems limit {_MAX_PROBLEMS}")


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
