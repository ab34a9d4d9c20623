"""The command line; the modules of this package have a function for each command."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltools.cli.commands import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; errors are one line, exit status 2."""
    from evaltools import cli
    from evaltools.cli.commands import named_command
    from evaltools.cli.console import run_command

    def run() -> None:
        if len(sys.argv) < 2:
            cli.app(prog_name="evaltools")  # also where the program was started as a module: the shell knows this name
        name = named_command(sys.argv[1])
        arguments = sys.argv[1:] if name else ["score", *sys.argv[1:]]
        cli.app(arguments, prog_name="evaltools")

    run_command(run)


def __getattr__(name: str) -> Any:
    """Import the commands when they are first used: a program first sets what signals do."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from evaltools.cli import commands

    return commands.app
