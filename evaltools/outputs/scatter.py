"""Charts of two metrics: both scores of each sentence, and the figures of every parser."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from evaltools.analysis.disagreement import Disagreement
from evaltools.analysis.leaderboard import leaderboard
from evaltools.analysis.standing import order_of
from evaltools.blocks import Chart
from evaltools.charts.disagreement import disagreement_chart
from evaltools.charts.intervals import figures_chart
from evaltools.charts.theme import specification
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import AVERAGES, size_column
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.runs.store import Run
from evaltools.runs.sums import sum_sentences
from evaltools.text import listing


def scatter_of(parser: str, metrics: tuple[str, str], result: Disagreement) -> Chart:
    """Return the two scores of each sentence of a parser as points."""
    first, second = (METRICS[name] for name in metrics)
    shares, alike = (first.is_share, second.is_share), first.unit == second.unit
    drawn = disagreement_chart(result.sentences, (first.title, second.title), shares=shares, alike=alike)
    title = f"{first.title} and {second.title} of {parser}, {len(result.sentences):,} sentences"
    note = "Larger points are more sentences." + (" On the gold line both scores are equal." if alike else "")
    return Chart(drawn, title, note)


def figures_of(run: Run, metrics: Sequence[str]) -> Chart:
    """Return the micro and macro figures of some metrics, a row a parser, as Emms (2008) plots them.

    Raises ParameterError if the run has no such metric, or metrics have different units.
    """
    names = list(dict.fromkeys(metric_id(name, run.metrics) for name in metrics))
    units = dict.fromkeys(METRICS[name].unit for name in names)
    if len(units) > 1:
        raise ParameterError(f"metrics of one unit are drawn together, not {listing(list(units))}")
    end = "_all" if run.default_over == "all" else ""
    board = leaderboard(sum_sentences(run, names), run.parsers, names)
    parts = []
    for figure, average in AVERAGES.items():
        ends = [f"{figure}{end}", f"{figure}{end}_low", f"{figure}{end}_high", size_column(f"{figure}{end}")]
        part = board[["parser", *ends]].set_axis(["parser", "value", "low", "high", "n"], axis=1)
        parts.append(part.assign(line=[f"{METRICS[name].short}, {average}" for name in board["metric"]]))
    rows = pd.concat(parts, ignore_index=True).dropna(subset=["value"])
    first = rows[rows["line"] == f"{METRICS[names[0]].short}, micro"]
    order = order_of(dict(zip(first["parser"], first["value"], strict=True)), names[0])
    over = f"all {run.n_counted:,} sentences" if end else "the parsed sentences of each parser"
    titles = listing([METRICS[name].title for name in names], len(names))
    title = f"{titles}, micro and macro over {over}, with 95 % intervals"
    return Chart(specification(figures_chart(rows, order, METRICS[names[0]])), title)
