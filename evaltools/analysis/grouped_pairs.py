"""Every two parsers compared by sums over sentences, or over groups of them, without reading the sentences again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.bootstrap import SEED
from evaltools.analysis.leaderboard import n_of
from evaltools.analysis.pairs import Pair, figure_of_sums, shuffle_and_resample
from evaltools.analysis.significance import ITERATIONS, Comparison, compared, corrected
from evaltools.metrics import Metric
from evaltools.runs.sums import Sums

__all__ = ["compare_sums"]


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
    """Compare several parsers, two at a time, with Holm's correction for the number of pairs.

    Parameters
    ----------
    sums : Sums
        Sums over sentences, or groups of them, that say which sentences all parsers have.
    metrics : sequence of Metric
        Some of the metrics that were summed.
    parsers : sequence of str
        The parsers. Those that a metric has no sentence of are left out.
    figure : {"pooled", "mean"}
        The figure.
    over : {"scored", "all"}
        Which sentences count. All pairs are compared over the sentences that all these parsers have.
    iterations, resamples, level, seed
        As for :func:`evaltools.analysis.significance.compare_two`.

    Returns
    -------
    mapping of str to list of Comparison
        By metric. As :func:`evaltools.analysis.significance.compare_pairs` finds; of groups it is not known on how many
        sentences two parsers differ.
    """
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
            Pair(formula, sides[one], sides[other], members, _different(sides[one], sides[other], sums))
            for one, other in names[metric.id]
            for members in [_members(common[one], metric, figure, over)]
        ]
    shuffle_and_resample([pair for made in pairs.values() for pair in made], iterations, resamples, level, seed)
    return {
        metric.id: corrected(compared(metric, figure, names[metric.id], pairs[metric.id], iterations, resamples))
        for metric in metrics
    }


def _members(part: Sums, metric: Metric, figure: str, over: str) -> NDArray[np.float64]:
    return part.members(metric, over) if figure == "pooled" else part.defined(metric, over)


def _columns(part: Sums, metric: Metric, figure: str, over: str) -> NDArray[np.float64]:
    if figure == "pooled":
        return np.column_stack([part.count(metric, over, name) for name in metric.columns])
    return np.column_stack([part.score(metric, over), part.defined(metric, over)])


def _different(one: NDArray[np.float64], other: NDArray[np.float64], sums: Sums) -> int | None:
    return None if sums.grouped else int(np.count_nonzero((one != other).any(axis=1)))
