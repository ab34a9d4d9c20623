"""Commands that compare: two metrics with one another."""

from __future__ import annotations

from typing import Annotated

import typer

from evaltools.console import write
from evaltools.errors import ParameterError

__all__ = ["disagree"]


def disagree(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    metric_a: Annotated[str, typer.Argument(metavar="METRIC", help="The one metric.")],
    metric_b: Annotated[str, typer.Argument(metavar="METRIC", help="The other.")],
    parser: Annotated[str, typer.Option(metavar="NAME", help="Whose sentences they rank.")],
    format: Annotated[str, typer.Option(help="text, json or csv.")] = "text",  # noqa: A002 - the option's name
    limit: Annotated[int, typer.Option(metavar="N", min=0, help="How many of the sentences furthest apart.")] = 20,
) -> None:
    """Show where two metrics disagree about a parser's sentences."""
    from evaltools.analysis.disagreement import disagreement
    from evaltools.reports.disagreement_report import DISAGREEMENT_REPORTS
    from evaltools.runs.store import Run

    if format not in DISAGREEMENT_REPORTS:
        raise ParameterError.unknown("format", format, DISAGREEMENT_REPORTS)
    opened = Run(run)
    for metric in (metric_a, metric_b):
        if metric not in opened.metrics:
            raise ParameterError.unknown("metric", metric, opened.metrics)
    found = disagreement(opened.sentences(parser), metric_a, metric_b, parser)
    write(DISAGREEMENT_REPORTS[format](opened, parser, (metric_a, metric_b), found, limit))
