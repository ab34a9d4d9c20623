"""The command line without a process of its own, for tests of what a command prints and with which status it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from docs.running import run_here


def call(
    *arguments: object, given: str = "", encoding: str = "utf-8", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command with its arguments as text; see :func:`run_here`."""
    texts = (os.fsdecode(part) if isinstance(part, bytes) else str(part) for part in arguments)
    return run_here(*texts, given=given, encoding=encoding, cwd=cwd)


def json_of(*arguments: object) -> Any:
    done = call(*arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows_of(*arguments: object) -> list[dict[str, str]]:
    done = call(*arguments, "--format", "csv")
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def check_refused(message: str, *arguments: object, cwd: Path | None = None) -> None:
    """Check that a command prints nothing but one line with a message, and ends with status 2."""
    done = call(*arguments, cwd=cwd)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("evaltools: ")
    assert message in done.stderr
