"""Commands that show: ``draw`` and ``app``."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import evaltools
from evaltools.console import write
from evaltools.errors import ParameterError

__all__ = ["draw", "open_app"]


def draw(
    run: Annotated[str | None, typer.Argument(metavar="[RUN]", help="Folder of a run.")] = None,
    sentence: Annotated[int | None, typer.Option(metavar="N", help="Number of the sentence, from 1.")] = None,
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="The parser.")] = None,
    gold: Annotated[str | None, typer.Option(metavar="TREE", help="A gold tree, instead of a run.")] = None,
    test: Annotated[str | None, typer.Option(metavar="TREE", help="The tree to compare it with.")] = None,
    mapping: Annotated[str, typer.Option(help="e: equal label and span; t: order and ancestry kept.")] = "t",
    as_: Annotated[str, typer.Option("--as", metavar="FORMAT", help="text, svg, dot, latex or json.")] = "text",
    preset: Annotated[str, typer.Option(help="For two trees: what counts, as for score.")] = "none",
) -> None:
    """Draw the alignment of a gold tree, or graph, with a parser's."""
    from evaltools.drawing import ARC_DRAWINGS, DRAWINGS, GRAPH_DRAWINGS, PROTOCOL_DRAWINGS
    from evaltools.metrics.alignment import align
    from evaltools.metrics.dependency_alignment import align_dependencies
    from evaltools.metrics.mapping import Alignment
    from evaltools.runs.store import Run

    if as_ not in DRAWINGS:
        raise ParameterError.unknown("drawing", as_, DRAWINGS)
    if mapping not in ("e", "t"):
        raise ParameterError.unknown("mapping", mapping, ("e", "t"))
    if run is not None and gold is None and test is None:
        if sentence is None or parser is None:
            raise ParameterError("to draw from a run, give --sentence N and --parser NAME")
        opened = Run(run)
        if opened.kind == "crossframework":
            if as_ not in PROTOCOL_DRAWINGS:
                raise ParameterError.unknown("drawing of a run across frameworks", as_, PROTOCOL_DRAWINGS)
            if parser not in opened.parsers:
                raise ParameterError.unknown("parser", parser, opened.parsers)
            labelled = next(one["labelled"] for one in opened.meta["parsers"] if one["name"] == parser)
            write(PROTOCOL_DRAWINGS[as_](opened.protocol(sentence, parser, labelled=labelled)))
            return
        if opened.kind == "semantics":
            if parser not in opened.parsers:
                raise ParameterError.unknown("parser", parser, opened.parsers)
            write(GRAPH_DRAWINGS[as_](opened.graphs(sentence, parser)).rstrip("\n") + "\n")
            return
        alignment = opened.alignment(sentence, parser)
    elif run is None and gold is not None and test is not None:
        dependencies = "\t" in gold, "\t" in test
        if all(dependencies):
            alignment = align_dependencies(gold, test)
        elif any(dependencies):
            raise ParameterError("both trees must be in brackets, or both in CoNLL-U")
        else:
            alignment = align(_tree(gold), _tree(test), preset)
    else:
        raise ParameterError("give a run with --sentence and --parser, or two trees with --gold and --test")
    drawn = DRAWINGS[as_](alignment, mapping) if isinstance(alignment, Alignment) else ARC_DRAWINGS[as_](alignment)
    write(drawn.rstrip("\n") + "\n")


def _tree(text: str) -> evaltools.Tree:
    return evaltools.Tree.from_string(text, "sampson" if text.lstrip().startswith("[") else "ptb")


def open_app(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="[RUN...]", help="Runs to open; else the sample.")
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", help="Port on this machine.")] = 8501,
    browser: Annotated[bool, typer.Option(help="Open a browser if there is a screen.")] = True,
    address: Annotated[
        str, typer.Option(metavar="IP", help="0.0.0.0: everybody in the network reaches it, to vote in class.")
    ] = "127.0.0.1",
) -> None:
    """Open the app on runs, or on the sample."""
    from evaltools.launch import launch

    say = partial(print, file=sys.stderr, flush=True)
    raise typer.Exit(launch(runs or [], port, browser=browser, address=address, say=say))
