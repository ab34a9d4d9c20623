"""Commands that print the figures of a run."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from evaltools.cli.shared import print_problems
from evaltools.console import write
from evaltools.errors import ParameterError

__all__ = ["preset", "report"]


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    format: Annotated[str, typer.Option(help="text, json, csv or evalb.")] = "text",  # noqa: A002 - the option's name
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="Only this parser.")] = None,
    sentences: Annotated[bool, typer.Option("--sentences", help="One row a sentence.")] = False,
    sort: Annotated[str | None, typer.Option(metavar="METRIC", help="Sentences worst first by a metric.")] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", help="At most N sentences or labels of each parser.")
    ] = None,
    labels: Annotated[
        bool,
        typer.Option(
            "--labels", help="Brackets by phrase label, words by relation, or triples by predicate, role and property."
        ),
    ] = False,
    distances: Annotated[
        bool, typer.Option("--distances", help="Dependency trees: words by distance and direction of their heads.")
    ] = False,
    problems: Annotated[bool, typer.Option("--problems", help="List the problems found in the input instead.")] = False,
) -> None:
    """Print the figures of a run."""
    from evaltools.reports import REPORTS, Selection
    from evaltools.runs.store import Run

    if format not in REPORTS:
        raise ParameterError.unknown("format", format, REPORTS)
    if problems:
        print_problems(run, None, to_stdout=True)
        return
    for name, asked in (("labels", labels), ("distances", distances)):
        if asked and (sentences or sort is not None or format == "evalb"):
            raise ParameterError(f"--{name} goes with neither --sentences, --sort nor --format evalb")
    if distances and labels:
        raise ParameterError("--labels and --distances are two reports; ask for one")
    per_sentence = not (labels or distances) and (sentences or sort is not None or limit is not None)
    text = REPORTS[format](Run(run), Selection(parser, per_sentence, sort, limit, labels, distances))
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


def preset(
    name: Annotated[str | None, typer.Argument(help="A preset; all are listed if none is named.")] = None,
) -> None:
    """Print the rules of a preset."""
    from evaltools.metrics.edm_rules import EDM_PRESETS, load_edm_rules
    from evaltools.normalize import PRESETS, load_preset

    if name is not None:
        print((load_edm_rules(name) if name in EDM_PRESETS else load_preset(name)).describe())
        return
    for known, summary in PRESETS.items():
        print(f"{known:12} {summary}")
    print("of semantic graphs:")
    for known, summary in EDM_PRESETS.items():
        print(f"{known:17} {summary}")
