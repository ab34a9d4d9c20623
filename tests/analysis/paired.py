"""Comparisons of parsers given as counts of each sentence."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.contributions import grouped
from evaltools.analysis.significance import Comparison, Pair, corrected, shuffle_and_resample
from evaltools.frameworks.metric import Counts, Metric

Mask = NDArray[np.bool_]


def pair_of(
    metric: Metric,
    names: tuple[str, str],
    sides: tuple[Counts, Counts],
    masks: tuple[Mask, Mask] | None = None,
    *,
    figure: str = "pooled",
    units: NDArray[np.int64] | None = None,
) -> Pair:
    """Return two parsers over the sentences of both masks, for a mean those on which both have a score."""
    mask = np.ones(len(sides[0][metric.columns[0]]), dtype=np.bool_) if masks is None else masks[0] & masks[1]
    columns = [np.column_stack([np.nan_to_num(side[name]) for name in metric.columns]) for side in sides]
    if figure == "mean":
        scores = [np.asarray(metric.score({name: side[name] for name in metric.columns})) for side in sides]
        mask = mask & ~np.isnan(scores[0]) & ~np.isnan(scores[1])
        columns = [np.column_stack([np.nan_to_num(score), mask]) for score in scores]
    first, second = (np.where(mask[:, None], side, 0.0) for side in columns)
    differ = int(np.count_nonzero((first != second).any(axis=1)))
    members = grouped(mask[:, None].astype(np.float64), units)[:, 0]
    rows = grouped(first, units), grouped(second, units)
    return Pair(*names, metric, figure, *rows, members, differ, has_units=units is not None)


def compare_two(
    metric: Metric,
    one: Counts,
    other: Counts,
    names: tuple[str, str] = ("one", "other"),
    *,
    masks: tuple[Mask, Mask] | None = None,
    figure: str = "pooled",
    units: NDArray[np.int64] | None = None,
    **options: Any,
) -> Comparison:
    return shuffle_and_resample([pair_of(metric, names, (one, other), masks, figure=figure, units=units)], **options)[0]


def compare_pairs(
    metric: Metric,
    counts: Mapping[str, Counts],
    masks: Mapping[str, Mask] | None = None,
    *,
    figure: str = "pooled",
    units: NDArray[np.int64] | None = None,
    **options: Any,
) -> list[Comparison]:
    """Compare every two parsers, with Holm's correction."""
    pairs = [
        pair_of(
            metric,
            (a, b),
            (counts[a], counts[b]),
            None if masks is None else (masks[a], masks[b]),
            figure=figure,
            units=units,
        )
        for a, b in combinations(counts, 2)
    ]
    return corrected(shuffle_and_resample(pairs, **options))
