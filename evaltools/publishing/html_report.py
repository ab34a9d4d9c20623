"""A run as one HTML file: figures, which differences are significant, errors, and the worst parses themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from evaltools import analysis, charts
from evaltools.analysis.error_table import error_table, error_totals
from evaltools.analysis.error_types import OTHER
from evaltools.analysis.rankings import pair_orders
from evaltools.analysis.run_pairs import groups_of
from evaltools.analysis.run_trees import tree_pair
from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.standing import compared_over, describe, order_of, standing, standings
from evaltools.analysis.verdict import describe_change
from evaltools.charts.intervals import shown
from evaltools.charts.theme import specification
from evaltools.drawing import draw
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.metrics import MAIN_METRIC_OF, METRICS
from evaltools.metrics.mapping import Alignment
from evaltools.publishing.page import Page, table
from evaltools.publishing.report_hotspots import Hotspots
from evaltools.publishing.vega import chart_svg
from evaltools.runs.length_bins import length_bins
from evaltools.runs.pairing_lines import pairing_lines
from evaltools.runs.projectivized import describe_projectivized
from evaltools.runs.store import Run
from evaltools.runs.sums import STEPS, length_counts, score_steps, status_counts, sum_by_length, sum_sentences

__all__ = ["MOST_SENTENCES", "html_report"]

MOST_SENTENCES = 20_000
"""Of longer runs hotspots are of so many sentences, from the first."""
_ERRORS = 10_000
"""Errors are repaired in so many sentences of each parser, from the first."""
_TABLE = (
    *("e_dice_roof", "e_dice_whole", "t_dice", "uas", "las", "label_accuracy"),
    *("edm", "edm_na", "edm_n", "edm_a", "edm_p", "edm_exact"),
    *("tedeval_multiple_unlabelled", "tedeval_multiple_labelled"),
    *("tedeval_single_unlabelled", "tedeval_single_labelled", "la_strict", "la_partial", "e_exact"),
)
_LONG = 25
Tell = Callable[[str], None]


def html_report(run: Run, *, worst: int = 5, metric: str | None = None, tell: Tell | None = None) -> str:
    """Write a run as one HTML file, which needs no network and no script.

    Parameters
    ----------
    run : Run
        The run.
    worst : int
        How many of each parser's worst parses are drawn.
    metric : str, optional
        By which metric parsers are compared and sentences ranked; the run's main one if not given.
    tell : callable, optional
        Is told what is being done.

    Returns
    -------
    str
        The file.

    Raises
    ------
    ParameterError
        If the metric is not one of the run's, or `worst` is negative.
    """
    main = MAIN_METRIC_OF[run.kind]
    chosen = metric or (main if main in run.metrics else run.metrics[0])
    if chosen not in run.metrics:
        raise ParameterError.unknown("metric", chosen, run.metrics)
    if worst < 0:
        raise ParameterError(f"the number of parses must not be negative: {worst}")
    return str(_Report(run, chosen, worst, tell or (lambda _: None)).page())


class _Report:
    def __init__(self, run: Run, metric: str, worst: int, tell: Tell) -> None:
        self.run, self.metric, self.worst, self.tell = run, metric, worst, tell
        n = len(run.parsers)
        who = run.parsers[0] if n == 1 else f"{n} parsers"
        self.sheet = Page(f"{who} against {PurePath(run.meta['gold']['file']).name}")

    def page(self) -> Page:
        """Put the page together."""
        self.tell("figures")
        sums = sum_sentences(self.run.answer, self.run.metrics, self.run.n_sentences, common=True)
        self.board = analysis.leaderboard(sums, self.run.parsers, self.run.metrics)
        figures, variants = analysis.figures_by_variant(self.board)
        self.sums = sums
        self.standing = standing(sums, self.run.parsers, self.metric)
        said = [describe(self.standing)] if len(self.run.parsers) > 1 else []
        self.sheet.text(" ".join([*said, analysis.verdict(figures, variants)]), "answer")
        self._facts()
        self._leaderboard()
        if len(self.run.parsers) > 1:
            self.tell("significance")
            self._significance()
            if variants:
                self._bump(figures, variants)
        self.tell("charts")
        self._charts()
        if self.run.kind == "constituency":
            self.tell("errors")
            self._errors()
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
        if said := describe_projectivized(run.meta):
            self.sheet.text(said, "note")
        for line in pairing_lines(run.meta):
            self.sheet.text(f"{line}.", "note")
        self.sheet.text(run.signature, "note")

    def _leaderboard(self) -> None:
        self.sheet.section("Figures")
        metrics = [one for one in _TABLE if one in self.run.metrics] or list(self.run.metrics[:6])
        coverage = analysis.coverage(status_counts(self.run.answer), self.run.parsers)
        sizes = {row["parser"]: row for row in coverage.to_dict("records")}
        for figure, says in (
            ("pooled", "Counts summed over the scored sentences, then divided; ± is half the 95 % interval."),
            ("mean", "Mean of the sentences’ scores."),
            ("pooled_all", "Pooled over all sentences, of those without a score nothing matched."),
        ):
            found = standings(self.sums, self.run.parsers, metrics, figure)
            cells = {(row["parser"], row["metric"]): row for row in self.board.to_dict("records")}
            rows, best = [], []
            for place, parser in enumerate(self.run.parsers):
                usual = sizes[parser]["sentences" if figure.endswith("_all") else "scored"]
                figures = [_cell(cells[parser, one], figure, one, usual) for one in metrics]
                counts = [f"{int(sizes[parser][one]):,}" for one in ("scored", "missing")]
                rows.append([parser, *figures, *counts])
                best += [(place, at) for at, one in enumerate(metrics, start=1) if found[one].best == parser]
            self.sheet.table(["parser", *(METRICS[one].title for one in metrics), "scored", "missing"], rows, best=best)
            self.sheet.text(f"Percentages. {says}", "note")
            over = compared_over(found)
            if over:
                self.sheet.text(f"Not all parsers have every sentence: {'. '.join(over)}.", "note")
        if len(self.run.parsers) > 1:
            self.sheet.text(
                "A figure is colored if its parser is significantly better than every other one: paired permutation "
                f"test, p < {SIGNIFICANT} after Holm’s correction, and a 95 % interval without 0.",
                "note",
            )

    def _significance(self) -> None:
        one = METRICS[self.metric]
        self.sheet.section(f"Significance: {one.title}")
        found = self.standing.comparisons
        rows = []
        for pair in sorted(found, key=lambda pair: -abs(np.nan_to_num(pair.difference))):
            sign, first, second = (1, pair.one, pair.other) if pair.difference >= 0 else (-1, pair.other, pair.one)
            low, high = sorted((sign * pair.low, sign * pair.high))
            interval = f"{shown(low, share=one.is_share)} to {shown(high, share=one.is_share)}"
            p = "–" if math.isnan(pair.p) else f"{pair.p:.4f}"
            adjusted = "–" if math.isnan(pair.p_adjusted) else f"{pair.p_adjusted:.4f}"
            difference = shown(sign * pair.difference, share=one.is_share)
            differ = "–" if pair.n_different is None else f"{pair.n_different:,}"
            significant = "yes" if pair.significant else "no"
            rows.append([first, second, difference, interval, p, adjusted, significant, differ])
        self.sheet.table(
            ["A", "B", "A − B", "95 % interval", "p", "p (Holm)", "significant", "differ on"], rows, texts=2
        )
        if not found:
            return
        pairs = "pair" if len(found) == 1 else "pairs"
        drawn = f"{groups_of(self.run):,} groups of " if groups_of(self.run) else ""
        self.sheet.text(
            f"Paired permutation test over {drawn}{self.standing.n:,} sentences that all {len(self.standing.own)} "
            f"parsers have a score for, {found[0].iterations:,} iterations; intervals from {found[0].resamples:,} "
            f"paired resamples; p-values corrected for {len(found)} {pairs}. Significant: p (Holm) < {SIGNIFICANT}, "
            "and an interval without 0.",
            "note",
        )

    def _bump(self, figures: pd.DataFrame, variants: tuple[analysis.Variant, ...]) -> None:
        self.sheet.section("Ranks under every variant of the metrics")
        found = analysis.crossings(figures)
        texts = [analysis.describe_crossing(crossing, variants) for crossing in found]
        ranks = analysis.rank_parsers(figures)
        chart = charts.bump_chart(figures, ranks, variants, found, texts, parsers=self.run.parsers)
        self.sheet.picture(chart_svg(specification(chart), inline=True))
        self.sheet.text("Ranks follow figures over the sentences that all parsers have, significant or not.", "note")
        for pair in pair_orders(figures):
            if pair.changes:
                self.sheet.text(f"{pair.one} and {pair.other}: {describe_change(pair, variants)}.", "note")

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
            "Distribution of sentence scores: shares of the scored sentences; the dashed line is their mean.",
        )
        bins = length_bins(length_counts(run.answer))
        sums = sum_by_length(run.answer, metric, run.n_sentences, bins)
        by_length = analysis.score_by_length(sums, bins, run.parsers, metric)
        height = charts.distribution_height(len(run.parsers))
        drawn = charts.length_chart(by_length, metric, parsers=run.parsers, figure="pooled", height=height)
        self.sheet.picture(
            chart_svg(specification(drawn), inline=True), "Score by sentence length, with 95 % intervals."
        )

    def _errors(self) -> None:
        self.sheet.section("Errors by type")
        tables = {}
        for parser in self.run.parsers:
            totals = error_totals(error_table(tree_pair(self.run, parser, _ERRORS)))
            tables[parser] = dict(zip(totals["type"], totals["repaired"].tolist(), strict=True))
        repaired = {kind: sum(one.get(kind, 0) for one in tables.values()) for one in tables.values() for kind in one}
        kinds = sorted(repaired, key=lambda kind: (kind == OTHER.title, -repaired[kind]))
        rows = [[kind, *(f"{tables[parser].get(kind, 0):,}" for parser in self.run.parsers)] for kind in kinds]
        if not rows:
            self.sheet.text("There is none: every tree with the same words equals its gold tree.", "note")
            return
        self.sheet.table(["type", *self.run.parsers], rows)
        limit = f" The first {_ERRORS:,} sentences." if self.run.n_sentences > _ERRORS else ""
        self.sheet.text(
            "Brackets repaired by the steps that turn a parse into its gold tree, by the type of the mistake "
            f"(after Kummerfeld, Hall, Curran and Klein 2012).{limit}",
            "note",
        )

    def _hotspots(self) -> None:
        hotspots = Hotspots(self.run, MOST_SENTENCES)
        found = {parser: hotspots.tables(parser) for parser in self.run.parsers}
        if not any(found.values()):
            return
        self.sheet.section("Hotspots")
        for parser, tables in found.items():
            if not tables:
                continue
            self.sheet.heading(parser)
            self.sheet.beside((one.title, table(one.headings, one.rows, texts=one.texts), one.note) for one in tables)
        if self.run.n_sentences > MOST_SENTENCES and self.run.kind != "semantics":
            self.sheet.text(f"The first {MOST_SENTENCES:,} sentences.", "note")

    def _worst(self) -> None:
        one = METRICS[self.metric]
        self.sheet.section(f"The {self.worst} worst parses of each parser by {one.title}")
        for parser in self.run.parsers:
            self.sheet.heading(parser)
            rows = self.run.sentences(parser)
            rows = rows[rows[self.metric].notna()]
            order = [self.metric, "words"]
            rows = rows.sort_values(order, ascending=[one.higher_is_better, False], kind="stable").head(self.worst)
            if rows.empty:
                self.sheet.text("No sentence has a score.", "note")
            for sentence, score in zip(rows["sentence"].tolist(), rows[self.metric].tolist(), strict=True):
                words = " ".join(self.run.text(sentence))
                summary = f"{sentence} · {shown(score, share=False) if not one.is_share else f'{score:.3f}'} · {words}"
                self.sheet.folded(summary, self._pictures(sentence, parser))

    def _pictures(self, sentence: int, parser: str) -> list[tuple[str, str]]:
        run = self.run
        try:
            if run.kind == "crossframework":
                labelled = next(one["labelled"] for one in run.meta["parsers"] if one["name"] == parser)
                return [(draw(run.protocol(sentence, parser, labelled=labelled), theme="auto"), "")]
            if run.kind == "semantics":
                return [(draw(run.graphs(sentence, parser), theme="auto", test_name=parser), "")]
            alignment = run.alignment(sentence, parser)
        except EvaltoolsError as error:
            return [("", str(error))]
        if not isinstance(alignment, Alignment):
            return [(draw(alignment, theme="auto", test_name=parser), "")]
        long = alignment.sentence_length > _LONG
        return [
            (draw(alignment, mapping=kind, fold=long, theme="auto", test_name=parser, legend=kind == "t"), says)
            for kind, says in (("e", "E-mapping: equal label and span"), ("t", "T-mapping: order and ancestry"))
        ]

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
    """Write a figure with half its interval, and the number of sentences it is over if that is not the usual one."""
    share = METRICS[metric].is_share
    value, half = row[figure], (row[f"{figure}_high"] - row[f"{figure}_low"]) / 2
    if math.isnan(value):
        return "–"
    n = "" if row[f"n_{figure}"] == usual else f" (n {row[f'n_{figure}']:,})"
    return shown(value, share=share) + ("" if math.isnan(half) else f" ± {shown(half, share=share)}") + n
