"""Options that several commands have, and those of the frameworks as options of a command."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from evaltools.cli.completion import metric_names, run_names
from evaltools.errors import ParameterError
from evaltools.frameworks.options import Option, options_in, structs_by_title
from evaltools.frameworks.registry import FRAMEWORKS


def option(text: str, default: Any = None, *flags: str, **more: Any) -> Any:
    """Return an option of a command: its help, its default, its flags if they do not follow from its name."""
    return typer.Option(default, *flags, help=text, **more)


def argument(text: str, default: Any = ..., **more: Any) -> Any:
    """Return an argument of a command, by default one that must be given."""
    return typer.Argument(default, help=text, **more)


def formats(*names: str, help: str = "", what: str = "format") -> Any:
    """Return the option for the format of an output, or something else with few values, the first one by default."""

    def check(name: str) -> str:
        if name not in names:
            raise ParameterError.unknown(what, name, names)
        return name

    return option(help or f"{', '.join(names[:-1])} or {names[-1]}.", names[0], callback=check)


RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.", autocompletion=run_names)]
Runs = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[RUN...]", help="Runs to open; by default the sample.", autocompletion=run_names),
]
TABLE = formats("text", "json", "csv")
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Random seed; the same seed gives the same figures.")
]
Cluster = Annotated[
    str,
    typer.Option(
        metavar="KEY",
        help="Intervals over the values of a column of the metadata, such as document, instead of sentences.",
    ),
]
Ranking = Annotated[
    str | None,
    typer.Option(metavar="METRIC", help="Metric for ranking; by default the main one.", autocompletion=metric_names),
]
Limit = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, help="Print at most N rows; by default 15 as text, and all as JSON and CSV."),
]
Worst = Annotated[int, typer.Option(metavar="N", min=0, help="Number of worst parses per parser.")]
Encoding = Annotated[
    str | None, typer.Option(metavar="NAME", help="Encoding of all files, such as latin-1; UTF-8 by default.")
]
InputFormat = Annotated[
    str | None,
    typer.Option(metavar="FORMAT", help="Format of the files read, such as ptb, export or eds; detected by default."),
]
Jobs = Annotated[int | None, typer.Option(help="Number of threads; by default one per processor.")]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with status 1 if the input has problems.")]
ForceRun = Annotated[bool, typer.Option("--force", help="Replace an existing run with this name.")]
ForceFile = Annotated[bool, typer.Option("--force", help="Replace an existing file with this name.")]
ChartFile = Annotated[
    Path | None,
    typer.Option("-o", "--out", metavar="FILE", help="Write a chart instead of the table: svg, png, pdf or vl.json."),
]
_WIDTH = "Width in a paper: column (3 inches) or text (6.3 inches)."
CHART_WIDTH = formats("text", "column", help=_WIDTH, what="width")
FIGURE_WIDTH = formats("column", "text", help=_WIDTH, what="width")
CAPTION = option(
    "Caption and signature in the file, or only as a comment inside it, for figures of papers.",
    True,
    "--caption/--no-caption",
)
Browser = Annotated[bool, typer.Option(help="Open a browser, if there is a screen, or not.")]


_MAX_ROWS = 15


def row_limit(limit: int | None, format: str) -> int | None:
    """Return the maximum number of rows to print, None for all: the one given, or that of a text."""
    return _MAX_ROWS if limit is None and format == "text" else limit


def with_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, which takes them by name, some options of the frameworks, by default all."""
    added = [item for item in _parameters() if not names or item.name in names]

    def with_parameters(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**arguments: Any) -> None:
            command(**arguments)

        own = inspect.signature(command, eval_str=True)
        parameters = [item for item in own.parameters.values() if item.kind is not inspect.Parameter.VAR_KEYWORD]
        run.__signature__ = own.replace(parameters=[*parameters, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {item.name: item.annotation for item in (*parameters, *added)}
        return run

    return with_parameters


def _parameters() -> list[inspect.Parameter]:
    """Return the options of all frameworks as parameters of a command."""
    titles: dict[str, list[str]] = {}
    fields: dict[str, tuple[Option, bool]] = {}
    for title, kind in structs_by_title(FRAMEWORKS.values()).items():
        for name, option in options_in(kind).items():
            titles.setdefault(name, []).append(title)
            fields[name] = option, getattr(kind(), name) is False and option.values is None
    added = []
    for name, (option, is_flag) in fields.items():
        declared = typer.Option(
            option.flag or f"--{name.replace('_', '-')}",
            metavar=option.metavar or None,
            help=f"{' and '.join(titles[name]).capitalize()}: {option.help}",
        )
        annotation = Annotated[bool if is_flag else str | None, declared]  # type: ignore[valid-type]
        default = False if is_flag else None
        added.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
    return added
