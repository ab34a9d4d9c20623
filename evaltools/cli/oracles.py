"""Command that scores n-best lists of trees: ``oracle``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from evaltools.cli.shared import named_files, print_problems, progress_bar, stoppable
from evaltools.console import write
from evaltools.errors import ParameterError

__all__ = ["oracle"]

_MOST_PROBLEMS_SHOWN = 100


def oracle(
    gold: Annotated[str, typer.Argument(help="Gold treebank: constituency or dependency trees.")],
    lists: Annotated[list[str], typer.Argument(metavar="NAME=FILE...", help="Each parser's name and n-best lists.")],
    metric: Annotated[str | None, typer.Option(help="Chooses the best analysis; E Dice, or LAS, if not given.")] = None,
    out: Annotated[
        str | None, typer.Option("-o", "--out", metavar="RUN", help="Keep first and best analyses as a run.")
    ] = None,
    preset: Annotated[str, typer.Option(help="What counts, as for score.")] = "standard",
    gold_format: Annotated[
        str | None, typer.Option("--gold-format", help="Format of the gold file; guessed if not given.")
    ] = None,
    punctuation: Annotated[str | None, typer.Option(help="Dependency trees: as for score.")] = None,
    subtypes: Annotated[str | None, typer.Option(help="Dependency trees: as for score.")] = None,
    format: Annotated[str, typer.Option(help="text, json or csv.")] = "text",  # noqa: A002 - the option's name
    force: Annotated[bool, typer.Option("--force", help="Replace an older run of that name.")] = False,
) -> None:
    """Show what the best choice from n-best lists of trees would reach."""
    from evaltools.reports.oracle_report import ORACLE_REPORTS
    from evaltools.runs.nbest_trees import oracle as choose
    from evaltools.runs.passes import Progress

    if format not in ORACLE_REPORTS:
        raise ParameterError.unknown("format", format, ORACLE_REPORTS)
    if subtypes not in (None, "keep", "drop"):
        raise ParameterError.unknown("subtypes", subtypes, ("keep", "drop"))
    named = named_files(lists)
    if [gold, *named.values()].count("-") > 1:
        raise ParameterError("only one input can be standard input")
    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    with progress_bar(progress), stoppable():
        run = choose(
            gold,
            named,
            metric=metric,
            preset=preset,
            format=gold_format,
            punctuation=punctuation,
            subtypes=None if subtypes is None else subtypes == "keep",
            out=out,
            force=force,
            progress=progress,
        )
    if run.meta["problems"]:
        # a run that is not kept cannot be asked for the others
        print_problems(run.folder.place, None if out is None else _MOST_PROBLEMS_SHOWN)
    write(ORACLE_REPORTS[format](run))
