"""Command ``draw``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import evaltools
from evaltools.cli.completion import metric_names, parser_names, run_names
from evaltools.cli.console import check_standard_input, open_run, printing_progress, write
from evaltools.cli.options import CAPTION, Encoding, ForceFile, InputFormat, argument, option
from evaltools.corpus import SemanticGraph
from evaltools.errors import ParameterError
from evaltools.files import refuse_existing, write_file
from evaltools.formats import FORMATS, SemanticBank, format_of, open_source, read_semantics, read_treebank
from evaltools.formats.objects import read_inputs, read_objects
from evaltools.formats.source import is_folder, without_file_scheme
from evaltools.formats.tsdb import is_profile
from evaltools.frameworks.views import STANDING_ALONE, Sentence, sentence_of
from evaltools.runs.folder import META
from evaltools.text import count_of, number as count_text, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from evaltools.corpus import Dependencies, Treebank
    from evaltools.drawing import Drawing
    from evaltools.frameworks.framework import Framework
    from evaltools.runs.store import Run

_BINARY = ("png", "pdf")
_PARSE = "parse"
"""The name of a parse of a file that is not scored."""
_MAPPINGS = ("e", "t", "marked", "enhanced")


def draw(
    run: str | None = argument(
        "A run; or a file, or a tree or graph as text, with --sentence if it has several.",
        default=None,
        metavar="[RUN|GOLD]",
        autocompletion=run_names,
    ),
    parse: str | None = argument(
        "Of a run: the parser, by default the first one; or the file or text of a parse, to align it with gold.",
        default=None,
        metavar="[PARSER|PARSE]",
        autocompletion=parser_names,
    ),
    rank: int | None = argument("With --worst: the second worst, third worst …", default=None, metavar="[N]", min=1),
    sentence: int | None = option("Sentence number, from 1; needed if there are several.", metavar="N"),
    parser: str | None = option("As the second argument.", hidden=True),
    worst: bool = option(
        "Of a run, instead of --sentence: the worst parse of an instructive sentence (8 to 25 words), by the errors "
        "that one repair mends; with --metric that with the worst score.",
        False,
        "--worst",
    ),
    metric: str | None = option(
        "With --worst: the worst score by a metric.", metavar="METRIC", autocompletion=metric_names
    ),
    mapping: str | None = option(
        "Of gold and parse: t: tree-edit alignment (default); e: matching brackets; marked: errors marked in the "
        "sentence; enhanced: enhanced dependencies."
    ),
    format: str | None = option(
        "svg, png, pdf, latex, dot, text or json; by default from the file’s suffix.", None, "--format", "--as"
    ),
    input_format: InputFormat = None,
    encoding: Encoding = None,
    preset: str | None = option(
        "Of gold and parse: what counts, as in score; by default standard for files and graphs, none for trees as text."
    ),
    out: Path | None = option(
        "Output file, with a caption; by default standard output.", None, "-o", "--out", metavar="FILE"
    ),
    caption: bool = CAPTION,
    force: ForceFile = False,
) -> None:
    """Draw one tree or graph, or the alignment of a gold one with a parser's."""
    from evaltools.outputs.pictures import file_kinds, picture_file
    from evaltools.runs.scoring import noting_compilation

    kind = _kind(format, out)
    if mapping not in (None, *_MAPPINGS):
        raise ParameterError.unknown("mapping", mapping, _MAPPINGS)
    if out is not None:
        refuse_existing(out, force=force)
    given = [text for text in (run, parse) if text is not None]
    if run is None:
        raise ParameterError("give a run; a file or a tree as text; or two files or trees, gold and parse")
    is_run = _is_run(given[0])
    if (rank is not None or metric is not None) and not worst:
        raise ParameterError("a rank and --metric go with --worst; the number of a sentence is --sentence N")
    if worst and (sentence is not None or not is_run):
        raise ParameterError("--worst is for runs, instead of --sentence")
    with printing_progress() as progress, noting_compilation(progress):
        if is_run:
            if preset is not None or input_format is not None or encoding is not None:
                raise ParameterError("--preset, --input-format and --encoding are for files; a run has its own")
            opened = open_run(given[0])
            name = parser or (given[1] if len(given) > 1 else opened.parsers[0])
            if worst and rank is None and name.isdecimal() and name not in opened.parsers:
                name, rank = opened.parsers[0], int(name)
            if worst:
                sentence = _worst(opened, name, metric, rank or 1)
            drawing, caption_text = _of_run(opened, sentence, name, mapping or "t")
        elif parser is not None:
            raise ParameterError(f"--parser is for runs; {given[0]} is not a run of evaltools: it has no {META}")
        elif len(given) == 2:
            drawing, caption_text = _of_two(given, sentence, mapping or "t", preset, input_format, encoding)
        elif mapping is not None or preset is not None:
            raise ParameterError("--mapping and --preset are for two trees or graphs, gold and parse")
        else:
            drawing, caption_text = _of_one(given[0], sentence, input_format, encoding)
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


def _is_text(given: str) -> bool:
    """Return whether an argument is a tree or graph, not the name of a file."""
    return not os.path.lexists(given) and (given.lstrip()[:1] in ("(", "[", "{") or "\n" in given or "\t" in given)


def _is_run(given: str) -> bool:
    """Return whether an argument is a run, or a folder that can be nothing else."""
    return is_folder(given) and not is_profile(Path(without_file_scheme(given)))


def _number(sentence: int | None, n: int, name: str) -> int:
    """Return the number of the sentence to draw, by default of the only one."""
    if sentence is None and n > 1:
        raise ParameterError(f"{name} has {n:,} sentences; give the number of one with --sentence N")
    number = 1 if sentence is None else sentence
    if not 1 <= number <= n:
        raise ParameterError(f"no sentence {number}; there are {n:,}, counted from 1")
    return number


def _worst(run: Run, parser: str, metric: str | None, rank: int) -> int:
    """Return the sentence of a rank as *Worst parses* opens, or by a metric, the worst first; print what it is by."""
    from evaltools.runs.sentences import error_counts

    errors = None if metric is not None else error_counts(run, parser)
    if errors is None or not (errors > 0).any():
        number, about = _worst_score(run, parser, metric, rank)
    else:
        number, about = _most_errors(run, parser, errors, rank)
    print(f"evaltools: {printable(f'sentence {number} of {parser}: {about}')}", file=sys.stderr)
    return number


def _most_errors(run: Run, parser: str, errors: NDArray[np.float64], rank: int) -> tuple[int, str]:
    """Return the instructive sentence of a rank, and its errors in words."""
    from evaltools.analysis.headlines import instructive_in_words
    from evaltools.runs.sentences import instructive_first, largest_repairs

    count = run.framework.figures.errors
    assert count is not None
    largest, n = largest_repairs(run, parser), int((errors > 0).sum())
    if rank > n:
        raise ParameterError(f"no rank {rank:,}: {count_of(n, 'sentence')} of {parser} have {count.plural}")
    words = run.sentences(parser)["words"].to_numpy()
    number = int(instructive_first(words, errors, largest)[rank - 1])
    n_words, n_errors = int(words[number - 1]), errors[number - 1]
    mended = "" if largest is None else f"one repair mends {count_text(largest[number - 1])} of "
    of_words = f" in {count_of(n_words, 'word')}" if n_words else ""  # graphs may have none
    position = f"rank {rank:,} of {count_of(n, 'sentence')} with errors: {instructive_in_words(run)}"
    about = f"{mended}{count_text(n_errors)} {count.noun(n_errors)}{of_words}, {position}"
    return number, f"{about}; by score: --metric {run.main_metric}"


def _worst_score(run: Run, parser: str, metric: str | None, rank: int) -> tuple[int, str]:
    """Return the sentence of a rank by a metric, as reports order them, and its score in words."""
    from evaltools.frameworks.registry import METRICS, metric_id
    from evaltools.outputs.selection import worst_first

    item = METRICS[metric_id(metric or run.main_metric, run.metrics)]
    rows = worst_first(run.sentences(parser).dropna(subset=[item.id]), item.id)
    if rank > len(rows):
        raise ParameterError(f"no rank {rank:,}: {len(rows):,} sentences of {parser} have a score by {item.title}")
    number, score = int(rows["sentence"].iloc[rank - 1]), rows[item.id].iloc[rank - 1]
    n_equal = int((rows[item.id] == score).sum())
    ties = f"; {n_equal:,} have this score, the longest first" if n_equal > 1 else ""
    position = f"rank {rank:,} of {count_of(len(rows), 'sentence')} with a score, the worst first"
    return number, f"{item.title} {item.text(score, whole=True)}, {position}{ties}"


def _of_run(run: Run, sentence: int | None, parser: str, mapping: str) -> tuple[Drawing, str]:
    """Return the drawing of a sentence of a run, and its caption."""
    number = _number(sentence, run.n_sentences, str(run.path))
    drawing = _drawing(run.framework, sentence_of(run, number, parser), mapping)
    return drawing, f"{drawing.title}: sentence {number}, gold and {parser}.\n{run.signature}"


def _of_two(
    given: Sequence[str],
    sentence: int | None,
    mapping: str,
    preset: str | None,
    input_format: str | None,
    encoding: str | None,
) -> tuple[Drawing, str]:
    """Return the drawing of gold and parse, files or texts, and its caption: those of a run that is not kept."""
    from evaltools.runs.scoring import score_sentence

    are_texts = set(map(_is_text, given))
    if len(are_texts) > 1:
        raise ParameterError("gold and parse are two files, or two trees or graphs as text")
    check_standard_input(given)
    first, second = ([text] if True in are_texts else text for text in given)
    gold, parses, gold_format = read_inputs(first, {_PARSE: second}, input_format, encoding)
    if preset is None:
        preset = "none" if are_texts == {True} and FORMATS[gold_format].holds is not SemanticBank else "standard"
    run = score_sentence(gold, parses, sentence or 1, preset=preset, format=input_format, encoding=encoding)
    number = _number(sentence, run.n_sentences, given[0])
    for side, parser in (("gold", None), ("the parse", _PARSE)):
        if run.tree(number, parser) is None:
            problems = run.problems()
            raise _no_tree(number, side, problems.loc[problems["sentence"] == number, "found"].tolist())
    return _of_run(run, number, _PARSE, mapping)


def _of_one(given: str, sentence: int | None, input_format: str | None, encoding: str | None) -> tuple[Drawing, str]:
    """Return the drawing of one tree or graph of a file, or as text, and its caption."""
    from evaltools.outputs.pictures import drawing_of_one

    name = "the text" if _is_text(given) else given
    corpus = _corpus(given, input_format, encoding)
    number = _number(sentence, len(corpus), name)
    tree = corpus.items[number - 1].graph if isinstance(corpus, SemanticBank) else corpus.tree(number - 1)
    if tree is None or (not isinstance(tree, SemanticGraph) and not tree.words):
        raise _no_tree(number, name, [item.found for item in corpus.problems if item.sentence == number])
    drawing = drawing_of_one(tree)
    return drawing, f"{drawing.title}: sentence {number} of {name}.\nevaltools:{evaltools.__version__}"


def _corpus(given: str, input_format: str | None, encoding: str | None) -> Treebank | Dependencies | SemanticBank:
    """Read a file, a profile, or one tree or graph as text."""
    if _is_text(given):
        source = read_objects([given], "<text>", input_format)
        if isinstance(source, SemanticBank):
            return source
    else:
        source = given if is_folder(given) else open_source(given, encoding=encoding)
    name = format_of(source, input_format)
    return read_semantics(source, name) if FORMATS[name].holds is SemanticBank else read_treebank(source, name)


def _no_tree(number: int, where: str, reasons: Sequence[str]) -> ParameterError:
    reason = f": {reasons[0]}" if reasons else ""
    return ParameterError(f"sentence {number} has no tree or graph in {where}{reason}")


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
