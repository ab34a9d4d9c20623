"""Commands that print what pages of the app show: ``disagree``, ``hotspots``, ``ranks`` and ``words``."""

from __future__ import annotations

from typing import Annotated

import typer

from evaltools.cli.console import write
from evaltools.errors import ParameterError

__all__ = ["disagree", "hotspots", "ranks", "words"]


def ranks(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    all_sentences: Annotated[
        bool | None,
        typer.Option(
            "--all-sentences/--parsed-only",
            help="Figures over all sentences, or over the parsed ones only; by default as in the report.",
        ),
    ] = None,
    format: Annotated[str, typer.Option(help="text, json or csv.")] = "text",  # noqa: A002 - the option's name
) -> None:
    """Rank the parsers under every variant of the metrics, and show where two swap ranks."""
    from evaltools.outputs.ranks import RANKS_REPORTS, ranks_of
    from evaltools.runs.store import Run

    if format not in RANKS_REPORTS:
        raise ParameterError.unknown("format", format, RANKS_REPORTS)
    opened = Run(run)
    write(RANKS_REPORTS[format](opened, ranks_of(opened, every=all_sentences)))


def disagree(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    metric_a: Annotated[str | None, typer.Argument(metavar="METRIC", help="First metric.")] = None,
    metric_b: Annotated[str | None, typer.Argument(metavar="METRIC", help="Second metric.")] = None,
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="Parser whose sentences are ranked.")] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Kendall distances of all headline metrics, for every parser.")
    ] = False,
    format: Annotated[str, typer.Option(help="text, json or csv.")] = "text",  # noqa: A002 - the option's name
    limit: Annotated[
        int, typer.Option(metavar="N", min=0, help="Number of sentences with the largest rank differences.")
    ] = 20,
) -> None:
    """Show where two metrics rank a parser's sentences differently, or how far all metrics are from each other."""
    from evaltools.analysis.disagreement import disagreement
    from evaltools.frameworks.registry import metric_id
    from evaltools.outputs.disagreement import DISAGREEMENT_REPORTS, MATRIX_REPORTS, distances_of
    from evaltools.runs.store import Run

    if format not in DISAGREEMENT_REPORTS:
        raise ParameterError.unknown("format", format, DISAGREEMENT_REPORTS)
    opened = Run(run)
    if parser is not None and parser not in opened.parsers:
        raise ParameterError.unknown("parser", parser, opened.parsers)
    if matrix:
        if metric_a is not None:
            raise ParameterError("--matrix is of all headline metrics; leave the metrics out")
        parsers = opened.parsers if parser is None else [parser]
        write(MATRIX_REPORTS[format](opened, {name: distances_of(opened, name) for name in parsers}))
        return
    if metric_a is None or metric_b is None or parser is None:
        raise ParameterError("two metrics and --parser NAME are needed, or --matrix")
    metric_a, metric_b = metric_id(metric_a, opened.metrics), metric_id(metric_b, opened.metrics)
    if metric_a == metric_b:
        raise ParameterError(f"two different metrics are compared, not {metric_a} with itself")
    rows = disagreement(opened.sentences(parser), metric_a, metric_b, parser)
    write(DISAGREEMENT_REPORTS[format](opened, parser, (metric_a, metric_b), rows, limit))


def hotspots(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run.")],
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Parser whose errors are grouped.")],
    view: Annotated[str, typer.Option(metavar="NAME", help="View of Hotspots, by default the first one.")] = "",
    compare_with: Annotated[str, typer.Option(metavar="NAME", help="Parser to compare with.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Option of the view, such as least=5; repeatable.")
    ] = None,
    where: Annotated[
        str | None, typer.Option(metavar="KEY=VALUE", help="Only sentences by their metadata, such as genre=news.")
    ] = None,
    cluster: Annotated[
        str,
        typer.Option(metavar="KEY", help="With --compare-with: intervals over documents (document), not sentences."),
    ] = "",
    first: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N sentences; by default all.")
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=0, help="Print at most N rows.")] = None,
    format: Annotated[str, typer.Option(help="text, json or csv.")] = "text",  # noqa: A002 - the option's name
) -> None:
    """Print a table of Hotspots: errors by construction, label, rule, word, and what else the framework groups by."""
    from evaltools.outputs.hotspots import HOTSPOTS_REPORTS, hotspot_table
    from evaltools.runs.store import Run

    if format not in HOTSPOTS_REPORTS:
        raise ParameterError.unknown("format", format, HOTSPOTS_REPORTS)
    table = hotspot_table(Run(run), parser, view, compare_with, option or (), where=where, cluster=cluster, first=first)
    write(HOTSPOTS_REPORTS[format](table, limit))


def words(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run of dependency trees.")],
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Parser whose words are compared.")],
    sentence: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Sentence number, from 1; repeatable; by default all.")
    ] = None,
    differing: Annotated[bool, typer.Option("--differing", help="Only words with a column that differs.")] = False,
    format: Annotated[str, typer.Option(help="text, json or csv.")] = "text",  # noqa: A002 - the option's name
) -> None:
    """Print the columns of every word, gold beside the parser's: form, lemma, tags, features, head, relation."""
    from evaltools.outputs.words import WORDS_REPORTS, words_of
    from evaltools.runs.store import Run

    if format not in WORDS_REPORTS:
        raise ParameterError.unknown("format", format, WORDS_REPORTS)
    opened = Run(run)
    if parser not in opened.parsers:
        raise ParameterError.unknown("parser", parser, opened.parsers)
    numbers = sorted(set(sentence or range(1, opened.n_sentences + 1)))
    write(WORDS_REPORTS[format](opened, words_of(opened, parser, numbers, differing=differing)))
