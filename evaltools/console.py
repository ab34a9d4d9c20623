"""What stands around every command: errors in one line, exit statuses, an output that is closed or full, Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import io
import signal
import sys
from collections.abc import Callable, Iterator
from typing import NoReturn

from evaltools.errors import EvaltoolsError, printable, shortage

__all__ = ["is_interruption", "run_command", "write"]


def run_command(app: Callable[[], object]) -> NoReturn:
    """Run a command and end the program; errors are one line, exit status 2.

    Parameters
    ----------
    app : callable
        What click made of the commands; it ends with its exit status.
    """
    signals: list[int] = []
    _replace_what_cannot_be_encoded()
    try:
        with _termination_as_interruption(signals):
            _call(app)
    except SystemExit:
        if signals:  # which the command has dealt with as with Ctrl-C
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
        refused = shortage(error)
        if refused is not None:
            print(f"evaltools: {refused}", file=sys.stderr)
            raise SystemExit(2) from None
        if not isinstance(error, OSError) or error.filename is not None or error.errno != errno.ENOSPC:
            raise
        with contextlib.suppress(OSError):
            sys.stdout.close()  # what is left of it cannot be written either
        print(f"evaltools: cannot write the output: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None


def _replace_what_cannot_be_encoded() -> None:
    """Have characters that the terminal's encoding does not have replaced, as standard error does anyway."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


@contextlib.contextmanager
def _termination_as_interruption(signals: list[int]) -> Iterator[None]:
    """Have SIGTERM do what Ctrl-C does, so that what was begun is removed and the app's server ends."""

    def interrupt(number: int, _: object) -> NoReturn:
        signals.append(number)
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # only the main thread may
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _ReaderGoneError(Exception):
    """Who read our output, such as head, has gone."""


def write(text: str) -> None:
    """Print a text; click must not see the broken pipe, of which it makes exit status 1.

    Parameters
    ----------
    text : str
        Lines, each with its end.
    """
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        raise _ReaderGoneError from None


def _call(app: Callable[[], object]) -> NoReturn:
    """Run the command, and write out what it printed."""
    try:
        app()
        raise SystemExit(0)
    except SystemExit:
        if sys.stdout is not None:  # as it is where standard output was closed
            sys.stdout.flush()
        raise
    except SystemError as error:
        if not is_interruption(error):
            raise
        raise KeyboardInterrupt from None


def is_interruption(error: BaseException) -> bool:
    """Tell whether an error is Ctrl-C, or what a compiled function makes of it.

    Parameters
    ----------
    error : BaseException
        A :exc:`SystemError`, perhaps with the interruption as its cause.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None
