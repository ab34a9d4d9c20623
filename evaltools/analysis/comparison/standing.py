"""The order of parsers by one figure over the sentences that all of them have, and which differences are significant.

Pages and reports order, color and name parsers by these results. Parsers are compared over the sentences that all of
them have. A parser is best only if it is significantly better than every other one, by the paired permutation test with
Holm's correction over all pairs, and by an interval that excludes 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.comparison.bootstrap import SEED
from evaltools.analysis.comparison.pairs import Pair, figure_of_sums, shuffle_and_resample
from evaltools.analysis.comparison.significance import ITERATIONS, Comparison, compared, corrected
from evaltools.analysis.leaderboard import common_figures
from evaltools.errors import ParameterError
from evaltools.frameworks.figures import FIGURES
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import METRICS
from evaltools.runs.figures import n_of
from evaltools.runs.sums import Sums
from evaltools.text import count_of, interval_text, listing, p_value

__all__ = [
    "Standing",
    "compare_sums",
    "compared_over",
    "describe",
    "order_of",
    "sentences_compared",
    "standing",
    "standings",
]

_DIGITS = 12
"""Figures that agree to so many digits are equal: the last bits of sums depend on the order of addition."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Parsers ordered by one figure."""

    metric: str  # The metric's id
    figure: str
    # The figure over the sentences that all parsers with this figure have, best parser first. Empty if there is no
    # such sentence.
    values: Mapping[str, float]
    n: int  # Number of these sentences
    own: Mapping[str, int]  # Number of sentences of each parser's own figure; only parsers that have one
    # Every two of the parsers over these sentences, the one with the better figure first.
    comparisons: tuple[Comparison, ...]
    n_parsers: int  # Number of parsers, with the figure or without

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
    def is_partial(self) -> bool:
        """Whether some parser's own figure is over more sentences."""
        return any(n > self.n for n in self.own.values())

    @property
    def over(self) -> str:
        """The sentences over which parsers are compared, in words; empty if no parser's figure is over more."""
        if not self.is_partial:
            return ""
        parsers = "both parsers" if len(self.own) == 2 else f"all {len(self.own)} parsers"
        parsers += " with this figure" if len(self.own) < self.n_parsers else ""
        return f"over the {count_of(self.n, 'sentence')} that {parsers} have"

    def pair(self, parser_a: str, parser_b: str) -> Comparison:
        """Return the comparison of two parsers, the first one first."""
        pair = next(item for item in self.comparisons if {item.parser_a, item.parser_b} == {parser_a, parser_b})
        return pair if pair.parser_a == parser_a else pair.turned()


def order_of(values: Mapping[str, float], metric: str) -> list[str]:
    """Return the parsers that have a figure, best first; equal ones in the order given."""
    sign = -1 if METRICS[metric].higher_is_better else 1
    with_figure = [parser for parser, value in values.items() if value == value]
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
    average, over = figure.removesuffix("_all"), "all" if figure.endswith("_all") else "scored"
    chosen = [METRICS[name] for name in metrics]
    comparisons = compare_sums(sums, chosen, parsers, figure=average, over=over, iterations=iterations, seed=seed)
    common = common_figures(sums, parsers, metrics, (figure,))
    parts = {parser: sums.of(parser) for parser in parsers}
    result = {}
    for metric in chosen:
        rows = common[common["metric"] == metric.id]
        values = dict(zip(rows["parser"], rows[f"{figure}_common"].tolist(), strict=True))
        own = {parser: n_of(part, metric, figure) for parser, part in parts.items()}
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
            n=int(rows[f"n_{figure}_common"].max()) if len(rows) else 0,
            own={parser: n for parser, n in own.items() if n},
            comparisons=tuple(pairs),
            n_parsers=len(parts),
        )
    return result


def compare_sums(
    sums: Sums,
    metrics: Sequence[Metric],
    parsers: Sequence[str],
    *,
    figure: str = "pooled",
    over: str = "scored",
    iterations: int = ITERATIONS,
    resamples: int | None = None,
    level: float = 0.95,
    seed: int = SEED,
) -> Mapping[str, list[Comparison]]:
    """Compare several parsers, two at a time, with Holm's correction for the number of pairs."""
    resamples = iterations if resamples is None else resamples
    name = figure if over == "scored" else f"{figure}_all"
    names: dict[str, list[tuple[str, str]]] = {}
    pairs: dict[str, list[Pair]] = {}
    parts = {parser: sums.of(parser) for parser in parsers}
    for metric in metrics:
        common = {parser: part.common(metric, name) for parser, part in parts.items() if n_of(part, metric, name)}
        sides = {parser: _columns(part, metric, figure, over) for parser, part in common.items()}
        formula = figure_of_sums(metric, figure)
        names[metric.id] = list(combinations(sides, 2))
        pairs[metric.id] = [
            Pair(
                formula,
                sides[first],
                sides[second],
                members,
                _n_different(sides[first], sides[second], sums),
                has_units=sums.grouped,
            )
            for first, second in names[metric.id]
            for members in [_members(common[first], metric, figure, over)]
        ]
    shuffle_and_resample([pair for made in pairs.values() for pair in made], iterations, resamples, level, seed)
    return {
        metric.id: [
            replace(item, cluster=sums.cluster)
            for item in corrected(compared(metric, figure, names[metric.id], pairs[metric.id], iterations, resamples))
        ]
        for metric in metrics
    }


def _members(part: Sums, metric: Metric, figure: str, over: str) -> NDArray[np.float64]:
    return part.members(metric, over) if figure == "pooled" else part.defined(metric, over)


def _columns(part: Sums, metric: Metric, figure: str, over: str) -> NDArray[np.float64]:
    if figure == "pooled":
        return np.column_stack([part.count(metric, over, name) for name in metric.columns])
    return np.column_stack([part.score(metric, over), part.defined(metric, over)])


def _n_different(side_a: NDArray[np.float64], side_b: NDArray[np.float64], sums: Sums) -> int | None:
    return None if sums.grouped else int(np.count_nonzero((side_a != side_b).any(axis=1)))


def compared_over(standings: Mapping[str, Standing]) -> list[str]:
    """Describe the sentences over which parsers are compared, where some parser's own figure is over more."""
    together: dict[str, list[str]] = {}
    ranked = [item for item in standings.values() if item.own]
    for item in ranked:
        if item.over:
            together.setdefault(item.over, []).append(METRICS[item.metric].title)
    return [
        f"parsers are compared {over}" if len(titles) == len(ranked) else f"{'; '.join(titles)}: compared {over}"
        for over, titles in together.items()
    ]


def standing(sums: Sums, parsers: Sequence[str], metric: str, figure: str = "pooled") -> Standing:
    """Compare parsers by one figure; see :func:`standings`."""
    return standings(sums, parsers, [metric], figure)[metric]


def sentences_compared(result: Standing, board: pd.DataFrame) -> str:
    """Describe the sentences compared and the first parser's own figure, where they differ; empty where they do not."""
    if not result.values or result.own[result.parsers[0]] == result.n:
        return result.over
    metric, parser = METRICS[result.metric], result.parsers[0]
    rows = board[(board["metric"] == result.metric) & (board["parser"] == parser)]
    value = metric.text_with_sign(float(rows[result.figure].iloc[0]))
    return f"{result.over}; {value} over the {result.own[parser]:,} that {parser} itself has, as in the table"


def describe(result: Standing, titles: Mapping[str, str] | None = None, *, says_over: bool = True) -> str:
    """Describe which parser is best, or that no difference is significant; the figure comes first.

    `says_over`: whether the sentences are named over which parsers are compared, if some parser has more.
    """
    metric = METRICS[result.metric]
    names = {parser: (titles or {}).get(parser, parser) for parser in result.own}
    if not result.own:
        return f"No parser has a figure by {metric.title}."
    if not result.values:
        return f"By {metric.title} no sentence has a score of all {len(result.own)} parsers: they are not ranked."
    first = result.parsers[0]
    figure = f"{metric.text_with_sign(result.values[first])} {metric.title}"
    over = f", {result.over}" if result.over and says_over else ""
    if len(result.values) == 1:
        return f"{figure}: {names[first]}{over}."
    pairs = [result.pair(first, other) for other in result.parsers[1:]]
    if result.best is not None:
        more = "more" if metric.higher_is_better else "less"
        return f"{figure}: {names[first]} is best, {_size(pairs[0])} {more} than {_second(pairs[0], names)}{over}."
    equal = [pair.parser_b for pair in pairs if round(pair.difference, _DIGITS) == 0]
    if equal:
        together = listing([names[first], *(names[other] for other in equal)])
        return f"{figure}: the same for {together}{over}."
    extreme = "highest" if metric.higher_is_better else "lowest"
    if metric.better == "none":
        return f"{figure}: {names[first]} has the {extreme}{over}, {_size(pairs[0])} from {_second(pairs[0], names)}."
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
    interval = "no interval" if low != low else f"95 % interval {interval_text(scale * low, scale * high)}"
    return f"{names[pair.parser_b]} ({interval}, p = {p_value(pair.p_adjusted)})"
