"""Commands that print or publish figures and lists of errors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from evaltools.cli.console import print_problems, printing_progress, report_in, write
from evaltools.cli.options import Cluster, ForceFile, Format, Ranking, RunFolder, Seed, Worst
from evaltools.errors import ParameterError
from evaltools.files import refuse_existing, write_file


def report(
    run: RunFolder,
    format: Annotated[str, typer.Option(help="text, json, csv, latex, evalb or conll18.")] = "text",  # noqa: A002 - the option's name
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="Report this parser only.")] = None,
    sentences: Annotated[bool, typer.Option("--sentences", help="Print one row per sentence.")] = False,
    sort: Annotated[str | None, typer.Option(metavar="METRIC", help="Sort sentences by a metric, worst first.")] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", help="Print at most N sentences or labels per parser.")
    ] = None,
    all_figures: Annotated[
        bool, typer.Option("--all", help="All metrics, micro and macro, over all sentences and over parsed ones only.")
    ] = False,
    counts: Annotated[
        bool,
        typer.Option("--counts", help="The counts behind the figures: G, T, M, D, I, S, and costs of mappings."),
    ] = False,
    labels: Annotated[
        bool,
        typer.Option("--labels", help="Figures by phrase label, by relation, or by predicate, role and property."),
    ] = False,
    problems: Annotated[
        bool, typer.Option("--problems", help="List the problems in the input instead of figures.")
    ] = False,
    by: Annotated[
        str, typer.Option(metavar="KEY", help="Figures with intervals by a column of the metadata, such as genre.")
    ] = "",
    cluster: Cluster = "",
    experiments: Annotated[
        bool,
        typer.Option(
            "--experiments", help="Runs across frameworks: every parser against every gold treebank; also as latex."
        ),
    ] = False,
    section: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="A section of the HTML report as text: errors, figures, significance, ranks, distribution, groups, "
            "relations, lists, details, types, hotspots, worst, problems, or all.",
        ),
    ] = "",
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="METRIC", help="With --section, --by or --cluster: metric of the text; JSON and CSV have all."
        ),
    ] = None,
) -> None:
    """Print the figures of a run."""
    from evaltools.outputs.figures import REPORTS
    from evaltools.outputs.selection import Selection
    from evaltools.runs.store import Run

    if experiments:
        from evaltools.analysis.experiments import experiments as experiments_of
        from evaltools.outputs.experiments import EXPERIMENT_REPORTS

        experiments_in = report_in(format, EXPERIMENT_REPORTS)
        with printing_progress() as progress:
            opened = Run(run)
            table = experiments_in(opened, experiments_of(opened, progress))
        write(table)
        return
    figures_in = report_in(format, REPORTS)
    if section:
        from evaltools.outputs.sections import Report, section_text

        if format != "text" or parser is not None or sentences or sort is not None or by:
            raise ParameterError("--section is text about all parsers: it goes with --metric and --cluster only")
        write(section_text(Report.of(Run(run), metric, cluster), section))
        return
    if problems:
        print_problems(run, None, to_stdout=True)
        return
    for option, is_set in (("labels", labels), ("all", all_figures), ("counts", counts)):
        if is_set and (sentences or sort is not None or format in ("evalb", "conll18")):
            raise ParameterError(f"--{option} cannot be combined with --sentences, --sort or --format {format}")
    chosen = [labels, all_figures, counts]
    if sum(chosen) > 1:
        raise ParameterError("--labels, --all and --counts cannot be combined")
    if by or cluster:
        from evaltools.frameworks.registry import metric_id
        from evaltools.outputs.figures import GROUP_REPORTS

        if sentences or any(chosen) or sort is not None or limit is not None:
            raise ParameterError(
                "--by and --cluster cannot be combined with --sentences, --labels, --sort, --all, --counts"
            )
        if format not in GROUP_REPORTS:
            raise ParameterError(f"--by and --cluster cannot be combined with --format {format}")
        opened = Run(run)
        metric = None if metric is None else metric_id(metric, opened.metrics)
        write(GROUP_REPORTS[format](opened, Selection(parser), by, cluster, metric))
        return
    if metric is not None:
        raise ParameterError("--metric goes with --by or --cluster; reports have all metrics")
    per_sentence = not labels and (sentences or sort is not None or limit is not None)
    text = figures_in(Run(run), Selection(parser, per_sentence, sort, limit, labels, all_figures, counts))
    write(text)
    if format == "evalb":
        _print_evalb_stop(run)


def _print_evalb_stop(path: str) -> None:
    """Print where evalb would stop: at its error number ``MAX_ERROR`` + 2."""
    from evaltools.runs.store import Run

    run = Run(path)
    maximum = run.rules.evalb.max_error if run.rules.evalb is not None else 10
    for parser in run.meta["parsers"]:
        if parser["words_differ"] > maximum + 1:
            found = f"{parser['words_differ']} sentences in error"
            print(
                f"{parser['name']}: {found}; evalb stops at number {maximum + 2} (MAX_ERROR {maximum})", file=sys.stderr
            )


def preset(
    name: Annotated[str | None, typer.Argument(help="Name of a preset; by default all presets are listed.")] = None,
) -> None:
    """Print the rules of a preset."""
    from evaltools.frameworks.presets import PRESETS, load_preset
    from evaltools.frameworks.registry import FRAMEWORKS

    own = [(framework.title, framework.own_files) for framework in FRAMEWORKS.values() if framework.own_files]
    if name is not None:
        owner = next((files for _, files in own if name in files.presets), None)
        print(load_preset(name).describe() if owner is None else owner.describe_preset(name))
        return
    for preset_name, summary in PRESETS.items():
        print(f"{preset_name:12} {summary}")
    for title, files in own:
        print(f"for {title}:")
        for preset_name, summary in files.presets.items():
            print(f"{preset_name:17} {summary}")


def compare(
    run: RunFolder,
    parser_a: Annotated[str, typer.Argument(metavar="A", help="First parser.")],
    parser_b: Annotated[str, typer.Argument(metavar="B", help="Second parser.")],
    metric: Annotated[
        str | None, typer.Option(metavar="METRIC", help="Metric; by default Bracketing F1, LAS or EDM.")
    ] = None,
    iterations: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of permutations, and of resamples for the interval.")
    ] = 10_000,
    seed: Seed = None,
    parsed_only: Annotated[
        bool, typer.Option("--parsed-only", help="Only sentences that both parsed; by default as in the report.")
    ] = False,
    cluster: Cluster = "",
    error_types: Annotated[
        bool, typer.Option("--error-types", help="Constituency trees: also group by error types.")
    ] = False,
    error_rules: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Rules for error types: ptb (Kummerfeld et al. 2012), ptb-wide (more labels), or a file.",
        ),
    ] = "ptb",
    format: Annotated[str, typer.Option(help="text or json.")] = "text",  # noqa: A002 - the option's name
) -> None:
    """Compare two parsers: difference, significance, effect size, and where the difference comes from."""
    from evaltools.analysis.bootstrap import SEED
    from evaltools.analysis.comparison import compare_in_run
    from evaltools.outputs.comparison import COMPARISON_REPORTS
    from evaltools.runs.store import Run

    write_report = report_in(format, COMPARISON_REPORTS)
    opened = Run(run)
    chosen = metric or opened.main_metric
    seed = SEED if seed is None else seed
    types = opened.framework.questions().types
    rules = types.load(error_rules) if types is not None else None
    comparison = compare_in_run(
        opened,
        chosen,
        parser_a,
        parser_b,
        over="scored" if parsed_only else None,
        iterations=iterations,
        seed=seed,
        errors=error_types,
        rules=rules,
        cluster=cluster,
    )
    write(write_report(opened, comparison, seed))


def nbest(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run of semantic graphs.")],
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Parser.")],
    least: Annotated[int, typer.Option(metavar="N", min=1, help="Minimum number of analyses of a sentence.")] = 1,
    seed: Seed = None,
    format: Format = "text",  # noqa: A002 - the option's name
) -> None:
    """Show F1 by rank and the oracle score of a parser's n-best analyses."""
    from evaltools.analysis.bootstrap import SEED
    from evaltools.analysis.nbest import nbest as nbest_figures
    from evaltools.outputs.nbest import NBEST_REPORTS
    from evaltools.runs.store import Run

    write_report = report_in(format, NBEST_REPORTS)
    opened = Run(run)
    figures = nbest_figures(opened.ranks(parser), least=least, seed=SEED if seed is None else seed)
    if figures.sentences.empty:
        number = f"{least} analyses" if least > 1 else "several analyses"
        raise ParameterError(f"{parser} has no sentence with {number} in this run")
    write(write_report(opened, parser, figures))


def html(
    run: RunFolder,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Output file.")],
    worst: Worst = 5,
    metric: Ranking = None,
    cluster: Cluster = "",
    force: ForceFile = False,
) -> None:
    """Write a run as one HTML file: figures, significance, ranks, hotspots, and the worst parses with alignments."""
    from evaltools.outputs.html_report import html_report
    from evaltools.runs.store import Run

    refuse_existing(out, force=force)
    text = html_report(Run(run), worst=worst, metric=metric, cluster=cluster, tell=_show_step)
    write_file(out, text.encode("utf-8", "backslashreplace"))


def bundle(
    run: RunFolder,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FOLDER", help="Output folder.")],
    worst: Worst = 100,
    metric: Ranking = None,
    cluster: Cluster = "",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing bundle in this folder.")] = False,
) -> None:
    """Write a run as a folder of pages for any web server or disk: overview, costliest errors, worst parses."""
    from evaltools.outputs.html_report import write_bundle
    from evaltools.runs.store import Run

    pages = write_bundle(Run(run), out, worst=worst, metric=metric, cluster=cluster, force=force, tell=_show_step)
    print(f"{len(pages)} pages; begin with {pages[0]}")


def _show_step(step: str) -> None:
    if sys.stderr.isatty():
        print(f"evaltools: {step} …", file=sys.stderr)


def ranks(
    run: RunFolder,
    all_sentences: Annotated[
        bool | None,
        typer.Option(
            "--all-sentences/--parsed-only",
            help="Figures over all sentences, or over the parsed ones only; by default as in the report.",
        ),
    ] = None,
    format: Format = "text",  # noqa: A002 - the option's name
) -> None:
    """Rank the parsers under every variant of the metrics, and show where two swap ranks."""
    from evaltools.outputs.ranks import RANKS_REPORTS, ranks_of
    from evaltools.runs.store import Run

    write_report = report_in(format, RANKS_REPORTS)
    opened = Run(run)
    ranked = ranks_of(opened, every=opened.default_over == "all" if all_sentences is None else all_sentences)
    if not ranked.variants:
        raise ParameterError("the run has no metric by which parsers are ranked")
    write(write_report(opened, ranked))


def disagree(
    run: RunFolder,
    metric_a: Annotated[str | None, typer.Argument(metavar="METRIC", help="First metric.")] = None,
    metric_b: Annotated[str | None, typer.Argument(metavar="METRIC", help="Second metric.")] = None,
    parser: Annotated[str | None, typer.Option(metavar="NAME", help="Parser whose sentences are ranked.")] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Kendall distances of all headline metrics, for every parser.")
    ] = False,
    format: Format = "text",  # noqa: A002 - the option's name
    limit: Annotated[
        int, typer.Option(metavar="N", min=0, help="Number of sentences with the largest rank differences.")
    ] = 20,
) -> None:
    """Show where two metrics rank a parser's sentences differently, or how far all metrics are from each other."""
    from evaltools.analysis.disagreement import disagreement
    from evaltools.frameworks.registry import metric_id
    from evaltools.outputs.disagreement import DISAGREEMENT_REPORTS, MATRIX_REPORTS, distances_of
    from evaltools.runs.store import Run

    write_report = report_in(format, DISAGREEMENT_REPORTS)
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
    write(write_report(opened, parser, (metric_a, metric_b), rows, limit))


def hotspots(
    run: RunFolder,
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
    format: Format = "text",  # noqa: A002 - the option's name
) -> None:
    """Print a table of Hotspots: errors by construction, label, rule, word, and what else the framework groups by."""
    from evaltools.outputs.hotspots import HOTSPOTS_REPORTS, hotspot_table
    from evaltools.runs.store import Run

    write_report = report_in(format, HOTSPOTS_REPORTS)
    table = hotspot_table(Run(run), parser, view, compare_with, option or (), where=where, cluster=cluster, first=first)
    write(write_report(table, limit))


def words(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Folder of a run of dependency trees.")],
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Parser whose words are compared.")],
    sentence: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Sentence number, from 1; repeatable; by default all.")
    ] = None,
    differing: Annotated[bool, typer.Option("--differing", help="Only words with a column that differs.")] = False,
    format: Format = "text",  # noqa: A002 - the option's name
) -> None:
    """Print the columns of every word, gold beside the parser's: form, lemma, tags, features, head, relation."""
    from evaltools.outputs.words import WORDS_REPORTS, words_of
    from evaltools.runs.store import Run

    write_report = report_in(format, WORDS_REPORTS)
    opened = Run(run)
    if parser not in opened.parsers:
        raise ParameterError.unknown("parser", parser, opened.parsers)
    numbers = sorted(set(sentence or range(1, opened.n_sentences + 1)))
    write(write_report(opened, words_of(opened, parser, numbers, differing=differing)))
