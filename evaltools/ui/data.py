"""What the pages read of a run, each frame once: shared between sessions and reruns, never to be changed.

``cache_resource`` hands out one object without copying or hashing it; the key is the run's folder and its signature.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from evaltools.analysis.leaderboard import common_figures
from evaltools.analysis.standing import Standing, order_of
from evaltools.analysis.standing import standings as standings_of
from evaltools.metrics import MAIN_METRIC_OF
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import GraphAlignment
from evaltools.metrics.mapping import Alignment
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences

__all__ = [
    "alignment",
    "dependency_alignment",
    "graphs",
    "leader",
    "main_metric",
    "problems",
    "run_key",
    "standing",
    "standings",
    "sums",
]

COLUMNS = (
    *("e_dice_roof", "e_dice_whole", "t_dice"),
    *("uas", "las", "label_accuracy"),
    *("tedeval_multiple_unlabelled", "tedeval_multiple_labelled"),
    *("tedeval_single_unlabelled", "tedeval_single_labelled"),
    *("tedeval2011_unlabelled", "tedeval2011_labelled"),
    *("la_strict", "la_partial", "e_exact"),
    *("edm", "edm_precision", "edm_recall", "edm_na", "edm_n", "edm_a", "edm_p", "edm_exact"),
)
"""Metrics that tables of figures begin with; parsers are compared by all of them at once."""
PROBLEMS = 10_000
"""Most problems that are shown."""


def run_key(run: Run) -> str:
    """Return what tells one run from another, and from itself when scored again."""
    return "\n".join((str(run.path), run.signature, str(run.meta.get("created", ""))))


@st.cache_resource(max_entries=8, show_spinner=False)
def _sums(key: str, _run: Run) -> Sums:
    return sum_sentences(_run.answer, _run.metrics, _run.n_sentences, common=True)


@st.cache_resource(max_entries=64, show_spinner=False)
def _leader(key: str, metric: str, _run: Run) -> str:
    chosen = metric if metric in _run.metrics else _run.metrics[0]
    sums = sum_sentences(_run.answer, [chosen], _run.n_sentences, common=True)
    rows = common_figures(sums, _run.parsers, [chosen], ("pooled_all",))
    order = order_of(dict(zip(rows["parser"], rows["pooled_all_common"].tolist(), strict=True)), chosen)
    return order[0] if order else _run.parsers[0]


@st.cache_resource(max_entries=32, show_spinner="Comparing the parsers …")
def _standings(key: str, metrics: tuple[str, ...], figure: str, _run: Run) -> dict[str, Standing]:
    return standings_of(sums(_run), _run.parsers, metrics, figure)


@st.cache_resource(max_entries=256, show_spinner=False)
def _alignment(key: str, sentence: int, parser: str, other: str | None, _run: Run) -> Alignment | DependencyAlignment:
    return _run.alignment(sentence, parser, other)


@st.cache_resource(max_entries=8, show_spinner=False)
def _problems(key: str, _run: Run) -> pd.DataFrame:
    return _run.query(f"select * from problems limit {PROBLEMS}")


def problems(run: Run) -> tuple[int, pd.DataFrame]:
    """Return how many problems the inputs have, and the first of them."""
    return int(run.meta["rows"]["problems"]), _problems(run_key(run), run)


def sums(run: Run) -> Sums:
    """Return the sums of all counts and scores over groups of sentences."""
    return _sums(run_key(run), run)


def dependency_alignment(run: Run, sentence: int, parser: str, other: str | None = None) -> DependencyAlignment:
    """Return the alignment of a sentence of a run of dependency trees: gold and parser, or two parsers."""
    found = _alignment(run_key(run), sentence, parser, other, run)
    assert isinstance(found, DependencyAlignment)
    return found


def alignment(run: Run, sentence: int, parser: str, other: str | None = None) -> Alignment:
    """Return the alignment of a sentence of a run of constituency trees: gold and parser, or two parsers."""
    found = _alignment(run_key(run), sentence, parser, other, run)
    assert isinstance(found, Alignment)
    return found


@st.cache_resource(max_entries=128, show_spinner=False)
def _graphs(key: str, sentence: int, parser: str, other: str | None, _run: Run) -> GraphAlignment:
    return _run.graphs(sentence, parser, other)


def graphs(run: Run, sentence: int, parser: str, other: str | None = None) -> GraphAlignment:
    """Return the alignment of a sentence of a run of semantic graphs: gold and parser, or two parsers."""
    return _graphs(run_key(run), sentence, parser, other, run)


def main_metric(run: Run) -> str:
    """Return the metric that pages begin with; the run's first if it has not been computed."""
    metric = MAIN_METRIC_OF[run.kind]
    return metric if metric in run.metrics else run.metrics[0]


def leader(run: Run, metric: str | None = None) -> str:
    """Return the parser to begin with: the highest pooled figure over all sentences; the first if none has one."""
    return _leader(run_key(run), metric or main_metric(run), run)


def standings(run: Run, metrics: Sequence[str], figure: str) -> dict[str, Standing]:
    """Return where the parsers stand by one figure of several metrics, compared together.

    Parameters
    ----------
    run : Run
        The run.
    metrics : sequence of str
        Metric ids.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        The figure.
    """
    usual = tuple(metric for metric in COLUMNS if metric in run.metrics)
    found = dict(_standings(run_key(run), usual, figure, run)) if set(metrics) & set(usual) else {}
    for metric in metrics:
        if metric not in found:
            found |= _standings(run_key(run), (metric,), figure, run)
    return {metric: found[metric] for metric in metrics}


def standing(run: Run, metric: str, figure: str) -> Standing:
    """Return where the parsers stand by one figure."""
    return standings(run, [metric], figure)[metric]
