"""Commands that compare: two parsers, two metrics, or the analyses of a list, with one another."""

from __future__ import annotations

from typing import Annotated

import typer

from evaltools.console import write
from evaltools.errors import ParameterError

__all__ = ["compare", "disagree", "nbest"]


def compare(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    one: Annotated[str, typer.Argument(metavar="A", help="The one parser.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    metric: Annotated[
        str | None, typer.Option(metavar="ID", help="The metric; E Dice, roof, LAS, or EDM if not given.")
    ] = None,
    iterations: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many shuffles, and resamples for the interval.")
    ] = 10_000,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="The same seed gives the same figures.")] = None,
    error_types: Annotated[
        bool, typer.Option("--error-types", help="Also by types of errors, of constituency trees; slow on long runs.")
    ] = False,
    error_rules: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE", help="Rules of error types: ptb (as published), ptb-wide (more labels), or a file."
        ),
    ] = "ptb",
    format: Annotated[str, typer.Option(help="text or json.")] = "text",  # noqa: A002 - the option's name
) -> None:
    """Compare two parsers: the difference, how likely it is by chance, how large, and which sentences carry it."""
    from evaltools.analysis.bootstrap import SEED
    from evaltools.analysis.error_types import load_rules
    from evaltools.analysis.run_pairs import compare_in_run
    from evaltools.metrics import MAIN_METRIC_OF
    from evaltools.reports.comparison_report import COMPARISON_REPORTS
    from evaltools.runs.store import Run

    if format not in COMPARISON_REPORTS:
        raise ParameterError.unknown("format", format, COMPARISON_REPORTS)
    opened = Run(run)
    chosen = metric or opened.metrics[0]
    if metric is None and MAIN_METRIC_OF[opened.kind] in opened.metrics:
        chosen = MAIN_METRIC_OF[opened.kind]
    drawn = SEED if seed is None else seed
    rules = load_rules(error_rules)
    found = compare_in_run(
        opened, chosen, one, other, iterations=iterations, seed=drawn, errors=error_types, rules=rules
    )
    write(COMPARISON_REPORTS[format](opened, found, drawn))


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


def nbest(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run of semantic graphs.")],
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Whose lists of analyses.")],
    least: Annotated[int, typer.Option(metavar="N", min=1, help="Only sentences with at least so many analyses.")] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The same seed gives the same intervals.")
    ] = None,
    format: Annotated[str, typer.Option(help="text, json or csv.")] = "text",  # noqa: A002 - the option's name
) -> None:
    """Show F1 against rank, and what the best choice among a parser's analyses would reach."""
    from evaltools.analysis.bootstrap import SEED
    from evaltools.analysis.nbest import nbest as look_through
    from evaltools.reports.nbest_report import NBEST_REPORTS
    from evaltools.runs.store import Run

    if format not in NBEST_REPORTS:
        raise ParameterError.unknown("format", format, NBEST_REPORTS)
    opened = Run(run)
    found = look_through(opened.ranks(parser), least=least, seed=SEED if seed is None else seed)
    if found.sentences.empty:
        many = f"{least} analyses" if least > 1 else "several analyses"
        raise ParameterError(f"{parser} has no sentence with {many} in this run")
    write(NBEST_REPORTS[format](opened, parser, found))
