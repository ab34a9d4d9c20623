"""The figures of parsers from summed counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.frameworks.figures import over_of
from evaltools.frameworks.metric import Metric, ratio
from evaltools.runs.sums import Sums

__all__ = ["columns_of", "figure_from_sums", "figure_of", "members_of", "n_of"]


def figure_from_sums(figure: str, metric: Metric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute a figure from sums: of the metric's counts, or of scores and of their number; a row each."""
    if figure.startswith("pooled"):
        return np.asarray(metric.score(dict(zip(metric.columns, sums.T, strict=True))), dtype=np.float64)
    return ratio(sums[:, 0], sums[:, 1])


def columns_of(sums: Sums, metric: Metric, figure: str) -> list[NDArray[np.float64]]:
    """Return the sums in each group that a figure is computed from: counts, or scores and their number."""
    over = over_of(figure)
    if figure.startswith("pooled"):
        return [sums.count(metric, over, name) for name in metric.columns]
    return [sums.score(metric, over), sums.defined(metric, over)]


def members_of(sums: Sums, metric: Metric, figure: str) -> NDArray[np.float64]:
    """Return the number of sentences of a figure in each group: with counts if it is pooled, with a score if a mean."""
    over = over_of(figure)
    return sums.members(metric, over) if figure.startswith("pooled") else sums.defined(metric, over)


def figure_of(sums: Sums, metric: Metric, figure: str) -> float:
    """Return one of the figures of the sentences that were added up, NaN where undefined."""
    columns = columns_of(sums, metric, figure)
    return float(figure_from_sums(figure, metric, np.array([[column.sum() for column in columns]]))[0])


def n_of(sums: Sums, metric: Metric, figure: str) -> int:
    """Return the number of sentences of a figure."""
    return int(members_of(sums, metric, figure).sum())
