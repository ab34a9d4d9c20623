"""What is reported of a run: a list of sections, which command line, HTML reports, bundles and *Overview* show.

A section is a function from a report to a few blocks: texts, tables, charts and pictures. A new one is such a function,
and a line in `SECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any, Literal

import pandas as pd

from evaltools import analysis, charts
from evaltools.analysis.costliest import CostlyRow, costliest_rows, leading_group, name_rows, remainder
from evaltools.analysis.rankings import describe_change, pair_orders
from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.standing import Standing, compared_over, describe, order_of
from evaltools.analysis.summary import Summary, summarize_run
from evaltools.charts.distribution import UNDEFINED
from evaltools.charts.significance import matrix_rows, significance_chart
from evaltools.charts.theme import specification
from evaltools.drawing.blocks import Drawing, one_picture
from evaltools.errors import EvaltoolsError
from evaltools.frameworks.figures import over_of
from evaltools.frameworks.groups import Excerpt, GroupBy, Part
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.pairing.paired_stream import pairing_lines
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.outputs.counts import count_rows, count_table
from evaltools.outputs.hotspots import cell_text
from evaltools.outputs.summary import (
    all_figures,
    describe_aligned,
    describe_incomplete,
    describe_left_out,
    table_columns,
)
from evaltools.runs.metadata import plural_of, units_of
from evaltools.runs.store import Run
from evaltools.runs.sums import STEPS, Sums, length_bins, length_counts, score_steps, sum_by_length, sum_sentences
from evaltools.text import and_more, capitalized, p_value

_MAX_GROUPED = 20_000
"""Maximum number of sentences, from the first, in hotspots."""
_MAX_NAMED = 3
"""Number of costliest rows that are named in a sentence."""
_MIN_COUNT = 20
"""Minimum number of members of a group in hotspots."""
_MAX_PROBLEMS = 50
_OF_ERRORS = ("marked", "repairs")
"""The pictures of a sentence that show its errors, without whole trees."""
_MAX_PAIRS = 6
"""Maximum number of pairs of parsers listed that swap ranks."""
_COLORS = {"moved": "purple", "missing": "vermillion", "spurious": "green", "relabeled": "blue"}
"""Names of the colors of errors, by status."""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, a gray note, or a heading within a section."""

    text: str
    kind: Literal["answer", "text", "note", "heading"] = "note"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_texts: int = 1  # Number of columns, from the first, that are texts and no figures
    best: frozenset[tuple[int, int]] = frozenset()  # Cells that stand out, by row and column
    title: str = ""
    note: str = ""
    form: Literal["whole", "folded", "small"] = "whole"  # Small ones stand beside one another


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart."""

    specification: Mapping[str, Any]  # Vega-Lite
    title: str  # What it shows
    note: str = ""  # How to read it
    width: int = 0  # In pixels, below which it is scrolled; 0 for none
    is_half: bool = False  # Whether another one stands beside it


@dataclass(frozen=True, slots=True)
class Picture:
    """An error, or a sentence with its errors: a heading, texts, the words, and drawings."""

    title: str
    drawings: Sequence[Drawing] = ()
    notes: Sequence[str] = ()
    sentence: int = 0  # Its number
    words: Sequence[str] = ()  # Of an excerpt of the sentence
    marked: frozenset[int] = frozenset()  # Positions of words that stand out
    remark: str = ""  # Below the words
    query: Mapping[str, str] = field(default_factory=dict)  # What a link names to lead to its row in *Hotspots*
    is_folded: bool = False  # Whether the title alone is in view; others stand beside one another


Block = Text | Table | Chart | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report; one without blocks is not shown."""

    id: str
    title: str  # Empty for the first one
    blocks: Sequence[Block] = ()


@dataclass(frozen=True)
class Report:
    """A run, and the figures by which it is reported; parsers come best first by the metric of the summary."""

    run: Run
    sums: Sums  # Of all metrics
    summary: Summary
    cluster: str = ""  # Column of the metadata whose values intervals are over; empty for sentences
    n_worst: int = 5  # Number of worst parses of each parser

    @classmethod
    def of(cls, run: Run, metric: str | None = None, cluster: str = "", n_worst: int = 5) -> Report:
        """Return the report of a run by its usual figures, with the parsers in the order of a metric."""
        summary = summarize_run(run, main=ranking_metric(run, metric), cluster=cluster)
        return cls(run, sum_sentences(run, run.metrics, cluster=cluster), summary, cluster, n_worst)

    @property
    def metric(self) -> Metric:
        """The metric that ranks the parsers."""
        return METRICS[self.summary.metric]

    @property
    def parsers(self) -> list[str]:
        """The parsers, the best first."""
        return [row.parser for row in self.summary.rows]

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
        if not self.cluster:
            return ""
        return f" over {units_of(self.run, self.cluster).n:,} {plural_of(self.cluster)}"

    @cached_property
    def board(self) -> pd.DataFrame:
        """The figures of all metrics."""
        return analysis.leaderboard(self.sums, self.run.parsers, self.run.metrics)

    @cached_property
    def variants(self) -> tuple[pd.DataFrame, tuple[analysis.Variant, ...]]:
        """The figures under every variant of the metrics, and the variants."""
        return analysis.figures_by_variant(self.board, every=self.every)

    @cached_property
    def _parts(self) -> dict[int, Part]:
        return {}

    def part(self, size: int) -> Part:
        """Return the first sentences; what is computed over them is shared by sections."""
        size = min(size, self.run.n_sentences)
        return self._parts.setdefault(size, Part(self.run, size))

    @property
    def question(self) -> GroupBy | None:
        """The question of *Hotspots* whose costliest rows are shown, or the first one."""
        groups = self.run.framework.groups
        return leading_group(groups) or next(iter(groups.values()), None)

    def grouped(self, group: GroupBy) -> Part:
        """Return the sentences that a question is about."""
        return self.part(self.run.n_sentences if group.all_sentences else _MAX_GROUPED)


def ranking_metric(run: Run, metric: str | None = None) -> str:
    """Return the id of a metric of a run, by default its main one; raises ParameterError if it has no such metric."""
    return metric_id(metric or run.main_metric, run.metrics)


def findings(report: Report) -> Section:
    """Return which parser is best, and what to know of the figures."""
    run = report.run
    remarks = (*describe_aligned(run), *describe_left_out(run), *run.framework.notes(run.meta))
    lines = (f"{line}." for line in pairing_lines(run.meta))
    return Section("findings", "", [Text(describe(report.summary.standing), "answer"), *map(Text, (*remarks, *lines))])


def errors(report: Report, parsers: Sequence[str] = (), limit: int = _MAX_NAMED) -> Section:
    """Return the costliest errors of some parsers, by default all, with examples."""
    group = report.question
    if group is None:
        return Section("errors", "Costliest errors")
    part, size = report.grouped(group), report.run.n_sentences
    blocks: list[Block] = []
    for parser in parsers or report.parsers:
        blocks += [Text(parser, "heading"), *costliest(group, part, parser, limit)]
    over = f", in the first {part.size:,} sentences" if part.size < size else ""
    colors = "; ".join(f"{_COLORS[status]}: {text}" for status, text in group.legend)
    marks = f" In the pictures: {colors}." if colors else ""
    blocks.append(Text(f"{group.unit.capitalize()} by {group.row_name}{over}. {group.description}{marks}"))
    return Section("errors", "Costliest errors", blocks)


def costliest(group: GroupBy, part: Part, parser: str, limit: int = _MAX_NAMED) -> list[Block]:
    """Return the costliest rows of a question: a sentence, and a picture for each row."""
    rows = costliest_rows(group, part, parser, limit)
    rest = [remainder(group, part, parser, rows), group.left_out(part, parser)]
    return [
        Text(name_rows(rows[:_MAX_NAMED], group, parser), "text"),
        *map(Text, filter(None, rest)),
        *(_example(row, {"parser": parser, "view": group.id}) for row in rows),
    ]


def _example(row: CostlyRow, table: Mapping[str, str]) -> Picture:
    query = {**table, "group": " · ".join(row.keys), "part": row.part, "sentence": str(row.sentence)}
    drawings = () if row.drawing is None else (row.drawing,)
    remark = f"{row.remark}." if row.remark else ""
    return Picture(row.title, drawings, [f"{row.figures}."], row.sentence, row.words, row.marked, remark, query)


def leaderboard(report: Report) -> Section:
    """Return the table of the main figures, as ``report`` prints it, all figures, counts, and what each metric is."""
    run, summary = report.run, report.summary
    columns = table_columns(summary, summary.rows)
    metrics = [name for name in columns if name in METRICS]
    best = frozenset(
        (index, at)
        for index, row in enumerate(summary.rows)
        for at, name in enumerate(columns)
        if name in METRICS and row.figures[name].is_best
    )
    cells = list(zip(*(column[1:] for column in columns.values()), strict=True))
    heads, rows = all_figures(run, report.parsers)
    count_heads, count_cells, count_notes = count_table(run, count_rows(run, report.parsers))
    return Section(
        "figures",
        "Figures",
        [
            Text(f"{report.metric.title}, {summary.base}."),
            Table([column[0] for column in columns.values()], cells, best=best),
            *map(Text, (*describe_incomplete(run, metrics), *table_notes(summary))),
            Table(heads, rows, 2, title="All figures", form="folded"),
            Table(count_heads, count_cells, 2, title="Counts and costs", note=" ".join(count_notes), form="folded"),
            Text("What each figure is", "heading"),
            *(Text(f"{METRICS[name].title}: {METRICS[name].help.replace('*', '')}") for name in metrics),
        ],
    )


def table_notes(summary: Summary) -> list[str]:
    """Return notes on the order and colors of a table of figures."""
    pairs = [pair for standing in summary.standings.values() for pair in standing.comparisons if pair.cluster]
    units = f" over {pairs[0].units}" if pairs else ""
    notes = [f"Ahead: {summary.standing.over}."] if summary.standing.over else []
    if len(summary.rows) > 1:
        notes.append(
            f"Sure, and colored where a parser is better than every other one: paired permutation test{units}, "
            f"p < {SIGNIFICANT} after Holm’s correction, and a 95 % interval without 0."
        )
    return notes


PAIR_HEADS = {
    "parser_a": "A",
    "parser_b": "B",
    "difference": "A − B",
    "interval": "95 % interval",
    "p": "p",
    "holm": "p (Holm)",
    "significant": "significant",
    "on": "differ on",
}
"""The columns of tables of pairs, and their heads."""


def pairs_table(standing: Standing) -> pd.DataFrame:
    """Return a row for every two parsers, the better one first, in the order of the parsers; see `PAIR_HEADS`."""
    item = METRICS[standing.metric]
    scale = 100 if item.is_share else 1
    rows = []
    for pair in standing.comparisons:
        interval = f"{item.text(pair.low)} to {item.text(pair.high)}"
        figures = scale * pair.difference, interval, pair.p, pair.p_adjusted
        significant = "yes" if pair.significant else "no"
        rows.append((pair.parser_a, pair.parser_b, *figures, significant, pair.n_different))
    return pd.DataFrame(rows, columns=list(PAIR_HEADS))


def tested_in_words(standing: Standing) -> str:
    """Return how differences were tested: the sentences, and the numbers of permutations and resamples."""
    first, n_pairs = standing.comparisons[0], len(standing.comparisons)
    corrected = f" p-values corrected for {n_pairs} pairs (Holm);" if n_pairs > 1 else ""
    over = "".join(f" {capitalized(text)}." for text in compared_over({standing.metric: standing}))
    return (
        f"Paired permutation test over {first.units}, {first.iterations:,} iterations;{corrected} intervals from "
        f"{first.resamples:,} paired resamples. Significant: p (Holm) < {SIGNIFICANT}, and an interval without 0.{over}"
    )


def significance(report: Report) -> Section:
    """Return the differences of every two parsers, and of several a matrix of them."""
    standing, metric = report.summary.standing, report.metric
    title = f"Significance: {metric.title}"
    if not standing.comparisons:
        return Section("significance", title)
    rows = []
    table = pairs_table(standing)
    for pair, interval, significant in zip(standing.comparisons, table["interval"], table["significant"], strict=True):
        figures = metric.text(pair.difference), interval, p_value(pair.p), p_value(pair.p_adjusted)
        differ = "–" if pair.n_different is None else f"{pair.n_different:,}"
        rows.append([pair.parser_a, pair.parser_b, *figures, significant, differ])
    blocks: list[Block] = [Table(list(PAIR_HEADS.values()), rows, 2), Text(tested_in_words(standing))]
    order = list(dict.fromkeys(name for pair in standing.comparisons for name in (pair.parser_a, pair.parser_b)))
    if len(order) > 2:
        cells = matrix_rows(standing.comparisons, order)
        blocks.append(Chart(significance_chart(cells, order), "Differences of every two parsers", MATRIX_NOTE))
    return Section("significance", title, blocks)


MATRIX_NOTE = (
    "Row minus column. Blue: the row’s parser is significantly better; orange: the column’s. The shade grows with the "
    "difference."
)
"""How the matrix of differences is read."""


def ranks(report: Report) -> Section:
    """Return the ranks under every variant of the metrics, drawn if two parsers change places."""
    figures, variants = report.variants
    title = "Ranks under every variant of the metrics"
    if len(report.run.parsers) < 2 or not variants:
        return Section("ranks", title)
    blocks: list[Block] = [Text(analysis.verdict(figures, variants), "text")]
    pairs = [pair for pair in pair_orders(figures) if pair.changes]
    if pairs:
        crossings = analysis.crossings(figures)
        texts = [analysis.describe_crossing(crossing, variants) for crossing in crossings]
        ranked = analysis.rank_parsers(figures)
        drawn = charts.bump_chart(figures, ranked, variants, crossings, texts, parsers=report.run.parsers)
        note = (
            "From column to column one choice changes; a ring marks where two parsers swap ranks, significant or not."
        )
        title_of_chart = "Rank of every parser under every variant of the metrics"
        blocks.append(Chart(specification(drawn), title_of_chart, note, width=900))
    lines = [f"{pair.parser_a} and {pair.parser_b}: {describe_change(pair, variants)}." for pair in pairs]
    more = [f"{and_more(len(lines) - _MAX_PAIRS)} pairs."] if len(lines) > _MAX_PAIRS else []
    return Section("ranks", title, [*blocks, *map(Text, lines[:_MAX_PAIRS] + more)])


def intervals(report: Report) -> Chart:
    """Return the figures with their intervals."""
    name, figure = report.summary.metric, report.summary.figure
    drawn = charts.intervals_chart(report.board, name, parsers=report.run.parsers, figure=figure)
    return Chart(specification(drawn), f"{report.metric.title} of every parser, with 95 % intervals{report.units}")


def distribution(report: Report) -> Section:
    """Return intervals, the distribution of scores, and scores by sentence length."""
    run, name, parsers = report.run, report.summary.metric, report.run.parsers
    over = report.units
    blocks: list[Block] = []
    if len(parsers) > 1:
        blocks.append(intervals(report))
    rows = report.board[report.board["metric"] == name]
    means = dict(zip(rows["parser"], rows["mean"], strict=True))
    steps = score_steps(run, name, STEPS)
    drawn = charts.distribution_chart(
        analysis.score_histogram(steps, parsers, name),
        name,
        parsers=parsers,
        means=means,
        perfect=analysis.perfect_share(steps, parsers),
        undefined=dict(zip(rows["parser"], rows["scored"] - rows["n"], strict=True)),
        order=order_of(means, name),
    )
    left_out = f" {UNDEFINED}" if (rows["scored"] > rows["n"]).any() else ""
    note = f"Shares of the n parsed sentences with a score; the dashed line is their mean.{left_out}"
    blocks.append(Chart(specification(drawn), "Distribution of sentence scores", note, 440, is_half=True))
    bins = length_bins(length_counts(run))
    sums = sum_by_length(run, name, bins, report.cluster)
    by_length = analysis.score_by_length(sums, bins, parsers, name, every=report.every)
    drawn = charts.length_chart(
        by_length,
        name,
        parsers=parsers,
        figure=report.summary.figure.removesuffix("_all"),
        height=charts.distribution_height(len(parsers)),
    )
    note = f"Bands are 95 % intervals{over}, where two sentences or more have a score."
    blocks.append(Chart(specification(drawn), "Score by sentence length", note, 420, is_half=True))
    return Section("distribution", f"Sentences under {report.metric.title}", blocks)


def error_types(report: Report) -> Section:
    """Return the brackets repaired by error type."""
    types, title = report.run.framework.error_types, "Errors by type"
    if types is None:
        return Section("types", title)
    part, parsers, group = report.part(report.run.n_sentences), report.parsers, report.question
    tables = {parser: types.costs(report.run, parser, part.size) for parser in parsers}
    kinds = sorted(
        {kind for totals in tables.values() for kind in totals},
        key=lambda kind: (-sum(totals.get(kind, 0) for totals in tables.values()), kind),
    )
    rows = [[kind, *(f"{tables[parser].get(kind, 0):,}" for parser in parsers)] for kind in kinds]
    texts = {} if group is None else {parser: group.left_out(part, parser) for parser in parsers}
    left_out = [f"{parser}: {text}" for parser, text in texts.items() if text]
    if not rows:
        text = "No repairs." if left_out else "No errors: every tree with the same words equals its gold tree."
        return Section("types", title, [Text(" ".join([text, *left_out]))])
    about = (
        f"Brackets repaired by the steps that turn a parse into its gold tree, by error type (after {types.reference})."
    )
    return Section("types", title, [Table(["type", *parsers], rows), Text(" ".join([about, *left_out]))])


def hotspots(report: Report, parsers: Sequence[str] = ()) -> Section:
    """Return the short tables of *Hotspots* of some parsers, by default all."""
    run, part = report.run, report.part(_MAX_GROUPED)
    blocks: list[Block] = []
    for parser in parsers or report.parsers:
        tables = hotspot_rows(run.framework.excerpts, part, parser)
        blocks += [Text(parser, "heading")] if tables else []
        blocks += [_hotspot_table(excerpt, rows) for excerpt, rows in tables]
    all_sentences = all(group.all_sentences for group in run.framework.groups.values())
    if blocks and run.n_sentences > _MAX_GROUPED and not all_sentences:
        blocks.append(Text(f"The first {_MAX_GROUPED:,} sentences."))
    return Section("hotspots", "Hotspots", blocks)


def hotspot_rows(
    excerpts: Sequence[Excerpt], part: Part, parser: str, min_count: int = _MIN_COUNT
) -> list[tuple[Excerpt, list[list[str]]]]:
    """Return the excerpts of a parser's hotspots that have rows, with the cells of these."""
    tables = [(excerpt, excerpt.rows(part, parser, min_count).to_dict("records")) for excerpt in excerpts]
    return [
        (excerpt, [[cell_text(row[column.name], column) for column in excerpt.columns] for row in rows])
        for excerpt, rows in tables
        if rows
    ]


def _hotspot_table(excerpt: Excerpt, rows: list[list[str]]) -> Table:
    heads = [column.title for column in excerpt.columns]
    texts = sum(column.format == "text" for column in excerpt.columns)
    return Table(heads, rows, texts, title=excerpt.title, note=excerpt.note.format(least=_MIN_COUNT), form="small")


def worst_rows(report: Report, parser: str, n: int) -> list[tuple[int, float]]:
    """Return the sentences with the worst scores of a parser, each with its score."""
    name = report.summary.metric
    rows = report.run.sentences(parser)
    rows = rows[rows[name].notna()]
    rows = rows.sort_values([name, "words"], ascending=[report.metric.higher_is_better, False], kind="stable").head(n)
    return list(zip(rows["sentence"].tolist(), rows[name].tolist(), strict=True))


def worst(report: Report) -> Section:
    """Return the worst parses of every parser."""
    title = f"The {report.n_worst} worst parses of each parser by {report.metric.title}"
    blocks: list[Block] = []
    for parser in report.parsers if report.n_worst else ():
        rows = worst_rows(report, parser, report.n_worst)
        blocks += [Text(parser, "heading"), *([] if rows else [Text("No sentence is scored.")])]
        blocks += parses(report, parser, rows)
    return Section("worst", title, blocks)


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
                drawings = framework.report_drawings(framework.sentence(run, number, parser))
                errors = [drawing for drawing in drawings if drawing.suffix in _OF_ERRORS]
                drawings = errors if errors and errors_only else drawings
        except EvaltoolsError as error:
            notes = (str(error),)
        pictures.append(Picture(title, drawings, notes, number, is_folded=True))
    return pictures


def problems(report: Report) -> Section:
    """Return the problems in the files."""
    total = report.run.meta["problems"]
    title = f"Problems in the files: {total:,}"
    if not total:
        return Section("problems", title)
    heads = ["file", "line", "sentence", "parser", "kind", "found", "expected"]
    rows = report.run.query(f"select {', '.join(heads)} from problems limit {_MAX_PROBLEMS}")
    rows = rows.assign(kind=rows["kind"].str.replace("_", " "))
    cells = [["" if pd.isna(value) else str(value) for value in row] for row in rows.itertuples(index=False)]
    more = f"{and_more(total - len(rows))}: evaltools report RUN --problems"
    return Section("problems", title, [Table(heads, cells, 7), *([Text(more)] if total > len(rows) else [])])


SECTIONS: Mapping[str, Callable[[Report], Section]] = {
    "findings": findings,
    "errors": errors,
    "figures": leaderboard,
    "significance": significance,
    "ranks": ranks,
    "distribution": distribution,
    "types": error_types,
    "hotspots": hotspots,
    "worst": worst,
    "problems": problems,
}
"""The sections by their ids, in the order of reports."""
