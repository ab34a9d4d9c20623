"""A run as one HTML file: figures, significance, errors, and the worst parses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from evaltools import analysis, charts
from evaltools.analysis.comparison.run_pairs import groups_of
from evaltools.analysis.comparison.significance import SIGNIFICANT
from evaltools.analysis.comparison.standing import compared_over, describe, order_of, standing, standings
from evaltools.analysis.rankings import pair_orders
from evaltools.analysis.verdict import describe_change
from evaltools.charts.intervals import figure_text
from evaltools.charts.theme import specification
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.frameworks.error_types import ErrorTypes
from evaltools.frameworks.groups import Column, Excerpt, Part
from evaltools.frameworks.pairing.pairing_lines import pairing_lines
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.wording import listing, with_minus
from evaltools.publishing.page import Page, table
from evaltools.publishing.vega import chart_svg
from evaltools.reports.run_figures import describe_newer
from evaltools.runs.length_bins import length_bins
from evaltools.runs.store import Run
from evaltools.runs.sums import STEPS, length_counts, score_steps, status_counts, sum_by_length, sum_sentences

__all__ = ["MOST_SENTENCES", "html_report"]

MOST_SENTENCES = 20_000
"""Maximum number of sentences, from the first, in hotspots."""
_MAX_TYPED = 10_000
"""Maximum number of sentences per parser, from the first, in error types."""
_MIN_COUNT = 20
"""Minimum number of members of a group in hotspots."""
_NO_BREAK = "\u00a0"
Note = Callable[[str], None]


def html_report(run: Run, *, worst: int = 5, metric: str | None = None, tell: Note | None = None) -> str:
    """Write a run as one HTML file, which needs no network and no script.

    Parameters
    ----------
    run : Run
        The run.
    worst : int
        Number of worst parses drawn per parser.
    metric : str, optional
        Metric for comparison and ranking; by default the run's main metric.
    tell : callable, optional
        Called with the name of each step.

    Returns
    -------
    str
        The HTML text.

    Raises
    ------
    ParameterError
        If the metric is not one of the run's, or `worst` is negative.
    """
    main = run.framework.main_metric
    chosen = metric or (main if main in run.metrics else run.metrics[0])
    if chosen not in run.metrics:
        raise ParameterError.unknown("metric", chosen, run.metrics)
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    return str(_Report(run, chosen, worst, tell or (lambda _: None)).page())


class _Report:
    def __init__(self, run: Run, metric: str, worst: int, tell: Note) -> None:
        self.run, self.metric, self.worst, self.tell = run, metric, worst, tell
        n = len(run.parsers)
        parsers = run.parsers[0] if n == 1 else f"{n} parsers"
        self.sheet = Page(f"{parsers} against {PurePath(run.meta['gold']['file']).name}")

    def page(self) -> Page:
        """Build the page."""
        self.tell("figures")
        sums = sum_sentences(self.run.answer, self.run.metrics, self.run.n_sentences, common=True)
        self.board = analysis.leaderboard(sums, self.run.parsers, self.run.metrics)
        figures, variants = analysis.figures_by_variant(self.board)
        self.sums = sums
        self.standing = standing(sums, self.run.parsers, self.metric)
        value = [describe(self.standing)] if len(self.run.parsers) > 1 else []
        self.sheet.text(" ".join([*value, analysis.verdict(figures, variants)]), "answer")
        self._facts()
        self._leaderboard()
        if len(self.run.parsers) > 1:
            self.tell("significance")
            self._significance()
            if variants:
                self._bump(figures, variants)
        self.tell("charts")
        self._charts()
        if (types := self.run.framework.error_types) is not None:
            self.tell("errors")
            self._errors(types)
        self.tell("hotspots")
        self._hotspots()
        if self.worst:
            self.tell("worst parses")
            self._worst()
        self._problems()
        return self.sheet

    def _facts(self) -> None:
        run = self.run
        self.sheet.text(f"{run.n_sentences:,} sentences, preset {run.preset}.", "note")
        for remark in run.framework.notes(run.meta):
            self.sheet.text(remark, "note")
        for line in pairing_lines(run.meta):
            self.sheet.text(f"{line}.", "note")
        self.sheet.text(run.signature, "note")

    def _leaderboard(self) -> None:
        self.sheet.section("Figures")
        metrics = [item for item in self.run.metrics if METRICS[item].headline] or list(self.run.metrics[:6])
        newer = [item for item in self.run.newer_metrics if METRICS[item].headline]
        coverage = analysis.coverage(status_counts(self.run.answer), self.run.parsers)
        sizes = {row["parser"]: row for row in coverage.to_dict("records")}
        for figure, description in (
            ("pooled", "Micro: counts summed over the parsed sentences, then divided; ± is half the 95 % interval."),
            ("mean", "Macro: mean of the scores of the parsed sentences."),
            ("pooled_all", "Micro over all sentences; no parse counts as 0."),
        ):
            by_metric = standings(self.sums, self.run.parsers, metrics, figure)
            cells = {(row["parser"], row["metric"]): row for row in self.board.to_dict("records")}
            rows, best = [], []
            for index, parser in enumerate(self.run.parsers):
                usual = sizes[parser]["sentences" if figure.endswith("_all") else "scored"]
                figures = [_cell(cells[parser, item], figure, item, usual) for item in metrics]
                counts = [f"{int(sizes[parser][item]):,}" for item in ("scored", "missing")]
                rows.append([parser, *figures, *["–"] * len(newer), *counts])
                best += [(index, at) for at, item in enumerate(metrics, start=1) if by_metric[item].best == parser]
            titles = [METRICS[item].title for item in (*metrics, *newer)]
            self.sheet.table(["parser", *titles, "parsed", "no parse"], rows, best=best)
            counted = [METRICS[item].title for item in metrics if not METRICS[item].is_share]
            units = f"Percentages; {listing(counted)}: per sentence." if counted else "Percentages."
            self.sheet.text(f"{units} {description}", "note")
            over = compared_over(by_metric)
            if over:
                self.sheet.text(f"Numbers of sentences differ between parsers: {'. '.join(over)}.", "note")
        if newer:
            self.sheet.text(f"{describe_newer(newer)}.", "note")
        if len(self.run.parsers) > 1:
            self.sheet.text(
                "A figure is colored if its parser is significantly better than every other one: paired permutation "
                f"test, p < {SIGNIFICANT} after Holm’s correction, and a 95 % interval without 0.",
                "note",
            )

    def _significance(self) -> None:
        item = METRICS[self.metric]
        self.sheet.section(f"Significance: {item.title}")
        comparisons = self.standing.comparisons
        rows = []
        for pair in sorted(comparisons, key=lambda pair: -abs(np.nan_to_num(pair.difference))):
            sign, first, second = (
                (1, pair.parser_a, pair.parser_b) if pair.difference >= 0 else (-1, pair.parser_b, pair.parser_a)
            )
            low, high = sorted((sign * pair.low, sign * pair.high))
            interval = f"{figure_text(low, share=item.is_share)} to {figure_text(high, share=item.is_share)}"
            p = "–" if math.isnan(pair.p) else f"{pair.p:.4f}"
            adjusted = "–" if math.isnan(pair.p_adjusted) else f"{pair.p_adjusted:.4f}"
            difference = figure_text(sign * pair.difference, share=item.is_share)
            differ = "–" if pair.n_different is None else f"{pair.n_different:,}"
            significant = "yes" if pair.significant else "no"
            rows.append([first, second, difference, interval, p, adjusted, significant, differ])
        self.sheet.table(
            ["A", "B", "A − B", "95 % interval", "p", "p (Holm)", "significant", "differ on"], rows, texts=2
        )
        if not comparisons:
            return
        pairs = "pair" if len(comparisons) == 1 else "pairs"
        drawn = f"{groups_of(self.run):,} groups of " if groups_of(self.run) else ""
        self.sheet.text(
            f"Paired permutation test over {drawn}{self.standing.n:,} sentences scored for all "
            f"{len(self.standing.own)} parsers, {comparisons[0].iterations:,} iterations; intervals from "
            f"{comparisons[0].resamples:,} paired resamples; p-values corrected for {len(comparisons)} {pairs}. "
            f"Significant: p (Holm) < {SIGNIFICANT}, and an interval without 0.",
            "note",
        )

    def _bump(self, figures: pd.DataFrame, variants: tuple[analysis.Variant, ...]) -> None:
        self.sheet.section("Ranks under every variant of the metrics")
        crossings = analysis.crossings(figures)
        texts = [analysis.describe_crossing(crossing, variants) for crossing in crossings]
        ranks = analysis.rank_parsers(figures)
        chart = charts.bump_chart(figures, ranks, variants, crossings, texts, parsers=self.run.parsers)
        self.sheet.picture(chart_svg(specification(chart), inline=True))
        self.sheet.text("Ranks follow the figures over sentences scored for all parsers, significant or not.", "note")
        for pair in pair_orders(figures):
            if pair.changes:
                self.sheet.text(f"{pair.parser_a} and {pair.parser_b}: {describe_change(pair, variants)}.", "note")

    def _charts(self) -> None:
        run, metric = self.run, self.metric
        self.sheet.section(f"Sentences under {METRICS[metric].title}")
        steps = score_steps(run.answer, metric, STEPS)
        rows = self.board[self.board["metric"] == metric]
        drawn = charts.distribution_chart(
            analysis.score_histogram(steps, run.parsers, metric),
            metric,
            parsers=run.parsers,
            means=dict(zip(rows["parser"], rows["mean"], strict=True)),
            perfect=analysis.perfect_share(steps, run.parsers),
            order=order_of(dict(zip(rows["parser"], rows["mean_common"], strict=True)), metric),
        )
        self.sheet.picture(
            chart_svg(specification(drawn), inline=True),
            "Distribution of sentence scores: share of the parsed sentences; the dashed line is the mean.",
        )
        bins = length_bins(length_counts(run.answer))
        sums = sum_by_length(run.answer, metric, run.n_sentences, bins)
        by_length = analysis.score_by_length(sums, bins, run.parsers, metric)
        height = charts.distribution_height(len(run.parsers))
        drawn = charts.length_chart(by_length, metric, parsers=run.parsers, figure="pooled", height=height)
        self.sheet.picture(
            chart_svg(specification(drawn), inline=True), "Score by sentence length, with 95 % intervals."
        )

    def _errors(self, types: ErrorTypes) -> None:
        self.sheet.section("Errors by type")
        tables = {}
        for parser in self.run.parsers:
            part = Part(self.run, min(_MAX_TYPED, self.run.n_sentences))
            totals = types.totals(types.steps(part, parser, types.rules.default))
            tables[parser] = dict(zip(totals["type"], totals["repaired"].tolist(), strict=True))
        repaired = {
            kind: sum(item.get(kind, 0) for item in tables.values()) for item in tables.values() for kind in item
        }
        kinds = sorted(repaired, key=lambda kind: (kind == types.residual, -repaired[kind]))
        rows = [[kind, *(f"{tables[parser].get(kind, 0):,}" for parser in self.run.parsers)] for kind in kinds]
        if not rows:
            self.sheet.text("No errors: every tree with the same words equals its gold tree.", "note")
            return
        self.sheet.table(["type", *self.run.parsers], rows)
        limit = f" The first {_MAX_TYPED:,} sentences." if self.run.n_sentences > _MAX_TYPED else ""
        self.sheet.text(
            "Brackets repaired by the steps that turn a parse into its gold tree, by error type "
            f"(after {types.reference}).{limit}",
            "note",
        )

    def _hotspots(self) -> None:
        part = Part(self.run, min(MOST_SENTENCES, self.run.n_sentences))
        tables = {parser: hotspot_rows(self.run.framework.excerpts, part, parser) for parser in self.run.parsers}
        if not any(tables.values()):
            return
        self.sheet.section("Hotspots")
        for parser, excerpts in tables.items():
            if excerpts:
                self.sheet.heading(parser)
                self.sheet.beside(
                    (excerpt.title, _hotspot_table(excerpt, rows), excerpt.note.format(least=_MIN_COUNT))
                    for excerpt, rows in excerpts
                )
        all_sentences = all(group.all_sentences for group in self.run.framework.groups.values())
        if self.run.n_sentences > MOST_SENTENCES and not all_sentences:
            self.sheet.text(f"The first {MOST_SENTENCES:,} sentences.", "note")

    def _worst(self) -> None:
        item = METRICS[self.metric]
        self.sheet.section(f"The {self.worst} worst parses of each parser by {item.title}")
        for parser in self.run.parsers:
            self.sheet.heading(parser)
            rows = self.run.sentences(parser)
            rows = rows[rows[self.metric].notna()]
            order = [self.metric, "words"]
            rows = rows.sort_values(order, ascending=[item.higher_is_better, False], kind="stable").head(self.worst)
            if rows.empty:
                self.sheet.text("No sentence is scored.", "note")
            for sentence, score in zip(rows["sentence"].tolist(), rows[self.metric].tolist(), strict=True):
                words = " ".join(self.run.text(sentence))
                summary = (
                    f"{sentence} · {figure_text(score, share=False) if not item.is_share else f'{score:.3f}'} · {words}"
                )
                self.sheet.folded(summary, self._pictures(sentence, parser))

    def _pictures(self, sentence: int, parser: str) -> list[tuple[str, str]]:
        try:
            drawings = self.run.framework.report_drawings(self.run, sentence, parser)
        except EvaltoolsError as error:
            return [("", str(error))]
        captions = [drawing.heading if len(drawings) > 1 else "" for drawing in drawings]
        return [(drawing.draw(theme="auto"), caption) for drawing, caption in zip(drawings, captions, strict=True)]

    def _problems(self) -> None:
        total = self.run.meta["problems"]
        if not total:
            return
        self.sheet.section(f"Problems in the files: {total:,}")
        rows = self.run.query("select file, line, sentence, found, expected from problems limit 50")
        cells = [["" if pd.isna(value) else str(value) for value in row] for row in rows.itertuples(index=False)]
        self.sheet.table(["file", "line", "sentence", "found", "expected"], cells, texts=5)
        if total > len(rows):
            self.sheet.text(f"… and {total - len(rows):,} more: evaltools report RUN --problems", "note")


def _cell(row: dict[Any, Any], figure: str, metric: str, usual: int) -> str:
    """Format a figure with half its interval, and its number of sentences if that differs from the row's."""
    share = METRICS[metric].is_share
    value, half = row[figure], (row[f"{figure}_high"] - row[f"{figure}_low"]) / 2
    if math.isnan(value):
        return "–"
    n = "" if row[f"n_{figure}"] == usual else f" (n{_NO_BREAK}{row[f'n_{figure}']:,})"
    around = "" if math.isnan(half) else f"{_NO_BREAK}±{_NO_BREAK}{figure_text(half, share=share)}"
    return figure_text(value, share=share) + around + n


def hotspot_rows(
    excerpts: Sequence[Excerpt], part: Part, parser: str, min_count: int = _MIN_COUNT
) -> list[tuple[Excerpt, list[list[str]]]]:
    """Return the excerpts of a parser's hotspots that have rows, with the cells of these."""
    tables = [(excerpt, excerpt.rows(part, parser, min_count).to_dict("records")) for excerpt in excerpts]
    return [
        (excerpt, [[_hotspot_cell(row[column.name], column) for column in excerpt.columns] for row in rows])
        for excerpt, rows in tables
        if rows
    ]


def _hotspot_table(excerpt: Excerpt, rows: list[list[str]]) -> str:
    texts = sum(column.format == "text" for column in excerpt.columns)
    return table([column.title for column in excerpt.columns], rows, texts=texts)


_FORMATS = {
    "count": "{:,.0f}",
    "score": "{:.3f}",
    "difference": "{:+.3f}",
    "points": "{:.2f}",
    "points difference": "{:+.2f}",
    "percent": "{:.1f} %",
}


def _hotspot_cell(value: Any, column: Column) -> str:
    if column.format == "text":
        return str(value)
    number = float(value)
    if math.isnan(number):
        return "–"
    hundredths = column.format.startswith(("points", "percent"))
    return with_minus(_FORMATS[column.format].format(100 * number if hundredths else number))
