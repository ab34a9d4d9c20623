"""Commands that show: ``draw`` and ``app``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import evaltools
from evaltools.cli.shared import refuse_existing, write_file
from evaltools.console import write
from evaltools.errors import ParameterError

if TYPE_CHECKING:
    from evaltools.publishing.pictures import Picture

__all__ = ["draw", "open_app"]

_BINARY = ("png", "pdf")


def draw(
    run: Annotated[str | None, typer.Argument(metavar="[RUN]", help="Folder of a run.")] = None,
    sentence: Annotated[int | None, typer.Option(metavar="N", help="Number of the sentence, from 1.")] = None,
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="The parser.")] = None,
    gold: Annotated[str | None, typer.Option(metavar="TREE", help="A gold tree, instead of a run.")] = None,
    test: Annotated[str | None, typer.Option(metavar="TREE", help="The tree to compare it with.")] = None,
    mapping: Annotated[str, typer.Option(help="e: equal label and span; t: order and ancestry kept.")] = "t",
    as_: Annotated[
        str | None,
        typer.Option("--as", metavar="FORMAT", help="svg, png, pdf, latex, dot, text or json; else by the file’s end."),
    ] = None,
    preset: Annotated[str, typer.Option(help="For two trees: what counts, as for score.")] = "none",
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="A file, with a caption, instead of the screen.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older file of that name.")] = False,
) -> None:
    """Draw the alignment of a gold tree, or graph, with a parser's."""
    from evaltools.publishing.pictures import picture_file

    kind = _kind(as_, out)
    if mapping not in ("e", "t"):
        raise ParameterError.unknown("mapping", mapping, ("e", "t"))
    if out is not None:
        refuse_existing(out, force=force)
    if run is not None and gold is None and test is None:
        if sentence is None or parser is None:
            raise ParameterError("to draw from a run, give --sentence N and --parser NAME")
        picture, drawings = _of_run(run, sentence, parser, mapping)
    elif run is None and gold is not None and test is not None:
        picture, drawings = _of_trees(gold, test, mapping, preset)
    else:
        raise ParameterError("give a run with --sentence and --parser, or two trees with --gold and --test")
    if kind not in picture.kinds:
        raise ParameterError.unknown("drawing of such a sentence", kind, picture.kinds)
    if out is None:
        write(drawings[kind]().rstrip("\n") + "\n")
    else:
        write_file(out, picture_file(picture, kind))


Drawn = tuple["Picture", Mapping[str, Callable[[], str]]]
"""A picture to be written into a file, and what draws it for the screen."""


def _kind(said: str | None, out: Path | None) -> str:
    """Return the format: the one that was asked for, that of the file's name, or text."""
    from evaltools.publishing.pictures import PICTURE_FILES

    if said is None and out is not None:
        suffixes = {suffix: kind for kind, (_, suffix, *_) in PICTURE_FILES.items()}
        suffix = out.suffix.removeprefix(".").lower()
        if suffix not in suffixes:
            raise ParameterError.unknown("end of a file's name", out.suffix, [f".{one}" for one in suffixes])
        return suffixes[suffix]
    kind = said or "text"
    if kind not in PICTURE_FILES:
        raise ParameterError.unknown("drawing", kind, PICTURE_FILES)
    if out is None and kind in _BINARY:
        raise ParameterError(f"{kind} is not text: say with -o FILE where it goes")
    return kind


def _drawings(subject: object, **options: str) -> Mapping[str, Callable[[], str]]:
    from evaltools.drawing import draw, languages

    return {kind: partial(draw, subject, kind, **options) for kind in languages(subject)}


def _of_run(run: str, sentence: int, parser: str, mapping: str) -> Drawn:
    from evaltools.metrics.mapping import Alignment
    from evaltools.publishing.drawings import alignment_picture, arcs_picture, graph_picture, protocol_picture
    from evaltools.runs.store import Run

    opened = Run(run)
    name = f"sentence-{sentence}-{parser}"
    says = f"sentence {sentence}, gold and {parser}.\n{opened.signature}"
    if opened.kind in ("crossframework", "semantics") and parser not in opened.parsers:
        raise ParameterError.unknown("parser", parser, opened.parsers)
    if opened.kind == "crossframework":
        labelled = next(one["labelled"] for one in opened.meta["parsers"] if one["name"] == parser)
        protocol = opened.protocol(sentence, parser, labelled=labelled)
        picture = protocol_picture(protocol, name, f"Steps of TedEval: {says}")
        return picture, _drawings(protocol)
    if opened.kind == "semantics":
        graphs = opened.graphs(sentence, parser)
        picture = graph_picture(graphs, name, f"Both graphs: {says}", test_name=parser)
        return picture, _drawings(graphs)
    alignment = opened.alignment(sentence, parser)
    if isinstance(alignment, Alignment):
        caption = f"{mapping.upper()}-mapping: {says}"
        picture = alignment_picture(alignment, mapping, name, caption, test_name=parser)
        return picture, _drawings(alignment, mapping=mapping)
    picture = arcs_picture(alignment, name, f"Arcs: {says}", test_name=parser)
    return picture, _drawings(alignment)


def _of_trees(gold: str, test: str, mapping: str, preset: str) -> Drawn:
    from evaltools.metrics.alignment import align
    from evaltools.metrics.dependency_alignment import align_dependencies
    from evaltools.publishing.drawings import alignment_picture, arcs_picture

    dependencies = "\t" in gold, "\t" in test
    made = f"evaltools:{evaltools.__version__}"
    if all(dependencies):
        arcs = align_dependencies(gold, test)
        picture = arcs_picture(arcs, "trees", f"Arcs of two trees.\n{made}")
        return picture, _drawings(arcs)
    if any(dependencies):
        raise ParameterError("both trees must be in brackets, or both in CoNLL-U")
    alignment = align(_tree(gold), _tree(test), preset)
    picture = alignment_picture(
        alignment, mapping, "trees", f"{mapping.upper()}-mapping of two trees.\n{made}|preset:{preset}"
    )
    return picture, _drawings(alignment, mapping=mapping)


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
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Answer under this name too, e.g. that of a proxy in front of the app; NAME:PORT for one port. "
            "Repeatable.",
        ),
    ] = None,
) -> None:
    """Open the app on runs, or on the sample."""
    from evaltools.launch import launch

    say = partial(print, file=sys.stderr, flush=True)
    raise typer.Exit(
        launch(runs or [], port, browser=browser, address=address, allowed_hosts=allow_host or [], say=say)
    )
