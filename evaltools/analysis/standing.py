"""The order of parsers by one figure, and which differences are significant.

Pages and reports order, color and name parsers by these results. Two parsers are compared over the sentences that count
in the figure of both: over all sentences these are the same for all parsers. A parser is best only if it is
significantly better than every other one, by the paired permutation test with Holm's correction over all pairs, and by
an interval that excludes 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaltools.analysis.bootstrap import SEED
from evaltools.analysis.significance import ITERATIONS, Comparison, Pair, corrected, shuffle_and_resample
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import FIGURES, average_of
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.runs.sums import Sums
from evaltools.text import interval_text, listing, p_value

_DIGITS = 12
"""Figures that agree to so many digits are equal: the last bits of sums depend on the order of addition."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Parsers ordered by one figure."""

    metric: str  # The metric's id
    figure: str
    values: Mapping[str, float]  # The figure of each parser that has it, best parser first
    n: Mapping[str, int]  # Number of sentences that the figure of each of these parsers is over
    # Every two of the parsers over the sentences that count in the figure of both, the one with the better figure
    # first.
    comparisons: tuple[Comparison, ...]

    @property
    def parsers(self) -> list[str]:
        """The parsers in their order."""
        return list(self.values)

    @property
    def best(self) -> str | None:
        """The parser that is significantly better than every other; None if there is none, or one parser only."""
        first = next(iter(self.values), None)
        others = [item for item in self.comparisons if first in (item.parser_a, item.parser_b)]
        return first if others and all(item.ahead == first for item in others) else None

    @property
    def over(self) -> str:
        """The sentences over which parsers are compared, in words; empty where all figures are over the same."""
        pairs = [pair for pair in self.comparisons if {pair.parser_a, pair.parser_b} <= set(self.n)]
        sizes = [(pair.n_sentences, self.n[pair.parser_a], self.n[pair.parser_b]) for pair in pairs]
        if all(len(set(numbers)) == 1 for numbers in sizes):
            return ""
        return "over the sentences that both parsers have"

    def pair(self, parser_a: str, parser_b: str) -> Comparison:
        """Return the comparison of two parsers, the first one first."""
        pair = next(item for item in self.comparisons if {item.parser_a, item.parser_b} == {parser_a, parser_b})
        return pair if pair.parser_a == parser_a else pair.turned()


def order_of(values: Mapping[str, float], metric: str) -> list[str]:
    """Return the parsers that have a figure, best first; equal ones in the order given."""
    sign = -1 if METRICS[metric].higher_is_better else 1
    with_figure = [parser for parser, value in values.items() if not math.isnan(value)]
    return sorted(with_figure, key=lambda parser: sign * round(values[parser], _DIGITS))


def standings(
    sums: Sums,
    parsers: Sequence[str],
    metrics: Sequence[str],
    figure: str = "pooled",
    *,
    iterations: int = ITERATIONS,
    seed: int = SEED,
) -> dict[str, Standing]:
    """Compare parsers by one figure of several metrics."""
    if figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    chosen = [METRICS[name] for name in metrics]
    comparisons = compare_sums(sums, chosen, parsers, figure, iterations=iterations, seed=seed)
    parts = {parser: sums.of(parser) for parser in parsers}
    result = {}
    for metric in chosen:
        values = {parser: part.figure(metric, figure) for parser, part in parts.items()}
        order = order_of(values, metric.id)
        index = {parser: number for number, parser in enumerate(order)}
        pairs = [
            pair if index.get(pair.parser_a, 0) < index.get(pair.parser_b, 1) else pair.turned()
            for pair in comparisons[metric.id]
        ]
        pairs.sort(key=lambda pair: (index.get(pair.parser_a, len(index)), index.get(pair.parser_b, len(index))))
        result[metric.id] = Standing(
            metric=metric.id,
            figure=figure,
            values={parser: values[parser] for parser in order},
            n={parser: parts[parser].n(metric, figure) for parser in order},
            comparisons=tuple(pairs),
        )
    return result


def compare_sums(
    sums: Sums,
    metrics: Sequence[Metric],
    parsers: Sequence[str],
    figure: str = "pooled",
    *,
    iterations: int = ITERATIONS,
    seed: int = SEED,
) -> Mapping[str, list[Comparison]]:
    """Compare several parsers, two at a time, with Holm's correction for the number of pairs."""
    pairs = []
    for metric in metrics:
        with_figure = [parser for parser in parsers if sums.of(parser).n(metric, figure)]
        pairs += [_pair(sums, metric, *names, figure) for names in combinations(with_figure, 2)]
    comparisons = shuffle_and_resample(pairs, iterations, seed)
    return {metric.id: corrected([item for item in comparisons if item.metric == metric.id]) for metric in metrics}


def compare_pair(
    sums: Sums,
    metric: Metric,
    parser_a: str,
    parser_b: str,
    figure: str = "pooled",
    *,
    iterations: int = ITERATIONS,
    seed: int = SEED,
) -> Comparison:
    """Compare two parsers alone, by one test: `p_adjusted` is `p`."""
    return shuffle_and_resample([_pair(sums, metric, parser_a, parser_b, figure)], iterations, seed)[0]


def _pair(sums: Sums, metric: Metric, parser_a: str, parser_b: str, figure: str) -> Pair:
    """Return two parsers over the sentences that count in the figure of both."""
    sides = sums.shared(parser_a, parser_b, metric, figure)
    counts_a, counts_b = (np.column_stack(side.columns(metric, figure)) for side in sides)
    return Pair(
        parser_a,
        parser_b,
        metric,
        average_of(figure),
        counts_a,
        counts_b,
        sides[0].members(metric, figure),
        None if sums.grouped else int(np.count_nonzero((counts_a != counts_b).any(axis=1))),
        has_units=sums.grouped,
        cluster=sums.cluster,
    )


def compared_over(standings: Mapping[str, Standing]) -> list[str]:
    """Describe the sentences over which parsers are compared, where some parser's own figure is over more."""
    partial = [METRICS[item.metric].title for item in standings.values() if item.over]
    if not partial:
        return []
    ranked = [item for item in standings.values() if item.values]
    named = "" if len(partial) == len(ranked) else f"{'; '.join(partial)}: "
    return [f"{named}two parsers are compared over the sentences that both have"]


def describe(result: Standing, titles: Mapping[str, str] | None = None) -> str:
    """Describe which parser is best, or that no difference is significant; the figure comes first."""
    metric = METRICS[result.metric]
    names = {parser: (titles or {}).get(parser, parser) for parser in result.values}
    if not result.values:
        return f"No parser has a figure by {metric.title}."
    first = result.parsers[0]
    figure = f"{metric.text(result.values[first], sign=True)} {metric.title}"
    if len(result.values) == 1:
        return f"{figure}: {names[first]}."
    over = f", {result.over}" if result.over else ""
    pairs = [result.pair(first, other) for other in result.parsers[1:]]
    if result.best is not None:
        more = "more" if metric.higher_is_better else "less"
        return f"{figure}: {names[first]} is best, {_size(pairs[0])} {more} than {_second(pairs[0], names)}{over}."
    equal = [pair.parser_b for pair in pairs if round(pair.difference, _DIGITS) == 0]
    if equal:
        together = listing([names[first], *(names[other] for other in equal)])
        return f"{figure}: the same for {together}{over}."
    extreme = "highest" if metric.higher_is_better else "lowest"
    unsure = [pair for pair in pairs if pair.ahead is None]
    text = f"{figure}: {names[first]} has the {extreme}{over}; its difference of {_size(unsure[0])}"
    text += f" from {_second(unsure[0], names)} is not significant"
    if len(unsure) == 1:
        return f"{text}."
    others = listing([f"{names[pair.parser_b]} (p = {p_value(pair.p_adjusted)})" for pair in unsure[1:]])
    return f"{text}, nor is that from {others}."


def _size(pair: Comparison) -> str:
    size = abs(pair.difference)
    metric = METRICS[pair.metric]
    return metric.text(size) + (" points" if metric.is_share else "")


def _second(pair: Comparison, names: Mapping[str, str]) -> str:
    """Name the second parser of a pair, with the interval and the p-value of the difference."""
    scale = 100 if METRICS[pair.metric].is_share else 1
    low, high = (pair.low, pair.high) if pair.difference >= 0 else (-pair.high, -pair.low)
    interval = "no interval" if math.isnan(low) else f"95 % interval {interval_text(scale * low, scale * high)}"
    return f"{names[pair.parser_b]} ({interval}, p = {p_value(pair.p_adjusted)})"
