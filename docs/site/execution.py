"""Run the commands and the Python code of a page while the site is built, so that every output on it is real.

A block with the info string ``console`` holds commands after ``$``; what they print is put below them. ``lines=8``
keeps the first eight lines of each output. A block with ``python picture`` holds code, the last line of which is an SVG
drawing.
"""

from __future__ import annotations

import ast
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

from docs.running import run_here

__all__ = ["ExecutionError", "Session", "prepared_folder"]

ROOT = Path(__file__).resolve().parent.parent.parent
_COLUMNS = "90"
"""Width of the terminal that commands print for: that of a page."""


class ExecutionError(Exception):
    """A command or code of a page failed."""


def prepared_folder(folder: Path) -> Path:
    """Copy the sample and the examples of the pages into a folder and return it: commands write there."""
    shutil.copytree(ROOT / "sample_data", folder / "sample_data", dirs_exist_ok=True)
    shutil.copytree(ROOT / "docs" / "pages" / "examples", folder / "examples", dirs_exist_ok=True)
    return folder


class Session:
    """Commands and code of one page, run in the order of the page in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: dict[str, Any] = {}

    def console(self, block: str, max_lines: int | None = None) -> list[tuple[str, str]]:
        """Run the commands of a block; return each with its output, of which at most `max_lines` lines are kept."""
        commands = block.replace("\\\n", "").splitlines()
        return [
            (line.removeprefix("$ "), _first_lines(self._output(line.removeprefix("$ ")), max_lines))
            for line in commands
            if line.startswith("$ ")
        ]

    def _output(self, command: str) -> str:
        name, *arguments = shlex.split(command, comments=True)
        if name not in _PROGRAMS:
            raise ExecutionError(f"pages may run {', '.join(_PROGRAMS)}, not {name}")
        done = _PROGRAMS[name](self.folder, arguments)
        if done.returncode:
            raise ExecutionError(f"{command}\nends with status {done.returncode}: {done.stderr}")
        return done.stdout

    def picture(self, code: str) -> str:
        """Run code; return the value of its last line, an SVG drawing."""
        tree = ast.parse(code)
        last = tree.body.pop()
        if not isinstance(last, ast.Expr):
            raise ExecutionError(f"the last line is no expression:\n{code}")
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            exec(compile(tree, "<page>", "exec"), self._names)
            value = eval(compile(ast.Expression(last.value), "<page>", "eval"), self._names)
        finally:
            os.chdir(before)
        if not isinstance(value, str) or not value.startswith("<svg"):
            raise ExecutionError(f"the last line is no SVG drawing:\n{code}")
        return value


def _first_lines(output: str, max_lines: int | None) -> str:
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    if max_lines is None or len(lines) <= max_lines:
        return "\n".join(lines)
    return "\n".join([*lines[:max_lines], "…"])


def _evaltools(folder: Path, arguments: list[str]) -> CompletedProcess[str]:
    with mock.patch.dict(os.environ, {"COLUMNS": _COLUMNS}):
        return run_here(*arguments, cwd=folder)


def _delphin(folder: Path, arguments: list[str]) -> CompletedProcess[str]:
    command = [sys.executable, "-m", "delphin.main", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


_PROGRAMS = {"evaltools": _evaltools, "delphin": _delphin}
"""Functions that run the programs, by their names."""
