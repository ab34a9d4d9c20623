"""Commands that score: ``score`` and ``verify``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from evaltools.cli.shared import named_files, print_problems, progress_bar, stoppable
from evaltools.errors import ParameterError

__all__ = ["score", "verify"]

_MOST_PROBLEMS_SHOWN = 100


def score(
    gold: Annotated[
        str,
        typer.Argument(
            help="Gold treebank, semantic graphs, or the folder of a profile; - for standard input. gzip and zstd are "
            "recognised."
        ),
    ],
    parsers: Annotated[list[str], typer.Argument(metavar="NAME=FILE...", help="Each parser's name and output.")],
    out: Annotated[str, typer.Option("-o", "--out", metavar="RUN", help="Folder of the run that is written.")],
    preset: Annotated[
        str,
        typer.Option(
            help="What counts: standard, collins, new, none, or evalb:FILE; of semantic graphs dridan-oepen-2011 "
            "(default), pydelphin, or mtool."
        ),
    ] = "standard",
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="Format of all files, such as ptb, export or eds; guessed if not given.")
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(help="Ids of metrics, or e, t, la, attachment, edm, separated by commas; all if not given."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Threads; one for each processor if not given.")] = None,
    la_preterminal: Annotated[bool, typer.Option("--la-preterminal", help="Lineages include the word's tag.")] = False,
    la_table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Costs of replacing labels, for the metric la_table.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="Tree distance by: banded (our own), or apted (reference, slow).")
    ] = "banded",
    punctuation: Annotated[
        str | None, typer.Option(help="Dependency trees: keep (default), or leave it out by upos or by unicode.")
    ] = None,
    subtypes: Annotated[
        str | None, typer.Option(help="Dependency trees: keep subtypes such as :pass of nsubj:pass, or drop (default).")
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Semantic graphs: weights of classes, roles, properties, predicates (TOML)."),
    ] = None,
    spans: Annotated[
        str | None,
        typer.Option(
            metavar="exact|trimmed",
            help="Semantic graphs: spans as they are, or without punctuation at their ends; as the preset says if not "
            "given.",
        ),
    ] = None,
    align_sentences: Annotated[
        bool,
        typer.Option("--align-sentences", help="Pair sentences by their words: some may be missing, extra or shifted."),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 if the input has problems.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an older run of that name.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep what is finished if interrupted; continue where it stopped.")
    ] = False,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Score on the Dask cluster of this scheduler.")
    ] = None,
) -> None:
    """Score parser outputs against a gold treebank and write a run."""
    from evaltools.metrics.leaf_ancestor import read_cost_table
    from evaltools.runs.passes import Progress
    from evaltools.runs.scoring import score as score_files

    named = named_files(parsers)
    if [gold, *named.values()].count("-") > 1:
        raise ParameterError("only one input can be standard input")
    if subtypes not in (None, "keep", "drop"):
        raise ParameterError.unknown("subtypes", subtypes, ("keep", "drop"))
    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    with progress_bar(progress), stoppable(resume):
        run = score_files(
            gold,
            named,
            preset=preset,
            out=out,
            format=format,
            metrics=metrics.split(",") if metrics else None,
            la_preterminals=la_preterminal,
            la_table=read_cost_table(la_table) if la_table is not None else None,
            engine=engine,
            align_sentences=align_sentences,
            punctuation=punctuation,
            subtypes=None if subtypes is None else subtypes == "keep",
            weights=weights,
            spans=spans,
            jobs=jobs,
            force=force,
            resume=resume,
            dask=dask,
            progress=progress,
        )
    n_problems = run.meta["problems"]
    if n_problems:
        print_problems(run.folder.place, _MOST_PROBLEMS_SHOWN)
    if strict and n_problems:
        raise typer.Exit(1)


def verify(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    jobs: Annotated[int | None, typer.Option(help="Threads; one for each processor if not given.")] = None,
) -> None:
    """Recompute a run from its sources and report any difference."""
    from evaltools.runs.passes import Progress
    from evaltools.runs.store import Run
    from evaltools.runs.verification import verify as recompute

    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    with progress_bar(progress), stoppable():
        verification = recompute(Run(run), jobs=jobs, progress=progress)
    print(verification, file=sys.stderr if verification.obstacles else sys.stdout)
    raise typer.Exit(verification.exit_status)
