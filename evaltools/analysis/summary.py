"""The first answer about a run: a row a parser, best first, and whether each is surely ahead of the next.

Text, JSON and other files print this one object, so that they have the same rows, figures and names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaltools.analysis.bootstrap import interval, resampled_figures
from evaltools.analysis.significance import Comparison
from evaltools.analysis.standing import Standing, standings
from evaltools.frameworks.figures import AVERAGES, average_of, over_of
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sums import Sums, sum_sentences
from evaltools.text import count_of

if TYPE_CHECKING:
    from evaltools.runs.store import Run


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a parser."""

    value: float  # NaN where undefined
    low: float  # 95 % interval
    high: float
    n: int  # Number of sentences it is over
    is_best: bool  # Whether the parser is significantly better than every other


@dataclass(frozen=True, slots=True)
class Lead:
    """How far a parser is ahead of the next by the main metric; positive numbers are in its favor."""

    next: str  # The next parser
    difference: float
    low: float  # 95 % interval
    high: float
    p: float  # Of the paired permutation test, with Holm's correction over all pairs of parsers
    is_sure: bool

    @property
    def verdict(self) -> str:
        """Whether the difference is sure, in words; ``equal`` if every sample has the same figure for both."""
        if self.difference == self.low == self.high == 0:
            return "equal"
        return "sure" if self.is_sure else "not sure"


@dataclass(frozen=True, slots=True)
class Row:
    """A parser."""

    parser: str
    figures: Mapping[str, Figure]  # By metric
    no_parse: int  # Number of sentences without a parse
    words_differ: int  # Number of sentences that are not scored because their words are not those of gold
    lead: Lead | None  # None for the last parser, and if there is no figure


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of all parsers."""

    metric: str  # The metric that parsers are sorted by
    metrics: tuple[str, ...]  # All metrics, in the order of columns
    figure: str  # ``"pooled"``, ``"mean"``, ``"pooled_all"`` or ``"mean_all"``
    n: int  # Number of sentences that count
    rows: tuple[Row, ...]  # The best parser first
    standings: Mapping[str, Standing]  # The order of parsers and the comparison of every two, by metric

    @property
    def standing(self) -> Standing:
        """The order of parsers by the main metric, and the comparison of every two."""
        return self.standings[self.metric]

    @property
    def base(self) -> str:
        """How figures are averaged, and over which sentences, in words."""
        return f"{AVERAGES[average_of(self.figure)]} over {base_in_words(self.figure, self.n)}"


def base_in_words(figure: str, n: int) -> str:
    """Return which of the sentences that count a figure is over."""
    if over_of(figure) != "all":
        return f"parsed sentences only (of {n:,})"
    return "1 sentence" if n == 1 else f"all {count_of(n, 'sentence')}"


def metrics_in_disagreement(summary: Summary) -> str:
    """Name two parsers of which one is surely better by the main metric, and the other by another; empty for none."""
    for name in (name for name in summary.metrics if name != summary.metric):
        others = {frozenset((pair.parser_a, pair.parser_b)): pair for pair in summary.standings[name].comparisons}
        for first in summary.standing.comparisons:
            second = others.get(frozenset((first.parser_a, first.parser_b)))
            if second is None or None in (first.ahead, second.ahead) or first.ahead == second.ahead:
                continue
            (better, by_first), (other, by_second) = map(_in_favor, (first, second))
            titles = f"{METRICS[first.metric].short} and {METRICS[name].short}"
            return f"{titles} disagree: {better} is better {by_first}, {other} {by_second}, both sure."
    return ""


def _in_favor(pair: Comparison) -> tuple[str, str]:
    """Return the better parser of two, and the metric by which it is, with the figures of both."""
    pair = pair if pair.ahead == pair.parser_a else pair.turned()
    metric = METRICS[pair.metric]
    return pair.parser_a, f"by {metric.short} ({metric.text(pair.value)} against {metric.text(pair.value_b)})"


def summarize_run(run: Run, metrics: Sequence[str] | None = None, *, main: str = "", cluster: str = "") -> Summary:
    """Compute the usual figures with intervals, the order of parsers, and which differences are sure.

    Parameters
    ----------
    run : Run
        The run.
    metrics : sequence of str, optional
        Ids of metrics; by default the main figures of the framework.
    main : str, optional
        Id of the metric that parsers are sorted by; by default the main one of the run.
    cluster : str
        Column of the metadata, such as ``document``, whose values are drawn and permuted as a whole; by default
        sentences are.
    """
    names = list(run.table_metrics if metrics is None else metrics)
    main = main or (run.main_metric if run.main_metric in names else names[0])
    names = list(dict.fromkeys((*names, main)))
    sums = sum_sentences(run, names, cluster=cluster)
    return summarize(run, sums, standings(sums, run.parsers, names, run.default_figure), main)


def summarize(run: Run, sums: Sums, ranked: Mapping[str, Standing], main: str) -> Summary:
    """Summarize sums of a run, or of the same run under other weights, whose parsers are ranked by some metrics."""
    names, figure = list(ranked), ranked[main].figure
    figures = _figures(sums, run.parsers, names, figure, ranked)
    entries = {entry["name"]: entry for entry in run.meta["parsers"]}
    order = ranked[main].parsers
    order += [parser for parser in run.parsers if parser not in order]
    rows = [
        Row(
            parser,
            {name: figures[parser, name] for name in names},
            int(entries[parser]["missing"]),
            int(entries[parser]["words_differ"] - entries[parser]["words_aligned"]),
            _lead(ranked[main], parser, following),
        )
        for parser, following in zip(order, [*order[1:], None], strict=True)
    ]
    return Summary(main, tuple(names), figure, run.n_counted, tuple(rows), ranked)


def _figures(
    sums: Sums, parsers: Sequence[str], names: Sequence[str], figure: str, ranked: Mapping[str, Standing]
) -> dict[tuple[str, str], Figure]:
    metrics = [METRICS[name] for name in names]
    drawn = resampled_figures(sums, parsers, metrics, (figure,))
    result = {}
    for parser in parsers:
        part = sums.of(parser)
        for metric in metrics:
            low, high = interval(drawn[parser, metric.id, figure][:, None])
            result[parser, metric.id] = Figure(
                part.figure(metric, figure),
                float(low[0]),
                float(high[0]),
                part.n(metric, figure),
                ranked[metric.id].best == parser,
            )
    return result


def _lead(standing: Standing, parser: str, following: str | None) -> Lead | None:
    if following is None or parser not in standing.values or following not in standing.values:
        return None
    pair = standing.pair(parser, following)
    sign = 1 if METRICS[pair.metric].higher_is_better else -1
    low, high = (math.nan, math.nan) if math.isnan(pair.low) else sorted((sign * pair.low, sign * pair.high))
    return Lead(following, sign * pair.difference, low, high, pair.p_adjusted, pair.ahead == parser)
