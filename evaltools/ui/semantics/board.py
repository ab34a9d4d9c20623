"""The table of a run of semantic graphs, with its own or with edited weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from evaltools.analysis.comparison.standing import standings
from evaltools.analysis.summary import Summary, summarize
from evaltools.frameworks.weights import Weights
from evaltools.runs.folders.database import FrameTables
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences
from evaltools.ui.session import data


@dataclass(frozen=True)
class Board:
    """The summary of all parsers under some weights."""

    identity: str  # Of the weights; empty for those of the run
    summary: Callable[[Sequence[str], str, str], Summary]  # From metrics, figure and main metric


def board_of(run: Run, weights: Weights, rules: Any, cluster: str = "") -> Board:
    """Return the summary under the weights of some rules; None for those of the run.

    With `cluster`, a column of the metadata, its values (documents) are swapped and drawn as a whole.
    """
    if rules is None:
        return Board("", partial(data.summary, run, cluster=cluster))
    identity = weights.identity(rules)
    key = data.run_key(run)
    sums = _reweighted(key, identity, cluster, run, weights, rules)
    return Board(
        identity,
        lambda metrics, figure, main: _summary(
            f"{key}\n{identity}\n{cluster}", tuple(dict.fromkeys((*metrics, main))), figure, main, sums, run
        ),
    )


@data.of_runs(16, "Weighing the triples …")
def _reweighted(key: str, identity: str, cluster: str, _run: Run, _weights: Weights, _rules: Any) -> Sums:
    metadata = {"metadata": _run.query("select * from metadata")} if cluster else {}
    tables = FrameTables(_run.parsers, _run.n_sentences, _weights.sentences(_run, _rules), **metadata)
    return sum_sentences(tables, _run.metrics, cluster=cluster)


@data.of_runs(32, "Comparing the parsers …")
def _summary(key: str, metrics: tuple[str, ...], figure: str, main: str, _sums: Sums, _run: Run) -> Summary:
    return summarize(_run, _sums, standings(_sums, _run.parsers, metrics, figure), main)
