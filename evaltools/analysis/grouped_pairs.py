"""Every two parsers of a long corpus compared by sums over groups of sentences, without reading the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from evaltools.analysis.bootstrap import RESAMPLES, SEED
from evaltools.analysis.pairs import Pair, figure_of_sums, shuffle_and_resample
from evaltools.analysis.significance import ITERATIONS, Comparison, compared, corrected
from evaltools.metrics import Metric
from evaltools.runs.sums import Sums

__all__ = ["compare_sums"]


def compare_sums(
    sums: Sums,
    metric: Metric,
    parsers: Sequence[str],
    *,
    figure: str = "pooled",
    over: str = "scored",
    iterations: int = ITERATIONS,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = SEED,
) -> list[Comparison] | None:
    """Compare several parsers, two at a time, with Holm's correction for the number of pairs.

    Parameters
    ----------
    sums : Sums
        Sums over groups of sentences.
    metric : Metric
        One of the metrics that were summed.
    parsers : sequence of str
        The parsers.
    figure : {"pooled", "mean"}
        The figure.
    over : {"scored", "all"}
        Which sentences count.
    iterations, resamples, level, seed
        As for :func:`evaltools.analysis.significance.compare_two`.

    Returns
    -------
    list of Comparison or None
        As :func:`evaltools.analysis.significance.compare_pairs` finds by groups, but for the number of sentences on
        which two differ; None if some sentence does not count for all parsers: of sums of others nobody can tell which
        sentences two of them have in common.
    """
    parts = {parser: sums.of(parser) for parser in parsers}
    columns, members = {}, {}
    for parser, part in parts.items():
        places = np.searchsorted(sums.places, part.rows["place"].to_numpy(dtype=np.int64))
        there = np.bincount(places, part.rows["sentences"].to_numpy(dtype=np.float64), len(sums.places))
        members[parser] = part.members(metric, over)
        if not np.array_equal(members[parser], there):
            return None
        if figure == "pooled":
            columns[parser] = np.column_stack([part.count(metric, over, name) for name in metric.columns])
        else:
            columns[parser] = np.column_stack([part.score(metric, over), part.defined(metric, over)])
    names = list(combinations(parsers, 2))
    formula = figure_of_sums(metric, figure)
    pairs = [Pair(formula, columns[one], columns[other], members[one], None) for one, other in names]
    shuffle_and_resample(pairs, iterations, resamples, level, seed)
    return corrected(compared(metric, figure, names, pairs))
