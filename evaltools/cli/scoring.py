"""Commands that write a run, a part of one, or a treebank in another format, and ``verify``."""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from evaltools.cli.completion import metric_names
from evaltools.cli.console import (
    check_standard_input,
    named_files,
    print_problems,
    printing_progress,
    write,
)
from evaltools.cli.options import (
    TABLE,
    Encoding,
    ForceRun,
    InputFormat,
    Jobs,
    RunFolder,
    Strict,
    argument,
    formats,
    option,
    with_options,
)
from evaltools.errors import ParameterError
from evaltools.frameworks.presets import PRESETS
from evaltools.text import and_more

_MAX_PROBLEMS = 10
_LIST = re.compile(r"[\d\s,–-]+")


@with_options()
def score(
    gold: str = argument(
        "Gold treebank, semantic graphs, or a profile folder; - for standard input; gzip and zstd files are known.",
        metavar="GOLD",
    ),
    parsers: list[str] = argument(
        "Output file of each parser, with its name; by default that of the file.", metavar="[NAME=]FILE..."
    ),
    out: str | None = option("Keep the run in this folder; by default nothing.", None, "-o", "--out", metavar="RUN"),
    as_json: bool = option("Print the summary as JSON.", False, "--json"),
    quiet: bool = option("Print no summary and no problems.", False, "-q", "--quiet"),
    preset: str = option(
        f"What counts: {', '.join(PRESETS)}; for semantic graphs dridan-oepen-2011 (default), pydelphin, or mtool.",
        "standard",
    ),
    input_format: InputFormat = None,
    encoding: Encoding = None,
    metrics: str | None = option(
        "Metrics (f1,ted,las …) or families: e, t, la, r, attachment, ud, edm, sdp, smatch; default: all.",
        autocompletion=metric_names,
    ),
    jobs: Jobs = None,
    metadata: list[str] | None = option(
        "Metadata of the sentences, such as genre: a table with tabs, by sent_id, sentence or document, or "
        "CoNLL-U; repeatable.",
        metavar="FILE",
    ),
    strict: Strict = False,
    force: ForceRun = False,
    dask: str | None = option("Score on the Dask cluster with this scheduler.", metavar="ADDRESS"),
    format: str | None = option("As --input-format.", hidden=True),
    **options: Any,
) -> None:
    """Score parser outputs against a gold treebank, and print a summary."""
    from evaltools.runs.scoring import score as score_files

    named = named_files(parsers)
    check_standard_input([gold, *named.values()])
    with _folder(out) as folder:
        with printing_progress() as progress:
            run = score_files(
                gold,
                named,
                preset=preset,
                out=folder,
                format=input_format or format,
                encoding=encoding,
                metrics=metrics.split(",") if metrics else None,
                metadata=metadata or (),
                jobs=jobs,
                force=force,
                dask=dask,
                progress=progress,
                **options,
            )
        n_problems = run.meta["problems"]
        if n_problems and not quiet:
            print_problems(run, _MAX_PROBLEMS, is_kept=out is not None)
        if not quiet:
            from evaltools.outputs.first_answer import as_json as answer_as_json, as_text, first_answer
            from evaltools.outputs.tables import terminal_width

            answer = first_answer(run)
            write(answer_as_json(answer) if as_json else as_text(answer, out, terminal_width()))
    if strict and n_problems:
        raise typer.Exit(1)


@contextlib.contextmanager
def _folder(out: str | None) -> Iterator[str]:
    """Give the folder of a run, a temporary one where it is not kept."""
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="evaltools-") as folder:
        yield str(Path(folder, "run"))


def verify(
    run: RunFolder,
    jobs: Jobs = None,
) -> None:
    """Recompute a run from its sources and report all differences."""
    from evaltools.runs.store import Run
    from evaltools.runs.verification import verify as verify_run

    with printing_progress() as progress:
        verification = verify_run(Run(run), jobs=jobs, progress=progress)
    print(verification, file=sys.stderr if verification.obstacles else sys.stdout)
    raise typer.Exit(verification.exit_status)


def subset(
    run: RunFolder,
    out: str = option("Output folder of the new run.", ..., "-o", "--out", metavar="NEW"),
    sentences: str | None = option(
        "Numbers such as 3,7-10, a file of numbers, or a table saved in the app; - for standard input.",
        None,
        "--sentences",
        metavar="FILE|LIST",
    ),
    where: str | None = option("Sentences by their metadata, such as genre=news.", metavar="KEY=VALUE"),
    force: ForceRun = False,
) -> None:
    """Write selected sentences of a run, with all parsers, as a new run."""
    from evaltools.runs.metadata import parse_group
    from evaltools.runs.store import Run
    from evaltools.runs.subset import parse_numbers, subset as write_subset

    if (sentences is None) == (where is None):
        raise ParameterError("the sentences are given by either --sentences or --where")
    opened = Run(run)
    if where is not None:
        numbers = parse_group(where).sentences(opened).tolist()
    else:
        text, name = _read_numbers(sentences or "")
        numbers = parse_numbers(text, name, last_sentence=opened.n_sentences)
    with printing_progress() as progress:
        write_subset(opened, numbers, out, force=force, progress=progress)


def _read_numbers(option: str) -> tuple[str, str]:
    """Return the numbers as text, and the name of their source for messages."""
    if _LIST.fullmatch(option) and option != "-":
        return option, "--sentences"
    try:
        data = sys.stdin.buffer.read() if option == "-" else Path(option).read_bytes()
        return data.decode("utf-8-sig"), option
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or "it is not text"
        raise ParameterError(f"--sentences {option}: neither a list such as 3,7-10 nor a file ({found})") from None


def crossframework(
    gold: list[str] = option("Gold treebank of a theory; repeatable.", ..., metavar="THEORY=FILE"),
    parser: list[str] = option("A parser, its theory, and its output; repeatable.", ..., metavar="NAME:THEORY=FILE"),
    out: str = option("Output folder of the run.", ..., "-o", "--out", metavar="RUN"),
    label_map: Path | None = option(
        "File with two columns: labels and their replacements, in gold and parser trees alike.", metavar="FILE"
    ),
    tl_unify: list[str] | None = option(
        "Give gold trees of theory A the labels of theory B, or parses of parser A those of parser B.", metavar="A:B"
    ),
    count_root: bool = option("Count the node over the whole sentence, or not.", True, "--count-root/--no-count-root"),
    free_labels: Path | None = option(
        "File with two columns: labels that TedEval 2011 treats as equal.", metavar="FILE"
    ),
    projectivize: bool = option(
        "Make dependency trees projective for TedEval 2011, or leave it undefined for non-projective trees.",
        True,
        "--projectivize/--no-projectivize",
    ),
    metadata: list[str] | None = option("Metadata of the sentences, as in score; repeatable.", metavar="FILE"),
    encoding: Encoding = None,
    format: str = formats(
        "text", "json", "csv", "latex", help="Format of the table of experiments: text, json, csv or latex."
    ),
    force: ForceRun = False,
    strict: Strict = False,
) -> None:
    """Compare parsers of different theories and frameworks by TedEval, write a run, print all experiments."""
    from evaltools.analysis.experiments import experiments as experiments_of
    from evaltools.formats.small_tables import read_label_map, read_label_pairs
    from evaltools.outputs.experiments import experiments_report
    from evaltools.runs.scoring import crossframework as compare

    golds = named_files(gold, "gold treebank", "THEORY=FILE")
    parsers = {}
    for name, file in named_files(parser, form="NAME:THEORY=FILE").items():
        named, colon, theory = name.rpartition(":")
        if not colon or not named or not theory:
            raise ParameterError(f"a parser is given as NAME:THEORY=FILE, not {name + '=' + file!r}")
        if named in parsers:
            raise ParameterError(f"two parsers are named {named!r}")
        parsers[named] = (theory, file)
    pairs = []
    for text in tl_unify or ():
        first, colon, second = text.partition(":")
        if not colon or not first or not second:
            raise ParameterError(f"theories or parsers to unify are given as A:B, not {text!r}")
        pairs.append((first, second))
    check_standard_input([*golds.values(), *(file for _, file in parsers.values())])
    with printing_progress() as progress:
        run = compare(
            golds,
            parsers,
            out=out,
            label_map=read_label_map(label_map) if label_map is not None else None,
            tl_unify=pairs,
            count_root=count_root,
            free_labels=read_label_pairs(free_labels) if free_labels is not None else (),
            projectivize=projectivize,
            metadata=metadata or (),
            encoding=encoding,
            force=force,
            progress=progress,
        )
        result = experiments_of(run, progress, keep=True)
    for line in run.framework.runs.notes(run.meta):
        print(f"evaltools: {line}", file=sys.stderr)
    n_problems = run.meta["problems"]
    if n_problems:
        print_problems(run, _MAX_PROBLEMS)
    write(experiments_report(run, result, format))
    if strict and n_problems:
        raise typer.Exit(1)


@with_options("punctuation", "subtypes")
def oracle(
    gold: str = argument("Gold treebank: constituency or dependency trees.", metavar="GOLD"),
    lists: list[str] = argument(
        "N-best lists of each parser, with its name; by default that of the file.", metavar="[NAME=]FILE..."
    ),
    metric: str | None = option("Metric that selects the best analysis; by default Bracketing F1 or LAS."),
    out: str | None = option("Save the first and the best analyses as a run.", None, "-o", "--out", metavar="RUN"),
    preset: str = option("What counts, as in score.", "standard"),
    input_format: str | None = option("Format of the gold file; detected by default.", metavar="FORMAT"),
    encoding: Encoding = None,
    format: str = TABLE,
    force: ForceRun = False,
    gold_format: str | None = option("As --input-format.", hidden=True),
    **options: Any,
) -> None:
    """Compute the oracle score of n-best lists of trees: the score of the best analysis in each list."""
    from evaltools.outputs.nbest import oracle_report
    from evaltools.runs.oracle import oracle as score_oracle

    named = named_files(lists)
    check_standard_input([gold, *named.values()])
    with printing_progress() as progress:
        run = score_oracle(
            gold,
            named,
            metric=metric,
            preset=preset,
            format=input_format or gold_format,
            encoding=encoding,
            out=out,
            force=force,
            progress=progress,
            **options,
        )
    if run.meta["problems"]:
        # a temporary run cannot be asked for the other problems
        print_problems(run, None if out is None else _MAX_PROBLEMS)
    write(oracle_report(run, format))


_MAX_UNREAD = 100


def convert(
    source: str = argument("Input treebank; - for standard input.", metavar="IN"),
    out: str = argument("Output file (.gz, .zst: compressed); - for standard output.", metavar="OUT"),
    from_: str | None = option(
        "Format of IN; detected by default.", None, "--input-format", "--from", metavar="FORMAT"
    ),
    to: str | None = option(
        "Format of OUT, or multifunctions; by default from its suffix.", None, "--format", "--to", metavar="FORMAT"
    ),
    encoding: str | None = option("Encoding of IN, such as latin-1; UTF-8 by default.", metavar="NAME"),
    label_map: Path | None = option("For function trees: file of functions and their replacements.", metavar="FILE"),
    head_label: str = option(
        "For function trees of dependencies: label of heads, hd (2012) or * (2011).", "hd", metavar="NAME"
    ),
    words_only: bool = option(
        "Between CoNLL-U and CoNLL-X: drop what the target cannot represent.", False, "--words-only"
    ),
    strict: Strict = False,
) -> None:
    """Convert a file to another format, or to function trees."""
    from evaltools.formats.conversion import convert as convert_file, target_of
    from evaltools.formats.small_tables import read_label_map
    from evaltools.formats.source import n_more

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out" if out == "-" else Path(out)
        problems = convert_file(
            source,
            path,
            format=from_,
            to=to or target_of(out),
            label_map=read_label_map(label_map) if label_map is not None else None,
            head_label=head_label,
            words_only=words_only,
            encoding=encoding,
        )
        if out == "-":
            write(path.read_bytes().decode("utf-8"))
    sys.stderr.write("".join(f"{problem}\n" for problem in problems[:_MAX_UNREAD]))
    if len(problems) > _MAX_UNREAD:
        n = sum(n_more(problem.found) or 1 for problem in problems[_MAX_UNREAD:])
        print(and_more(n), file=sys.stderr)
    if (strict and problems) or any(problem.kind == "truncated" for problem in problems):
        raise typer.Exit(1)
