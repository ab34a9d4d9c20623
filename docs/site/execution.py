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
from typing import Any

__all__ = ["ExecutionError", "Session", "prepared_folder"]

ROOT = Path(__file__).resolve().parent.parent.parent
_PROGRAMS = {"evaltools": [sys.executable, "-m", "evaltools"], "delphin": [sys.executable, "-m", "delphin.main"]}
_PRESENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "110", "NO_COLOR": "1", "PYTHONUTF8": "1"}


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
        done = subprocess.run(
            [*_PROGRAMS[name], *arguments],
            cwd=self.folder,
            env=_PRESENT,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
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
