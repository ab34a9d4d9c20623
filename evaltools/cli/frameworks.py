"""Commands across frameworks: ``crossframework``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from evaltools.cli.shared import named_files, print_problems, progress_bar, stoppable
from evaltools.errors import ParameterError

__all__ = ["crossframework"]

_MOST_PROBLEMS_SHOWN = 20


def crossframework(
    gold: Annotated[
        list[str],
        typer.Option(metavar="THEORY=FILE", help="A gold treebank of each theory; give it once or more often."),
    ],
    parser: Annotated[
        list[str], typer.Option(metavar="NAME:THEORY=FILE", help="A parser, the theory it follows, and its output.")
    ],
    out: Annotated[str, typer.Option("-o", "--out", metavar="RUN", help="Folder of the run that is written.")],
    label_map: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Two columns: labels, and what to put in their place.")
    ] = None,
    tl_unify: Annotated[
        list[str] | None,
        typer.Option(metavar="THEORY:THEORY", help="Gold trees of the first get the labels of the second."),
    ] = None,
    count_root: Annotated[
        bool, typer.Option("--count-root/--no-count-root", help="Whether the node over the whole sentence counts.")
    ] = True,
    free_labels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Two columns: labels that TedEval of 2011 takes for the same.")
    ] = None,
    projectivize: Annotated[
        bool,
        typer.Option(
            "--projectivize/--no-projectivize",
            help="Whether dependency trees are made projective for TedEval of 2011, which is undefined for the others.",
        ),
    ] = True,
    force: Annotated[bool, typer.Option("--force", help="Replace an older run of that name.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 if the input has problems.")] = False,
) -> None:
    """Compare parsers of different theories and frameworks by TedEval, and write a run."""
    from evaltools.formats.small_tables import read_label_map, read_label_pairs
    from evaltools.reports.run_figures import describe_coverage
    from evaltools.runs.crossframework import crossframework as compare
    from evaltools.runs.passes import Progress
    from evaltools.runs.projectivized import describe_projectivized

    golds = named_files(gold, "gold treebank", "THEORY=FILE")
    parsers = {}
    for name, file in named_files(parser, form="NAME:THEORY=FILE").items():
        named, colon, theory = name.rpartition(":")
        if not colon or not named or not theory:
            raise ParameterError(f"a parser is given as NAME:THEORY=FILE, not {name + '=' + file!r}")
        if named in parsers:
            raise ParameterError(f"two parsers are named {named!r}")
        parsers[named] = (theory, file)
    pairs = []
    for text in tl_unify or ():
        one, colon, other = text.partition(":")
        if not colon or not one or not other:
            raise ParameterError(f"theories to unify are given as THEORY:THEORY, not {text!r}")
        pairs.append((one, other))
    if [*golds.values(), *(file for _, file in parsers.values())].count("-") > 1:
        raise ParameterError("only one input can be standard input")
    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    with progress_bar(progress), stoppable():
        run = compare(
            golds,
            parsers,
            out=out,
            label_map=read_label_map(label_map) if label_map is not None else None,
            tl_unify=pairs,
            count_root=count_root,
            free_labels=read_label_pairs(free_labels) if free_labels is not None else (),
            projectivize=projectivize,
            force=force,
            progress=progress,
        )
    print(f"evaltools: {describe_projectivized(run.meta)}", file=sys.stderr)
    n_problems = run.meta["problems"]
    if n_problems:
        print_problems(run.folder.place, _MOST_PROBLEMS_SHOWN)
    for line in describe_coverage(run):
        print(f"evaltools: {line}", file=sys.stderr)
    if strict and n_problems:
        raise typer.Exit(1)
