"""What is reported of a run: a list of sections, which command line, HTML reports, bundles and *Overview* show.

A section is a function from a report to a few blocks: texts, tables, charts and pictures. A new one is such a function,
and a line in `SECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
import pandas as pd

from evaltools import analysis, charts
from evaltools.analysis.costliest import MAX_NAMED, CostlyRow, costliest_rows, leading_question, name_rows
from evaltools.analysis.disagreement import disagreement as ranked_sentences
from evaltools.analysis.experiments import experiments as experiments_of
from evaltools.analysis.leaderboard import figures_by_group
from evaltools.analysis.nbest import nbest, tree_lists
from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.standing import Standing, compared_over, describe, order_of
from evaltools.analysis.summary import Summary, metrics_in_disagreement, summarize_run
from evaltools.blocks import Block, Chart, Column, Picture, Table, Text
from evaltools.charts.distribution import UNDEFINED
from evaltools.charts.theme import specification
from evaltools.corpus import Dependencies
from evaltools.corpus.sentence_ids import DOCUMENT
from evaltools.drawing import Drawing, one_picture
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.frameworks.figures import average_of, over_of
from evaltools.frameworks.hotspots import MAX_WORDS, Hotspots
from evaltools.frameworks.metric import Metric, figure_column
from evaltools.frameworks.pairing.paired_stream import pairing_lines
from evaltools.frameworks.questions import Question
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.frameworks.views import STANDING_ALONE, sentence_of
from evaltools.outputs.classes import class_metrics, class_rows, class_table
from evaltools.outputs.counts import count_rows, count_table
from evaltools.outputs.disagreement import distance_in_words, distance_table, distances_of
from evaltools.outputs.experiments import experiments_blocks
from evaltools.outputs.figures import detail_tables, group_table, label_table
from evaltools.outputs.hotspots import ask
from evaltools.outputs.nbest import list_blocks, nbest_blocks
from evaltools.outputs.ranks import rank_blocks, ranks_of
from evaltools.outputs.scatter import figures_of, scatter_of
from evaltools.outputs.selection import worst_first
from evaltools.outputs.summary import (
    all_figures,
    describe_aligned,
    describe_incomplete,
    describe_left_out,
    figures_table,
    interval_in_words,
)
from evaltools.outputs.tables import console_text
from evaltools.runs.metadata import group_keys, plural_of
from evaltools.runs.store import Run
from evaltools.runs.sums import STEPS, score_steps, sum_by_length, units_of
from evaltools.text import and_more, capitalized, count_of

_MAX_GROUPED = 20_000
"""Maximum number of sentences, from the first, in hotspots."""
_MAX_ROWS = 8
"""Number of rows of a question of hotspots."""
_LEFT_OUT = ("interval", "flag", "excess", "rest")
"""Columns that these tables do not have."""
_MAX_PROBLEMS = 50
_OF_ERRORS = ("marked", "repairs")
"""The pictures of a sentence that show its errors, without whole trees."""
_COLORS = {"moved": "purple", "missing": "vermillion", "spurious": "green", "relabeled": "blue"}
"""Names of the colors of errors, by status."""


@dataclass(frozen=True)
class Report:
    """A run, and the figures by which it is reported; parsers come best first by the metric of the summary."""

    run: Run
    summary: Summary
    cluster: str = ""  # Column of the metadata whose values intervals are over; empty for sentences
    n_worst: int = 5  # Number of worst parses of each parser
    parser: str = ""  # The only parser of sections that are about one at a time; empty for all
    by: str = ""  # Column of the metadata that figures are by; empty for genre, or the first one

    @classmethod
    def of(
        cls, run: Run, metric: str | None = None, cluster: str = "", n_worst: int = 5, *, parser: str = ""
    ) -> Report:
        """Return the report of a run by its usual figures, with the parsers in the order of a metric."""
        if parser not in ("", *run.parsers):
            raise ParameterError.unknown("parser", parser, run.parsers)
        main = metric_id(metric or run.main_metric, run.metrics)
        return cls(run, summarize_run(run, main=main, cluster=cluster), cluster, n_worst, parser)

    @property
    def metric(self) -> Metric:
        """The metric that ranks the parsers."""
        return METRICS[self.summary.metric]

    @property
    def parsers(self) -> list[str]:
        """The parsers, the best first."""
        return [row.parser for row in self.summary.rows]

    @property
    def one_by_one(self) -> list[str]:
        """The parsers of sections that are about one at a time."""
        return [self.parser] if self.parser else self.parsers

    @property
    def title(self) -> str:
        """The title of pages about the run."""
        parsers = self.run.parsers[0] if len(self.run.parsers) == 1 else f"{len(self.run.parsers)} parsers"
        return f"{parsers} against {PurePath(self.run.meta['gold']['file']).name}"

    @property
    def every(self) -> bool:
        """Whether figures are over all sentences, not parsed ones only."""
        return over_of(self.summary.figure) == "all"

    @property
    def units(self) -> str:
        """What intervals are over; empty for sentences."""
        units = units_of(self.run, self.cluster) if self.cluster else None
        return "" if units is None else f" over {len(np.unique(units)):,} {plural_of(self.cluster)}"

    @property
    def question(self) -> Question | None:
        """The question of *Hotspots* whose costliest rows are shown, or the first one."""
        questions = self.run.framework.questions().hotspots
        return leading_question(questions) or next(iter(questions.values()), None)

    def ask(self, question: Question, parser: str) -> Hotspots:
        """Ask a question over the sentences of the figures; those about members of the first ones of a long run."""
        size = self.run.n_sentences if question.members is None else _MAX_GROUPED
        return ask(self.run, question, parser, options={"over": over_of(self.summary.figure)}, size=size)


def findings(report: Report) -> list[Block]:
    """Return which parser is best, and what to know of the figures."""
    run = report.run
    remarks = (*describe_aligned(run), *describe_left_out(run), *run.framework.runs.notes(run.meta))
    lines = (f"{line}." for line in pairing_lines(run.meta))
    return [Text(describe(report.summary.standing), "answer"), *map(Text, (*remarks, *lines))]


def errors(report: Report, limit: int = MAX_NAMED) -> list[Block]:
    """Return the costliest errors of the parsers, with examples."""
    question = report.question
    if question is None:
        return []
    blocks: list[Block] = []
    for parser in report.one_by_one:
        heading = [] if report.parser else [Text(parser, "heading")]
        blocks += [*heading, *_costliest(report.ask(question, parser), limit)]
    kind = question.kind
    colors = "; ".join(f"{_COLORS[status]}: {text}" for status, text in kind.legend)
    marks = f"In the pictures: {colors}." if colors else ""
    about = question.description or f"{kind.unit.capitalize()} by {question.row_name}."
    blocks.append(Text(" ".join(filter(None, [about, marks]))))
    return blocks


def _costliest(table: Hotspots, limit: int) -> list[Block]:
    """Return the costliest rows of a question: a sentence, and a picture for each row."""
    rows = costliest_rows(table, limit)
    return [
        Text(name_rows(rows, table), "text"),
        *map(Text, filter(None, [table.left_out])),
        *(_example(row, {"parser": table.parser, "view": table.question.id}) for row in rows),
    ]


def _example(row: CostlyRow, table: Mapping[str, str]) -> Picture:
    query = {**table, "group": " · ".join(row.keys), "part": row.part, "sentence": str(row.sentence)}
    shape = {"shorten": len(row.words) > MAX_WORDS}
    drawings = () if row.drawing is None else (replace(row.drawing, options={**row.drawing.options, **shape}),)
    remark = f"{row.remark}." if row.remark else ""
    return Picture(row.title, drawings, [f"{row.figures}."], row.sentence, row.words, row.marked, remark, query)


def leaderboard(report: Report) -> list[Block]:
    """Return the table of the main figures, as ``report`` prints it, all figures, counts, and what each metric is."""
    run, summary = report.run, report.summary
    table = figures_table(summary, summary.rows)
    metrics = [column.name for column in table.columns if column.name in METRICS]
    counts, count_notes = count_table(run, count_rows(run, report.parsers))
    return [
        Text(f"{report.metric.title}, {summary.base}."),
        table,
        *map(Text, (*describe_incomplete(run, metrics), *table_notes(summary))),
        *map(Text, filter(None, [metrics_in_disagreement(summary)])),
        replace(all_figures(run, report.parsers), form="folded"),
        replace(counts, note=" ".join(count_notes), form="folded"),
        Text("What each figure is", "heading"),
        *(Text(f"{METRICS[name].title}: {METRICS[name].help.replace('*', '')}") for name in metrics),
    ]


def classes(report: Report) -> list[Block]:
    """Return precision, recall and F1 of each class of triples."""
    if not class_metrics(report.run):
        return []
    table, base = class_table(report.run, class_rows(report.run, report.parsers))
    return [replace(table, note=f"{base}.")]


def experiments(report: Report) -> list[Block]:
    """Return the figures of every parser against every gold treebank, and against what these share."""
    return experiments_blocks(report.run, experiments_of(report.run)) if report.run.theories else []


def table_notes(summary: Summary) -> list[str]:
    """Return notes on the order and colors of a table of figures."""
    pairs = [pair for standing in summary.standings.values() for pair in standing.comparisons if pair.cluster]
    units = f" over {pairs[0].units}" if pairs else ""
    notes = [f"Ahead: {summary.standing.over}."] if summary.standing.over else []
    if len(summary.rows) > 1:
        notes.append(
            f"Sure, and colored where better than every other: paired permutation test{units}, "
            f"p < {SIGNIFICANT} (Holm), 95 % interval without 0."
        )
    return notes


def pairs_table(standing: Standing) -> Table:
    """Return a row for every two parsers, the better one first, in the order of the parsers."""
    item, n_pairs = METRICS[standing.metric], len(standing.comparisons)
    test = "paired permutation test, two-sided"
    columns = [
        *(Column(f"parser_{side}", side.upper(), "text") for side in "ab"),
        figure_column(item, "difference", "A − B"),
        Column("interval", "95 % interval", "interval"),
        Column("p", "p", "p", test),
        Column("holm", "p (Holm)", "p", f"{test}, corrected for {n_pairs} pairs"),
        Column("significant", "significant", "interval", f"p (Holm) below {SIGNIFICANT}, and an interval without 0"),
        Column("on", "differ on", "count", "sentences on which the two differ"),
    ]
    rows = []
    for pair in standing.comparisons:
        figures = pair.difference, interval_in_words(item, pair.low, pair.high), pair.p, pair.p_adjusted
        rows.append([pair.parser_a, pair.parser_b, *figures, "yes" if pair.significant else "no", pair.n_different])
    return Table(columns, rows)


def tested_in_words(standing: Standing) -> str:
    """Return how differences were tested: the sentences, and the numbers of permutations and resamples."""
    first, n_pairs = standing.comparisons[0], len(standing.comparisons)
    corrected = f" p-values corrected for {n_pairs} pairs (Holm);" if n_pairs > 1 else ""
    over = "".join(f" {capitalized(text)}." for text in compared_over({standing.metric: standing}))
    return (
        f"Paired permutation test over {first.units}, {first.iterations:,} iterations;{corrected} intervals from "
        f"{first.iterations:,} paired resamples. Significant: p (Holm) < {SIGNIFICANT}, and an interval without 0."
        f"{over}"
    )


def significance(report: Report) -> list[Block]:
    """Return the differences of every two parsers."""
    standing = report.summary.standing
    if not standing.comparisons:
        return []
    about = Text(f"{report.metric.title}, {report.summary.base}.")
    return [about, pairs_table(standing), Text(tested_in_words(standing))]


def ranks(report: Report) -> list[Block]:
    """Return the ranks under every variant, drawn if two parsers change places, and how differently metrics rank."""
    run, result = report.run, ranks_of(report.run, every=report.every)
    if len(run.parsers) < 2:
        return []
    blocks: list[Block] = rank_blocks(result, run.parsers) if result.variants else []
    for parser in report.one_by_one:
        distances, scores = distances_of(run, parser)
        if len(scores) > 2:
            blocks.append(replace(distance_table(parser, distances, scores), form="folded"))
    return blocks


def disagreement(report: Report) -> list[Block]:
    """Return the scores of sentences by two metrics, how differently these rank them, and the figures of parsers."""
    run, pair = report.run, _two_metrics(report.run)
    if not pair:
        return []
    parser = report.one_by_one[0]
    result = ranked_sentences(run.sentences(parser), *pair, parser)
    titles = METRICS[pair[0]].title, METRICS[pair[1]].title
    blocks: list[Block] = [Text(f"{parser}: {distance_in_words(result, titles)}."), scatter_of(parser, pair, result)]
    is_drawn = len(run.parsers) > 1 and METRICS[pair[0]].unit == METRICS[pair[1]].unit
    return [*blocks, figures_of(run, pair)] if is_drawn else blocks


def _two_metrics(run: Run) -> tuple[str, str] | tuple[()]:
    """Return the main metric and the one that it is first compared with; nothing if the run lacks one."""
    pair = run.main_metric, run.framework.figures.second
    return pair if pair[1] in run.metrics and pair[0] != pair[1] else ()


def intervals(report: Report) -> Chart:
    """Return the main figures with their intervals."""
    rows = [{"parser": row.parser, **asdict(row.figures[report.metric.id])} for row in report.summary.rows]
    drawn = charts.intervals_chart(pd.DataFrame(rows), report.metric.id, parsers=report.run.parsers)
    return Chart(specification(drawn), f"{report.metric.title} of every parser, with 95 % intervals{report.units}")


def distribution(report: Report) -> list[Block]:
    """Return intervals, the distribution of scores, and scores by sentence length."""
    run, name, parsers = report.run, report.summary.metric, report.run.parsers
    over = report.units
    blocks: list[Block] = []
    if len(parsers) > 1:
        blocks.append(intervals(report))
    rows = {row["parser"]: row for row in run.figures() if row["metric"] == name}
    means = {parser: row["mean"] for parser, row in rows.items()}
    steps = score_steps(run, name, STEPS)
    drawn = charts.distribution_chart(
        analysis.score_histogram(steps, parsers, name),
        name,
        parsers=parsers,
        means=means,
        undefined={parser: row["n_undefined"] for parser, row in rows.items()},
        order=order_of(means, name),
    )
    left_out = f" {UNDEFINED}" if any(row["n_undefined"] for row in rows.values()) else ""
    note = f"Shares of the n parsed sentences with a score; the dashed line is their mean.{left_out}"
    blocks.append(Chart(specification(drawn), "Distribution of sentence scores", note, 440, is_half=True))
    sums, bins = sum_by_length(run, name, report.cluster)
    by_length = analysis.score_by_length(sums, bins, parsers, name, every=report.every)
    drawn = charts.length_chart(
        by_length,
        name,
        parsers=parsers,
        figure=average_of(report.summary.figure),
        height=charts.distribution_height(len(parsers)),
    )
    note = f"Bands are 95 % intervals{over}, where two sentences or more have a score."
    blocks.append(Chart(specification(drawn), "Score by sentence length", note, 420, is_half=True))
    return blocks


def groups(report: Report) -> list[Block]:
    """Return figures of groups of sentences by a column of the metadata, by default genre or the first one."""
    run = report.run
    keys = [key for key in group_keys(run) if key != DOCUMENT]
    by = report.by or (_GENRE if _GENRE in keys else next(iter(keys), ""))
    if not by:
        return []
    board = figures_by_group(run, by, [report.metric.id], cluster=report.cluster, parsers=report.parsers)
    table, notes = group_table(board, by, report.metric, report.summary.figure, report.cluster, report.parsers)
    return [replace(table, title=f"{report.metric.title_with_unit}, by {by}"), *(Text(f"{text}.") for text in notes)]


_GENRE = "genre"


def relations(report: Report) -> list[Block]:
    """Return figures of the words of every parser by relation, and by distance and direction of their heads."""
    run = report.run
    columns = [Column("head", "head", "text"), Column("gold", "gold"), Column("test", "test")]
    columns += [Column(name, title, "points") for name, title in _HEAD_FIGURES.items()]
    blocks: list[Block] = []
    for parser in report.one_by_one if run.framework.reads is Dependencies else ():
        heads = run.attachments(parser)
        heads = heads[(heads["by"] == "distance") | (heads["bin"] != "root")]
        heads = heads.assign(head=[_HEADS.get(name, f"{name} words away") for name in heads["bin"]])
        about = f"Words of {parser}, in sentences with the same tokens"
        blocks += [
            Text(about, "heading"),
            label_table(run, run.labels(parser), title="By relation", note=_OF_RELATIONS, form="small"),
            Table.of(heads, columns, title="By position of the head", note=_OF_HEADS, form="small"),
        ]
    return blocks


_HEAD_FIGURES = {
    "uas_recall": "UAS rec.",
    "uas_precision": "UAS prec.",
    "las_recall": "LAS rec.",
    "las_precision": "LAS prec.",
}
_HEADS = {
    "root": "none: root",
    "1": "1 word away",
    "7–": "7 or more away",
    "left": "to the left",
    "right": "to the right",
}
_OF_RELATIONS = (
    "Matched: right head and this relation; labeled: this relation. Recall: of the gold words; precision: of the "
    "words of the parser."
)
_OF_HEADS = "Recall: of the words whose gold head is there; precision: of the words whose head in the parse is there."


def has_lists(run: Run) -> bool:
    """Return whether a parser of a run has n-best lists."""
    return bool(tree_lists(run)) or any(int(n) > 1 for n in run.meta.get("n_best", {}).values())


def lists(report: Report) -> list[Block]:
    """Return what the best choice from n-best lists would reach."""
    run, figure = report.run, average_of(report.summary.figure)
    trees = tree_lists(run)
    if trees:
        return list_blocks(trees, figure)
    longest = run.meta.get("n_best", {})
    blocks: list[Block] = []
    for parser in (name for name in report.one_by_one if int(longest.get(name, 1)) > 1):
        blocks += nbest_blocks(parser, nbest(run.ranks(parser)))
    return blocks


def details(report: Report) -> list[Block]:
    """Return the framework's own tables, such as how spans or mappings change figures."""
    return [*detail_tables(report.run, report.parsers)]


def hotspots(report: Report) -> list[Block]:
    """Return the first rows of some questions of *Hotspots*."""
    questions = [report.run.framework.questions().hotspots[name] for name in report.run.framework.questions().excerpts]
    blocks: list[Block] = []
    for parser in report.one_by_one:
        tables = [_first_rows(report.ask(question, parser)) for question in questions]
        blocks += [Text(parser, "heading")] if any(tables) and not report.parser else []
        blocks += filter(None, tables)
    return blocks


def _first_rows(table: Hotspots) -> Table | None:
    """Return the first rows of a question with their main figures; None if it has none."""
    if table.rows.empty:
        return None
    columns = [column for column in table.columns if column.name not in _LEFT_OUT]
    size = table.scope.size
    note = f"Over the first {size:,} sentences." if size < table.run.n_counted else ""
    return Table.of(table.rows.head(_MAX_ROWS), columns, title=table.question.title, note=note, form="small")


def worst_rows(report: Report, parser: str, n: int) -> list[tuple[int, float]]:
    """Return the sentences with the worst scores of a parser, each with its score."""
    name = report.summary.metric
    rows = worst_first(report.run.sentences(parser).dropna(subset=[name]), name).head(n)
    return list(zip(rows["sentence"].tolist(), rows[name].tolist(), strict=True))


def worst(report: Report) -> list[Block]:
    """Return the worst parses of every parser."""
    title = f"The {report.n_worst} worst parses of each parser by {report.metric.title}."
    blocks: list[Block] = [Text(title)] if report.n_worst else []
    for parser in report.one_by_one if report.n_worst else ():
        rows = worst_rows(report, parser, report.n_worst)
        blocks += [Text(parser, "heading"), *([] if rows else [Text("No sentence is scored.")])]
        blocks += parses(report, parser, rows)
    return blocks


def parses(
    report: Report, parser: str, rows: Iterable[tuple[int, float]], *, errors_only: bool = False
) -> list[Picture]:
    """Return sentences of a parser with their scores; their pictures are folded.

    `errors_only`: the sentence with its errors marked, without whole trees, where there is such a picture.
    """
    run, framework, pictures = report.run, report.run.framework, []
    for number, score in rows:
        title = f"{number} · {report.metric.text(score, whole=True)} · {' '.join(run.text(number))}"
        drawings: Sequence[Drawing] = ()
        notes: tuple[str, ...] = ()
        try:
            with one_picture():
                view = framework.view(sentence_of(run, number, parser), STANDING_ALONE)
                drawings, notes = view.drawings, () if errors_only else view.remarks
                errors = [drawing for drawing in drawings if drawing.suffix in _OF_ERRORS]
                drawings = errors if errors and errors_only else drawings
        except EvaltoolsError as error:
            notes = (str(error),)
        pictures.append(Picture(title, drawings, notes, number, is_folded=True))
    return pictures


def problems(report: Report) -> list[Block]:
    """Return the problems in the files."""
    total = report.run.meta["problems"]
    if not total:
        return []
    rows = report.run.query(f"select {', '.join(_PROBLEMS)} from problems limit {_MAX_PROBLEMS}")
    kinds = rows["kind"].str.replace("_", " ")
    rows = rows.assign(kind=kinds, file=[PurePath(file).name for file in rows["file"]])
    cells = [["" if pd.isna(value) else str(value) for value in row] for row in rows.itertuples(index=False)]
    columns = [Column(name, name, "text", width=width) for name, width in _PROBLEMS.items()]
    more = [f"{and_more(total - len(rows))}: evaltools report RUN --problems"] if total > len(rows) else []
    return [Text(f"{count_of(total, 'problem')}."), Table(columns, cells), *map(Text, more)]


_PROBLEMS = {
    **{"file": 154, "line": 48, "sentence": 72, "parser": 150, "kind": 108},
    **{"found": 244, "expected": 244},
}
"""Columns of the table of problems, and their widths on a page in pixels."""


def _always(_: Run) -> bool:
    return True


class Section(NamedTuple):
    """A part of a report."""

    title: str  # Empty for the first one
    blocks: Callable[[Report], list[Block]]  # Nothing is shown where there are none
    applies: Callable[[Run], bool] = _always  # Whether a run can have blocks, before they are computed
    has_parser: bool = False  # Whether it can be about one parser


SECTIONS: dict[str, Section] = {
    "findings": Section("", findings),
    "errors": Section("Costliest errors", errors, has_parser=True),
    "figures": Section("Figures", leaderboard),
    "classes": Section("Precision, recall and F1 by class", classes, lambda run: bool(class_metrics(run))),
    "experiments": Section("Parsers against gold treebanks", experiments, lambda run: bool(run.theories)),
    "significance": Section("Significance", significance, lambda run: len(run.parsers) > 1),
    "ranks": Section("Ranks under every variant of the metrics", ranks, lambda run: len(run.parsers) > 1, True),
    "disagreement": Section("Two metrics", disagreement, lambda run: bool(_two_metrics(run)), True),
    "distribution": Section("Intervals, distribution of scores, score by sentence length", distribution),
    "groups": Section("Figures by genre, document or other metadata", groups, lambda run: bool(group_keys(run))),
    "relations": Section(
        "Relations, distance and direction", relations, lambda run: run.framework.reads is Dependencies, True
    ),
    "lists": Section("Lists of analyses", lists, has_lists, True),
    "details": Section(
        "How analyses were compared", details, lambda run: bool(run.framework.runs.note_tables(run, run.parsers))
    ),
    "hotspots": Section("Hotspots", hotspots, has_parser=True),
    "worst": Section("Worst parses", worst, has_parser=True),
    "problems": Section("Problems in the files", problems, lambda run: bool(run.meta["problems"])),
}
"""The sections by their ids, in the order of reports."""

ALL = "all"
"""All sections."""


def section_text(report: Report, name: str) -> str:
    """Return a section as text, or all of them."""
    if name not in (*SECTIONS, ALL):
        raise ParameterError.unknown("section", name, [*SECTIONS, ALL])
    if report.parser and name != ALL and not SECTIONS[name].has_parser:
        of_parsers = [own for own, section in SECTIONS.items() if section.has_parser]
        raise ParameterError(f"--parser goes with the sections {', '.join(of_parsers)}; {name} is about all parsers")
    parts: list[Block | str] = []
    for own, section in SECTIONS.items():
        blocks = section.blocks(report) if name in (own, ALL) else []
        if blocks and section.title:
            parts.append(f"\n{section.title}\n{'=' * len(section.title)}")
        parts += blocks
    return console_text(parts or [Text("Nothing to report.")], report.run.signature)
