"""The command line without a process of its own, for tests of what a command prints and with which status it ends."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaltools import cli


def call(
    *arguments: object, given: str = "", encoding: str = "utf-8", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command as a program would call it: with pipes instead of a terminal.

    `given` is its standard input; `encoding` is that of all three streams; `cwd` is where it runs.
    """
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding, errors=errors, newline="\n")
        for errors in ("strict", "backslashreplace")
    )
    command = ["evaltools", *(os.fsdecode(part) if isinstance(part, bytes) else str(part) for part in arguments)]
    status: object = 0
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(cwd or Path.cwd()):
        patch.setattr(sys, "argv", command)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode(encoding)), encoding))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            cli.main()
        except SystemExit as end:
            status = end.code
    printed = []
    for stream in (out, err):
        stream.flush()
        printed.append(stream.buffer.getvalue().decode(encoding))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(command, int(status or 0), *printed)  # type: ignore[call-overload]
