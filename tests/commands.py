"""The command line without a process of its own, for tests of what a command prints and with which status it ends."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from docs.running import run_here


def call(
    *arguments: object, given: str = "", encoding: str = "utf-8", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command with its arguments as text; see :func:`run_here`."""
    texts = (os.fsdecode(part) if isinstance(part, bytes) else str(part) for part in arguments)
    return run_here(*texts, given=given, encoding=encoding, cwd=cwd)
