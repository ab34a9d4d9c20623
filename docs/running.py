"""Commands of evaltools in this process: to start another takes longer than most commands."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

from evaltools import cli

__all__ = ["run_here"]


def run_here(
    *arguments: str, cwd: Path | None = None, given: str = "", encoding: str = "utf-8"
) -> CompletedProcess[str]:
    """Run a command as a program would call it: with pipes instead of a terminal.

    `cwd` is where it runs, `given` its standard input; `encoding` is that of all three streams.
    """
    command = ["evaltools", *arguments]
    to, errors_to = io.BytesIO(), io.BytesIO()
    output = io.TextIOWrapper(to, encoding, errors="strict", newline="\n", write_through=True)
    errors = io.TextIOWrapper(errors_to, encoding, errors="backslashreplace", newline="\n", write_through=True)
    status: object = 0
    with (
        mock.patch.object(sys, "argv", command),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode(encoding)), encoding)),
        contextlib.chdir(cwd or Path.cwd()),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        try:
            cli.main()
        except SystemExit as end:
            status = end.code
    printed = to.getvalue().decode(output.encoding), errors_to.getvalue().decode(encoding)
    return CompletedProcess(command, int(status or 0), *printed)  # type: ignore[call-overload]
