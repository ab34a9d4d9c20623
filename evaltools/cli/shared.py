"""What several commands share: names of parsers, the progress bar, being stopped, lists of problems."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from evaltools.console import is_interruption, write
from evaltools.errors import InputError, ParameterError, Problem

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["named_files", "print_problems", "progress_bar", "refuse_existing", "stoppable", "write_file"]


def named_files(arguments: list[str], what: str = "parser", form: str = "NAME=FILE") -> dict[str, str]:
    """Return files by name, from ``NAME=FILE`` arguments."""
    named: dict[str, str] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if not equals or not name or not file:
            raise ParameterError(f"a {what} is given as {form}, not {argument!r}")
        if name in named:
            raise ParameterError(f"two {what}s are named {name!r}")
        named[name] = file
    return named


@contextlib.contextmanager
def stoppable(resume: bool = False) -> Iterator[None]:
    """Say on Ctrl-C that the work was stopped, and whether it can be continued."""
    try:
        yield
    except (KeyboardInterrupt, SystemError) as error:
        if not is_interruption(error):
            raise
        more = "; the same command continues with what is unfinished" if resume else ""
        print(f"evaltools: stopped{more}", file=sys.stderr)
        raise typer.Exit(130) from None


@contextlib.contextmanager
def progress_bar(progress: object) -> Iterator[None]:
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


def print_problems(path: str, most: int | None, *, to_stdout: bool = False) -> None:
    """Print the problems of a run, the first `most` or all, to standard error or to standard output."""
    from evaltools.runs.store import Run

    rows = Run(path).problems()
    shown = rows if most is None else rows.head(most)
    if to_stdout:
        write(_as_lines(shown))
    else:
        sys.stderr.write(_as_lines(shown))
    if len(shown) < len(rows):
        print(f"… and {len(rows) - len(shown)} more: evaltools report {path} --problems", file=sys.stderr)


def _as_lines(problems: pd.DataFrame) -> str:
    from evaltools.errors import Problem

    lines = []
    for row in problems.astype(object).where(problems.notna(), None).to_dict("records"):
        fields: dict[str, Any] = {
            one.name: int(value) if one.name in ("line", "column", "sentence") and value is not None else value
            for one in dataclasses.fields(Problem)
            for value in (row[one.name],)
        }
        lines.append(f"{Problem(**fields)}\n")
    return "".join(lines)


def refuse_existing(out: Path, *, force: bool) -> None:
    """Stop before anything is computed if a file is there already and is not to be replaced."""
    if out.exists() and not force:
        raise InputError(Problem("file", str(out), None, None, "a file that is there already", "--force to replace it"))


def write_file(out: Path, content: bytes) -> None:
    """Write a file, or say why that cannot be."""
    try:
        out.write_bytes(content)
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(Problem("file", str(out), None, None, found, "a file that can be written")) from None
