"""Which two metrics rank the sentences of a parser most differently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.disagreement import Kendall, furthest_pair, kendall, kendall_distances
from evaltools.analysis.sentence_ranks import badness
from evaltools.frameworks.registry import METRICS
from evaltools.text import percentage

__all__ = ["MetricPair", "describe_pair", "most_different"]


class MetricPair(NamedTuple):
    """Two metrics and the distance of their rankings of the sentences that have both scores."""

    metric_a: str
    metric_b: str
    kendall: Kendall


def most_different(
    scores: Mapping[str, NDArray[np.float64]], distances: pd.DataFrame | None = None
) -> MetricPair | None:
    """Return the pair of metrics with the largest Kendall distance, the first one in a tie; None if there is none.

    Parameters
    ----------
    scores : mapping of str to ndarray of float
        The scores of the same sentences by some metrics, NaN where undefined.
    distances : DataFrame, optional
        Kendall distances of these metrics and perhaps others; computed from the scores by default.

    Returns
    -------
    MetricPair or None
        Of the metrics in the order given.

    Examples
    --------
    >>> scores = {"e_dice_roof": [0.1, 0.2, 0.3], "t_dice": [0.1, 0.2, 0.4], "e_crossing": [0, 2, 1]}
    >>> most_different({name: np.array(values) for name, values in scores.items()})[:2]
    ('e_dice_roof', 'e_crossing')
    """
    signed = {name: badness(name, values) for name, values in scores.items()}
    if distances is None:
        distances = kendall_distances(signed)
    names = [name for name in scores if name in distances.index]
    pair = furthest_pair(distances.loc[names, names])
    if pair is None:
        return None
    a, b = (signed[metric] for metric in pair)
    has_both = ~(np.isnan(a) | np.isnan(b))
    return MetricPair(*pair, kendall(a[has_both], b[has_both]))


def describe_pair(pair: MetricPair, parser: str) -> str:
    """Describe how differently two metrics rank the sentences of a parser."""
    titles = [METRICS[name].title for name in (pair.metric_a, pair.metric_b)]
    share, n = pair.kendall.discordant / max(pair.kendall.pairs, 1), pair.kendall.n
    if not pair.kendall.discordant:
        return f"No two of these metrics rank two of {parser}’s {n:,} sentences in opposite order."
    figure = percentage(share) if share >= 0.0005 else "Fewer than 0.1 %"
    return (
        f"{figure} of the pairs of {parser}’s {n:,} sentences stand in opposite order by {titles[0]} and by "
        f"{titles[1]}, the two metrics that disagree most."
    )
