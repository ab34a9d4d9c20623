"""Functions shared by the commands: errors, exit statuses, Ctrl-C, progress, problems, output files."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import gc
import io
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from evaltools.errors import EvaltoolsError, ParameterError, Problem, printable, shortage

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.progress import Progress
    from evaltools.runs.store import Run

__all__ = [
    "check_experiments_format",
    "check_standard_input",
    "experiments_text",
    "named_files",
    "print_problems",
    "printing_progress",
    "run_command",
    "stoppable",
    "subtypes_option",
    "write",
]

_COMPRESSED = (".gz", ".zst")
"""Endings of compressed files."""
_ALLOCATIONS = 50_000
"""So many new objects let Python look for unused cycles; its own 700 makes imports a tenth slower."""


def run_command(app: Callable[[], object]) -> NoReturn:
    """Run a command and end the program; errors are one line, exit status 2."""
    signals: list[int] = []
    gc.set_threshold(_ALLOCATIONS)
    _replace_unencodable()
    try:
        with _termination_as_interruption(signals):
            _call(app)
    except SystemExit:
        if signals:  # the command has ended as after Ctrl-C
            raise SystemExit(128 + signals[0]) from None
        raise
    except EvaltoolsError as error:
        print(f"evaltools: {printable(str(error))}", file=sys.stderr)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        print("evaltools: stopped", file=sys.stderr)
        raise SystemExit(128 + (signals[0] if signals else signal.SIGINT)) from None
    except (_ReaderGoneError, BrokenPipeError):
        sys.stderr.close()
        raise SystemExit(0) from None
    except Exception as error:
        resource = shortage(error)
        if resource is not None:
            print(f"evaltools: {resource}", file=sys.stderr)
            raise SystemExit(2) from None
        if not isinstance(error, OSError) or error.filename is not None or error.errno != errno.ENOSPC:
            raise
        with contextlib.suppress(OSError):
            sys.stdout.close()  # the rest of the output cannot be written either
        print(f"evaltools: cannot write the output: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None


def _replace_unencodable() -> None:
    """Replace characters that the terminal's encoding lacks, as standard error does by default."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


@contextlib.contextmanager
def _termination_as_interruption(signals: list[int]) -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C, so that unfinished files are removed and the app's server ends."""

    def interrupt(number: int, _: object) -> NoReturn:
        signals.append(number)
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _ReaderGoneError(Exception):
    """The reader of the output, such as head, has closed it."""


def write(text: str) -> None:
    """Print a text; hide a broken pipe from click, which would exit with status 1."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        raise _ReaderGoneError from None


_EXPERIMENT_FORMATS = ("text", "json", "csv", "latex")


def check_experiments_format(name: str) -> None:
    """Raise ParameterError if experiments cannot be printed in a format."""
    if name not in _EXPERIMENT_FORMATS:
        raise ParameterError.unknown("format", name, _EXPERIMENT_FORMATS)


def experiments_text(run: Run, name: str, progress: Progress) -> str:
    """Return the table of all experiments of a run across frameworks in a format."""
    from evaltools.analysis.experiments import experiments
    from evaltools.publishing.experiments import as_latex
    from evaltools.reports.experiments_report import EXPERIMENT_REPORTS

    return {**EXPERIMENT_REPORTS, "latex": as_latex}[name](run, experiments(run, progress))


def _call(app: Callable[[], object]) -> NoReturn:
    """Run the command, and write out what it printed."""
    try:
        app()
        raise SystemExit(0)
    except SystemExit:
        if sys.stdout is not None:  # None if standard output was closed
            sys.stdout.flush()
        raise
    except SystemError as error:
        if not _is_interruption(error):
            raise
        raise KeyboardInterrupt from None


def _is_interruption(error: BaseException) -> bool:
    """Return whether an error is Ctrl-C, or the error that a compiled function raises for it."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


def named_files(arguments: list[str], what: str = "parser", form: str = "[NAME=]FILE") -> dict[str, str]:
    """Return files by name, from ``NAME=FILE`` arguments; if `form` makes the name optional, it is that of the file."""
    named: dict[str, str] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if not equals and form.startswith("["):
            name, file = _stem(argument), argument
        if not name or not file:
            raise ParameterError(f"a {what} is given as {form}, not {argument!r}")
        if name in named:
            files = f"{named[name]!r} and {file!r}"
            raise ParameterError(f"two {what}s are named {name!r}, {files}; give another name, as in other={file}")
        named[name] = file
    return named


def _stem(file: str) -> str:
    """Return the name of a file without endings of its format and compression; empty for standard input."""
    if file == "-":
        return ""
    path = Path(file)
    return Path(path.stem if path.suffix.lower() in _COMPRESSED else path.name).stem


def subtypes_option(value: str | None) -> bool | None:
    """Return whether relation subtypes are kept, from ``keep`` or ``drop``."""
    if value not in (None, "keep", "drop"):
        raise ParameterError.unknown("subtypes", value, ("keep", "drop"))
    return None if value is None else value == "keep"


def check_standard_input(files: Iterable[str]) -> None:
    """Raise ParameterError if several inputs are standard input."""
    if list(files).count("-") > 1:
        raise ParameterError("only one input can be standard input")


@contextlib.contextmanager
def stoppable(resume: bool = False) -> Iterator[None]:
    """On Ctrl-C, print that the work was stopped, and whether it can be resumed."""
    try:
        yield
    except (KeyboardInterrupt, SystemError) as error:
        if not _is_interruption(error):
            raise
        more = "; run the same command again to continue" if resume else ""
        print(f"evaltools: stopped{more}", file=sys.stderr)
        raise typer.Exit(130) from None


@contextlib.contextmanager
def printing_progress() -> Iterator[Progress]:
    """Give a Progress that prints notes, and shows a bar with rate and time left if standard error is a terminal."""
    from evaltools.progress import Progress

    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    if not sys.stderr.isatty():
        yield progress
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

        def show(stage: str, done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(
                task,
                description=stage,
                completed=done,
                total=total or None,
                count=f"{done:,} of {total:,} sentence pairs" if total else f"{done:,} sentence pairs",
                rate=f"{speed:,.0f}/s" if speed else "",
            )

        progress.on_update = show
        yield progress


def print_problems(path: str, limit: int | None, *, to_stdout: bool = False) -> None:
    """Print the problems of a run, all or the first ones, to standard error or to standard output."""
    from evaltools.runs.store import Run

    problems = Run(path).problems()
    first = problems if limit is None else problems.head(limit)
    if to_stdout:
        write(_as_lines(first))
    else:
        sys.stderr.write(_as_lines(first))
    if len(first) < len(problems):
        print(f"… and {len(problems) - len(first)} more: evaltools report {path} --problems", file=sys.stderr)


def _as_lines(problems: pd.DataFrame) -> str:
    lines = []
    for row in problems.astype(object).where(problems.notna(), None).to_dict("records"):
        fields: dict[str, Any] = {
            item.name: int(value) if item.name in ("line", "column", "sentence") and value is not None else value
            for item in dataclasses.fields(Problem)
            for value in (row[item.name],)
        }
        lines.append(f"{Problem(**fields)}\n")
    return "".join(lines)
