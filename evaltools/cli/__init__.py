"""The command line: one function a command, in the modules beside this one."""

from __future__ import annotations

from typing import Annotated

import typer

import evaltools
from evaltools.cli.comparing import compare, disagree, nbest
from evaltools.cli.converting import convert
from evaltools.cli.figures import preset, report
from evaltools.cli.frameworks import crossframework
from evaltools.cli.oracles import oracle
from evaltools.cli.parts import subset
from evaltools.cli.pictures import draw, open_app
from evaltools.cli.publishing import html
from evaltools.cli.scoring import score, verify
from evaltools.console import run_command

__all__ = ["app", "main"]

app = typer.Typer(
    name="evaltools",
    help="Where does this parser go wrong, and which metric should I believe?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line; errors are one line, exit status 2."""
    run_command(app)


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
    """Score parsers against a gold treebank, and see where they go wrong."""


app.command()(score)
app.command()(verify)
app.command()(subset)
app.command()(crossframework)
app.command()(report)
app.command()(compare)
app.command()(disagree)
app.command()(nbest)
app.command()(oracle)
app.command()(draw)
app.command()(html)
app.command()(preset)
app.command()(convert)
app.command(name="app")(open_app)
