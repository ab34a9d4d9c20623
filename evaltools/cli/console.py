"""Functions shared by the commands: errors, exit statuses, Ctrl-C, progress, problems, output files."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from evaltools.errors import EvaltoolsError, ParameterError, Problem, shortage
from evaltools.text import and_more, decimals, printable

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.progress import Progress
    from evaltools.runs.store import Run

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""A full disk, and limits on what a user or a process may write."""
_SIGNALS: list[int] = []
"""Signals that have asked this command to stop."""


class Interruption(BaseException):
    """Ctrl-C or SIGTERM; of a KeyboardInterrupt click would make a message and a status of its own."""


def run_command(app: Callable[[], object]) -> NoReturn:
    """Run a command and end the program; errors are one line, exit status 2."""
    _SIGNALS.clear()
    _print_utf8()
    try:
        with _signals_as_interruption():
            _call(app)
    except SystemExit:
        if signal.SIGTERM in _SIGNALS:  # the command has ended as after Ctrl-C
            raise SystemExit(128 + signal.SIGTERM) from None
        raise
    except BaseException as error:
        status = _status_of(error)
        if status is None:
            raise
        raise SystemExit(status) from None


def _status_of(error: BaseException) -> int | None:
    """Print why a command has ended, and return its exit status; None for an error of evaltools itself."""
    if _is_interruption(error):
        more = error if isinstance(error, Interruption) else ""
        print(f"evaltools: stopped{more}", file=sys.stderr)
        return 128 + (_SIGNALS[0] if _SIGNALS else signal.SIGINT)
    if isinstance(error, _ReaderGoneError | BrokenPipeError):
        sys.stderr.close()
        return 0
    if isinstance(error, EvaltoolsError):
        print(f"evaltools: {printable(str(error))}", file=sys.stderr)
        return 2
    if (resource := shortage(error)) is not None:
        print(f"evaltools: {resource}", file=sys.stderr)
        return 2
    if not isinstance(error, OSError) or error.errno not in _NO_ROOM:
        return None
    if error.filename is None:
        with contextlib.suppress(OSError):
            sys.stdout.close()  # the rest of the output cannot be written either
    place = "the output" if error.filename is None else printable(str(error.filename))
    print(f"evaltools: cannot write {place}: {error.strerror}", file=sys.stderr)
    return 2


def _is_interruption(error: BaseException) -> bool:
    """Return whether an error is Ctrl-C, or one that a library or a compiled function has made of it."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, Interruption | KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None or bool(_SIGNALS)


def _print_utf8() -> None:
    """Write UTF-8 to files and pipes, whatever the encoding of the terminal, which shows what it lacks as escapes."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


@contextlib.contextmanager
def _signals_as_interruption() -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C, so that unfinished files are removed and the app's server ends; note what has come."""

    def interrupt(number: int, _: object) -> NoReturn:
        _SIGNALS.append(number)
        raise Interruption

    before: dict[signal.Signals, Any] = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, interrupt)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _ReaderGoneError(Exception):
    """The reader of the output, such as head, has closed it."""


def write(text: str) -> None:
    """Print a text; hide a broken pipe from click, which would exit with status 1."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        raise _ReaderGoneError from None


def open_run(path: str) -> Run:
    """Open the run in a folder."""
    from evaltools.runs.store import Run

    return Run(path)


def _call(app: Callable[[], object]) -> NoReturn:
    """Run the command, and write out what it printed."""
    try:
        app()
        raise SystemExit(0)
    except SystemExit:
        if sys.stdout is not None:  # None if standard output was closed
            sys.stdout.flush()
        raise


def named_files(arguments: list[str], what: str = "parser", form: str = "[NAME=]FILE") -> dict[str, str]:
    """Return files by name, from ``NAME=FILE`` arguments; if `form` makes the name optional, it is that of the file."""
    from evaltools.formats.source import file_stem

    named: dict[str, str] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if form.startswith("[") and (not equals or _is_path_with_equals(argument, file)):
            name, file = file_stem(argument), argument
        if not name or not file:
            raise ParameterError(f"a {what} is given as {form}, not {argument!r}")
        if name in named:
            files = f"{named[name]!r} and {file!r}"
            raise ParameterError(f"two {what}s are named {name!r}, {files}; give another name, as in other={file}")
        named[name] = file
    return named


def _is_path_with_equals(argument: str, file: str) -> bool:
    """Return whether an argument is a file or a URL with a sign of equality, and not the name of one and the file."""
    is_given = file == "-" or os.path.exists(file) or "://" in file
    return not is_given and (os.path.exists(argument) or "://" in argument)


def check_standard_input(files: Iterable[str]) -> None:
    """Raise ParameterError if several inputs are standard input."""
    if list(files).count("-") > 1:
        raise ParameterError("only one input can be standard input")


@contextlib.contextmanager
def printing_progress() -> Iterator[Progress]:
    """Give a Progress that prints notes, and shows a bar with rate and time left if standard error is a terminal."""
    from evaltools.progress import Progress

    progress = Progress(note=lambda text: print(f"evaltools: {text}", file=sys.stderr))
    if not sys.stderr.isatty():
        yield progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress as Bar, TextColumn, TimeRemainingColumn

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
                completed=progress.steps[0],
                total=progress.steps[1] or None,
                count=f"{done:,} of {total:,} sentence pairs" if total else f"{done:,} sentence pairs",
                rate=f"{decimals(speed, 0)}/s" if speed else "",
            )

        progress.on_update = show
        yield progress


def print_problems(run: Run, limit: int | None, *, is_kept: bool = True) -> None:
    """Print the problems of a run, all or the first ones, to standard error."""
    from evaltools.formats.source import n_more

    problems = run.problems()
    problems = problems[(problems["kind"] != "empty_column") | problems["line"].notna()]  # the summary names whole ones
    first = problems if limit is None else problems.head(limit)
    sys.stderr.write(problem_lines(first))
    if len(first) < len(problems):
        n = sum(n_more(found) or 1 for found in problems["found"][len(first) :])
        more = f"evaltools report {run.folder if is_kept else 'RUN'} --problems"
        print(f"{and_more(n)}: {more if is_kept else f'keep the run with -o RUN, then {more}'}", file=sys.stderr)


def problem_lines(problems: pd.DataFrame) -> str:
    """Return problems as lines of text."""
    lines = []
    for row in problems.astype(object).where(problems.notna(), None).to_dict("records"):
        fields: dict[str, Any] = {
            item.name: int(value) if item.name in ("line", "column", "sentence") and value is not None else value
            for item in dataclasses.fields(Problem)
            for value in (row[item.name],)
        }
        lines.append(f"{Problem(**fields)}\n")
    return "".join(lines)
