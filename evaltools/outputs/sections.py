"""A run as one HTML file, or as a folder of pages for any static host; the sections of both."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import pandas as pd

from evaltools import analysis, charts
from evaltools.analysis.costliest import CostlyRow, costliest_rows, leading_group, name_rows, remainder
from evaltools.analysis.rankings import describe_change, pair_orders
from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.standing import describe
from evaltools.analysis.summary import summarize_run
from evaltools.charts.distribution import UNDEFINED
from evaltools.charts.theme import specification
from evaltools.drawing.blocks import Drawing, one_picture
from evaltools.errors import EvaltoolsError, InputError, ParameterError, Problem
from evaltools.files import replace_folder, unfinished_folder
from evaltools.frameworks.groups import Excerpt, GroupBy, Part
from evaltools.frameworks.pairing.paired_stream import pairing_lines
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.outputs.counts import count_rows, count_table
from evaltools.outputs.hotspots import cell_text
from evaltools.outputs.page import Page, note, quoted, table
from evaltools.outputs.run_charts import ranks_of_variants, score_distribution
from evaltools.outputs.summary import (
    all_figures,
    describe_aligned,
    describe_incomplete,
    describe_left_out,
    table_columns,
)
from evaltools.outputs.vega import chart_svg
from evaltools.runs.metadata import plural_of, units_of
from evaltools.runs.store import Run
from evaltools.runs.sums import length_bins, length_counts, sum_by_length, sum_sentences
from evaltools.text import and_more, p_value

__all__ = ["html_report", "ranking_metric"]


MAX_SENTENCES = 20_000
"""Maximum number of sentences, from the first, in hotspots."""
_MAX_TYPED = 10_000
"""Maximum number of sentences per parser, from the first, in error types."""
_MAX_NAMED = 3
"""Number of costliest rows that are named in a sentence."""
_MIN_COUNT = 20
"""Minimum number of members of a group in hotspots."""
_COLORS = {"moved": "purple", "missing": "vermillion", "spurious": "green", "relabeled": "blue"}
"""Names of the colors of errors, by status."""
_EXAMPLE_WIDTH = 360
"""Pixels of a small picture."""


class Sections:
    """The sections of a run; each method adds one to a page. Parsers come best first."""

    def __init__(self, run: Run, metric: str, cluster: str = "") -> None:
        self.run, self.metric, self.cluster = run, metric, cluster
        # What intervals are over; empty for sentences
        self.units = f" over {units_of(run, cluster).n:,} {plural_of(cluster)}" if cluster else ""
        self.board = analysis.leaderboard(sum_sentences(run, run.metrics, cluster=cluster), run.parsers, run.metrics)
        self.summary = summarize_run(run, main=metric, cluster=cluster)
        self.parsers = [row.parser for row in self.summary.rows]
        self.figures, self.variants = analysis.figures_by_variant(self.board, every=run.default_over == "all")
        self._parts: dict[int, Part] = {}

    def _part(self, size: int) -> Part:
        """Return the first sentences; what is computed over them is shared by sections."""
        size = min(size, self.run.n_sentences)
        return self._parts.setdefault(size, Part(self.run, size))

    @property
    def title(self) -> str:
        """The title of pages about the run."""
        n = len(self.run.parsers)
        parsers = self.run.parsers[0] if n == 1 else f"{n} parsers"
        return f"{parsers} against {PurePath(self.run.meta['gold']['file']).name}"

    def findings(self, sheet: Page) -> None:
        """Add which parser is best, and what the figures are of."""
        run = self.run
        verdict = [analysis.verdict(self.figures, self.variants)] if len(run.parsers) > 1 else []
        sheet.text(" ".join([describe(self.summary.standing), *verdict]), "answer")
        sheet.text(f"{run.n_counted:,} sentences, preset {run.preset}.", "note")
        for remark in (*describe_aligned(run), *describe_left_out(run), *run.framework.notes(run.meta)):
            sheet.text(remark, "note")
        for line in pairing_lines(run.meta):
            sheet.text(f"{line}.", "note")
        sheet.text(run.signature, "note")

    @property
    def _question(self) -> GroupBy | None:
        """The question of *Hotspots* whose costliest rows are named, or the first one."""
        groups = self.run.framework.groups
        return leading_group(groups) or next(iter(groups.values()), None)

    def costliest_of(self, parser: str) -> str:
        """Return a sentence on the costliest errors of a parser; empty if errors are not grouped."""
        group = self._question
        return "" if group is None else self._named(group, parser, self._costliest(group, parser, _MAX_NAMED))

    def _named(self, group: GroupBy, parser: str, rows: list[CostlyRow]) -> str:
        """Return the costliest rows in a sentence, and those that say little in another one."""
        rest = remainder(group, self._grouped(group), parser, rows)
        return " ".join(filter(None, [name_rows(rows, group, parser), rest]))

    def _grouped(self, group: GroupBy) -> Part:
        """Return the sentences that a question is about."""
        return self._part(MAX_SENTENCES if group.all_sentences else _MAX_TYPED)

    def _costliest(self, group: GroupBy, parser: str, limit: int) -> list[CostlyRow]:
        return costliest_rows(group, self._grouped(group), parser, limit)

    def costliest(self, sheet: Page, parsers: Sequence[str], limit: int = _MAX_NAMED) -> None:
        """Add the costliest errors of some parsers, with examples."""
        group = self._question
        if group is None:
            return
        sheet.section("Costliest errors")
        for parser in parsers:
            rows = self._costliest(group, parser, limit)
            sheet.heading(parser)
            text = self._named(group, parser, rows[:_MAX_NAMED])
            left_out = group.left_out(self._grouped(group), parser)
            sheet.text(" ".join(filter(None, [text, left_out])))
            sheet.beside((item.title, _example(sheet, item), "") for item in rows)
        size = min(self._grouped(group).size, self.run.n_sentences)
        over = f", in the first {size:,} sentences" if size < self.run.n_sentences else ""
        colors = "; ".join(f"{_COLORS[status]}: {text}" for status, text in group.legend)
        marks = f" In the pictures: {colors}." if colors else ""
        sheet.text(f"{group.unit.capitalize()} by {group.row_name}{over}. {group.description}{marks}", "note")

    def leaderboard(self, sheet: Page) -> None:
        """Add the table of the main figures, as ``report`` prints it, all figures, and a sentence on each metric."""
        summary = self.summary
        columns = table_columns(summary, summary.rows)
        metrics = [name for name in columns if name in METRICS]
        best = {
            (index, at)
            for index, row in enumerate(summary.rows)
            for at, name in enumerate(columns)
            if name in METRICS and row.figures[name].is_best
        }
        sheet.section("Figures")
        sheet.text(f"{METRICS[summary.metric].title}, {summary.base}.", "note")
        heads = [column[0] for column in columns.values()]
        sheet.table(heads, list(zip(*(column[1:] for column in columns.values()), strict=True)), best=best)
        notes = describe_incomplete(self.run, metrics)
        if summary.standing.over:
            notes.append(f"Ahead: {summary.standing.over}.")
        if len(self.run.parsers) > 1:
            notes.append(
                "Sure, and colored where a parser is better than every other one: paired permutation test, "
                f"p < {SIGNIFICANT} after Holm’s correction, and a 95 % interval{self.units} without 0."
            )
        for text in notes:
            sheet.text(text, "note")
        sheet.folded_markup("All figures", [table(*all_figures(self.run, self.parsers), texts=2)])
        heads, cells, remarks = count_table(self.run, count_rows(self.run, self.parsers))
        sheet.folded_markup("Counts and costs", [table(heads, cells, texts=2), *map(note, remarks)])
        sheet.terms("What each figure is", ((METRICS[item].title, _explained(item)) for item in metrics))

    def significance(self, sheet: Page) -> None:
        """Add the differences of every two parsers."""
        if len(self.run.parsers) < 2:
            return
        item = METRICS[self.metric]
        sheet.section(f"Significance: {item.title}")
        comparisons = self.summary.standing.comparisons
        rows = []
        for pair in sorted(comparisons, key=lambda pair: -abs(np.nan_to_num(pair.difference))):
            sign, first, second = (
                (1, pair.parser_a, pair.parser_b) if pair.difference >= 0 else (-1, pair.parser_b, pair.parser_a)
            )
            low, high = sorted((sign * pair.low, sign * pair.high))
            interval = f"{item.text(low)} to {item.text(high)}"
            p = p_value(pair.p)
            adjusted = p_value(pair.p_adjusted)
            difference = item.text(sign * pair.difference)
            differ = "–" if pair.n_different is None else f"{pair.n_different:,}"
            significant = "yes" if pair.significant else "no"
            rows.append([first, second, difference, interval, p, adjusted, significant, differ])
        sheet.table(["A", "B", "A − B", "95 % interval", "p", "p (Holm)", "significant", "differ on"], rows, texts=2)
        if not comparisons:
            return
        pairs = "pair" if len(comparisons) == 1 else "pairs"
        units = f"{comparisons[0].units} of " if comparisons[0].n_units else ""
        numbers = [pair.n_sentences for pair in comparisons]
        over = f"{max(numbers):,}" if min(numbers) == max(numbers) else f"{min(numbers):,} to {max(numbers):,}"
        sheet.text(
            f"Paired permutation test over {units}the {over} sentences of each pair, "
            f"{comparisons[0].iterations:,} iterations; intervals from "
            f"{comparisons[0].resamples:,} paired resamples; p-values corrected for {len(comparisons)} {pairs}. "
            f"Significant: p (Holm) < {SIGNIFICANT}, and an interval without 0.",
            "note",
        )

    def ranks(self, sheet: Page) -> None:
        """Add the ranks under every variant of the metrics."""
        if len(self.run.parsers) < 2 or not self.variants:
            return
        figures, variants = self.figures, self.variants
        sheet.section("Ranks under every variant of the metrics")
        sheet.picture(chart_svg(ranks_of_variants(self.run, figures, variants), inline=True))
        sheet.text("Ranks follow the figures, significant or not.", "note")
        for pair in pair_orders(figures):
            if pair.changes:
                sheet.text(f"{pair.parser_a} and {pair.parser_b}: {describe_change(pair, variants)}.", "note")

    def distributions(self, sheet: Page) -> None:
        """Add the scores of sentences, and by length."""
        run, metric = self.run, self.metric
        sheet.section(f"Sentences under {METRICS[metric].title}")
        rows = self.board[self.board["metric"] == metric]
        left_out = f" {UNDEFINED}" if (rows["scored"] > rows["n"]).any() else ""
        sheet.picture(
            chart_svg(score_distribution(run, self.board, metric), inline=True),
            "Distribution of sentence scores: shares of the n parsed sentences with a score; "
            f"the dashed line is the mean.{left_out}",
        )
        bins = length_bins(length_counts(run))
        sums = sum_by_length(run, metric, bins, self.cluster)
        every = run.default_over == "all"
        by_length = analysis.score_by_length(sums, bins, run.parsers, metric, every=every)
        height = charts.distribution_height(len(run.parsers))
        drawn = charts.length_chart(by_length, metric, parsers=run.parsers, figure="pooled", height=height)
        sheet.picture(
            chart_svg(specification(drawn), inline=True), f"Score by sentence length, with 95 % intervals{self.units}."
        )

    def error_types(self, sheet: Page) -> None:
        """Add the brackets repaired by error type."""
        types = self.run.framework.error_types
        if types is None:
            return
        sheet.section("Errors by type")
        part = self._part(_MAX_TYPED)
        tables = {}
        for parser in self.parsers:
            totals = types.totals(types.steps(part, parser, types.rules.default))
            tables[parser] = dict(zip(totals["type"], totals["repaired"].tolist(), strict=True))
        kinds = sorted(
            {kind for totals in tables.values() for kind in totals},
            key=lambda kind: (-sum(totals.get(kind, 0) for totals in tables.values()), kind),
        )
        rows = [[kind, *(f"{tables[parser].get(kind, 0):,}" for parser in self.parsers)] for kind in kinds]
        group = self._question
        texts = {} if group is None else {parser: group.left_out(part, parser) for parser in self.parsers}
        left_out = [f"{parser}: {text}" for parser, text in texts.items() if text]
        if not rows:
            text = "No repairs." if left_out else "No errors: every tree with the same words equals its gold tree."
            sheet.text(" ".join([text, *left_out]), "note")
            return
        sheet.table(["type", *self.parsers], rows)
        limit = f" The first {_MAX_TYPED:,} sentences." if self.run.n_sentences > _MAX_TYPED else ""
        sheet.text(
            "Brackets repaired by the steps that turn a parse into its gold tree, by error type "
            f"(after {types.reference}).{limit}" + "".join(f" {text}" for text in left_out),
            "note",
        )

    def hotspots(self, sheet: Page, parsers: Sequence[str]) -> None:
        """Add the short tables of *Hotspots*."""
        part = self._part(MAX_SENTENCES)
        tables = {parser: hotspot_rows(self.run.framework.excerpts, part, parser) for parser in parsers}
        if not any(tables.values()):
            return
        sheet.section("Hotspots")
        for parser, excerpts in tables.items():
            if excerpts:
                sheet.heading(parser)
                sheet.beside(
                    (excerpt.title, _hotspot_table(excerpt, rows), excerpt.note.format(least=_MIN_COUNT))
                    for excerpt, rows in excerpts
                )
        all_sentences = all(group.all_sentences for group in self.run.framework.groups.values())
        if self.run.n_sentences > MAX_SENTENCES and not all_sentences:
            sheet.text(f"The first {MAX_SENTENCES:,} sentences.", "note")

    def worst_rows(self, parser: str, n: int) -> list[tuple[int, float]]:
        """Return the sentences with the worst scores of a parser, each with its score."""
        item = METRICS[self.metric]
        rows = self.run.sentences(parser)
        rows = rows[rows[self.metric].notna()]
        order = [self.metric, "words"]
        rows = rows.sort_values(order, ascending=[item.higher_is_better, False], kind="stable").head(n)
        return list(zip(rows["sentence"].tolist(), rows[self.metric].tolist(), strict=True))

    def parses(self, sheet: Page, parser: str, rows: Iterable[tuple[int, float]], *, errors_only: bool = False) -> None:
        """Add sentences of a parser with their scores; their pictures are folded.

        `errors_only`: the sentence with its errors marked, without whole trees, where there is such a picture.
        """
        for sentence, score in rows:
            figure = METRICS[self.metric].score_text(score)
            pictures = self._pictures(sentence, parser, errors_only=errors_only)
            sheet.folded(f"{sentence} · {figure} · {' '.join(self.run.text(sentence))}", pictures)

    def worst(self, sheet: Page, n: int) -> None:
        """Add the worst parses of every parser."""
        sheet.section(f"The {n} worst parses of each parser by {METRICS[self.metric].title}")
        for parser in self.parsers:
            sheet.heading(parser)
            rows = self.worst_rows(parser, n)
            if not rows:
                sheet.text("No sentence is scored.", "note")
            self.parses(sheet, parser, rows)

    def _pictures(self, number: int, parser: str, *, errors_only: bool) -> list[tuple[str, str]]:
        framework = self.run.framework
        try:
            with one_picture():
                drawings: tuple[Drawing, ...] = ()
                if errors_only:
                    sentence = framework.sentence(self.run, number, parser)
                    drawings = framework.marked_drawings(sentence.alignment, sentence.lower)
                drawings = drawings or framework.report_drawings(self.run, number, parser)
        except EvaltoolsError as error:
            return [("", str(error))]
        captions = [drawing.heading if len(drawings) > 1 else "" for drawing in drawings]
        return [_drawn(drawing, caption) for drawing, caption in zip(drawings, captions, strict=True)]

    def problems(self, sheet: Page) -> None:
        """Add the problems in the files."""
        total = self.run.meta["problems"]
        if not total:
            return
        sheet.section(f"Problems in the files: {total:,}")
        rows = self.run.query("select file, line, sentence, found, expected from problems limit 50")
        cells = [["" if pd.isna(value) else str(value) for value in row] for row in rows.itertuples(index=False)]
        sheet.table(["file", "line", "sentence", "found", "expected"], cells, texts=5)
        if total > len(rows):
            sheet.text(f"{and_more(total - len(rows))}: evaltools report RUN --problems", "note")


def _explained(metric: str) -> str:
    """Return what a metric is, without marks of emphasis."""
    return METRICS[metric].help.replace("*", "")


def _drawn(drawing: Drawing, caption: str, **options: Any) -> tuple[str, str]:
    """Return a picture and its caption; of one that cannot be drawn, why."""
    try:
        return drawing.draw(theme="auto", **options), caption
    except EvaltoolsError as error:
        return "", f"{caption}: {error}" if caption else str(error)


def _example(sheet: Page, row: CostlyRow) -> str:
    """Return the example of a costly row in HTML."""
    remark = [note(f"{row.remark}.")] if row.remark else []
    text = "".join([note(f"{row.figures}."), quoted(row.words, row.marked, f"Sentence {row.sentence}:"), *remark])
    drawn = sheet.figure(*_drawn(row.drawing, "", width=_EXAMPLE_WIDTH)) if row.drawing is not None else ""
    return text + drawn


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


def _hotspot_table(excerpt: Excerpt, rows: list[list[str]]) -> str:
    texts = sum(column.format == "text" for column in excerpt.columns)
    return table([column.title for column in excerpt.columns], rows, texts=texts)


Note = Callable[[str], None]


def html_report(
    run: Run, *, worst: int = 5, metric: str | None = None, cluster: str = "", tell: Note | None = None
) -> str:
    """Write a run as one HTML file, which needs no network and no script.

    Parameters
    ----------
    run : Run
        The run.
    worst : int
        Number of worst parses drawn per parser.
    metric : str, optional
        Metric for comparison and ranking; by default the run's main metric.
    cluster : str
        Column of the metadata, such as ``document``, whose values are drawn as a whole for intervals and permuted in
        tests; by default sentences are.
    tell : callable, optional
        Called with the name of each step.

    Returns
    -------
    str
        The HTML text.

    Raises
    ------
    ParameterError
        If the metric or the column is not one of the run's, or `worst` is negative.
    """
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    tell = tell or (lambda _: None)
    metric = ranking_metric(run, metric)
    tell("figures")
    sections = Sections(run, metric, cluster)
    page = Page(sections.title)
    sections.findings(page)
    tell("costliest errors")
    sections.costliest(page, sections.parsers)
    tell("significance")
    sections.leaderboard(page)
    sections.significance(page)
    sections.ranks(page)
    tell("charts")
    sections.distributions(page)
    tell("hotspots")
    sections.error_types(page)
    sections.hotspots(page, sections.parsers)
    if worst:
        tell("worst parses")
        sections.worst(page, worst)
    sections.problems(page)
    return str(page)


def ranking_metric(run: Run, metric: str | None = None) -> str:
    """Return a metric of a run, by default its main one.

    Parameters
    ----------
    run : Run
        The run.
    metric : str, optional
        Name or id of the metric.

    Returns
    -------
    str
        Id of the metric.

    Raises
    ------
    ParameterError
        If the metric is not one of the run's.
    """
    return metric_id(metric or run.main_metric, run.metrics)


_PARSES_ON_PAGE = 20
_MAX_COSTLIEST = 12
"""Number of costliest rows on the page of a parser."""
_INDEX = "index.html"
_OWN_PAGES = re.compile(r"index\.html|(errors-\d+|worst-\d+-\d+)\.html")


def write_bundle(
    run: Run,
    folder: Path,
    *,
    worst: int = 100,
    metric: str | None = None,
    cluster: str = "",
    force: bool = False,
    tell: Note | None = None,
) -> list[Path]:
    """Write a run as a folder of pages, which need no server, no network and no script.

    Parameters
    ----------
    run : Run
        The run.
    folder : Path
        Output folder; created if it does not exist.
    worst : int
        Number of worst parses drawn per parser.
    metric : str, optional
        Metric for comparison and ranking; by default the run's main metric.
    cluster : str
        Column of the metadata whose values, such as documents, are drawn as a whole for intervals and tests; by
        default sentences are drawn.
    force : bool
        Whether the pages of an earlier bundle in the folder are replaced.
    tell : callable, optional
        Called with the name of each step.

    Returns
    -------
    list of Path
        The pages, the first one first.

    Raises
    ------
    ParameterError
        If the metric is not one of the run's, the run has no such column, or `worst` is negative.
    InputError
        If the folder has other files, or pages that are not to be replaced, or cannot be written.
    """
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    chosen = ranking_metric(run, metric)
    if os.path.islink(folder) and os.path.isdir(folder):
        folder = folder.resolve()
    _check_replaceable(folder, force=force)
    bundle = _Bundle(Sections(run, chosen, cluster), worst)
    try:
        unfinished = unfinished_folder(folder)
        try:
            names = []
            for name, page in bundle.pages(tell or (lambda _: None)):
                (unfinished / name).write_text(str(page), encoding="utf-8", errors="backslashreplace")
                names.append(name)
            replace_folder(folder, unfinished, lambda: _check_replaceable(folder, force=force))
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        raise _unwritable(folder, error) from None
    return sorted((folder / name for name in names), key=lambda path: path.name != _INDEX)


def _unwritable(folder: Path, error: OSError | ValueError) -> InputError:
    found = getattr(error, "strerror", None) or str(error)
    return InputError(Problem("folder", str(folder), None, None, found, "a folder that can be written"))


def _check_replaceable(folder: Path, *, force: bool) -> None:
    """Raise InputError if the folder has other files than pages of a bundle, or pages that are not to be replaced."""
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise InputError(Problem("folder", str(folder), None, None, "a file", "a new folder"))
    names = sorted(path.name for path in folder.iterdir())
    other = next((name for name in names if not _OWN_PAGES.fullmatch(name)), None)
    if other is not None:
        found = f"other files, such as {other}"
        raise InputError(Problem("folder", str(folder), None, None, found, "a new folder"))
    if names and not force:
        raise InputError(Problem("folder", str(folder), None, None, "an existing bundle", "--force to replace it"))


class _Bundle:
    """The pages of a run. Names of files have the rank of a parser, since names of parsers may be anything."""

    def __init__(self, sections: Sections, worst: int) -> None:
        self.sections = sections
        self.title = sections.title
        self.metric = METRICS[sections.metric]
        self.rows = {parser: sections.worst_rows(parser, worst) for parser in sections.parsers}

    def pages(self, tell: Note) -> Iterator[tuple[str, Page]]:
        """Yield the pages with their names, the overview last, so that it links to complete pages."""
        for rank, parser in enumerate(self.sections.parsers, 1):
            tell(f"{parser}: errors")
            yield f"errors-{rank}.html", self._errors(rank, parser)
            listed = self.rows[parser]
            chunks = [listed[at : at + _PARSES_ON_PAGE] for at in range(0, len(listed), _PARSES_ON_PAGE)]
            for number, rows in enumerate(chunks, 1):
                tell(f"{parser}: worst parses, page {number} of {len(chunks)}")
                yield f"worst-{rank}-{number}.html", self._parses(rank, parser, number, len(chunks), rows)
        tell("overview")
        yield _INDEX, self._overview()

    def _overview(self) -> Page:
        page, sections = Page(self.title), self.sections
        sections.findings(page)
        page.section("Parsers")
        for rank, parser in enumerate(sections.parsers, 1):
            page.heading(f"{rank}. {parser}")
            if sentence := sections.costliest_of(parser):
                page.text(sentence)
            page.linked(self._pages_of(rank, parser))
        sections.leaderboard(page)
        sections.significance(page)
        sections.ranks(page)
        sections.error_types(page)
        sections.distributions(page)
        sections.problems(page)
        return page

    def _pages_of(self, rank: int, parser: str) -> list[tuple[str, str]]:
        pages = [(f"errors-{rank}.html", "Costliest errors")]
        n = len(self.rows[parser])
        return [*pages, *([(f"worst-{rank}-1.html", f"{n:,} worst parses")] if n else [])]

    def _linked(self, heading: str, rank: int, parser: str) -> Page:
        return Page(heading, [(_INDEX, "Overview"), *self._pages_of(rank, parser)])

    def _errors(self, rank: int, parser: str) -> Page:
        page = self._linked(f"{parser}: costliest errors", rank, parser)
        self.sections.costliest(page, [parser], _MAX_COSTLIEST)
        self.sections.hotspots(page, [parser])
        return page

    def _parses(self, rank: int, parser: str, number: int, n_pages: int, rows: list[tuple[int, float]]) -> Page:
        page = self._linked(f"{parser}: worst parses by {self.metric.title}", rank, parser)
        first, n = (number - 1) * _PARSES_ON_PAGE, len(self.rows[parser])
        page.text(
            f"{first + 1:,} to {first + len(rows):,} of the {n:,} worst parses, of {self.sections.run.n_sentences:,} "
            f"sentences: number, {self.metric.title}, words. A line opens the picture.",
            "note",
        )
        self.sections.parses(page, parser, rows, errors_only=True)
        around = [
            (f"worst-{rank}-{at}.html", text)
            for at, text in ((number - 1, "Previous page"), (number + 1, "Next page"))
            if 1 <= at <= n_pages
        ]
        page.linked(around)
        return page
