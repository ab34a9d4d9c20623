"""The table of commands."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Annotated

import typer

import evaltools
from evaltools.cli.examples import epilog
from evaltools.cli.launch import open_app, open_class
from evaltools.cli.pictures import draw
from evaltools.cli.reporting import (
    bundle,
    compare,
    disagree,
    edits,
    hotspots,
    html,
    nbest,
    paper,
    preset,
    ranks,
    report,
    why,
    words,
)
from evaltools.cli.scoring import convert, crossframework, oracle, score, subset, verify
from evaltools.errors import ParameterError
from evaltools.runs.folder import is_run

app = typer.Typer(
    name="evaltools",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 100},  # as wide as what commands print
)


def named_command(argument: str) -> str:
    """Return the first argument if it is a command or an option of all commands; empty if files to score begin with it.

    Raises ParameterError if it is a run, or no file and looks like a mistyped command.
    """
    commands = [command.name or command.callback.__name__ for command in app.registered_commands if command.callback]
    if argument in (*commands, "--help", "--version", "--", "--install-completion", "--show-completion"):
        return argument
    if is_run(Path(argument)):
        raise ParameterError(f"{argument} is a run, not a gold file; its figures: evaltools report {argument}")
    if argument.startswith("-") or "://" in argument or os.path.lexists(argument):
        return ""
    nearest = difflib.get_close_matches(argument, commands, 1)
    if nearest:
        raise ParameterError(f"no file {argument!r} and no command of this name; did you mean evaltools {nearest[0]}?")
    if not set(argument) & set("./\\"):
        raise ParameterError(f"no file {argument!r} and no command of this name; the commands: {', '.join(commands)}")
    return ""


def _version(wanted: bool) -> None:
    if wanted:
        print(f"evaltools {evaltools.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Score parsers against a gold treebank and find their errors.

    evaltools GOLD [NAME=]PARSE... prints which parser is better and keeps nothing; with -o RUN it keeps the run for
    the other commands. It is the same as evaltools score.
    """


_SCORING = (score, verify, subset, crossframework)
_READING = (report, compare, why, ranks, disagree, hotspots, words, edits, nbest, oracle)
_WRITING = (draw, paper, html, bundle, preset, convert)
for _command in _SCORING + _READING + _WRITING:
    app.command(epilog=epilog(_command.__name__))(_command)
app.command(name="app", epilog=epilog("app"))(open_app)
app.command(name="class", epilog=epilog("class"))(open_class)
