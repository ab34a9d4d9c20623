"""Command ``draw``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import evaltools
from evaltools.cli.console import open_run, write
from evaltools.cli.options import ForceFile, argument, option
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.files import refuse_existing, write_file
from evaltools.frameworks.views import STANDING_ALONE, Sentence, sentence_of

if TYPE_CHECKING:
    from evaltools.drawing import Drawing
    from evaltools.frameworks.framework import Framework

_BINARY = ("png", "pdf")
_MAPPINGS = ("e", "t", "marked", "enhanced")


def draw(
    run: str | None = argument("Folder of a run.", default=None, metavar="[RUN]"),
    sentence: int | None = option("Sentence number, from 1.", metavar="N"),
    parser: str | None = option("Parser.", metavar="NAME"),
    gold: str | None = option("Gold tree, instead of a run.", metavar="TREE"),
    test: str | None = option("Tree to compare with the gold tree.", metavar="TREE"),
    mapping: str = option(
        "e: matching brackets; t: tree-edit alignment; marked: errors marked in the sentence; enhanced: enhanced "
        "dependencies.",
        "t",
    ),
    as_: str | None = option(
        "svg, png, pdf, latex, dot, text or json; by default from the file’s suffix.", None, "--as", metavar="FORMAT"
    ),
    preset: str = option("For two trees: what counts, as in score.", "none"),
    out: Path | None = option(
        "Output file, with a caption; by default standard output.", None, "-o", "--out", metavar="FILE"
    ),
    caption: bool = option(
        "Caption and signature in the file, or only as a comment inside it, for figures of papers.",
        True,
        "--caption/--no-caption",
    ),
    force: ForceFile = False,
) -> None:
    """Draw the alignment of a gold tree or graph with a parser's."""
    from evaltools.outputs.pictures import file_kinds, picture_file

    kind = _kind(as_, out)
    if mapping not in _MAPPINGS:
        raise ParameterError.unknown("mapping", mapping, _MAPPINGS)
    if out is not None:
        refuse_existing(out, force=force)
    if run is not None and gold is None and test is None:
        if sentence is None or parser is None:
            raise ParameterError("to draw from a run, give --sentence N and --parser NAME")
        drawing, caption_text = _of_run(run, sentence, parser, mapping)
    elif run is None and gold is not None and test is not None:
        drawing, caption_text = _of_texts(gold, test, mapping, preset)
    else:
        raise ParameterError("give a run with --sentence and --parser, or two trees with --gold and --test")
    if kind not in file_kinds(drawing):
        raise ParameterError.unknown("drawing of such a sentence", kind, file_kinds(drawing))
    if out is None:
        write(drawing.draw(kind).rstrip("\n") + "\n")
    else:
        write_file(out, picture_file(drawing, kind, caption_text, is_shown=caption))


def _kind(option: str | None, out: Path | None) -> str:
    """Return the requested format, that of the file's suffix, or text."""
    from evaltools.outputs.pictures import PICTURE_FILES

    if option is None and out is not None:
        suffixes = {suffix: kind for kind, (_, suffix, *_) in PICTURE_FILES.items()}
        suffix = out.suffix.removeprefix(".").lower()
        if suffix not in suffixes:
            raise ParameterError.unknown("end of a file's name", out.suffix, [f".{item}" for item in suffixes])
        return suffixes[suffix]
    kind = option or "text"
    if kind not in PICTURE_FILES:
        raise ParameterError.unknown("drawing", kind, PICTURE_FILES)
    if out is None and kind in _BINARY:
        raise ParameterError(f"{kind} is not text; give an output file with -o FILE")
    return kind


def _of_run(run: str, sentence: int, parser: str, mapping: str) -> tuple[Drawing, str]:
    """Return the drawing of a sentence, and its caption."""
    opened = open_run(run)
    drawing = _drawing(opened.framework, sentence_of(opened, sentence, parser), mapping)
    return drawing, f"{drawing.title}: sentence {sentence}, gold and {parser}.\n{opened.signature}"


def _of_texts(gold: str, test: str, mapping: str, preset: str) -> tuple[Drawing, str]:
    """Return the drawing of two trees, and its caption."""
    from evaltools.formats.sampson import trees_of_texts
    from evaltools.frameworks.constituency.framework import CONSTITUENCY
    from evaltools.frameworks.dependency.framework import DEPENDENCY

    signature = f"evaltools:{evaltools.__version__}"
    if "\t" in gold and "\t" in test:
        drawing = _drawing(DEPENDENCY, Sentence(evaltools.align_dependencies(gold, test)), mapping)
    elif "\t" in gold or "\t" in test:
        raise ParameterError("both trees must be in brackets, or both in CoNLL-U")
    else:
        trees = trees_of_texts((gold, test))
        if not all(tree.words for tree in trees):
            raise InputError(
                Problem("empty_bracket", "<tree>", None, None, "a tree without words", "at least one word")
            )
        drawing = _drawing(CONSTITUENCY, Sentence(evaltools.align(trees[0], trees[1], preset)), mapping)
        signature += f"|preset:{preset}"
    return drawing, f"{drawing.title}: two trees.\n{signature}"


_ABSENT = {
    "marked": "there is no marked sentence: the words differ, or an analysis is missing",
    "enhanced": "there are no enhanced dependencies: the column DEPS is empty, or these are no such trees",
}
"""Why there is no picture of a kind."""


def _drawing(framework: Framework, sentence: Sentence, mapping: str) -> Drawing:
    """Return the picture of a kind; of a framework with one mapping, this."""
    view = framework.view(sentence, STANDING_ALONE)
    drawings = view.by_kind
    if mapping in _ABSENT and mapping not in drawings:
        raise ParameterError(_ABSENT[mapping])
    whole = [drawing for kind, drawing in drawings.items() if kind not in ("marked", "repairs")]
    if not whole:
        raise ParameterError(view.note or view.summary)
    return drawings.get(mapping, whole[0])
