"""Commands that print or publish figures and lists of errors."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltools.cli.completion import metric_names, parser_names, run_names, view_names
from evaltools.cli.console import open_run, printing_progress, problem_lines, write
from evaltools.cli.options import (
    CAPTION,
    CHART_WIDTH,
    FIGURE_WIDTH,
    TABLE,
    ChartFile,
    Cluster,
    ForceFile,
    Limit,
    Ranking,
    RunFolder,
    Seed,
    Worst,
    argument,
    formats,
    option,
    row_limit,
)
from evaltools.errors import ParameterError
from evaltools.files import refuse_existing, write_file, write_files
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.text import count_of, listing, printable, some_words

if TYPE_CHECKING:
    from evaltools.blocks import Chart
    from evaltools.runs.store import Run


_MAX_LISTED = 20
"""Numbers of sentences without a parse; all are rows of the table of sentences with the status ``missing``."""


def report(
    run: RunFolder,
    format: str = formats("text", "json", "csv", "latex", "evalb", "conll18"),
    parser: str | None = option("Report this parser only.", metavar="NAME", autocompletion=parser_names),
    sentences: bool = option("Print one row per sentence.", False, "--sentences"),
    sort: str | None = option(
        "Sort sentences by a metric, worst first.", metavar="METRIC", autocompletion=metric_names
    ),
    limit: int | None = option("Print at most N sentences or labels per parser.", metavar="N", min=0),
    all_figures: bool = option(
        "All metrics, micro and macro, over all sentences and over parsed ones only.", False, "--all"
    ),
    counts: bool = option("The counts behind the figures: G, T, M, D, I, S, and costs of mappings.", False, "--counts"),
    classes: bool = option(
        "Semantic graphs: precision, recall and F1 by class of triples, such as names and arguments.",
        False,
        "--classes",
    ),
    labels: bool = option(
        "Figures by phrase label, by relation, or by predicate, role and property.", False, "--labels"
    ),
    problems: bool = option(
        "List the problems in the input, and sentences without a parse, instead of figures.", False, "--problems"
    ),
    by: str = option("Figures with intervals by a column of the metadata, such as genre.", "", metavar="KEY"),
    cluster: Cluster = "",
    experiments: bool = option(
        "Runs across frameworks: every parser against every gold treebank; also as latex.", False, "--experiments"
    ),
    beside: list[str] | None = option(
        "Add the parsers of a run with another gold, such as of another grammar; repeatable.",
        None,
        "--beside",
        metavar="RUN",
    ),
    section: str = option(
        "A section of the HTML report as text, also of one --parser: errors, ranks, disagreement, relations, lists, "
        "hotspots, worst; or of all parsers: figures, classes, experiments, significance, distribution, groups, "
        "details, problems; or all.",
        "",
        metavar="NAME",
    ),
    metric: str | None = option(
        "With --section, --by or --cluster: metric of the text; JSON and CSV have all.",
        metavar="METRIC",
        autocompletion=metric_names,
    ),
) -> None:
    """Print the figures of a run."""
    from evaltools.outputs.figures import REPORTS, group_report
    from evaltools.outputs.selection import Selection

    asked = {"sentences": sentences, "labels": labels, "classes": classes, "all": all_figures, "counts": counts}
    asked |= {"problems": problems, "experiments": experiments, "beside": bool(beside), "section": bool(section)}
    given = {"parser": parser, "sort": sort, "limit": limit, "metric": metric, "cluster": cluster or None}
    part = _part(asked | {"by": bool(by)}, format, [name for name, value in given.items() if value is not None])
    opened = open_run(run)
    if part == "problems":
        text = problem_lines(opened.problems()) or "No problems in the input.\n"
        text += _missing_lines(opened)
    elif part == "experiments":
        from evaltools.analysis.experiments import experiments as experiments_of
        from evaltools.outputs.experiments import experiments_report

        with printing_progress() as progress:
            result = experiments_of(opened, progress)
        text = experiments_report(opened, result, format)
    elif part == "beside":
        from evaltools.outputs.golds import golds_report

        text = golds_report([opened, *map(open_run, beside or ())], format)
    elif part == "section":
        from evaltools.outputs.sections import Report, section_text

        text = section_text(Report.of(opened, metric, cluster, parser=parser or ""), section)
    elif part == "by":
        text = group_report(opened, Selection(parser=parser), by, cluster, metric, format)
    else:
        text = REPORTS[format](opened, Selection(part, parser, sort, limit))
    write(text)
    if format == "evalb":
        _print_evalb_stop(opened)


_DATA = ("text", "json", "csv")
_PAPER = (*_DATA, "latex")
_PARTS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "figures": ((*_PAPER, "evalb", "conll18"), ("parser",)),
    "sentences": (_DATA, ("parser", "sort", "limit")),
    "labels": (_DATA, ("parser", "limit")),
    "by": (_DATA, ("parser", "metric", "cluster")),
    "section": (("text",), ("parser", "metric", "cluster")),
    "all": (_DATA, ("parser",)),
    "counts": (_PAPER, ("parser",)),
    "classes": (_PAPER, ("parser",)),
    "problems": (("text",), ()),
    "experiments": (_PAPER, ()),
    "beside": (_PAPER, ()),
}
"""The formats of each part of a report, and the options that go with it."""


def _part(asked: Mapping[str, bool], format: str, options: Sequence[str]) -> Any:
    """Return the part that is asked for; raise ParameterError for two, and for a format or option that it lacks."""
    parts = [name for name, is_asked in asked.items() if is_asked]
    if len(parts) > 1:
        raise ParameterError(f"--{parts[0]} and --{parts[1]} cannot be combined")
    implied = ("by" if name == "cluster" else "sentences" for name in options if name in ("sort", "limit", "cluster"))
    part = next(iter(parts), None) or next(implied, "figures")
    formats, own = _PARTS[part]
    if format not in formats:
        raise ParameterError(f"--{part} cannot be combined with --format {format}; valid: {', '.join(formats)}")
    for name in options:
        if name not in own:
            others = [f"--{other}" for other, (_, names) in _PARTS.items() if name in names and other != "figures"]
            raise ParameterError(f"--{name} goes with {listing(others, len(others))}")
    return part


def _missing_lines(run: Run) -> str:
    """Return a line for each parser that has no parse of some sentences, with their numbers."""
    condition = f"status = '{SentenceStatus.MISSING.label}' and sentences > 0"
    rows = run.columns(f"select parser, sentence from sentences where {condition} order by sentence")
    lines = []
    for parser in run.parsers:
        numbers = [str(number) for number in rows["sentence"][rows["parser"] == parser]]
        if numbers:
            listed = some_words(numbers, _MAX_LISTED, space=", ")
            lines.append(f"{printable(parser)}: no parse of {count_of(len(numbers), 'sentence')}: {listed}\n")
    return "".join(lines)


def _print_evalb_stop(run: Run) -> None:
    """Print where evalb would stop: at its error number ``MAX_ERROR`` + 2."""
    maximum = run.rules.evalb.max_error if run.rules.evalb is not None else 10
    for parser in run.meta["parsers"]:
        if parser["words_differ"] > maximum + 1:
            found = f"{parser['words_differ']} sentences in error"
            print(
                f"{parser['name']}: {found}; evalb stops at number {maximum + 2} (MAX_ERROR {maximum})", file=sys.stderr
            )


def preset(
    name: str | None = argument("Name of a preset; by default all presets are listed.", default=None),
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
    parser_a: str = argument("First parser.", metavar="PARSER", autocompletion=parser_names),
    parser_b: str = argument("Second parser.", metavar="PARSER", autocompletion=parser_names),
    metric: str | None = option(
        "Metric; by default Bracketing F1, LAS or EDM.", metavar="METRIC", autocompletion=metric_names
    ),
    iterations: int = option("Number of permutations, and of resamples for the interval.", 10_000, metavar="N", min=1),
    seed: Seed = None,
    parsed_only: bool = option("Only sentences that both parsed; by default as in the report.", False, "--parsed-only"),
    cluster: Cluster = "",
    error_rules: str = option(
        "With --all: rules for error types: ptb (Kummerfeld et al. 2012), ptb-wide (more labels), or a file.",
        "ptb",
        metavar="NAME|FILE",
    ),
    all_tables: bool = option(
        "Also effect size, and all classes of sentences; of constituency trees also error types.", False, "--all"
    ),
    format: str = formats("text", "json"),
) -> None:
    """Compare two parsers: which is better and whether it is sure, on which sentences, errors and lengths."""
    from evaltools.analysis.bootstrap import SEED
    from evaltools.analysis.comparison import compare_in_run
    from evaltools.outputs.comparison import comparison_report

    opened = open_run(run)
    chosen = metric or opened.main_metric
    seed = SEED if seed is None else seed
    types = opened.framework.figures.error_types
    rules = types.load(error_rules) if types is not None else None
    comparison = compare_in_run(
        opened,
        chosen,
        parser_a,
        parser_b,
        over="scored" if parsed_only else None,
        iterations=iterations,
        seed=seed,
        errors=all_tables and types is not None,
        rules=rules,
        cluster=cluster,
    )
    write(comparison_report(opened, comparison, seed, format, all_tables=all_tables))


def why(
    gold: str = argument("Folder of a run, or the gold file.", metavar="RUN|GOLD", autocompletion=run_names),
    parse: str = argument("A parser of the run, or the file of a parse.", metavar="PARSER|PARSE"),
    published: str | None = option("A published figure, rounded as it is printed, such as 95.98.", metavar="FIGURE"),
    metric: str | None = option("Metric; by default the main one: Bracketing F1, LAS, Smatch …", metavar="METRIC"),
    cite: bool = option("Print what a paper should say instead: methods, signature and BibTeX.", False, "--cite"),
    format: str = formats(
        "text", "json", "latex", "bibtex", help="text or json; with --cite also latex or bibtex alone."
    ),
) -> None:
    """Show how conventions change a parser's figure, and which of them give a published one."""
    from evaltools.outputs.why import cite as cite_figure, explain, why_report

    if format in ("latex", "bibtex") and not cite:
        raise ParameterError(f"--format {format} goes with --cite")
    if cite and published is not None:
        raise ParameterError("--cite is about the figure of the run or the default: leave out --published")
    with printing_progress() as progress:
        if cite:
            text = cite_figure(gold, parse, metric, format, progress)
        else:
            text = why_report(explain(gold, parse, metric, published, progress), format)
    write(text)


def nbest(
    run: str = argument("Folder of a run of semantic graphs.", metavar="RUN", autocompletion=run_names),
    parser: str = argument("Parser.", metavar="PARSER", autocompletion=parser_names),
    least: int = option("Minimum number of analyses of a sentence.", 1, metavar="N", min=1),
    format: str = TABLE,
) -> None:
    """Show F1 by rank and the oracle score of a parser's n-best analyses."""
    from evaltools.analysis.nbest import nbest as nbest_figures
    from evaltools.outputs.nbest import nbest_report

    opened = open_run(run)
    figures = nbest_figures(opened.ranks(parser), least=least)
    if figures.sentences.empty:
        number = f"{least} analyses" if least > 1 else "several analyses"
        raise ParameterError(f"{parser} has no sentence with {number} in this run")
    write(nbest_report(opened, parser, figures, format))


def html(
    run: RunFolder,
    out: Path = option("Output file.", ..., "-o", "--out", metavar="FILE"),
    worst: Worst = 5,
    metric: Ranking = None,
    cluster: Cluster = "",
    force: ForceFile = False,
) -> None:
    """Write a run as one HTML file: figures, significance, ranks, hotspots, and the worst parses with alignments."""
    from evaltools.outputs.html_report import html_report

    refuse_existing(out, force=force)
    text = html_report(open_run(run), worst=worst, metric=metric, cluster=cluster, tell=_show_step)
    write_file(out, text.encode("utf-8", "backslashreplace"))


def bundle(
    run: RunFolder,
    out: Path = option("Output folder.", ..., "-o", "--out", metavar="FOLDER"),
    worst: Worst = 100,
    metric: Ranking = None,
    cluster: Cluster = "",
    force: bool = option("Replace an existing bundle in this folder; other files stay.", False, "--force"),
) -> None:
    """Write a run as a folder of pages for any web server or disk: overview, costliest errors, worst parses."""
    from evaltools.outputs.html_report import write_bundle

    pages = write_bundle(open_run(run), out, worst=worst, metric=metric, cluster=cluster, force=force, tell=_show_step)
    print(f"{len(pages)} pages; begin with {pages[0]}")


def paper(
    run: RunFolder,
    out: Path = option("Output folder.", ..., "-o", "--out", metavar="FOLDER"),
    metrics: str | None = option(
        "Columns of the table, the first of which ranks the parsers; by default the main ones.",
        metavar="METRIC,...",
        autocompletion=metric_names,
    ),
    width: str = FIGURE_WIDTH,
    cluster: Cluster = "",
    force: ForceFile = False,
) -> None:
    """Write what goes into a paper: table, figure, methods and references in LaTeX, and a paper.tex that shows them."""
    from evaltools.outputs.paper import paper_files
    from evaltools.outputs.sections import Report
    from evaltools.outputs.summary import summary_for_paper

    opened = open_run(run)
    summary = summary_for_paper(opened, metrics.split(",") if metrics else (), cluster)
    files = paper_files(Report(opened, summary, cluster), width=width)
    write_files(out, files, force=force)
    steps = "paper.tex shows them: pdflatex paper; bibtex paper; pdflatex paper; pdflatex paper"
    preamble = "In your preamble: \\usepackage{booktabs,graphicx}, and for pdflatex \\pdfminorversion=7"
    print(f"{printable(str(out))}: {', '.join(files)}\n{preamble}\n{steps}")


def _show_step(step: str) -> None:
    if sys.stderr.isatty():
        print(f"evaltools: {step} …", file=sys.stderr)


def _write_chart(run: Run, chart: Chart, out: Path, *, width: str, caption: bool, force: bool) -> None:
    """Write a chart to a file, in the format of its suffix."""
    from evaltools.outputs.vega import chart_bytes

    refuse_existing(out, force=force)
    write_file(out, chart_bytes(chart, out, run.signature, width=width, visible=caption))


def ranks(
    run: RunFolder,
    all_sentences: bool | None = option(
        "Figures over all sentences, or over the parsed ones only; by default as in the report.",
        None,
        "--all-sentences/--parsed-only",
    ),
    scores: str | None = option(
        "With -o: draw the figures of these metrics, micro and macro, parser by parser, not the ranks.",
        metavar="METRIC,...",
        autocompletion=metric_names,
    ),
    limit: Limit = None,
    format: str = TABLE,
    out: ChartFile = None,
    width: str = CHART_WIDTH,
    caption: bool = CAPTION,
    force: ForceFile = False,
) -> None:
    """Rank the parsers under every variant of the metrics, and show where two swap ranks."""
    from evaltools.outputs.ranks import rank_chart, ranks_of, ranks_report

    opened = open_run(run)
    ranked = ranks_of(opened, every=opened.default_over == "all" if all_sentences is None else all_sentences)
    if not ranked.variants:
        raise ParameterError("the run has no metric by which parsers are ranked")
    if out is None:
        if scores is not None:
            raise ParameterError("--scores is for a chart: give its file with -o FILE")
    else:
        from evaltools.outputs.scatter import figures_of

        chart = rank_chart(ranked, opened.parsers) if scores is None else figures_of(opened, scores.split(","))
        _write_chart(opened, chart, out, width=width, caption=caption, force=force)
        return
    write(ranks_report(opened, ranked, row_limit(limit, format), format))


def disagree(
    run: RunFolder,
    metric_a: str | None = argument(
        "First metric; by default the main one, such as Bracketing F1.",
        default=None,
        metavar="METRIC",
        autocompletion=metric_names,
    ),
    metric_b: str | None = argument(
        "Second metric; by default the one that the main one is first compared with, such as tree-edit similarity.",
        default=None,
        metavar="METRIC",
        autocompletion=metric_names,
    ),
    parser: str | None = option(
        "Parser whose sentences are ranked; by default the first one.", metavar="NAME", autocompletion=parser_names
    ),
    matrix: bool = option("Kendall distances of all headline metrics, for every parser.", False, "--matrix"),
    every_parser: bool = option(
        "Kendall distance and tau-b of the two metrics, a row a parser.", False, "--every-parser"
    ),
    limit: Limit = None,
    format: str = TABLE,
    out: ChartFile = None,
    width: str = CHART_WIDTH,
    caption: bool = CAPTION,
    force: ForceFile = False,
) -> None:
    """Show where two metrics rank a parser's sentences differently, or how far all metrics are from each other."""
    from evaltools.analysis.disagreement import disagreement
    from evaltools.frameworks.registry import metric_id
    from evaltools.outputs.disagreement import (
        disagreement_report,
        distances_by_parser,
        distances_of,
        distances_report,
    )

    opened = open_run(run)
    if every_parser and (matrix or parser is not None):
        raise ParameterError("--every-parser cannot be combined with --matrix or --parser")
    if matrix:
        if metric_a is not None or out is not None:
            raise ParameterError("--matrix is of all headline metrics, as a table; leave out the metrics and -o")
        parsers = opened.parsers if parser is None else [parser]
        write(distances_report(opened, {name: distances_of(opened, name) for name in parsers}, format))
        return
    second = opened.framework.figures.second
    if metric_a is None and second in opened.metrics:
        metric_a, metric_b = opened.main_metric, second
    if metric_a is None or metric_b is None:
        raise ParameterError(f"two metrics are needed, or --matrix; the run has {', '.join(opened.metrics)}")
    metric_a, metric_b = metric_id(metric_a, opened.metrics), metric_id(metric_b, opened.metrics)
    if metric_a == metric_b:
        raise ParameterError(f"two different metrics are compared, not {metric_a} with itself")
    if every_parser:
        write(distances_by_parser(opened, (metric_a, metric_b), format))
        return
    parser = parser or opened.parsers[0]
    rows = disagreement(opened.sentences(parser), metric_a, metric_b, parser)
    if out is not None:
        from evaltools.outputs.scatter import scatter_of

        chart = scatter_of(parser, (metric_a, metric_b), rows)
        _write_chart(opened, chart, out, width=width, caption=caption, force=force)
        return
    write(disagreement_report(opened, parser, (metric_a, metric_b), rows, row_limit(limit, format), format))


def hotspots(
    run: RunFolder,
    parser: str | None = argument(
        "Parser whose errors are grouped; by default the first one.",
        None,
        metavar="PARSER",
        autocompletion=parser_names,
    ),
    view: str = option("View of Hotspots, by default the first one.", "", metavar="NAME", autocompletion=view_names),
    compare_with: str = option("Parser to compare with.", "", metavar="NAME", autocompletion=parser_names),
    options: list[str] | None = option(
        "Option of the view, such as least=5; repeatable.", None, "--option", metavar="NAME=VALUE"
    ),
    where: str | None = option("Only sentences by their metadata, such as genre=news.", metavar="KEY=VALUE"),
    cluster: str = option(
        "With --compare-with: intervals over documents (document), not sentences.", "", metavar="KEY"
    ),
    limit: Limit = None,
    format: str = TABLE,
) -> None:
    """Print a table of Hotspots: errors by construction, label, rule, word, and what else the framework groups by."""
    from evaltools.outputs.hotspots import hotspot_table, hotspots_report

    opened, chosen = open_run(run), options or ()
    parser = parser or opened.parsers[0]
    table = hotspot_table(opened, parser, view, compare_with, chosen, where=where, cluster=cluster)
    write(hotspots_report(table, row_limit(limit, format), format))


_SENTENCES = option("Sentence number, from 1; repeatable; by default all.", metavar="N")
_MAX_SENTENCES = option(
    "Print at most N sentences; by default 15 as text, and all as JSON and CSV or if they are named.",
    metavar="N",
    min=1,
)


def _sentences_to_print(
    run: Run, sentences: list[int] | None, limit: int | None, format: str
) -> tuple[list[int], int | None]:
    """Return the sentences that are asked for, and how many of them are printed; None for all."""
    numbers = sorted(set(sentences or range(1, run.n_sentences + 1)))
    return numbers, limit if limit or sentences else row_limit(None, format)


def words(
    run: str = argument("Folder of a run of trees.", metavar="RUN", autocompletion=run_names),
    parser: str | None = argument(
        "Parser whose words are compared; by default the first one.",
        default=None,
        metavar="PARSER",
        autocompletion=parser_names,
    ),
    sentence: list[int] | None = _SENTENCES,
    differing: bool = option("Only words with a column, or with lineages, that differ.", False, "--differing"),
    lineages: bool = option(
        "Leaf-ancestor scores and both lineages, also of words that have columns.", False, "--lineages"
    ),
    limit: int | None = _MAX_SENTENCES,
    format: str = TABLE,
) -> None:
    """Print every word: its columns in CoNLL-U, gold beside the parser's, or its leaf-ancestor score and lineages."""
    from evaltools.outputs.words import words_report

    opened = open_run(run)
    numbers, maximum = _sentences_to_print(opened, sentence, limit, format)
    parser, listed = parser or opened.parsers[0], numbers[:maximum]
    write(words_report(opened, parser, listed, len(numbers), format, differing=differing, lineages=lineages))


def edits(
    run: str = argument("Folder of a run across frameworks.", metavar="RUN", autocompletion=run_names),
    parser: str | None = argument(
        "Parser whose trees are edited; by default the first one.",
        default=None,
        metavar="PARSER",
        autocompletion=parser_names,
    ),
    sentence: list[int] | None = _SENTENCES,
    measure: str = option("TedEval of 2011, by tree edit distance, or of 2012, by sets of nodes.", "2011"),
    limit: int | None = _MAX_SENTENCES,
    format: str = TABLE,
) -> None:
    """Print the edit operations of TedEval, from a parse to what all gold trees have in common."""
    from evaltools.outputs.edits import edits_of, edits_report

    opened = open_run(run)
    numbers, maximum = _sentences_to_print(opened, sentence, limit, format)
    result = edits_of(opened, parser or opened.parsers[0], numbers[:maximum], measure)
    write(edits_report(opened, result, len(numbers), format))
