"""Command that takes a part of a run: ``subset``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from evaltools.cli.shared import progress_bar, stoppable
from evaltools.errors import ParameterError

__all__ = ["subset"]

_LIST = re.compile(r"[\d\s,–-]+")


def subset(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    sentences: Annotated[
        str,
        typer.Option(
            "--sentences",
            metavar="FILE|LIST",
            help="Numbers such as 3,7-10; or a file of them (- for standard input), or the table that the app writes.",
        ),
    ],
    out: Annotated[str, typer.Option("-o", "--out", metavar="NEW", help="Folder of the run that is written.")],
    force: Annotated[bool, typer.Option("--force", help="Replace an older run of that name.")] = False,
) -> None:
    """Write some sentences of a run as a run of their own, all parsers included."""
    from evaltools.runs.passes import Progress
    from evaltools.runs.store import Run
    from evaltools.runs.subset import parse_numbers
    from evaltools.runs.subset import subset as take

    numbers = parse_numbers(*_read(sentences))
    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    with progress_bar(progress), stoppable():
        take(Run(run), numbers, out, force=force, progress=progress)


def _read(said: str) -> tuple[str, str]:
    """Return the numbers as text, and what messages call it."""
    if _LIST.fullmatch(said) and said != "-":
        return said, "--sentences"
    try:
        data = sys.stdin.buffer.read() if said == "-" else Path(said).read_bytes()
        return data.decode("utf-8-sig"), said
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or "it is no text"
        raise ParameterError(f"--sentences {said}: neither a list such as 3,7-10 nor a file ({found})") from None
