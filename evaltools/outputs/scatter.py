"""Charts of two metrics: both scores of each sentence, and the figures of every parser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from evaltools.analysis.disagreement import Disagreement
from evaltools.analysis.rankings import AVERAGES
from evaltools.analysis.standing import order_of
from evaltools.blocks import Chart
from evaltools.charts.disagreement import disagreement_chart
from evaltools.charts.lines import figures_chart
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import size_column
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.outputs.vega import CHART_FILES, chart_file
from evaltools.runs.store import Run
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
    """Return the micro and macro figures of some metrics, a line each, the worst parser first, as Emms (2008).

    Raises ParameterError if the run has no such metric, or metrics have different units.
    """
    names = list(dict.fromkeys(metric_id(name, run.metrics) for name in metrics))
    units = dict.fromkeys(METRICS[name].unit for name in names)
    if len(units) > 1:
        raise ParameterError(f"metrics of one unit are drawn together, not {listing(list(units))}")
    end = "_all" if run.default_over == "all" else ""
    figures = {(row["metric"], row["parser"]): row for row in run.figures()}
    rows = pd.DataFrame(
        [
            {
                "line": f"{METRICS[name].short}, {average}",
                "parser": parser,
                "value": figures[name, parser][f"{figure}{end}"],
                "n": figures[name, parser][size_column(f"{figure}{end}")],
            }
            for figure, average in AVERAGES.items()
            for name in names
            for parser in run.parsers
        ]
    ).dropna(subset=["value"])
    first = rows[rows["line"] == f"{METRICS[names[0]].short}, micro"]
    order = order_of(dict(zip(first["parser"], first["value"], strict=True)), names[0])[::-1]
    over = f"all {run.n_counted:,} sentences" if end else "the parsed sentences of each parser"
    titles = listing([METRICS[name].title for name in names], len(names))
    return Chart(figures_chart(rows, order, METRICS[names[0]]), f"{titles}, micro and macro over {over}")


def chart_bytes(chart: Chart, out: Path, signature: str) -> bytes:
    """Return the content of a file of a chart, in the format of its suffix.

    Raises ParameterError if no kind of file has this end.
    """
    kinds = {suffix: kind for kind, (_, suffix, *_) in CHART_FILES.items()}
    kind = next((kind for suffix, kind in kinds.items() if out.name.endswith(f".{suffix}")), None)
    if kind is None:
        raise ParameterError.unknown("end of a file's name", out.suffix, [f".{suffix}" for suffix in kinds])
    return chart_file(chart.specification, kind, f"{chart.title}.\n{signature}")
