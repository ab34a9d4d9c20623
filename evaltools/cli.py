"""The command line."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

import evaltools
from evaltools.console import run_command, write
from evaltools.errors import ParameterError

__all__ = ["app", "main"]

app = typer.Typer(
    name="evaltools",
    help="Where does this parser go wrong, and which metric should I believe?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_MOST_PROBLEMS_SHOWN = 100


def main() -> None:
    """Run the command line; errors are one line, exit status 2."""
    run_command(app)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"evaltools {evaltools.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Score parsers against a gold treebank, and see where they go wrong."""


def _named_files(arguments: list[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if not equals or not name or not file:
            raise ParameterError(f"a parser is given as NAME=FILE, not {argument!r}")
        if name in named:
            raise ParameterError(f"two parsers are named {name!r}")
        named[name] = file
    return named


@app.command()
def score(
    gold: Annotated[str, typer.Argument(help="Gold treebank; - for standard input. gzip and zstd are recognised.")],
    parsers: Annotated[list[str], typer.Argument(metavar="NAME=FILE...", help="Each parser's name and output.")],
    out: Annotated[str, typer.Option("-o", "--out", metavar="RUN", help="Folder of the run that is written.")],
    preset: Annotated[str, typer.Option(help="What counts: standard, collins, new, none, or evalb:FILE.")] = "standard",
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="Format of all files: ptb or sampson; guessed if not given.")
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(help="Ids of metrics, or e, t, la, separated by commas; all if not given.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Threads; one for each processor if not given.")] = None,
    la_preterminal: Annotated[bool, typer.Option("--la-preterminal", help="Lineages include the word's tag.")] = False,
    la_table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Costs of replacing labels, for the metric la_table.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="Tree distance by: banded (our own), or apted (reference, slow).")
    ] = "banded",
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

    named = _named_files(parsers)
    if [gold, *named.values()].count("-") > 1:
        raise ParameterError("only one input can be standard input")
    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    with _progress_bar(progress), _stoppable(resume):
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
            jobs=jobs,
            force=force,
            resume=resume,
            dask=dask,
            progress=progress,
        )
    n_problems = run.meta["problems"]
    if n_problems:
        _print_problems(run.folder.place, _MOST_PROBLEMS_SHOWN)
    if strict and n_problems:
        raise typer.Exit(1)


@app.command()
def verify(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    jobs: Annotated[int | None, typer.Option(help="Threads; one for each processor if not given.")] = None,
) -> None:
    """Recompute a run from its sources and report any difference."""
    from evaltools.runs.passes import Progress
    from evaltools.runs.store import Run
    from evaltools.runs.verification import verify as recompute

    progress = Progress()
    with _progress_bar(progress), _stoppable():
        verification = recompute(Run(run), jobs=jobs, progress=progress)
    print(verification, file=sys.stderr if verification.obstacles else sys.stdout)
    raise typer.Exit(verification.exit_status)


@contextlib.contextmanager
def _stoppable(resume: bool = False) -> Iterator[None]:
    """Say on Ctrl-C that the work was stopped, and whether it can be continued."""
    try:
        yield
    except KeyboardInterrupt:
        more = "; the same command continues with what is unfinished" if resume else ""
        print(f"evaltools: stopped{more}", file=sys.stderr)
        raise typer.Exit(130) from None


@contextlib.contextmanager
def _progress_bar(progress: object) -> Iterator[None]:
    """Show a bar with rate and time left if standard error is a terminal."""
    from evaltools.runs.passes import Progress

    assert isinstance(progress, Progress)
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None, count="", rate="")

        def tell(stage: str, done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(
                task,
                description=stage,
                completed=done,
                total=total or None,
                count=f"{done:,} of {total:,} sentence pairs" if total else f"{done:,} sentence pairs",
                rate=f"{speed:,.0f}/s" if speed else "",
            )

        progress.tell = tell
        yield


def _print_problems(path: str, most: int | None) -> None:
    from evaltools.errors import Problem
    from evaltools.runs.store import Run

    rows = Run(path).problems()
    shown = rows if most is None else rows.head(most)
    lines = []
    for row in shown.astype(object).where(shown.notna(), None).to_dict("records"):
        fields: dict[str, Any] = {
            one.name: int(value) if one.name in ("line", "column", "sentence") and value is not None else value
            for one in dataclasses.fields(Problem)
            for value in (row[one.name],)
        }
        lines.append(f"{Problem(**fields)}\n")
    if most is None:
        write("".join(lines))
    else:
        sys.stderr.write("".join(lines))
    if len(shown) < len(rows):
        print(f"… and {len(rows) - len(shown)} more: evaltools report {path} --problems", file=sys.stderr)


@app.command()
def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    format: Annotated[str, typer.Option(help="text, json, csv or evalb.")] = "text",  # noqa: A002 - the option's name
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="Only this parser.")] = None,
    sentences: Annotated[bool, typer.Option("--sentences", help="One row a sentence.")] = False,
    sort: Annotated[str | None, typer.Option(metavar="METRIC", help="Sentences worst first by a metric.")] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", help="At most N sentences or labels of each parser.")
    ] = None,
    labels: Annotated[bool, typer.Option("--labels", help="Brackets by phrase label.")] = False,
    problems: Annotated[bool, typer.Option("--problems", help="List the problems found in the input instead.")] = False,
) -> None:
    """Print the figures of a run."""
    from evaltools.reports import REPORTS, Selection
    from evaltools.runs.store import Run

    if format not in REPORTS:
        raise ParameterError.unknown("format", format, REPORTS)
    if problems:
        _print_problems(run, None)
        return
    if labels and (sentences or sort is not None or format == "evalb"):
        raise ParameterError("--labels goes with neither --sentences, --sort nor --format evalb")
    per_sentence = not labels and (sentences or sort is not None or limit is not None)
    text = REPORTS[format](Run(run), Selection(parser, per_sentence, sort, limit, labels))
    write(text)
    if format == "evalb":
        _say_where_evalb_stops(run)


def _say_where_evalb_stops(path: str) -> None:
    """Say so where evalb itself would have given up: at its error number ``MAX_ERROR`` + 2."""
    from evaltools.runs.store import Run

    run = Run(path)
    most = run.rules.evalb.max_error if run.rules.evalb is not None else 10
    for parser in run.meta["parsers"]:
        if parser["words_differ"] > most + 1:
            found = f"{parser['words_differ']} sentences in error"
            print(f"{parser['name']}: {found}; evalb stops at number {most + 2} (MAX_ERROR {most})", file=sys.stderr)


@app.command()
def draw(
    run: Annotated[str | None, typer.Argument(metavar="[RUN]", help="Folder of a run.")] = None,
    sentence: Annotated[int | None, typer.Option(metavar="N", help="Number of the sentence, from 1.")] = None,
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="The parser.")] = None,
    gold: Annotated[str | None, typer.Option(metavar="TREE", help="A gold tree in brackets, instead of a run.")] = None,
    test: Annotated[str | None, typer.Option(metavar="TREE", help="The tree to compare it with.")] = None,
    mapping: Annotated[str, typer.Option(help="e: equal label and span; t: order and ancestry kept.")] = "t",
    as_: Annotated[str, typer.Option("--as", metavar="FORMAT", help="text, svg, dot, latex or json.")] = "text",
    preset: Annotated[str, typer.Option(help="For two trees: what counts, as for score.")] = "none",
) -> None:
    """Draw the alignment of a gold tree with a parser's."""
    from evaltools.drawing import DRAWINGS
    from evaltools.metrics.alignment import align
    from evaltools.runs.store import Run

    if as_ not in DRAWINGS:
        raise ParameterError.unknown("drawing", as_, DRAWINGS)
    if mapping not in ("e", "t"):
        raise ParameterError.unknown("mapping", mapping, ("e", "t"))
    if run is not None and gold is None and test is None:
        if sentence is None or parser is None:
            raise ParameterError("to draw from a run, give --sentence N and --parser NAME")
        alignment = Run(run).alignment(sentence, parser)
    elif run is None and gold is not None and test is not None:
        alignment = align(_tree(gold), _tree(test), preset)
    else:
        raise ParameterError("give a run with --sentence and --parser, or two trees with --gold and --test")
    write(DRAWINGS[as_](alignment, mapping).rstrip("\n") + "\n")


def _tree(text: str) -> evaltools.Tree:
    return evaltools.Tree.from_string(text, "sampson" if text.lstrip().startswith("[") else "ptb")


@app.command()
def preset(
    name: Annotated[str | None, typer.Argument(help="A preset; all are listed if none is named.")] = None,
) -> None:
    """Print the rules of a preset."""
    from evaltools.normalize import PRESETS, load_preset

    if name is not None:
        print(load_preset(name).describe())
        return
    for known, summary in PRESETS.items():
        print(f"{known:12} {summary}")


@app.command(name="app")
def open_app(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="[RUN...]", help="Runs to open; else the sample.")
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", help="Port on this machine.")] = 8501,
    browser: Annotated[bool, typer.Option(help="Open a browser if there is a screen.")] = True,
) -> None:
    """Open the app on runs, or on the sample."""
    from evaltools.launch import launch

    raise typer.Exit(launch(runs or [], port, browser=browser))


if __name__ == "__main__":
    main()
