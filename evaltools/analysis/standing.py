"""Where parsers stand by one figure: their order over the sentences that all of them have, and how much of it is sure.

Everything that orders, colors or names parsers asks here. Parsers are compared over the sentences that all of them
have; a parser is best only if it is significantly better than every other one, by the paired permutation test with
Holm's correction over all pairs, and by an interval that excludes 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaltools.analysis.bootstrap import FIGURES, SEED
from evaltools.analysis.grouped_pairs import compare_sums
from evaltools.analysis.leaderboard import common_figures, n_of
from evaltools.analysis.significance import ITERATIONS, Comparison
from evaltools.errors import ParameterError
from evaltools.metrics import METRICS
from evaltools.runs.sums import Sums

__all__ = ["Standing", "compared_over", "describe", "order_of", "p_text", "standing", "standings"]

_MAX_NAMES = 3
_DIGITS = 12
"""Figures that agree so far are equal: sums of similarities differ in their last bits with the order of addition."""


def p_text(p: float) -> str:
    """Write a p-value: two significant digits, a dash where there is none.

    Examples
    --------
    >>> p_text(0.00009999), p_text(0.20898), p_text(1.0), p_text(float("nan"))
    ('0.0001', '0.21', '1', '–')
    """
    return "–" if p != p else f"{p:.2g}"


@dataclass(frozen=True, slots=True)
class Standing:
    """Parsers by one figure.

    Parameters
    ----------
    metric : str
        The metric's id.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        The figure.
    values : mapping of str to float
        The parsers that have the figure, best first, and what it is over the sentences that all of them have. Empty if
        there is no such sentence.
    n : int
        How many sentences these are.
    own : mapping of str to int
        How many sentences each parser's own figure is over; only of parsers that have one.
    comparisons : tuple of Comparison
        Every two of the parsers over these sentences, the one with the better figure first.
    n_parsers : int
        How many parsers there are, with the figure or without.
    """

    metric: str
    figure: str
    values: Mapping[str, float]
    n: int
    own: Mapping[str, int]
    comparisons: tuple[Comparison, ...]
    n_parsers: int

    @property
    def parsers(self) -> list[str]:
        """The parsers in their order."""
        return list(self.values)

    @property
    def best(self) -> str | None:
        """The parser that is significantly better than every other; None if there is none, or one parser only."""
        first = next(iter(self.values), None)
        others = [one for one in self.comparisons if first in (one.one, one.other)]
        return first if others and all(one.ahead == first for one in others) else None

    @property
    def is_partial(self) -> bool:
        """Whether some parser's own figure is over more sentences."""
        return any(n > self.n for n in self.own.values())

    @property
    def over(self) -> str:
        """Over which sentences parsers are compared, in words; empty if no parser's figure is over more."""
        if not self.is_partial:
            return ""
        parsers = "both parsers" if len(self.own) == 2 else f"all {len(self.own)} parsers"
        parsers += " with this figure" if len(self.own) < self.n_parsers else ""
        return f"over the {self.n:,} sentence{'' if self.n == 1 else 's'} that {parsers} have"

    def pair(self, parser_a: str, parser_b: str) -> Comparison:
        """Return the comparison of two parsers, the first one first."""
        found = next(one for one in self.comparisons if {one.one, one.other} == {parser_a, parser_b})
        return found if found.one == parser_a else found.turned()


def order_of(values: Mapping[str, float], metric: str) -> list[str]:
    """Return the parsers that have a figure, best first; equal ones in the order given.

    Parameters
    ----------
    values : mapping of str to float
        Figures by parser; NaN where there is none.
    metric : str
        The metric's id.
    """
    sign = -1 if METRICS[metric].higher_is_better else 1
    known = [parser for parser, value in values.items() if value == value]
    return sorted(known, key=lambda parser: sign * round(values[parser], _DIGITS))


def standings(
    sums: Sums,
    parsers: Sequence[str],
    metrics: Sequence[str],
    figure: str = "pooled",
    *,
    iterations: int = ITERATIONS,
    seed: int = SEED,
) -> dict[str, Standing]:
    """Compare parsers by one figure of several metrics.

    Parameters
    ----------
    sums : Sums
        From :func:`evaltools.runs.sums.sum_sentences`, with `common`.
    parsers : sequence of str
        Their names.
    metrics : sequence of str
        Metric ids.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        The figure.
    iterations, seed : int
        As for :func:`evaltools.analysis.significance.compare_two`.

    Returns
    -------
    dict of str to Standing
        By metric.
    """
    if figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    average, over = figure.removesuffix("_all"), "all" if figure.endswith("_all") else "scored"
    chosen = [METRICS[name] for name in metrics]
    compared = compare_sums(sums, chosen, parsers, figure=average, over=over, iterations=iterations, seed=seed)
    common = common_figures(sums, parsers, metrics, (figure,))
    parts = {parser: sums.of(parser) for parser in parsers}
    result = {}
    for metric in chosen:
        rows = common[common["metric"] == metric.id]
        values = dict(zip(rows["parser"], rows[f"{figure}_common"].tolist(), strict=True))
        own = {parser: n_of(part, metric, figure) for parser, part in parts.items()}
        order = order_of(values, metric.id)
        place = {parser: number for number, parser in enumerate(order)}
        pairs = [
            one if place.get(one.one, 0) < place.get(one.other, 1) else one.turned() for one in compared[metric.id]
        ]
        pairs.sort(key=lambda one: (place.get(one.one, len(place)), place.get(one.other, len(place))))
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


def compared_over(found: Mapping[str, Standing]) -> list[str]:
    """Say over which sentences parsers are compared, where some parser's own figure is over more.

    Parameters
    ----------
    found : mapping of str to Standing
        By metric, in the order to name them.

    Returns
    -------
    list of str
        Clauses without a full stop, one for each set of sentences.
    """
    together: dict[str, list[str]] = {}
    ranked = [one for one in found.values() if one.own]
    for one in ranked:
        if one.over:
            together.setdefault(one.over, []).append(METRICS[one.metric].title)
    return [
        f"parsers are compared {over}" if len(titles) == len(ranked) else f"{'; '.join(titles)}: compared {over}"
        for over, titles in together.items()
    ]


def standing(sums: Sums, parsers: Sequence[str], metric: str, figure: str = "pooled") -> Standing:
    """Compare parsers by one figure; see :func:`standings`."""
    return standings(sums, parsers, [metric], figure)[metric]


def describe(found: Standing, titles: Mapping[str, str] | None = None) -> str:
    """Say which parser is best, or that it is not sure.

    Parameters
    ----------
    found : Standing
        The order.
    titles : mapping of str to str, optional
        What to call parsers; their names if not given.

    Returns
    -------
    str
        A sentence.
    """
    metric = METRICS[found.metric]
    names = {parser: (titles or {}).get(parser, parser) for parser in found.own}
    if not found.own:
        return f"No parser has a figure by {metric.title}."
    if not found.values:
        return f"By {metric.title} no sentence has a score of all {len(found.own)} parsers: they are not ranked."
    first = found.parsers[0]
    unit = 100 if metric.is_share else 1
    figure = f"{metric.title}, {unit * found.values[first]:.2f}"
    over = f"{found.over[0].upper()}{found.over[1:]}, " if found.over else ""
    if len(found.values) == 1:
        return f"{over}{names[first]} has {figure}."
    pairs = [found.pair(first, other) for other in found.parsers[1:]]
    if found.best is not None:
        more = "more" if metric.higher_is_better else "less"
        return (
            f"{over}{names[first]} is best by {figure}: {_size(pairs[0], unit)} {more} than {_second(pairs[0], names)}."
        )
    equal = [pair.other for pair in pairs if round(pair.difference, _DIGITS) == 0]
    if equal:
        together = _listing([names[first], *(names[other] for other in equal)])
        return f"{over}{together} have the same {figure}."
    extreme = "highest" if metric.higher_is_better else "lowest"
    unsure = [pair for pair in pairs if pair.ahead is None]
    text = f"{over}{names[first]} has the {extreme} {figure}; its difference of {_size(unsure[0], unit)}"
    text += f" from {_second(unsure[0], names)} is not significant"
    if len(unsure) == 1:
        return f"{text}."
    others = _listing([f"{names[pair.other]} (p = {p_text(pair.p_adjusted)})" for pair in unsure[1:]])
    return f"{text}, nor is that from {others}."


def _size(pair: Comparison, unit: int) -> str:
    return f"{unit * abs(pair.difference):.2f}"


def _second(pair: Comparison, names: Mapping[str, str]) -> str:
    """Name the second parser of a pair, with the interval and the p-value of the difference."""
    scale = 100 if METRICS[pair.metric].is_share else 1
    low, high = (pair.low, pair.high) if pair.difference >= 0 else (-pair.high, -pair.low)
    interval = f"95 % interval {scale * low:.2f} to {scale * high:.2f}".replace("-", "−")
    interval = "no interval" if low != low else interval
    return f"{names[pair.other]} ({interval}, p = {p_text(pair.p_adjusted)})"


def _listing(names: Sequence[str]) -> str:
    if len(names) > _MAX_NAMES:
        kept = list(names[: _MAX_NAMES - 1])
        return f"{', '.join(kept)} and {len(names) - len(kept)} others"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
