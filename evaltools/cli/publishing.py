"""The command that writes a run as a page of its own: ``html``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from evaltools.cli.shared import refuse_existing, write_file

__all__ = ["html"]


def html(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The file that is written.")],
    worst: Annotated[int, typer.Option(metavar="N", min=0, help="How many worst parses of each parser.")] = 5,
    metric: Annotated[
        str | None, typer.Option(metavar="ID", help="The metric that compares and ranks; the main one if not given.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older file of that name.")] = False,
) -> None:
    """Write a run as one HTML file: figures, significance, ranks, hotspots, the worst parses with their alignments."""
    from evaltools.publishing.html_report import html_report
    from evaltools.runs.store import Run

    refuse_existing(out, force=force)

    def tell(what: str) -> None:
        if sys.stderr.isatty():
            print(f"evaltools: {what} …", file=sys.stderr)

    text = html_report(Run(run), worst=worst, metric=metric, tell=tell)
    write_file(out, text.encode("utf-8", "backslashreplace"))
