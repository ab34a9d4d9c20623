"""The table of commands."""

from __future__ import annotations

import copy
from typing import Annotated

import typer

import evaltools
from evaltools.cli.converting import convert
from evaltools.cli.exploring import disagree, hotspots, ranks, words
from evaltools.cli.pictures import draw, open_app, open_class
from evaltools.cli.reporting import bundle, compare, html, nbest, preset, report
from evaltools.cli.scoring import crossframework, oracle, score, subset, verify

__all__ = ["app", "only"]

app = typer.Typer(
    name="evaltools",
    help="Score parsers against a gold treebank and find their errors.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def only(name: str) -> typer.Typer:
    """Return the command line with one command, or with all if there is none of that name.

    To prepare all of them takes typer as long as some commands take to run.
    """
    named = [
        command
        for command in app.registered_commands
        if name == command.name or name == getattr(command.callback, "__name__", None)
    ]
    one = copy.copy(app)
    one.registered_commands = named or app.registered_commands
    return one


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
    """Score parsers against a gold treebank and find their errors."""


app.command()(score)
app.command()(verify)
app.command()(subset)
app.command()(crossframework)
app.command()(report)
app.command()(compare)
app.command()(ranks)
app.command()(disagree)
app.command()(hotspots)
app.command()(words)
app.command()(nbest)
app.command()(oracle)
app.command()(draw)
app.command()(html)
app.command()(bundle)
app.command()(preset)
app.command()(convert)
app.command(name="app")(open_app)
app.command(name="class")(open_class)
