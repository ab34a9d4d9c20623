"""The command ``convert``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from evaltools.cli.console import write
from evaltools.text import and_more

__all__ = ["convert"]

_MAX_PROBLEMS = 100


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="Input treebank; - for standard input.")],
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="Output file (.gz, .zst: compressed); - for standard output.")
    ],
    from_: Annotated[
        str | None, typer.Option("--from", "--format", metavar="FORMAT", help="Format of IN; detected by default.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help="Format of OUT, or multifunctions; by default from its suffix."),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoding of IN, such as latin-1; UTF-8 by default.")
    ] = None,
    gold_functions: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="For multifunctions: also take functions over the same words from this file."
        ),
    ] = None,
    label_map: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For function trees: file of functions and their replacements.")
    ] = None,
    head_label: Annotated[
        str,
        typer.Option(metavar="NAME", help="For function trees of dependencies: label of heads, hd (2012) or * (2011)."),
    ] = "hd",
    words_only: Annotated[
        bool,
        typer.Option("--words-only", help="Between CoNLL-U and CoNLL-X: drop what the target cannot represent."),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 if the input has problems.")] = False,
) -> None:
    """Convert a file to another format, or to function trees."""
    from evaltools.formats.conversion import convert as convert_file
    from evaltools.formats.conversion import target_of
    from evaltools.formats.small_tables import read_label_map
    from evaltools.formats.source import n_more

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out" if out == "-" else Path(out)
        problems = convert_file(
            source,
            path,
            format=from_,
            to=to or target_of(out),
            gold_functions=gold_functions,
            label_map=read_label_map(label_map) if label_map is not None else None,
            head_label=head_label,
            words_only=words_only,
            encoding=encoding,
        )
        if out == "-":
            write(path.read_bytes().decode("utf-8"))
    sys.stderr.write("".join(f"{problem}\n" for problem in problems[:_MAX_PROBLEMS]))
    if len(problems) > _MAX_PROBLEMS:
        n = sum(n_more(problem.found) or 1 for problem in problems[_MAX_PROBLEMS:])
        print(and_more(n), file=sys.stderr)
    if (strict and problems) or any(problem.kind == "truncated" for problem in problems):
        raise typer.Exit(1)
